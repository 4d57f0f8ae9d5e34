package storetest

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"tictactoe/engine"
	"tictactoe/store"
)

// ledger is what the model keeps about results. Every sum is counted anew when it is
// asked for.
type ledger struct {
	results []store.Result // in the order in which they were written
	epochs  map[store.GuildID]int
	absent  map[store.Absence]bool // with Gone
	past    store.MatchID
	former  map[store.UserID]store.UserID // whose a pseudonym is
}

func newLedger() ledger {
	return ledger{epochs: map[store.GuildID]int{}, absent: map[store.Absence]bool{}, past: 1<<63 - 1, former: map[store.UserID]store.UserID{}}
}

func (l ledger) clone() ledger {
	l.results, l.epochs, l.absent, l.former = slices.Clone(l.results), maps.Clone(l.epochs), maps.Clone(l.absent), maps.Clone(l.former)
	return l
}

// write writes the results of the change, given the matches before it.
func (l *ledger) write(c store.Change, matches map[store.MatchID]store.Match) {
	for _, e := range c.Endings() {
		old := matches[e.Match].State == store.Ended
		if _, ok := l.of(e.Match); ok || old != (e.Why == store.BeforeLedger) {
			continue
		}
		r := e.Result
		r.Epoch = l.epochs[r.Guild]
		if r.Why == store.Counts {
			r.Why = l.capped(r, e.Caps)
		}
		if r.Why != store.Counts {
			r.PointsX, r.PointsO = 0, 0
		}
		l.results = append(l.results, r)
		if r.Why != store.BeforeLedger {
			delete(l.absent, store.Absence{Guild: r.Guild, User: r.X.User, Gone: true})
			delete(l.absent, store.Absence{Guild: r.Guild, User: r.O.User, Gone: true})
		}
	}
	l.past = max(l.past, c.PastTo)
	for _, e := range c.Epochs {
		l.epochs[e.Guild]++
	}
	for _, a := range c.Absences {
		delete(l.absent, store.Absence{Guild: a.Guild, User: a.User, Gone: true})
		if a.Gone {
			l.absent[a] = true
		}
	}
}

func (l *ledger) of(id store.MatchID) (store.Result, bool) {
	i := slices.IndexFunc(l.results, func(r store.Result) bool { return r.Match == id })
	if i < 0 {
		return store.Result{}, false
	}
	return l.results[i], true
}

// lastOf returns the results of the user's matches in which somebody has moved, the last
// ones first.
func (l *ledger) lastOf(user store.UserID) (all []store.Result) {
	for _, r := range l.results {
		if user != "" && (r.X.User == user || r.O.User == user) && r.Plies > 0 {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b store.Result) int {
		return cmp.Or(b.Ended.Compare(a.Ended), cmp.Compare(b.Match, a.Match))
	})
	return all
}

// capped returns why the result does not count, by what has counted on its day.
func (l *ledger) capped(r store.Result, caps store.Caps) store.Why {
	seats, pair, ofX, ofO := 0, 0, 0, 0
	for _, other := range l.results {
		if other.Why != store.Counts || other.Guild != r.Guild || store.DayOf(other.Ended) != store.DayOf(r.Ended) {
			continue
		}
		for _, p := range [...]*store.Player{&other.X, &other.O} {
			if user, ok := l.former[p.User]; ok {
				p.User = user
			}
		}
		if other.X == r.X && other.O == r.O {
			seats++
			pair++
		}
		if other.X == r.O && other.O == r.X {
			pair++
		}
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

func (l *ledger) sides() (all []side) {
	for _, r := range l.results {
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

func (l *ledger) profile(user, viewer store.UserID, guild store.GuildID) store.Profile {
	p := store.Profile{Honours: map[store.Honours]int{}}
	met := map[store.UserID]store.Encounter{}
	for _, s := range l.sides() {
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
	return p
}

// standings returns all rows of those who are not gone.
func (l *ledger) standings(guild store.GuildID, p store.Period) []store.Standing {
	rows := map[store.UserID]store.Standing{}
	for _, s := range l.sides() {
		points := s.points
		switch {
		case s.Guild != guild || s.Epoch != l.epochs[guild]:
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
		if !l.absent[store.Absence{Guild: guild, User: user, Gone: true}] {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b store.Standing) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Won, a.Won), cmp.Compare(a.User, b.User))
	})
	for i := range list {
		if list[i].Rank = i + 1; i > 0 && list[i].Points == list[i-1].Points {
			list[i].Rank = list[i-1].Rank
		}
	}
	return list
}

// pastMatches returns the matches that ended before and have no result yet.
func (o model) pastMatches() []store.Match {
	return o.list(func(m store.Match) bool {
		_, ok := o.ledger.of(m.ID)
		return !ok && m.State == store.Ended && m.ID > o.ledger.past
	}, byID)
}

// compareResults compares everything about results that can be read with the model.
func compareResults(ctx context.Context, s store.Store, want *model, same func(what string, got, want any, err error)) {
	for id := store.MatchID(1); id <= 5; id++ {
		got, err := s.Result(ctx, id)
		r, ok := want.ledger.of(id)
		if !ok && errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		same("Result", got, r, err)
	}
	for _, p := range []store.Period{store.AllTime, store.BotWins, store.MonthOf(noon)} {
		rows, total, err := s.Standings(ctx, "1", p, 0, 9)
		all := want.ledger.standings("1", p)
		same("Standings", rows, all, err)
		same("Standings in all", total, len(all), err)
	}
	for _, user := range []store.UserID{ada.User, bob.User} {
		got, err := s.Profile(ctx, user, bob.User, "1")
		same("Profile", got, want.ledger.profile(user, bob.User, "1"), err)
	}
	past, err := s.PastMatches(ctx, 9)
	same("PastMatches", ids(past), ids(want.pastMatches()), err)
}
