package main

import (
	"bytes"
	"context"
	"os/exec"
	"sync"
	"syscall"
)

// child is a process of a bot.
type child struct {
	cmd    *exec.Cmd
	output lastOutput
	exited chan struct{} // closed at its end
}

// startChild starts a process that ends in order with the context, and by force stopTime
// later.
func startChild(ctx context.Context, program, dir string, environ []string) (*child, error) {
	c := &child{exited: make(chan struct{})}
	c.cmd = exec.CommandContext(ctx, program) //nolint:gosec // one of ours
	c.cmd.Cancel, c.cmd.WaitDelay = func() error { return c.cmd.Process.Signal(syscall.SIGTERM) }, stopTime
	c.cmd.Dir, c.cmd.Env = dir, environ
	c.cmd.Stdout, c.cmd.Stderr = &c.output, &c.output
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = c.cmd.Wait() // how it ended shows in its output
		close(c.exited)
	}()
	return c, nil
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
