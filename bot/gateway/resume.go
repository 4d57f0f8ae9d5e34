package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
)

// resumable is what is needed to resume a session with Discord: its id, where to
// connect, and the sequence number of the last event. It outlives connections.
type resumable struct {
	mu   sync.Mutex
	last Session
}

// Session is what is needed to resume a session: its id and the bot's token together are
// enough to take it over.
type Session struct {
	ID       string
	URL      string // where to resume it
	Sequence int    // of the last event that was received; 0 before one has come
}

// session returns the session, the zero value if there is none to resume.
func (r *resumable) session() Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last.ID == "" || r.last.Sequence == 0 {
		return Session{}
	}
	return r.last
}

// keep has the next connection resume a session; it identifies for the zero value.
func (r *resumable) keep(s Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = s
}

// seen notes the sequence number of an event.
func (r *resumable) seen(seq int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last.Sequence = seq
}

// heartbeat makes a heartbeat: its data is the last sequence number, or null.
func (r *resumable) heartbeat() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last.Sequence == 0 {
		return []byte(`{"op":1,"d":null}`)
	}
	return fmt.Appendf(nil, `{"op":1,"d":%d}`, r.last.Sequence)
}

// packet makes the resume that takes the place of identify, with its token.
func (s Session) packet(token string) []byte {
	data := map[string]any{"token": token, "session_id": s.ID, "seq": s.Sequence}
	raw, _ := json.Marshal(map[string]any{"op": opResume, "d": data}) // texts and numbers always can be
	return raw
}

// hash names the session without giving it away: its id and the bot token together
// are enough to take it over.
func (s Session) hash() string {
	if s.ID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(s.ID))
	return hex.EncodeToString(sum[:4])
}

// dialURL adds the query that Discord's documentation asks for. The version is
// the one whose events discordgo decodes.
func dialURL(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "ws" && u.Scheme != "wss" {
		return "", errBadURL
	}
	q := u.Query()
	q.Set("v", "9")
	q.Set("encoding", "json")
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// follows reports whether next may be dialed with the token after first was. An encrypted
// connection is not followed by a plain one, and both addresses are of the same domain: that
// of the last two parts of their names, or the same number.
func follows(first, next string) bool {
	a, errA := url.Parse(first)
	b, errB := url.Parse(next)
	if errA != nil || errB != nil || a.Scheme == "wss" && b.Scheme != "wss" {
		return false
	}
	domain := func(u *url.URL) string {
		host := strings.ToLower(u.Hostname())
		if parts := strings.Split(host, "."); net.ParseIP(host) == nil && len(parts) > 2 {
			host = strings.Join(parts[len(parts)-2:], ".")
		}
		return host
	}
	return domain(a) != "" && domain(a) == domain(b)
}
