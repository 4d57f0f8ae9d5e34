package match

import (
	"tictactoe/engine"
	"tictactoe/store"
)

// Resign ends the match for the user, who gives up.
func Resign(m store.Match, user store.UserID) (store.Match, error) {
	seat := m.Seat(user)
	if seat == engine.None {
		return m, ErrNotYourGame
	}
	if m.State != store.Active {
		return m, WhyOver(m)
	}
	return End(m, store.Resignation, seat.Other()), nil
}

// Stop ends the match for a moderator: it counts for nobody.
func Stop(m store.Match, by store.UserID) (store.Match, error) {
	switch {
	case BetweenGames(m):
		return m, ErrSeriesGoesOn
	case m.State != store.Active:
		return m, ErrMatchOver
	}
	m.EndedBy = by
	return End(m, store.Stopped, engine.None), nil
}
