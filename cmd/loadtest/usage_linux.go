package main

import (
	"time"

	"github.com/prometheus/procfs"
)

// usageOf asks the system what a process has used.
func usageOf(pid int) usage {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return usage{}
	}
	stat, err := p.Stat()
	if err != nil {
		return usage{}
	}
	status, err := p.NewStatus()
	if err != nil {
		return usage{}
	}
	return usage{
		known: true, cpu: time.Duration(stat.CPUTime() * float64(time.Second)),
		resident: status.VmRSS, peak: status.VmHWM,
	}
}

// usageOfFamily asks the system what a process and its children have used, those that
// have ended included.
func usageOfFamily(pid int) usage {
	all := usageOf(pid)
	stat, err := statOf(pid)
	if err != nil {
		return usage{}
	}
	all.cpu += time.Duration(stat.CUTime+stat.CSTime) * time.Second / userHz
	procs, err := procfs.AllProcs()
	if err != nil {
		return usage{}
	}
	for _, one := range procs {
		if stat, err := one.Stat(); err == nil && stat.PPID == pid { // others come and go
			all.cpu += time.Duration(stat.CPUTime() * float64(time.Second))
		}
	}
	return all
}

// userHz is in what parts of a second the system tells CPU times (proc(5), sysconf
// _SC_CLK_TCK), 100 on every platform that Go runs on.
const userHz = 100

// parentOf returns the parent of a process, 0 where the system does not tell, or where one
// of the two has another name: the number may be that of another machine's process.
func parentOf(pid int, name string) int {
	child, err := statOf(pid)
	if err != nil || child.Comm != name {
		return 0
	}
	parent, err := statOf(child.PPID)
	if err != nil || parent.Comm != name {
		return 0
	}
	return parent.PID
}

func statOf(pid int) (procfs.ProcStat, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return procfs.ProcStat{}, err
	}
	return p.Stat()
}
