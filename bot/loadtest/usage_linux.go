package loadtest

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
