package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteTables writes the report for people to read.
func (r *Report) WriteTables(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d channels, %d processors, %s/%s, %s\n", r.Channels, r.CPUs, r.OS, r.Arch, r.Go)
	fmt.Fprintf(&b, "A flush to this disk takes %s (p50), %s (p99).\n", ms(r.Flush.P50), ms(r.Flush.P99))
	for _, l := range r.Loads {
		switch l.Load {
		case loadFull:
			b.WriteString("\nFull load: people click as soon as they are answered.\n")
		case loadHalf:
			fmt.Fprintf(&b, "\nHalf of the slowest one's rate: a click in each channel every %s on average.\n", ms(l.Pause))
		default:
			fmt.Fprintf(&b, "\nA click in each channel every %s on average.\n", ms(l.Pause))
		}
		r.writeLoad(&b, l)
	}
	b.WriteString("\n")
	r.writeBots(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) writeLoad(w io.Writer, l LoadReport) {
	t := table(w, "", "a second", "p50", "p99", "p99.9", "longest", "unanswered")
	for _, f := range l.Bots {
		row(t, f.Name, fmt.Sprintf("%.0f", f.Rate), ms(f.Latency.P50), ms(f.Latency.P99), ms(f.Latency.P999), ms(f.Latency.Max),
			fmt.Sprint(f.Unanswered))
	}
	_ = t.Flush() // into memory
	columns := []string{"", "CPU each", "processors", "local Discord's CPU", "processors", "requests", "bytes", "database's CPU"}
	if !slices.ContainsFunc(l.Bots, func(f Figures) bool { return f.DatabaseCPU != nil }) {
		columns = columns[:len(columns)-1]
	}
	t = table(w, columns...)
	for _, f := range l.Bots {
		cells := []string{
			f.Name, known(f.CPU, "%.0f µs"), known(f.Processors, "%.2f"), known(f.DiscordCPU, "%.0f µs"), known(f.DiscordProcessors, "%.2f"),
			fmt.Sprintf("%.2f", f.Requests), fmt.Sprintf("%.0f", f.AnswerBytes), known(f.DatabaseCPU, "%.0f µs"),
		}
		row(t, cells[:len(columns)]...)
	}
	_ = t.Flush()
	for i, f := range l.Bots[1:] {
		one, other := l.Bots[0], f
		if name := r.Bots[i+1].Beside; name != "" {
			one, other = f, l.Bots[slices.IndexFunc(l.Bots, func(f Figures) bool { return f.Name == name })]
		}
		compare(w, one, other)
	}
}

// compare writes a sentence on how one bot did beside another.
func compare(w io.Writer, one, other Figures) {
	if other.Rate == 0 {
		return
	}
	fmt.Fprintf(w, "%s beside %s: %.2f of its rate", one.Name, other.Name, one.Rate/other.Rate)
	if one.CPU != nil && other.CPU != nil && *other.CPU > 0 {
		fmt.Fprintf(w, ", %.2f times its CPU time", *one.CPU / *other.CPU)
	}
	over := one.Latency.P99 - other.Latency.P99
	fmt.Fprintf(w, ", p99 %s %s.\n", ms(max(over, -over)), map[bool]string{true: "more", false: "less"}[over >= 0])
}

func (r *Report) writeBots(w io.Writer) {
	t := table(w, "", "ready after", "resident at first", "at the end", "at most")
	for _, b := range r.Bots {
		row(t, b.Name, ms(b.Ready), mib(b.WarmMemory.Resident), mib(b.Memory.Resident), mib(b.Memory.Peak))
	}
	_ = t.Flush()
}

// table begins a table with these columns.
func table(w io.Writer, columns ...string) *tabwriter.Writer {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row(t, columns...)
	return t
}

func row(t *tabwriter.Writer, cells ...string) {
	_, _ = io.WriteString(t, strings.Join(cells, "\t")+"\t\n") // into memory
}

// ms writes milliseconds with what digits matter.
func ms(v float64) string {
	switch {
	case v < 10:
		return fmt.Sprintf("%.2f ms", v)
	case v < 100:
		return fmt.Sprintf("%.1f ms", v)
	default:
		return fmt.Sprintf("%.0f ms", v)
	}
}

// mib writes a size, or that the system does not tell it.
func mib(v uint64) string {
	if v == 0 {
		return "?"
	}
	return fmt.Sprintf("%.1f MiB", float64(v)/(1<<20))
}

// known writes a figure, or that the system does not tell it.
func known(v *float64, format string) string {
	if v == nil {
		return "?"
	}
	return fmt.Sprintf(format, *v)
}
