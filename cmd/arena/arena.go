package arena

import (
	"context"
	"fmt"
	"io"
	"slices"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// What the published figures were played with.
const (
	DefaultGames = 150
	DefaultSeed  = 1
)

// Options say what to play and how to report it. The zero value is the whole
// report as tables, with seed 0.
type Options struct {
	// Boards are the larger boards to sample on. Nil means those of
	// [strategy.Boards]; an empty slice means none.
	Boards []engine.Rules
	// Games is how many games every pair of opponents plays on a larger board with
	// each of them as X. For each motif, twice as many positions are looked at. Zero means [DefaultGames].
	Games int
	// Seed decides all dice: the same seed gives the same report on any machine.
	// Zero is a seed like any other.
	Seed uint64
	// JSON asks for the report as one JSON object instead of tables.
	JSON bool
	// Progress is where a line is kept up to date that says how far the work
	// has come, meant for a terminal. Nil means nowhere.
	Progress io.Writer
}

// Report is everything that the arena found out.
type Report struct {
	Seed     uint64
	Standard Standard
	Sampled  []Sampled
}

// Run plays what the options ask for and writes the report to w, which gets
// nothing before all is played. It returns an error that wraps [ErrOptions], the
// context's when that ends first, or one of writing.
func Run(ctx context.Context, w io.Writer, opts Options) error {
	if opts.Games == 0 {
		opts.Games = DefaultGames
	}
	if opts.Boards == nil {
		opts.Boards = largerBoards()
	}
	report, err := play(ctx, opts)
	if err != nil {
		return err
	}
	if opts.JSON {
		return writeJSON(w, report)
	}
	return writeTables(w, report)
}

func play(ctx context.Context, opts Options) (Report, error) {
	if opts.Games < 0 {
		return Report{}, fmt.Errorf("%w: %d games", ErrOptions, opts.Games)
	}
	for _, r := range opts.Boards {
		if err := r.Validate(); err != nil {
			return Report{}, fmt.Errorf("%w: %w", ErrOptions, err)
		}
	}
	progress := progress{w: opts.Progress}
	defer progress.clear()
	progress.say("3x3: every game there is")
	standard, err := playStandard(ctx)
	if err != nil {
		return Report{}, err
	}
	report := Report{Seed: opts.Seed, Standard: standard}
	for _, r := range opts.Boards {
		sampled, err := sample(ctx, r, opts, &progress)
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
	var all []strategy.Opponent
	for _, o := range strategy.All() {
		if o.Plays(r) {
			all = append(all, o)
		}
	}
	return all
}

// progress keeps one line of a terminal up to date.
type progress struct {
	w     io.Writer
	width int
}

func (p *progress) say(text string) {
	if p.w == nil {
		return
	}
	_, _ = fmt.Fprintf(p.w, "\r%-*s", p.width, text) // a report is worth more than its progress
	p.width = len(text)
}

func (p *progress) clear() {
	if p.w != nil && p.width > 0 {
		_, _ = fmt.Fprintf(p.w, "\r%*s\r", p.width, "")
	}
}
