package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"tictactoe/cmd/arena"
	"tictactoe/engine"
)

// arenaCmd lets the opponents play each other.
type arenaCmd struct {
	JSON   bool     `help:"Write one JSON object instead of tables."`
	Boards []string `placeholder:"BOARD" help:"Boards to sample beside 3x3, such as vanishing,5x5-4; none for 3x3 alone (default: all that are offered)."`
	Games  int      `default:"150" help:"Games of every pair on a larger board with each of them as X."`
	Seed   uint64   `default:"1" help:"Seed of all dice."`
}

// Run implements the command.
func (c *arenaCmd) Run(ctx context.Context, env environment) (err error) {
	opts := arena.Options{JSON: c.JSON, Games: c.Games, Seed: c.Seed, Progress: terminal(env.stderr)}
	if opts.Boards, err = c.boards(); err != nil {
		return err
	}
	if c.Games < 1 {
		return settingsError{fmt.Sprintf("--games %d: at least 1", c.Games)}
	}
	err = arena.Run(ctx, env.stdout, opts)
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}

// errInterrupted is what somebody reads who stopped the arena.
var errInterrupted = errors.New("interrupted before the end; nothing was written")

// boards reads the boards to sample: nil, which means all, when none are named.
func (c *arenaCmd) boards() ([]engine.Rules, error) {
	if len(c.Boards) == 1 && c.Boards[0] == "none" {
		return []engine.Rules{}, nil
	}
	var all []engine.Rules
	var bad settingsError
	for _, name := range c.Boards {
		r, err := engine.ParseRules(name)
		if err != nil {
			bad = append(bad, fmt.Sprintf("--boards: %v", err))
			continue
		}
		all = append(all, r)
	}
	if bad != nil {
		return nil, bad
	}
	return all, nil
}

// terminal returns the writer when it is a terminal that somebody watches, and nil
// otherwise.
func terminal(w io.Writer) io.Writer {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return f
}
