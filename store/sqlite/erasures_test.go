package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
)

// erased is who is erased, of many.
const erased = store.UserID("803511102246789123")

var erasure = store.Erasure{User: erased, Pseudonym: store.ErasedID(7), Begun: time.UnixMilli(1_700_000_000_000)}

// populate stores a busy life of the person among others, changed and deleted in parts, so
// that pages of the file are split, joined and used again.
func populate(t *testing.T, s *sqlite.Store, games int) {
	t.Helper()
	apply := func(c store.Change) {
		t.Helper()
		if err := s.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	for i := range games {
		other := store.UserID(strconv.Itoa(900000000000000000 + i*7919%300))
		m := newMatch(store.MatchID(1 + i*104729%1_000_003))
		m.Channel, m.X, m.O = store.ChannelID(strconv.Itoa(i%50)), store.Player{User: erased}, store.Player{User: other}
		if i%3 == 0 {
			m.X, m.O = m.O, m.X
		}
		if i%7 == 0 {
			m.X, m.O = store.Player{User: store.UserID(strconv.Itoa(1000 + i))}, store.Player{User: other}
		}
		m.Guild, m.Updated = store.GuildID(strconv.Itoa(1+i%5)), m.Updated.AddDate(0, i%9, 0)
		c := store.Change{Matches: []store.Match{m}, Tries: []store.PuzzleTry{{User: erased, Day: int64(i), State: store.PuzzleOpen}}}
		ch := store.Challenge{
			ID: store.ChallengeID(i + 1), Guild: m.Guild, Channel: "1", Challenger: erased, Opponent: other, Rules: engine.Standard,
			First: store.FirstRandom, State: store.Open, Created: m.Created, Updated: m.Updated,
		}
		if i%2 == 0 {
			ch.Challenger, ch.Opponent = ch.Opponent, ch.Challenger
		}
		c.Challenges = []store.Challenge{ch}
		c.Blocks = []store.Block{{User: other, From: erased, Since: m.Created}, {User: erased, From: other, Since: m.Created}}
		apply(c)
		m.Version, ch.Version = 1, 1
		m.Moves, m.State, m.EndReason, m.Winner = []engine.Cell{0, 3, 1, 4, 2}, store.Ended, store.ByLine, engine.X
		ch.State = store.Declined
		c = store.Change{Matches: []store.Match{m}, Challenges: []store.Challenge{ch}, Awards: []store.Award{{Match: m.ID, X: 3, HonoursX: 1}}}
		if i%4 == 0 { // what was deleted long before is to be gone, too
			c.Blocks = []store.Block{{User: other, From: erased, Lifted: true}}
		}
		apply(c)
	}
	apply(store.Change{
		People: []store.Person{{User: erased, Locale: "de"}}, Puzzlers: []store.Puzzler{{User: erased}},
		Epochs: []store.Epoch{{Guild: "1", At: time.UnixMilli(1), By: erased}}, Absences: []store.Absence{{Guild: "3", User: erased, Gone: true}},
	})
	if _, err := s.Purge(t.Context(), time.Time{}, time.Now(), games/3); err != nil {
		t.Fatal(err)
	}
}

// traces returns where the files still hold the person's id: as text, or as the bytes in
// which SQLite would keep the number.
func traces(t *testing.T, path string, user store.UserID) (found []string) {
	t.Helper()
	n, err := strconv.ParseUint(string(user), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	number := binary.BigEndian.AppendUint64(nil, n)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		content, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		for name, bits := range map[string][]byte{"text": []byte(user), "number": bytes.TrimLeft(number, "\x00")} {
			if n := bytes.Count(content, bits); n > 0 {
				found = append(found, fmt.Sprintf("%d times as %s in t.db%s", n, name, suffix))
			}
		}
	}
	return found
}

// eraseAll goes on with the erasure until it is done.
func eraseAll(t *testing.T, s *sqlite.Store, limit int) {
	t.Helper()
	for {
		step, err := s.Erase(t.Context(), erasure, limit)
		if err != nil {
			t.Fatal(err)
		}
		if step == store.ErasureDone {
			return
		}
	}
}

// TestEraseLeavesNoTrace looks for the id of somebody who was erased in the bytes of the
// file, the log and the index, while the store is open. Ids are kept as texts.
func TestEraseLeavesNoTrace(t *testing.T) {
	t.Parallel()
	path := emptyAt(t)
	s := openAt(t, path, unflushed())
	populate(t, s, 1500)
	if found := traces(t, path, erased); len(found) < 2 {
		t.Fatalf("before the erasure there is only %v", found)
	}
	if err := s.Apply(t.Context(), store.Change{Erasures: []store.Erasure{erasure}}); err != nil {
		t.Fatal(err)
	}
	eraseAll(t, s, 50)
	if found := traces(t, path, erased); len(found) > 0 {
		t.Errorf("behind the erasure the id is found %v", found)
	}
	if wrong, err := s.Recount(t.Context()); wrong != 0 || err != nil {
		t.Errorf("Recount() = %d, %v", wrong, err)
	}
	var integrity string
	if queryRow(t, path, "PRAGMA integrity_check", &integrity); integrity != "ok" {
		t.Errorf("integrity check: %s", integrity)
	}
	blocked, err := s.Blocked(t.Context(), store.Consent{Guild: "1", By: erased, To: "900000000000000119"})
	if !blocked || err != nil {
		t.Errorf("Blocked() = %v, %v: want them to be known again", blocked, err)
	}
	if found := traces(t, path, erased); len(found) > 0 {
		t.Errorf("since it was looked for them the id is found %v", found)
	}
}

// eraseChild erases, a few rows at a time, and says so behind each step.
func eraseChild(args []string) int {
	s, err := sqlite.Open(context.Background(), args[0])
	if err != nil {
		say("open: %v", err)
		return 1
	}
	for {
		step, err := s.Erase(context.Background(), erasure, 5)
		say("%d", step)
		if err != nil || step == store.ErasureDone {
			return 0
		}
	}
}

// TestEraseKilled kills the process that erases at several steps: whoever opens the file
// afterwards goes on.
func TestEraseKilled(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "t.db")
	sqlitetest.Empty(t, path)
	s, err := sqlite.Open(t.Context(), path, unflushed())
	if err != nil {
		t.Fatal(err)
	}
	populate(t, s, 40)
	if err := s.Apply(t.Context(), store.Change{Erasures: []store.Erasure{erasure}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, steps := range []int{1, 4, 9} {
		cmd := child(t, "erase", path)
		out, _ := start(t, cmd)
		for range steps {
			wantLine(t, out, "20")
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		s := openAt(t, path)
		list, err := s.Erasures(t.Context(), 9)
		if len(list) != 1 || list[0] != (store.Erasure{User: erased, Pseudonym: erasure.Pseudonym, Begun: erasure.Begun.UTC()}) || err != nil {
			t.Errorf("Erasures = %+v, %v, want the one", list, err)
		}
		if wrong, err := s.Recount(t.Context()); wrong != 0 || err != nil {
			t.Errorf("in the middle: Recount() = %d, %v", wrong, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s = openAt(t, path)
	eraseAll(t, s, 5)
	if found := traces(t, path, erased); len(found) > 0 {
		t.Errorf("the id is found %v", found)
	}
	if wrong, err := s.Recount(t.Context()); wrong != 0 || err != nil {
		t.Errorf("Recount() = %d, %v", wrong, err)
	}
}

// TestEraseWaitsForReaders: the log cannot be made empty while somebody reads; the erasure
// is not done before it is.
func TestEraseWaitsForReaders(t *testing.T) {
	path := emptyAt(t)
	s := openAt(t, path)
	populate(t, s, 10)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM matches").Scan(&n); err != nil {
		t.Fatal(err)
	}
	if err := s.Apply(t.Context(), store.Change{Erasures: []store.Erasure{erasure}}); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if step, err := s.Erase(t.Context(), erasure, 1000); step != store.ErasureGoesOn || err != nil {
			t.Fatalf("Erase = %d, %v while somebody reads", step, err)
		}
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	eraseAll(t, s, 1000)
	if found := traces(t, path, erased); len(found) > 0 {
		t.Errorf("the id is found %v", found)
	}
}

// TestEraseKnowsEveryColumn holds the parts of an erasure against the schema: each text
// either is dealt with, or is none that can name a person.
func TestEraseKnowsEveryColumn(t *testing.T) {
	path := emptyAt(t)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
		WHERE m.type = 'table' AND m.name NOT LIKE 'goose%' AND c.type = 'TEXT' ORDER BY 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	parts := map[string]bool{
		"challenges.low_user": true, "challenges.high_user": true, // with the columns that they are made of
		"challenges.opponent_locale": true, // with the opponent
		"erasures.user_id":           true, "erasures.pseudonym": true, "former.hash": true, "former.pseudonym": true,
		"secrets.name": true, "secrets.value": true,
		"sessions.id": true, "sessions.token": true, "sessions.url": true, // the bot's own
		"posts.id":      true, // a hash of what was posted where, for an hour
		"quirks.quirk":  true,
		"lobbies.shows": true, // a hash of what the message shows, until that is drawn without them
	}
	for _, p := range sqlstore.PersonParts {
		parts[p.Table+"."+p.Column] = true
	}
	nobody := []string{
		"guild", "channel", "thread", "message", "notice", "locale", "guild_locale", "interaction",
		"application", "x_opponent", "o_opponent", "opponent", "board", "puzzle_channel", "puzzle_role", "stops_channel", "games_channel", "crown",
	}
	for rows.Next() {
		var of, column string
		if err := rows.Scan(&of, &column); err != nil {
			t.Fatal(err)
		}
		name := of + "." + column
		known := parts[name]
		delete(parts, name)
		if !known && !slices.Contains(nobody, column) && name != "guilds.id" {
			t.Errorf("%s may name a person, and no erasure looks there", name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for name := range parts {
		t.Errorf("there is no %s", name)
	}
}

// TestErasePlans checks that a step of an erasure reads no more than it deals with.
func TestErasePlans(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	makeDatabase(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range sqlstore.Queries {
		if !q.Batch {
			continue
		}
		text := q.SQLite
		for _, step := range plan(t, db, text) {
			of, is := strings.CutPrefix(step, "SCAN ")
			of, _, _ = strings.Cut(of, " ")
			switch of {
			case "d", "batch", "bits", "sides", "each_one", "renamed", "freed", "CONSTANT":
			default:
				if is && !strings.HasPrefix(of, "(subquery") || strings.Contains(step, "AUTOMATIC") {
					t.Errorf("%s\n\tis carried out with: %s", text, step)
				}
			}
		}
	}
}
