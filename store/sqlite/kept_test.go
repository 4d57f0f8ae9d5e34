package sqlite_test

import (
	"database/sql"
	"testing"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// untold says which columns are not in the copy that a person gets of what is kept about
// them, and why. A table by itself stands for all of its columns.
var untold = map[string]string{
	"claims":    "ids of clicks, without whose they were",
	"uptime":    "the bot's own time",
	"file":      "about the database file",
	"ledger":    "how far old games were counted",
	"secrets":   "the bot's own",
	"erasures":  "while there is one nothing is handed out",
	"former":    "what led back to somebody who was erased would bring them back",
	"guilds":    "what servers have set",
	"sessions":  "the bot's own connection",
	"quirks":    "what Discord was found to do",
	"lobbies":   "which messages stand in channels, by hashes of what they show",
	"posts":     "for an hour, which messages stand in channels, by hashes of what they are",
	"presences": "where the bot is",
	"seats":     "says of the running games who plays where, which the games say too",

	"matches.domain": "made of the server", "matches.drawn": "what is to be drawn again", "matches.version": "counts changes",
	"matches.deadline": "when the bot looks again, in its own time", "matches.remind": "the same",
	"matches.rematch_told": "whether a line was written", "matches.grid_stands": "what is to be drawn again",
	"results.seq": "the order in which results were written", "results.day": "made of the time", "results.month": "made of the time",
	"challenges.domain": "made of the server", "challenges.drawn": "what is to be drawn again", "challenges.version": "counts changes",
	"challenges.low_user": "made of the two", "challenges.high_user": "made of the two", "challenges.deadline": "when the bot looks again",
	"people.version": "counts changes", "puzzle_tries.version": "counts changes", "puzzlers.version": "counts changes", "crowns.version": "counts changes",
}

// seenElsewhere are columns that name a person and are no part of what is told to them.
var seenElsewhere = map[string]string{
	"blocks.from_user": "who has blocked somebody is told to nobody",
	"pairs.other":      "the same games, as the others have them",
	"seats.user_id":    "see the games", "erasures.user_id": "while there is one nothing is handed out",
}

// TestKeptKnowsEveryColumn holds the parts of the copy that a person gets against the
// schema: whoever adds a column has people be told of it, or says here why not.
func TestKeptKnowsEveryColumn(t *testing.T) {
	db, err := sql.Open("sqlite", emptyAt(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
		WHERE m.type = 'table' AND m.name NOT LIKE 'goose%' AND m.name NOT LIKE 'sqlite%' ORDER BY 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	told := map[string]bool{}
	for _, k := range store.KeptParts {
		told[k.Table+"."+k.Person] = true
		for _, column := range k.Columns {
			told[k.Table+"."+column] = true
		}
	}
	here := map[string]bool{}
	for rows.Next() {
		var of, column string
		if err := rows.Scan(&of, &column); err != nil {
			t.Fatal(err)
		}
		name := of + "." + column
		here[of], here[name] = true, true
		if untold[of] == "" && untold[name] == "" && seenElsewhere[name] == "" && !told[name] {
			t.Errorf("nobody is told of %s, and nothing says why", name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, names := range []map[string]string{untold, seenElsewhere} {
		for name := range names {
			if !here[name] {
				t.Errorf("there is no %s", name)
			}
			if untold[name] != "" && told[name] {
				t.Errorf("%s is told", name)
			}
		}
	}
	for name := range told {
		if !here[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

// TestKeptTellsWhateverIsErased: where an erasure looks for a person, they are told what is
// there, or it is said why not.
func TestKeptTellsWhateverIsErased(t *testing.T) {
	told := map[string]bool{}
	for _, k := range store.KeptParts {
		told[k.Table+"."+k.Person] = true
	}
	for _, p := range sqlstore.PersonParts {
		if name := p.Table + "." + p.Column; !told[name] && seenElsewhere[name] == "" {
			t.Errorf("%s is erased, and nobody is told of it", name)
		}
	}
}
