package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"net/http"
	"path"
	"time"
)

//go:embed web
var webFiles embed.FS

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

// serveAsset answers with a file of the page. Browsers keep it but ask each time whether it
// is still the same, so that a new binary never meets old scripts.
func serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	body, err := webFiles.ReadFile("web/" + name)
	kind, ok := assetKinds[path.Ext(name)]
	if err != nil || !ok {
		fail(w, http.StatusNotFound, "not_found", "There is no such file.")
		return
	}
	sum := sha256.Sum256(body)
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:12])+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}
