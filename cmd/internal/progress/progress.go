// Package progress shows somebody at a terminal how far a command has come.
package progress

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Line is a line that is kept up to date. The zero value is shown nowhere.
type Line struct {
	w    io.Writer
	last string
}

// To returns a line that is written to w.
func To(w io.Writer) *Line { return &Line{w: w} }

// On returns a line that is written to w if that is a terminal, and one that is shown
// nowhere otherwise.
func On(w io.Writer) *Line {
	if !IsTerminal(w) {
		return &Line{}
	}
	return To(w)
}

// IsTerminal reports whether what is read from, or written to, is a terminal.
func IsTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) //nolint:gosec // descriptors are small
}

// Say shows the text in place of the last one.
func (l *Line) Say(format string, args ...any) {
	if l.w == nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	if text == l.last {
		return
	}
	_, _ = fmt.Fprintf(l.w, "\r%-*s", len(l.last), text) // the work is worth more than its progress
	l.last = text
}

// Clear takes the line away.
func (l *Line) Clear() {
	if l.last != "" {
		_, _ = fmt.Fprintf(l.w, "\r%*s\r", len(l.last), "")
		l.last = ""
	}
}
