package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"tictactoe/cmd/internal/progress"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// Sampled is what games with dice showed on one board.
type Sampled struct {
	Rules engine.Rules
	// Opponents are the names of those that play the board, in the order of
	// Games.
	Opponents []string
	// Games holds the tally for X: Games[x][o] of opponent x with X against
	// opponent o with O.
	Games [][]Tally
	// MissRates holds what every opponent overlooks in positions of games of random moves.
	MissRates []MissRates
	// Positions counts them.
	Positions Positions
}

// Tally counts games from the view of one opponent.
type Tally struct {
	Wins, Draws, Losses int
}

// Games returns how many games were counted.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Reverse returns the tally as the other opponent sees it.
func (t Tally) Reverse() Tally { return Tally{Wins: t.Losses, Draws: t.Draws, Losses: t.Wins} }

// Plus returns both tallies together.
func (t Tally) Plus(u Tally) Tally {
	return Tally{Wins: t.Wins + u.Wins, Draws: t.Draws + u.Draws, Losses: t.Losses + u.Losses}
}

// Points returns the mean points of a game, a win counting 1 and a draw a half. It wants
// a game.
func (t Tally) Points() float64 {
	return (float64(t.Wins) + float64(t.Draws)/2) / float64(t.Games())
}

// Interval returns the Wilson score interval of the mean points at 95 %. Draws make
// the spread narrower than it assumes, so that it is wider than it need be
// rather than too narrow.
func (t Tally) Interval() (low, high float64) {
	n := float64(t.Games())
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p := t.Points()
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(middle-half, 0), min(middle+half, 1)
}

// Against returns the tally of one opponent against another, half of the games
// with X, half with O.
func (s Sampled) Against(a, b int) Tally {
	return s.Games[a][b].Plus(s.Games[b][a].Reverse())
}

// positionsPerGame is how many positions with each motif are wanted for every game that a
// pair plays.
const positionsPerGame = 2

// sample plays every pair of opponents on the board.
func sample(ctx context.Context, r engine.Rules, opts options, line *progress.Line) (Sampled, error) {
	start, _ := engine.New(r) // they were parsed, or are offered
	opponents := players(r)
	s := Sampled{Rules: r}
	for _, o := range opponents {
		s.Opponents = append(s.Opponents, o.Name)
		s.Games = append(s.Games, make([]Tally, len(opponents)))
	}
	s.MissRates = make([]MissRates, len(opponents))
	line.Say("%v: looking for positions", r)
	positions := drawPositions(ctx, start, positionsPerGame*opts.Games, opts.Seed)
	s.Positions = count(positions)
	pairings := len(opponents) * len(opponents)
	var next atomic.Int64
	var mu sync.Mutex // guards line
	finished := 0
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for p := int(next.Add(1)) - 1; p < pairings && ctx.Err() == nil; p = int(next.Add(1)) - 1 {
				x, o := p/len(opponents), p%len(opponents)
				if x == o {
					s.MissRates[x] = overlooked(positions, rolled(ctx, opponents[x], opts.Seed))
				}
				s.Games[x][o] = match(ctx, start, opponents[x], opponents[o], opts)
				mu.Lock()
				finished++
				line.Say("%v: %d of %d pairings", r, finished, pairings)
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return s, ctx.Err()
}

// match plays the games of one pairing. Their dice depend on the seed, the board, the
// names and the number of the game alone. So neither the order of work nor the list of
// opponents makes a difference.
func match(ctx context.Context, start engine.Game, x, o strategy.Opponent, opts options) Tally {
	movers := [...]strategy.Opponent{engine.X: x, engine.O: o}
	var t Tally
	for n := range opts.Games {
		if ctx.Err() != nil {
			return t
		}
		dice := rand.New(rand.NewPCG(opts.Seed, diceStream(start.Rules(), x.Name, o.Name, n))) //nolint:gosec // figures that can be repeated
		g := start
		for !g.Over() {
			next, err := g.Play(movers[g.SideToMove()].Choose(g, dice))
			if err != nil {
				// An opponent that makes an illegal move loses.
				break
			}
			g = next
		}
		switch {
		case g.Outcome() == engine.XWon, !g.Over() && g.SideToMove() == engine.O:
			t.Wins++
		case g.Outcome() == engine.Drawn:
			t.Draws++
		default:
			t.Losses++
		}
	}
	return t
}

// diceStream returns a number that tells the dice of one game from those of all others.
func diceStream(r engine.Rules, x, o string, n int) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%v %s %s %d", r, x, o, n) // a hash never fails
	return h.Sum64()
}
