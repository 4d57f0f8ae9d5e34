package sandbox

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/permission"
)

// View is what the client of one person knows, except messages, at one moment.
type View struct {
	// Seq is how many events had happened by then; see Event.Seq.
	Seq      int64         `json:"seq"`
	Now      time.Time     `json:"now"`    // on the server's clock
	Me       string        `json:"me"`     // the person's id
	Bot      UserInfo      `json:"bot"`    // the first application's
	Apps     []AppInfo     `json:"apps"`   // the first one first
	People   []UserInfo    `json:"people"` // without the bot, oldest first
	Guilds   []GuildInfo   `json:"guilds"` // those the person is in
	Channels []ChannelInfo `json:"channels"`
}

// AppInfo describes an application by its bot.
type AppInfo struct {
	UserInfo
	// Sessions is how many Gateway sessions it has now; 0 means that no program of it
	// is running.
	Sessions int `json:"sessions"`
}

// UserInfo describes a person or a bot.
type UserInfo struct {
	ID        string   `json:"id"`
	Username  string   `json:"username"`
	Name      string   `json:"name"`
	Nick      string   `json:"nick,omitempty"`
	Locale    string   `json:"locale"`
	Bot       bool     `json:"bot,omitempty"`
	Moderator bool     `json:"moderator,omitempty"`
	Guilds    []string `json:"guilds"` // ids of the guilds that they are in
	Roles     []string `json:"roles"`  // ids of their roles in all of them, without @everyone
}

// GuildInfo describes a guild.
type GuildInfo struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Locale string `json:"locale"`
	HasBot bool   `json:"has_bot"`
	// HasCommands is true where the application is installed, with its bot or without it.
	HasCommands bool `json:"has_commands"`
	// Roles are ordered as in Guild.Roles.
	Roles []RoleInfo `json:"roles"`
}

// RoleInfo describes a role. Everyone's has the guild's id.
type RoleInfo struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Permissions int64  `json:"permissions,string"`
	Mentionable bool   `json:"mentionable"`
	Managed     bool   `json:"managed"` // the application's own
}

// ChannelInfo describes a channel.
type ChannelInfo struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Kind     int    `json:"kind"` // Discord's channel type
	GuildID  string `json:"guild_id,omitempty"`
	ParentID string `json:"parent_id,omitempty"`
	Private  bool   `json:"private,omitempty"` // not everybody of the guild sees it
	Archived bool   `json:"archived,omitempty"`
	Hidden   bool   `json:"hidden,omitempty"` // a thread that clients list no more
	Locked   bool   `json:"locked,omitempty"`
	BotMute  bool   `json:"bot_mute,omitempty"` // the app cannot post by the channel route
	Topic    string `json:"topic,omitempty"`
	App      string `json:"app,omitempty"` // with whose bot direct messages are, if not the first one's
	// May is what the person may do here.
	May        int64                  `json:"may,string"`
	Overwrites []permission.Overwrite `json:"overwrites,omitempty"`
	// People are the ids of those in direct messages without the bot, and of a
	// thread's members.
	People []string `json:"people,omitempty"`
}

// View returns what the client of a person knows, who is named by id or
// username, and whether there is anybody. Where there is no such person it is
// that of the first one: ids change with every start of a server without a kept
// state, and addresses that hold them outlive that.
func (w *World) View(as string) (View, bool) {
	defer w.hold()()
	me := w.client(as)
	if me == nil {
		return View{}, false
	}
	v := View{
		Seq: w.feed.Seq(), Now: w.clock.Now(), Me: me.id, Bot: w.app.user.infoLocked(),
		Guilds: []GuildInfo{},
	}
	v.Apps = each(w.apps, func(a *App) AppInfo { return AppInfo{a.user.infoLocked(), w.gateway.Ready(gatewayApp{a})} })
	v.People = each(but(w.listed(), func(u *User) bool { return u.is.Deleted }), (*User).infoLocked)
	var channels []*Channel
	for _, g := range w.guilds {
		if g.hasMember(me) {
			v.Guilds = append(v.Guilds, g.infoLocked())
			channels = append(channels, g.channels...)
		}
	}
	for _, a := range w.apps {
		channels = append(channels, me.dms[a]) // nil where there are none
	}
	channels = append(channels, parties(w)...)
	visible := but(channels, func(c *Channel) bool { return c == nil || !c.visibleTo(me) })
	v.Channels = each(visible, func(c *Channel) ChannelInfo { return c.infoLocked(me) })
	return v, true
}

// client is the person of that id or username, else the oldest one.
func (p *people) client(as string) *User {
	all := but(p.listed(), func(u *User) bool { return u.is.Bot || u.is.Deleted })
	named := first(all, func(u *User) bool { return as != "" && (u.id == as || u.username == as) })
	return cmp.Or(named, first(all, func(*User) bool { return true }))
}

func (u *User) infoLocked() UserInfo {
	info := UserInfo{
		ID: u.id, Username: u.username, Name: u.is.Name, Nick: u.is.Nick, Locale: u.is.Locale,
		Bot: u.is.Bot, Guilds: []string{}, Roles: []string{},
	}
	for _, g := range u.world.guilds {
		if g.hasMember(u) {
			info.Guilds = append(info.Guilds, g.id)
			info.Moderator = info.Moderator || g.basePermissions(u)&permission.ManageMessages != 0
			info.Roles = append(info.Roles, each(g.rolesOf(u), (*Role).ID)...)
		}
	}
	return info
}

func (g *Guild) infoLocked() GuildInfo {
	info := GuildInfo{ID: g.id, Name: g.name, Locale: g.locale, HasBot: g.botIn(), HasCommands: g.installed()}
	info.Roles = each(g.roles, (*Role).info)
	return info
}

// infoLocked describes the channel as its client shows it to somebody.
func (c *Channel) infoLocked(me *User) ChannelInfo {
	info := ChannelInfo{
		ID: c.id, Name: nameFor(c, me), Kind: c.kind(), Private: slices.ContainsFunc(c.overwrites, hidesFrom(idOf(c.guild))),
		Archived: c.archived, Hidden: c.hidden, Locked: c.locked, Topic: c.topic, May: c.permissionsOf(me),
	}
	info.Overwrites = slices.Clone(c.overwrites)
	info.People = userIDs(c.joined())
	if c.party != nil {
		info.People = userIDs(c.party)
	}
	if c.app != nil && c.app != c.world.apps[0] {
		info.App = c.app.id
	}
	info.GuildID, info.ParentID = idOf(c.guild), idOf(c.parent)
	info.BotMute = c.guild != nil && (!c.guild.botIn() || !c.botMayPost())
	return info
}

// History returns up to limit of the newest messages that the person sees in the
// channel before the message of that id (the newest of all for an empty one),
// oldest first and without their Writes. It also returns whether there are older
// ones, and the Event.Seq that they belong to.
func (c *Channel) History(as *User, before string, limit int) (messages []Snapshot, more bool, seq int64) {
	w := c.world
	defer w.hold()()
	all := but(c.messages, func(m *Message) bool { return m.deleted || !m.visibleTo(as) })
	shown := cut(all, (*Message).ID, window{limit: limit, before: before})
	messages = each(shown, func(m *Message) Snapshot {
		snap := m.snapshot()
		snap.Writes = nil
		return snap
	})
	return messages, len(shown) > 0 && shown[0] != all[0], w.feed.Seq()
}

// CallByID returns the interaction of that id, nil if there is none or it is no
// longer kept.
func (w *World) CallByID(id string) *Call { return byID(w, &w.byID, id) }

// File returns a file that a message carries by its attachment's id, nil if it is
// no longer kept.
func (w *World) File(id string) *files.File {
	defer w.hold()()
	return w.files.Find(id)
}

// Announce tells subscribers and everybody who waits of a change that somebody
// outside the server has made, such as a page of its own people.
func (w *World) Announce(e Event) {
	defer w.hold()()
	w.publishLocked(e)
}

// EventKind says what an Event tells.
type EventKind string

// The kinds of events. Message events come only to those who see the message;
// call events only to who sent the interaction.
const (
	EventMessageCreated   EventKind = "message_created"                // Message
	EventMessageEdited    EventKind = "message_edited"                 // Message
	EventMessageDeleted   EventKind = "message_deleted"                // Message
	EventCall             EventKind = "call"                           // Call, State
	EventChannelsChanged  EventKind = "channels_changed"               // made, deleted, permissions
	EventUsersChanged     EventKind = "users_changed"                  // made, names, locale, membership
	EventGuildsChanged    EventKind = "guilds_changed"                 // made, locale, the bot in or out
	EventCommandsChanged  EventKind = "commands_changed"               // registrations
	EventGatewayConnected EventKind = EventKind(gateway.Connected)     // a session became ready or resumed
	EventGatewayLost      EventKind = EventKind(gateway.Lost)          // a session lost its connection
	EventFaultsChanged    EventKind = EventKind(gateway.FaultsChanged) // armed or used
)

// Event is one change as one person's client learns of it.
type Event struct {
	Kind EventKind `json:"kind"`
	At   time.Time `json:"at"`
	// Seq counts the server's events from 1, so that a reader sees gaps.
	Seq       int64     `json:"seq"`
	Message   *Snapshot `json:"message,omitempty"`
	ChannelID string    `json:"channel_id,omitempty"`
	UserID    string    `json:"user_id,omitempty"`
	// Call is the interaction of a call event, as Call.Info gives it.
	Call *CallInfo `json:"call,omitempty"`
	// Pings reports that a created message notifies this person.
	Pings bool `json:"pings,omitempty"`
	// Badges reports that it counts on this person's badge.
	Badges bool `json:"badges,omitempty"`
}

// CallInfo describes an interaction for somebody who watches.
type CallInfo struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Kind      int       `json:"kind"`
	UserID    string    `json:"user_id"`
	ChannelID string    `json:"channel_id"`
	MessageID string    `json:"message_id,omitempty"` // the component's message
	CustomID  string    `json:"custom_id,omitempty"`  // the component's or modal's
	Sent      time.Time `json:"sent"`
	Payload   any       `json:"payload,omitempty"`  // as delivered, without the token
	Answer    any       `json:"answer,omitempty"`   // the accepted callback's body
	ReplyID   string    `json:"reply_id,omitempty"` // message created or edited
	Outcome
}

// Subscribe returns what the client of the person with that id learns from now
// on; an empty id sees everything, ephemeral messages of all people included.
// The channel is closed by cancel, which may be called more than once, when the
// server closes, and when its reader lags more than 256 events behind: the reader
// then subscribes anew and reads the state afresh.
func (w *World) Subscribe(userID string) (events <-chan Event, cancel func()) {
	defer w.hold()()
	events, drop := w.feed.Subscribe(userID)
	return events, func() {
		defer w.hold()()
		drop()
	}
}

// Interactions describes the interactions sent, oldest first, as many as
// Options.KeepCalls keeps.
func (w *World) Interactions() []CallInfo {
	defer w.hold()()
	return each(w.calls, (*Call).info)
}

// Info describes the interaction.
func (c *Call) Info() CallInfo { return held(c.world, c.info) }

func (c *Call) info() CallInfo {
	i := CallInfo{
		ID: c.id, Name: c.name, Kind: c.kind, UserID: c.user.id, ChannelID: c.channel.id,
		MessageID: c.messageID(), ReplyID: idOf(c.answer()), Sent: c.dispatched, Outcome: c.is,
	}
	i.CustomID, _ = c.data["custom_id"].(string)
	payload := maps.Clone(c.payload)
	delete(payload, "token")
	i.Payload = payload
	if c.callbackBody != nil {
		i.Answer = c.callbackBody
	}
	return i
}

// publishLocked tells subscribers and everybody who waits of a change.
func (w *World) publishLocked(e Event) {
	w.feed.Publish(func(seq int64) func(string) (Event, bool) {
		e.At, e.Seq = w.clock.Now(), seq
		return func(string) (Event, bool) { return e, true }
	})
}

// publish tells those who see m.
func (m *Message) publish(kind EventKind) {
	w := m.world
	w.feed.Publish(func(seq int64) func(string) (Event, bool) {
		snap := m.snapshot()
		e := Event{Kind: kind, At: w.clock.Now(), Seq: seq, Message: &snap, ChannelID: m.channel.id}
		return func(who string) (Event, bool) {
			if who == "" {
				return e, true
			}
			u, mine := w.users[who], e
			mine.Pings = kind == EventMessageCreated && slices.Contains(m.pinged, u)
			mine.Badges = kind == EventMessageCreated && slices.Contains(m.badged, u)
			return mine, u != nil && m.visibleTo(u)
		}
	})
}

// publish tells who sent c.
func (c *Call) publish() {
	c.world.feed.Publish(func(seq int64) func(string) (Event, bool) {
		info := c.info()
		e := Event{Kind: EventCall, At: c.world.clock.Now(), Seq: seq, Call: &info, ChannelID: c.channel.id, UserID: c.user.id}
		return func(who string) (Event, bool) { return e, who == "" || who == c.user.id }
	})
}
