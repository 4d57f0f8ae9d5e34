package sqlstore

import (
	"fmt"
	"slices"
	"strings"

	"tictactoe/store"
)

// Statements about where the bot of an application is.
const (
	// See forgets that the guild was missed, unless that was later.
	See = `INSERT INTO presences (application, guild, seen, missed, gone) VALUES (?1, ?2, ?3, 0, 0)
		ON CONFLICT (application, guild) DO UPDATE SET
		seen = CASE WHEN excluded.seen > presences.seen THEN excluded.seen ELSE presences.seen END,
		missed = CASE WHEN excluded.seen >= presences.missed THEN 0 ELSE presences.missed END,
		gone = CASE WHEN excluded.seen >= presences.missed THEN 0 ELSE presences.gone END`
	// Unused has the latest moments at which the guild may have been seen, and missed.
	Unused = `SELECT guild FROM presences WHERE application = ?1 AND seen <= ?2 AND gone = 0 AND (missed = 0 OR missed <= ?3)
		ORDER BY seen, guild LIMIT ?4`
	// Miss has the latest moment at which the guild may have been missed first if it is gone.
	Miss = `UPDATE presences SET missed = CASE WHEN missed = 0 THEN CAST(?3 AS bigint) ELSE missed END,
		gone = CASE WHEN missed > 0 AND missed <= CAST(?4 AS bigint) THEN CAST(?3 AS bigint) ELSE 0 END
		WHERE application = ?1 AND guild = ?2 AND seen < ?3 AND gone = 0`
	// Forget counts as missed later than anything is seen.
	Forget = `INSERT INTO presences (application, guild, seen, missed, gone) VALUES (?1, ?2, 0, 9223372036854775807, 1)
		ON CONFLICT (application, guild) DO UPDATE SET missed = excluded.missed, gone = excluded.gone`
	Departures = "SELECT application, guild, gone FROM presences WHERE application = ?1 AND gone > 0 AND gone <= ?2 ORDER BY guild LIMIT ?3"

	// HoldDeparture affects a row, which nobody else changes then, if the guild is gone
	// since that moment.
	HoldDeparture = "UPDATE presences SET gone = gone WHERE application = ?1 AND guild = ?2 AND gone = ?3 AND gone > 0"
	EndDeparture  = "DELETE FROM presences WHERE application = ?1 AND guild = ?2"
)

// GuildIsOpen has a row while the guild has active matches or open challenges whose messages
// the bot itself had to reach.
var GuildIsOpen = "SELECT 1 WHERE EXISTS (SELECT 1 FROM matches WHERE " + ActiveMatch + " AND guild = ?1 AND NOT token_only)" +
	" OR EXISTS (SELECT 1 FROM challenges WHERE " + OpenChallenge + " AND guild = ?1 AND NOT token_only)"

// ScanDeparture reads a row of Departures.
func ScanDeparture(r Row) (d store.Departure, err error) {
	return d, r.Scan(TextAt(&d.Application), TextAt(&d.Guild), moment{&d.Gone})
}

// GuildParts are all parts of what is kept about a guild, as [Parts] are of what is kept
// about a person: there is no pseudonym, and the third argument is the greatest number of
// rows. What is also about people, their results and their puzzles, loses the guild; results
// lose the points that they gave there. Sums come after the results that they are sums of.
func GuildParts() []Part {
	tries := "UPDATE puzzle_tries SET guild = '' WHERE " + theirs("puzzle_tries", "guild", "user_id, day")
	matches := remove("matches", "guild", "id")
	matches.where = " AND NOT token_only"
	matches.Texts[0] = strings.Replace(matches.Texts[0], " ORDER BY", matches.where+" ORDER BY", 1)
	return []Part{
		{Table: "results", Column: "guild", Texts: freeResults()},
		{Table: "puzzle_tries", Column: "guild", Texts: []string{tries}},
		remove("puzzle_standings", "guild", "guild, user_id"),
		matches,
		remove("standings", "guild", "guild, epoch, period, user_id"),
		remove("absences", "guild", "guild, user_id"),
		remove("epochs", "guild", "guild, number"),
		remove("guilds", "id", "id"),
	}
}

// freeResults takes results out of a guild, and what they add to the sums that are the
// guild's.
func freeResults() []string {
	these := "seq IN (SELECT seq FROM results WHERE guild = ?1 AND guild <> '' ORDER BY seq LIMIT ?3)"
	batch := "WITH batch AS (SELECT * FROM results WHERE " + these + "), "
	why := fmt.Sprintf("CASE WHEN why = %d THEN %d ELSE why END", store.Counts, store.OutsideGuilds)
	after := batch + `freed AS (SELECT seq, '' AS guild, 0 AS epoch, month, m, n, k, mark_limit, x_user, o_user, x_opponent, o_opponent,
		winner, end_reason, from_position, ` + why + ` AS why, 0 AS x_points, 0 AS o_points, x_honours, o_honours, 0 AS bot_win FROM batch), ` + sidesOf("freed")
	all := moveSums(func(s Sum) bool { return slices.Contains(s.keys, "guild") }, batch+sidesOf("batch"), anybody, after, anybody)
	return append(all, "UPDATE results SET guild = '', epoch = 0, why = "+why+", x_points = 0, o_points = 0, bot_win = 0 WHERE "+these)
}
