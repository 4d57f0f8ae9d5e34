package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/sandbox"
)

// process is a bot at work: its processes, the local Discord that it alone talks to,
// and the people there.
type process struct {
	bot      Bot
	srv      *sandbox.Server
	crowd    *crowd
	children []*child
	running  sync.WaitGroup // of them
	ended    atomic.Bool    // one of them has

	life context.Context // of its processes
	end  context.CancelFunc
}

const (
	startTime = 60 * time.Second // for a bot to connect
	stopTime  = 20 * time.Second // for a bot to end in order
	// lookTime is what the local Discord says that people look at a board before they
	// tap; nobody waits for it.
	lookTime = 450 * time.Millisecond
)

// profilesAt is how a bot says where it serves its profiles, if METRICS_ADDR asks for them.
var profilesAt = regexp.MustCompile(`serving setting=METRICS_ADDR address=(\S+)`)

// launch starts a bot and waits until clicks reach it and it has its commands
// registered. The bots have what was started beside an error, too.
func (m *measurement) launch(ctx context.Context, b Bot, board string) (*process, error) {
	srv, err := sandbox.Start(sandbox.Options{
		// As little as possible is remembered, and no limit is met: the limits that
		// Discord sets are not what is measured.
		World:   sandbox.WorldOptions{KeepMessages: 4, KeepWrites: 1, KeepCalls: 4 * m.Channels, KeepTokens: 16 * m.Channels, LookTime: lookTime},
		Gateway: sandbox.GatewayOptions{ReplayBuffer: 64},
		REST:    sandbox.RESTOptions{KeepRequests: 1, BucketLimit: 1 << 20, GlobalLimit: -1},
	})
	if err != nil {
		return nil, err
	}
	p := &process{bot: b, srv: srv}
	p.life, p.end = context.WithCancel(context.WithoutCancel(ctx)) // stop ends them
	m.bots = append(m.bots, p)
	p.crowd = newCrowd(srv, !b.Acknowledges, m.Channels)
	environ := append(withoutSettings(os.Environ()), "DISCORD_TOKEN="+srv.Token(), "DISCORD_API_URL="+srv.APIURL(),
		"DATABASE_URL="+b.Store, "START_LIMIT=none", "LOG_LEVEL=warn")
	if b.Posted {
		environ = append(environ, "DISCORD_PUBLIC_KEY="+srv.PublicKey(), "DISCORD_GATEWAY=off", "HTTP_ADDR="+anyPort)
	}
	profiles := m.Profiles && !b.Acknowledges
	if profiles { // the game says where they are on a line for information
		environ = append(environ, "METRICS_ADDR="+anyPort, "LOG_LEVEL=info")
	}
	program := b.Program
	if b.Acknowledges {
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
		environ = append(environ, boardVariable+"="+board)
	}
	began := time.Now()
	for range b.Processes {
		if err := p.start(program, environ); err != nil {
			return nil, err
		}
	}
	until, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if b.Posted {
		err = p.post(until)
	} else {
		err = p.poll(until, func() bool { return srv.Gateway().Sessions() > 0 })
	}
	p.bot.Ready = milliseconds(time.Since(began))
	if err == nil {
		err = p.poll(until, func() bool { return len(srv.App().Commands("")) > 0 })
	}
	if err == nil && profiles {
		var at string
		if at, err = p.hear(until, p.children[0], profilesAt); err == nil {
			m.line.Clear()
			fmt.Fprintf(os.Stderr, "%s: http://%s/debug/pprof/\n", b.Name, at)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = p.failed(fmt.Sprintf("did not connect within %v", startTime))
	}
	return p, err
}

// poll waits until cond holds, unless a process of the bot ends or the context does.
func (p *process) poll(ctx context.Context, cond func() bool) error {
	for !cond() {
		sleep(ctx, 2*time.Millisecond)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if p.ended.Load() {
			return p.failed("ended before it was connected")
		}
	}
	return nil
}

// hear waits until a process of the bot says what the expression looks for, and returns that.
func (p *process) hear(ctx context.Context, c *child, what *regexp.Regexp) (string, error) {
	var said []string
	if err := p.poll(ctx, func() bool { said = what.FindStringSubmatch(c.said()); return said != nil }); err != nil {
		return "", err
	}
	return said[1], nil
}

// failed says what the bot did, and the end of what its processes wrote.
func (p *process) failed(what string) error {
	var said []string
	for _, c := range p.children {
		said = append(said, c.said())
	}
	return fmt.Errorf("%w: %s %s; it said:\n%s", errBot, p.bot.Name, what, strings.Join(said, "\n"))
}

// explain adds what the bot had to say when it is gone.
func (p *process) explain(err error) error {
	if p.ended.Load() {
		return p.failed("ended")
	}
	return fmt.Errorf("%s: %w", p.bot.Name, err)
}

// stop ends the bot in order, and then its Discord.
func (p *process) stop() (err error) {
	asked := time.Now()
	p.end()
	p.running.Wait()
	if time.Since(asked) >= stopTime {
		err = fmt.Errorf("%w: %s did not end within %v", errBot, p.bot.Name, stopTime)
	}
	_ = p.srv.Close() // nobody is connected any more
	return err
}

// captureBoard has two people make four moves, and returns the board, which has two marks of
// each kind then, as the data of the answer that showed it.
func (p *process) captureBoard(ctx context.Context) (board string, err error) {
	players, played := p.crowd.pairs[0], &turn{tally: newTally()}
	for players.game.Ply() < 4 && ctx.Err() == nil {
		if err := players.act(played); err != nil {
			return "", p.explain(err)
		}
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	shown := players.board.Snapshot().Writes[0].Body
	var answer struct{ Data json.RawMessage }
	_ = json.Unmarshal(shown, &answer) // the local Discord took it
	if answer.Data != nil {            // otherwise an edit behind the answer has shown it
		shown = answer.Data
	}
	return string(shown), nil
}

// usage adds up what its processes have used.
func (p *process) usage() (all usage) {
	for _, c := range p.children {
		u := usageOf(c.cmd.Process.Pid)
		all.cpu += u.cpu
		all.Resident += u.Resident
		all.Peak += u.Peak
	}
	return all
}
