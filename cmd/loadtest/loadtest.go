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
	m := &measurement{options: o, line: line}
	defer func() {
		for _, b := range m.bots {
			err = errors.Join(err, b.stop())
		}
	}()
	if err := m.start(ctx, bots); err != nil {
		return nil, err
	}
	r := &Report{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), CPUs: runtime.NumCPU(),
		Channels: o.Channels, Rounds: o.Rounds,
	}
	if r.Flush, err = measureFlush(bots[0].Dir); err != nil {
		return nil, err
	}
	if r.Loads, err = m.measure(ctx); err != nil {
		return nil, err
	}
	for _, p := range m.bots {
		p.bot.Memory = p.usage().Memory
		r.Bots = append(r.Bots, p.bot.BotReport)
	}
	return r, nil
}

// measurement is a run under way.
type measurement struct {
	*options
	line *progress.Line
	bots []*process
}

// start starts all bots and lets people play until everything is warm.
func (m *measurement) start(ctx context.Context, bots []Bot) error {
	board := ""
	for _, b := range bots {
		m.line.Say("starting %s", b.Name)
		p, err := m.launch(ctx, b, board)
		if err != nil {
			return err
		}
		if board == "" {
			if board, err = p.captureBoard(ctx); err != nil {
				return err
			}
		}
	}
	for _, p := range m.bots {
		m.line.Say("warming up: %s", p.bot.Name)
		if err := p.turn(ctx, budget{time: m.WarmUp}, m.Pause, newTally()); err != nil {
			return err
		}
		p.bot.WarmMemory = p.usage().Memory
	}
	return nil
}

// measure measures under the load that was asked for, and without a pause then at
// half of the rate.
func (m *measurement) measure(ctx context.Context) ([]LoadReport, error) {
	if m.Pause > 0 {
		paused, err := m.load(ctx, loadPaused, m.Pause)
		return []LoadReport{paused}, err
	}
	full, err := m.load(ctx, loadFull, 0)
	if err != nil {
		return nil, err
	}
	slowest := slices.MinFunc(full.Bots, func(a, b Figures) int { return cmp.Compare(a.Rate, b.Rate) }).Rate
	if slowest == 0 {
		return nil, fmt.Errorf("%w: no answer within the time", errBot)
	}
	half, err := m.load(ctx, loadHalf, time.Duration(float64(m.Channels)/(slowest/2)*float64(time.Second)))
	return []LoadReport{full, half}, err
}

// load measures all bots under one load, in rounds.
func (m *measurement) load(ctx context.Context, name string, pause time.Duration) (LoadReport, error) {
	l := LoadReport{Load: name, Pause: milliseconds(pause)}
	totals := make([]*tally, len(m.bots))
	for i := range totals {
		totals[i] = newTally()
	}
	each := budget{time: m.Duration / time.Duration(m.Rounds)}
	if m.Games > 0 {
		each = budget{games: (m.Games + m.Rounds - 1) / m.Rounds}
	}
	for round := range m.Rounds {
		for i, p := range m.bots {
			m.line.Say("%s load, round %d of %d: %s", name, round+1, m.Rounds, p.bot.Name)
			if err := p.turn(ctx, each, pause, totals[i]); err != nil {
				return l, err
			}
		}
	}
	for i, t := range totals {
		l.Bots = append(l.Bots, t.report(m.bots[i].bot))
	}
	return l, nil
}

// turn has people play with the bot for a while, and adds what that takes to the sum.
func (p *process) turn(ctx context.Context, b budget, pause time.Duration, sum *tally) error {
	bot, discord, database := p.usage().cpu, usageOf(os.Getpid()).cpu, cpuOfFamily(p.bot.Database)
	if err := p.crowd.play(ctx, b, pause, sum); err != nil {
		return p.explain(err)
	}
	sleep(ctx, settle)
	sum.bot += p.usage().cpu - bot
	sum.discord += usageOf(os.Getpid()).cpu - discord
	sum.database += cpuOfFamily(p.bot.Database) - database
	return ctx.Err()
}

// sleep waits, or less when the context ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
