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
func (w *World) LoadState(r io.Reader) error {
	var state savedState
	if err := json.NewDecoder(r).Decode(&state); err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	if state.Version != stateVersion || state.AppID == "" || state.Token == "" || len(state.Guilds) == 0 {
		return fmt.Errorf("%w: version %d", ErrState, state.Version)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.messages) > 0 || len(w.calls) > 0 || len(w.app.commands.scopes) > 0 {
		return fmt.Errorf("%w: the server has been used", ErrState)
	}
	l := &worldLoader{world: w, users: map[string]*User{}, guilds: map[string]*Guild{}, channels: map[string]*Channel{}, messages: map[string]*Message{}, calls: map[string]*Call{}}
	if err := l.load(state); err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	first := w.apps[0]
	first.id, first.token, first.user = state.AppID, cmp.Or(w.opt.Token, state.Token), l.users[state.AppID]
	first.load(savedApp{Commands: state.Commands, Emojis: state.Emojis})
	w.apps, w.owner = append([]*App{first}, l.others...), l.owner
	w.users, w.guilds, w.channels, w.messages = l.users, l.order, l.channels, l.messages
	for _, f := range state.Files {
		w.files.Add(files.New(f.ID, f.Name, f.Body))
	}
	for _, h := range state.Webhooks {
		if c := w.channels[h.Channel]; c != nil {
			w.webhooks = append(w.webhooks, &channelWebhook{h.ID, h.Token, h.Name, c, cmp.Or(l.apps[h.App], first)})
		}
	}
	w.byName = map[string]*User{}
	for _, u := range w.users {
		w.byName[u.globalName] = u
	}
	w.notifyLocked()
	return nil
}

// worldLoader builds a world beside the one that a server has.
type worldLoader struct {
	world    *World
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

func (l *worldLoader) load(state savedState) error {
	first := l.world.apps[0]
	l.apps = map[string]*App{"": first, state.AppID: first}
	for _, saved := range state.Apps {
		a := l.world.makeApp(saved.ID, AppOptions{Token: saved.Token, Permissions: saved.Permissions, PrivilegedIntents: saved.Intents})
		a.load(saved)
		l.apps[a.id], l.others = a, append(l.others, a)
	}
	for _, saved := range state.Users {
		u := &User{
			world: l.world, id: saved.ID, username: freeUsername(l.users, saved.Name), globalName: saved.Name, nick: saved.Nick,
			locale: saved.Locale, isBot: saved.Bot, permissions: saved.Permissions, closedDMs: saved.ClosedDMs,
			installed: saved.Installed, nobody: saved.ID == state.Owner && !state.Owned, in: map[*Guild]*member{},
		}
		if saved.Deleted { // whose messages are still there
			u.deleted, u.username = true, deletedName(u.id)
		}
		l.users[u.id] = u
		if saved.DM != "" {
			l.loadDM(u, saved.DM, first)
		}
		for id, dm := range saved.DMs {
			if a := l.apps[id]; a != nil {
				l.loadDM(u, dm, a)
			}
		}
		if a := l.apps[u.id]; a != nil {
			u.app = a
			if a != first { // which is taken over once all is well
				a.user = u
			}
		}
	}
	for _, a := range l.others {
		if a.user == nil {
			return errors.New("a bot is not among the users")
		}
	}
	l.appID, l.roles = state.AppID, map[string]*Role{}
	if l.users[state.AppID] == nil {
		return errors.New("the bot is not among the users")
	}
	l.owner = l.users[state.Owner]
	if l.owner == nil {
		if state.Owner != "" {
			return errors.New("the owner is not among the users")
		}
		l.owner = l.newOwner() // of a world that was saved before it had one
	}
	for _, saved := range state.Guilds {
		if err := l.loadGuild(saved); err != nil {
			return err
		}
	}
	for _, saved := range state.Users {
		for id, when := range saved.Joined {
			if g := l.guilds[id]; g != nil {
				l.users[saved.ID].in[g] = &member{joined: when, timeout: saved.Timeouts[id]}
			}
		}
		l.loadRoles(l.users[saved.ID], saved.Roles)
		l.users[saved.ID].deriveRoles()
	}
	for _, saved := range state.Parties {
		c := &Channel{world: l.world, id: saved.ID, name: "private"}
		for _, id := range saved.People {
			u := l.users[id]
			if u == nil {
				return fmt.Errorf("channel %s has an unknown person", saved.ID)
			}
			c.party = append(c.party, u)
		}
		l.channels[c.id] = c
	}
	for _, saved := range state.Calls {
		c := &Call{
			world: l.world, id: saved.ID, kind: saved.Kind, path: saved.Path, user: l.users[saved.User],
			channel: l.channels[saved.Channel], state: CallAnswered, tokenFails: rules.ErrWebhookToken, app: l.apps[saved.App], trigger: saved.Trigger,
		}
		if c.app == nil {
			return fmt.Errorf("interaction %s has an unknown application", saved.ID)
		}
		if c.user == nil || c.channel == nil {
			return fmt.Errorf("interaction %s has no person or channel", saved.ID)
		}
		l.calls[c.id] = c
	}
	for _, saved := range state.Messages {
		if err := l.loadMessage(saved); err != nil {
			return err
		}
	}
	for _, saved := range state.Calls {
		// Either may have been deleted since, or been private.
		l.calls[saved.ID].message, l.calls[saved.ID].original = l.messages[saved.Message], l.messages[saved.Original]
	}
	return nil
}

func (l *worldLoader) loadGuild(saved savedGuild) error {
	g := &Guild{world: l.world, id: saved.ID, name: saved.Name, locale: saved.Locale, commandsOnly: saved.Commands}
	l.loadGuildRoles(g, saved)
	l.guilds[g.id] = g
	l.order = append(l.order, g)
	for _, id := range saved.Members {
		u := l.users[id]
		if u == nil {
			return fmt.Errorf("unknown member %s", id)
		}
		g.members = append(g.members, u)
	}
	for _, id := range saved.Banned {
		if u := l.users[id]; u != nil {
			g.banned = append(g.banned, u)
		}
	}
	for _, sc := range saved.Channels {
		c := &Channel{world: l.world, id: sc.ID, name: sc.Name, guild: g, topic: sc.Topic, form: sc.Type, overwrites: sc.Overwrites, archived: sc.Archived, locked: sc.Locked}
		if sc.Parent != "" {
			if c.parent = l.channels[sc.Parent]; c.parent == nil {
				return fmt.Errorf("unknown parent %s", sc.Parent)
			}
			l.loadThread(c, sc.Thread)
		}
		if sc.Limited {
			c.overwrite(g.id, false, 0, PermissionViewChannel)
			c.overwrite(l.appID, true, PermissionViewChannel, 0)
			for _, id := range sc.Only {
				c.overwrite(id, true, PermissionViewChannel, 0)
			}
		}
		if sc.Denied != 0 {
			c.overwrite(l.appID, true, 0, sc.Denied)
		}
		g.channels = append(g.channels, c)
		l.channels[c.id] = c
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
func (l *worldLoader) loadThread(c *Channel, saved *savedThread) {
	if saved == nil {
		saved = &savedThread{AutoArchive: defaultAutoArchive}
	}
	c.thread = thread{owner: l.users[saved.Owner], private: saved.Private, autoArchive: saved.AutoArchive, archivedAt: saved.ArchivedAt}
	for id, joined := range saved.Members {
		if u := l.users[id]; u != nil {
			c.thread.members = append(c.thread.members, threadMember{u, joined})
		}
	}
	rules.SortByID(c.thread.members, func(m threadMember) string { return m.user.id })
	c.awake()
}

func (l *worldLoader) loadDM(u *User, id string, a *App) {
	c := &Channel{world: l.world, id: id, name: u.globalName, person: u, app: a}
	u.setDM(c)
	l.channels[id] = c
}

func (l *worldLoader) newOwner() *User {
	u := &User{world: l.world, id: l.world.newID(), username: freeUsername(l.users, "Owner"), globalName: "Owner", locale: "en-US", nobody: true, in: map[*Guild]*member{}}
	l.users[u.id] = u
	return u
}

// loadGuildRoles makes a guild's roles. A world that was saved without any has that
// of everyone and the application's.
func (l *worldLoader) loadGuildRoles(g *Guild, saved savedGuild) {
	if len(saved.Roles) == 0 {
		g.roles = []*Role{{world: l.world, guild: g, id: g.id, name: "@everyone", permissions: memberPermissions}}
		if saved.HasBot {
			bot := l.users[l.appID]
			r := g.newRole(bot.globalName)
			r.managed, r.app = true, l.apps[""]
			bot.in[g] = &member{joined: isoTime(rules.SnowflakeTime(g.id)), roles: []*Role{r}}
		}
		l.owner.in[g] = &member{joined: isoTime(rules.SnowflakeTime(g.id))}
	}
	for _, sr := range saved.Roles {
		r := &Role{
			world: l.world, guild: g, id: sr.ID, name: sr.Name, permissions: sr.Permissions, color: sr.Color,
			hoist: sr.Hoist, mentionable: sr.Mentionable, managed: sr.Managed, derived: sr.Derived,
		}
		if r.managed {
			r.app = l.apps[""] // until its bot is found
		}
		g.roles = append(g.roles, r)
		l.roles[r.id] = r
	}
}

func (l *worldLoader) loadRoles(u *User, ids []string) {
	for _, id := range ids {
		if r := l.roles[id]; r != nil && u.in[r.guild] != nil {
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
	if c.guild != nil {
		ref["guild_id"] = c.guild.id
	}
	return ref
}

func (l *worldLoader) loadMessage(saved savedMessage) error {
	if saved.Flags&rules.FlagEphemeral != 0 {
		return nil // older states hold private messages
	}
	c, author := l.channels[saved.Channel], l.users[saved.Author]
	if saved.Webhook != "" {
		author = l.world.hookUser(saved.Author, saved.Webhook)
	}
	if c == nil || author == nil {
		return fmt.Errorf("message %s has no channel or author", saved.ID)
	}
	m := &Message{
		world: l.world, id: saved.ID, channel: c, author: author, kind: saved.Kind, content: saved.Content,
		rawComps: saved.Components, embeds: saved.Embeds, attached: saved.Attached, flags: saved.Flags,
		unknown: saved.Unknown, created: saved.Created, edited: saved.Edited,
	}
	m.reference = saved.reference(c)
	if saved.Origin != "" {
		if m.origin = l.calls[saved.Origin]; m.origin == nil {
			return fmt.Errorf("message %s answers nothing", saved.ID)
		}
	}
	for _, id := range saved.Mentions {
		if u := l.users[id]; u != nil {
			m.mentions = append(m.mentions, u)
		}
	}
	for _, id := range saved.Named {
		if r := l.roles[id]; r != nil {
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
			if u := l.users[id]; u != nil {
				r.users = append(r.users, u)
			}
		}
		m.reactions = append(m.reactions, r)
	}
	c.messages = append(c.messages, m)
	l.messages[m.id] = m
	return nil
}
