package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"tictactoe/engine"
	"tictactoe/engine/arena"
)

// arenaCmd lets the opponents play each other.
type arenaCmd struct {
	JSON    bool     `help:"Write one JSON object instead of tables."`
	Picture string   `placeholder:"FILE" help:"Write a heat map of the results to this PNG file."`
	Boards  []string `placeholder:"BOARD" help:"Larger boards to sample, such as 4x4,5x5-4; none for 3x3 alone (default: all that are offered)."`
	Games   int      `default:"150" help:"Games of every pair on a larger board with each of them as X."`
	Seed    uint64   `default:"1" help:"Seed of all dice."`
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
	if c.Picture != "" {
		f, createErr := os.Create(c.Picture)
		if createErr != nil {
			return createErr
		}
		// What was not closed properly may not be whole on the disk.
		defer func() { err = errors.Join(err, f.Close()) }()
		opts.Picture = f
	}
	return arena.Run(ctx, env.stdout, opts)
}

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
