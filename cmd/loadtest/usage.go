package main

import (
	"runtime"
	"time"

	"github.com/prometheus/procfs"
)

// systemTells says that the system tells what a process has used.
const systemTells = runtime.GOOS == "linux"

// usage is what a process has used so far, nothing where the system does not tell.
type usage struct {
	cpu time.Duration // of all its threads, in the system's mode too
	Memory
}

// tick is in what parts of a second the system tells CPU times (proc(5), sysconf
// _SC_CLK_TCK), 100 on every platform that Go runs on.
const tick = time.Second / 100

// usageOf asks the system what a process has used.
func usageOf(pid int) usage {
	p, stat, err := statOf(pid)
	if err != nil {
		return usage{}
	}
	status, err := p.NewStatus()
	if err != nil {
		return usage{}
	}
	return usage{time.Duration(stat.UTime+stat.STime) * tick, Memory{status.VmRSS, status.VmHWM}} //nolint:gosec // a CPU time
}

// cpuOfFamily asks the system what CPU time a process and its children have used, those
// that have ended included. Process 0, which is none, has used none.
func cpuOfFamily(pid int) (all time.Duration) {
	if pid == 0 {
		return 0
	}
	procs, _ := procfs.AllProcs() // none where the system does not tell
	for _, p := range procs {
		stat, err := p.Stat()
		if err != nil {
			continue // others come and go
		}
		if p.PID == pid {
			all += time.Duration(stat.CUTime+stat.CSTime) * tick
		}
		if p.PID == pid || stat.PPID == pid {
			all += time.Duration(stat.UTime+stat.STime) * tick //nolint:gosec // a CPU time
		}
	}
	return all
}

// parentOf returns the parent of a process, 0 where the system does not tell, or where one
// of the two has another name: the number may be that of another machine's process.
func parentOf(pid int, name string) int {
	_, child, _ := statOf(pid) // without a name where there is none
	_, parent, _ := statOf(child.PPID)
	if child.Comm != name || parent.Comm != name {
		return 0
	}
	return parent.PID
}

func statOf(pid int) (p procfs.Proc, stat procfs.ProcStat, err error) {
	if p, err = procfs.NewProc(pid); err == nil {
		stat, err = p.Stat()
	}
	return p, stat, err
}
