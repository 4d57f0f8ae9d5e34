package tracker

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// Ref names a record that has a message: a match or a challenge. The zero value names
// none.
type Ref struct {
	Match     store.MatchID
	Challenge store.ChallengeID
}

// API is how messages are edited. *rest.Client is the one that does it.
type API interface {
	EditByToken(ctx context.Context, token, messageID string, body any) (*rest.Message, error)
	EditMessage(ctx context.Context, channelID, messageID string, body any) (*rest.Message, error)
}

// Records is where records are read, and where is kept what Discord shows of them.
type Records interface {
	// Stored returns the version of a record, and where the store knows which one to be
	// shown. It is asked before anything is rendered.
	Stored(ctx context.Context, r Ref) (store.Shown, error)
	// Render returns what the message of a record should look like.
	Render(ctx context.Context, r Ref) (Rendering, error)
	// Delivered takes note that the message shows a version, 0 for one that is not
	// known. first says that the message was not known before.
	Delivered(r Ref, message store.MessageID, version int, first bool)
	// Unreachable is told that the channel or the guild of a message is gone, or that it
	// cannot be edited there. It reports whether another try is worth it.
	Unreachable(ctx context.Context, shown Rendering, err error) (again bool)
}

// Rendering is what the message of a record should look like, and what the store
// knows of that message.
type Rendering struct {
	Message   discord.Message
	Version   int
	Copy      // the message, where it stands
	Guild     store.GuildID
	Parent    store.ChannelID // of a thread, its channel
	Delivered int             // the version that is known to be shown there
	Timed     bool            // it names times, which move while the bot is not connected
	Done      bool            // the message belongs to another record now
}

// Options are what a Tracker works with. All of them are needed.
type Options struct {
	API     API
	Records Records
	Log     *slog.Logger
	Now     func() time.Time
	After   func(d time.Duration, f func())
	// SendTime bounds one edit.
	SendTime time.Duration
	// AnswerTime is how long Discord waits for the first answer. What an answer waits
	// for here is a share of it.
	AnswerTime time.Duration
	// Run runs f in the background, with a time limit.
	Run func(f func(ctx context.Context))
	// Caught makes an error of a panic that was recovered from.
	Caught func(what string, panicked any) error
}

// Tracker keeps messages in step with records. Its methods may be called
// concurrently.
type Tracker struct {
	Options
	slots chan struct{} // bounds how many messages are edited at once

	undrawn, left, begun, done atomic.Int64

	mu       sync.Mutex
	messages map[Ref]*message

	looks sync.Map // of *Showing, that are due later
}

// New returns a tracker that knows of no message yet.
func New(o Options) *Tracker {
	return &Tracker{Options: o, slots: make(chan struct{}, 8), messages: map[Ref]*message{}}
}

// Counts returns how many messages were not redrawn although that was tried as often as
// it is tried, and how many Discord does not let the app edit. A click on either makes
// it good.
func (t *Tracker) Counts() (undrawn, left int64) { return t.undrawn.Load(), t.left.Load() }

// Redraws returns how many edits were sent to redraw messages, and how many of those
// Discord took.
func (t *Tracker) Redraws() (begun, done int64) { return t.begun.Load(), t.done.Load() }

// Busy reports whether as many messages are being redrawn as may be at once, so that others
// wait for their turn.
func (t *Tracker) Busy() bool { return len(t.slots) == cap(t.slots) }

// message is what is known of the message of a record.
type message struct {
	Copy
	version int // the highest one that Discord has acknowledged

	sending  chan struct{} // closed when what is on its way has arrived; nil when nothing is
	sends    int           // the version that was sent last, for which its sender cares
	seen     func()        // to be called when that is seen; nil if nobody wants to know
	step     int           // of that picture
	on       store.MessageID
	creating chan struct{} // closed when Discord has answered the creation; nil when it has
	again    bool          // somebody wants another edit to follow
	forced   bool          // even if the version is the same
	times    bool          // likewise, if it names times: they have moved
	shownAt  time.Time     // when what it shows was made
	failures int           // of edits; while there are any a click draws
	reposted time.Time
	posting  bool // the record is being posted anew
	gone     bool // Discord has said that the message is no more
	used     time.Time
}

// Copy is one message that shows a record, and the ways to edit it.
type Copy struct {
	Channel store.ChannelID
	ID      store.MessageID // empty while unknown
	// TokenOnly says that nobody but the holder of an interaction token can edit it:
	// the channel does not know ephemeral messages, and where the bot is no member all of
	// the channel is closed to it.
	TokenOnly bool

	token     string // newest one whose first answer made or edited the message
	tokenName string // how that token names the message
	tokenAt   time.Time
}

const (
	// TokenLife is how long after an interaction its token is used to edit. Discord
	// takes it for 15 minutes; the rest is for clocks and the way.
	TokenLife = 14*time.Minute + 30*time.Second
	// shortWait is how long of that time an answer waits for an edit of the same message that is
	// on its way, or for a message that is being made to get its id.
	shortWait = 400 * time.Millisecond
	// originalMessage names the message of an interaction's first answer.
	originalMessage = "@original"
)

// of returns what is known of the message of a record. The tracker is locked.
func (t *Tracker) of(r Ref) *message {
	m := t.messages[r]
	if m == nil {
		m = &message{}
		t.messages[r] = m
	}
	m.used = t.Now()
	return m
}

// with has f look at what is known of the message of a record, or change it, while nobody else
// does.
func (t *Tracker) with(r Ref, f func(m *message)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(t.of(r))
}

// Where returns the newest message that shows the record, as far as anybody knows.
// stored is what the store says. While the message is being made Where waits a
// moment for Discord to name it.
func (t *Tracker) Where(r Ref, stored store.MessageID) store.MessageID {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.messages[r]
	if m == nil {
		return stored
	}
	creating := m.creating
	if creating != nil {
		t.mu.Unlock()
		tasks.Within(creating, discord.Share(shortWait, t.AnswerTime))
		t.mu.Lock()
	}
	if m.ID == "" || creating == nil && m.isBehind(stored) {
		return stored
	}
	return m.ID
}

// Known notes which message the store knows to show the record, in which version. It is of
// use where another process has posted a newer one than this one knows.
func (t *Tracker) Known(r Ref, c Copy, drawn int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := t.messages[r]; m != nil {
		m.learnOf(c, drawn)
	}
}

// isBehind reports whether the message that the store knows is newer than this one. The
// tracker is locked.
func (m *message) isBehind(stored store.MessageID) bool {
	return m.ID != "" && stored != "" && m.creating == nil && m.sending == nil && discord.Older(m.ID, stored)
}

// learnOf goes over to the message that the store knows, if that is newer. The tracker is
// locked.
func (m *message) learnOf(c Copy, drawn int) {
	if m.isBehind(c.ID) {
		m.Copy, m.version = c, drawn
		m.failures, m.gone = 0, false
	}
}

// UpToDate reports whether the message shows the version, or somebody is seeing to
// that. It is false where a click does better: edits did not get through, Discord
// never named the message, or an earlier process left it behind; with shared, another process
// may have stored the version and died. clicked is the message that somebody sees, delivered
// what the store knows to be shown.
func (t *Tracker) UpToDate(r Ref, clicked store.MessageID, version, delivered int, shared bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.messages[r]
	switch {
	case m == nil:
		return delivered >= version
	case clicked != "" && m.ID != "" && discord.Older(m.ID, clicked):
		return false // a newer copy, of which Discord has not told
	}
	return m.version >= version || m.failures == 0 && m.ID != "" && (!shared || m.sends >= version)
}

// Same notes that a record was stored in a later version whose picture is that of the
// version before, as the store knows it to be shown: whoever shows that one shows this
// one. It reports false where that one is not known to be shown: then a redraw is due.
func (t *Tracker) Same(r Ref, version, delivered int) bool {
	t.mu.Lock()
	m := t.messages[r]
	if m != nil && m.ID != "" {
		delivered = m.version
	}
	same := delivered == version-1 && (m == nil || m.sending == nil && m.creating == nil)
	if same && m != nil && m.ID != "" {
		m.version = version
	}
	t.mu.Unlock()
	if same {
		t.Records.Delivered(r, "", version, false)
	}
	return same
}

// Token returns the newest interaction token that showed the record, empty when there is
// none that lives.
func (t *Tracker) Token(r Ref) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := t.messages[r]; m != nil && t.Now().Sub(m.tokenAt) < TokenLife {
		return m.token
	}
	return ""
}

// keptMost is how many messages are remembered behind a Sweep. Of the rest the store
// knows where they stand, and the app edits them by its own right.
const keptMost = 10_000

// Sweep forgets messages that nobody has touched for longer than any token lives, and
// of more than keptMost those that nobody has touched for longest: what is remembered
// does not grow with how much is played.
func (t *Tracker) Sweep() {
	t.mu.Lock()
	defer t.mu.Unlock()
	idle := make([]Ref, 0, len(t.messages))
	for r, m := range t.messages {
		switch {
		case m.sending != nil || m.creating != nil:
		case t.Now().Sub(m.used) > 2*TokenLife:
			delete(t.messages, r)
		default:
			idle = append(idle, r)
		}
	}
	tooMany := min(len(t.messages)-keptMost, len(idle))
	if tooMany <= 0 {
		return
	}
	slices.SortFunc(idle, func(a, b Ref) int { return t.messages[a].used.Compare(t.messages[b].used) })
	for _, r := range idle[:tooMany] {
		delete(t.messages, r)
	}
}
