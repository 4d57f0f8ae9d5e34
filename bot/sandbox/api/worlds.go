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
// requests. The first guild, which the page shows, stays.
func (h *handler) reset(*http.Request) (any, error) {
	for _, g := range h.srv.World().Guilds()[1:] {
		removeWorld(g)
	}
	h.srv.Faults().Clear()
	h.srv.REST().Forget()
	return struct{}{}, nil
}

func removeWorld(g *sandbox.Guild) {
	for _, u := range g.Members() {
		u.Delete()
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
	err := h.fill(g, in)
	if err != nil {
		removeWorld(g) // a refused request changes nothing
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

// listWorlds lists all of them, first the one that the page shows and whose id a bot is given.
func (h *handler) listWorlds(*http.Request) (any, error) {
	worlds := []worldState{}
	for _, g := range h.srv.World().Guilds() {
		worlds = append(worlds, h.worldOf(g))
	}
	return worlds, nil
}

func (h *handler) getWorld(r *http.Request) (any, error) {
	g, err := h.guild(r)
	if err != nil {
		return nil, err
	}
	return h.worldOf(g), nil
}

func (h *handler) deleteWorld(r *http.Request) (any, error) {
	g, err := h.guild(r)
	if err != nil {
		return nil, err
	}
	if g == h.srv.Guild() {
		return nil, refuse(http.StatusConflict, "first_world", "The first world stays; make one of your own.")
	}
	removeWorld(g)
	return struct{}{}, nil
}

func (h *handler) worldOf(g *sandbox.Guild) worldState {
	w := worldState{ID: g.ID(), Name: g.Name(), Locale: g.Locale(), Owner: h.srv.World().Owner().ID(), People: []person{}, Channels: []channel{}, Roles: []role{}, Commands: []*commandName{}}
	for _, u := range g.Members() {
		w.People = append(w.People, personOf(g, u))
	}
	for _, c := range g.Channels() {
		w.Channels = append(w.Channels, channelOf(c))
	}
	for _, r := range g.Roles() {
		w.Roles = append(w.Roles, roleOf(r))
	}
	for _, a := range h.srv.World().Apps() {
		for _, c := range slices.Concat(a.Commands(""), a.Commands(g.ID())) {
			w.Commands = append(w.Commands, &commandName{c.ID, c.Name, c.Type})
		}
	}
	return w
}

type newPerson struct {
	Name        string   `json:"name"`
	Nick        *string  `json:"nick,omitempty"`
	Locale      string   `json:"locale,omitempty"`
	Permissions string   `json:"permissions,omitempty"` // bits, as Discord writes them
	Roles       []string `json:"roles,omitempty"`       // by name or id
	Installed   *bool    `json:"installed,omitempty"`
	ClosedDMs   bool     `json:"closed_dms,omitempty"`
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
		bits, err := strconv.ParseInt(in.Permissions, 10, 64)
		if err != nil || bits < 0 {
			return nil, nil, badField("permissions", "permissions must be a number as text.")
		}
		opts = append(opts, sandbox.Permissions(bits))
	}
	if in.Installed != nil {
		opts = append(opts, sandbox.Installed(*in.Installed))
	}
	if in.ClosedDMs {
		opts = append(opts, sandbox.ClosedDMs)
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

func (h *handler) createPerson(r *http.Request, in newPerson) (any, error) {
	g, err := h.guild(r)
	if err != nil {
		return nil, err
	}
	u, err := h.addPerson(g, in)
	if err != nil {
		return nil, err
	}
	return personOf(g, u), nil
}

// changePerson changes a person by name or id. Roles that are given replace theirs.
func (h *handler) changePerson(r *http.Request, in newPerson) (any, error) {
	g, err := h.guild(r)
	if err != nil {
		return nil, err
	}
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

type role struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Permissions string `json:"permissions"`
	Mentionable bool   `json:"mentionable"`
	Managed     bool   `json:"managed"`
}

func roleOf(r *sandbox.Role) role {
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

func (h *handler) createRole(r *http.Request, in roleChange) (any, error) {
	g, err := h.guild(r)
	if err != nil {
		return nil, err
	}
	made, err := h.addRole(g, in)
	if err != nil {
		return nil, err
	}
	return roleOf(made), nil
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
		var people []*sandbox.User
		for _, name := range in.VisibleTo {
			u := findPerson(g, name)
			if u == nil {
				return nil, unknownPerson(name)
			}
			people = append(people, u)
		}
		opts = append(opts, sandbox.Visible(people...))
	}
	if in.DenyBot != "" {
		bits, err := strconv.ParseInt(in.DenyBot, 10, 64)
		if err != nil || bits < 0 {
			return nil, badField("deny_bot", "deny_bot must be a number as text.")
		}
		opts = append(opts, sandbox.DenyBot(bits))
	}
	opts = append(opts, sandbox.Locked(in.Locked))
	if in.Parent != "" {
		opts = append(opts, sandbox.Archived(in.Archived))
	}
	return g.Channel(in.Name, opts...), nil
}

func (h *handler) createChannel(r *http.Request, in newChannel) (any, error) {
	g, err := h.guild(r)
	if err != nil {
		return nil, err
	}
	c, err := h.addChannel(g, in)
	if err != nil {
		return nil, err
	}
	return channelOf(c), nil
}

// What a request names is found by id or by name, within the world.

func findPerson(g *sandbox.Guild, name string) *sandbox.User {
	for _, u := range g.Members() {
		if u.ID() == name || u.Name() == name {
			return u
		}
	}
	return nil
}

func findRole(g *sandbox.Guild, name string) *sandbox.Role {
	for _, r := range g.Roles() {
		if r.ID() == name || r.Name() == name {
			return r
		}
	}
	return nil
}

func findChannel(g *sandbox.Guild, name string) *sandbox.Channel {
	for _, c := range g.Channels() {
		if c.ID() == name || c.Name() == name {
			return c
		}
	}
	return nil
}

func unknownPerson(name string) error {
	return refuse(http.StatusNotFound, "unknown_person", fmt.Sprintf("There is no person %q in this world.", name))
}

func unknownChannel(name string) error {
	return refuse(http.StatusNotFound, "unknown_channel", fmt.Sprintf("There is no channel %q in this world.", name))
}
