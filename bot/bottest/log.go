package bottest

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
)

const (
	// tokenStart is how every interaction token starts, Discord's and the local
	// one's: it is "interaction" in base64.
	tokenStart = "aW50ZXJhY3Rpb24" //nolint:gosec // the part that is no secret
	// logTail is how many bytes of the log are kept at least.
	logTail = 1 << 20
)

// Log takes what a bot logs and looks for secrets in each line, however much is
// logged. It keeps the end of it, to be shown when a test has failed. It is safe for
// concurrent use.
type Log struct {
	secrets []string

	mu    sync.Mutex
	tail  bytes.Buffer
	lines map[slog.Level]int64
	leaks []string // lines with a secret, the first few
}

func newLog(botToken string) *Log {
	return &Log{secrets: []string{botToken, tokenStart}, lines: map[slog.Level]int64{}}
}

// Write implements io.Writer. A logger writes one line at a time.
func (l *Log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[levelOf(line)]++
	for _, secret := range l.secrets {
		if bytes.Contains(line, []byte(secret)) && len(l.leaks) < 5 {
			l.leaks = append(l.leaks, string(line))
		}
	}
	if l.tail.Len() > 2*logTail {
		l.tail.Next(l.tail.Len() - logTail)
	}
	l.tail.Write(line)
	return len(line), nil
}

// levelOf returns the level of a line.
func levelOf(line []byte) (level slog.Level) {
	_, rest, _ := bytes.Cut(line, []byte(" level="))
	name, _, _ := bytes.Cut(rest, []byte(" "))
	if level.UnmarshalText(name) != nil {
		return slog.LevelDebug
	}
	return level
}

// Lines returns how many lines were logged at the level or above.
func (l *Log) Lines(at slog.Level) (n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for level, lines := range l.lines {
		if level >= at {
			n += lines
		}
	}
	return n
}

// Leaks returns the first lines that hold the bot token or the start of an
// interaction's.
func (l *Log) Leaks() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.leaks...)
}

// String returns the end of the log, which is all of a short one. It is for what a log
// is read for, such as the number of an incident; tests that wait look at
// service.Counts.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tail.String()
}

// Tail returns the last few lines.
func (l *Log) Tail() string {
	s := l.String()
	s = s[max(0, len(s)-6000):]
	return s[strings.IndexByte(s, '\n')+1:]
}
