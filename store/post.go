package store

import (
	"fmt"
	"time"
)

// Post is something that people have posted, and that is not to be posted again for a while.
// It is kept for as long as claims are.
type Post struct {
	Key     string    // of the thing and of its channel; names nobody
	At      time.Time // when posting it was begun last
	Message MessageID // empty until it is known to stand there

	Version int // as in Match
}

// Validate is for a post what [Match.Validate] is for a match.
func (p Post) Validate() error {
	if p.Key == "" || p.Version < 0 {
		return fmt.Errorf("%w: post %q without a key, or of version %d", ErrInvalid, p.Key, p.Version)
	}
	return invalid(texts(p.Key, string(p.Message)), "post")
}
