package bot

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/internal/recent"
	"tictactoe/bot/view"
	"tictactoe/store"
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

// Outcomes lists them.
var Outcomes = []Outcome{Answered, Refused, Unsaved, Incident, Failed, Duplicate, Late, Unfamiliar}

// Observer is told of what happens, for figures. Its methods are called on the way of a
// click, by several goroutines at once: they must be quick.
type Observer interface {
	// Handled is told of every interaction that was decoded, once.
	Handled(Handled)
	// Committed is told of every change that was stored: how many matches it began, and
	// how those ended that it ended.
	Committed(begun int, ended []store.EndReason)
}

// Handled is what became of an interaction, and the time that it took from its receipt
// on.
type Handled struct {
	ID      string // of the interaction, as in the log
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

// kind names what the interaction was about: a subcommand, an entry in a menu or a
// button that there is. Its values are as many as there are routes, whatever is sent.
func (in *request) kind() string {
	switch {
	case in.Kind == discord.KindAutocomplete:
		return suggesting
	case in.route.handle == nil:
		return noKind
	case in.Kind == discord.KindCommand && in.Command == view.MemberCommand:
		return "challenge_menu"
	case in.Kind == discord.KindCommand:
		return in.Command
	}
	return in.button.Action.Name()
}

// observe tells of an interaction that has been handled, and logs one line about it.
func (b *Bot) observe(in *request) {
	h := Handled{
		ID: in.ID, Kind: in.kind(), Outcome: in.outcome, Total: in.answered, Waiting: in.waited,
		Store: in.spent.Time(), Discord: in.sending,
	}
	if h.Total == 0 {
		h.Total = time.Since(in.Received)
	}
	if b.observer != nil {
		b.observer.Handled(h)
	}
	if b.kit.log.Enabled(context.Background(), slog.LevelDebug) {
		attrs := []any{"interaction", in.id, "kind", h.Kind, "outcome", h.Outcome, "took", h.Total, "waiting", h.Waiting, "store", h.Store, "discord", h.Discord}
		if in.incident != "" {
			attrs = append(attrs, "incident", in.incident)
		}
		b.kit.log.Debug("interaction handled", attrs...)
	}
}

// committed tells of a change that was stored.
func (b *changer) committed(c store.Change) {
	if b.observer == nil {
		return
	}
	begun := 0
	var ended []store.EndReason
	for _, m := range c.Matches {
		if m.Version == 0 {
			begun++
		}
		if m.State == store.Ended && b.endings.first(m) {
			ended = append(ended, m.EndReason)
		}
	}
	if begun > 0 || len(ended) > 0 {
		b.observer.Committed(begun, ended)
	}
}

// endings remember the matches that have ended lately: their records change once more
// when a rematch is offered, made, or lapses.
type endings struct {
	mu    sync.Mutex
	known recent.Map[store.MatchID, struct{}]
}

const (
	endingsTurn = time.Hour
	endingsMost = 50_000
)

// first reports whether the ended match has ended with this change, as far as that is
// remembered: one whose rematch lapses behind a restart is counted again.
func (e *endings) first(m store.Match) bool {
	if m.RematchX || m.RematchO || m.Next != 0 {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.known.Turn(m.Updated, endingsTurn, endingsMost)
	if _, ok := e.known.Get(m.ID); ok {
		return false
	}
	e.known.Put(m.ID, struct{}{})
	return true
}
