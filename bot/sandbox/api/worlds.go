package api

import (
	"fmt"
	"net/http"
	"slices"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
)

// info says where a bot finds this Discord and how it is doing.
func (h *handler) info(*http.Request) (any, error) {
	return map[string]any{
		"api_url": h.srv.APIURL(), "gateway_url": h.srv.Gateway().URL(), "application_id": h.srv.AppID(), "token": h.srv.Token(),
		"bot": h.srv.BotUser().Name(), "sessions": h.srv.Gateway().Sessions(), "now": h.srv.Clock().Now(),
	}, nil
}

// reset deletes every world that was made here, ends all faults and forgets the
// requests. The first guild, which the page shows, stays with its people.
func (h *handler) reset(*http.Request) (any, error) {
	for _, g := range h.srv.World().Guilds()[1:] {
		removeWorld(h.srv.World(), g)
	}
	h.srv.Faults().Clear()
	h.srv.REST().Forget()
	return struct{}{}, nil
}

// removeWorld deletes a world with those who live in no other one.
func removeWorld(w *sandbox.World, g *sandbox.Guild) {
	worlds := w.Guilds()
	for _, u := range g.Members() {
		lives := func(other *sandbox.Guild) bool { return other != g && slices.Contains(other.Members(), u) }
		if u != w.Owner() && !slices.ContainsFunc(worlds, lives) {
			u.Delete()
		}
	}
	g.Delete()
}

// newWorld is a guild of its own for one test.
type newWorld struct {
	Name     string       `json:"name"`
	Locale   string       `json:"locale,omitempty"`
	People   []newPerson  `json:"people,omitempty"`
	Channels []newChannel `json:"channels,omitempty"`
	Roles    []roleChange `json:"roles,omitempty"`
}

// worldState is what a guild looks like.
type worldState struct {
	ID       string             `json:"id"`
	Name     string             `json:"name"`
	Locale   string             `json:"locale"`
	Owner    string             `json:"owner"`
	People   []person           `json:"people"`
	Channels []channel          `json:"channels"`
	Roles    []sandbox.RoleInfo `json:"roles"`
	Commands []commandName      `json:"commands"`
}

type commandName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type int    `json:"type"`
}

func nameOf(c rules.Command) commandName { return commandName{c.ID, c.Name, c.Type} }

func (h *handler) createWorld(r *http.Request, in newWorld) (any, error) {
	if in.Name == "" {
		return nil, badField("name", "A world needs a name.")
	}
	if in.Locale != "" && !slices.Contains(rules.Locales(), in.Locale) {
		return nil, badField("locale", "Discord has no such language.")
	}
	w := &world{handler: h, guild: h.srv.World().AddGuild(in.Name)}
	if in.Locale != "" {
		w.guild.SetLocale(in.Locale)
	}
	fill(w, r, in.Roles, (*world).addRole)
	fill(w, r, in.People, (*world).addPerson)
	fill(w, r, in.Channels, (*world).addChannel)
	if w.err != nil {
		removeWorld(h.srv.World(), w.guild) // a refused request changes nothing
		return nil, w.err
	}
	return w.get(r)
}

// fill adds some to a world as long as nothing is wrong.
func fill[T any](w *world, r *http.Request, list []T, add func(*world, *http.Request, T) (any, error)) {
	for _, one := range list {
		if w.err == nil {
			_, w.err = add(w, r, one)
		}
	}
}

// world is a guild, in which people, roles and channels are found by name or id for a request.
// Whoever looks several up asks once whether all were found.
type world struct {
	*handler
	guild *sandbox.Guild // nil for a request that is about no world
	err   error          // the first thing that was wrong
}

// needsName notes that a person, a role or a channel has none.
func (w *world) needsName(what, name string) {
	if name == "" {
		w.note(badField("name", what+" needs a name."))
	}
}

// note keeps what is wrong, if anything is, unless something was before.
func (w *world) note(err error) {
	if w.err == nil {
		w.err = err
	}
}

// in is the route's world.
func (h *handler) in(r *http.Request) (*world, error) {
	for _, g := range h.srv.World().Guilds() {
		if g.ID() == r.PathValue("world") {
			return &world{handler: h, guild: g}, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "unknown_world", "There is no such world.")
}

// within makes a handler of a function that is about the route's world.
func within(h *handler, serve func(*world, *http.Request) (any, error)) http.HandlerFunc {
	return format.Do(func(r *http.Request) (any, error) {
		w, err := h.in(r)
		if err != nil {
			return nil, err
		}
		return serve(w, r)
	})
}

// postWithin is within for a function that takes the request's JSON, too.
func postWithin[In any](h *handler, serve func(*world, *http.Request, In) (any, error)) http.HandlerFunc {
	return post(func(r *http.Request, in In) (any, error) {
		w, err := h.in(r)
		if err != nil {
			return nil, err
		}
		return serve(w, r, in)
	})
}

// listWorlds lists all of them, first the one that the page shows and whose id a bot is given.
func (h *handler) listWorlds(*http.Request) (any, error) {
	return each(h.srv.World().Guilds(), func(g *sandbox.Guild) worldState { return (&world{handler: h, guild: g}).state() }), nil
}

func (w *world) get(*http.Request) (any, error) { return w.state(), nil }

func (w *world) delete(*http.Request) (any, error) {
	if w.guild == w.srv.Guild() {
		return nil, refuse(http.StatusConflict, "first_world", "The first world stays; make one of your own.")
	}
	removeWorld(w.srv.World(), w.guild)
	return struct{}{}, nil
}

func (w *world) state() worldState {
	g := w.guild
	s := worldState{
		ID: g.ID(), Name: g.Name(), Locale: g.Locale(), Owner: w.srv.World().Owner().ID(), Commands: []commandName{},
		People: each(g.Members(), w.personOf), Channels: each(g.Channels(), channelOf), Roles: each(g.Roles(), (*sandbox.Role).Info),
	}
	for _, a := range w.srv.World().Apps() {
		s.Commands = append(s.Commands, each(slices.Concat(a.Commands(""), a.Commands(g.ID())), nameOf)...)
	}
	return s
}

type newPerson struct {
	Name        string   `json:"name"`
	Nick        *string  `json:"nick,omitempty"`
	Locale      string   `json:"locale,omitempty"`
	Permissions string   `json:"permissions,omitempty"` // bits, as Discord writes them
	Roles       []string `json:"roles,omitempty"`       // by name or id
	Installed   *bool    `json:"installed,omitempty"`
	ClosedDMs   *bool    `json:"closed_dms,omitempty"`
}

type person struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Nick   string   `json:"nick"`
	Locale string   `json:"locale"`
	DM     string   `json:"dm"` // the channel of direct messages with the bot
	Roles  []string `json:"roles"`
}

func (w *world) personOf(u *sandbox.User) person {
	return person{u.ID(), u.Name(), u.Nick(), u.Locale(), u.DM().ID(), each(u.Roles(w.guild), (*sandbox.Role).Name)}
}

// options reads what a request says of a person.
func (w *world) options(in newPerson) (opts []sandbox.UserOption, roles []*sandbox.Role) {
	if in.Locale != "" {
		if !slices.Contains(rules.Locales(), in.Locale) {
			w.note(badField("locale", "Discord has no such language."))
		}
		opts = append(opts, sandbox.Locale(in.Locale))
	}
	if in.Permissions != "" {
		opts = append(opts, sandbox.Permissions(w.bits("permissions", in.Permissions)))
	}
	opts = slices.Concat(opts, given(in.Nick, sandbox.Nick), given(in.Installed, sandbox.Installed), given(in.ClosedDMs, sandbox.ClosedDMs))
	for _, name := range in.Roles {
		r := find(w.guild.Roles(), name)
		if r == nil {
			w.note(badField("roles", fmt.Sprintf("There is no role %q.", name)))
		}
		roles = append(roles, r)
	}
	return opts, roles
}

// given is the option with a value, if there is one.
func given[T any, Option any](value *T, option func(T) Option) (opts []Option) {
	if value != nil {
		opts = append(opts, option(*value))
	}
	return opts
}

func (w *world) addPerson(_ *http.Request, in newPerson) (any, error) {
	w.needsName("A person", in.Name)
	if find(w.guild.Members(), in.Name) != nil {
		return nil, badField("name", fmt.Sprintf("There is a person %q already.", in.Name))
	}
	opts, roles := w.options(in)
	if w.err != nil {
		return nil, w.err
	}
	u := w.srv.World().AddUser(in.Name, opts...)
	u.Join(w.guild)
	for _, r := range roles {
		u.Give(r)
	}
	return w.personOf(u), nil
}

// changePerson changes a person by name or id. Roles that are given replace theirs.
func (w *world) changePerson(_ *http.Request, in newPerson) (any, error) {
	u := w.person(in.Name)
	opts, roles := w.options(in)
	if w.err != nil {
		return nil, w.err
	}
	if len(opts) > 0 {
		u.Set(opts...)
	}
	if in.Roles != nil {
		for _, old := range u.Roles(w.guild) {
			if !slices.Contains(roles, old) {
				u.Take(old)
			}
		}
		for _, n := range roles {
			u.Give(n)
		}
	}
	return w.personOf(u), nil
}

// addRole makes a role, or changes the one of that name: "@everyone" is there already.
func (w *world) addRole(_ *http.Request, in roleChange) (any, error) {
	w.needsName("A role", in.Name)
	opts := in.options(w)
	if w.err != nil {
		return nil, w.err
	}
	return w.guild.Role(in.Name, opts...).Info(), nil
}

type newChannel struct {
	Name      string   `json:"name"`
	Topic     string   `json:"topic,omitempty"`
	Parent    string   `json:"parent,omitempty"` // makes it a thread of that channel
	VisibleTo []string `json:"visible_to,omitempty"`
	DenyBot   string   `json:"deny_bot,omitempty"` // permission bits
	Archived  bool     `json:"archived,omitempty"`
	Locked    bool     `json:"locked,omitempty"`
}

type channel struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Parent string `json:"parent,omitempty"`
}

func channelOf(c *sandbox.Channel) channel {
	out := channel{ID: c.ID(), Name: c.Name()}
	if p := c.Parent(); p != nil {
		out.Parent = p.ID()
	}
	return out
}

// addChannel makes a channel, or changes the one of that name.
func (w *world) addChannel(_ *http.Request, in newChannel) (any, error) {
	w.needsName("A channel", in.Name)
	var opts []sandbox.ChannelOption
	if in.Parent != "" {
		parent := find(w.guild.Channels(), in.Parent)
		if parent == nil || parent.Parent() != nil {
			w.note(badField("parent", fmt.Sprintf("There is no channel %q for threads.", in.Parent)))
		}
		opts = append(opts, sandbox.Thread(parent))
	}
	if in.Topic != "" {
		opts = append(opts, sandbox.Topic(in.Topic))
	}
	if in.VisibleTo != nil {
		opts = append(opts, sandbox.Visible(w.people(in.VisibleTo)...))
	}
	if in.DenyBot != "" {
		opts = append(opts, sandbox.DenyBot(w.bits("deny_bot", in.DenyBot)))
	}
	switch {
	case in.Parent != "":
		opts = append(opts, sandbox.Locked(in.Locked), sandbox.Archived(in.Archived))
	case in.Locked || in.Archived:
		w.note(badField("parent", "Only a thread is archived or locked: name the channel that it is in."))
	}
	if w.err != nil {
		return nil, w.err
	}
	return channelOf(w.guild.Channel(in.Name, opts...)), nil
}

// people finds some by name or id.
func (w *world) people(names []string) []*sandbox.User {
	return each(names, func(name string) *sandbox.User { return known(w, w.guild.Members(), "person", name) })
}

// named is what a request can name.
type named interface {
	comparable
	ID() string
	Name() string
}

// find returns what has the id or the name, nil for none.
func find[T named](list []T, name string) (found T) {
	if i := slices.IndexFunc(list, func(one T) bool { return one.ID() == name || one.Name() == name }); i >= 0 {
		found = list[i]
	}
	return found
}

// known returns what has the id or the name, and notes where none of that kind has it.
func known[T named](w *world, list []T, kind, name string) T {
	var none T
	found := find(list, name)
	if found == none {
		w.note(unknown(kind, name))
	}
	return found
}

func unknown(kind, name string) error {
	return refuse(http.StatusNotFound, "unknown_"+kind, fmt.Sprintf("There is no %s %q in this world.", kind, name))
}

// each is what each one of a list is as JSON.
func each[T, Out any](list []T, is func(T) Out) []Out {
	out := make([]Out, len(list))
	for i, one := range list {
		out[i] = is(one)
	}
	return out
}
