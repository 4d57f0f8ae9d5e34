package postgres

import (
	"context"
	"slices"
	"strings"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/erasing"
	"tictactoe/store/internal/table"
)

// The statements about where the bot is.
var (
	seeText        = table.Postgres.Text(table.See)
	seeKnownText   = table.Postgres.Text(strings.ReplaceAll(table.SeeKnown, "?3", "?3::bigint"))
	sweepsText     = table.Postgres.Text(table.Sweeps)
	departuresText = table.Postgres.Text(table.Departures)
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
		p, text := &pipeline{}, seeText
		if seen.Known {
			text = seeKnownText
		}
		for _, g := range slices.Sorted(slices.Values(seen.Guilds)) { // the same order for whoever sees them
			p.addAny(text, string(seen.Application), string(g), seen.At.UnixMilli())
		}
		return w.send(ctx, p)
	}})
}

// MissGuilds implements [store.Store].
func (s *Store) MissGuilds(ctx context.Context, app store.ApplicationID, begun time.Time, limit int) (int, error) {
	var missed int64
	err := s.writer.queue.Do(ctx, request{step: func(ctx context.Context, w *writer) (err error) {
		missed, err = erasing.Miss(transaction{ctx, w}, app, begun, limit)
		return err
	}})
	if err != nil {
		return 0, err
	}
	return int(missed), nil
}

// Sweeps implements [store.Store].
func (s *Store) Sweeps(ctx context.Context, app store.ApplicationID) (found store.Sweeps, err error) {
	all, err := readEach(ctx, s, table.ScanSweeps, sweepsText, string(app))
	if err != nil || len(all) == 0 {
		return store.Sweeps{}, err
	}
	return all[0], nil
}

// Departures implements [store.Store].
func (s *Store) Departures(ctx context.Context, app store.ApplicationID, before time.Time, limit int) ([]store.Departure, error) {
	return readEach(ctx, s, table.ScanDeparture, departuresText, string(app), before.UnixMilli(), max(limit, 0))
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
