package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// putResult writes the result and adds it to the sums, within the transaction and
// before the match is stored, unless it is not this change that ends the match.
func (s *writeStatements) putResult(e store.Ending) error {
	ctx := context.Background()
	result, err := s.insertResult.ExecContext(ctx, sqlstore.EndingArgs(e, s.key)...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return err
	}
	for _, add := range s.addResult {
		if _, err := add.ExecContext(ctx, int64(e.Match)); err != nil {
			return err
		}
	}
	if e.Why != store.BeforeLedger {
		_, err = s.backAgain.ExecContext(ctx, string(e.Guild), string(e.X.User), string(e.O.User))
	}
	return err
}

// putLedger stores what else a change says about results.
func (s *writeStatements) putLedger(c store.Change) error {
	ctx := context.Background()
	if c.PastTo > 0 {
		if _, err := s.pastTo.ExecContext(ctx, int64(c.PastTo)); err != nil {
			return err
		}
	}
	for _, e := range c.Epochs {
		if _, err := s.beginEpoch.ExecContext(ctx, string(e.Guild), e.At.UnixMilli(), string(e.By)); err != nil {
			return err
		}
	}
	for _, a := range c.Absences {
		var err error
		if a.Gone {
			_, err = s.leave.ExecContext(ctx, string(a.Guild), string(a.User))
		} else {
			_, err = s.backAgain.ExecContext(ctx, string(a.Guild), string(a.User), "")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Result implements [store.Store].
func (s *Store) Result(ctx context.Context, id store.MatchID) (store.Result, error) {
	return readOne(ctx, s, sqlstore.Results, func(r *readStatements) *sql.Stmt { return r.result }, int64(id))
}

// LastResults implements [store.Store].
func (s *Store) LastResults(ctx context.Context, user store.UserID, limit int) ([]store.Result, error) {
	return readAll(ctx, s, sqlstore.Results, func(r *readStatements) *sql.Stmt { return r.lastResults }, string(user), max(limit, 0))
}

// PastMatches implements [store.Store].
func (s *Store) PastMatches(ctx context.Context, limit int) ([]store.Match, error) {
	return readAll(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.pastMatches }, max(limit, 0))
}

// Profile implements [store.Store].
func (s *Store) Profile(ctx context.Context, user, viewer store.UserID, guild store.GuildID) (p store.Profile, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.tallies }, []any{string(user)}, func(r sqlstore.Row) error {
		t, err := sqlstore.ScanTally(r)
		p.Tallies = append(p.Tallies, t)
		return err
	})
	if err != nil {
		return p, err
	}
	p.Honours = map[store.Honours]int{}
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.honours }, []any{string(user)}, func(r sqlstore.Row) error {
		h, n, err := sqlstore.ScanHonour(r)
		p.Honours[h] = n
		return err
	})
	if err != nil {
		return p, err
	}
	for _, one := range []struct {
		which func(*readStatements) *sql.Stmt
		args  []any
		into  []any
	}{
		{func(r *readStatements) *sql.Stmt { return r.streak }, []any{string(user)}, []any{&p.Streak, &p.Best}},
		{func(r *readStatements) *sql.Stmt { return r.toughest }, []any{string(user), string(guild)}, sqlstore.EncounterInto(&p.Toughest)},
		{func(r *readStatements) *sql.Stmt { return r.versus }, []any{string(user), string(viewer)}, sqlstore.EncounterInto(&p.Versus)[1:]},
	} {
		if err := s.readRow(ctx, one.which, one.args, one.into...); err != nil && !errors.Is(err, store.ErrNotFound) {
			return p, err
		}
	}
	return sqlstore.Known(p, viewer), nil
}

// Standings implements [store.Store].
func (s *Store) Standings(ctx context.Context, guild store.GuildID, p store.Period, offset, limit int) (rows []store.Standing, total int, err error) {
	args := []any{string(guild), int64(p), max(limit, 0), max(offset, 0)}
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.standings }, args, func(r sqlstore.Row) error {
		row, err := sqlstore.ScanStanding(r)
		rows = append(rows, row)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	if total, err = s.above(ctx, guild, p, -1, store.MostListed+1); err != nil || len(rows) == 0 {
		return nil, total, err
	}
	first, err := s.above(ctx, guild, p, rows[0].Points, store.MostRanked)
	return sqlstore.Ranked(rows, first, max(offset, 0)), total, err
}

// Standing implements [store.Store].
func (s *Store) Standing(ctx context.Context, guild store.GuildID, p store.Period, user store.UserID) (row store.Standing, err error) {
	err = s.readRow(ctx, func(r *readStatements) *sql.Stmt { return r.standing },
		[]any{string(guild), int64(p), string(user)}, sqlstore.StandingInto(&row)...)
	if err != nil {
		return store.Standing{}, err
	}
	above, err := s.above(ctx, guild, p, row.Points, store.MostRanked)
	row.Rank = above + 1
	return row, err
}

// above returns how many have more points, or the limit if there are more.
func (s *Store) above(ctx context.Context, guild store.GuildID, p store.Period, points, limit int) (n int, err error) {
	err = s.readRow(ctx, func(r *readStatements) *sql.Stmt { return r.above }, []any{string(guild), int64(p), points, limit}, &n)
	return min(n, limit), err
}

// Recount implements [store.Store].
func (s *Store) Recount(ctx context.Context) (int, error) {
	var wrong int64 // read only when the outcome is known
	err := s.writer.do(ctx, func(*writeStatements) error {
		wrong = 0
		for _, sum := range sqlstore.Sums {
			removed, err := s.affected(sum.Remove())
			if err != nil {
				return err
			}
			restored, err := s.affected(sum.Restore())
			if err != nil {
				return err
			}
			wrong += max(removed, restored)
		}
		return nil
	})
	return int(wrong), err
}

// affected runs a statement on the writer's connection and returns how many rows it
// changed.
func (s *Store) affected(text string) (int64, error) {
	result, err := s.db.conn.only.ExecContext(context.Background(), text)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
