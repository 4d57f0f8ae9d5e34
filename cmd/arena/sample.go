package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"tictactoe/cmd/internal/progress"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// Sampled is what games with dice, which are counted, showed on one board, and positions of
// games of random moves.
type Sampled struct {
	Rules engine.Rules
	Played
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
		s.Games = append(s.Games, make([]Result, len(opponents)))
	}
	s.MissRates = make([]MissRates, len(opponents))
	line.Say("%v: looking for positions", r)
	positions := drawPositions(ctx, start, positionsPerGame*opts.Games, opts.Seed)
	s.Positions = count(positions)
	pairings := len(opponents) * len(opponents)
	var mu sync.Mutex // guards line
	finished := 0
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for p := range pairings {
		workers.Go(func() error {
			x, o := p/len(opponents), p%len(opponents)
			if x == o {
				s.MissRates[x] = overlooked(positions, rolled(ctx, opponents[x], opts.Seed))
			}
			s.Games[x][o] = match(ctx, start, opponents[x], opponents[o], opts)
			mu.Lock()
			defer mu.Unlock()
			finished++
			line.Say("%v: %d of %d pairings", r, finished, pairings)
			return ctx.Err()
		})
	}
	err := workers.Wait()
	return s, err
}

// match plays the games of one pairing. Their dice depend on the seed, the board, the
// names and the number of the game alone. So neither the order of work nor the list of
// opponents makes a difference.
func match(ctx context.Context, start engine.Game, x, o strategy.Opponent, opts options) Result {
	movers := [...]strategy.Opponent{engine.X: x, engine.O: o}
	played := noResult()
	for n := range opts.Games {
		if ctx.Err() != nil {
			return played
		}
		dice := rand.New(rand.NewPCG(opts.Seed, diceStream(start.Rules(), x.Name, o.Name, n))) //nolint:gosec // figures that can be repeated
		g, outcome := start, engine.Undecided
		for ; outcome == engine.Undecided; outcome = g.Outcome() {
			next, err := g.Play(movers[g.SideToMove()].Choose(g, dice))
			if err != nil {
				// An opponent that makes an illegal move loses.
				outcome = engine.Won(g.SideToMove().Other())
				break
			}
			g = next
		}
		played.plus(one, result(outcome))
	}
	return played
}

// diceStream returns a number that tells the dice of one game from those of all others.
func diceStream(r engine.Rules, x, o string, n int) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%v %s %s %d", r, x, o, n) // a hash never fails
	return h.Sum64()
}
