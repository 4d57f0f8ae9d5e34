package page

import "net/http"

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
