package sqlstore

import "tictactoe/store"

// ScanTally reads a row of Tallies.
func ScanTally(r Row) (t store.Tally, err error) {
	return t, r.Scan(TextAt(&t.Opponent), NumberAt(&t.Rules.M), NumberAt(&t.Rules.N), NumberAt(&t.Rules.K), NumberAt(&t.Rules.Limit),
		NumberAt(&t.Won), NumberAt(&t.Drawn), NumberAt(&t.Lost))
}

// ScanHonour reads a row of Honours.
func ScanHonour(r Row) (h store.Honours, times int, err error) {
	return h, times, r.Scan(NumberAt(&h), NumberAt(&times))
}

// EncounterInto is what a row of Toughest is scanned into, and without the first one of
// Versus.
func EncounterInto(e *store.Encounter) []any {
	return []any{TextAt(&e.Other), NumberAt(&e.Won), NumberAt(&e.Drawn), NumberAt(&e.Lost)}
}

// Known returns the profile without what says nothing.
func Known(p store.Profile, viewer store.UserID) store.Profile {
	if p.Toughest.Lost <= p.Toughest.Won {
		p.Toughest = store.Encounter{}
	}
	if p.Versus.Won+p.Versus.Drawn+p.Versus.Lost > 0 {
		p.Versus.Other = viewer
	}
	return p
}

// StandingInto is what a row of Standing is scanned into.
func StandingInto(s *store.Standing) []any {
	return []any{TextAt(&s.User), NumberAt(&s.Points), NumberAt(&s.Won), NumberAt(&s.Drawn), NumberAt(&s.Lost)}
}

// ScanStanding reads a row of Standings.
func ScanStanding(r Row) (s store.Standing, err error) {
	return s, r.Scan(StandingInto(&s)...)
}

// Ranked gives the rows their ranks: above says how many have more points than the first
// of them, offset how many rows come before it.
func Ranked(rows []store.Standing, above, offset int) []store.Standing {
	for i := range rows {
		switch {
		case i == 0:
			rows[i].Rank = above + 1
		case rows[i].Points == rows[i-1].Points:
			rows[i].Rank = rows[i-1].Rank
		default:
			rows[i].Rank = offset + i + 1
		}
	}
	return rows
}
