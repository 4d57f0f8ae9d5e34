package sandbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/internal/kept"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// ErrState: what LoadState was given is no saved state, or the server has been
// used already.
var ErrState = errors.New("sandbox: no saved state")

// savedFileBytes bounds the files of a saved state, which is written often.
const savedFileBytes = 4 << 20

// stateVersion is the version of the saved form.
const stateVersion = 1

// savedState is a world as SaveState writes it: who and what there is and every
// message that is not deleted, without interactions, sessions and faults.
type savedState struct {
	Version  int            `json:"version"`
	AppID    string         `json:"app_id"`
	Owner    string         `json:"owner,omitempty"`
	Owned    bool           `json:"owned,omitempty"` // the owner is one of the people
	Token    string         `json:"token"`
	Users    []savedUser    `json:"users"`
	Guilds   []savedGuild   `json:"guilds"`
	Messages []savedMessage `json:"messages"`
	Calls    []savedCall    `json:"calls,omitempty"`
	Files    []savedFile    `json:"files,omitempty"`
	Emojis   []savedEmoji   `json:"emojis,omitempty"`
	Webhooks []savedWebhook `json:"webhooks,omitempty"`
	// Apps are those beside the first one.
	Apps []savedApp `json:"apps,omitempty"`
	// Parties are the direct messages between people.
	Parties  []savedParty `json:"parties,omitempty"`
	Commands map[string][]*rules.Command
}

type savedApp struct {
	ID          string                      `json:"id"`
	Token       string                      `json:"token"`
	Permissions int64                       `json:"permissions,omitempty"`
	Intents     int                         `json:"intents,omitempty"`
	Commands    map[string][]*rules.Command `json:"commands,omitempty"`
	Emojis      []savedEmoji                `json:"emojis,omitempty"`
}

func (a *App) savedEmojis() (out []savedEmoji) {
	for _, e := range a.emojis {
		out = append(out, savedEmoji{e.id, e.name, e.animated, e.picture.Body})
	}
	return out
}

// load takes over what was saved of an application.
func (a *App) load(saved savedApp) {
	if saved.Commands != nil {
		a.commands.scopes = saved.Commands
	}
	for _, e := range saved.Emojis {
		a.emojis = append(a.emojis, &appEmoji{e.ID, e.Name, e.Animated, files.New(e.ID, e.ID, e.Picture)})
	}
}

type savedUser struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Nick        string            `json:"nick,omitempty"`
	Locale      string            `json:"locale"`
	Bot         bool              `json:"bot,omitempty"`
	Permissions int64             `json:"permissions,omitempty"`
	ClosedDMs   bool              `json:"closed_dms,omitempty"`
	Installed   bool              `json:"installed,omitempty"`
	Joined      map[string]string `json:"joined"` // by guild id
	// Roles are the ids of all roles in all guilds.
	Roles    []string             `json:"roles,omitempty"`
	Timeouts map[string]time.Time `json:"timeouts,omitempty"` // by guild id
	DM       string               `json:"dm,omitempty"`
	DMs      map[string]string    `json:"dms,omitempty"` // with other applications' bots, by their id
	Deleted  bool                 `json:"deleted,omitempty"`
}

type savedGuild struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Locale   string         `json:"locale"`
	HasBot   bool           `json:"has_bot"`
	Commands bool           `json:"commands_only,omitempty"`
	Members  []string       `json:"members"`
	Roles    []savedRole    `json:"roles,omitempty"` // by position
	Banned   []string       `json:"banned,omitempty"`
	Channels []savedChannel `json:"channels"`
}

type savedRole struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Permissions int64  `json:"permissions"`
	Color       int    `json:"color,omitempty"`
	Hoist       bool   `json:"hoist,omitempty"`
	Mentionable bool   `json:"mentionable,omitempty"`
	Managed     bool   `json:"managed,omitempty"`
	Derived     bool   `json:"derived,omitempty"`
}

type savedChannel struct {
	ID         string                 `json:"id"`
	Name       string                 `json:"name"`
	Topic      string                 `json:"topic,omitempty"`
	Parent     string                 `json:"parent,omitempty"`
	Type       int                    `json:"type,omitempty"` // of one that is no thread
	Overwrites []permission.Overwrite `json:"overwrites,omitempty"`
	Thread     *savedThread           `json:"thread,omitempty"`
	Archived   bool                   `json:"archived,omitempty"`
	Locked     bool                   `json:"locked,omitempty"`
	// Worlds that were saved before there were overwrites have these instead.
	Denied  int64    `json:"denied,omitempty"`
	Only    []string `json:"only,omitempty"`
	Limited bool     `json:"limited,omitempty"`
}

type savedThread struct {
	Owner       string               `json:"owner,omitempty"`
	Private     bool                 `json:"private,omitempty"`
	AutoArchive time.Duration        `json:"auto_archive"`
	ArchivedAt  time.Time            `json:"archived_at"`
	Members     map[string]time.Time `json:"members,omitempty"` // when they joined
}

type savedParty struct {
	ID     string   `json:"id"`
	People []string `json:"people"`
}

type savedEmoji struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Animated bool   `json:"animated,omitempty"`
	Picture  []byte `json:"picture,omitempty"`
}

type savedWebhook struct {
	ID      string `json:"id"`
	Token   string `json:"token"`
	Name    string `json:"name"`
	Channel string `json:"channel"`
	App     string `json:"app,omitempty"` // that made it
}

type savedReaction struct {
	Emoji rules.Emoji `json:"emoji"`
	Users []string    `json:"users"`
}

type savedMessage struct {
	ID         string          `json:"id"`
	Channel    string          `json:"channel"`
	Author     string          `json:"author"`
	Webhook    string          `json:"webhook,omitempty"` // the name of an author who is a webhook
	Kind       int             `json:"kind,omitempty"`
	Content    string          `json:"content,omitempty"`
	Components []any           `json:"components,omitempty"`
	Embeds     []any           `json:"embeds,omitempty"`
	Attached   []any           `json:"attached,omitempty"`
	Flags      int             `json:"flags,omitempty"`
	Mentions   []string        `json:"mentions,omitempty"`
	Unknown    []string        `json:"unknown,omitempty"`
	Named      []string        `json:"named,omitempty"` // the ids of roles that are mentioned
	Reactions  []savedReaction `json:"reactions,omitempty"`
	Pinned     time.Time       `json:"pinned,omitzero"`
	Created    time.Time       `json:"created"`
	Edited     time.Time       `json:"edited,omitzero"`
	ReplyTo    string          `json:"reply_to,omitempty"`
	About      string          `json:"about,omitempty"`  // the channel that it refers to, if another
	Origin     string          `json:"origin,omitempty"` // the id of a savedCall
}

// savedCall is what a message keeps of the interaction that it answers.
type savedCall struct {
	ID       string `json:"id"`
	Kind     int    `json:"kind"`
	Path     string `json:"path,omitempty"`
	User     string `json:"user"`
	Channel  string `json:"channel"`
	Message  string `json:"message,omitempty"`  // whose component was used
	Original string `json:"original,omitempty"` // the first answer
	// Trigger is interaction_metadata of what opened the modal.
	Trigger map[string]any `json:"trigger,omitempty"`
	App     string         `json:"app,omitempty"` // whose it was, if not the first one's
}

type savedFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Body []byte `json:"body"`
}

// SaveState writes the server's world so that LoadState can go on with it: people,
// guilds, channels, messages and registered commands with their ids, the bot token,
// and of uploaded files the newest, up to 4 MiB. Interactions that are under way
// are not part of it, nor private messages: Discord's clients keep none of those
// beyond a restart, and only a token could reach them.
func (w *World) SaveState(to io.Writer) error {
	w.mu.Lock()
	state := w.stateLocked()
	b, err := json.Marshal(state)
	w.mu.Unlock()
	if err != nil {
		return fmt.Errorf("sandbox: save state: %w", err)
	}
	_, err = to.Write(b)
	return err
}

func (w *World) stateLocked() savedState {
	state := savedState{Version: stateVersion, AppID: w.app.id, Owner: w.owner.id, Owned: !w.owner.nobody, Token: w.app.token, Commands: w.app.commands.scopes}
	calls := map[string]*Call{}
	for _, u := range w.users {
		saved := savedUser{
			Deleted: u.deleted,
			ID:      u.id, Name: u.globalName, Nick: u.nick, Locale: u.locale, Bot: u.isBot,
			Permissions: u.permissions, ClosedDMs: u.closedDMs, Installed: u.installed,
			Joined: map[string]string{}, Timeouts: map[string]time.Time{}, DMs: map[string]string{},
		}
		for g, m := range u.in {
			saved.Joined[g.id] = m.joined
			if !m.timeout.IsZero() {
				saved.Timeouts[g.id] = m.timeout
			}
			for _, r := range m.roles {
				saved.Roles = append(saved.Roles, r.id)
			}
		}
		rules.SortByID(saved.Roles, func(id string) string { return id })
		for a, c := range u.dms {
			if a == w.app {
				saved.DM = c.id
			} else {
				saved.DMs[a.id] = c.id
			}
			state.saveMessages(c, calls)
		}
		state.Users = append(state.Users, saved)
	}
	rules.SortByID(state.Users, func(u savedUser) string { return u.ID })
	for _, g := range w.guilds {
		saved := savedGuild{ID: g.id, Name: g.name, Locale: g.locale, HasBot: g.botIn(), Commands: g.commandsOnly, Members: userIDs(g.members)}
		for _, r := range g.roles {
			saved.Roles = append(saved.Roles, savedRole{r.id, r.name, r.permissions, r.color, r.hoist, r.mentionable, r.managed, r.derived})
		}
		for _, c := range g.channels {
			if c.deleted {
				continue
			}
			ch := savedChannel{
				ID: c.id, Name: c.name, Topic: c.topic, Type: c.form, Overwrites: c.overwrites, Archived: c.archived, Locked: c.locked,
			}
			if c.parent != nil {
				ch.Parent, ch.Thread = c.parent.id, c.thread.saved()
			}
			saved.Channels = append(saved.Channels, ch)
			state.saveMessages(c, calls)
		}
		saved.Banned = userIDs(g.banned)
		state.Guilds = append(state.Guilds, saved)
	}
	for _, c := range w.parties() {
		state.Parties = append(state.Parties, savedParty{c.id, userIDs(c.party)})
		state.saveMessages(c, calls)
	}
	for _, c := range calls {
		state.Calls = append(state.Calls, c.saved())
	}
	rules.SortByID(state.Calls, func(c savedCall) string { return c.ID })
	rules.SortByID(state.Messages, func(m savedMessage) string { return m.ID })
	state.Emojis = w.app.savedEmojis()
	for _, a := range w.apps[1:] {
		state.Apps = append(state.Apps, savedApp{a.id, a.token, a.permissions, a.intents, a.commands.scopes, a.savedEmojis()})
	}
	for _, h := range w.webhooks {
		if !h.channel.deleted {
			state.Webhooks = append(state.Webhooks, savedWebhook{h.id, h.token, h.name, h.channel.id, h.app.id})
		}
	}
	for _, f := range w.files.Newest(savedFileBytes) {
		state.Files = append(state.Files, savedFile{f.ID, f.Name, f.Body})
	}
	return state
}

// saveMessages adds the messages of a channel, and to calls what they answer.
func (state *savedState) saveMessages(c *Channel, calls map[string]*Call) {
	for _, m := range c.messages {
		if m.deleted || m.viewer != nil {
			continue
		}
		saved := savedMessage{
			ID: m.id, Channel: c.id, Author: m.author.id, Kind: m.kind, Content: m.content,
			Components: m.rawComps, Embeds: m.embeds, Attached: m.attached, Flags: m.flags &^ rules.FlagLoading,
			Mentions: userIDs(m.mentions), Unknown: m.unknown, Created: m.created, Edited: m.edited,
		}
		if ref, ok := m.reference.(map[string]any); ok {
			saved.ReplyTo, _ = ref["message_id"].(string)
			if id, _ := ref["channel_id"].(string); id != c.id {
				saved.About = id
			}
		}
		if m.origin != nil && m.origin.channel == c {
			saved.Origin = m.origin.id
			calls[m.origin.id] = m.origin
		}
		if m.author.isHook {
			saved.Webhook = m.author.username
		}
		for _, r := range m.roles {
			saved.Named = append(saved.Named, r.id)
		}
		for _, r := range m.reactions {
			saved.Reactions = append(saved.Reactions, savedReaction{r.emoji, userIDs(r.users)})
		}
		saved.Pinned = m.pinned
		state.Messages = append(state.Messages, saved)
	}
}

func (c *Call) saved() savedCall {
	saved := savedCall{ID: c.id, Kind: c.kind, Path: c.path, User: c.user.id, Channel: c.channel.id, Trigger: c.trigger}
	if c.app != c.world.apps[0] {
		saved.App = c.app.id
	}
	if c.message != nil {
		saved.Message = c.message.id
	}
	if c.original != nil {
		saved.Original = c.original.id
	}
	return saved
}

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
	defer w.hold()()
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

// loadUsers makes people and bots, with their direct messages with bots.
func (l *worldLoader) loadUsers(state kept.State) error {
	first := l.world.apps[0]
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
	return nil
}

// saveMessages adds the messages of a channel, and to calls what they answer.
func saveMessages(state *kept.State, c *Channel, calls map[string]*Call) {
	for _, m := range c.messages {
		if m.deleted || m.viewer != nil {
			continue
		}
		saved := kept.Message{
			ID: m.id, Channel: c.id, Author: m.author.id, Kind: m.kind, Content: m.content,
			Components: m.rawComps, Embeds: m.embeds, Attached: m.attached, Flags: m.flags &^ rules.FlagLoading,
			Mentions: userIDs(m.mentions), Unknown: m.unknown, Created: m.created, Edited: m.edited,
		}
		if ref, ok := m.reference.(map[string]any); ok {
			saved.ReplyTo, _ = ref["message_id"].(string)
			if id, _ := ref["channel_id"].(string); id != c.id {
				saved.About = id
			}
		}
		if m.origin != nil && m.origin.channel == c {
			saved.Origin = m.origin.id
			calls[m.origin.id] = m.origin
		}
		if m.author.isHook {
			saved.Webhook = m.author.username
		}
		saved.Named = each(m.roles, (*Role).ID)
		saved.Reactions = each(m.reactions, func(r *reaction) kept.Reaction { return kept.Reaction{Emoji: r.emoji, Users: userIDs(r.users)} })
		saved.Pinned = m.pinned
		state.Messages = append(state.Messages, saved)
	}
}
