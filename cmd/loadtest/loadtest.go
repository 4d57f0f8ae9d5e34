package loadtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"time"
)

// Options say what to measure and how. Bots, Channels and either Duration or
// Games are needed.
type Options struct {
	// Bots are measured one after the other in every round, in this order. The
	// first one that plays is what the others are compared with.
	Bots []Bot
	// Executable is the program that the bots are run from.
	Executable string
	// Environ is the environment that every bot gets, as "NAME=value".
	Environ []string
	// Channels is how many pairs of people play at once, each in a channel.
	Channels int
	// Duration is how long each bot is measured in all, under each load.
	Duration time.Duration
	// Games replaces Duration: how many games are played with each bot under each
	// load. Zero means that Duration counts.
	Games int
	// Rounds is in how many turns that is cut; what disturbs the machine for a
	// while then disturbs all bots. Zero means 1.
	Rounds int
	// WarmUp is how long each bot is played with before anything counts.
	WarmUp time.Duration
	// Pause is the time from one click in a channel to the next. Zero means that
	// people click as soon as the last click was answered, and that the bots are
	// then measured again at half of the slowest one's rate.
	Pause time.Duration
	// Seed decides which games are played.
	Seed uint64
	// Profiles is a folder that gets a CPU profile of the local Discord. The bots
	// write their own. Empty means none.
	Profiles string
	// Progress is told from time to time how far the work has come, from 0 to 1,
	// and what is done just now. Nil means nobody.
	Progress func(done float64, what string)
}

// Errors of a measurement.
var (
	// ErrOptions says that the options make no sense.
	ErrOptions = errors.New("loadtest: bad options")
	// ErrBot says that a bot ended, never connected, or did not play.
	ErrBot = errors.New("loadtest: the bot failed")
)

// settle is how long a bot may finish what it does behind its answers before its
// CPU time is read.
const settle = 300 * time.Millisecond

// discordGC is by how much the heap of this process grows between collections, in
// per cent.
const discordGC = 400

// Run measures. The error wraps ErrOptions or ErrBot, or is the context's or one
// of files.
func Run(ctx context.Context, o Options) (_ *Report, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	// The local Discord shares the machine with the bots: it gets memory so that
	// it needs less time.
	defer debug.SetGCPercent(debug.SetGCPercent(discordGC))
	r := &Report{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), CPUs: runtime.NumCPU(),
		Channels: o.Channels, Rounds: o.Rounds, Seed: o.Seed,
	}
	m := &measurement{Options: o, report: r}
	defer func() {
		for _, b := range m.bots {
			err = errors.Join(err, b.stop())
		}
	}()
	if err := m.start(ctx); err != nil {
		return nil, err
	}
	stopProfile, err := profile(o.Profiles)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(m.measure(ctx), stopProfile()); err != nil {
		return nil, err
	}
	for i, p := range m.bots {
		r.Bots[i].Memory = p.memory()
	}
	return r, nil
}

func (o *Options) check() error {
	switch {
	case len(o.Bots) == 0:
		return fmt.Errorf("%w: no bots", ErrOptions)
	case o.Bots[0].Acknowledges:
		return fmt.Errorf("%w: the first bot must play", ErrOptions)
	case slices.ContainsFunc(o.Bots, func(b Bot) bool { return b.Processes > 0 && !b.Posted }):
		return fmt.Errorf("%w: a balancer is for what is posted", ErrOptions)
	case slices.ContainsFunc(o.Bots, func(b Bot) bool { return b.Beside != "" && !o.has(b.Beside) }):
		return fmt.Errorf("%w: beside a bot that is not measured", ErrOptions)
	case o.Channels < 1:
		return fmt.Errorf("%w: %d channels", ErrOptions, o.Channels)
	case o.Duration <= 0 && o.Games < 1:
		return fmt.Errorf("%w: neither a duration nor games", ErrOptions)
	case o.Pause < 0, o.Rounds < 0, o.Games < 0, o.WarmUp < 0:
		return fmt.Errorf("%w: less than nothing", ErrOptions)
	}
	o.Rounds = max(o.Rounds, 1)
	return nil
}

// has reports whether a bot of that name is measured.
func (o *Options) has(name string) bool {
	return slices.ContainsFunc(o.Bots, func(b Bot) bool { return b.Name == name })
}

// measurement is a run under way.
type measurement struct {
	Options
	report   *Report
	bots     []*process
	counting bool // the start is over
	turns    int  // done since
}

// start starts all bots and lets people play until everything is warm.
func (m *measurement) start(ctx context.Context) error {
	board := ""
	for _, b := range m.Bots {
		m.progress("starting "+b.Name, 0)
		p, err := launch(ctx, m.Options, b, board)
		if p != nil {
			m.bots = append(m.bots, p)
		}
		if err != nil {
			return err
		}
		m.report.Bots = append(m.report.Bots, BotReport{
			Name: b.Name, Acknowledges: b.Acknowledges, Stored: b.Stored, Posted: b.Posted,
			Processes: max(1, b.Processes), Beside: b.Beside, Ready: milliseconds(p.ready),
		})
		if board == "" {
			if board, err = p.captureBoard(ctx, m.Bots[0].Dir); err != nil {
				return err
			}
		}
	}
	flush, err := measureFlush(m.Bots[0].Dir)
	if err != nil {
		return err
	}
	m.report.Flush = flush
	for i, p := range m.bots {
		if _, err := m.turn(ctx, p, "warming up", budget{time: m.WarmUp}, m.Pause); err != nil {
			return err
		}
		m.report.Bots[i].WarmMemory = p.memory()
	}
	m.counting = true
	return nil
}

// measure measures under the load that was asked for, and without a pause then at
// half of the rate.
func (m *measurement) measure(ctx context.Context) error {
	name := LoadFull
	if m.Pause > 0 {
		name = LoadPaused
	}
	full, err := m.load(ctx, name, m.Pause)
	if err != nil || m.Pause > 0 {
		return err
	}
	slowest := full.Bots[0].Rate
	for _, b := range full.Bots {
		slowest = min(slowest, b.Rate)
	}
	if slowest == 0 {
		return fmt.Errorf("%w: no answer within the time", ErrBot)
	}
	_, err = m.load(ctx, LoadHalf, time.Duration(float64(m.Channels)/(slowest/2)*float64(time.Second)))
	return err
}

// load measures all bots under one load, in rounds.
func (m *measurement) load(ctx context.Context, name string, pause time.Duration) (*LoadReport, error) {
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
			t, err := m.turn(ctx, p, name+" load", each, pause)
			if err != nil {
				return nil, err
			}
			totals[i].add(t)
		}
	}
	l := LoadReport{Load: name, Pause: milliseconds(pause)}
	for i, t := range totals {
		l.Bots = append(l.Bots, t.report(m.Bots[i].Name))
	}
	m.report.Loads = append(m.report.Loads, l)
	return &m.report.Loads[len(m.report.Loads)-1], nil
}

// turn has people play with one bot for a while.
func (m *measurement) turn(ctx context.Context, p *process, what string, b budget, pause time.Duration) (*tally, error) {
	what += ": " + p.bot.Name
	before, own, base := p.usage(), usageOf(os.Getpid()), p.databaseUsage()
	t, err := p.crowd.play(ctx, b, pause, func(part float64) { m.progress(what, part) })
	if err != nil {
		return nil, p.explain(err)
	}
	sleep(ctx, settle)
	after, ownAfter, baseAfter := p.usage(), usageOf(os.Getpid()), p.databaseUsage()
	t.cpu, t.cpuKnown = after.cpu-before.cpu, before.known && after.known
	t.discordCPU = ownAfter.cpu - own.cpu
	t.databaseCPU, t.databaseKnown = baseAfter.cpu-base.cpu, base.known && baseAfter.known
	if m.counting {
		m.turns++
	}
	return t, ctx.Err()
}

// progress tells how far the work has come, a turn counting the same as any other.
func (m *measurement) progress(what string, part float64) {
	if m.Progress == nil {
		return
	}
	loads := 2
	if m.Pause > 0 {
		loads = 1
	}
	all := float64(loads * m.Rounds * len(m.Bots))
	if !m.counting {
		part = 0
	}
	m.Progress(min(1, (float64(m.turns)+part)/all), what)
}

// profile starts the CPU profile of this process; stop writes it, and what memory it
// has.
func profile(dir string) (stop func() error, err error) {
	if dir == "" {
		return func() error { return nil }, nil
	}
	cpu, err := os.Create(filepath.Join(dir, "discord.cpu.pprof")) //nolint:gosec // in the run's own folder
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, errors.Join(err, cpu.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		memory, err := os.Create(filepath.Join(dir, "discord.memory.pprof")) //nolint:gosec // in the run's own folder
		if err != nil {
			return errors.Join(err, cpu.Close())
		}
		return errors.Join(pprof.Lookup("allocs").WriteTo(memory, 0), memory.Close(), cpu.Close())
	}, nil
}

// sleep waits, or less when the context ends.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
