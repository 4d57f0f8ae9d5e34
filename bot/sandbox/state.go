package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/internal/command"
	"tictactoe/bot/sandbox/internal/kept"
	"tictactoe/bot/sandbox/rules"
)

// ErrState: what LoadState was given is no saved state, or the server has been
// used already.
var ErrState = errors.New("sandbox: no saved state")

// keptFileBytes bounds the files of a saved state, which is written often.
const keptFileBytes = 4 << 20

// SaveState writes the server's world so that LoadState can go on with it: people,
// guilds, channels, messages and registered commands with their ids, the bot token,
// and of uploaded files the newest, up to 4 MiB. Interactions that are under way
// are not part of it, nor private messages: Discord's clients keep none of those
// beyond a restart, and only a token could reach them.
func (w *World) SaveState(to io.Writer) error {
	_, err := to.Write(held(w, func() []byte { return rules.Encode(stateOf(w)) }))
	return err
}

func stateOf(w *World) kept.State {
	state := kept.State{Version: kept.Version, LastID: w.ids.Last(), AppID: w.app.id, Owner: w.owner.id, Owned: !w.owner.nobody, Token: w.app.token, Commands: w.app.commands.Scopes()}
	for _, u := range w.users {
		saved := kept.User{ID: u.id, Person: u.is, Joined: map[string]string{}, Timeouts: map[string]time.Time{}, DMs: map[string]string{}}
		for g, m := range u.in {
			saved.Joined[g.id] = m.joined
			if !m.timeout.IsZero() {
				saved.Timeouts[g.id] = m.timeout
			}
			saved.Roles = append(saved.Roles, each(m.roles, (*Role).ID)...)
		}
		rules.SortByID(saved.Roles, func(id string) string { return id })
		for a, c := range u.dms {
			saved.DMs[a.id] = c.id
		}
		state.Users = append(state.Users, saved)
	}
	rules.SortByID(state.Users, func(u kept.User) string { return u.ID })
	for _, g := range w.standing() {
		saved := kept.Guild{ID: g.id, Name: g.name, Locale: g.locale, HasBot: g.botIn(), Commands: g.commandsOnly, Members: userIDs(g.members)}
		saved.Roles = each(g.roles, func(r *Role) kept.Role { return r.is })
		for _, c := range g.channels {
			ch := kept.Channel{
				ID: c.id, Name: c.name, Topic: c.topic, Type: c.form, Overwrites: c.overwrites, Archived: c.archived, Locked: c.locked,
			}
			if c.parent != nil {
				ch.Parent, ch.Thread = c.parent.id, c.saved()
			}
			saved.Channels = append(saved.Channels, ch)
		}
		saved.Banned = userIDs(g.banned)
		state.Guilds = append(state.Guilds, saved)
	}
	state.Parties = each(parties(w), func(c *Channel) kept.Party { return kept.Party{ID: c.id, People: userIDs(c.party)} })
	calls := map[string]kept.Call{} // that messages answer
	for _, c := range w.channels {
		saveMessages(&state, c, calls)
	}
	state.Calls = slices.Collect(maps.Values(calls))
	rules.SortByID(state.Calls, func(c kept.Call) string { return c.ID })
	rules.SortByID(state.Messages, func(m kept.Message) string { return m.ID })
	state.Emojis = w.app.emojis
	state.Apps = each(w.apps[1:], func(a *App) kept.App {
		return kept.App{ID: a.id, Token: a.token, Permissions: a.permissions, Intents: a.intents, Commands: a.commands.Scopes(), Emojis: a.emojis}
	})
	for _, h := range w.webhooks {
		state.Webhooks = append(state.Webhooks, kept.Webhook{ID: h.id, Token: h.token, Name: h.name, Channel: h.channel.id, App: h.app.id})
	}
	state.Files = w.files.Newest(keptFileBytes)
	return state
}

// saveMessages adds the messages of a channel, and to calls what they answer.
func saveMessages(state *kept.State, c *Channel, calls map[string]kept.Call) {
	for _, m := range c.messages {
		if m.deleted || m.viewer != nil {
			continue
		}
		saved := kept.Message{
			ID: m.id, Channel: c.id, Author: m.author.id, Kind: m.kind, Body: m.body, Mentions: userIDs(m.mentions), Unknown: m.unknown,
			Created: m.created, Edited: m.edited,
		}
		saved.Flags &^= rules.FlagLoading
		saved.ReplyTo = m.repliesTo()
		if id, _ := m.reference["channel_id"].(string); id != c.id {
			saved.About = id
		}
		if m.origin != nil && m.origin.channel == c {
			saved.Origin = m.origin.id
			calls[m.origin.id] = m.origin.saved()
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

func (c *Call) saved() kept.Call {
	return kept.Call{
		ID: c.id, Kind: c.kind, Path: c.path, User: c.user.id, Channel: c.channel.id, Trigger: c.trigger,
		Message: idOf(c.message), Original: idOf(c.original), App: c.app.id,
	}
}

// LoadState replaces the world of a server that nobody has used yet by one that
// SaveState wrote. Anything else gets an error that wraps ErrState and changes
// nothing.
func (w *World) LoadState(r io.Reader) error {
	state, err := kept.Read(r)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	defer w.hold()()
	if len(w.messages) > 0 || len(w.calls) > 0 || len(w.app.commands.Scopes()) > 0 {
		return fmt.Errorf("%w: the server has been used", ErrState)
	}
	l := &worldLoader{world: w, population: newPopulation(), appID: state.AppID, roles: map[string]*Role{}, calls: map[string]*Call{}}
	if err := l.load(state); err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	first := w.apps[0]
	first.id, first.token, first.user = state.AppID, cmp.Or(w.opt.Token, state.Token), l.users[state.AppID]
	first.commands, first.emojis = command.New(state.Commands), without(state.Emojis, nil)
	others := each(state.Apps, func(a kept.App) *App { return l.apps[a.ID] })
	w.apps, w.population = append([]*App{first}, others...), l.population
	w.ids.GoOn(state.LastID)
	for _, f := range state.Files {
		w.files.Add(files.New(f.ID, f.Name, f.Body))
	}
	for _, h := range state.Webhooks {
		if c := w.channels[h.Channel]; c != nil {
			w.webhooks = append(w.webhooks, &channelWebhook{h.ID, h.Token, h.Name, c, cmp.Or(l.apps[h.App], first)})
		}
	}
	w.feed.Wake()
	return nil
}

// worldLoader builds a world beside the one that a server has.
type worldLoader struct {
	world *World
	population
	appID string
	apps  map[string]*App
	roles map[string]*Role
	calls map[string]*Call
}

// known are those of some ids that there are.
func known[T any](all map[string]*T, ids []string) (some []*T) {
	for _, id := range ids {
		if one := all[id]; one != nil {
			some = append(some, one)
		}
	}
	return some
}

func (l *worldLoader) load(state kept.State) error {
	first := l.world.apps[0]
	l.apps = map[string]*App{"": first, state.AppID: first}
	for _, saved := range state.Apps {
		a := makeApp(l.world, saved.ID, AppOptions{Token: saved.Token, Permissions: saved.Permissions, PrivilegedIntents: saved.Intents})
		a.commands, a.emojis = command.New(saved.Commands), without(saved.Emojis, nil)
		l.apps[a.id] = a
	}
	if err := l.loadUsers(state); err != nil {
		return err
	}
	for _, saved := range state.Guilds {
		if err := l.loadGuild(saved); err != nil {
			return err
		}
	}
	for _, saved := range state.Users {
		u := l.users[saved.ID]
		for id, when := range saved.Joined {
			if g := l.guildByID(id); g != nil {
				u.in[g] = &member{joined: when, timeout: saved.Timeouts[id]}
			}
		}
		for _, r := range known(l.roles, saved.Roles) {
			if m := u.in[r.guild]; m != nil {
				m.roles = append(m.roles, r)
			}
		}
		u.deriveRoles()
	}
	for _, saved := range state.Parties {
		c := newChannel(Channel{world: l.world, id: saved.ID, name: "private", party: known(l.users, saved.People)})
		if len(c.party) != len(saved.People) {
			return fmt.Errorf("channel %s has an unknown person", saved.ID)
		}
		l.channels[c.id] = c
	}
	for _, saved := range state.Calls {
		c := &Call{
			world: l.world, id: saved.ID, kind: saved.Kind, path: saved.Path, user: l.users[saved.User],
			channel: l.channels[saved.Channel], is: Outcome{State: CallAnswered}, tokenFails: rules.ErrWebhookToken, app: l.apps[saved.App], trigger: saved.Trigger,
		}
		if c.app == nil || c.user == nil || c.channel == nil {
			return fmt.Errorf("interaction %s has no application, person or channel", saved.ID)
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

// loadUsers makes people and bots, with their direct messages with bots.
func (l *worldLoader) loadUsers(state kept.State) error {
	first := l.world.apps[0]
	for _, saved := range state.Users {
		u := l.newUser(l.world, saved.Name, saved.ID)
		u.is, u.nobody = saved.Person, saved.ID == state.Owner && !state.Owned
		if u.is.Deleted { // whose messages are still there
			u.username = deletedName(u.id)
		}
		if of := l.byName[u.is.Name]; !u.is.Deleted && !u.nobody && (of == nil || rules.OlderID(u.id, of.id)) {
			l.byName[u.is.Name] = u
		}
		if saved.DM != "" {
			l.channels[saved.DM] = u.newDM(first, saved.DM)
		}
		for id, dm := range saved.DMs {
			if a := l.apps[id]; a != nil {
				l.channels[dm] = u.newDM(a, dm)
			}
		}
		if a := l.apps[u.id]; a != nil {
			u.app = a
			if a != first { // which is taken over once all is well
				a.user = u
			}
		}
	}
	for id := range l.apps {
		if id != "" && l.users[id] == nil {
			return fmt.Errorf("the bot %s is not among the users", id)
		}
	}
	l.owner = l.users[state.Owner]
	if l.owner == nil {
		if state.Owner != "" {
			return errors.New("the owner is not among the users")
		}
		l.owner = l.newUser(l.world, "Owner", l.world.newID()) // of a world that was saved before it had one
		l.owner.nobody = true
	}
	return nil
}

func (l *worldLoader) loadGuild(saved kept.Guild) error {
	g := &Guild{world: l.world, id: saved.ID, name: saved.Name, locale: saved.Locale, commandsOnly: saved.Commands}
	l.loadGuildRoles(g, saved)
	l.guilds = append(l.guilds, g)
	g.members, g.banned = known(l.users, saved.Members), known(l.users, saved.Banned)
	if len(g.members) != len(saved.Members) {
		return fmt.Errorf("guild %s has an unknown member", g.id)
	}
	for _, sc := range saved.Channels {
		c := newChannel(Channel{world: l.world, id: sc.ID, name: sc.Name, guild: g, topic: sc.Topic, form: sc.Type, overwrites: sc.Overwrites, thread: thread{archived: sc.Archived, locked: sc.Locked}})
		if sc.Parent != "" {
			if c.parent = l.channels[sc.Parent]; c.parent == nil {
				return fmt.Errorf("unknown parent %s", sc.Parent)
			}
			l.loadThread(c, sc.Thread)
		}
		g.channels = append(g.channels, c)
		l.channels[c.id] = c
	}
	return nil
}

func (t *thread) saved() kept.Thread {
	out := kept.Thread{Owner: idOf(t.owner), Private: t.private, AutoArchive: t.autoArchive, ArchivedAt: t.archivedAt, Members: map[string]time.Time{}}
	for u, joined := range t.members {
		out.Members[u.id] = joined
	}
	return out
}

// loadThread makes a channel a thread.
func (l *worldLoader) loadThread(c *Channel, saved kept.Thread) {
	c.owner, c.private, c.autoArchive, c.archivedAt = l.users[saved.Owner], saved.Private, saved.AutoArchive, saved.ArchivedAt
	for id, joined := range saved.Members {
		if u := l.users[id]; u != nil {
			c.members[u] = joined
		}
	}
	c.awake()
}

// loadGuildRoles makes a guild's roles. A world that was saved without any has that
// of everyone and the application's.
func (l *worldLoader) loadGuildRoles(g *Guild, saved kept.Guild) {
	if len(saved.Roles) == 0 {
		g.roles = []*Role{{guild: g, is: kept.Role{ID: g.id, Name: "@everyone", Permissions: memberPermissions}}}
		if saved.HasBot {
			bot := l.users[l.appID]
			r := g.newRole(kept.Role{Name: bot.is.Name, Managed: true})
			bot.in[g] = &member{joined: isoTime(rules.SnowflakeTime(g.id)), roles: []*Role{r}}
		}
		l.owner.in[g] = &member{joined: isoTime(rules.SnowflakeTime(g.id))}
	}
	for _, sr := range saved.Roles {
		r := &Role{guild: g, is: sr}
		g.roles = append(g.roles, r)
		l.roles[r.is.ID] = r
	}
}

func (l *worldLoader) loadMessage(saved kept.Message) error {
	if saved.Flags&rules.FlagEphemeral != 0 {
		return nil // older states hold private messages
	}
	c, author := l.channels[saved.Channel], l.users[saved.Author]
	if saved.Webhook != "" {
		author = hookUser(l.world, saved.Author, saved.Webhook)
	}
	if c == nil || author == nil {
		return fmt.Errorf("message %s has no channel or author", saved.ID)
	}
	m := &Message{
		world: l.world, id: saved.ID, channel: c, author: author, kind: saved.Kind, body: saved.Body,
		mentioned: mentioned{unknown: saved.Unknown}, created: saved.Created, edited: saved.Edited,
	}
	if saved.ReplyTo != "" || saved.About != "" {
		m.reference = referenceTo(c, saved.ReplyTo)
		m.reference["channel_id"] = cmp.Or(saved.About, c.id)
	}
	if saved.Origin != "" {
		if m.origin = l.calls[saved.Origin]; m.origin == nil {
			return fmt.Errorf("message %s answers nothing", saved.ID)
		}
	}
	m.mentions, m.roles = known(l.users, saved.Mentions), known(l.roles, saved.Named)
	m.components, m.compsJSON = rules.ParseComponents(saved.Components)
	m.pinned = saved.Pinned
	m.reactions = each(saved.Reactions, func(r kept.Reaction) *reaction { return &reaction{r.Emoji, known(l.users, r.Users)} })
	c.messages = append(c.messages, m)
	l.messages[m.id] = m
	return nil
}
