// Package files keeps what applications upload to the local Discord.
package files

import (
	"bytes"
	"image"
	_ "image/gif" // the sizes of pictures
	_ "image/jpeg"
	_ "image/png"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// pictureKinds are the types of files that a browser may show. All others, SVG
// among them, can only be saved.
var pictureKinds = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// File is the content of an attachment. It never changes.
type File struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Body []byte `json:"body"`
	Kind string `json:"-"` // by its first bytes, whatever its name says
}

// New is a file with a copy of body, whose kind is what its first bytes say.
func New(id, name string, body []byte) *File {
	return &File{id, name, bytes.Clone(body), http.DetectContentType(body)}
}

// IsPicture reports whether a browser may show the file.
func (f *File) IsPicture() bool { return slices.Contains(pictureKinds, f.Kind) }

// Attachment is the file as messages and interactions name it. Its address is below
// that of a folder.
func (f *File) Attachment(folder string) map[string]any {
	address := folder + "/" + f.ID + "/" + url.PathEscape(f.Name)
	a := map[string]any{
		"id": f.ID, "filename": f.Name, "size": len(f.Body), "content_type": f.Kind, "url": address, "proxy_url": address,
	}
	if c, _, err := image.DecodeConfig(bytes.NewReader(f.Body)); err == nil && f.IsPicture() {
		a["width"], a["height"] = c.Width, c.Height
	}
	return a
}

// filePolicy lets a file do nothing, should a browser show it as a page.
const filePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// ServeHTTP answers with the file. Only pictures are for a browser to show: anything
// else, such as a page, could act in the name of the address that it came from.
func (f *File) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", filePolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Type", f.Kind)
	disposition := "attachment"
	if f.IsPicture() {
		disposition = "inline"
	}
	h.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": f.Name}))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.Body))
}
