package bot_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

const (
	notSaved = "I couldn't save that, so nothing was played."
	unknown  = "I don't know yet whether that was saved."
)

// lock keeps the world's database locked for writing, as another program does that
// has it open, until the function it returns is called.
func (w *faultWorld) lock() (release func()) {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file:"+w.path+"?_txlock=immediate&_pragma=busy_timeout(10000)")
	if err != nil {
		w.t.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		w.t.Fatal(err)
	}
	released := false
	release = func() {
		if released {
			return
		}
		released = true
		if err := tx.Rollback(); err != nil {
			w.t.Error(err)
		}
		if err := db.Close(); err != nil {
			w.t.Error(err)
		}
	}
	w.t.Cleanup(release)
	return release
}

// TestLockedDatabaseSavesNothingAndSaysSo: another program keeps the database locked
// for longer than the store waits. What people hear is certain, everything else
// that needs no write is answered, and it works again by itself.
func TestLockedDatabaseSavesNothingAndSaysSo(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, func(c *faultConfig) {
		c.sqlite = []sqlite.Option{sqlite.WithBusyTimeout(200 * time.Millisecond)}
	})
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	side := w.srv.Guild().Channel("side")
	open := w.answer(w.cleo.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.ada)))
	confirm := w.answer(w.ada.Click(t, m, "Resign"))
	release := w.lock()
	other := w.srv.Guild().Channel("other")
	for _, r := range []*sandbox.Reply{
		w.bob.ClickCell(t, m, 1, 1),
		w.bob.Click(t, m, "Cell names"),
		w.ada.Click(t, confirm, "Resign"),
		w.ada.Click(t, open, "Accept"),
		w.ada.Click(t, open, "Decline"),
		w.cleo.Command(t, other, "tictactoe play"),
		w.cleo.Command(t, other, "tictactoe play", sandbox.Opt("private", true)),
		w.cleo.Command(t, other, "tictactoe challenge"),
	} {
		if !r.Answered() || !strings.Contains(r.Text(), notSaved) || !r.Ephemeral {
			t.Errorf("%v: answered %v, private %v: %q", r.Call, r.Answered(), r.Ephemeral, r.Text())
		}
	}
	w.refused(w.cleo.ClickCell(t, m, 1, 1), "Want one of your own?") // refused without any write
	if got := w.position(); got != "X../.../..." {
		t.Errorf("stored is %s", got)
	}
	release()
	w.cells(m, w.bob, w.ada, "b2")
	w.shows(m, "X../.O./...")
	w.ada.Click(t, open, "Accept")
	wantText(t, open, "to move")
	if got := w.bot.Counts().Unsaved; got != 8 {
		t.Errorf("%d failures to save were counted, want 8", got)
	}
	w.general = other
	w.free()
}

// quietStore is the real store without what the bot writes by itself, so that what
// people do is the first to wait for a lock.
type quietStore struct{ *sqlite.Store }

func (quietStore) SaveUptime(context.Context, time.Duration) error   { return nil }
func (quietStore) Purge(context.Context, time.Time, time.Time) error { return nil }

// pendingWorld is a world whose store waits for a lock for longer than a handler
// has.
func pendingWorld(t *testing.T, busy time.Duration) *faultWorld {
	t.Helper()
	return newFaultWorld(t, func(c *faultConfig) {
		c.sqlite = []sqlite.Option{sqlite.WithBusyTimeout(busy)}
		c.store = func(db *sqlite.Store) bot.Store { return quietStore{db} }
		c.bot = func(o *bot.Options) { o.WorkTime = 600 * time.Millisecond }
	})
}

// heldUp locks the database and has somebody act whose change the store then has
// begun to commit: he is told that the outcome is not known. Where a write of the
// bot's own was first, the change has certainly not been begun, he is told that, and
// acts again.
func (w *faultWorld) heldUp(act func() *sandbox.Reply) (release func()) {
	w.t.Helper()
	for range 20 {
		release = w.lock()
		r := act()
		if !strings.Contains(r.Text(), notSaved) {
			w.refused(r, unknown)
			return release
		}
		release()
	}
	w.t.Fatal("other writes always came first")
	return nil
}

// TestPendingCommitIsNotCalledEither: the commit has not ended when somebody has to
// be told. He is told just that, and when it comes through the board is drawn from
// the store.
func TestPendingCommitIsNotCalledEither(t *testing.T) {
	t.Parallel()
	t.Run("a move", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, 10*time.Second)
		m := w.challenge(w.ada, w.bob)
		release := w.heldUp(func() *sandbox.Reply { return w.ada.ClickCell(t, m, 0, 0) })
		release()
		w.shows(m, "X../.../...")
		w.cells(m, w.bob, w.ada, "b2")
	})
	t.Run("a move that is not saved in the end", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, 1500*time.Millisecond)
		m := w.challenge(w.ada, w.bob)
		release := w.heldUp(func() *sandbox.Reply { return w.ada.ClickCell(t, m, 0, 0) })
		eventually(t, "the commit to fail", func() bool { s, err := w.db.Stats(t.Context()); return err == nil && s.FailedCommits > 0 })
		release()
		if got := grid(m.Snapshot()); got != ".../.../..." {
			t.Errorf("the board shows %s", got)
		}
		w.cells(m, w.ada, w.bob, "a1", "b2")
	})
	t.Run("an acceptance", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, 10*time.Second)
		m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
		release := w.heldUp(func() *sandbox.Reply { return w.bob.Click(t, m, "Accept") })
		release()
		wantText(t, m, "to move")
		w.cells(m, w.ada, w.bob, "a1", "b2")
	})
	t.Run("a refusal of a challenge", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, 10*time.Second)
		m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
		release := w.heldUp(func() *sandbox.Reply { return w.bob.Click(t, m, "Decline") })
		release()
		wantText(t, m, "can't play right now")
	})
	t.Run("a start", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, 10*time.Second)
		release := w.heldUp(func() *sandbox.Reply { return w.ada.Command(t, w.general, "tictactoe play") })
		release()
		eventually(t, "the match to be stored", func() bool { _, ok := w.activeMatch(); return ok })
		m := w.answer(w.ada.Command(t, w.general, "tictactoe board"))
		w.cell(w.ada, m, "a1")
	})
	t.Run("a resignation", func(t *testing.T) {
		t.Parallel()
		w := pendingWorld(t, 10*time.Second)
		m := w.challenge(w.ada, w.bob)
		ask := w.answer(w.ada.Click(t, m, "Resign"))
		release := w.heldUp(func() *sandbox.Reply { return w.ada.Click(t, ask, "Resign") })
		release()
		wantText(t, m, "resigned")
	})
}

// TestStoreThatCannotWrite: whatever keeps a change from being stored, people hear
// that nothing was played, the log says why, and it works again when the cause is
// gone.
func TestStoreThatCannotWrite(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{store.ErrReadOnly, store.ErrFull, store.ErrBusy, errors.New("sqlite: something new")} {
		t.Run(cause.Error(), func(t *testing.T) {
			broken := &brokenStore{}
			w := newFaultWorld(t, func(c *faultConfig) {
				c.store = func(db *sqlite.Store) bot.Store { broken.Store = db; return broken }
			})
			m := w.challenge(w.ada, w.bob)
			broken.fail(func(store.Change) error { return fmt.Errorf("sqlite: %w", cause) })
			w.refused(w.ada.ClickCell(t, m, 0, 0), notSaved)
			w.refused(w.cleo.Command(t, w.srv.Guild().Channel("side"), "tictactoe play"), notSaved)
			broken.fail(nil)
			w.cells(m, w.ada, w.bob, "a1")
			if !strings.Contains(w.log.String(), cause.Error()) {
				t.Error("the log does not say why")
			}
		})
	}
}

// TestStoreThatCannotRead: the record of a match cannot be read. Who would have changed
// it hears that nothing was played, since that is as certain as when it cannot be
// written; who only looks or asks hears of an incident; everything else goes on.
func TestStoreThatCannotRead(t *testing.T) {
	t.Parallel()
	broken := &brokenStore{}
	w := newFaultWorld(t, func(c *faultConfig) {
		c.store = func(db *sqlite.Store) bot.Store { broken.Store = db; return broken }
	})
	m := w.challenge(w.ada, w.bob)
	ask := w.answer(w.ada.Click(t, m, "Resign"))
	broken.unreadable.Store(true)
	w.refused(w.ada.ClickCell(t, m, 0, 0), notSaved)
	w.refused(w.ada.Click(t, m, "Cell names"), notSaved)
	w.refused(w.ada.Click(t, ask, "Resign"), notSaved)
	if got := w.bot.Counts().Unsaved; got != 3 {
		t.Errorf("%d failures to save were counted, want 3", got)
	}
	r := w.refused(w.ada.Click(t, m, "Resign"), "Something went wrong on my side.")
	number := incident(t, r.Text())
	if !strings.Contains(w.log.String(), number) {
		t.Errorf("incident %s is not in the log", number)
	}
	w.bystander()
	broken.unreadable.Store(false)
	w.cells(m, w.ada, w.bob, "a1")
}

// TestEffectThatCannotBeReadIsNotCalledUnsaved: the second delivery of a click finds
// that the first had its effect, and then cannot read what that was.
func TestEffectThatCannotBeReadIsNotCalledUnsaved(t *testing.T) {
	t.Parallel()
	broken := &brokenStore{}
	w := newFaultWorld(t, func(c *faultConfig) {
		c.store = func(db *sqlite.Store) bot.Store { broken.Store = db; return broken }
	})
	m := w.challenge(w.ada, w.bob)
	broken.fail(func(store.Change) error {
		broken.unreadable.Store(true)
		return store.ErrClaimed
	})
	w.refused(w.ada.ClickCell(t, m, 0, 0), unknown)
	broken.fail(nil)
	broken.unreadable.Store(false)
	w.cells(m, w.ada, w.bob, "a1")
}

// TestDatabaseFileTakenAway moves the files of the database away while the bot runs:
// no play is answered as if it were kept, and it works again when they are back.
func TestDatabaseFileTakenAway(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	files := func(from, to string) {
		t.Helper()
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if err := os.Rename(from+suffix, to+suffix); err != nil {
				t.Fatal(err)
			}
		}
	}
	files(w.path, w.path+".away")
	w.refused(w.bob.ClickCell(t, m, 1, 1), notSaved)
	w.refused(w.cleo.Command(t, w.srv.Guild().Channel("side"), "tictactoe play"), notSaved)
	if !strings.Contains(w.log.String(), w.path) {
		t.Error("the log does not say which file is gone")
	}
	files(w.path+".away", w.path)
	eventually(t, "a move to be saved", func() bool { return w.bob.ClickCell(t, m, 1, 1).Type == sandbox.CallbackUpdate })
	w.shows(m, "X../.O./...")
}

// TestDatabaseDamagedForAWhile overwrites the pages of the database while the bot runs
// and puts them back: meanwhile nothing is played, and afterwards it goes on by itself.
func TestDatabaseDamagedForAWhile(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	w.stop() // which moves all that is stored into the file
	w.start()
	content, err := os.ReadFile(w.path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	put := func(pages []byte) {
		t.Helper()
		f, err := os.OpenFile(w.path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteAt(pages, page)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	put(make([]byte, len(content)-page))
	w.refused(w.bob.ClickCell(t, m, 1, 1), notSaved)
	w.refused(w.cleo.Command(t, w.srv.Guild().Channel("side"), "tictactoe play"), notSaved)
	put(content[page:])
	eventually(t, "a move to be saved", func() bool { return w.bob.ClickCell(t, m, 1, 1).Type == sandbox.CallbackUpdate })
	w.shows(m, "X../.O./...")
	w.cells(m, w.ada, w.bob, "c3")
}

// incident returns the number of an incident that somebody is told.
func incident(t *testing.T, text string) string {
	t.Helper()
	_, number, ok := strings.Cut(text, "say ")
	if !ok || len(number) < 8 {
		t.Fatalf("no number in %q", text)
	}
	return number[:8]
}

// TestFullDisk fills the file system that the database is on until nothing fits any
// more, and then makes room.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t)
	w := newFaultWorldAt(t, filepath.Join(dir, "games.db"))
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	ballast := filepath.Join(dir, "ballast")
	fill(t, ballast)
	side := w.srv.Guild().Channel("side")
	// What the log of the database has room for may still be saved; then no more.
	full := false
	for range 200 {
		r := w.cleo.Command(t, side, "tictactoe play", sandbox.Opt("private", true))
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
	before := w.position()
	r := w.bob.ClickCell(t, m, 1, 1)
	if got, played := w.position(), r.Type == sandbox.CallbackUpdate; played != (got != before) {
		t.Errorf("answered %q, and %s became %s", r.Text(), before, got)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it to work again", func() bool {
		return !strings.Contains(w.cleo.Command(t, side, "tictactoe play", sandbox.Opt("private", true)).Text(), notSaved)
	})
	if w.position() == "X../.../..." {
		w.cells(m, w.bob, w.ada, "b2")
	}
	w.shows(m, "X../.O./...")
}

// smallDisk mounts a file system of one megabyte, where that is allowed.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", dir).CombinedOutput(); err != nil {
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

// newFaultWorldAt is a world with its database at that path.
func newFaultWorldAt(t *testing.T, path string) *faultWorld {
	t.Helper()
	return newFaultWorld(t, func(c *faultConfig) { c.path = path })
}

// brokenStore is the real store until it is told to fail.
type brokenStore struct {
	*sqlite.Store
	applying   failing
	unreadable flag
	timeless   flag // NextDeadline fails
}

func (s *brokenStore) fail(f func(store.Change) error) { s.applying.set(f) }

func (s *brokenStore) Apply(ctx context.Context, c store.Change) error {
	if f := s.applying.get(); f != nil {
		return f(c)
	}
	return s.Store.Apply(ctx, c)
}

func (s *brokenStore) Match(ctx context.Context, id store.MatchID) (store.Match, error) {
	if s.unreadable.Load() {
		return store.Match{}, fmt.Errorf("sqlite: %w", store.ErrDamaged)
	}
	return s.Store.Match(ctx, id)
}

func (s *brokenStore) NextDeadline(ctx context.Context) (time.Duration, bool, error) {
	if s.timeless.Load() {
		return 0, false, fmt.Errorf("sqlite: %w", store.ErrDamaged)
	}
	return s.Store.NextDeadline(ctx)
}

// TestFailingUptimeDoesNotFloodTheLog: while nothing can be read or saved, the lines
// about it are few among the looks.
func TestFailingUptimeDoesNotFloodTheLog(t *testing.T) {
	t.Parallel()
	broken := &brokenStore{}
	var looks counter
	w := newFaultWorld(t, func(c *faultConfig) {
		c.store = func(db *sqlite.Store) bot.Store { broken.Store = db; return broken }
		c.bot = func(o *bot.Options) {
			o.Tick = time.Millisecond
			o.Now = func() time.Time { looks.Add(1); return time.Now() }
		}
	})
	lines := func() int64 { return int64(strings.Count(w.log.String(), "up-time not saved")) }
	broken.timeless.Store(true)
	eventually(t, "a line", func() bool { return lines() > 0 })
	before := looks.Load()
	said := lines()
	eventually(t, "some more", func() bool { return lines() >= said+5 })
	// Each look asks for the time three times at most.
	if n := (looks.Load() - before) / 3; n < 5*10 {
		t.Errorf("5 lines in %d looks", n)
	}
}

// TestFailingDeadlinesDoNotFloodTheLog: while what falls due cannot be stored, the
// bot tries again without a line for every match at every look; when the cause is
// gone it goes on by itself.
func TestFailingDeadlinesDoNotFloodTheLog(t *testing.T) {
	t.Parallel()
	clock := newManualTime()
	broken := &brokenStore{}
	w := newFaultWorld(t, func(c *faultConfig) {
		c.store = func(db *sqlite.Store) bot.Store { broken.Store = db; return broken }
		c.bot = func(o *bot.Options) { o.Now, o.DefaultClock, o.Tick = clock.Now, time.Minute, time.Millisecond }
	})
	boards := make([]*sandbox.Message, 20)
	for i := range boards {
		w.elsewhere(fmt.Sprint("due-", i))
		boards[i] = w.play(w.ada)
	}
	var tries counter
	broken.fail(func(store.Change) error { tries.Add(1); return store.ErrFull })
	clock.advance(2 * time.Minute)
	lines := func() int { return strings.Count(w.log.String(), "level=ERROR") }
	eventually(t, "some looks", func() bool { return lines() >= 5 })
	if n, said := tries.Load(), int64(lines()); n > said+1 {
		t.Errorf("%d tries to store for %d failed looks, want one each", n, said)
	}
	broken.fail(nil)
	for _, m := range boards {
		wantText(t, m, "Closed: no move for 1 minute.")
	}
}
