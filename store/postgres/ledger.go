package postgres

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store"
	"tictactoe/store/internal/table"
)

// The statements about results.
var (
	writeResultText = table.Postgres.Text(table.WriteResult)
	backAgainText   = table.Postgres.Text(table.Return)
	leaveText       = table.Postgres.Text(table.Leave)
	pastToText      = table.Postgres.Text(table.PastTo)
	beginEpochText  = table.Postgres.Text(table.BeginEpoch)

	resultText      = table.Postgres.Text(table.Result)
	lastResultsText = table.Postgres.Text(table.LastResults)
	pastMatchesText = table.Postgres.Text(table.PastMatches)
	talliesText     = table.Postgres.Text(table.Tallies)
	honoursText     = table.Postgres.Text(table.Honours)
	streakText      = table.Postgres.Text(table.Streak)
	toughestText    = table.Postgres.Text(table.Toughest)
	versusText      = table.Postgres.Text(table.Versus)
	standingsText   = table.Postgres.Text(table.Standings)
	standingText    = table.Postgres.Text(table.Standing)
	aboveText       = table.Postgres.Text(table.Above)
)

// lockPeopleText locks people until the transaction ends, always in the same order, so
// that no two transactions wait for each other. Such locks are the whole database's: the
// schema keeps those of several bots in it apart, and the number keeps them apart from locks
// of others.
const lockPeopleText = `SELECT count(pg_advisory_xact_lock(key)) FROM
	(SELECT hashtextextended(person, 1301 + hashtext(coalesce(current_schema()::text, ''))::bigint) AS key FROM unnest($1::text[]) AS person ORDER BY key) AS keys`

// lockPeople makes sure that nobody else writes a result of the same people meanwhile: how
// many of their games have counted today is looked up in between. Nor does the erasure of
// somebody begin or end whom the requests name. Who locks comes before
// everything else in a transaction.
func (p *pipeline) lockPeople(requests []request) {
	var people []string
	for _, r := range requests {
		for _, e := range r.change.Endings() {
			for _, user := range [...]store.UserID{e.X.User, e.O.User} {
				if user != "" {
					people = append(people, string(user))
				}
			}
		}
		people = append(people, r.named()...)
	}
	if len(people) > 0 {
		slices.Sort(people)
		p.addAny(lockPeopleText, slices.Compact(people))
	}
}

// results adds what writes the results of the change, which comes before its matches.
func (p *pipeline) results(c store.Change, k table.Key) {
	for _, e := range c.Endings() {
		p.addAny(writeResultText, table.EndingArgs(e, k)...)
	}
}

// ledger adds what stores what else the change says about results.
func (p *pipeline) ledger(c store.Change) {
	if c.PastTo > 0 {
		p.addAny(pastToText, int64(c.PastTo))
	}
	for _, e := range c.Epochs {
		p.addAny(beginEpochText, string(e.Guild), e.At.UnixMilli(), string(e.By))
	}
	for _, a := range c.Absences {
		if a.Gone {
			p.addAny(leaveText, string(a.Guild), string(a.User))
		} else {
			p.addAny(backAgainText, string(a.Guild), string(a.User), "")
		}
	}
}

// lockSumsText keeps everybody else from writing results meanwhile.
const lockSumsText = "LOCK TABLE results, standings, records, pairs, honours, streaks IN SHARE ROW EXCLUSIVE MODE"

// Recount implements [store.Store].
func (s *Store) Recount(ctx context.Context) (int, error) {
	var wrong int64
	err := s.writer.queue.Do(ctx, request{also: func(p *pipeline) {
		wrong = 0
		p.addAny(lockSumsText)
		for _, sum := range table.Sums {
			var removed int64
			p.Queue(sum.Remove()).Exec(func(tag pgconn.CommandTag) error { removed = tag.RowsAffected(); return nil })
			p.Queue(sum.Restore()).Exec(func(tag pgconn.CommandTag) error { wrong += max(removed, tag.RowsAffected()); return nil })
		}
	}})
	if err != nil {
		return 0, err
	}
	return int(wrong), nil
}

// Result implements [store.Store].
func (s *Store) Result(ctx context.Context, id store.MatchID) (store.Result, error) {
	return readOne(ctx, s, table.Results, resultText, int64(id))
}

// LastResults implements [store.Store].
func (s *Store) LastResults(ctx context.Context, user store.UserID, limit int) ([]store.Result, error) {
	return readAll(ctx, s, table.Results, lastResultsText, string(user), max(limit, 0))
}

// PastMatches implements [store.Store].
func (s *Store) PastMatches(ctx context.Context, limit int) ([]store.Match, error) {
	return readAll(ctx, s, table.Matches, pastMatchesText, max(limit, 0))
}

// Profile implements [store.Store].
func (s *Store) Profile(ctx context.Context, user, viewer store.UserID, guild store.GuildID) (p store.Profile, err error) {
	p.Tallies, err = readEach(ctx, s, table.ScanTally, talliesText, string(user))
	if err != nil {
		return p, err
	}
	p.Honours = map[store.Honours]int{}
	err = s.read(ctx, honoursText, []any{string(user)}, func(rows pgx.Rows) error {
		for rows.Next() {
			h, n, err := table.ScanHonour(rows)
			if err != nil {
				return err
			}
			p.Honours[h] = n
		}
		return nil
	})
	if err != nil {
		return p, err
	}
	for _, one := range []struct {
		text string
		args []any
		into []any
	}{
		{streakText, []any{string(user)}, []any{&p.Streak, &p.Best}},
		{toughestText, []any{string(user), string(guild)}, table.EncounterInto(&p.Toughest)},
		{versusText, []any{string(user), string(viewer)}, table.EncounterInto(&p.Versus)[1:]},
	} {
		if err := s.readRow(ctx, one.text, one.args, one.into...); err != nil && !errors.Is(err, store.ErrNotFound) {
			return p, err
		}
	}
	return table.Known(p, viewer), nil
}

// readEach returns what the function makes of the rows of the statement.
func readEach[T any](ctx context.Context, s *Store, scan func(table.Row) (T, error), text string, args ...any) (all []T, err error) {
	err = s.read(ctx, text, args, func(rows pgx.Rows) error {
		all = nil
		for rows.Next() {
			one, err := scan(rows)
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		return nil
	})
	return all, err
}

// readRow runs a statement that has one row, or [store.ErrNotFound].
func (s *Store) readRow(ctx context.Context, text string, args []any, into ...any) error {
	found := false
	err := s.read(ctx, text, args, func(rows pgx.Rows) error {
		if found = rows.Next(); found {
			return rows.Scan(into...)
		}
		return nil
	})
	if err == nil && !found {
		return store.ErrNotFound
	}
	return err
}

// Standings implements [store.Store].
func (s *Store) Standings(ctx context.Context, guild store.GuildID, p store.Period, offset, limit int) (rows []store.Standing, total int, err error) {
	rows, err = readEach(ctx, s, table.ScanStanding, standingsText, string(guild), int64(p), max(limit, 0), max(offset, 0))
	if err != nil {
		return nil, 0, err
	}
	if total, err = s.above(ctx, guild, p, -1, store.MostListed+1); err != nil || len(rows) == 0 {
		return nil, total, err
	}
	first, err := s.above(ctx, guild, p, rows[0].Points, store.MostRanked)
	return table.Ranked(rows, first, max(offset, 0)), total, err
}

// Standing implements [store.Store].
func (s *Store) Standing(ctx context.Context, guild store.GuildID, p store.Period, user store.UserID) (row store.Standing, err error) {
	err = s.readRow(ctx, standingText, []any{string(guild), int64(p), string(user)}, table.StandingInto(&row)...)
	if err != nil {
		return store.Standing{}, err
	}
	above, err := s.above(ctx, guild, p, row.Points, store.MostRanked)
	row.Rank = above + 1
	return row, err
}

// above returns how many have more points, or the limit if there are more.
func (s *Store) above(ctx context.Context, guild store.GuildID, p store.Period, points, limit int) (n int, err error) {
	err = s.readRow(ctx, aboveText, []any{string(guild), int64(p), points, limit}, &n)
	return min(n, limit), err
}
