package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// child is a process of a bot.
type child struct {
	cmd    *exec.Cmd
	output string // the file that it writes to
}

// start starts a process that ends in order with the bot's life, and by force stopTime
// later.
func (p *process) start(program string, environ []string) error {
	output, err := os.CreateTemp(p.bot.Dir, "output-")
	if err != nil {
		return err
	}
	defer output.Close()                                                          // the process has its own
	c := &child{cmd: exec.CommandContext(p.life, program), output: output.Name()} //nolint:gosec // one of ours
	c.cmd.Cancel, c.cmd.WaitDelay = func() error { return c.cmd.Process.Signal(syscall.SIGTERM) }, stopTime
	c.cmd.Dir, c.cmd.Env = p.bot.Dir, environ
	c.cmd.Stdout, c.cmd.Stderr = output, output
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

// keptOutput is how much is read again of what a process has written, from the end.
const keptOutput = 4 << 10

// said is the end of what the process has written.
func (c *child) said() string {
	written, _ := os.ReadFile(c.output) // it goes with the folder, behind the last look
	written = bytes.TrimSpace(written)
	return cmp.Or(string(written[max(0, len(written)-keptOutput):]), "(nothing)")
}
