package sandbox

import (
	"slices"
	"strconv"
)

// Channel is a guild text channel, a thread, the direct messages between a person
// and the bot, or those between people without the bot.
type Channel struct {
	srv *Server
	id  string

	name     string
	guild    *Guild   // nil for direct messages
	parent   *Channel // for a thread
	person   *User    // for direct messages with the bot
	party    []*User  // for direct messages between people, who may bring the application along
	denied   int64    // what the bot may not do here
	only     map[*User]bool
	archived bool
	locked   bool
	deleted  bool
	messages []*Message
	nonces   map[string]nonceUse
}

// Discord's channel types.
const (
	channelGuildText    = 0
	channelDM           = 1
	channelGroupDM      = 3
	channelPublicThread = 11
)

// ChannelOption changes a channel; see Guild.Channel and Channel.Set.
type ChannelOption func(*Channel)

// NoBotPosts takes SEND_MESSAGES from the bot: it cannot create messages by the
// channel route (50013), and app_permissions says so.
func NoBotPosts(c *Channel) { c.denied |= PermissionSendMessages | PermissionSendMessagesInThreads }

// NoBotView takes VIEW_CHANNEL from the bot: the channel's routes answer 50001.
func NoBotView(c *Channel) { c.denied |= PermissionViewChannel }

// BotAllowed gives the bot everything back that NoBotPosts, NoBotView or
// DenyBot took.
func BotAllowed(c *Channel) { c.denied = 0 }

// DenyBot takes the given permission bits from the bot.
func DenyBot(permissions int64) ChannelOption {
	return func(c *Channel) { c.denied |= permissions }
}

// Visible makes the channel visible to these people only, and to the bot.
func Visible(people ...*User) ChannelOption {
	return func(c *Channel) {
		c.only = map[*User]bool{}
		for _, u := range people {
			c.only[u] = true
		}
	}
}

// VisibleToAll ends what Visible began.
func VisibleToAll(c *Channel) { c.only = nil }

// Thread makes the channel a public thread of parent.
func Thread(parent *Channel) ChannelOption {
	return func(c *Channel) { c.parent = parent }
}

// Archived sets whether a thread is archived, so that nothing can be written
// in it by the channel routes (50083).
func Archived(yes bool) ChannelOption {
	return func(c *Channel) { c.archived = yes }
}

// Channel returns the guild's channel of that name, made if there is none, and
// applies the options to it.
func (g *Guild) Channel(name string, opts ...ChannelOption) *Channel {
	s := g.srv
	s.mu.Lock()
	defer s.mu.Unlock()
	var ch *Channel
	for _, c := range g.channels {
		if c.name == name && !c.deleted {
			ch = c
		}
	}
	made := ch == nil
	if made {
		ch = &Channel{srv: s, id: s.newID(), name: name, guild: g}
		g.channels = append(g.channels, ch)
		s.channels[ch.id] = ch
	}
	for _, o := range opts {
		o(ch)
	}
	if made || len(opts) > 0 {
		s.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: ch.id})
	}
	return ch
}

// PrivateChannel makes the direct messages of two people, or of a group, without
// the bot. Only commands that users can install and whose contexts include 2 are
// offered there, and only interaction tokens reach it: the channel's routes
// answer 50001.
func (s *Server) PrivateChannel(people ...*User) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := &Channel{srv: s, id: s.newID(), name: "private", party: append([]*User(nil), people...)}
	s.channels[ch.id] = ch
	s.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: ch.id})
	return ch
}

// Set applies options to the channel.
func (c *Channel) Set(opts ...ChannelOption) {
	c.srv.mu.Lock()
	defer c.srv.mu.Unlock()
	for _, o := range opts {
		o(c)
	}
	c.srv.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: c.id})
}

// ID is the channel's snowflake.
func (c *Channel) ID() string { return c.id }

// Name is the channel's name; for direct messages the person's.
func (c *Channel) Name() string { return c.name }

// Guild is the guild the channel is in, nil for direct messages.
func (c *Channel) Guild() *Guild { return c.guild }

// Parent is the channel a thread belongs to, else nil.
func (c *Channel) Parent() *Channel { return c.parent }

// Person is the other side of direct messages, else nil.
func (c *Channel) Person() *User { return c.person }

// Deleted reports whether the channel was deleted.
func (c *Channel) Deleted() bool {
	c.srv.mu.Lock()
	defer c.srv.mu.Unlock()
	return c.deleted
}

// VisibleTo reports whether u can see the channel.
func (c *Channel) VisibleTo(u *User) bool {
	c.srv.mu.Lock()
	defer c.srv.mu.Unlock()
	return c.visibleTo(u)
}

// Link is the channel's address in Discord's clients.
func (c *Channel) Link() string {
	return "https://discord.com/channels/" + c.guildSegment() + "/" + c.id
}

func (c *Channel) guildSegment() string {
	if c.guild == nil {
		return "@me"
	}
	return c.guild.id
}

// Delete deletes the channel with its messages; its routes answer 10003.
func (c *Channel) Delete() {
	s := c.srv
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deleteChannelLocked(c)
}

// Messages returns what as sees in the channel, oldest first: ephemeral messages
// of others and deleted messages are left out. A nil person sees all that is not
// deleted.
func (c *Channel) Messages(as *User) []*Message {
	c.srv.mu.Lock()
	defer c.srv.mu.Unlock()
	var out []*Message
	for _, m := range c.messages {
		if !m.deleted && (as == nil || m.visibleTo(as)) {
			out = append(out, m)
		}
	}
	return out
}

// LastMessage returns the newest message that as sees, or nil.
func (c *Channel) LastMessage(as *User) *Message {
	all := c.Messages(as)
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

func (c *Channel) kind() int {
	switch {
	case len(c.party) > 2:
		return channelGroupDM
	case c.guild == nil:
		return channelDM
	case c.parent != nil:
		return channelPublicThread
	default:
		return channelGuildText
	}
}

// visibleTo reports whether u sees the channel: a thread follows its parent.
func (c *Channel) visibleTo(u *User) bool {
	if c.deleted {
		return false
	}
	if c.party != nil {
		return slices.Contains(c.party, u)
	}
	if c.guild == nil {
		return u == c.person || u == c.srv.bot
	}
	if u == c.srv.bot {
		return c.guild.botIn && c.botPermissions()&PermissionViewChannel != 0
	}
	if !c.guild.hasMember(u) {
		return false
	}
	if c.parent != nil && !c.parent.visibleTo(u) {
		return false
	}
	return c.only == nil || c.only[u] || u.permissions&PermissionAdministrator != 0
}

// botPermissions is what the bot user may do here.
func (c *Channel) botPermissions() int64 {
	if c.guild == nil {
		return PermissionAttachFiles | PermissionEmbedLinks | PermissionMentionEveryone | PermissionUseExternalEmojis |
			PermissionViewChannel | PermissionSendMessages | PermissionReadMessageHistory
	}
	p := memberPermissions &^ c.denied
	if c.parent != nil {
		p &^= c.parent.denied & PermissionViewChannel
	}
	return p
}

// appPermissions is app_permissions of an interaction here.
func (c *Channel) appPermissions() string {
	switch {
	case c.party != nil:
		return strconv.Itoa(PermissionAttachFiles | PermissionEmbedLinks | PermissionMentionEveryone)
	case c.guild == nil:
		return strconv.Itoa(PermissionAttachFiles | PermissionEmbedLinks | PermissionMentionEveryone | PermissionUseExternalEmojis)
	}
	return strconv.FormatInt(c.botPermissions(), 10)
}

// permissionsOf is what the person may do here, as a number for
// member.permissions.
func (c *Channel) permissionsOf(u *User) int64 {
	if u == c.srv.bot {
		return c.botPermissions()
	}
	p := memberPermissions | u.permissions
	if !c.visibleTo(u) {
		p &^= PermissionViewChannel
	}
	return p
}

// context is the interaction context of the channel, as specified by Discord's
// documentation: 0 in a guild, 1 with the bot, 2 among people.
func (c *Channel) context() int {
	switch {
	case c.guild != nil:
		return 0
	case c.party != nil:
		return 2
	default:
		return 1
	}
}

// installedByUser reports whether the application is here only because the
// person who uses it has installed it.
func (c *Channel) installedByUser() bool {
	return c.party != nil || c.guild != nil && !c.guild.botIn
}
