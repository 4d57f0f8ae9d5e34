package gateway

import (
	"time"

	"github.com/bwmarrin/discordgo"
)

// hand notes that an interaction is about to be given to the session. It counts as
// begun from here on, not from when a goroutine of the session gets to it.
func (l *line) hand() {
	l.s.calls.begin()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.handed++
}

// onEvent is the session's handler; each call runs in a goroutine of its own.
func (l *line) onEvent(_ *discordgo.Session, e *discordgo.Event) {
	if e.Type != "INTERACTION_CREATE" {
		return
	}
	received := time.Now()
	l.mu.Lock()
	late := l.closed
	if !late {
		l.handed--
		if l.handed == 0 && l.caughtUp != nil {
			close(l.caughtUp)
			l.caughtUp = nil
		}
	}
	l.mu.Unlock()
	if late {
		l.s.log.Error("interaction lost in a stuck session")
		return
	}
	l.s.handle(e.RawData, received)
}

// settle waits for the session to begin the interactions it was given, for a
// bounded time. One that is stuck will not: those are written off.
func (l *line) settle() {
	l.mu.Lock()
	if l.handed > 0 {
		l.caughtUp = make(chan struct{})
		caughtUp := l.caughtUp
		l.mu.Unlock()
		t := time.NewTimer(l.s.timing.Stall)
		select {
		case <-caughtUp:
		case <-t.C:
		}
		t.Stop()
		l.mu.Lock()
	}
	l.closed = true
	lost := l.handed
	l.mu.Unlock()
	for range lost {
		l.s.calls.end()
	}
}
