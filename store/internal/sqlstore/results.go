package sqlstore

import (
	"context"
	"fmt"

	"tictactoe/store"
)

var (
	resultOf    = query(results.selectWhere("match = ?1"))
	pastMatches = query(matches.selectWhere(fmt.Sprintf("id > (SELECT past FROM ledger WHERE single = 1) AND state = %d"+
		" AND NOT EXISTS (SELECT 1 FROM results WHERE match = matches.id) ORDER BY id LIMIT ?1", store.Ended)))

	// A user's, by one of two columns as in privateMatches.
	lastResults = merged(" ORDER BY ended DESC, match DESC LIMIT ?2", lastOf("x_user"), lastOf("o_user"))

	tallies  = query("SELECT opponent, m, n, k, mark_limit, won, drawn, lost FROM records WHERE user_id = ?1 ORDER BY opponent, m, n, k, mark_limit")
	streak   = query("SELECT now, best FROM streaks WHERE user_id = ?1")
	honours  = query("SELECT honour, times FROM honours WHERE user_id = ?1")
	toughest = query("SELECT other, won, drawn, lost FROM pairs WHERE user_id = ?1 AND guild = ?2 ORDER BY lost - won DESC, other LIMIT 1")
	versus   = query(`SELECT CAST(coalesce(sum(won), 0) AS bigint), CAST(coalesce(sum(drawn), 0) AS bigint), CAST(coalesce(sum(lost), 0) AS bigint)
		FROM pairs WHERE user_id = ?1 AND other = ?2`)

	standingsOf = fmt.Sprintf("s.guild = ?1 AND s.epoch = "+epochOf+" AND s.period = ?2", "?1")
	playedIn    = "(s.won + s.drawn + s.lost)" // as in the index standings_ranked
	withRank    = "SELECT s.user_id, s.points, s.won, s.drawn, s.lost FROM standings AS s WHERE " + standingsOf +
		" AND s.points > 0 AND s.user_id NOT IN (SELECT user_id FROM absences WHERE guild = ?1)"
	standings = query(withRank + " ORDER BY s.points DESC, " + playedIn + ", s.user_id LIMIT ?3 OFFSET ?4")
	standing  = query(withRank + " AND s.user_id = ?3")
	// How many have more points, or as many in fewer games: all of them without those who are
	// gone, who are few. It counts so many of each and as many as are gone: if it comes to
	// that, it is so many or more.
	higher = query("SELECT (SELECT count(*) FROM (SELECT 1 FROM standings AS s WHERE " + standingsOf + " AND s.points > ?3" + rankedLimit + ") AS higher)" +
		" + (SELECT count(*) FROM (SELECT 1 FROM standings AS s WHERE " + standingsOf + " AND s.points = ?3 AND " + playedIn + " < ?4" + rankedLimit + ") AS quicker)" +
		" - (SELECT count(*) FROM absences AS a CROSS JOIN standings AS s WHERE a.guild = ?1 AND s.user_id = a.user_id AND " + standingsOf +
		" AND (s.points > ?3 OR s.points = ?3 AND " + playedIn + " < ?4))")
	rankedLimit = " LIMIT CAST(?5 AS bigint) + (SELECT count(*) FROM absences WHERE guild = ?1)"
)

// lastOf gives the results of somebody in the seat, but for those whose match went with its
// guild.
func lastOf(seat string) string {
	return results.selectWhere(seat + " = ?1 AND " + seat + " <> '' AND plies > 0 AND EXISTS (SELECT 1 FROM matches WHERE matches.id = results.match)")
}

// Result implements [store.Store].
func (s *Store) Result(ctx context.Context, id store.MatchID) (store.Result, error) {
	return readOne(ctx, s, results, resultOf, int64(id))
}

// LastResults implements [store.Store].
func (s *Store) LastResults(ctx context.Context, user store.UserID, limit int) ([]store.Result, error) {
	return readAll(ctx, s, results.scan, lastResults, string(user), max(limit, 0))
}

// PastMatches implements [store.Store].
func (s *Store) PastMatches(ctx context.Context, limit int) ([]store.Match, error) {
	return readAll(ctx, s, matches.scan, pastMatches, max(limit, 0))
}

// Profile implements [store.Store].
func (s *Store) Profile(ctx context.Context, user, viewer store.UserID, guild store.GuildID) (p store.Profile, err error) {
	p.Tallies, err = readAll(ctx, s, rowOf(func(t *store.Tally) []any {
		return []any{textAt(&t.Opponent), numberAt(&t.Rules.M), numberAt(&t.Rules.N), numberAt(&t.Rules.K), numberAt(&t.Rules.Limit), &t.Won, &t.Drawn, &t.Lost}
	}), tallies, string(user))
	if err != nil {
		return p, err
	}
	p.Honours = map[store.Honours]int{}
	_, err = readAll(ctx, s, func(r Row) (h store.Honours, err error) {
		var times int
		err = r.Scan(numberAt(&h), &times)
		p.Honours[h] = times
		return h, err
	}, honours, string(user))
	if err != nil {
		return p, err
	}
	for _, one := range []struct {
		query *Query
		args  []any
		into  []any
	}{
		{streak, []any{string(user)}, []any{&p.Streak, &p.Best}},
		{toughest, []any{string(user), string(guild)}, encounterInto(&p.Toughest)},
		{versus, []any{string(user), string(viewer)}, encounterInto(&p.Versus)[1:]},
	} {
		if _, err := s.exists(ctx, one.query, one.args, one.into...); err != nil {
			return p, err
		}
	}
	if p.Toughest.Lost <= p.Toughest.Won {
		p.Toughest = store.Encounter{}
	}
	if p.Versus.Won+p.Versus.Drawn+p.Versus.Lost > 0 {
		p.Versus.Other = viewer
	}
	return p, nil
}

// encounterInto is what a row of toughest is scanned into, and without the first one of
// versus.
func encounterInto(e *store.Encounter) []any {
	return []any{textAt(&e.Other), &e.Won, &e.Drawn, &e.Lost}
}

// Standings implements [store.Store].
func (s *Store) Standings(ctx context.Context, guild store.GuildID, p store.Period, offset, limit int) (rows []store.Standing, total int, err error) {
	offset = max(offset, 0)
	rows, err = readAll(ctx, s, rowOf(standingInto), standings, string(guild), int64(p), max(limit, 0), offset)
	if err != nil {
		return nil, 0, err
	}
	if total, err = s.above(ctx, guild, p, store.Standing{}, store.MostListed+1); err != nil || len(rows) == 0 {
		return nil, total, err
	}
	above, err := s.above(ctx, guild, p, rows[0], store.MostRanked)
	for i := range rows {
		switch {
		case i == 0:
			rows[i].Rank = above + 1
		case rows[i].Points == rows[i-1].Points && rows[i].Games() == rows[i-1].Games():
			rows[i].Rank = rows[i-1].Rank
		default:
			rows[i].Rank = offset + i + 1
		}
	}
	return rows, total, err
}

// standingInto is what a row of standings or standing is scanned into.
func standingInto(s *store.Standing) []any {
	return []any{textAt(&s.User), &s.Points, &s.Won, &s.Drawn, &s.Lost}
}

// Standing implements [store.Store].
func (s *Store) Standing(ctx context.Context, guild store.GuildID, p store.Period, user store.UserID) (row store.Standing, err error) {
	if err := s.readRow(ctx, standing, []any{string(guild), int64(p), string(user)}, standingInto(&row)...); err != nil {
		return store.Standing{}, err
	}
	above, err := s.above(ctx, guild, p, row, store.MostRanked)
	row.Rank = above + 1
	return row, err
}

// above returns how many stand before the row, or the limit if there are more.
func (s *Store) above(ctx context.Context, guild store.GuildID, p store.Period, row store.Standing, limit int) (n int, err error) {
	err = s.readRow(ctx, higher, []any{string(guild), int64(p), row.Points, row.Games(), limit}, &n)
	return min(n, limit), err
}
