package bot_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/customid"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/store"
)

// recorded is what an older version left that was driven through games and challenges of all
// kinds and stopped: its database, and its messages on Discord.
type recorded struct {
	schema  int
	left    time.Time     // when it was stopped
	up      time.Duration // its up-time by then
	private int           // how many buttons are on messages that one person sees
	actions []customid.Action
}

var (
	schema1 = recorded{
		1, time.Date(2026, 3, 2, 18, 0, 4, 0, time.UTC), 3205355124, 9,
		[]customid.Action{
			customid.CellAtPly, customid.CellNames, customid.Resign, customid.Rematch, customid.PlayWinner, customid.Harder,
			customid.Accept, customid.Decline, customid.Cancel,
		},
	}
	schema30 = recorded{
		30, time.Date(2026, 11, 26, 15, 21, 48, 0, time.UTC), 30654662533, 0,
		[]customid.Action{
			customid.Cell, customid.CellNames, customid.Resign, customid.Rematch,
			customid.Accept, customid.Decline, customid.Cancel,
		},
	}
)

func (r recorded) discord() string { return fmt.Sprintf("testdata/schema%d/discord.json", r.schema) }

// database makes the file anew, with more statements, and returns its path.
func (r recorded) database(t *testing.T, more ...string) string {
	t.Helper()
	dump, err := os.ReadFile(fmt.Sprintf("../store/sqlite/testdata/schema%d.sql", r.schema))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "games.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append([]string{string(dump)}, more...) {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// upgraded starts the bot on what the older version has left, a minute later.
func (r recorded) upgraded(t *testing.T, options ...bottest.Option) *bottest.World {
	t.Helper()
	discord := shiftedClock{clock.Real, time.Until(r.left.Add(time.Minute))}
	return bottest.New(t, append([]bottest.Option{
		bottest.DatabaseAt(r.database(t)), bottest.SavedDiscord(r.discord()),
		bottest.Discord(func(o *sandbox.Options) { o.World.Clock = discord }),
		bottest.Bot(func(o *bot.Options) { o.Now = discord.Now }),
		bottest.TimeLimit(10 * time.Minute),
	}, options...)...)
}

// ofEach runs a test for each recording.
func ofEach(t *testing.T, test func(t *testing.T, r recorded)) {
	for _, r := range []recorded{schema1, schema30} {
		t.Run(fmt.Sprintf("schema %d", r.schema), func(t *testing.T) {
			t.Parallel()
			test(t, r)
		})
	}
}

// undrawn keeps boards as they are until somebody clicks on them.
var undrawn = bottest.Bot(func(o *bot.Options) { o.RedrawPause = time.Hour })

// allMessages returns every message that is there.
func allMessages(w *bottest.World) (all []*sandbox.Message) {
	for _, ch := range w.Discord.Guild().Channels() {
		all = append(all, ch.Messages(nil)...)
	}
	for _, u := range w.Discord.World().Users() {
		all = append(all, u.DM().Messages(nil)...)
	}
	return all
}

// at moves the scene to a channel, and returns its last message.
func at(t *testing.T, w *bottest.World, ch *sandbox.Channel) *sandbox.Message {
	t.Helper()
	w.Channel = ch
	m := ch.LastMessage(nil)
	if m == nil {
		t.Fatalf("there is no message in %s", ch.Name())
	}
	return m
}

// newForm fails the test unless the message has cells, all with IDs that stay.
func newForm(t *testing.T, m *sandbox.Message) {
	t.Helper()
	cells := 0
	for _, row := range m.Snapshot().Rows() {
		for _, b := range row {
			id, err := customid.Parse(b.CustomID)
			if id.Action == customid.Cell && err == nil {
				cells++
			} else if bottest.IsCell(b.CustomID) {
				t.Errorf("%s: %q is of the form before", m.Channel().Name(), b.CustomID)
			}
		}
	}
	if cells == 0 && !bottest.Over(m.Snapshot()) {
		t.Errorf("%s: there is no board of the new form: %s", m.Channel().Name(), m.Text())
	}
}

// TestBoardsOfTheVersionBeforeGoOn clicks on each kind of message as the version before
// has drawn it. Discord refuses what a message does not have: none of these is refused.
func TestBoardsOfTheVersionBeforeGoOn(t *testing.T) {
	t.Parallel()
	ofEach(t, boardsGoOn)
}

func boardsGoOn(t *testing.T, r recorded) {
	w := r.upgraded(t, undrawn)
	side := w.Side

	m := at(t, w, side("running"))
	w.Refused(t, w.Cell(t, w.Ada, m, "a2"), "turn")
	w.Cells(t, m, w.Bob, w.Ada, "a2", "c1")
	w.Shows(t, m, "X.X/OO./..X")
	newForm(t, m)
	w.Cells(t, m, w.Bob, w.Ada, "c2")
	bottest.WantText(t, m, "wins")

	m = at(t, w, side("against-bot"))
	w.Cell(t, w.Ada, m, "b1")
	w.Settled(t, m, 5)
	newForm(t, m)

	m = at(t, w, side("big"))
	w.Cell(t, w.Bob, m, "d4")
	w.Settled(t, m, 21)
	newForm(t, m)

	m = at(t, w, side("finished"))
	w.Cleo.Click(t, m, "Rematch")
	newForm(t, m)
	w.Bob.Click(t, m, "Yes, rematch")
	w.Cells(t, at(t, w, side("finished")), w.Cleo, w.Bob, "a1", "b2")

	m = at(t, w, side("rematch"))
	w.Ada.Click(t, m, "Rematch 1/2")
	w.Cells(t, at(t, w, side("rematch")), w.Cleo, w.Ada, "a1", "b2")

	m = at(t, w, side("series"))
	w.Cells(t, m, w.Bob, w.Ada, "a1")
	newForm(t, m)

	m = side("resigned").Messages(nil)[0]
	w.Cleo.Click(t, m, "Rematch")
	w.Cell(t, w.Cleo, at(t, w, side("resigned")), "b2")

	m = at(t, w, side("open-challenge"))
	w.Cleo.Click(t, m, "Accept")
	w.Cells(t, m, w.Ada, w.Cleo, "a1", "b2")

	m = at(t, w, side("open-table"))
	w.Ada.Click(t, m, "Join")
	w.Cells(t, m, w.Bob, w.Ada, "a1", "b2")

	m = at(t, w, w.Ada.DM())
	w.Cell(t, w.Ada, m, bottest.CellName(bottest.Empties(m.Snapshot())[0]))
	newForm(t, m)

	w.Channel = side("private")
	m = w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
	if s := m.Snapshot(); !s.Ephemeral() {
		t.Errorf("the private game is shown to everybody: %s", s.Text())
	}
	w.Cell(t, w.Ada, m, bottest.CellName(bottest.Empties(m.Snapshot())[0]))

	if n := w.Discord.World().RefusedClicks(); n != 0 {
		t.Errorf("%d clicks were refused by Discord", n)
	}
	quiet(t, w)
}

// TestEveryButtonOfTheVersionBefore has everybody press every button that the version
// before has put on a message, also those that are disabled and those that a click
// before has taken away: each is understood and answered.
func TestEveryButtonOfTheVersionBefore(t *testing.T) {
	t.Parallel()
	ofEach(t, everyButton)
}

func everyButton(t *testing.T, r recorded) {
	w := r.upgraded(t, undrawn, bottest.ClicksDelivered)
	pressed := map[customid.Action]int{}
	press := func(who *sandbox.User, m *sandbox.Message, customID string) {
		id, err := customid.Parse(customID)
		if err != nil {
			t.Fatalf("%s: %v", m.Channel().Name(), err)
		}
		pressed[id.Action]++
		r := who.ClickID(t, m, customID, sandbox.Forced)
		what := m.Channel().Name() + ": " + who.Name() + " on " + customID
		if !r.Answered() || len(r.Problems) > 0 {
			t.Errorf("%s: answered %v with problems %v", what, r.Answered(), r.Problems)
		}
		if text := r.Text(); strings.Contains(text, "out of date") || strings.Contains(text, "don't know that") {
			t.Errorf("%s is not understood: %s", what, r.Text())
		}
	}
	for _, m := range allMessages(w) {
		for _, row := range m.Snapshot().Rows() {
			for _, b := range row {
				press(w.Ada, m, b.CustomID)
				if m.Channel().Guild() != nil {
					press(w.Cleo, m, b.CustomID)
					press(w.Bob, m, b.CustomID)
				}
			}
		}
	}
	// The local Discord keeps no private message beyond a restart; its buttons are
	// pressed on the copy that Ada asks for.
	w.Channel = w.Side("private")
	copied := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
	for _, customID := range privateButtons(t, r) {
		press(w.Ada, copied, customID)
	}
	newForm(t, copied)
	for _, a := range r.actions {
		if pressed[a] == 0 {
			t.Errorf("no recorded message has a button %q", a)
		}
	}
	quiet(t, w)
}

// privateButtons returns the custom IDs on the private board that the version before
// has sent.
func privateButtons(t *testing.T, r recorded) (ids []string) {
	t.Helper()
	raw, err := os.ReadFile(r.discord())
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Messages []struct {
			Viewer     string          `json:"viewer"`
			Components json.RawMessage `json:"components"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(raw, &state); err != nil {
		t.Fatal(err)
	}
	for _, m := range state.Messages {
		if m.Viewer == "" {
			continue
		}
		for _, found := range regexp.MustCompile(`"custom_id": ?"([^"]*)"`).FindAllSubmatch(m.Components, -1) {
			ids = append(ids, string(found[1]))
		}
	}
	if len(ids) < r.private {
		t.Fatalf("%d private buttons were recorded, want %d", len(ids), r.private)
	}
	return ids
}

// TestDatabaseOfTheVersionBefore starts on the database twice. Boards that somebody
// plays on are drawn in the new form at once, and clocks begin anew the first time only.
func TestDatabaseOfTheVersionBefore(t *testing.T) {
	t.Parallel()
	ofEach(t, databaseGoesOn)
}

func databaseGoesOn(t *testing.T, r recorded) {
	w := r.upgraded(t)
	deadlines := func() map[store.MatchID]time.Duration {
		all := map[store.MatchID]time.Duration{}
		active, err := w.Store.GuildMatches(t.Context(), store.GuildID(w.Discord.Guild().ID()), 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range active {
			all[m.ID] = m.Deadline
		}
		return all
	}
	first := deadlines()
	if len(first) != 5 {
		t.Errorf("%d games are running, want 5", len(first))
	}
	for id, d := range first {
		if d != 10*time.Minute+r.up {
			t.Errorf("match %d falls due at %v, want a whole clock after %v", id, d, r.up)
		}
	}
	for _, name := range []string{"running", "against-bot", "series", "big"} {
		m := at(t, w, w.Side(name))
		m.Wait(t, "the board in its new form", func(s sandbox.Snapshot) bool {
			id, err := customid.Parse(s.Rows()[0][0].CustomID)
			return err == nil && id.Action == customid.Cell
		})
		newForm(t, m)
	}
	w.Restart(t)
	for id, d := range deadlines() {
		if d != first[id] {
			t.Errorf("the clock of match %d begins anew at the second start: due at %v after %v", id, d, first[id])
		}
	}
	quiet(t, w)
}

// TestKeptFromTheVersionBefore: what people and servers had decided, and their results.
func TestKeptFromTheVersionBefore(t *testing.T) {
	t.Parallel()
	w := schema30.upgraded(t)
	guild, cleo := store.GuildID(w.Discord.Guild().ID()), store.UserID(w.Cleo.ID())
	settings, err := w.Store.GuildSettings(t.Context(), guild)
	if settings.Places != 2 || settings.Clock.Or(0) != time.Hour || err != nil {
		t.Errorf("GuildSettings = %+v, %v, want two places and an hour", settings, err)
	}
	w.Elsewhere("blocked")
	deniz := w.Discord.User("Deniz")
	w.Refused(t, deniz.Command(t, w.Channel, "tictactoe challenge", sandbox.Opt("user", w.Cleo)), "meydan okuma kabul etmiyor") // Cleo had blocked them
	p, err := w.Store.Profile(t.Context(), cleo, "", guild)
	if err != nil || len(p.Tallies) == 0 {
		t.Errorf("Profile = %+v, %v", p, err)
	}
	if wrong, err := w.Store.Recount(t.Context()); wrong != 0 || err != nil {
		t.Errorf("Recount() = %d, %v, want every sum to be right", wrong, err)
	}
	m := w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe leaderboard"))
	if text := m.Text(); !strings.Contains(text, "**6** Ada · 2 won") {
		t.Errorf("the leaderboard is %s", text)
	}
	quiet(t, w)
}

// quiet fails the test if the bot has logged an error.
func quiet(t *testing.T, w *bottest.World) {
	t.Helper()
	if n := w.Log.Lines(slog.LevelError); n > 0 {
		t.Errorf("%d errors in the log: %s", n, w.Log.Tail())
	}
}
