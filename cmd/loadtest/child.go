package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os/exec"
	"sync"
	"syscall"
)

// child is a process of a bot.
type child struct {
	cmd    *exec.Cmd
	output lastOutput
}

// start starts a process that ends in order with the bot's life, and by force stopTime
// later.
func (p *process) start(program string, environ []string) error {
	c := &child{cmd: exec.CommandContext(p.life, program)} //nolint:gosec // one of ours
	c.cmd.Cancel, c.cmd.WaitDelay = func() error { return c.cmd.Process.Signal(syscall.SIGTERM) }, stopTime
	c.cmd.Dir, c.cmd.Env = p.bot.Dir, environ
	c.cmd.Stdout, c.cmd.Stderr = &c.output, &c.output
	if err := c.cmd.Start(); err != nil {
		return fmt.Errorf("%w: %s: %w", errBot, p.bot.Name, err)
	}
	p.children = append(p.children, c)
	p.running.Go(func() {
		_ = c.cmd.Wait() // how it ended shows in its output
		p.ended.Store(true)
	})
	return nil
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
	l.end = l.end[max(0, len(l.end)-keptOutput):]
	return len(b), nil
}

func (l *lastOutput) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(string(bytes.TrimSpace(l.end)), "(nothing)")
}
