package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tictactoe/store"
)

var (
	// It forgets that the guild was missed, unless that was later.
	seeGuild = query(`INSERT INTO presences (application, guild, seen, missed, gone) VALUES (?1, ?2, ?3, 0, 0)
		ON CONFLICT (application, guild) DO UPDATE SET
		seen = CASE WHEN excluded.seen > presences.seen THEN excluded.seen ELSE presences.seen END,
		missed = CASE WHEN excluded.seen >= presences.missed THEN 0 ELSE presences.missed END,
		gone = CASE WHEN excluded.seen >= presences.missed THEN 0 ELSE presences.gone END`)
	// The arguments are the latest moments at which the guild may have been seen, and missed.
	unusedGuilds = query(`SELECT guild FROM presences WHERE application = ?1 AND seen <= ?2 AND gone = 0 AND (missed = 0 OR missed <= ?3)
		ORDER BY seen, guild LIMIT ?4`)
	// The last argument is the latest moment at which the guild may have been missed first if
	// it is gone.
	missGuild = query(`UPDATE presences SET missed = CASE WHEN missed = 0 THEN CAST(?3 AS bigint) ELSE missed END,
		gone = CASE WHEN missed > 0 AND missed <= CAST(?4 AS bigint) THEN CAST(?3 AS bigint) ELSE 0 END
		WHERE application = ?1 AND guild = ?2 AND seen < ?3 AND gone = 0`)
	// It counts as missed later than anything is seen.
	forgetGuild = query(`INSERT INTO presences (application, guild, seen, missed, gone) VALUES (?1, ?2, 0, 9223372036854775807, 1)
		ON CONFLICT (application, guild) DO UPDATE SET missed = excluded.missed, gone = excluded.gone`)
	departures = query("SELECT application, guild, gone FROM presences WHERE application = ?1 AND gone > 0 AND gone <= ?2 ORDER BY guild LIMIT ?3")

	// It affects a row, which nobody else changes then, if the guild is gone since that moment.
	holdDeparture = query("UPDATE presences SET gone = gone WHERE application = ?1 AND guild = ?2 AND gone = ?3 AND gone > 0")
	endDeparture  = query("DELETE FROM presences WHERE application = ?1 AND guild = ?2")
	// Whether the guild has active matches, series that go on, or open challenges whose messages
	// the bot itself had to reach.
	guildIsOpen = query("SELECT 1 WHERE EXISTS (SELECT 1 FROM matches WHERE " + activeMatch + " AND guild = ?1 AND NOT token_only)" +
		" OR EXISTS (SELECT 1 FROM seats WHERE guild = ?1 AND (SELECT NOT token_only FROM matches WHERE id = seats.match))" +
		" OR EXISTS (SELECT 1 FROM challenges WHERE " + pending + " AND guild = ?1 AND NOT token_only)")
	// It keeps everybody else from writing results until the transaction ends: what a step takes
	// out of a guild is read several times. In SQLite only one writes.
	lockResults = queries("", "LOCK TABLE results IN SHARE ROW EXCLUSIVE MODE")
)

// SeeGuilds implements [store.Store].
func (s *Store) SeeGuilds(ctx context.Context, seen store.Sighting) error {
	if err := seen.Validate(); err != nil {
		return err
	}
	p := Plan{Alone: true}
	for _, g := range slices.Sorted(slices.Values(seen.Guilds)) { // the same order for whoever sees them
		p.add(seeGuild, string(seen.Application), string(g), seen.At.UnixMilli())
	}
	return s.db.Apply(ctx, p)
}

// UnusedGuilds implements [store.Store].
func (s *Store) UnusedGuilds(ctx context.Context, app store.ApplicationID, now time.Time, limit int) ([]store.GuildID, error) {
	return readAll(ctx, s, rowOf(func(g *store.GuildID) []any { return []any{textAt(g)} }),
		unusedGuilds, string(app), now.Add(-store.UnusedFor).UnixMilli(), now.Add(-store.AsksApart).UnixMilli(), max(limit, 0))
}

// MissGuild implements [store.Store].
func (s *Store) MissGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID, at time.Time) error {
	args := []any{string(app), string(guild), at.UnixMilli(), at.Add(-store.AsksApart).UnixMilli()}
	return s.db.Apply(ctx, Plan{Alone: true, Steps: []Step{{Query: missGuild, Args: args}}})
}

// ForgetGuild implements [store.Store].
func (s *Store) ForgetGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID) error {
	if err := (store.Sighting{Application: app, Guilds: []store.GuildID{guild}}).Validate(); err != nil {
		return err
	}
	return s.db.Apply(ctx, Plan{Alone: true, Steps: []Step{{Query: forgetGuild, Args: []any{string(app), string(guild)}}}})
}

// Departures implements [store.Store].
func (s *Store) Departures(ctx context.Context, app store.ApplicationID, before time.Time, limit int) ([]store.Departure, error) {
	return readAll(ctx, s, rowOf(func(d *store.Departure) []any {
		return []any{textAt(&d.Application), textAt(&d.Guild), moment{&d.Gone}}
	}), departures, string(app), before.UnixMilli(), max(limit, 0))
}

// EraseGuild implements [store.Store].
func (s *Store) EraseGuild(ctx context.Context, d store.Departure, limit int) (store.ErasureStep, error) {
	return StepOf(ctx, s.db, func(tx Tx) (store.ErasureStep, error) { return eraseGuild(tx, d, limit) })
}

// eraseGuild goes on with the erasure of what is kept about a guild and touches about limit
// rows.
func eraseGuild(tx Tx, d store.Departure, limit int) (store.ErasureStep, error) {
	app, guild := string(d.Application), string(d.Guild)
	switch n, err := tx.Exec(holdDeparture, app, guild, d.Gone.UnixMilli()); {
	case err != nil:
		return 0, err
	case n == 0:
		return store.ErasureDone, nil
	}
	if open, err := tx.Row(guildIsOpen, []any{guild}, new(int64)); err != nil || open {
		return store.ErasureWaits, err
	}
	if _, err := tx.Exec(lockResults); err != nil {
		return 0, err
	}
	left, err := deal(tx, GuildParts, []any{guild, "", 0}, limit)
	if err != nil || left <= 0 {
		return store.ErasureGoesOn, err
	}
	_, err = tx.Exec(endDeparture, app, guild)
	return store.ErasureDone, err
}

// guildParts lists the parts of what is kept about a guild: there is no pseudonym, and the third argument is the greatest number of
// rows. What is also about people, their results and their puzzles, loses the guild; results
// lose the points that they gave there. sums come after the results that they are sums of.
func guildParts() []Part {
	return []Part{
		part("results", "guild", "", freeResults()...),
		part("puzzle_tries", "guild", "", "UPDATE puzzle_tries SET guild = '' WHERE "+theirs("puzzle_tries", "guild")),
		remove("puzzle_standings", "guild"),
		remove("matches", "guild", " AND NOT token_only"),
		remove("standings", "guild"),
		remove("absences", "guild"),
		remove("epochs", "guild"),
		remove("lobbies", "guild"),
		remove("crowns", "guild"),
		remove("guilds", "id"),
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
	all := moveSums(func(s sum) bool { return slices.Contains(s.keys, "guild") }, batch+sidesOf("batch"), anybody, after, anybody)
	return append(all, "UPDATE results SET guild = '', epoch = 0, why = "+why+", x_points = 0, o_points = 0, bot_win = 0 WHERE "+these)
}
