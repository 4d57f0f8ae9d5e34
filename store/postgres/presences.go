package postgres

import (
	"context"
	"slices"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/erasing"
	"tictactoe/store/internal/sqlstore"
)

// The statements about where the bot is.
var (
	seeText        = sqlstore.Postgres.Text(sqlstore.See)
	unusedText     = sqlstore.Postgres.Text(sqlstore.Unused)
	missText       = sqlstore.Postgres.Text(sqlstore.Miss)
	forgetText     = sqlstore.Postgres.Text(sqlstore.Forget)
	departuresText = sqlstore.Postgres.Text(sqlstore.Departures)
)

// lockResultsText keeps everybody else from writing results until the transaction ends: what
// a step takes out of a guild is read several times.
const lockResultsText = "LOCK TABLE results IN SHARE ROW EXCLUSIVE MODE"

// step is something that is done statement by statement, each by what the one before has
// come to. What it comes to is to be read only when the outcome is known.
type step func(ctx context.Context, w *writer) error

// SeeGuilds implements [store.Store].
func (s *Store) SeeGuilds(ctx context.Context, seen store.Sighting) error {
	if err := seen.Validate(); err != nil {
		return err
	}
	return s.writer.queue.Do(ctx, request{step: func(ctx context.Context, w *writer) error {
		p := &pipeline{}
		for _, g := range slices.Sorted(slices.Values(seen.Guilds)) { // the same order for whoever sees them
			p.addAny(seeText, string(seen.Application), string(g), seen.At.UnixMilli())
		}
		return w.send(ctx, p)
	}})
}

// UnusedGuilds implements [store.Store].
func (s *Store) UnusedGuilds(ctx context.Context, app store.ApplicationID, now time.Time, limit int) ([]store.GuildID, error) {
	scan := func(r sqlstore.Row) (g store.GuildID, err error) { return g, r.Scan(sqlstore.TextAt(&g)) }
	return readEach(ctx, s, scan, unusedText, string(app), now.Add(-store.UnusedFor).UnixMilli(), now.Add(-store.AsksApart).UnixMilli(), max(limit, 0))
}

// MissGuild implements [store.Store].
func (s *Store) MissGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID, at time.Time) error {
	return s.writer.queue.Do(ctx, request{step: func(ctx context.Context, w *writer) error {
		p := &pipeline{}
		p.addAny(missText, string(app), string(guild), at.UnixMilli(), at.Add(-store.AsksApart).UnixMilli())
		return w.send(ctx, p)
	}})
}

// ForgetGuild implements [store.Store].
func (s *Store) ForgetGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID) error {
	if err := (store.Departure{Application: app, Guild: guild}).Validate(); err != nil {
		return err
	}
	return s.writer.queue.Do(ctx, request{step: func(ctx context.Context, w *writer) error {
		p := &pipeline{}
		p.addAny(forgetText, string(app), string(guild))
		return w.send(ctx, p)
	}})
}

// Departures implements [store.Store].
func (s *Store) Departures(ctx context.Context, app store.ApplicationID, before time.Time, limit int) ([]store.Departure, error) {
	return readEach(ctx, s, sqlstore.ScanDeparture, departuresText, string(app), before.UnixMilli(), max(limit, 0))
}

// EraseGuild implements [store.Store].
func (s *Store) EraseGuild(ctx context.Context, d store.Departure, limit int) (store.ErasureStep, error) {
	if err := d.Validate(); err != nil {
		return 0, err
	}
	var got store.ErasureStep
	err := s.writer.queue.Do(ctx, request{step: func(ctx context.Context, w *writer) (err error) {
		t := transaction{ctx, w}
		got, err = erasing.GuildStep(t, d, limit, func() error {
			_, err := t.Exec(lockResultsText)
			return err
		})
		return err
	}})
	if err != nil {
		return 0, err
	}
	return got, nil
}
