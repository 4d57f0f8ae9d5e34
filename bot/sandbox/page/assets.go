package page

import (
	"crypto/sha256"
	"encoding/base64"
	"io/fs"
	"net/http"
	"path"
)

// assets are the files of the page by name, held in memory with their entity tags.
type assets map[string]asset

type asset struct {
	body []byte
	kind string
	tag  string
}

// assetKinds are the types of files that the page may hold. They are not looked
// up by mime.TypeByExtension, whose answers depend on the machine.
var assetKinds = map[string]string{
	".html":  "text/html; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".svg":   "image/svg+xml",
	".woff2": "font/woff2",
	".txt":   "text/plain; charset=utf-8",
}

// loadAssets reads every file of web. A file of another kind is a mistake in
// this package and panics.
func loadAssets(web fs.FS) assets {
	a := assets{}
	err := fs.WalkDir(web, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(web, name)
		if err != nil {
			return err
		}
		kind, ok := assetKinds[path.Ext(name)]
		if !ok {
			panic("sandbox: no content type for " + name)
		}
		sum := sha256.Sum256(body)
		a[name] = asset{body, kind, `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
		return nil
	})
	if err != nil {
		panic(err) // the files are part of the binary
	}
	return a
}

func (a assets) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.serve(w, r, r.URL.Path) }

// file serves one file, whatever path was asked for.
func (a assets) file(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.serve(w, r, name) })
}

// serve answers with a file. Browsers keep it but ask each time whether it is
// still the same, so that a new binary never meets old scripts.
func (a assets) serve(w http.ResponseWriter, r *http.Request, name string) {
	f, ok := a[name]
	if !ok {
		fail(w, http.StatusNotFound, "not_found", "There is no such file.")
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", f.tag)
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(f.body)
}
