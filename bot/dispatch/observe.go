package dispatch

import (
	"cmp"
	"context"
	"log/slog"
	"time"
)

// Outcome says what became of an interaction.
type Outcome string

// All outcomes.
const (
	Answered   Outcome = "answered"   // it was done
	Refused    Outcome = "refused"    // it was not, for a reason that the words give
	Unsaved    Outcome = "unsaved"    // the store did not take it, or nobody knows yet
	Incident   Outcome = "incident"   // it met a mistake of ours
	Failed     Outcome = "failed"     // the answer did not reach Discord
	Duplicate  Outcome = "duplicate"  // delivered again, without an effect
	Late       Outcome = "late"       // too late to be answered, without an effect
	Unfamiliar Outcome = "unfamiliar" // of a form or a kind that is not known
)

// Names of what reached no route, and of options that ask for suggestions.
const (
	noRoute    = "none"
	suggesting = "autocomplete"
)

// observe tells of an interaction that has been handled, and logs one line about it.
func (d *Dispatcher[K, R, P]) observe(c *Call) {
	c.Total = cmp.Or(c.Total, time.Since(c.Received))
	if c.Stored != nil {
		c.Store = c.Stored()
	}
	if d.opts.Observer != nil {
		d.opts.Observer.Handled(c)
	}
	if d.opts.Log.Enabled(context.Background(), slog.LevelDebug) {
		attrs := []any{"interaction", c.ID, "kind", c.Name, "outcome", c.Outcome, "took", c.Total, "waiting", c.Waiting, "store", c.Store, "discord", c.Discord}
		if c.Incident != "" {
			attrs = append(attrs, "incident", c.Incident)
		}
		d.opts.Log.Debug("interaction handled", attrs...)
	}
}
