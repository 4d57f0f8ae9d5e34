package sqlite

import (
	"context"
	"database/sql"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/erasing"
	"tictactoe/store/internal/table"
)

// SeeGuilds implements [store.Store].
func (s *Store) SeeGuilds(ctx context.Context, seen store.Sighting) error {
	if err := seen.Validate(); err != nil {
		return err
	}
	return s.writer.do(ctx, func(st *writeStatements) error {
		see := st.see
		if seen.Known {
			see = st.seeKnown
		}
		for _, g := range seen.Guilds {
			if _, err := see.ExecContext(context.Background(), string(seen.Application), string(g), seen.At.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}

// MissGuilds implements [store.Store].
func (s *Store) MissGuilds(ctx context.Context, app store.ApplicationID, begun time.Time, limit int) (int, error) {
	var missed int64 // read only when the outcome is known
	err := s.writer.do(ctx, func(st *writeStatements) (err error) {
		missed, err = erasing.Miss(st, app, begun, limit)
		return err
	})
	if err != nil {
		return 0, err
	}
	return int(missed), nil
}

// Sweeps implements [store.Store].
func (s *Store) Sweeps(ctx context.Context, app store.ApplicationID) (found store.Sweeps, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.sweeps }, []any{string(app)}, func(r table.Row) (err error) {
		found, err = table.ScanSweeps(r)
		return err
	})
	return found, err
}

// Departures implements [store.Store].
func (s *Store) Departures(ctx context.Context, app store.ApplicationID, before time.Time, limit int) (all []store.Departure, err error) {
	args := []any{string(app), before.UnixMilli(), max(limit, 0)}
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.departures }, args, func(r table.Row) error {
		d, err := table.ScanDeparture(r)
		all = append(all, d)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// EraseGuild implements [store.Store].
func (s *Store) EraseGuild(ctx context.Context, d store.Departure, limit int) (store.ErasureStep, error) {
	if err := d.Validate(); err != nil {
		return 0, err
	}
	var step store.ErasureStep // read only when the outcome is known
	err := s.writer.do(ctx, func(st *writeStatements) (err error) {
		step, err = erasing.GuildStep(st, d, limit, func() error { return nil })
		return err
	})
	if err != nil {
		return 0, err
	}
	return step, nil
}
