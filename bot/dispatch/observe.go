package dispatch

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"tictactoe/bot/discord"
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

// Handled is what became of an interaction, and the time that it took from its receipt
// on.
type Handled struct {
	Kind    string // the command or the button, by name
	Outcome Outcome
	Total   time.Duration // until its answer was taken
	Waiting time.Duration // before its handler began
	Store   time.Duration // spent in the store
	Discord time.Duration // spent on sending the answer
}

// Kinds of what reached no route, and of options that ask for suggestions.
const (
	noKind     = "none"
	suggesting = "autocomplete"
)

// kind names what the interaction was about. Its values are as many as there are routes,
// whatever is sent.
func (c *Call) kind() string {
	if c.Kind == discord.KindAutocomplete {
		return suggesting
	}
	return cmp.Or(c.Name, noKind)
}

// observe tells of an interaction that has been handled, and logs one line about it.
func (d *Dispatcher[K, R, P]) observe(c *Call) {
	h := Handled{Kind: c.kind(), Outcome: c.Outcome, Total: cmp.Or(c.answered, time.Since(c.Received)), Waiting: c.waited, Discord: c.sending}
	if c.Stored != nil {
		h.Store = c.Stored()
	}
	if d.opts.Observer != nil {
		d.opts.Observer.Handled(h)
	}
	if d.opts.Log.Enabled(context.Background(), slog.LevelDebug) {
		attrs := []any{"interaction", c.ID, "kind", h.Kind, "outcome", h.Outcome, "took", h.Total, "waiting", h.Waiting, "store", h.Store, "discord", h.Discord}
		if c.Incident != "" {
			attrs = append(attrs, "incident", c.Incident)
		}
		d.opts.Log.Debug("interaction handled", attrs...)
	}
}
