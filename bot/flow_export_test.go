package bot_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// copied is the file that somebody gets, decoded.
type copied struct {
	name string
	text string
	json map[string]any
}

// rows returns the rows of a table.
func (c copied) rows(table string) (rows []map[string]any) {
	list, _ := c.json[table].([]any)
	for _, v := range list {
		rows = append(rows, v.(map[string]any))
	}
	return rows
}

// exportOf has the person ask for the copy of their data, and returns it when it has come.
func exportOf(t *testing.T, w *bottest.World, who *sandbox.User) copied {
	t.Helper()
	panel := preferencesOf(t, w, who, "data")
	m := w.Answer(t, who.Click(t, panel, "Export"))
	s := m.Wait(t, "the file", func(s sandbox.Snapshot) bool { return len(s.Attachments) > 0 })
	if !s.Ephemeral() || len(s.Attachments) != 1 {
		t.Fatalf("the file is not private, or not the only one: %+v", s)
	}
	attachment := s.Attachments[0].(map[string]any)
	file := w.Discord.World().File(attachment["id"].(string))
	if file == nil {
		t.Fatal("Discord does not keep the file")
	}
	c := copied{name: file.Name}
	content := io.Reader(bytes.NewReader(file.Body))
	if strings.HasSuffix(c.name, ".gz") {
		unzipped, err := gzip.NewReader(content)
		if err != nil {
			t.Fatal(err)
		}
		content = unzipped
	}
	text, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &c.json); err != nil {
		t.Fatalf("%s is no JSON: %v\n%s", c.name, err, text)
	}
	c.text = string(text)
	return c
}

// TestExport is a person's whole life, of which they get a copy: they play, block and are
// blocked, erase everything, and come back.
func TestExport(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]bottest.Option{"over the Gateway": nil, "by HTTP": {bottest.ByHTTP}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, append(options, bottest.ByClock(clock))...)
			over, eve := w.Finished(t), w.Discord.User("Eve")
			ada, bob, cleo := store.UserID(w.Ada.ID()), store.UserID(w.Bob.ID()), store.UserID(w.Cleo.ID())
			if err := w.Store.Apply(t.Context(), store.Change{
				Blocks: []store.Block{{User: cleo, From: ada}, {User: ada, From: store.UserID(eve.ID())}},
				People: []store.Person{{User: ada, Reminders: store.Off}},
				Tries:  []store.PuzzleTry{{User: ada, Day: 20000, State: store.PuzzleOpen}},
			}); err != nil {
				t.Fatal(err)
			}
			c := exportOf(t, w, w.Ada)
			if c.name != "tictactoe.json" || c.json["you"] != string(ada) {
				t.Errorf("%s begins with %v", c.name, c.json["you"])
			}
			results, err := w.Store.LastResults(t.Context(), ada, 9)
			if err != nil || len(results) != 1 {
				t.Fatal(results, err)
			}
			m, err := w.Store.Match(t.Context(), results[0].Match)
			if err != nil {
				t.Fatal(err)
			}
			games := c.rows("matches")
			if len(games) != 1 || games[0]["x_user"] != string(m.X.User) || games[0]["o_user"] != string(m.O.User) || games[0]["message"] != over.ID() || games[0]["winner"] != float64(m.Winner) {
				t.Errorf("games: %v, stored %+v", games, m)
			}
			var moves []any
			for _, cell := range m.Moves {
				moves = append(moves, float64(cell))
			}
			if got := games[0]["moves"].([]any); !slices.Equal(got, moves) {
				t.Errorf("moves %v, want %v", got, moves)
			}
			if rows := c.rows("results"); len(rows) != 1 || rows[0]["match"] != games[0]["id"] {
				t.Errorf("results: %v", rows)
			}
			if rows := c.rows("people"); len(rows) != 1 || rows[0]["reminders"] != float64(store.Off) {
				t.Errorf("settings: %v", rows)
			}
			if rows := c.rows("blocks"); len(rows) != 1 || rows[0]["from_user"] != eve.ID() {
				t.Errorf("blocks: %v", rows)
			}
			if rows := c.rows("puzzle_tries"); len(rows) != 1 || rows[0]["day"] != 20000.0 {
				t.Errorf("puzzles: %v", rows)
			}
			if rows := c.rows("pairs"); len(rows) != 1 || rows[0]["other"] != string(bob) {
				t.Errorf("opponents: %v", rows)
			}
			if strings.Contains(c.text, string(cleo)) {
				t.Errorf("it names who has blocked them:\n%s", c.text)
			}
			panel := preferencesOf(t, w, w.Ada, "data")
			w.Refused(t, w.Ada.Click(t, panel, "Export"), "You just got a copy.")
			exportOf(t, w, w.Bob) // each person for themselves

			eraseMe(t, w, w.Ada)
			clock.Advance(time.Minute)
			if c := exportOf(t, w, w.Ada); len(c.json) != 3 {
				t.Errorf("of somebody who was erased there is\n%s", c.text)
			}
			if c := exportOf(t, w, w.Bob); strings.Contains(c.text, string(ada)) || len(c.rows("matches")) != 1 {
				t.Errorf("the other one's copy names who was erased, or has no game:\n%s", c.text)
			}
			again := w.Play(t, w.Ada)
			w.Cell(t, w.Ada, again, "a1")
			clock.Advance(time.Minute)
			c = exportOf(t, w, w.Ada)
			if games := c.rows("matches"); len(games) != 1 || games[0]["message"] != again.ID() {
				t.Errorf("since they are back: %v", games)
			}
		})
	}
}

// TestExportPacked: what Discord would not take is packed, and what is too large even then
// is told in words.
func TestExportPacked(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]string{6000: "It's compressed with gzip", 500: "There's more data about you than fits"} {
		w := bottest.New(t, bottest.Bot(func(o *bot.Options) { o.ExportMost = most }))
		w.Finished(t)
		panel := preferencesOf(t, w, w.Ada, "data")
		m := w.Answer(t, w.Ada.Click(t, panel, "Export"))
		m.Wait(t, "the words", func(s sandbox.Snapshot) bool { return strings.Contains(s.Text(), want) })
		if most == 500 {
			continue
		}
		if c := exportOf(t, w, w.Bob); c.name != "tictactoe.json.gz" || len(c.rows("matches")) != 1 {
			t.Errorf("%s:\n%s", c.name, c.text)
		}
	}
}

// TestExportWhileErased: while somebody is being erased nothing is handed out, and what
// somebody else could see is no panel.
func TestExportWhileErased(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered, bottest.Bot(func(o *bot.Options) { o.Tick = time.Hour })) // nobody goes on with it
	board := w.Play(t, w.Ada)
	w.Refused(t, w.Ada.ClickID(t, board, "1:xe", sandbox.Forced), "out of date")
	panel := preferencesOf(t, w, w.Ada, "data")
	if err := w.Store.Apply(t.Context(), store.Change{
		Erasures: []store.Erasure{{User: store.UserID(w.Ada.ID()), Pseudonym: store.NewPseudonym()}},
	}); err != nil {
		t.Fatal(err)
	}
	w.Refused(t, w.Ada.Click(t, panel, "Export"), "is being deleted right now")
}

// keptBy is a store that tells of every page that is read for somebody's copy.
type keptBy struct {
	store.Store
	read func(store.UserID)
}

func (s *keptBy) Kept(ctx context.Context, user store.UserID, part int, after []any, limit int) ([][]any, error) {
	rows, err := s.Store.Kept(ctx, user, part, after, limit)
	s.read(user)
	return rows, err
}

// TestExportOfManyPages: what does not fit into one page is in the file all the same, once.
func TestExportOfManyPages(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	var c store.Change
	const days = 450
	for i := range days {
		c.Tries = append(c.Tries, store.PuzzleTry{User: store.UserID(w.Ada.ID()), Day: int64(19000 + i), State: store.PuzzleOpen})
	}
	if err := w.Store.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := map[any]bool{}
	rows := exportOf(t, w, w.Ada).rows("puzzle_tries")
	for _, row := range rows {
		found[row["day"]] = true
	}
	if len(rows) != days || len(found) != days {
		t.Errorf("%d rows of %d days, want %d", len(rows), len(found), days)
	}
}

// TestEraseWhileExporting: of somebody whose erasure begins while their file is made it is not
// handed out, since half of them may be gone.
func TestEraseWhileExporting(t *testing.T) {
	t.Parallel()
	var once sync.Once
	db := &keptBy{}
	w := bottest.New(t,
		bottest.Bot(func(o *bot.Options) { o.Tick = time.Hour }), // nobody goes on with it
		bottest.Behind(func(real store.Store) store.Store { db.Store = real; return db }))
	db.read = func(user store.UserID) {
		once.Do(func() {
			if err := db.Apply(context.Background(), store.Change{Erasures: []store.Erasure{{User: user, Pseudonym: store.NewPseudonym()}}}); err != nil {
				t.Error(err)
			}
		})
	}
	panel := preferencesOf(t, w, w.Ada, "data")
	m := w.Answer(t, w.Ada.Click(t, panel, "Export"))
	if s := m.Wait(t, "the words", func(s sandbox.Snapshot) bool { return strings.Contains(s.Text(), "couldn't make the file") }); len(s.Attachments) > 0 {
		t.Error("the file is handed out")
	}
}

// TestOneExportAtATime: while the file of one person is made that of another waits.
func TestOneExportAtATime(t *testing.T) {
	t.Parallel()
	db, goOn := &keptBy{}, make(chan struct{})
	var mu sync.Mutex
	var order []store.UserID
	w := bottest.New(t, bottest.Behind(func(real store.Store) store.Store { db.Store = real; return db }))
	ada := store.UserID(w.Ada.ID())
	db.read = func(user store.UserID) {
		mu.Lock()
		order = append(order, user)
		mu.Unlock()
		if user == ada {
			<-goOn
		}
	}
	var files []*sandbox.Message
	for _, who := range []*sandbox.User{w.Ada, w.Bob} {
		panel := preferencesOf(t, w, who, "data")
		files = append(files, w.Answer(t, who.Click(t, panel, "Export")))
		waittest.Until(t, "the first page", func() bool { mu.Lock(); defer mu.Unlock(); return len(order) > 0 })
	}
	w.Bystander(t)
	close(goOn)
	for _, m := range files {
		m.Wait(t, "the file", func(s sandbox.Snapshot) bool { return len(s.Attachments) > 0 })
	}
	if changes := len(slices.Compact(order)); changes != 2 {
		t.Errorf("the copies of two people went on by turns, %d times", changes)
	}
}

// TestExportFails: words say that the file could not be made, when Discord does not take it.
func TestExportFails(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Discord.Faults().RefuseNext(sandbox.RouteEditOriginal, 400, 50035)
	panel := preferencesOf(t, w, w.Ada, "data")
	m := w.Answer(t, w.Ada.Click(t, panel, "Export"))
	m.Wait(t, "the words", func(s sandbox.Snapshot) bool { return strings.Contains(s.Text(), "couldn't make the file") })
}
