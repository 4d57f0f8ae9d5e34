package page

import "net/http"

// getFile answers with a file that a message carries. Only pictures go out under
// their own type; whatever else an application uploads is saved, not shown.
func (p *page) getFile(w http.ResponseWriter, r *http.Request) {
	f := p.srv.World().File(r.PathValue("id"))
	if f == nil {
		fail(w, http.StatusNotFound, "not_found", "That file is no longer kept.")
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	shown := *f
	if !f.IsPicture() {
		shown.Kind = "application/octet-stream"
	}
	shown.ServeHTTP(w, r)
}

// getEmoji answers with the picture of an application's emoji, which never changes.
func (p *page) getEmoji(w http.ResponseWriter, r *http.Request) {
	f := p.srv.World().EmojiPicture(r.PathValue("id"))
	if f == nil {
		fail(w, http.StatusNotFound, "not_found", "There is no such emoji.")
		return
	}
	w.Header().Set("Cache-Control", "private, max-age=86400, immutable")
	f.ServeHTTP(w, r)
}
