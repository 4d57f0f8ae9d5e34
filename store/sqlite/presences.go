package sqlite

import (
	"context"
	"database/sql"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/erasing"
	"tictactoe/store/internal/sqlstore"
)

// SeeGuilds implements [store.Store].
func (s *Store) SeeGuilds(ctx context.Context, seen store.Sighting) error {
	if err := seen.Validate(); err != nil {
		return err
	}
	return s.writer.do(ctx, func(st *writeStatements) error {
		for _, g := range seen.Guilds {
			if _, err := st.see.ExecContext(context.Background(), string(seen.Application), string(g), seen.At.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}

// UnusedGuilds implements [store.Store].
func (s *Store) UnusedGuilds(ctx context.Context, app store.ApplicationID, now time.Time, limit int) (all []store.GuildID, err error) {
	args := []any{string(app), now.Add(-store.UnusedFor).UnixMilli(), now.Add(-store.AsksApart).UnixMilli(), max(limit, 0)}
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.unused }, args, func(r sqlstore.Row) error {
		var g store.GuildID
		err := r.Scan(sqlstore.TextAt(&g))
		all = append(all, g)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// MissGuild implements [store.Store].
func (s *Store) MissGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID, at time.Time) error {
	return s.writer.do(ctx, func(st *writeStatements) error {
		_, err := st.miss.ExecContext(context.Background(), string(app), string(guild), at.UnixMilli(), at.Add(-store.AsksApart).UnixMilli())
		return err
	})
}

// ForgetGuild implements [store.Store].
func (s *Store) ForgetGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID) error {
	if err := (store.Departure{Application: app, Guild: guild}).Validate(); err != nil {
		return err
	}
	return s.writer.do(ctx, func(st *writeStatements) error {
		_, err := st.forget.ExecContext(context.Background(), string(app), string(guild))
		return err
	})
}

// Departures implements [store.Store].
func (s *Store) Departures(ctx context.Context, app store.ApplicationID, before time.Time, limit int) (all []store.Departure, err error) {
	args := []any{string(app), before.UnixMilli(), max(limit, 0)}
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.departures }, args, func(r sqlstore.Row) error {
		d, err := sqlstore.ScanDeparture(r)
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
	if err := dropCopies(s.db.path, time.Time{}); err != nil {
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
