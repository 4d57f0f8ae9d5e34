// Command arena lets the opponents of package strategy play each other and reports
// what comes of it: on 3x3 exactly, by weighing every random tie with rational
// arithmetic, and on larger boards by seeded games with confidence intervals. It
// writes the report as tables or as JSON.
//
// It changes no ratings, keeps no results and never sees a person play: what it
// measures is programs against programs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"

	"tictactoe/cmd/internal/progress"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// options say what to play and how to report it.
type options struct {
	JSON   bool           `help:"Write one JSON object instead of tables."`
	Boards []engine.Rules `placeholder:"BOARD" help:"Boards to sample beside 3x3, such as vanishing,5x5-4 (default: all that are or once were offered)."`
	Games  int            `default:"150" help:"Games of every pair on a larger board with each of them as X."`
	Seed   uint64         `default:"1" help:"Seed of all dice: the same one gives the same report on any machine."`
}

// Validate is called by kong.
func (o *options) Validate() error {
	if o.Games < 1 {
		return fmt.Errorf("--games %d: at least 1", o.Games)
	}
	return nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	var o options
	kong.Parse(&o, kong.Name("arena"), kong.Description("Lets the opponents play each other: exact on 3x3, sampled on larger boards.")).
		FatalIfErrorf(o.run(ctx, os.Stdout, progress.On(os.Stderr)))
}

// run plays what the options ask for and writes the report, and nothing before all is
// played.
func (o options) run(ctx context.Context, w io.Writer, line *progress.Line) error {
	report, err := play(ctx, o, line)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted before the end; nothing was written")
	case err != nil:
		return err
	case o.JSON:
		return writeJSON(w, report)
	default:
		return writeTables(w, report)
	}
}

// Report is everything that the arena found out.
type Report struct {
	Seed     uint64    `json:"seed"`
	Standard Standard  `json:"3x3"`
	Sampled  []Sampled `json:"sampled"`
}

func play(ctx context.Context, o options, line *progress.Line) (Report, error) {
	if o.Boards == nil {
		o.Boards = largerBoards()
	}
	defer line.Clear()
	line.Say("3x3: every game there is")
	standard, err := playStandard(ctx)
	if err != nil {
		return Report{}, err
	}
	report := Report{Seed: o.Seed, Standard: standard, Sampled: []Sampled{}}
	for _, r := range o.Boards {
		sampled, err := sample(ctx, r, o, line)
		if err != nil {
			return Report{}, err
		}
		report.Sampled = append(report.Sampled, sampled)
	}
	return report, nil
}

// largerBoards returns the boards beyond 3x3 that people are offered.
func largerBoards() []engine.Rules {
	return slices.DeleteFunc(strategy.Boards(), func(r engine.Rules) bool { return r == engine.Standard })
}

// players returns the opponents that play the board, in their usual order.
func players(r engine.Rules) []strategy.Opponent {
	return slices.DeleteFunc(strategy.All(), func(o strategy.Opponent) bool { return !o.Plays(r) })
}
