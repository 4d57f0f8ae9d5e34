package page

import (
	"mime"
	"net/http"
	"strconv"
)

// filePolicy lets an uploaded file do nothing, should a browser show it as a page.
const filePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// getFile answers with a file that a message carries. Only pictures go out under
// their own type; whatever else an application uploads is saved, not shown.
func (p *page) getFile(w http.ResponseWriter, r *http.Request) {
	f := p.srv.World().File(r.PathValue("id"))
	if f == nil {
		fail(w, http.StatusNotFound, "not_found", "That file is no longer kept.")
		return
	}
	kind, disposition := "application/octet-stream", "attachment"
	if f.IsPicture() {
		kind, disposition = f.Kind, "inline"
	}
	h := w.Header()
	h.Set("Content-Security-Policy", filePolicy)
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": f.Name}))
	h.Set("Content-Length", strconv.Itoa(len(f.Body)))
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(f.Body) //nolint:gosec // under a policy that runs nothing, and as an attachment unless it is a picture
}

// getEmoji answers with the picture of an application's emoji, which never changes.
func (p *page) getEmoji(w http.ResponseWriter, r *http.Request) {
	f := p.srv.World().EmojiPicture(r.PathValue("id"))
	if f == nil {
		fail(w, http.StatusNotFound, "not_found", "There is no such emoji.")
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", filePolicy)
	h.Set("Content-Type", f.Kind)
	h.Set("Content-Length", strconv.Itoa(len(f.Body)))
	h.Set("Cache-Control", "private, max-age=86400, immutable")
	_, _ = w.Write(f.Body) //nolint:gosec // a picture, and under a policy that runs nothing
}
