package postgres_test

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
	"tictactoe/store/sqlite"
)

// filled makes an SQLite file with games that run and that are over, challenges,
// settings, claims and up-times, and returns its path and the ids of the matches.
func filled(t *testing.T) (path string, ids []store.MatchID) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "games.db")
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	dice := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		m := newMatch(store.MatchID(1 + i*7919))
		m.Channel, m.RematchTold, m.RematchX, m.Locale = store.ChannelID(fmt.Sprint(i)), i%2 == 0, i%3 == 0, "ja"
		for range i % 10 {
			if m.State == store.Active {
				m = moved(m, dice)
			}
		}
		ids = append(ids, m.ID)
		c := store.Change{
			Interaction: store.InteractionID(fmt.Sprint("i", i)), Matches: []store.Match{m},
			Challenges: []store.Challenge{{
				ID: store.ChallengeID(i + 1), Guild: m.Guild, Channel: m.Channel, Challenger: "5", Opponent: store.UserID(fmt.Sprint("é", i)),
				Rules: m.Rules, First: store.FirstRandom, State: store.Open, Created: m.Created, Updated: m.Updated,
			}},
			People:   []store.Person{{User: store.UserID(fmt.Sprint(i)), Clock: store.ClockSetting{Set: i%2 == 0}}},
			Tries:    []store.PuzzleTry{{User: store.UserID(fmt.Sprint(i)), Day: 20000, Guild: "9", State: store.PuzzleSolved, Moves: m.Moves, AsList: i%2 == 0}},
			Puzzlers: []store.Puzzler{{User: store.UserID(fmt.Sprint(i)), Solved: i, Best: i}},
		}
		if err := s.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{{Guild: "9", Locale: "de"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lease(t.Context(), store.Wanted{}, store.Uptimes{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path, ids
}

// TestImport copies a database whole, into an empty one only.
func TestImport(t *testing.T) {
	t.Parallel()
	path, ids := filled(t)
	address := postgrestest.URL(t)
	steps, total := 0, 0
	importAll := func() (counts map[string]int, err error) {
		err = sqlite.Export(t.Context(), path, func(rows sqlite.Source) (err error) {
			if total, err = rows.Total(); err == nil {
				counts, err = postgres.Import(t.Context(), address, rows, func(n int) { steps += n })
			}
			return err
		})
		return counts, err
	}
	counts, err := importAll()
	if err != nil {
		t.Fatal(err)
	}
	var playing int
	postgrestest.Scan(t, address, "SELECT count(*) FROM matches WHERE state = 10", &playing)
	var sums int // of as many people as have results against others
	postgrestest.Scan(t, address, "SELECT count(*) FROM streaks", &sums)
	want := map[string]int{
		"results": 40 - playing, "epochs": 0, "standings": 0, "records": sums, "pairs": sums, "honours": 0, "streaks": sums, "absences": 0, "blocks": 0, "ledger": 1, "erasures": 0, "presences": 0, "former": 0, "secrets": 1, "puzzle_tries": 40, "puzzlers": 40, "posts": 0, "lobbies": 0, "crowns": 0, "puzzle_standings": 40,
		"matches": 40, "seats": 2 * playing, "challenges": 40, "claims": 40, "people": 40, "guilds": 1, "uptime": store.Domains,
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("rows: got + want -:\n%s", diff)
	}
	if steps != 2*total {
		t.Errorf("%d steps for %d rows, want two each", steps, total)
	}
	from, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to := openAt(t, address)
	for _, id := range ids {
		a, err := from.Match(t.Context(), id)
		b, otherErr := to.Match(t.Context(), id)
		if diff := cmp.Diff(a, b); diff != "" || err != nil || otherErr != nil {
			t.Errorf("match %d (%v, %v): got + want -:\n%s", id, err, otherErr, diff)
		}
	}
	a, err := from.GuildChallenges(t.Context(), newMatch(1).Guild, 0, 100)
	b, otherErr := to.GuildChallenges(t.Context(), newMatch(1).Guild, 0, 100)
	if diff := cmp.Diff(a, b); diff != "" || len(b) != 40 || err != nil || otherErr != nil {
		t.Errorf("challenges (%v, %v): got + want -:\n%s", err, otherErr, diff)
	}
	if err := to.Apply(t.Context(), store.Change{Interaction: "i7"}); !errors.Is(err, store.ErrClaimed) {
		t.Errorf("a claim that was copied: %v", err)
	}
	if _, err := importAll(); !errors.Is(err, postgres.ErrNotEmpty) {
		t.Errorf("Import into a database that is not empty = %v, want %v", err, postgres.ErrNotEmpty)
	}
}

// TestAllIsCopied compares the tables that are copied with those that there are.
func TestAllIsCopied(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	openAt(t, address)
	var there string
	postgrestest.Scan(t, address, `SELECT string_agg(table_name::text, ' ' ORDER BY table_name) FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_name NOT IN ('tictactoe_schema', 'writers', 'leases', 'limits', 'sessions', 'turns', 'quirks')`, &there)
	var copied []string
	for _, r := range sqlstore.Tables {
		copied = append(copied, r.Name)
		var columns int
		postgrestest.Scan(t, address, "SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '"+r.Name+"' AND column_name NOT IN ('owner', 'ends', 'saved')", &columns)
		if columns != len(r.Columns) {
			t.Errorf("%d columns of %s are copied, and there are %d", len(r.Columns), r.Name, columns)
		}
	}
	slices.Sort(copied)
	if got := strings.Join(copied, " "); got != there {
		t.Errorf("copied are %s, and there are %s", got, there)
	}
}

// garbled is a source that gives something else when it is asked again.
type garbled struct {
	sqlite.Source
	asked int
}

func (g *garbled) Each(t sqlstore.Rows) iter.Seq2[[]any, error] {
	if t.Name == "matches" {
		g.asked++
	}
	return func(yield func([]any, error) bool) {
		n := 0
		for row, err := range g.Source.Each(t) {
			if n++; t.Name == "matches" && g.asked == 2 && n == 30 {
				row[2] = "garbled"
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// TestImportCompares: what has not arrived as it was sent is found, and nothing is kept.
func TestImportCompares(t *testing.T) {
	t.Parallel()
	path, _ := filled(t)
	address := postgrestest.URL(t)
	err := sqlite.Export(t.Context(), path, func(rows sqlite.Source) error {
		_, err := postgres.Import(t.Context(), address, &garbled{Source: rows}, func(int) {})
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "garbled") {
		t.Errorf("Import = %v, want what differs", err)
	}
	var n int
	if postgrestest.Scan(t, address, "SELECT (SELECT count(*) FROM matches) + (SELECT count(*) FROM claims)", &n); n != 0 {
		t.Errorf("%d rows were kept", n)
	}
}

// TestAlone: only one process fills a database. A second one is told so, and so is who wants to
// play. What the first has copied is not kept when it dies, and nobody waits for its end. While
// somebody plays nobody is alone.
func TestAlone(t *testing.T) {
	t.Parallel()
	path, _ := filled(t)
	address := postgrestest.URL(t)
	fill := func(step func(int)) error {
		return sqlite.Export(t.Context(), path, func(rows sqlite.Source) error {
			_, err := postgres.Import(t.Context(), address, rows, step)
			return err
		})
	}
	begun, killed, died := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		var once sync.Once
		died <- fill(func(int) { once.Do(func() { close(begun); <-killed }) })
	}()
	<-begun
	var others sync.WaitGroup
	others.Go(func() {
		if err := fill(func(int) {}); !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), "another process has it for itself") {
			t.Errorf("Import beside another = %v, want %v", err, store.ErrBusy)
		}
	})
	others.Go(func() {
		if _, err := postgres.Open(t.Context(), address); !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), "another process has it for itself") {
			t.Errorf("Open while another is alone = %v, want %v", err, store.ErrBusy)
		}
	})
	others.Wait()
	postgrestest.Exec(t, address, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE mode = 'RowExclusiveLock' AND granted
		AND relation = 'matches'::regclass`)
	close(killed)
	if err := <-died; err == nil {
		t.Error("an import whose connection was cut has not failed")
	}
	var n int
	if postgrestest.Scan(t, address, "SELECT count(*) FROM matches", &n); n != 0 {
		t.Errorf("%d matches were kept", n)
	}
	player := openAt(t, address)
	if _, err := player.Lease(t.Context(), store.Wanted{Domains: store.AllDomains}, store.Uptimes{}); err != nil {
		t.Fatal(err)
	}
	if err := fill(func(int) {}); !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), "1 processes play") {
		t.Errorf("Import while somebody plays = %v, want %v", err, store.ErrBusy)
	}
	if err := player.Close(); err != nil {
		t.Fatal(err)
	}
	if err := fill(func(int) {}); err != nil {
		t.Errorf("Import when nobody is left = %v", err)
	}
}
