package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// ErrState: what LoadState was given is no saved state, or the server has been
// used already.
var ErrState = errors.New("sandbox: no saved state")

// stateVersion is the version of the saved form.
const stateVersion = 1

// savedState is a world as SaveState writes it: who and what there is and every
// message that is not deleted, without interactions, sessions and faults.
type savedState struct {
	Version  int            `json:"version"`
	AppID    string         `json:"app_id"`
	Token    string         `json:"token"`
	Users    []savedUser    `json:"users"`
	Guilds   []savedGuild   `json:"guilds"`
	Messages []savedMessage `json:"messages"`
	Files    []savedFile    `json:"files,omitempty"`
	Commands map[string][]*Command
}

type savedUser struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Nick        string            `json:"nick,omitempty"`
	Locale      string            `json:"locale"`
	Bot         bool              `json:"bot,omitempty"`
	Permissions int64             `json:"permissions,omitempty"`
	ClosedDMs   bool              `json:"closed_dms,omitempty"`
	Joined      map[string]string `json:"joined"` // by guild id
	DM          string            `json:"dm,omitempty"`
}

type savedGuild struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Locale   string         `json:"locale"`
	HasBot   bool           `json:"has_bot"`
	Members  []string       `json:"members"`
	Channels []savedChannel `json:"channels"`
}

type savedChannel struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Parent   string   `json:"parent,omitempty"`
	Denied   int64    `json:"denied,omitempty"`
	Only     []string `json:"only,omitempty"`
	Limited  bool     `json:"limited,omitempty"`
	Archived bool     `json:"archived,omitempty"`
	Locked   bool     `json:"locked,omitempty"`
}

type savedMessage struct {
	ID         string    `json:"id"`
	Channel    string    `json:"channel"`
	Author     string    `json:"author"`
	Viewer     string    `json:"viewer,omitempty"`
	Kind       int       `json:"kind,omitempty"`
	Content    string    `json:"content,omitempty"`
	Components []any     `json:"components,omitempty"`
	Embeds     []any     `json:"embeds,omitempty"`
	Attached   []any     `json:"attached,omitempty"`
	Flags      int       `json:"flags,omitempty"`
	Mentions   []string  `json:"mentions,omitempty"`
	Unknown    []string  `json:"unknown,omitempty"`
	Created    time.Time `json:"created"`
	Edited     time.Time `json:"edited,omitzero"`
}

type savedFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Body []byte `json:"body"`
}

// SaveState writes the server's world so that LoadState can go on with it: people,
// guilds, channels, messages and registered commands with their ids, the bot token,
// and of uploaded files the newest, up to 4 MiB. Interactions that are under way
// are not part of it.
func (s *Server) SaveState(w io.Writer) error {
	s.mu.Lock()
	state := s.stateLocked()
	b, err := json.Marshal(state)
	s.mu.Unlock()
	if err != nil {
		return fmt.Errorf("sandbox: save state: %w", err)
	}
	_, err = w.Write(b)
	return err
}

func (s *Server) stateLocked() savedState {
	state := savedState{Version: stateVersion, AppID: s.appID, Token: s.token, Commands: s.commands.scopes}
	for _, u := range s.users {
		if u.deleted {
			continue
		}
		saved := savedUser{
			ID: u.id, Name: u.globalName, Nick: u.nick, Locale: u.locale, Bot: u.isBot,
			Permissions: u.permissions, ClosedDMs: u.closedDMs, Joined: map[string]string{},
		}
		for g, when := range u.joined {
			saved.Joined[g.id] = when
		}
		if u.dm != nil {
			saved.DM = u.dm.id
			state.saveMessages(u.dm)
		}
		state.Users = append(state.Users, saved)
	}
	sortByID(state.Users, func(u savedUser) string { return u.ID })
	for _, g := range s.guilds {
		saved := savedGuild{ID: g.id, Name: g.name, Locale: g.locale, HasBot: g.botIn, Members: userIDs(g.members)}
		for _, c := range g.channels {
			if c.deleted {
				continue
			}
			ch := savedChannel{
				ID: c.id, Name: c.name, Denied: c.denied, Limited: c.only != nil, Archived: c.archived, Locked: c.locked,
			}
			if c.parent != nil {
				ch.Parent = c.parent.id
			}
			for u := range c.only {
				ch.Only = append(ch.Only, u.id)
			}
			sortByID(ch.Only, func(id string) string { return id })
			saved.Channels = append(saved.Channels, ch)
			state.saveMessages(c)
		}
		state.Guilds = append(state.Guilds, saved)
	}
	sortByID(state.Messages, func(m savedMessage) string { return m.ID })
	for _, f := range s.files.newest(savedFileBytes) {
		state.Files = append(state.Files, savedFile{f.id, f.name, f.body})
	}
	return state
}

func (state *savedState) saveMessages(c *Channel) {
	for _, m := range c.messages {
		if m.deleted {
			continue
		}
		saved := savedMessage{
			ID: m.id, Channel: c.id, Author: m.author.id, Kind: m.kind, Content: m.content,
			Components: m.rawComps, Embeds: m.embeds, Attached: m.attached, Flags: m.flags &^ FlagLoading,
			Mentions: userIDs(m.mentions), Unknown: m.unknown, Created: m.created, Edited: m.edited,
		}
		if m.viewer != nil {
			saved.Viewer = m.viewer.id
		}
		state.Messages = append(state.Messages, saved)
	}
}

// LoadState replaces the world of a server that nobody has used yet by one that
// SaveState wrote. Anything else gets an error that wraps ErrState and changes
// nothing.
func (s *Server) LoadState(r io.Reader) error {
	var state savedState
	if err := json.NewDecoder(r).Decode(&state); err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	if state.Version != stateVersion || state.AppID == "" || state.Token == "" || len(state.Guilds) == 0 {
		return fmt.Errorf("%w: version %d", ErrState, state.Version)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.messages) > 0 || len(s.calls) > 0 || len(s.commands.scopes) > 0 {
		return fmt.Errorf("%w: the server has been used", ErrState)
	}
	w := &worldLoader{srv: s, users: map[string]*User{}, guilds: map[string]*Guild{}, channels: map[string]*Channel{}, messages: map[string]*Message{}}
	if err := w.load(state); err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	s.appID, s.token = state.AppID, state.Token
	s.bot = w.users[state.AppID]
	s.users, s.guilds, s.channels, s.messages = w.users, w.order, w.channels, w.messages
	for _, f := range state.Files {
		s.files.add(newFile(f.ID, f.Name, f.Body))
	}
	s.byName = map[string]*User{}
	for _, u := range s.users {
		s.byName[u.globalName] = u
	}
	if state.Commands != nil {
		s.commands.scopes = state.Commands
	}
	s.notifyLocked()
	return nil
}

// worldLoader builds a world beside the one that a server has.
type worldLoader struct {
	srv      *Server
	users    map[string]*User
	guilds   map[string]*Guild
	order    []*Guild
	channels map[string]*Channel
	messages map[string]*Message
}

func (w *worldLoader) load(state savedState) error {
	for _, saved := range state.Users {
		u := &User{
			srv: w.srv, id: saved.ID, username: freeUsername(w.users, saved.Name), globalName: saved.Name, nick: saved.Nick,
			locale: saved.Locale, isBot: saved.Bot, permissions: saved.Permissions, closedDMs: saved.ClosedDMs,
			joined: map[*Guild]string{},
		}
		w.users[u.id] = u
		if saved.DM != "" {
			u.dm = &Channel{srv: w.srv, id: saved.DM, name: saved.Name, person: u}
			w.channels[saved.DM] = u.dm
		}
	}
	if w.users[state.AppID] == nil {
		return errors.New("the bot is not among the users")
	}
	for _, saved := range state.Guilds {
		if err := w.loadGuild(saved); err != nil {
			return err
		}
	}
	for _, saved := range state.Users {
		for id, when := range saved.Joined {
			if g := w.guilds[id]; g != nil {
				w.users[saved.ID].joined[g] = when
			}
		}
	}
	for _, saved := range state.Messages {
		if err := w.loadMessage(saved); err != nil {
			return err
		}
	}
	return nil
}

func (w *worldLoader) loadGuild(saved savedGuild) error {
	g := &Guild{srv: w.srv, id: saved.ID, name: saved.Name, locale: saved.Locale, botIn: saved.HasBot}
	w.guilds[g.id] = g
	w.order = append(w.order, g)
	for _, id := range saved.Members {
		u := w.users[id]
		if u == nil {
			return fmt.Errorf("unknown member %s", id)
		}
		g.members = append(g.members, u)
	}
	for _, sc := range saved.Channels {
		c := &Channel{srv: w.srv, id: sc.ID, name: sc.Name, guild: g, denied: sc.Denied, archived: sc.Archived, locked: sc.Locked}
		if sc.Parent != "" {
			if c.parent = w.channels[sc.Parent]; c.parent == nil {
				return fmt.Errorf("unknown parent %s", sc.Parent)
			}
		}
		if sc.Limited {
			c.only = map[*User]bool{}
			for _, id := range sc.Only {
				c.only[w.users[id]] = true
			}
		}
		g.channels = append(g.channels, c)
		w.channels[c.id] = c
	}
	return nil
}

func (w *worldLoader) loadMessage(saved savedMessage) error {
	c, author := w.channels[saved.Channel], w.users[saved.Author]
	if c == nil || author == nil {
		return fmt.Errorf("message %s has no channel or author", saved.ID)
	}
	m := &Message{
		srv: w.srv, id: saved.ID, channel: c, author: author, kind: saved.Kind, content: saved.Content,
		rawComps: saved.Components, embeds: saved.Embeds, attached: saved.Attached, flags: saved.Flags,
		unknown: saved.Unknown, created: saved.Created, edited: saved.Edited,
	}
	if saved.Viewer != "" {
		if m.viewer = w.users[saved.Viewer]; m.viewer == nil {
			return fmt.Errorf("message %s has no viewer", saved.ID)
		}
	}
	for _, id := range saved.Mentions {
		if u := w.users[id]; u != nil {
			m.mentions = append(m.mentions, u)
		}
	}
	b, err := json.Marshal(saved.Components)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, &m.components); err != nil {
		return fmt.Errorf("message %s: %w", saved.ID, err)
	}
	c.messages = append(c.messages, m)
	w.messages[m.id] = m
	return nil
}
