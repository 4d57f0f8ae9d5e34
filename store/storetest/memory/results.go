package memory

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"tictactoe/engine"
	"tictactoe/store"
)

// putResults writes the results of the change, given the matches before it.
func (k *snapshot) putResults(c store.Change) {
	for _, e := range c.Endings() {
		old := k.matches[e.Match].State == store.Ended
		if len(k.resultsOf(e.Match)) > 0 || old != (e.Why == store.BeforeLedger) {
			continue
		}
		r := e.Result
		r.Epoch = k.epochs[r.Guild]
		if r.Why == store.Counts {
			r.Why = k.capped(r, e.Caps)
		}
		if r.Why != store.Counts {
			r.PointsX, r.PointsO = 0, 0
		}
		k.results = append(k.results, r)
		if r.Why != store.BeforeLedger {
			delete(k.absent, member{r.Guild, r.X.User})
			delete(k.absent, member{r.Guild, r.O.User})
		}
	}
	for _, e := range c.Epochs {
		k.epochs[e.Guild]++
	}
	for _, a := range c.Absences {
		if delete(k.absent, member{a.Guild, a.User}); a.Gone {
			k.absent[member{a.Guild, a.User}] = true
		}
	}
}

// resultsOf returns the result of the match, if it has one.
func (k *snapshot) resultsOf(id store.MatchID) []store.Result {
	return slices.DeleteFunc(slices.Clone(k.results), func(r store.Result) bool { return r.Match != id })
}

// Result implements [store.Results].
func (s *Store) Result(ctx context.Context, id store.MatchID) (store.Result, error) {
	k, err := s.read(ctx)
	return found(k.resultsOf(id), err)
}

// LastResults implements [store.Results].
func (s *Store) LastResults(ctx context.Context, user store.UserID, limit int) ([]store.Result, error) {
	k, err := s.read(ctx)
	return list(slices.Values(k.results), limit, func(r store.Result) bool {
		return user != "" && (r.X.User == user || r.O.User == user) && r.Plies > 0 && k.matches[r.Match].Version > 0
	}, func(a, b store.Result) int { return cmp.Or(b.Ended.Compare(a.Ended), cmp.Compare(b.Match, a.Match)) }), err
}

// PastMatches implements [store.Results]: what is kept here never was without a ledger.
func (s *Store) PastMatches(ctx context.Context, _ int) ([]store.Match, error) {
	_, err := s.read(ctx)
	return nil, err
}

// Recount implements [store.Results]: no sums are kept.
func (s *Store) Recount(ctx context.Context) (int, error) { return 0, s.Check(ctx) }

// capped returns why the result does not count, by what has counted on its day.
func (k *snapshot) capped(r store.Result, caps store.Caps) store.Why {
	seats, pair, ofX, ofO := 0, 0, 0, 0
	for _, other := range k.results {
		if other.Why != store.Counts || other.Guild != r.Guild || store.DayOf(other.Ended) != store.DayOf(r.Ended) {
			continue
		}
		for _, p := range [...]*store.Player{&other.X, &other.O} {
			if f, ok := k.former[p.User]; ok {
				p.User = f.user
			}
		}
		same, swapped := other.X == r.X && other.O == r.O, other.X == r.O && other.O == r.X
		seats += b2i(same)
		pair += b2i(same || swapped)
		if other.X.IsUser() && other.O.IsUser() {
			ofX += b2i(other.X == r.X || other.O == r.X)
			ofO += b2i(other.X == r.O || other.O == r.O)
		}
	}
	switch {
	case caps.Seats > 0 && seats >= caps.Seats, caps.Pair > 0 && pair >= caps.Pair:
		return store.PairDone
	case caps.Person > 0 && (r.X.IsUser() && ofX >= caps.Person || r.O.IsUser() && ofO >= caps.Person):
		return store.PersonDone
	default:
		return store.Counts
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sides returns results that are counted as each of their people sees them: who has the seat of
// X in them then.
func (k *snapshot) sides() (all []store.Result) {
	for _, r := range k.results {
		if r.EndReason > store.Clock || r.FromPosition {
			continue
		}
		turned := r
		turned.X, turned.PointsX, turned.HonoursX = r.O, r.PointsO, r.HonoursO
		turned.O, turned.Winner = r.X, r.Winner.Other()
		all = append(all, r, turned)
	}
	return slices.DeleteFunc(all, func(r store.Result) bool { return !r.X.IsUser() })
}

// score says whether who has the seat of X has won, drawn or lost.
func score(r store.Result) (won, drawn, lost int) {
	return b2i(r.Winner == engine.X), b2i(r.Winner == engine.None), b2i(r.Winner == engine.O)
}

// Profile implements [store.Results].
func (s *Store) Profile(ctx context.Context, user, viewer store.UserID, guild store.GuildID) (store.Profile, error) {
	k, err := s.read(ctx)
	p := store.Profile{Honours: map[store.Honours]int{}}
	met := map[store.UserID]store.Encounter{}
	tallies := map[store.Tally]store.Tally{} // by opponent and rules
	for _, s := range k.sides() {
		if s.X.User != user {
			continue
		}
		won, drawn, lost := score(s)
		of := store.Tally{Opponent: s.O.Opponent, Rules: s.Rules}
		t := tallies[of]
		tallies[of] = store.Tally{Opponent: of.Opponent, Rules: of.Rules, Won: t.Won + won, Drawn: t.Drawn + drawn, Lost: t.Lost + lost}
		for b := range store.MostHonours {
			if h := store.Honours(1) << b; s.HonoursX&h != 0 {
				p.Honours[h]++
			}
		}
		if !s.O.IsUser() {
			continue
		}
		if s.Why != store.BeforeLedger {
			if p.Streak++; won == 0 {
				p.Streak = 0
			}
			p.Best = max(p.Best, p.Streak)
		}
		if s.O.User == viewer {
			p.Versus = store.Encounter{Other: viewer, Won: p.Versus.Won + won, Drawn: p.Versus.Drawn + drawn, Lost: p.Versus.Lost + lost}
		}
		if s.Guild == guild {
			e := met[s.O.User]
			met[s.O.User] = store.Encounter{Other: s.O.User, Won: e.Won + won, Drawn: e.Drawn + drawn, Lost: e.Lost + lost}
		}
	}
	p.Tallies = slices.SortedFunc(maps.Values(tallies), func(a, b store.Tally) int {
		return cmp.Or(cmp.Compare(a.Opponent, b.Opponent), cmp.Compare(a.Rules.M, b.Rules.M), cmp.Compare(a.Rules.N, b.Rules.N),
			cmp.Compare(a.Rules.K, b.Rules.K), cmp.Compare(a.Rules.Limit, b.Rules.Limit))
	})
	for _, other := range slices.Sorted(maps.Keys(met)) {
		if e, best := met[other], p.Toughest; e.Lost-e.Won > best.Lost-best.Won {
			p.Toughest = e
		}
	}
	return p, err
}

// Standings implements [store.Results].
func (s *Store) Standings(ctx context.Context, guild store.GuildID, p store.Period, offset, limit int) (rows []store.Standing, total int, err error) {
	k, err := s.read(ctx)
	rows = k.standings(guild, p)
	return page(rows, offset, limit), min(len(rows), store.MostListed+1), err
}

// Standing implements [store.Results].
func (s *Store) Standing(ctx context.Context, guild store.GuildID, p store.Period, user store.UserID) (store.Standing, error) {
	k, err := s.read(ctx)
	return found(slices.DeleteFunc(k.standings(guild, p), func(r store.Standing) bool { return r.User != user }), err)
}

// standings returns all rows of those who have points and are not gone.
func (k *snapshot) standings(guild store.GuildID, p store.Period) []store.Standing {
	rows := map[store.UserID]store.Standing{}
	for _, s := range k.sides() {
		points := s.PointsX
		won, drawn, lost := score(s)
		switch {
		case s.Guild != guild || s.Epoch != k.epochs[guild]:
			continue
		case p == store.BotWins:
			if points = 1; !s.BotWin || won == 0 {
				continue
			}
		case s.Why != store.Counts, p != store.AllTime && p != store.MonthOf(s.Ended):
			continue
		}
		r := rows[s.X.User]
		rows[s.X.User] = store.Standing{User: s.X.User, Points: r.Points + points, Won: r.Won + won, Drawn: r.Drawn + drawn, Lost: r.Lost + lost}
	}
	ranked := list(maps.Values(rows), math.MaxInt,
		func(r store.Standing) bool { return r.Points > 0 && !k.absent[member{guild, r.User}] },
		func(a, b store.Standing) int {
			return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Games(), b.Games()), cmp.Compare(a.User, b.User))
		})
	for i, row := range ranked { // as many points in as many games are one rank
		ranked[i].Rank = 1 + slices.IndexFunc(ranked, func(r store.Standing) bool { return r.Points == row.Points && r.Games() == row.Games() })
	}
	return ranked
}
