package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"tictactoe/bot/sandbox"
)

// process is a bot at work: a process, the local Discord that it alone talks to,
// and the people there.
type process struct {
	bot    Bot
	srv    *sandbox.Server
	crowd  *crowd
	cmd    *exec.Cmd
	output *lastOutput
	exited chan struct{}
	ready  time.Duration // from its start until clicks could reach it
}

const (
	startTime = 60 * time.Second // for a bot to connect
	stopTime  = 20 * time.Second // for a bot to end in order
	// lookTime is what the local Discord says that people look at a board before they
	// tap; nobody waits for it.
	lookTime = 450 * time.Millisecond
)

// launch starts a bot and waits until it is connected and has its commands
// registered. What was started is returned beside an error, too.
func launch(ctx context.Context, o Options, b Bot, board string) (*process, error) {
	srv, err := sandbox.Start(sandbox.Options{
		// As little as possible is remembered, and no limit is met: the limits that
		// Discord sets are not what is measured.
		KeepMessages: 4, KeepRequests: 1, KeepWrites: 1, ReplayBuffer: 64,
		KeepCalls: 4 * o.Channels, KeepTokens: 16 * o.Channels,
		BucketLimit: 1 << 20, GlobalLimit: -1,
		LookTime: lookTime,
	})
	if err != nil {
		return nil, err
	}
	p := &process{bot: b, srv: srv, output: &lastOutput{}, exited: make(chan struct{})}
	p.crowd = newCrowd(srv, b, o.Channels, o.Seed)
	p.cmd = exec.Command(o.Executable, b.Args...) //nolint:gosec,noctx // the program itself; it is stopped in order
	p.cmd.Dir = b.Dir
	p.cmd.Env = append(append(append([]string{}, o.Environ...), b.Environ...),
		"DISCORD_TOKEN="+srv.Token(), "DISCORD_API_URL="+srv.APIURL(), BoardVariable+"="+board)
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		close(p.exited)
		return p, fmt.Errorf("%w: %s: %w", ErrBot, b.Name, err)
	}
	go func() {
		_ = p.cmd.Wait() // how it ended shows in its output
		close(p.exited)
	}()
	limit := time.After(startTime)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for srv.Sessions() == 0 || len(srv.Commands("")) == 0 {
		if srv.Sessions() > 0 && p.ready == 0 {
			p.ready = time.Since(began)
		}
		select {
		case <-tick.C:
		case <-limit:
			return p, fmt.Errorf("%w: %s did not connect within %v; it said:\n%s", ErrBot, b.Name, startTime, p.output)
		case <-p.exited:
			return p, fmt.Errorf("%w: %s ended before it was connected; it said:\n%s", ErrBot, b.Name, p.output)
		case <-ctx.Done():
			return p, ctx.Err()
		}
	}
	if p.ready == 0 {
		p.ready = time.Since(began)
	}
	return p, nil
}

// explain adds what the bot had to say when it is gone.
func (p *process) explain(err error) error {
	select {
	case <-p.exited:
		return fmt.Errorf("%w: %s ended; it said:\n%s", ErrBot, p.bot.Name, p.output)
	default:
		return fmt.Errorf("%s: %w", p.bot.Name, err)
	}
}

// stop ends the bot in order, and then its Discord.
func (p *process) stop() error {
	var err error
	if p.cmd.Process != nil {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.exited:
		case <-time.After(stopTime):
			_ = p.cmd.Process.Kill()
			<-p.exited
			err = fmt.Errorf("%w: %s did not end within %v", ErrBot, p.bot.Name, stopTime)
		}
	}
	_ = p.srv.Close() // nobody is connected any more
	return err
}

// captureBoard plays one game and writes the board after its fourth move to a file
// in the folder, as the data of the answer that showed it.
func (p *process) captureBoard(ctx context.Context, dir string) (file string, err error) {
	var mu sync.Mutex
	var boards [][]byte
	p.crowd.onAnswer(func(body []byte) {
		mu.Lock()
		defer mu.Unlock()
		boards = append(boards, bytes.Clone(body))
	})
	if _, err := p.crowd.play(ctx, budget{games: 1}, 0, nil); err != nil {
		return "", p.explain(err)
	}
	p.crowd.onAnswer(nil)
	mu.Lock()
	defer mu.Unlock()
	var chosen json.RawMessage
	for _, body := range boards {
		var answer struct {
			Type int             `json:"type"`
			Data json.RawMessage `json:"data"`
		}
		if json.Unmarshal(body, &answer) != nil || answer.Type != sandbox.CallbackUpdate {
			continue
		}
		// A board halfway: the fourth move's has two marks of each kind.
		if bytes.Count(answer.Data, []byte(`"label":"X"`)) == 2 && bytes.Count(answer.Data, []byte(`"label":"O"`)) == 2 {
			chosen = answer.Data
		}
	}
	if chosen == nil {
		return "", fmt.Errorf("%w: %s showed no board", ErrBot, p.bot.Name)
	}
	file = filepath.Join(dir, "board.json")
	return file, os.WriteFile(file, chosen, 0o600)
}

func (p *process) usage() usage {
	if p.cmd.Process == nil {
		return usage{}
	}
	return usageOf(p.cmd.Process.Pid)
}

func (p *process) memory() *Memory {
	u := p.usage()
	if !u.known {
		return nil
	}
	return &Memory{Resident: u.resident, Peak: u.peak}
}

// lastOutput keeps the end of what a bot writes. It may be used concurrently.
type lastOutput struct {
	mu  sync.Mutex
	end []byte
}

const keptOutput = 4 << 10

func (l *lastOutput) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end = append(l.end, b...)
	if len(l.end) > 2*keptOutput {
		l.end = bytes.Clone(l.end[len(l.end)-keptOutput:])
	}
	return len(b), nil
}

func (l *lastOutput) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.end) == 0 {
		return "(nothing)"
	}
	return string(bytes.TrimSpace(l.end))
}
