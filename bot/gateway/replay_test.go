package gateway

import (
	"testing"
	"time"
)

// What arrives may be a replay from a cut until shortly after the resume, and at no
// other time.
func TestReplaying(t *testing.T) {
	for name, c := range map[string]struct {
		status Status
		want   bool
	}{
		"before the first session":   {Status{}, false},
		"in the first session":       {Status{Ready: true, Connects: 1, Since: time.Now()}, false},
		"after a cut":                {Status{Connects: 1, Since: time.Now()}, true},
		"just resumed":               {Status{Ready: true, Connects: 2, Resumes: 1, Since: time.Now()}, true},
		"resumed a while ago":        {Status{Ready: true, Connects: 2, Resumes: 1, Since: time.Now().Add(-time.Minute)}, false},
		"started anew instead":       {Status{Ready: true, Connects: 2, Since: time.Now()}, false},
		"after a cut of the resumed": {Status{Connects: 2, Resumes: 1, Since: time.Now().Add(-time.Minute)}, true},
	} {
		s := &Supervisor{status: c.status}
		if got := s.Replaying(); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
