package bot

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/store"
)

// surface is a record that has a message: a match or a challenge.
type surface struct {
	match     store.MatchID
	challenge store.ChallengeID
}

// tokenLife is how long after an interaction its token is used to edit. Discord
// takes it for 15 minutes; the rest is for clocks and the way.
const tokenLife = 14*time.Minute + 30*time.Second

// painter keeps the messages of matches and challenges in step with the store.
// Pictures of one message are sent one after the other and never go backwards:
// whoever has sent one compares the stored version afterwards, and draws again if
// it has moved on. No lock is held over a request.
//
// What it remembers about a message (a sheet) makes it faster and lets it edit
// where only a fresh interaction token may; it is bounded and may be lost.
type painter struct {
	render func(ctx context.Context, s surface) (picture, error)
	api    api
	note   func(store.Note)
	fresh  func()                                          // a note names a message that was not known before
	lost   func(ctx context.Context, p picture, err error) // channel or guild is gone
	caught func(what string, panicked any) error
	log    *slog.Logger
	run    func(func(ctx context.Context)) // in the background
	now    func() time.Time
	after  func(d time.Duration, f func())
	slots  chan struct{} // bounds how many messages are edited at once

	mu     sync.Mutex
	sheets map[surface]*sheet
}

// picture is what a surface should look like.
type picture struct {
	msg     message
	version int
	guild   store.GuildID
	channel store.ChannelID
	message store.MessageID // as stored; empty while unknown
	drawn   int             // as stored
	skip    bool            // there is nothing to draw any more
}

// sheet is what is known of the message of a surface.
type sheet struct {
	channel   store.ChannelID
	message   store.MessageID
	ephemeral bool
	version   int // highest one that Discord has acknowledged

	token   string // newest one whose first answer made or edited the message
	ref     string // how that token names the message
	tokenAt time.Time

	busy     chan struct{} // closed when the picture on its way has arrived; nil when none is
	creating chan struct{} // closed when Discord has answered the creation; nil when it has
	wanted   bool          // another picture must follow
	forced   bool          // even if the version is the same: times in it have changed
	stuck    bool          // the last edit could not reach it: only a click can
	failures int
	reposted time.Time
	posting  bool // the surface is being posted anew
	gone     bool // Discord has said that the message is no more
	used     time.Time
}

// drawn is what an answer to an interaction tells about a message.
type drawn struct {
	channel   store.ChannelID
	message   store.MessageID // empty when Discord did not say
	token     string
	at        time.Time
	version   int // 0: not known to show anything new
	ephemeral bool
	created   bool // a new message
}

// retryAfter is how long a failed edit waits for its next try, by failures so far;
// after the last one the next click or the next start draws.
var retryAfter = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute}

const originalMessage = "@original"

func (p *painter) sheet(s surface) *sheet {
	sh := p.sheets[s]
	if sh == nil {
		sh = &sheet{}
		p.sheets[s] = sh
	}
	sh.used = p.now()
	return sh
}

// begin claims the right to send a picture of the surface. While another is on its
// way it waits a moment, and then reports false.
func (p *painter) begin(ctx context.Context, s surface) bool {
	timeout := time.NewTimer(beginWait)
	defer timeout.Stop()
	for {
		p.mu.Lock()
		sh := p.sheet(s)
		busy := sh.busy
		if busy == nil {
			sh.busy = make(chan struct{})
			p.mu.Unlock()
			return true
		}
		p.mu.Unlock()
		select {
		case <-busy:
		case <-timeout.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// beginWait is how long an answer waits for an edit of the same message that is on
// its way, before it is acknowledged without a picture.
const beginWait = 400 * time.Millisecond

// end gives back what begin claimed.
func (p *painter) end(s surface) {
	p.mu.Lock()
	p.sheet(s).release()
	p.mu.Unlock()
}

// release marks the sheet as no longer busy. The painter is locked.
func (sh *sheet) release() {
	close(sh.busy)
	sh.busy = nil
}

// create notes that a message that shows the surface is being made, until made.
func (p *painter) create(s surface) (made func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	done := make(chan struct{})
	p.sheet(s).creating = done
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if sh := p.sheet(s); sh.creating == done {
			sh.creating = nil
		}
		close(done)
	}
}

// drawn records that an interaction's answer made or edited the message.
func (p *painter) drawn(s surface, d drawn) {
	p.mu.Lock()
	sh := p.sheet(s)
	switch {
	case d.message != "" && sh.message != "" && sh.message != d.message && !d.created && snowflakeLess(d.message, sh.message):
		p.mu.Unlock() // an older copy: the newer message stays the one
		return
	case d.message != "" && d.message != sh.message, d.created:
		sh.message, sh.version = d.message, 0
	}
	sh.failures, sh.gone = 0, false
	sh.posting = sh.posting && !d.created
	sh.channel, sh.ephemeral = d.channel, d.ephemeral
	fresh := d.message != "" && sh.version == 0
	if !d.at.Before(sh.tokenAt) {
		sh.token, sh.tokenAt, sh.ref = d.token, d.at, originalMessage
	}
	sh.version = max(sh.version, d.version)
	sh.stuck = false
	message := sh.message
	p.mu.Unlock()
	if message != "" {
		p.note(store.Note{Match: s.match, Challenge: s.challenge, Message: message, Drawn: d.version})
	}
	if fresh {
		p.fresh()
	}
}

// known returns the message that shows the surface, empty when none is remembered.
// When the message is being made it waits a moment for Discord to name it.
func (p *painter) known(s surface) store.MessageID {
	p.mu.Lock()
	defer p.mu.Unlock()
	sh := p.sheets[s]
	if sh == nil {
		return ""
	}
	if creating := sh.creating; creating != nil {
		p.mu.Unlock()
		timeout := time.NewTimer(beginWait)
		select {
		case <-creating:
		case <-timeout.C:
		}
		timeout.Stop()
		p.mu.Lock()
	}
	return sh.message
}

// inStep reports whether the message shows the version, or somebody is seeing to
// that. It is false where a click does better: edits did not get through, Discord
// never named the message, or an earlier process left it behind. stored is what the
// store knows to be drawn.
func (p *painter) inStep(s surface, clicked store.MessageID, version, stored int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	sh := p.sheets[s]
	switch {
	case sh == nil:
		return stored >= version
	case clicked != "" && sh.message != "" && snowflakeLess(sh.message, clicked):
		return false // a newer copy, of which Discord has not told
	}
	return sh.version >= version || !sh.stuck && sh.failures == 0 && sh.message != ""
}

// repost records that the surface is about to be posted anew, and returns a way to
// edit the message that shows it now. ok is false where that was done less than the
// pause ago, until the time that old says, unless the message is known to be gone.
func (p *painter) repost(s surface, pause time.Duration) (old sheet, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sh := p.sheet(s)
	old = *sh
	if !sh.gone && p.now().Before(sh.reposted.Add(pause)) {
		return old, false
	}
	// What is gone is posted once, too.
	sh.reposted, sh.posting, sh.gone = p.now(), true, false
	return old, true
}

// notReposted takes back what repost recorded: the new message did not come about.
func (p *painter) notReposted(s surface) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if sh := p.sheets[s]; sh != nil {
		sh.reposted, sh.posting = time.Time{}, false
	}
}

// touch draws the surface now, which tells whether its message is still there. While
// it is being posted anew there is nothing to ask.
func (p *painter) touch(ctx context.Context, s surface) {
	ctx, cancel := context.WithTimeout(ctx, touchTime)
	defer cancel()
	p.mu.Lock()
	sh := p.sheet(s)
	posting := sh.posting
	sh.forced = sh.forced || !posting
	p.mu.Unlock()
	for !posting {
		p.paint(ctx, s)
		p.mu.Lock()
		busy := p.sheet(s).busy // somebody else has taken it up
		p.mu.Unlock()
		if busy == nil {
			return
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return
		}
	}
}

// touchTime bounds what somebody waits for whom touch is asked.
const touchTime = time.Second

// want draws the surface unless what Discord has acknowledged is what is stored.
func (p *painter) want(s surface) { p.start(s, false) }

// force draws the surface in any case: times in it have changed.
func (p *painter) force(s surface) { p.start(s, true) }

func (p *painter) start(s surface, force bool) {
	if s == (surface{}) {
		return
	}
	p.mu.Lock()
	sh := p.sheet(s)
	sh.forced = sh.forced || force
	p.mu.Unlock()
	p.run(func(ctx context.Context) { p.paint(ctx, s) })
}

// paint draws until what stands there is what is stored. It looks first, waits for
// its turn among all messages, looks again and only then claims the surface: an
// answer to a click never waits for a look, nor for the redraws of other messages.
func (p *painter) paint(ctx context.Context, s surface) {
	for ctx.Err() == nil {
		pic, ok := p.look(ctx, s)
		if !ok {
			return
		}
		if _, needed := p.claim(s, pic, false); !needed || !p.paintInTurn(ctx, s) {
			return
		}
	}
}

// look returns what the surface should look like, if it is still there.
func (p *painter) look(ctx context.Context, s surface) (pic picture, ok bool) {
	pic, err := p.render(ctx, s)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		p.retry(s, err)
	}
	return pic, err == nil
}

// paintInTurn waits for a place among those that draw and draws the surface once. It
// reports whether to look again.
func (p *painter) paintInTurn(ctx context.Context, s surface) (again bool) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		p.retry(s, ctx.Err())
		return false
	}
	pic, ok := p.look(ctx, s)
	if !ok {
		return false
	}
	target, ok := p.claim(s, pic, true)
	if !ok {
		return false
	}
	var err error
	target.message, err = p.send(ctx, s, target, pic)
	done := p.arrived(s, target, pic, err)
	switch {
	case errors.Is(err, rest.ErrUnknownChannel), errors.Is(err, rest.ErrUnknownGuild):
		p.lost(ctx, pic, err)
	case err != nil && !outOfReach(err):
		p.retry(s, err)
	case err != nil:
		// The message is gone or out of reach; the next click or the command that
		// shows the board brings it back.
		p.log.Info("message left as it is", "channel", pic.channel, "error", err)
	}
	return err == nil || done
}

// claim reports whether a picture is needed, and takes the surface for it if it is
// to; target is where it goes. While one is on its way, its sender looks again.
func (p *painter) claim(s surface, pic picture, take bool) (target sheet, needed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sh := p.sheet(s)
	if sh.message == "" && sh.creating == nil {
		sh.message, sh.channel, sh.ephemeral = pic.message, pic.channel, pic.msg.ephemeral
		sh.version = max(sh.version, pic.drawn)
	}
	switch {
	case pic.skip, sh.message == "" && sh.token == "", sh.version >= pic.version && !sh.forced:
		return sheet{}, false
	case sh.busy != nil:
		sh.wanted = true
		return sheet{}, false
	case !take:
		return sheet{}, true
	}
	sh.busy = make(chan struct{})
	sh.forced, sh.wanted = false, false
	return *sh, true
}

// sendTime bounds an edit: one that hangs must not keep the clicks that came
// meanwhile from being shown, nor other messages from being drawn.
const sendTime = 5 * time.Second

func (p *painter) send(ctx context.Context, s surface, target sheet, pic picture) (message store.MessageID, err error) {
	defer func() {
		if v := recover(); v != nil { // the surface must be given back
			message, err = target.message, p.caught("redraw failed", v)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	return p.edit(ctx, s, target, pic.msg.edit())
}

// arrived records what became of a picture and gives the surface back. It reports
// whether somebody asked for another one meanwhile.
func (p *painter) arrived(s surface, target sheet, pic picture, err error) (again bool) {
	p.mu.Lock()
	sh := p.sheet(s)
	sh.release()
	again = sh.wanted
	sh.wanted = false
	known := err == nil || rest.Gone(err)
	sh.stuck = err != nil && outOfReach(err) && !known
	if sh.message == "" {
		sh.message = target.message
	}
	if errors.Is(err, rest.ErrUnknownMessage) && sh.message == target.message {
		sh.gone = true
	}
	if known && sh.message == target.message {
		sh.version, sh.failures = max(sh.version, pic.version), 0
	}
	p.mu.Unlock()
	if known {
		p.note(store.Note{Match: s.match, Challenge: s.challenge, Message: target.message, Drawn: pic.version})
	}
	return again
}

// outOfReach reports whether an edit failed in a way that another try would too.
func outOfReach(err error) bool {
	return rest.Gone(err) || rest.Forbidden(err) || errors.Is(err, errNoWay)
}

// errNoWay: nobody but a click can edit the message.
var errNoWay = errors.New("bot: no token that can edit the message")

// edit changes the message by the newest interaction token while it can live, and
// by the bot's own as soon as that is older or refused. It returns the message's id,
// which may not have been known before.
func (p *painter) edit(ctx context.Context, s surface, sh sheet, body json.RawMessage) (store.MessageID, error) {
	unknown := false
	if sh.token != "" && p.now().Sub(sh.tokenAt) < tokenLife {
		m, err := p.api.EditByToken(ctx, sh.token, sh.ref, body)
		if err == nil && sh.message == "" {
			sh.message = store.MessageID(m.ID)
		}
		status := 0
		if failed := (*rest.Error)(nil); errors.As(err, &failed) {
			status = failed.Status
		}
		dead := errors.Is(err, rest.ErrTokenDead) || status == http.StatusUnauthorized || status == http.StatusForbidden
		if dead {
			p.forget(s, sh.token)
		}
		unknown = errors.Is(err, rest.ErrUnknownMessage)
		other := dead || status == http.StatusNotFound
		failing := status >= http.StatusInternalServerError
		if !other && (!failing || sh.ephemeral || sh.message == "") {
			return sh.message, err
		}
	}
	if sh.ephemeral || sh.message == "" {
		return sh.message, errNoWay // the channel does not know such messages
	}
	_, err := p.api.EditMessage(ctx, string(sh.channel), string(sh.message), body)
	if unknown && rest.Forbidden(err) {
		err = rest.ErrUnknownMessage // whoever may not look does not know better
	}
	return sh.message, err
}

// forget drops a token that Discord has refused, so that it is refused only once:
// too many refusals, and Discord listens to nothing any more.
func (p *painter) forget(s surface, token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if sh := p.sheet(s); sh.token == token {
		sh.token, sh.ref = "", ""
	}
}

// retry draws again later, a few times.
func (p *painter) retry(s surface, err error) {
	p.mu.Lock()
	sh := p.sheet(s)
	n := sh.failures
	sh.failures++
	p.mu.Unlock()
	if n >= len(retryAfter) {
		p.log.Warn("message not redrawn", "error", err, "tries", n+1)
		return
	}
	p.log.Info("message not redrawn yet", "error", err, "retry_in", retryAfter[n])
	p.after(retryAfter[n], func() { p.force(s) })
}

// sweep forgets messages that nobody has touched for longer than any token lives.
func (p *painter) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s, sh := range p.sheets {
		if sh.busy == nil && p.now().Sub(sh.used) > 2*tokenLife {
			delete(p.sheets, s)
		}
	}
}

// snowflakeLess reports whether id a is older than b. Ids are decimal numbers of
// any length without leading zeros.
func snowflakeLess(a, b store.MessageID) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}
