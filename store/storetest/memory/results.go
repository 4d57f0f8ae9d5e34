package memory

import (
	"cmp"
	"context"
	"maps"
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

// side is a person's side of a result.
type side struct {
	store.Result
	user             store.UserID
	other            store.Player
	points           int
	honours          store.Honours
	won, drawn, lost int
}

func (k *snapshot) sides() (all []side) {
	for _, r := range k.results {
		if r.EndReason > store.Clock || r.FromPosition {
			continue
		}
		for _, mark := range [...]engine.Mark{engine.X, engine.O} {
			s := side{Result: r, user: r.X.User, other: r.O, points: r.PointsX, honours: r.HonoursX}
			if mark == engine.O {
				s.user, s.other, s.points, s.honours = r.O.User, r.X, r.PointsO, r.HonoursO
			}
			s.won, s.drawn, s.lost = b2i(r.Winner == mark), b2i(r.Winner == engine.None), b2i(r.Winner == mark.Other())
			if s.user != "" {
				all = append(all, s)
			}
		}
	}
	return all
}

// Profile implements [store.Results].
func (s *Store) Profile(ctx context.Context, user, viewer store.UserID, guild store.GuildID) (store.Profile, error) {
	k, err := s.read(ctx)
	p := store.Profile{Honours: map[store.Honours]int{}}
	met := map[store.UserID]store.Encounter{}
	for _, s := range k.sides() {
		if s.user != user {
			continue
		}
		i := slices.IndexFunc(p.Tallies, func(t store.Tally) bool { return t.Opponent == s.other.Opponent && t.Rules == s.Rules })
		if i < 0 {
			i = len(p.Tallies)
			p.Tallies = append(p.Tallies, store.Tally{Opponent: s.other.Opponent, Rules: s.Rules})
		}
		t := &p.Tallies[i]
		t.Won, t.Drawn, t.Lost = t.Won+s.won, t.Drawn+s.drawn, t.Lost+s.lost
		for b := range store.MostHonours {
			if h := store.Honours(1) << b; s.honours&h != 0 {
				p.Honours[h]++
			}
		}
		if !s.other.IsUser() {
			continue
		}
		if s.Why != store.BeforeLedger {
			if p.Streak++; s.won == 0 {
				p.Streak = 0
			}
			p.Best = max(p.Best, p.Streak)
		}
		if s.other.User == viewer {
			p.Versus = store.Encounter{Other: viewer, Won: p.Versus.Won + s.won, Drawn: p.Versus.Drawn + s.drawn, Lost: p.Versus.Lost + s.lost}
		}
		if s.Guild == guild {
			e := met[s.other.User]
			met[s.other.User] = store.Encounter{Other: s.other.User, Won: e.Won + s.won, Drawn: e.Drawn + s.drawn, Lost: e.Lost + s.lost}
		}
	}
	slices.SortFunc(p.Tallies, func(a, b store.Tally) int {
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
		points := s.points
		switch {
		case s.Guild != guild || s.Epoch != k.epochs[guild]:
			continue
		case p == store.BotWins:
			if points = 1; !s.BotWin || s.won == 0 {
				continue
			}
		case s.Why != store.Counts, p != store.AllTime && p != store.MonthOf(s.Ended):
			continue
		}
		r := rows[s.user]
		rows[s.user] = store.Standing{User: s.user, Points: r.Points + points, Won: r.Won + s.won, Drawn: r.Drawn + s.drawn, Lost: r.Lost + s.lost}
	}
	var list []store.Standing
	for user, r := range rows {
		if r.Points > 0 && !k.absent[member{guild, user}] {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b store.Standing) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Games(), b.Games()), cmp.Compare(a.User, b.User))
	})
	for i, row := range list { // as many points in as many games are one rank
		list[i].Rank = 1 + slices.IndexFunc(list, func(r store.Standing) bool { return r.Points == row.Points && r.Games() == row.Games() })
	}
	return list
}
