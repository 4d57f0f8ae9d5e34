//go:build !unix

package pagetest

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup does nothing: the browser ends with its connection.
func killGroup(int) {}
