package bot_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

const (
	notSaved = "I couldn't save that, so nothing has changed."
	unknown  = "I'm not sure yet whether that was saved."
)

// TestLockedDatabaseSavesNothingAndSaysSo: another program keeps the database locked
// for longer than the store waits. What people hear is certain, everything else
// that needs no write is answered, and it works again by itself.
func TestLockedDatabaseSavesNothingAndSaysSo(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.SQLite(sqlite.WithBusyTimeout(200*time.Millisecond)))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	side := w.Side("side")
	open := w.Answer(t, w.Cleo.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.Ada)))
	confirm := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
	release := bottest.Lock(t, w.Path)
	other := w.Side("other")
	for _, r := range []*sandbox.Reply{
		w.Bob.ClickCell(t, m, 1, 1),
		w.Ada.Click(t, confirm, "Resign"),
		w.Ada.Click(t, open, "Accept"),
		w.Ada.Click(t, open, "Decline"),
		w.Cleo.Command(t, other, "tictactoe play"),
		w.Cleo.Command(t, other, "tictactoe play", sandbox.Opt("private", true)),
		w.Cleo.Command(t, other, "tictactoe challenge"),
	} {
		if !r.Answered() || !strings.Contains(r.Text(), notSaved) || !r.Ephemeral {
			t.Errorf("%v: answered %v, private %v: %q", r.Call, r.Answered(), r.Ephemeral, r.Text())
		}
	}
	w.Refused(t, w.Cleo.ClickCell(t, m, 1, 1), "Want one of your own?") // refused without any write
	if got := w.Position(t); got != "X../.../..." {
		t.Errorf("stored is %s", got)
	}
	release()
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Shows(t, m, "X../.O./...")
	w.Ada.Click(t, open, "Accept")
	bottest.WantText(t, open, "your move")
	if got := w.Service.Counts().Unsaved; got != 7 {
		t.Errorf("%d failures to save were counted, want 7", got)
	}
	w.Channel = other
	w.Free(t)
}

// quietStore is the real store without what the bot writes by itself, so that what
// people do is the first to wait for a lock.
type quietStore struct{ store.Store }

func (quietStore) Seen(context.Context, time.Time, time.Time) error { return nil }
func (s quietStore) Lease(ctx context.Context, _ store.Wanted, _ store.Uptimes) (store.Leases, error) {
	up, err := s.Uptime(ctx)
	return store.Leases{Owned: store.AllDomains, Uptimes: up}, err
}

func (quietStore) Purge(context.Context, time.Time, time.Time, int) (int, error) {
	return 0, nil
}

// pendingWorld is a world whose store waits for a lock for longer than a hurried handler
// has.
func pendingWorld(t *testing.T, busy time.Duration) *bottest.World {
	t.Helper()
	return bottest.New(t,
		bottest.SQLite(sqlite.WithBusyTimeout(busy)),
		bottest.Behind(func(real store.Store) store.Store { return quietStore{real} }))
}

// hurried starts the bot again with other limits. What comes before has the time that a
// busy machine needs.
func hurried(t *testing.T, w *bottest.World, limits func(*bot.Options)) {
	t.Helper()
	w.Configure(func(o *service.Options) { limits(&o.Bot) })
	w.Restart(t)
}

// little is so little time for handlers that a commit which is held up has not ended.
func little(o *bot.Options) { o.WorkTime = waittest.Limit(600 * time.Millisecond) }

// heldUp hurries the bot, locks the database and has somebody act whose change the store then has
// begun to commit: they are told that the outcome is not known. Where a write of the
// bot's own was first, the change has certainly not been begun, they are told that,
// and act again.
func heldUp(t *testing.T, w *bottest.World, act func() *sandbox.Reply) (release func()) {
	t.Helper()
	hurried(t, w, little)
	release, _ = heldUpReply(t, w, act)
	return release
}

func heldUpReply(t *testing.T, w *bottest.World, act func() *sandbox.Reply) (release func(), told *sandbox.Reply) {
	t.Helper()
	for range 20 {
		release = bottest.Lock(t, w.Path)
		r := act()
		if !strings.Contains(r.Text(), notSaved) {
			w.Refused(t, r, unknown)
			return release, r
		}
		release()
	}
	t.Fatal("other writes always came first")
	return nil, nil
}

// TestPendingCommitIsToldAfterTwoSeconds: production's own limits. A commit gets two
// seconds; what has not ended by then is told while Discord still takes an answer.
func TestPendingCommitIsToldAfterTwoSeconds(t *testing.T) {
	t.Parallel()
	w := bottest.New(t,
		bottest.SQLite(sqlite.WithBusyTimeout(waittest.Limit(10*time.Second))),
		bottest.Behind(func(real store.Store) store.Store { return quietStore{real} }))
	m := w.Challenge(t, w.Ada, w.Bob)
	hurried(t, w, func(o *bot.Options) { o.WorkTime, o.AnswerTime = 0, 0 })
	release, told := heldUpReply(t, w, func() *sandbox.Reply { return w.Ada.ClickCell(t, m, 0, 0) })
	if got, most := told.Latency, 2*time.Second+waittest.Limit(500*time.Millisecond); got < 1900*time.Millisecond || got > most {
		t.Errorf("told after %v, want some two seconds", got)
	}
	release()
	w.Shows(t, m, "X../.../...")
}

// TestPendingCommitIsNotCalledEither: the commit has not ended when somebody has to
// be told. He is told just that, and when it comes through the board is drawn from
// the store.
func TestPendingCommitIsNotCalledEither(t *testing.T) {
	t.Parallel()
	t.Run("a move", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, waittest.Limit(10*time.Second))
		m := w.Challenge(t, w.Ada, w.Bob)
		release := heldUp(t, w, func() *sandbox.Reply { return w.Ada.ClickCell(t, m, 0, 0) })
		release()
		w.Shows(t, m, "X../.../...")
		w.Cells(t, m, w.Bob, w.Ada, "b2")
	})
	t.Run("a move that is not saved in the end", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, waittest.Limit(1500*time.Millisecond))
		m := w.Challenge(t, w.Ada, w.Bob)
		release := heldUp(t, w, func() *sandbox.Reply { return w.Ada.ClickCell(t, m, 0, 0) })
		if err := w.Store.Check(t.Context()); !errors.Is(err, store.ErrBusy) { // whose turn comes when the commit has failed
			t.Fatalf("Check while the database is locked = %v, want %v", err, store.ErrBusy)
		}
		release()
		if got := bottest.Grid(m.Snapshot()); got != ".../.../..." {
			t.Errorf("the board shows %s", got)
		}
		w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
	})
	t.Run("an acceptance", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, waittest.Limit(10*time.Second))
		m := w.Offer(t, w.Ada, w.Bob)
		release := heldUp(t, w, func() *sandbox.Reply { return w.Bob.Click(t, m, "Accept") })
		release()
		bottest.WantText(t, m, "your move")
		w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
	})
	t.Run("a refusal of a challenge", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, waittest.Limit(10*time.Second))
		m := w.Offer(t, w.Ada, w.Bob)
		release := heldUp(t, w, func() *sandbox.Reply { return w.Bob.Click(t, m, "Decline") })
		release()
		bottest.WantText(t, m, "can't play right now")
	})
	t.Run("a start", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, waittest.Limit(10*time.Second))
		release := heldUp(t, w, func() *sandbox.Reply { return w.Ada.Command(t, w.Channel, "tictactoe play") })
		release()
		waittest.Until(t, "the match to be stored", func() bool { _, ok := w.Active(t); return ok })
		m := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
		w.Cell(t, w.Ada, m, "a1")
	})
	t.Run("a resignation", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, waittest.Limit(10*time.Second))
		m := w.Challenge(t, w.Ada, w.Bob)
		ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
		release := heldUp(t, w, func() *sandbox.Reply { return w.Ada.Click(t, ask, "Resign") })
		release()
		bottest.WantText(t, m, "resigned")
	})
}

// TestStoreThatCannotWrite: whatever keeps a change from being stored, people hear
// that nothing was played, the log says why, and it works again when the cause is
// gone.
func TestStoreThatCannotWrite(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{store.ErrReadOnly, store.ErrFull, store.ErrBusy, errors.New("sqlite: something new")} {
		t.Run(cause.Error(), func(t *testing.T) {
			broken := &bottest.Failing{}
			w := bottest.New(t, broken.Between())
			m := w.Challenge(t, w.Ada, w.Bob)
			broken.Fail(func(store.Change) error { return fmt.Errorf("sqlite: %w", cause) })
			w.Refused(t, w.Ada.ClickCell(t, m, 0, 0), notSaved)
			w.Refused(t, w.Cleo.Command(t, w.Side("side"), "tictactoe play"), notSaved)
			broken.Fail(nil)
			w.Cells(t, m, w.Ada, w.Bob, "a1")
			if !strings.Contains(w.Log.String(), cause.Error()) {
				t.Error("the log does not say why")
			}
		})
	}
}

// unreadable is a store that cannot read when it is told so.
type unreadable struct {
	bottest.Failing
	matches, deadlines atomic.Bool // what cannot be read
}

func (u *unreadable) Between() bottest.Option {
	return bottest.Behind(func(real store.Store) store.Store { u.Store = real; return u })
}

func (u *unreadable) Match(ctx context.Context, id store.MatchID) (store.Match, error) {
	if u.matches.Load() {
		return store.Match{}, fmt.Errorf("sqlite: %w", store.ErrDamaged)
	}
	return u.Failing.Match(ctx, id)
}

func (u *unreadable) NextDeadlines(ctx context.Context) (store.Uptimes, error) {
	if u.deadlines.Load() {
		return store.Uptimes{}, fmt.Errorf("sqlite: %w", store.ErrDamaged)
	}
	return u.Failing.NextDeadlines(ctx)
}

// TestStoreThatCannotRead: the record of a match cannot be read. Who would have changed
// it hears that nothing was played, since that is as certain as when it cannot be
// written; who only looks or asks hears of an incident; everything else goes on.
func TestStoreThatCannotRead(t *testing.T) {
	t.Parallel()
	broken := &unreadable{}
	w := bottest.New(t, broken.Between())
	m := w.Challenge(t, w.Ada, w.Bob)
	ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
	broken.matches.Store(true)
	w.Refused(t, w.Ada.ClickCell(t, m, 0, 0), notSaved)
	w.Refused(t, w.Ada.Click(t, ask, "Resign"), notSaved)
	if got := w.Service.Counts().Unsaved; got != 2 {
		t.Errorf("%d failures to save were counted, want 2", got)
	}
	r := w.Refused(t, w.Ada.Click(t, m, "⋯ More"), "Something went wrong on my side.")
	number := incident(t, r.Text())
	if !strings.Contains(w.Log.String(), number) {
		t.Errorf("incident %s is not in the log", number)
	}
	w.Bystander(t)
	broken.matches.Store(false)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
}

// TestEffectThatCannotBeReadIsNotCalledUnsaved: the second delivery of a click finds
// that the first had its effect, and then cannot read what that was.
func TestEffectThatCannotBeReadIsNotCalledUnsaved(t *testing.T) {
	t.Parallel()
	broken := &unreadable{}
	w := bottest.New(t, broken.Between())
	m := w.Challenge(t, w.Ada, w.Bob)
	broken.Fail(func(store.Change) error {
		broken.matches.Store(true)
		return store.ErrClaimed
	})
	w.Refused(t, w.Ada.ClickCell(t, m, 0, 0), unknown)
	broken.Fail(nil)
	broken.matches.Store(false)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
}

// TestDatabaseFileTakenAway moves the files of the database away while the bot runs:
// no play is answered as if it were kept, and the bot ends with a sentence that says
// which file is gone.
func TestDatabaseFileTakenAway(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Discord.AllowUnanswered() // the bot ends while people play
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(w.Path+suffix, w.Path+".away"+suffix); err != nil {
			t.Fatal(err)
		}
	}
	endsUnsaved(t, w, w.Bob.StartClickCell(t, m, 1, 1))
	if text := w.Reason().Error(); !strings.Contains(text, w.Path) {
		t.Errorf("it ends with %q, which does not say which file is gone", text)
	}
}

// endsUnsaved wants the bot to end, and somebody to hear that nothing was saved. What the
// bot writes by itself may come first: then it has ended, and answers nobody.
func endsUnsaved(t *testing.T, w *bottest.World, c *sandbox.Call) {
	t.Helper()
	c.AllowUnanswered()
	waittest.Until(t, "the bot to end", func() bool { return w.Reason() != nil })
	if r := c.Reply(); r.Acks > 0 {
		w.Refused(t, r, notSaved)
	}
}

// incident returns the number of an incident that somebody is told.
func incident(t *testing.T, text string) string {
	t.Helper()
	_, number, ok := strings.Cut(text, "code: ")
	if !ok || len(number) < 8 {
		t.Fatalf("no number in %q", text)
	}
	return number[:8]
}

// TestFullDisk fills the file system that the database is on until nothing fits any
// more, and then makes room.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := smallDisk(t)
	w := bottest.New(t, bottest.DatabaseAt(filepath.Join(dir, "games.db")))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	ballast := filepath.Join(dir, "ballast")
	fill(t, ballast)
	side := w.Side("side")
	// What the log of the database has room for may still be saved; then no more.
	full := false
	for range 200 {
		r := w.Cleo.Command(t, side, "tictactoe play", sandbox.Opt("private", true))
		if !r.Answered() {
			t.Fatalf("not answered: %v", r.Problems)
		}
		if full = strings.Contains(r.Text(), notSaved); full {
			break
		}
	}
	if !full {
		t.Fatal("the disk never was full")
	}
	before := w.Position(t)
	r := w.Bob.ClickCell(t, m, 1, 1)
	if got, played := w.Position(t), r.Type == sandbox.CallbackUpdate; played != (got != before) {
		t.Errorf("answered %q, and %s became %s", r.Text(), before, got)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "it to work again", func() bool {
		return !strings.Contains(w.Cleo.Command(t, side, "tictactoe play", sandbox.Opt("private", true)).Text(), notSaved)
	})
	if w.Position(t) == "X../.../..." {
		w.Cells(t, m, w.Bob, w.Ada, "b2")
	}
	w.Shows(t, m, "X../.O./...")
}

// smallDisk mounts a file system of three megabytes, where that is allowed.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here, so that none can be full: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return dir
}

// fill writes the file until the disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestFailingUptimeDoesNotFloodTheLog: while nothing can be read or saved, a
// line about it is said after a pause, not at every look.
func TestFailingUptimeDoesNotFloodTheLog(t *testing.T) {
	t.Parallel()
	broken := &unreadable{}
	start, readings := time.Now(), atomic.Int64{}
	w := bottest.New(t, broken.Between(), bottest.Bot(func(o *bot.Options) {
		o.Tick = time.Millisecond
		// Time passes by being read, so that a busy machine makes a pause no shorter.
		o.Now = func() time.Time { return start.Add(time.Duration(readings.Add(1)) * o.Tick / 10) }
	}))
	lines := func() int64 { return w.Log.Lines(slog.LevelError) }
	broken.deadlines.Store(true)
	waittest.Until(t, "a line", func() bool { return lines() > 0 })
	said, before := lines(), readings.Load()
	waittest.Until(t, "many looks", func() bool { return readings.Load() >= before+4000 })
	// A pause is twenty ticks, which are two hundred readings. Without it there is a line at
	// every look, which reads the clock three times.
	if more, n := lines()-said, readings.Load()-before; more > n/50 {
		t.Errorf("%d lines in %d readings of the clock", more, n)
	}
}

// TestFailingDeadlinesDoNotFloodTheLog: while what falls due cannot be stored, the
// bot tries again without a line for every match at every look; when the cause is
// gone it goes on by itself.
func TestFailingDeadlinesDoNotFloodTheLog(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	broken := &bottest.Failing{}
	w := bottest.New(t, broken.Between(), bottest.ByClock(clock), bottest.TimeLimit(time.Minute), bottest.Bot(func(o *bot.Options) { o.Tick = time.Millisecond }))
	boards := make([]*sandbox.Message, 20)
	for i := range boards {
		w.Elsewhere(fmt.Sprint("due-", i))
		boards[i] = w.Play(t, w.Ada)
	}
	var tries atomic.Int64
	broken.Fail(func(store.Change) error { tries.Add(1); return store.ErrFull })
	clock.Advance(2 * time.Minute)
	lines := func() int64 { return w.Log.Lines(slog.LevelError) }
	waittest.Until(t, "some looks", func() bool {
		clock.Advance(5 * time.Millisecond) // a pause between looks is one of 20 ticks
		return lines() >= 5
	})
	if n, said := tries.Load(), lines(); n > said+1 {
		t.Errorf("%d tries to store for %d failed looks, want one each", n, said)
	}
	broken.Fail(nil)
	clock.Advance(time.Second)
	for _, m := range boards {
		bottest.WantText(t, m, "Closed after 1 minute without a move.")
	}
}
