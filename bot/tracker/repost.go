package tracker

import (
	"context"
	"time"

	"tictactoe/bot/discord"
)

// Repost says that the record is about to be posted anew, and returns the message
// that shows it until then: the one that the store knows, where no other is known. ok is false where that was done less than the pause ago;
// again is when it can be done. A message that is gone is posted at once, which
// Repost finds out by drawing it.
func (t *Tracker) Repost(ctx context.Context, r Ref, stored Copy, pause time.Duration) (old Copy, again time.Time, ok bool) {
	t.Where(r, "") // which waits for it to be made
	if old, again, ok = t.repost(r, pause); !ok {
		t.touch(ctx, r)
		old, again, ok = t.repost(r, pause)
	}
	return old.or(stored), again, ok
}

func (t *Tracker) repost(r Ref, pause time.Duration) (old Copy, again time.Time, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.of(r)
	old, again = m.Copy, m.reposted.Add(pause)
	if !m.gone && t.Now().Before(again) {
		return old, again, false
	}
	// What is gone is posted once, too.
	m.reposted, m.posting, m.gone = t.Now(), true, false
	return old, again, true
}

// NotPosted says that a message which [Tracker.Repost] or [Tracker.Posting] has announced did
// not come about.
func (t *Tracker) NotPosted(r Ref) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := t.messages[r]; m != nil {
		m.reposted, m.posting = time.Time{}, false
	}
}

// StillGone reports whether the message of a record that was posted elsewhere a moment ago
// is gone, so that it may be posted all the same. Otherwise it takes back that Repost said
// so.
func (t *Tracker) StillGone(ctx context.Context, r Ref) bool {
	t.NotPosted(r)
	t.touch(ctx, r)
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.of(r)
	if !m.gone {
		return false
	}
	m.reposted, m.posting, m.gone = t.Now(), true, false
	return true
}

// touchTime is how long of the time for an answer somebody waits for whom touch is asked.
const touchTime = time.Second

// touch draws the message now, which tells whether it is still there. While the
// record is being posted anew there is nothing to ask.
func (t *Tracker) touch(ctx context.Context, r Ref) {
	ctx, cancel := context.WithTimeout(ctx, discord.Share(touchTime, t.AnswerTime))
	defer cancel()
	t.mu.Lock()
	m := t.of(r)
	posting := m.posting
	m.forced = m.forced || !posting
	t.mu.Unlock()
	for !posting {
		t.redraw(ctx, r)
		if waited, err := t.arrival(ctx, r); !waited || err != nil { // else somebody else has taken it up
			return
		}
	}
}

// Replace edits a message that [Tracker.Repost] has returned for the record. It waits for what is
// on its way to the record's message, which may be an edit of that one, begun before the new one
// stood.
func (t *Tracker) Replace(ctx context.Context, r Ref, old Copy, with discord.Message) error {
	if _, err := t.arrival(ctx, r); err != nil {
		return err
	}
	_, err := t.edit(ctx, r, old, with.Edit())
	return err
}

// or returns the copy, or where it is not known the message that the store knows.
func (c Copy) or(stored Copy) Copy {
	if c.ID == "" {
		c.ID, c.Channel, c.TokenOnly = stored.ID, stored.Channel, stored.TokenOnly
	}
	return c
}
