package gateway

import "time"

// replayTail is for how long after a resume what was replayed may still be waiting
// for a goroutine.
const replayTail = 5 * time.Second

// Replaying reports whether interactions that arrive now may be ones that Discord
// sends again because the connection was gone. Discord replays before it says that
// a session is resumed; a session that never was cut replays nothing.
func (s *Supervisor) Replaying() bool {
	st := s.Status()
	return !st.Ready && st.Connects > 0 || st.Resumes > 0 && time.Since(st.Since) < replayTail
}
