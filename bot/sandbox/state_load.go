package sandbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/rules"
)

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
	if len(s.messages) > 0 || len(s.calls) > 0 || len(s.app.commands.scopes) > 0 {
		return fmt.Errorf("%w: the server has been used", ErrState)
	}
	w := &worldLoader{srv: s, users: map[string]*User{}, guilds: map[string]*Guild{}, channels: map[string]*Channel{}, messages: map[string]*Message{}, calls: map[string]*Call{}}
	if err := w.load(state); err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	first := s.apps[0]
	first.id, first.token, first.user = state.AppID, cmp.Or(s.opt.Token, state.Token), w.users[state.AppID]
	first.load(savedApp{Commands: state.Commands, Emojis: state.Emojis})
	s.apps, s.owner = append([]*App{first}, w.others...), w.owner
	s.users, s.guilds, s.channels, s.messages = w.users, w.order, w.channels, w.messages
	for _, f := range state.Files {
		s.files.Add(files.New(f.ID, f.Name, f.Body))
	}
	for _, h := range state.Webhooks {
		if c := s.channels[h.Channel]; c != nil {
			s.webhooks = append(s.webhooks, &channelWebhook{h.ID, h.Token, h.Name, c, cmp.Or(w.apps[h.App], first)})
		}
	}
	s.byName = map[string]*User{}
	for _, u := range s.users {
		s.byName[u.globalName] = u
	}
	s.notifyLocked()
	return nil
}

// worldLoader builds a world beside the one that a server has.
type worldLoader struct {
	srv      *Server
	users    map[string]*User
	appID    string
	apps     map[string]*App
	others   []*App // all but the first
	owner    *User
	roles    map[string]*Role
	guilds   map[string]*Guild
	order    []*Guild
	channels map[string]*Channel
	messages map[string]*Message
	calls    map[string]*Call
}

func (w *worldLoader) load(state savedState) error {
	first := w.srv.apps[0]
	w.apps = map[string]*App{"": first, state.AppID: first}
	for _, saved := range state.Apps {
		a := w.srv.makeApp(saved.ID, AppOptions{Token: saved.Token, Permissions: saved.Permissions, PrivilegedIntents: saved.Intents})
		a.load(saved)
		w.apps[a.id], w.others = a, append(w.others, a)
	}
	for _, saved := range state.Users {
		u := &User{
			srv: w.srv, id: saved.ID, username: freeUsername(w.users, saved.Name), globalName: saved.Name, nick: saved.Nick,
			locale: saved.Locale, isBot: saved.Bot, permissions: saved.Permissions, closedDMs: saved.ClosedDMs,
			installed: saved.Installed, in: map[*Guild]*member{},
		}
		if saved.Deleted { // whose messages are still there
			u.deleted, u.username = true, deletedName(u.id)
		}
		w.users[u.id] = u
		if saved.DM != "" {
			w.loadDM(u, saved.DM, first)
		}
		for id, dm := range saved.DMs {
			if a := w.apps[id]; a != nil {
				w.loadDM(u, dm, a)
			}
		}
		if a := w.apps[u.id]; a != nil {
			u.app = a
			if a != first { // which is taken over once all is well
				a.user = u
			}
		}
	}
	for _, a := range w.others {
		if a.user == nil {
			return errors.New("a bot is not among the users")
		}
	}
	w.appID, w.roles = state.AppID, map[string]*Role{}
	if w.users[state.AppID] == nil {
		return errors.New("the bot is not among the users")
	}
	w.owner = w.users[state.Owner]
	if w.owner == nil {
		if state.Owner != "" {
			return errors.New("the owner is not among the users")
		}
		w.owner = w.newOwner() // of a world that was saved before it had one
	}
	for _, saved := range state.Guilds {
		if err := w.loadGuild(saved); err != nil {
			return err
		}
	}
	for _, saved := range state.Users {
		for id, when := range saved.Joined {
			if g := w.guilds[id]; g != nil {
				w.users[saved.ID].in[g] = &member{joined: when, timeout: saved.Timeouts[id]}
			}
		}
		w.loadRoles(w.users[saved.ID], saved.Roles)
		w.users[saved.ID].deriveRoles()
	}
	for _, saved := range state.Parties {
		c := &Channel{srv: w.srv, id: saved.ID, name: "private"}
		for _, id := range saved.People {
			u := w.users[id]
			if u == nil {
				return fmt.Errorf("channel %s has an unknown person", saved.ID)
			}
			c.party = append(c.party, u)
		}
		w.channels[c.id] = c
	}
	for _, saved := range state.Calls {
		c := &Call{
			srv: w.srv, id: saved.ID, kind: saved.Kind, path: saved.Path, user: w.users[saved.User],
			channel: w.channels[saved.Channel], state: CallAnswered, tokenDead: true, app: w.apps[saved.App],
		}
		if c.app == nil {
			return fmt.Errorf("interaction %s has an unknown application", saved.ID)
		}
		if c.user == nil || c.channel == nil {
			return fmt.Errorf("interaction %s has no person or channel", saved.ID)
		}
		w.calls[c.id] = c
	}
	for _, saved := range state.Messages {
		if err := w.loadMessage(saved); err != nil {
			return err
		}
	}
	for _, saved := range state.Calls {
		// Either may have been deleted since, or been private.
		w.calls[saved.ID].message, w.calls[saved.ID].original = w.messages[saved.Message], w.messages[saved.Original]
	}
	return nil
}

func (w *worldLoader) loadGuild(saved savedGuild) error {
	g := &Guild{srv: w.srv, id: saved.ID, name: saved.Name, locale: saved.Locale, commandsOnly: saved.Commands}
	w.loadGuildRoles(g, saved)
	w.guilds[g.id] = g
	w.order = append(w.order, g)
	for _, id := range saved.Members {
		u := w.users[id]
		if u == nil {
			return fmt.Errorf("unknown member %s", id)
		}
		g.members = append(g.members, u)
	}
	for _, id := range saved.Banned {
		if u := w.users[id]; u != nil {
			g.banned = append(g.banned, u)
		}
	}
	for _, sc := range saved.Channels {
		c := &Channel{srv: w.srv, id: sc.ID, name: sc.Name, guild: g, topic: sc.Topic, form: sc.Type, overwrites: sc.Overwrites, archived: sc.Archived, locked: sc.Locked}
		if sc.Parent != "" {
			if c.parent = w.channels[sc.Parent]; c.parent == nil {
				return fmt.Errorf("unknown parent %s", sc.Parent)
			}
			w.loadThread(c, sc.Thread)
		}
		if sc.Limited {
			c.overwrite(g.id, false, 0, PermissionViewChannel)
			c.overwrite(w.appID, true, PermissionViewChannel, 0)
			for _, id := range sc.Only {
				c.overwrite(id, true, PermissionViewChannel, 0)
			}
		}
		if sc.Denied != 0 {
			c.overwrite(w.appID, true, 0, sc.Denied)
		}
		g.channels = append(g.channels, c)
		w.channels[c.id] = c
	}
	return nil
}

func (t *thread) saved() *savedThread {
	out := &savedThread{Private: t.private, AutoArchive: t.autoArchive, ArchivedAt: t.archivedAt, Members: map[string]time.Time{}}
	if t.owner != nil {
		out.Owner = t.owner.id
	}
	for _, m := range t.members {
		out.Members[m.user.id] = m.joined
	}
	return out
}

// loadThread makes a channel a thread; one that was saved as less is a public one.
func (w *worldLoader) loadThread(c *Channel, saved *savedThread) {
	if saved == nil {
		saved = &savedThread{AutoArchive: defaultAutoArchive}
	}
	c.thread = thread{owner: w.users[saved.Owner], private: saved.Private, autoArchive: saved.AutoArchive, archivedAt: saved.ArchivedAt}
	for id, joined := range saved.Members {
		if u := w.users[id]; u != nil {
			c.thread.members = append(c.thread.members, threadMember{u, joined})
		}
	}
	rules.SortByID(c.thread.members, func(m threadMember) string { return m.user.id })
	c.awake()
}

func (w *worldLoader) loadDM(u *User, id string, a *App) {
	c := &Channel{srv: w.srv, id: id, name: u.globalName, person: u, app: a}
	u.setDM(c)
	w.channels[id] = c
}

func (w *worldLoader) newOwner() *User {
	u := &User{srv: w.srv, id: w.srv.newID(), username: freeUsername(w.users, "Owner"), globalName: "Owner", locale: "en-US", in: map[*Guild]*member{}}
	w.users[u.id] = u
	return u
}

// loadGuildRoles makes a guild's roles. A world that was saved without any has that
// of everyone and the application's.
func (w *worldLoader) loadGuildRoles(g *Guild, saved savedGuild) {
	if len(saved.Roles) == 0 {
		g.roles = []*Role{{srv: w.srv, guild: g, id: g.id, name: "@everyone", permissions: memberPermissions}}
		if saved.HasBot {
			bot := w.users[w.appID]
			r := g.newRole(bot.globalName)
			r.managed, r.app = true, w.apps[""]
			bot.in[g] = &member{joined: isoTime(rules.SnowflakeTime(g.id)), roles: []*Role{r}}
		}
		w.owner.in[g] = &member{joined: isoTime(rules.SnowflakeTime(g.id))}
	}
	for _, sr := range saved.Roles {
		r := &Role{
			srv: w.srv, guild: g, id: sr.ID, name: sr.Name, permissions: sr.Permissions, color: sr.Color,
			hoist: sr.Hoist, mentionable: sr.Mentionable, managed: sr.Managed, derived: sr.Derived,
		}
		if r.managed {
			r.app = w.apps[""] // until its bot is found
		}
		g.roles = append(g.roles, r)
		w.roles[r.id] = r
	}
}

func (w *worldLoader) loadRoles(u *User, ids []string) {
	for _, id := range ids {
		if r := w.roles[id]; r != nil && u.in[r.guild] != nil {
			u.in[r.guild].roles = append(u.in[r.guild].roles, r)
			if r.managed && u.app != nil {
				r.app = u.app
			}
		}
	}
}

// reference is what a message in c refers to, nil for nothing.
func (saved savedMessage) reference(c *Channel) any {
	if saved.ReplyTo == "" && saved.About == "" {
		return nil
	}
	ref := map[string]any{"type": 0, "channel_id": c.id}
	if saved.ReplyTo != "" {
		ref["message_id"] = saved.ReplyTo
	}
	if saved.About != "" {
		ref["channel_id"] = saved.About
	}
	if c.guild != nil && saved.Kind != messageReply {
		ref["guild_id"] = c.guild.id
	}
	return ref
}

func (w *worldLoader) loadMessage(saved savedMessage) error {
	if saved.Flags&rules.FlagEphemeral != 0 {
		return nil // older states hold private messages
	}
	c, author := w.channels[saved.Channel], w.users[saved.Author]
	if saved.Webhook != "" {
		author = w.srv.hookUser(saved.Author, saved.Webhook)
	}
	if c == nil || author == nil {
		return fmt.Errorf("message %s has no channel or author", saved.ID)
	}
	m := &Message{
		srv: w.srv, id: saved.ID, channel: c, author: author, kind: saved.Kind, content: saved.Content,
		rawComps: saved.Components, embeds: saved.Embeds, attached: saved.Attached, flags: saved.Flags,
		unknown: saved.Unknown, created: saved.Created, edited: saved.Edited,
	}
	m.reference = saved.reference(c)
	if saved.Origin != "" {
		if m.origin = w.calls[saved.Origin]; m.origin == nil {
			return fmt.Errorf("message %s answers nothing", saved.ID)
		}
	}
	for _, id := range saved.Mentions {
		if u := w.users[id]; u != nil {
			m.mentions = append(m.mentions, u)
		}
	}
	for _, id := range saved.Named {
		if r := w.roles[id]; r != nil {
			m.roles = append(m.roles, r)
		}
	}
	var err error
	if m.compsJSON, err = json.Marshal(orEmpty(saved.Components)); err != nil {
		return err
	}
	if err := json.Unmarshal(m.compsJSON, &m.components); err != nil {
		return fmt.Errorf("message %s: %w", saved.ID, err)
	}
	m.pinned = saved.Pinned
	for _, sr := range saved.Reactions {
		r := &reaction{emoji: sr.Emoji}
		for _, id := range sr.Users {
			if u := w.users[id]; u != nil {
				r.users = append(r.users, u)
			}
		}
		m.reactions = append(m.reactions, r)
	}
	c.messages = append(c.messages, m)
	w.messages[m.id] = m
	return nil
}
