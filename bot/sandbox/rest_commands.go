package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"tictactoe/bot/sandbox/rules"
)

func listCommands(w *World, x *exchange) (int, any, error) {
	scope := x.scope
	full := x.Query.Get("with_localizations") == "true"
	out := []any{}
	for _, c := range w.app.commands.scopes[scope] {
		o := rules.AsMap[map[string]any](c)
		if !full {
			localize(o, x.Request.Header.Get("X-Discord-Locale"))
		}
		out = append(out, o)
	}
	return http.StatusOK, out, nil
}

// localize replaces the dictionaries of translations by the one for locale, in
// the object and all below it.
func localize(o map[string]any, locale string) {
	for _, key := range []string{"name", "description"} {
		all, _ := o[key+"_localizations"].(map[string]any)
		delete(o, key+"_localizations")
		if t, ok := all[locale]; ok {
			o[key+"_localized"] = t
		}
	}
	for _, key := range []string{"options", "choices"} {
		list, _ := o[key].([]any)
		for _, v := range list {
			if child, ok := v.(map[string]any); ok {
				localize(child, locale)
			}
		}
	}
}

func getCommand(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.command, nil
}

func createCommand(w *World, x *exchange) (int, any, error) {
	scope := x.scope
	o := x.fields
	f := rules.NewForm()
	c := w.application().CheckCommand(f, o, scope)
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	list := slices.Clone(w.app.commands.scopes[scope])
	at := slices.IndexFunc(list, func(old *rules.Command) bool { return old.Name == c.Name && old.Type == c.Type })
	status := http.StatusOK
	if at >= 0 {
		replaceCommand(w, list[at], c)
		list[at] = c
	} else {
		status = http.StatusCreated
		list = append(list, c)
		if err := rules.CommandQuota(list); err != nil {
			return 0, nil, err
		}
		if err := countCreates(w, x, scope, 1); err != nil {
			return 0, nil, err
		}
		numberCommand(w, c)
	}
	setCommands(w, scope, list)
	return status, c, nil
}

func editCommand(w *World, x *exchange) (int, any, error) {
	scope, old := x.scope, x.command
	change := x.fields
	merged := rules.AsMap[map[string]any](old)
	for k, v := range change {
		if k != "type" && k != "id" {
			merged[k] = v
		}
	}
	f := rules.NewForm()
	c := w.application().CheckCommand(f, merged, scope)
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	list := slices.Clone(w.app.commands.scopes[scope])
	for i, other := range list {
		if other == old {
			list[i] = c
		} else if other.Name == c.Name && other.Type == c.Type {
			f.At("name").Fail("APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
			return 0, nil, f.Err()
		}
	}
	replaceCommand(w, old, c)
	setCommands(w, scope, list)
	return http.StatusOK, c, nil
}

func deleteCommand(w *World, x *exchange) (int, any, error) {
	scope, old := x.scope, x.command
	setCommands(w, scope, slices.DeleteFunc(slices.Clone(w.app.commands.scopes[scope]), func(c *rules.Command) bool { return c == old }))
	return http.StatusNoContent, nil, nil
}

// overwriteCommands replaces all commands of a scope by the list that is given;
// those whose name and type were there keep their id and count as no creation.
func overwriteCommands(w *World, x *exchange) (int, any, error) {
	scope := x.scope
	f := rules.NewForm()
	in, ok := x.Body.([]any)
	if !ok && x.Body != nil {
		f.Fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
		return 0, nil, f.Err()
	}
	f.Length(len(in), 0, rules.MaxBulkCommands)
	list := []*rules.Command{}
	for i, v := range in {
		g := f.At(i)
		o, ok := g.Object(v)
		if !ok {
			continue
		}
		c := w.application().CheckCommand(g, o, scope)
		if c == nil {
			continue
		}
		for _, other := range list {
			if other.Name == c.Name && other.Type == c.Type {
				g.At("name").Fail("APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
			}
		}
		list = append(list, c)
	}
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	if err := rules.CommandQuota(list); err != nil {
		return 0, nil, err
	}
	before, fresh := w.app.commands.scopes[scope], 0
	known := func(c *rules.Command) *rules.Command {
		for _, old := range before {
			if old.Name == c.Name && old.Type == c.Type {
				return old
			}
		}
		return nil
	}
	for _, c := range list {
		if known(c) == nil {
			fresh++
		}
	}
	if err := countCreates(w, x, scope, fresh); err != nil {
		return 0, nil, err
	}
	for _, c := range list {
		if old := known(c); old != nil {
			replaceCommand(w, old, c)
		} else {
			numberCommand(w, c)
		}
	}
	setCommands(w, scope, list)
	return http.StatusOK, list, nil
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
