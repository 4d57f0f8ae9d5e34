package api

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

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
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Locale   string         `json:"locale"`
	Owner    string         `json:"owner"`
	People   []person       `json:"people"`
	Channels []channel      `json:"channels"`
	Roles    []role         `json:"roles"`
	Commands []*commandName `json:"commands"`
}

type commandName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type int    `json:"type"`
}

func (h *handler) createWorld(_ *http.Request, in newWorld) (any, error) {
	if in.Name == "" {
		return nil, badField("name", "A world needs a name.")
	}
	if in.Locale != "" && !slices.Contains(rules.Locales(), in.Locale) {
		return nil, badField("locale", "Discord has no such language.")
	}
	g := h.srv.World().AddGuild(in.Name)
	if err := h.fill(g, in); err != nil {
		removeWorld(h.srv.World(), g) // a refused request changes nothing
		return nil, err
	}
	return h.worldOf(g), nil
}

func (h *handler) fill(g *sandbox.Guild, in newWorld) error {
	if in.Locale != "" {
		g.SetLocale(in.Locale)
	}
	for _, r := range in.Roles {
		if _, err := h.addRole(g, r); err != nil {
			return err
		}
	}
	for _, p := range in.People {
		if _, err := h.addPerson(g, p); err != nil {
			return err
		}
	}
	for _, c := range in.Channels {
		if _, err := h.addChannel(g, c); err != nil {
			return err
		}
	}
	return nil
}

// guild finds the route's world.
func (h *handler) guild(r *http.Request) (*sandbox.Guild, error) {
	for _, g := range h.srv.World().Guilds() {
		if g.ID() == r.PathValue("world") {
			return g, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "unknown_world", "There is no such world.")
}

// within makes a handler of a function that is about the route's world.
func within(h *handler, serve func(*sandbox.Guild) (any, error)) http.HandlerFunc {
	return format.Do(func(r *http.Request) (any, error) {
		g, err := h.guild(r)
		if err != nil {
			return nil, err
		}
		return serve(g)
	})
}

// postWithin is within for a function that takes the request's JSON, too.
func postWithin[In any](h *handler, serve func(*sandbox.Guild, In) (any, error)) http.HandlerFunc {
	return post(func(r *http.Request, in In) (any, error) {
		g, err := h.guild(r)
		if err != nil {
			return nil, err
		}
		return serve(g, in)
	})
}

// made makes a handler that adds something to the route's world, and answers with what it is.
func made[In, T, Out any](h *handler, add func(*sandbox.Guild, In) (T, error), is func(*sandbox.Guild, T) Out) http.HandlerFunc {
	return postWithin(h, func(g *sandbox.Guild, in In) (any, error) {
		one, err := add(g, in)
		if err != nil {
			return nil, err
		}
		return is(g, one), nil
	})
}

// listWorlds lists all of them, first the one that the page shows and whose id a bot is given.
func (h *handler) listWorlds(*http.Request) (any, error) {
	worlds := []worldState{}
	for _, g := range h.srv.World().Guilds() {
		worlds = append(worlds, h.worldOf(g))
	}
	return worlds, nil
}

func (h *handler) getWorld(g *sandbox.Guild) (any, error) { return h.worldOf(g), nil }

func (h *handler) deleteWorld(g *sandbox.Guild) (any, error) {
	if g == h.srv.Guild() {
		return nil, refuse(http.StatusConflict, "first_world", "The first world stays; make one of your own.")
	}
	removeWorld(h.srv.World(), g)
	return struct{}{}, nil
}

func (h *handler) worldOf(g *sandbox.Guild) worldState {
	w := worldState{
		ID: g.ID(), Name: g.Name(), Locale: g.Locale(), Owner: h.srv.World().Owner().ID(), Commands: []*commandName{},
		People: each(g, g.Members(), personOf), Channels: each(g, g.Channels(), channelOf), Roles: each(g, g.Roles(), roleOf),
	}
	for _, a := range h.srv.World().Apps() {
		for _, c := range slices.Concat(a.Commands(""), a.Commands(g.ID())) {
			w.Commands = append(w.Commands, &commandName{c.ID, c.Name, c.Type})
		}
	}
	return w
}

// each is what each one of a list in a world looks like.
func each[T, Out any](g *sandbox.Guild, list []T, is func(*sandbox.Guild, T) Out) []Out {
	out := []Out{}
	for _, one := range list {
		out = append(out, is(g, one))
	}
	return out
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

func personOf(g *sandbox.Guild, u *sandbox.User) person {
	p := person{ID: u.ID(), Name: u.Name(), Nick: u.Nick(), Locale: u.Locale(), DM: u.DM().ID(), Roles: []string{}}
	for _, r := range u.Roles(g) {
		p.Roles = append(p.Roles, r.Name())
	}
	return p
}

// options reads what a request says of a person.
func (h *handler) options(g *sandbox.Guild, in newPerson) ([]sandbox.UserOption, []*sandbox.Role, error) {
	var opts []sandbox.UserOption
	if in.Locale != "" {
		if !slices.Contains(rules.Locales(), in.Locale) {
			return nil, nil, badField("locale", "Discord has no such language.")
		}
		opts = append(opts, sandbox.Locale(in.Locale))
	}
	if in.Nick != nil {
		opts = append(opts, sandbox.Nick(*in.Nick))
	}
	if in.Permissions != "" {
		bits, err := number("permissions", in.Permissions)
		if err != nil {
			return nil, nil, err
		}
		opts = append(opts, sandbox.Permissions(bits))
	}
	if in.Installed != nil {
		opts = append(opts, sandbox.Installed(*in.Installed))
	}
	switch {
	case in.ClosedDMs == nil:
	case *in.ClosedDMs:
		opts = append(opts, sandbox.ClosedDMs)
	default:
		opts = append(opts, sandbox.OpenDMs)
	}
	var roles []*sandbox.Role
	for _, name := range in.Roles {
		r := findRole(g, name)
		if r == nil {
			return nil, nil, badField("roles", fmt.Sprintf("There is no role %q.", name))
		}
		roles = append(roles, r)
	}
	return opts, roles, nil
}

func (h *handler) addPerson(g *sandbox.Guild, in newPerson) (*sandbox.User, error) {
	if in.Name == "" {
		return nil, badField("name", "A person needs a name.")
	}
	if findPerson(g, in.Name) != nil {
		return nil, badField("name", fmt.Sprintf("There is a person %q already.", in.Name))
	}
	opts, roles, err := h.options(g, in)
	if err != nil {
		return nil, err
	}
	u := h.srv.World().AddUser(in.Name, opts...)
	u.Join(g)
	for _, r := range roles {
		u.Give(r)
	}
	return u, nil
}

// changePerson changes a person by name or id. Roles that are given replace theirs.
func (h *handler) changePerson(g *sandbox.Guild, in newPerson) (any, error) {
	u := findPerson(g, in.Name)
	if u == nil {
		return nil, unknownPerson(in.Name)
	}
	opts, roles, err := h.options(g, in)
	if err != nil {
		return nil, err
	}
	if len(opts) > 0 {
		u.Set(opts...)
	}
	if in.Roles != nil {
		for _, old := range u.Roles(g) {
			if !slices.Contains(roles, old) {
				u.Take(old)
			}
		}
		for _, n := range roles {
			u.Give(n)
		}
	}
	return personOf(g, u), nil
}

// number reads a field that is a number as text.
func number(field, text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, badField(field, field+" must be a number as text.")
	}
	return n, nil
}

type role struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Permissions string `json:"permissions"`
	Mentionable bool   `json:"mentionable"`
	Managed     bool   `json:"managed"`
}

func roleOf(_ *sandbox.Guild, r *sandbox.Role) role {
	return role{ID: r.ID(), Name: r.Name(), Permissions: strconv.FormatInt(r.Permissions(), 10), Mentionable: r.Mentionable(), Managed: r.Managed()}
}

// addRole makes a role, or changes the one of that name: "@everyone" is there already.
func (h *handler) addRole(g *sandbox.Guild, in roleChange) (*sandbox.Role, error) {
	if in.Name == "" {
		return nil, badField("name", "A role needs a name.")
	}
	opts, err := in.options()
	if err != nil {
		return nil, err
	}
	return g.Role(in.Name, opts...), nil
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

func channelOf(_ *sandbox.Guild, c *sandbox.Channel) channel {
	out := channel{ID: c.ID(), Name: c.Name()}
	if p := c.Parent(); p != nil {
		out.Parent = p.ID()
	}
	return out
}

// addChannel makes a channel, or changes the one of that name.
func (h *handler) addChannel(g *sandbox.Guild, in newChannel) (*sandbox.Channel, error) {
	if in.Name == "" {
		return nil, badField("name", "A channel needs a name.")
	}
	var opts []sandbox.ChannelOption
	if in.Parent != "" {
		parent := findChannel(g, in.Parent)
		if parent == nil || parent.Parent() != nil {
			return nil, badField("parent", fmt.Sprintf("There is no channel %q for threads.", in.Parent))
		}
		opts = append(opts, sandbox.Thread(parent))
	}
	if in.Topic != "" {
		opts = append(opts, sandbox.Topic(in.Topic))
	}
	if in.VisibleTo != nil {
		people, err := findPeople(g, in.VisibleTo)
		if err != nil {
			return nil, err
		}
		opts = append(opts, sandbox.Visible(people...))
	}
	if in.DenyBot != "" {
		bits, err := number("deny_bot", in.DenyBot)
		if err != nil {
			return nil, err
		}
		opts = append(opts, sandbox.DenyBot(bits))
	}
	switch {
	case in.Parent != "":
		opts = append(opts, sandbox.Locked(in.Locked), sandbox.Archived(in.Archived))
	case in.Locked || in.Archived:
		return nil, badField("parent", "Only a thread is archived or locked: name the channel that it is in.")
	}
	return g.Channel(in.Name, opts...), nil
}

// What a request names is found by id or by name, within the world.

func findPerson(g *sandbox.Guild, name string) *sandbox.User { return find(g.Members(), name) }

func findPeople(g *sandbox.Guild, names []string) (people []*sandbox.User, err error) {
	for _, name := range names {
		u := findPerson(g, name)
		if u == nil {
			return nil, unknownPerson(name)
		}
		people = append(people, u)
	}
	return people, nil
}

func findRole(g *sandbox.Guild, name string) *sandbox.Role { return find(g.Roles(), name) }

func findChannel(g *sandbox.Guild, name string) *sandbox.Channel { return find(g.Channels(), name) }

// find returns what has the id or the name, nil for none.
func find[T interface {
	comparable
	ID() string
	Name() string
}](list []T, name string) (found T) {
	if i := slices.IndexFunc(list, func(one T) bool { return one.ID() == name || one.Name() == name }); i >= 0 {
		found = list[i]
	}
	return found
}

func unknownPerson(name string) error {
	return refuse(http.StatusNotFound, "unknown_person", fmt.Sprintf("There is no person %q in this world.", name))
}

func unknownChannel(name string) error {
	return refuse(http.StatusNotFound, "unknown_channel", fmt.Sprintf("There is no channel %q in this world.", name))
}
