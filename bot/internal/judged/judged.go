// Package judged remembers what the moves of matches were worth.
package judged

import (
	"slices"
	"sync"

	"tictactoe/engine/coach"
	"tictactoe/store"
)

// Verdicts remember what the moves of matches were worth, of those that were asked for
// last. The zero value is ready; its methods may be called concurrently.
type Verdicts struct {
	mu    sync.Mutex
	known map[store.MatchID][]coach.Verdict
	used  []store.MatchID // the one that was asked for last stands at the end
}

// most is how many matches are remembered: a few KiB each.
const most = 500

// Of returns the verdicts on a match, as far as they are known.
func (j *Verdicts) Of(id store.MatchID) []coach.Verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, ok := j.known[id]; ok {
		j.touch(id)
	}
	return j.known[id]
}

// Keep remembers verdicts, unless more are known. They must not be changed afterwards.
func (j *Verdicts) Keep(id store.MatchID, verdicts []coach.Verdict) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(verdicts) <= len(j.known[id]) {
		return
	}
	if j.known == nil {
		j.known = map[store.MatchID][]coach.Verdict{}
	}
	j.known[id] = verdicts
	if j.touch(id); len(j.used) > most {
		delete(j.known, j.used[0])
		j.used = j.used[1:]
	}
}

// touch moves the match to the end of those that are forgotten.
func (j *Verdicts) touch(id store.MatchID) {
	if i := slices.Index(j.used, id); i >= 0 {
		j.used = slices.Delete(j.used, i, i+1)
	}
	j.used = append(j.used, id)
}
