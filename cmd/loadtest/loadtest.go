package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"tictactoe/cmd/internal/progress"
)

// errBot says that a bot ended, never connected, or did not play.
var errBot = errors.New("the bot failed")

// settle is how long a bot may finish what it does behind its answers before its
// CPU time is read.
const settle = 300 * time.Millisecond

// discordGC is by how much the heap of this process grows between collections, in
// per cent.
const discordGC = 400

// measure measures the bots, one after the other in every round, in this order. The
// first one plays, and is what the others are compared with. The error wraps errBot, or is
// the context's or one of files.
func (o *options) measure(ctx context.Context, bots []Bot, line *progress.Line) (_ *Report, err error) {
	// The local Discord shares the machine with the bots: it gets memory so that
	// it needs less time.
	defer debug.SetGCPercent(debug.SetGCPercent(discordGC))
	r := &Report{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), CPUs: runtime.NumCPU(),
		Channels: o.Channels, Rounds: o.Rounds, Seed: o.Seed,
	}
	m := &measurement{options: o, asked: bots, line: line, report: r}
	defer func() {
		for _, b := range m.bots {
			err = errors.Join(err, b.stop())
		}
	}()
	if err := m.start(ctx); err != nil {
		return nil, err
	}
	if err := m.measure(ctx); err != nil {
		return nil, err
	}
	for _, p := range m.bots {
		p.bot.Memory = p.memory()
		r.Bots = append(r.Bots, p.bot.BotReport)
	}
	return r, nil
}

// measurement is a run under way.
type measurement struct {
	*options
	asked    []Bot
	line     *progress.Line
	report   *Report
	bots     []*process
	counting bool // the start is over
	turns    int  // done since
}

// start starts all bots and lets people play until everything is warm.
func (m *measurement) start(ctx context.Context) (err error) {
	board := ""
	for _, b := range m.asked {
		m.progress("starting "+b.Name, 0)
		p, err := m.launch(ctx, b, board)
		if err != nil {
			return err
		}
		if board == "" {
			if board, err = p.captureBoard(ctx, m.asked[0].Dir); err != nil {
				return err
			}
		}
	}
	if m.report.Flush, err = measureFlush(m.asked[0].Dir); err != nil {
		return err
	}
	for _, p := range m.bots {
		if err := m.turn(ctx, p, "warming up", budget{time: m.WarmUp}, m.Pause, newTally()); err != nil {
			return err
		}
		p.bot.WarmMemory = p.memory()
	}
	m.counting = true
	return nil
}

// measure measures under the load that was asked for, and without a pause then at
// half of the rate.
func (m *measurement) measure(ctx context.Context) error {
	name := loadFull
	if m.Pause > 0 {
		name = loadPaused
	}
	if err := m.load(ctx, name, m.Pause); err != nil || m.Pause > 0 {
		return err
	}
	slowest := slices.MinFunc(m.report.Loads[0].Bots, func(a, b Figures) int { return cmp.Compare(a.Rate, b.Rate) }).Rate
	if slowest == 0 {
		return fmt.Errorf("%w: no answer within the time", errBot)
	}
	return m.load(ctx, loadHalf, time.Duration(float64(m.Channels)/(slowest/2)*float64(time.Second)))
}

// load measures all bots under one load, in rounds.
func (m *measurement) load(ctx context.Context, name string, pause time.Duration) error {
	totals := make([]*tally, len(m.bots))
	for i := range totals {
		totals[i] = newTally()
	}
	each := budget{time: m.Duration / time.Duration(m.Rounds)}
	if m.Games > 0 {
		each = budget{games: (m.Games + m.Rounds - 1) / m.Rounds}
	}
	for range m.Rounds {
		for i, p := range m.bots {
			if err := m.turn(ctx, p, name+" load", each, pause, totals[i]); err != nil {
				return err
			}
		}
	}
	l := LoadReport{Load: name, Pause: milliseconds(pause)}
	for i, t := range totals {
		l.Bots = append(l.Bots, t.report(m.bots[i].bot.Name))
	}
	m.report.Loads = append(m.report.Loads, l)
	return nil
}

// turn has people play with one bot for a while, and adds what that takes to the sum.
func (m *measurement) turn(ctx context.Context, p *process, what string, b budget, pause time.Duration, sum *tally) error {
	what += ": " + p.bot.Name
	before, own, base := p.usage(), usageOf(os.Getpid()), cpuOfFamily(p.bot.Database)
	if err := p.crowd.play(ctx, b, pause, sum, func(part float64) { m.progress(what, part) }); err != nil {
		return p.explain(err)
	}
	sleep(ctx, settle)
	sum.bot.addCPU(before, p.usage())
	sum.discord.addCPU(own, usageOf(os.Getpid()))
	sum.database.addCPU(base, cpuOfFamily(p.bot.Database))
	if m.counting {
		m.turns++
	}
	return ctx.Err()
}

// progress tells how far the work has come, a turn counting the same as any other.
func (m *measurement) progress(what string, part float64) {
	loads := 2
	if m.Pause > 0 {
		loads = 1
	}
	all := float64(loads * m.Rounds * len(m.asked))
	if !m.counting {
		part = 0
	}
	m.line.Say("%3.0f %% %s", 100*min(1, (float64(m.turns)+part)/all), what)
}

// sleep waits, or less when the context ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
