package tracker

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/store"
)

// retryAfter is how long a failed edit waits for its next try, by failures so far;
// after the last one the next click or the next start draws.
var retryAfter = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute}

// Redraw edits the message of a record, in the background, unless it shows what is
// stored.
func (t *Tracker) Redraw(r Ref) { t.Run(func(ctx context.Context) { t.redraw(ctx, r) }) }

// RedrawAgain edits it also in the same version: an edit names people whom a new message may
// not call.
func (t *Tracker) RedrawAgain(r Ref) {
	t.with(r, func(m *message) { m.forced = true })
	t.Redraw(r)
}

// RedrawTimes edits it also in the same version, if it names times: they have moved,
// and it may have been drawn before. It reports whether it was, as far as is known.
func (t *Tracker) RedrawTimes(r Ref, moved time.Time) (old bool) {
	t.with(r, func(m *message) {
		old = m.shownAt.Before(moved)
		m.times = m.times || old
	})
	if old {
		t.Redraw(r)
	}
	return old
}

// RedrawLater looks a few times whether a record has moved on.
func (t *Tracker) RedrawLater(look func(ctx context.Context) Ref) {
	for _, wait := range retryAfter {
		t.After(wait, func() { t.Run(func(ctx context.Context) { t.Redraw(look(ctx)) }) })
	}
}

// redraw edits the message unless it shows what is stored, and then looks again. It compares
// versions first, waits for its turn among all messages, renders and only then claims the
// message: an answer to a click never waits for the store, nor for the redraws of other
// messages.
func (t *Tracker) redraw(ctx context.Context, r Ref) {
	stored, err := t.Records.Stored(ctx, r)
	if err != nil {
		t.notRead(r, err)
		return
	}
	if t.behind(r, stored) && t.redrawInTurn(ctx, r) {
		t.Redraw(r)
	}
}

// behind reports whether an edit is needed to show what is stored. While one is on its
// way whoever sends it looks again.
func (t *Tracker) behind(r Ref, stored store.Shown) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.of(r)
	shown := m.version
	switch {
	case m.ID == "" && m.creating == nil:
		shown = max(shown, stored.Drawn)
	case m.isBehind(stored.Message):
		shown = stored.Drawn
	}
	if shown >= stored.Version && !m.forced && !m.times {
		return false
	}
	if m.sending != nil {
		m.again = true
		return false
	}
	return true
}

// redrawInTurn waits for a place among those that draw and edits the message once. It
// reports whether to look again.
func (t *Tracker) redrawInTurn(ctx context.Context, r Ref) (again bool) {
	select {
	case t.slots <- struct{}{}:
		defer func() { <-t.slots }()
	case <-ctx.Done():
		t.retry(r, ctx.Err())
		return false
	}
	made := t.Now()
	drawn, err := t.Records.Render(ctx, r)
	if err != nil {
		t.notRead(r, err)
		return false
	}
	target, ok := t.claim(r, drawn, made)
	if !ok {
		return false
	}
	t.begun.Add(1)
	target.ID, err = t.send(ctx, r, target, drawn.Message.Edit())
	if err == nil {
		t.done.Add(1)
	}
	asked := t.sent(r, target.ID, drawn.Version, made, err)
	switch {
	case errors.Is(err, rest.ErrUnknownChannel), errors.Is(err, rest.ErrUnknownGuild):
		t.Records.Unreachable(ctx, drawn, err)
	case err != nil && !outOfReach(err):
		t.retry(r, err)
	case err != nil:
		// The message is gone or out of reach; the next click or the command that
		// shows the board brings it back.
		t.left.Add(1)
		t.Log.Info("message left as it is", "channel", drawn.Channel, "error", err)
		if rest.Forbidden(err) && t.Records.Unreachable(ctx, drawn, err) {
			t.RedrawAgain(r)
		}
	}
	return err == nil || asked
}

func (t *Tracker) notRead(r Ref, err error) {
	if !errors.Is(err, store.ErrNotFound) {
		t.retry(r, err)
	}
}

// claim takes the message for an edit, and reports whether one is needed. What the
// store knows of the message counts where nothing else is known.
func (t *Tracker) claim(r Ref, drawn Rendering, made time.Time) (target Copy, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.of(r)
	m.learnOf(drawn.Copy, drawn.Delivered)
	if m.ID == "" && m.creating == nil {
		m.Copy = m.or(drawn.Copy)
		m.version = max(m.version, drawn.Delivered)
	}
	switch {
	case drawn.Done, m.ID == "" && m.token == "", m.version > drawn.Version, // which an answer has shown meanwhile
		m.version == drawn.Version && !m.forced && (!m.times || !drawn.Timed):
		m.times, m.shownAt = false, made
		return Copy{}, false
	case m.sending != nil:
		m.again = true
		return Copy{}, false
	}
	m.sending, m.sends = make(chan struct{}), drawn.Version
	m.forced, m.times, m.again = false, false, false
	return m.Copy, true
}

func (t *Tracker) send(ctx context.Context, r Ref, target Copy, body json.RawMessage) (id store.MessageID, err error) {
	defer func() {
		if v := recover(); v != nil { // the message must be given back
			id, err = target.ID, t.Caught("redraw failed", v)
		}
	}()
	// One that hangs must not keep the clicks that came meanwhile from being shown, nor
	// other messages from being drawn.
	ctx, cancel := context.WithTimeout(ctx, t.SendTime)
	defer cancel()
	return t.edit(ctx, r, target, body)
}

// sent remembers what became of an edit and gives the message back. It reports
// whether somebody asked for another one meanwhile.
func (t *Tracker) sent(r Ref, id store.MessageID, version int, made time.Time, err error) (asked bool) {
	t.mu.Lock()
	m := t.of(r)
	m.arrived()
	asked, m.again = m.again, false
	known := err == nil || rest.Gone(err)
	if !known && outOfReach(err) {
		m.failures = max(m.failures, 1)
	}
	if m.ID == "" {
		m.ID = id
	}
	if errors.Is(err, rest.ErrUnknownMessage) && m.ID == id {
		m.gone = true
	}
	if known && m.ID == id {
		m.version, m.failures, m.shownAt = max(m.version, version), 0, made
	}
	t.mu.Unlock()
	if known {
		t.Records.Delivered(r, id, version, false)
	}
	return asked
}

// outOfReach reports whether an edit failed in a way that another try would too.
func outOfReach(err error) bool {
	return rest.Gone(err) || rest.Forbidden(err) || errors.Is(err, errNoWay)
}

// errNoWay: nobody but a click can edit the message.
var errNoWay = errors.New("tracker: no token that can edit the message")

// edit changes a message by the newest interaction token while it can live, and by
// the bot's own as soon as that is older or refused. It returns the message's id,
// which may not have been known before.
func (t *Tracker) edit(ctx context.Context, r Ref, c Copy, body json.RawMessage) (store.MessageID, error) {
	unknown := false
	if c.token != "" && t.Now().Sub(c.tokenAt) < TokenLife {
		sent, err := t.API.EditByToken(ctx, c.token, c.tokenName, body)
		if err == nil && c.ID == "" {
			c.ID = store.MessageID(sent.ID)
		}
		status := 0
		if failed := (*rest.Error)(nil); errors.As(err, &failed) {
			status = failed.Status
		}
		dead := errors.Is(err, rest.ErrTokenDead) || status == http.StatusUnauthorized || status == http.StatusForbidden
		if dead {
			t.forget(r, c.token)
		}
		unknown = errors.Is(err, rest.ErrUnknownMessage)
		other := dead || status == http.StatusNotFound
		failing := status >= http.StatusInternalServerError
		if !other && (!failing || c.TokenOnly || c.ID == "") {
			return c.ID, err
		}
	}
	switch {
	case c.TokenOnly && unknown:
		return c.ID, rest.ErrUnknownMessage
	case c.TokenOnly, c.ID == "":
		return c.ID, errNoWay // the channel does not know such messages
	}
	_, err := t.API.EditMessage(ctx, string(c.Channel), string(c.ID), body)
	if unknown && rest.Forbidden(err) {
		err = rest.ErrUnknownMessage // whoever may not look does not know better
	}
	return c.ID, err
}

// forget drops a token that Discord has refused, so that it is refused only once:
// too many refusals, and Discord listens to nothing any more.
func (t *Tracker) forget(r Ref, token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := t.of(r); m.token == token {
		m.token, m.tokenName = "", ""
	}
}

// retry draws again later, a few times.
func (t *Tracker) retry(r Ref, err error) {
	n := 0
	t.with(r, func(m *message) { n, m.failures = m.failures, m.failures+1 })
	if n >= len(retryAfter) {
		t.undrawn.Add(1)
		t.Log.Warn("message not redrawn", "error", err, "tries", n+1)
		return
	}
	t.Log.Info("message not redrawn yet", "error", err, "retry_in", retryAfter[n])
	t.After(retryAfter[n], func() { t.RedrawAgain(r) })
}
