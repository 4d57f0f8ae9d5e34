//go:build unix

package pagetest

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the browser and all that it starts into a process group of their
// own, so that they can be ended together and nothing else with them.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends what is left of a group. It often has ended by itself.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
