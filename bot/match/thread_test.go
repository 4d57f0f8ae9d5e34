package match

import (
	"testing"
	"time"

	"tictactoe/store"
)

// TestLockedNobodyIsReminded: while the thread is locked nobody is told that they are waited
// for, and once it is open they have all of the time.
func TestLockedNobodyIsReminded(t *testing.T) {
	const up = 5 * time.Hour
	m := store.Match{
		ID: 1, State: store.Active, Thread: "302", Clock: 10 * time.Minute, Deadline: up + time.Minute, Remind: up + time.Second,
		X: store.Player{User: "101"}, O: store.Player{User: "102"},
	}
	locked := Lock(m, up)
	if !locked.Locked || locked.Remind != 0 || locked.Deadline != up+AbandonAfter {
		t.Errorf("locked it is reminded at %v and due at %v", locked.Remind, locked.Deadline)
	}
	open := Unlock(locked, up+time.Hour)
	if open.Locked || open.Deadline != up+time.Hour+10*time.Minute || open.Remind != up+time.Hour+5*time.Minute {
		t.Errorf("open again it is reminded at %v and due at %v", open.Remind, open.Deadline)
	}
}
