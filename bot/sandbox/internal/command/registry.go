// Package command keeps the commands that an application has registered, for all guilds and
// for single ones, as Discord's routes change them.
package command

import (
	"bytes"
	"slices"
	"time"

	"tictactoe/bot/sandbox/rules"
)

// Registry is the commands of an application by scope: a guild's id, or "" for the global
// ones. Its owner keeps its methods from running at once.
type Registry struct {
	scopes  map[string][]*rules.Command
	created map[string][]time.Time // the day's creations
}

// New is a registry with what was registered before.
func New(scopes map[string][]*rules.Command) Registry {
	if scopes == nil {
		scopes = map[string][]*rules.Command{}
	}
	return Registry{scopes, map[string][]time.Time{}}
}

// Scopes are all commands, for New.
func (r *Registry) Scopes() map[string][]*rules.Command { return r.scopes }

// In are those of a scope.
func (r *Registry) In(scope string) []*rules.Command { return r.scopes[scope] }

// Find returns the command of that id in a scope, nil for none.
func (r *Registry) Find(scope, id string) *rules.Command {
	return r.first(scope, func(c *rules.Command) bool { return c.ID == id })
}

func (r *Registry) first(scope string, meant func(*rules.Command) bool) *rules.Command {
	i := slices.IndexFunc(r.scopes[scope], meant)
	if i < 0 {
		return nil
	}
	return r.scopes[scope][i]
}

// Change is a change of a scope by an application. Its form gathers what is wrong with it.
type Change struct {
	App   rules.Application
	Form  rules.Form
	Scope string
	Now   time.Time
	Most  int // creations a day
}

// Create registers a command, or replaces the one of its name and type; made tells which.
func (r *Registry) Create(by Change, o map[string]any) (c *rules.Command, made bool, err error) {
	c = by.App.CheckCommand(by.Form, o, by.Scope)
	if err := by.Form.Err(); err != nil {
		return nil, false, err
	}
	list := slices.Clone(r.scopes[by.Scope])
	old := r.like(by.Scope, c)
	if old != nil {
		list[slices.Index(list, old)] = c
	} else {
		list = append(list, c)
	}
	return c, old == nil, r.replace(by, list)
}

// replace sets the commands of a scope. Those whose name and type were there keep their id, and
// count as no creation.
func (r *Registry) replace(by Change, list []*rules.Command) error {
	if err := rules.CommandQuota(list); err != nil {
		return err
	}
	fresh := slices.DeleteFunc(slices.Clone(list), func(c *rules.Command) bool { return r.like(by.Scope, c) != nil })
	if err := r.count(by, len(fresh)); err != nil {
		return err
	}
	for _, c := range list {
		by.number(r.like(by.Scope, c), c)
	}
	r.scopes[by.Scope] = list
	return nil
}

// Edit changes some fields of a command that is in the scope.
func (r *Registry) Edit(by Change, old *rules.Command, change map[string]any) (*rules.Command, error) {
	merged := rules.AsMap(old)
	if _, given := change["contexts"]; given {
		delete(merged, "dm_permission") // follows from them
	}
	for k, v := range change {
		if k != "type" && k != "id" {
			merged[k] = v
		}
	}
	c := by.App.CheckCommand(by.Form, merged, by.Scope)
	if err := by.Form.Err(); err != nil {
		return nil, err
	}
	list := slices.Clone(r.scopes[by.Scope])
	for i, other := range list {
		if other == old {
			list[i] = c
		} else if same(other, c) {
			duplicate(by.Form)
			return nil, by.Form.Err()
		}
	}
	by.number(old, c)
	r.scopes[by.Scope] = list
	return c, nil
}

// Delete takes a command out of a scope.
func (r *Registry) Delete(scope string, c *rules.Command) {
	r.scopes[scope] = slices.DeleteFunc(slices.Clone(r.scopes[scope]), func(other *rules.Command) bool { return other == c })
}

// Overwrite replaces all commands of a scope by the list that is given.
func (r *Registry) Overwrite(by Change, body any) ([]*rules.Command, error) {
	in, ok := body.([]any)
	if !ok && body != nil {
		by.Form.Fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
		return nil, by.Form.Err()
	}
	by.Form.Length(len(in), 0, rules.MaxBulkCommands)
	list := []*rules.Command{}
	for f, o := range by.Form.Each(in) {
		c := by.App.CheckCommand(f, o, by.Scope)
		for _, other := range list {
			if same(other, c) {
				duplicate(f)
			}
		}
		list = append(list, c)
	}
	if err := by.Form.Err(); err != nil {
		return nil, err
	}
	return list, r.replace(by, list)
}

// same reports whether two commands cannot be in one scope.
func same(a, b *rules.Command) bool { return a.Name == b.Name && a.Type == b.Type }

func duplicate(f rules.Form) {
	f.At("name").Fail("APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
}

// like returns the command of a scope that c would replace, nil for none.
func (r *Registry) like(scope string, c *rules.Command) *rules.Command {
	return r.first(scope, func(old *rules.Command) bool { return same(old, c) })
}

// number gives c the place of old, if there is one; its version changes with its content.
func (by Change) number(old, c *rules.Command) {
	if old == nil {
		c.ID, c.Version = by.App.NewID(), by.App.NewID()
		return
	}
	c.ID, c.Version = old.ID, old.Version
	if !bytes.Equal(rules.Encode(old), rules.Encode(c)) {
		c.Version = by.App.NewID()
	}
}

// count counts n creations, and refuses them when they would be too many of the last day.
func (r *Registry) count(by Change, n int) error {
	day := slices.DeleteFunc(r.created[by.Scope], func(t time.Time) bool { return by.Now.Sub(t) >= 24*time.Hour })
	r.created[by.Scope] = day
	if len(day)+n > by.Most {
		return rules.ErrCommandCreates
	}
	r.created[by.Scope] = append(day, slices.Repeat([]time.Time{by.Now}, n)...)
	return nil
}
