package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// olderDatabase makes a database as the program made it when the schema had the number:
// games that run and that are over, against the program and between people, public,
// private and in a direct message, a rematch on offer, challenges open and closed. It
// returns where it is.
func olderDatabase(t *testing.T, number int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.db")
	execSQL(t, path, schemaDump(t, number))
	return path
}

// schemaDump is what makes such a database.
func schemaDump(t *testing.T, number int64) string {
	t.Helper()
	dump, err := os.ReadFile(filepath.Join("testdata", fmt.Sprintf("schema%d.sql", number)))
	if err != nil {
		t.Fatal(err)
	}
	return string(dump)
}

// TestSchemaBefore opens a database of the version before: every record is there as it
// was and can be stored again.
func TestSchemaBefore(t *testing.T) {
	const (
		guild    = store.GuildID("1478089506820194305")
		ada, bob = store.UserID("1478089506824388608"), store.UserID("1478089506824388609")
	)
	path := olderDatabase(t, 1)
	s := openAt(t, path)
	up, err := s.Uptime(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for d, at := range up {
		if at != 3205355124 {
			t.Errorf("up-time of domain %d = %d, want that of before", d, at)
		}
	}

	running, err := s.Match(t.Context(), 7894904837803478997)
	if err != nil {
		t.Fatal(err)
	}
	want := store.Match{
		ID: 7894904837803478997, Guild: guild, Channel: "1478089507025715200", Place: 1, Message: "1478089507050881024", Drawn: 4,
		Rules: engine.Standard, X: store.Player{User: ada}, O: store.Player{User: bob},
		Moves: []engine.Cell{0, 4, 8}, State: store.Active, Clock: 10 * time.Minute,
		// The file is another one than it was: clocks begin anew, and boards are drawn again.
		Deadline: 10*time.Minute + up[guild.Domain()], Version: 5,
		Locale: "en-US", Created: time.UnixMilli(1772474400057).UTC(), Updated: time.UnixMilli(1772474400077).UTC(),
	}
	if diff := cmp.Diff(want, running); diff != "" {
		t.Errorf("the running match: got + want -:\n%s", diff)
	}
	domain := guild.Domain()
	due, err := s.DueMatches(t.Context(), domain, 950*time.Second, 100)
	if len(due) != 6 || err != nil {
		t.Errorf("%d matches of the guild's domain fall due, want 6 (%v)", len(due), err)
	}
	due, err = s.DueMatches(t.Context(), 0, 700*time.Second, 100) // in the direct message
	if len(due) != 1 || due[0].Guild != "" || err != nil {
		t.Errorf("%d matches of domain 0 fall due, want 1 (%v)", len(due), err)
	}
	challenges, err := s.DueChallenges(t.Context(), domain, time.Hour, 100)
	if len(challenges) != 2 || err != nil {
		t.Errorf("%d challenges fall due, want 2 (%v)", len(challenges), err)
	}
	private, err := s.PrivateMatches(t.Context(), "", ada, 5)
	if len(private) != 1 || err != nil {
		t.Errorf("%d private matches, want 1 (%v)", len(private), err)
	}

	won := running
	won.Moves, won.State, won.EndReason, won.Winner, won.Deadline = append(won.Moves, 1), store.Ended, store.Resignation, engine.X, 0
	if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{won}}); err != nil {
		t.Errorf("the match cannot be gone on with: %v", err)
	}
	ended, err := s.Match(t.Context(), 973192914757718645)
	if err != nil || ended.EndReason != store.ByLine || ended.Verdict != (store.Verdict{}) {
		t.Errorf("Match = %+v, %v, want a line and no verdict yet", ended, err)
	}
	var integrity string
	if queryRow(t, path, "PRAGMA integrity_check", &integrity); integrity != "ok" {
		t.Errorf("integrity: %s", integrity)
	}
}

// TestDomainsOfBefore checks that the migration computes the domain as the program
// does, whatever the guild's id.
func TestDomainsOfBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	if err := sqlite.MigrateFileTo(t.Context(), path, 1); err != nil {
		t.Fatal(err)
	}
	guilds := []store.GuildID{"", "0", "1", "4194303", "4194304", "41771983423143937", "1573855051745591297", "9223372036854775807", "other"}
	for i, guild := range guilds {
		execSQL(t, path, fmt.Sprintf(`INSERT INTO challenges VALUES (%d, '%s', '1', '', '1', '2', '1', '2',
			3, 3, 3, 10, 0, '', '', 10, 0, 0, 1, 0, 0)`, i+1, guild))
	}
	openAt(t, path)
	for i, guild := range guilds {
		var domain int
		queryRow(t, path, "SELECT domain FROM challenges WHERE id = "+strconv.Itoa(i+1), &domain)
		if want := int(guild.Domain()); domain != want {
			t.Errorf("guild %q has domain %d, want %d", guild, domain, want)
		}
	}
}

// TestThreadsOfBefore: a game in a thread that was found locked by an older version goes on,
// and falls due as any other; what was to be archived is left alone.
func TestThreadsOfBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	if err := sqlite.MigrateFileTo(t.Context(), path, 35); err != nil {
		t.Fatal(err)
	}
	execSQL(t, path, `INSERT INTO matches (id, guild, domain, channel, thread, place, message, drawn, notice, m, n, k, mark_limit,
			x_user, x_opponent, o_user, o_opponent, moves, state, end_reason, winner, ended_by, clock, deadline, thread_due, locked,
			cell_names, series_x, series_o, series_d, rematch_x, rematch_o, next, verdict, verdict_ply, verdict_cell, locale, version, created, updated) VALUES
			(1, '5', 0, '2', '3', 1, '4', 2, '', 3, 3, 3, 0, '8', '', '9', '', x'', 10, 0, 0, '', 600, 900, 700, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'en-US', 2, 1000, 1000),
			(2, '5', 0, '2', '3', 1, '6', 2, '', 3, 3, 3, 0, '8', '', '7', '', x'', 20, 30, 1, '', 600, 0, 800, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'en-US', 2, 1000, 1000)`)
	s := openAt(t, path)
	first, err := s.Match(t.Context(), 1)
	first.Deadline++
	if err != nil || first.Thread != "3" || s.Apply(t.Context(), store.Change{Matches: []store.Match{first}}) != nil {
		t.Errorf("the running match is %+v, %v", first, err)
	}
	next, err := s.NextDeadlines(t.Context())
	if want := (store.Uptimes{0: first.Deadline}); next != want || err != nil {
		t.Errorf("NextDeadlines = %v, %v, want %v", next, err, want)
	}
}
