package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"tictactoe/bot/sandbox/rules"
)

func getCommand(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.command, nil
}

// commandPermissions are none: nobody can set any here, which takes a person's own token.
func commandPermissions(*World, *exchange) (int, any, error) { return http.StatusOK, []any{}, nil }

func numberCommand(w *World, c *rules.Command) {
	c.ID = w.newID()
	c.Version = w.newID()
}

// replaceCommand gives c the place of old; its version changes with its content.
func replaceCommand(w *World, old, c *rules.Command) {
	c.ID, c.Version = old.ID, old.Version
	a, _ := json.Marshal(old)
	b, _ := json.Marshal(c)
	if string(a) != string(b) {
		c.Version = w.newID()
	}
}

func setCommands(w *World, scope string, list []*rules.Command) {
	w.app.commands.scopes[scope] = list
	w.publishLocked(Event{Kind: EventCommandsChanged})
}

// countCreates counts the creations of the last day in a scope and refuses n more
// when they would be too many.
func countCreates(w *World, x *exchange, scope string, n int) error {
	now := w.clock.Now()
	day := slices.DeleteFunc(w.app.commands.created[scope], func(t time.Time) bool { return now.Sub(t) >= 24*time.Hour })
	if len(day)+n > x.rest.Options().CommandCreates {
		w.app.commands.created[scope] = day
		return rules.ErrCommandCreates
	}
	for range n {
		day = append(day, now)
	}
	w.app.commands.created[scope] = day
	return nil
}
