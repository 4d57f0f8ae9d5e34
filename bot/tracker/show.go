package tracker

import (
	"context"
	"errors"
	"math"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// Showing is an answer to an interaction that shows a record.
type Showing struct {
	Ref     Ref
	Version int // that the message shows
	// Step is how far the record has come with this very version, in steps that its
	// pictures show; zero where the version brought none. See [Tracker.Seen].
	Step int
	// Most is how many steps one version brings at most, where each brings some or none.
	Most int
	Kind rest.CallbackType // CallbackMessage or CallbackUpdate
	// Private says of a new message that only its reader will see it.
	Private bool
	// In is the interaction. An update turns its message into what is shown.
	In *discord.Interaction
	// Blind says that nobody tells when an update has arrived: that may be as late as
	// Discord takes it.
	Blind bool
	// Seen, if set, is called when somebody has clicked on the picture while it counts as on
	// its way: it has arrived.
	Seen func()
	// Instead is the record that the clicked message showed before, if it is another:
	// an edit for that must not come behind.
	Instead Ref
}

// Show sends what shows a record as the answer to an interaction and remembers where
// it stands. send sends it as the kind that it is given and returns the message that
// Discord names, if it does. It is called again where Discord refused: an update that
// is not taken becomes an edit, and one of a message that has just been deleted
// becomes a new message. Where another edit of the same message takes too long, or has
// shown a later version, the interaction is acknowledged silently. If the record has
// moved on meanwhile, or nothing arrived, a redraw follows. send does not panic.
func (t *Tracker) Show(ctx context.Context, s Showing, send func(kind rest.CallbackType) (store.MessageID, error)) {
	made := t.Now()
	var release func()
	var ok bool
	if s.Kind != rest.CallbackUpdate {
		release = t.Posting(s.Ref)
	} else if release, ok = t.takeAll(ctx, s); !ok {
		s.Kind = rest.CallbackDeferUpdate
	}
	id, err := send(s.Kind)
	if s.Kind == rest.CallbackUpdate {
		switch {
		case errors.Is(err, rest.ErrInvalidForm):
			t.Log.Warn("update refused, editing instead", "error", err)
			s.Kind = rest.CallbackDeferUpdate
			id, err = send(s.Kind)
		case errors.Is(err, rest.ErrUnknownMessage):
			release()
			s.Kind = rest.CallbackMessage
			release = t.Posting(s.Ref)
			id, err = send(s.Kind)
		}
	}
	t.learn(s, id, made, err)
	var before chan struct{} // closed when no edit for the record before is on its way
	if s.Instead != (Ref{}) {
		t.with(s.Instead, func(m *message) { before = m.handOver() })
	}
	release()
	if err == nil && s.Blind && s.Kind == rest.CallbackUpdate {
		t.looks.Store(&s, nil)
		t.After(t.AnswerTime, func() { t.lookBack(&s) })
	}
	// The look takes less here than on a goroutine of its own, whose stack has to grow for it. It
	// is no part of the time that the answer took.
	if stored, err := t.Records.Stored(store.WithSpent(ctx, new(store.Spent)), s.Ref); err != nil || t.behind(s.Ref, stored) {
		t.Run(func(ctx context.Context) {
			if before != nil {
				tasks.Within(before, t.SendTime)
			}
			t.redraw(ctx, s.Ref)
		})
	}
}

// handOver notes that the message is another record's now, and is edited for this one no more. It
// returns what is closed when nothing is on its way. The tracker is locked.
func (m *message) handOver() chan struct{} {
	m.version, m.forced, m.times = math.MaxInt, false, false
	return m.sending
}

// Finish looks back at once at all answers that it would look back at later: nobody else does
// for a process that ends. It is for when all answers have been handed over.
func (t *Tracker) Finish() {
	t.looks.Range(func(s, _ any) bool {
		t.lookBack(s.(*Showing))
		return true
	})
}

// Seen says that somebody has clicked on a picture of the record on a message, which showed
// the step: a picture of that step that was on its way there has arrived.
func (t *Tracker) Seen(r Ref, on store.MessageID, step int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := t.messages[r]; m != nil && m.sending != nil && m.seen != nil && m.on == on && m.step > 0 && step >= m.step {
		m.seen()
	}
}

// lookBack draws a record again, once, that has moved on from what an answer has shown: that
// may have arrived behind what shows it now. Where people have gone on from its picture it has
// not.
func (t *Tracker) lookBack(s *Showing) {
	if _, due := t.looks.LoadAndDelete(s); !due {
		return
	}
	t.Run(func(ctx context.Context) {
		stored, err := t.Records.Stored(ctx, s.Ref)
		if err == nil && stored.Version > s.Version && !s.isGoneOnFrom(stored) {
			t.RedrawAgain(s.Ref)
		}
	})
}

// isGoneOnFrom reports whether the record has moved on by nothing but clicks on the picture
// that was shown, and on those that followed. Each such click brings a step; what has come
// with fewer steps than its versions can bring was something else, or may have been made on
// the picture before. A match of n moves has come n+1 steps.
func (s Showing) isGoneOnFrom(stored store.Shown) bool {
	return s.Step > 0 && stored.Moves+1-s.Step > (stored.Version-s.Version-1)*s.Most
}

// takeAll claims the right to show the record, and to replace the picture of the one in
// whose place it comes, where there is one; it reports false if it cannot have both.
// release gives back what it has.
func (t *Tracker) takeAll(ctx context.Context, s Showing) (release func(), ok bool) {
	giveBack := func() {}
	if s.Instead != (Ref{}) {
		if !t.take(ctx, s.Instead, math.MaxInt) {
			return giveBack, false
		}
		giveBack = func() { t.with(s.Instead, (*message).arrived) }
	}
	if !t.take(ctx, s.Ref, s.Version) {
		giveBack()
		return func() {}, false
	}
	t.with(s.Ref, func(m *message) { m.seen, m.step, m.on = s.Seen, s.Step, store.MessageID(s.In.Message.ID) })
	return func() { t.with(s.Ref, (*message).arrived); giveBack() }, true
}

// take claims the right to show a version. While somebody else sends, it waits a moment
// and then reports false. It does so at once if a later version is shown.
func (t *Tracker) take(ctx context.Context, r Ref, version int) bool {
	ctx, cancel := context.WithTimeout(ctx, discord.Share(shortWait, t.AnswerTime))
	defer cancel()
	for {
		t.mu.Lock()
		m := t.of(r)
		sending, later := m.sending, m.version > version
		if sending == nil && !later {
			m.sending, m.sends = make(chan struct{}), version
		}
		t.mu.Unlock()
		if sending == nil {
			return !later
		}
		if _, err := t.arrival(ctx, r); err != nil {
			return false
		}
	}
}

// arrival waits until what is on its way to the message of a record has arrived. waited says
// that something was.
func (t *Tracker) arrival(ctx context.Context, r Ref) (waited bool, _ error) {
	var sending chan struct{}
	t.with(r, func(m *message) { sending = m.sending })
	if sending == nil {
		return false, nil
	}
	select {
	case <-sending:
		return true, nil
	case <-ctx.Done():
		return true, ctx.Err()
	}
}

// arrived says that nothing is on its way any more. The tracker is locked.
func (m *message) arrived() {
	close(m.sending)
	m.sending, m.seen = nil, nil
}

// Posting notes that a message is being made that shows the record, as an answer or by the
// application's own right. Until made [Tracker.Where] waits a moment for it. The zero value is
// no record.
func (t *Tracker) Posting(r Ref) (made func()) {
	if r == (Ref{}) {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	done := make(chan struct{})
	t.of(r).creating = done
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if m := t.of(r); m.creating == done {
			m.creating = nil
		}
		close(done)
	}
}

// Posted notes that the application has posted a message which shows a version of the
// record, not as an answer. made is when its picture was.
func (t *Tracker) Posted(r Ref, stands Copy, version int, made time.Time) {
	t.mu.Lock()
	m := t.of(r)
	m.posting = false
	if m.ID != "" && !discord.Older(m.ID, stands.ID) {
		t.mu.Unlock() // somebody has clicked on it, or had it shown again, meanwhile
		return
	}
	m.Copy = stands
	m.version, m.shownAt = version, made
	m.failures, m.gone = 0, false
	t.mu.Unlock()
	t.Records.Delivered(r, stands.ID, version, true)
}

// By returns the copy as one that was made behind an interaction, whose token can edit it.
func (c Copy) By(token string, received time.Time) Copy {
	c.token, c.tokenName, c.tokenAt = token, string(c.ID), received
	return c
}

// learn remembers what an answer tells about the message: what now stands where, and
// which token can edit it.
func (t *Tracker) learn(s Showing, id store.MessageID, made time.Time, err error) {
	created, version := s.Kind == rest.CallbackMessage, s.Version
	private := s.Private
	if !created {
		id, private = store.MessageID(s.In.Message.ID), s.In.Message.Ephemeral()
	}
	switch {
	case err == nil && s.Kind != rest.CallbackDeferUpdate:
	case err == nil, errors.Is(err, rest.ErrAlreadyAcknowledged) && !errors.Is(err, rest.ErrAnsweredElsewhere):
		version = 0 // what stands there is not known: only the token is new
	default:
		if created {
			t.NotPosted(s.Ref)
		}
		return
	}
	t.mu.Lock()
	m := t.of(s.Ref)
	switch {
	case id != "" && m.ID != "" && m.ID != id && !created && discord.Older(id, m.ID):
		t.mu.Unlock() // an older copy: the newer message stays the one
		return
	case id != "" && id != m.ID, created && id == "":
		m.ID, m.version = id, 0
	}
	m.failures, m.gone = 0, false
	m.posting = m.posting && !created
	m.forced = m.forced && (created || version == 0) // an update names everybody
	m.Channel, m.TokenOnly = store.ChannelID(s.In.Channel), private || s.In.BotAbsent
	first := id != "" && m.version == 0
	if !s.In.Received.Before(m.tokenAt) {
		m.token, m.tokenAt, m.tokenName = s.In.Token, s.In.Received, originalMessage
	}
	if m.version = max(m.version, version); version > 0 {
		m.shownAt = made
	}
	shown := m.ID
	t.mu.Unlock()
	if shown != "" {
		t.Records.Delivered(s.Ref, shown, version, first)
	}
}
