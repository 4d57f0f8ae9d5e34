package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"tictactoe/store"
)

// gone is who is erased in the cases, and ghost the pseudonym.
var (
	gone  = store.Player{User: "80351110224678913"}
	ghost = store.Player{User: "18000000000000000001"}
)

// erasureOf is an erasure of the person.
func erasureOf(user, pseudonym store.UserID) store.Erasure {
	return store.Erasure{User: user, Pseudonym: pseudonym, Begun: noon}
}

// toItsEnd goes on with an erasure, wants it to be done at some time, and counts the steps.
// What comes between them is called behind each.
func toItsEnd(t tester, erase func() (store.ErasureStep, error), between ...func()) (steps int) {
	step, err := store.ErasureGoesOn, error(nil)
	for ; step == store.ErasureGoesOn && err == nil && steps < 1000; steps++ {
		step, err = erase()
		for _, look := range between {
			look()
		}
	}
	wantEqual(t, fmt.Sprintf("an erasure after %d steps", steps), store.ErasureDone)(step, err)
	return steps
}

// patiently is toItsEnd for erasures that meet others, and tries again where they do so too
// often.
func patiently(t tester, erase func() (store.ErasureStep, error)) {
	toItsEnd(t, func() (store.ErasureStep, error) {
		for {
			if step, err := erase(); !errors.Is(err, store.ErrBusy) {
				return step, err
			}
		}
	})
}

// eraseAll begins the erasure and goes on, so many rows at a time, until it is done.
func (f *fixture) eraseAll(t tester, e store.Erasure, limit int, between ...func()) (steps int) {
	f.apply(t, changeOf(e))
	return toItsEnd(t, func() (store.ErasureStep, error) { return f.Erase(t.Context(), e, limit) }, between...)
}

// lookBetween returns what recounts the sums behind each step of an erasure, and reopens the
// store where that loses the process.
func (f *fixture) lookBetween(t tester, loses bool) func() {
	return func() {
		if f.wantRecounted(t); loses {
			f.reopen(t)
		}
	}
}

// live has the person play, be declined, solve puzzles, set, block and be blocked.
func (f *fixture) live(t tester, p store.Player) {
	award := func(a *store.Award) { a.HonoursX, a.HonoursO, a.O = feat|another, another, 1 }
	for i, seats := range slices.Repeat([][2]store.Player{{p, ada}, {ada, p}, {p, easy}, {p, bob}}, 3) {
		at, worth := noon.Add(time.Duration(i)*time.Hour), award
		switch seats[1] {
		case easy:
			worth = againstProgram
		case bob:
			at = at.AddDate(0, 1, 0)
		}
		f.end(t, between(store.MatchID(100+i), seats[0], seats[1]), at, worth)
	}
	f.end(t, between(112, ada, bob), noon, award)
	put(t, f, with(ended(match(120, "900", 0)), func(m *store.Match) { m.X, m.Guild, m.Message = p, "", "901" }))
	put(t, f, with(match(121, "3", 1), func(m *store.Match) { m.State, m.EndReason, m.EndedBy = store.Ended, store.Stopped, p.User }))
	for i, c := range []store.Challenge{challenge(1, p.User, ada.User), challenge(2, ada.User, p.User), challenge(3, p.User, "")} {
		c.OpponentLocale = "el"
		c = put(t, f, c)
		c.State = []store.ChallengeState{store.Declined, store.Declined, store.Cancelled}[i]
		put(t, f, c)
	}
	f.apply(t, store.Change{
		People:   []store.Person{{User: p.User, Locale: "de"}},
		Puzzlers: []store.Puzzler{{User: p.User, Solved: 3, Streak: 2, Tries: 4, Best: 2, Last: 20000}},
		Tries: []store.PuzzleTry{
			{User: p.User, Day: 20000, State: store.PuzzleSolved, Guild: club}, {User: p.User, Day: 20001, State: store.PuzzleOpen},
		},
		Blocks: []store.Block{
			{User: p.User, From: bob.User, Since: noon},
			{User: p.User, Since: noon},
			{User: ada.User, From: p.User, Since: noon},
			{User: bob.User, From: p.User, Guild: club, Since: noon},
		},
		Epochs:   []store.Epoch{{Guild: "77", At: noon, By: p.User}},
		Absences: []store.Absence{{Guild: "78", User: p.User, Gone: true}},
		Crowns:   []store.Crown{{Channel: "77", Guild: club, User: p.User, Match: 100, Wins: 3, Since: noon, Last: noon}},
	})
}

var erasureCases = []testCase{
	{"Erase", "of somebody who was erased nothing is left but a pseudonym, others keep what is theirs, and at every moment the sums are those of the ledger", func(t *testing.T, f *fixture) {
		for _, limit := range []int{1, 3, 1000} {
			f.fresh(t)
			f.live(t, gone)
			steps := f.eraseAll(t, erasureOf(gone.User, ghost.User), limit, f.lookBetween(t, limit == 3))
			f.wantForgotten(t, string(gone.User), "Declined")
			f.look(t)
			f.wantStandings(t, club, 202402, "80351110224678912:1:15", "1:2:1")
			if limit == 1000 && steps > 3 {
				t.Errorf("all of it at once took %d steps", steps)
			}
		}
	}},
	{"EraseWhoIsBlocked", "who was erased is still blocked, until the block is lifted by either name", func(t *testing.T, f *fixture) {
		f.live(t, gone)
		f.eraseAll(t, erasureOf(gone.User, ghost.User), 5)
		f.apart() // by a hash of its own
		needs := store.Consent{Guild: club, By: gone.User, To: ada.User}
		f.refuses(t, changeOf(needs), store.ErrBlocked)
		blocks := sure(f.Blocks(t.Context(), ada.User))
		if len(blocks) != 1 || !blocks[0].From.Erased() {
			t.Fatalf("Blocks = %+v, want one of somebody who was erased", blocks)
		}
		for _, b := range []store.Block{blocks[0], {User: bob.User, From: gone.User, Guild: club}} {
			b.Lifted = true
			f.apply(t, changeOf(b))
			f.refuses(t, changeOf(store.Consent{Guild: club, By: gone.User, To: b.User}), nil)
		}
	}},
	{"RaceErase", "while somebody is erased others play on and block them, and games of theirs either came before or are refused", func(t *testing.T, f *fixture) {
		f.live(t, gone)
		f.apart()
		e := erasureOf(gone.User, ghost.User)
		var wait sync.WaitGroup
		for i := range 4 {
			wait.Go(func() {
				for n := range 10 {
					id := store.MatchID(1000 + 100*i + n)
					x := []store.Player{gone, bob}[n%2]
					c := changeOf(won(between(id, x, store.Player{User: store.UserID(fmt.Sprint(5000 + i))})))
					c.Awards = []store.Award{{Match: id, X: 3}}
					if err := f.Apply(t.Context(), c); err != nil && (n%2 == 1 || !errors.Is(err, store.ErrErasing)) {
						t.Errorf("Apply = %v", err)
					}
					block := store.Block{User: store.UserID(fmt.Sprint(6000 + 10*i + n)), From: gone.User, Since: noon}
					f.refuses(t, changeOf(block), nil)
				}
			})
		}
		for range 2 {
			wait.Go(func() {
				f.refuses(t, changeOf(e), nil)
				patiently(t, func() (store.ErasureStep, error) { return f.Erase(t.Context(), e, 3) })
			})
		}
		wait.Wait()
		f.wantRecounted(t)
		for i := range 40 {
			wantEqual(t, "Blocked", true)(f.Blocked(t.Context(), store.Consent{Guild: club, By: gone.User, To: store.UserID(fmt.Sprint(6000 + i))}))
		}
		f.eraseAll(t, erasureOf(gone.User, store.NewPseudonym()), 100)
		f.wantForgotten(t, string(gone.User), "Declined")
	}},
}
