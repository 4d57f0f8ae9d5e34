package sandbox

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// Channel is a text, voice or forum channel of a guild, a thread, the direct messages between a person
// and the bot, or those between people without the bot.
type Channel struct {
	world *World
	id    string

	name   string
	guild  *Guild   // nil for direct messages
	parent *Channel // for a thread
	person *User    // for direct messages with a bot
	app    *App     // whose bot that is
	party  []*User  // for direct messages between people, who may bring the application along
	topic  string
	form   int // of a guild's channel that is no thread: text, voice or forum
	// overwrites are what was given and taken here. A thread has those of its
	// parent first.
	overwrites []permission.Overwrite
	thread
	deleted  bool
	messages []*Message
	nonces   map[string]*Message // by the author's id and the nonce that made them
}

// Discord's channel types.
const (
	channelGuildText     = 0
	channelDM            = 1
	channelVoice         = 2
	channelGroupDM       = 3
	channelPublicThread  = 11
	channelPrivateThread = 12
	channelForum         = 15
)

// ChannelOption changes a channel; see Guild.Channel and Channel.Set.
type ChannelOption func(*Channel)

// NoBotPosts takes SEND_MESSAGES from the bot, in a thread SEND_MESSAGES_IN_THREADS: it
// cannot create messages by the channel route (50013), and app_permissions says so.
func NoBotPosts(c *Channel) {
	c.overwrite(c.world.app.user.id, true, 0, writing(c))
}

// writing is the permission to write in a channel.
func writing(c *Channel) int64 {
	if c.parent != nil {
		return permission.SendInThreads
	}
	return permission.SendMessages
}

// NoBotView takes VIEW_CHANNEL from the bot: the channel's routes answer 50001.
func NoBotView(c *Channel) { c.overwrite(c.world.app.user.id, true, 0, permission.ViewChannel) }

// BotAllowed gives the bot everything back that NoBotPosts, NoBotView or
// DenyBot took.
func BotAllowed(c *Channel) {
	c.overwrites = slices.DeleteFunc(c.overwrites, isFor(c.world.app.user.id))
}

// DenyBot takes the given permission bits from the bot.
func DenyBot(permissions int64) ChannelOption {
	return func(c *Channel) { c.overwrite(c.world.app.user.id, true, 0, permissions) }
}

// Voice makes the channel a voice channel, of which there is the chat alone: no thread can
// be begun there.
func Voice(c *Channel) { c.form = channelVoice }

// Forum makes the channel a forum, whose posts are its threads. Nothing can be written in
// the forum itself, nor is any command offered there.
func Forum(c *Channel) { c.form = channelForum }

// Visible makes the channel visible to these people only, to the bot unless NoBotView
// took that, and to administrators.
func Visible(people ...*User) ChannelOption {
	return func(c *Channel) {
		for i := range c.overwrites { // what another Visible has given ends
			c.overwrites[i].Allow &^= permission.ViewChannel
		}
		c.overwrites = slices.DeleteFunc(c.overwrites, func(o permission.Overwrite) bool { return o.Allow|o.Deny == 0 })
		c.overwrite(c.guild.id, false, 0, permission.ViewChannel)
		if !slices.ContainsFunc(c.overwrites, hidesFrom(c.world.app.user.id)) {
			c.overwrite(c.world.app.user.id, true, permission.ViewChannel, 0)
		}
		for _, u := range people {
			c.overwrite(u.id, true, permission.ViewChannel, 0)
		}
	}
}

// Allow gives a role permission bits here.
func Allow(r *Role, permissions int64) ChannelOption {
	return func(c *Channel) { c.overwrite(r.is.ID, false, permissions, 0) }
}

// Deny takes permission bits here from a role.
func Deny(r *Role, permissions int64) ChannelOption {
	return func(c *Channel) { c.overwrite(r.is.ID, false, 0, permissions) }
}

// SetOverwrite replaces what a role or a member is given and denied here. One that
// neither gives nor denies anything is taken away.
func SetOverwrite(o permission.Overwrite) ChannelOption {
	return func(c *Channel) {
		c.overwrites = but(c.overwrites, isFor(o.ID))
		if o.Allow|o.Deny != 0 {
			c.overwrites = append(c.overwrites, o)
		}
	}
}

func isFor(id string) func(permission.Overwrite) bool {
	return func(o permission.Overwrite) bool { return o.ID == id }
}

// hidesFrom: an overwrite takes the sight of the channel from a role or a member.
func hidesFrom(id string) func(permission.Overwrite) bool {
	return func(o permission.Overwrite) bool { return o.ID == id && o.Deny&permission.ViewChannel != 0 }
}

// overwrite gives and takes bits of a role or a member.
func (c *Channel) overwrite(id string, member bool, allow, deny int64) {
	i := slices.IndexFunc(c.overwrites, isFor(id))
	if i < 0 {
		i = len(c.overwrites)
		c.overwrites = append(c.overwrites, permission.Overwrite{ID: id, Member: member})
	}
	o := &c.overwrites[i]
	o.Allow, o.Deny = o.Allow&^deny|allow, o.Deny&^allow|deny
}

// Topic sets what the channel is about.
func Topic(text string) ChannelOption { return func(c *Channel) { c.topic = text } }

// Thread makes the channel a public thread of parent. One that is a thread stays as it is.
func Thread(parent *Channel) ChannelOption {
	return func(c *Channel) {
		if c.parent == nil {
			c.beginThread(parent, nil, defaultAutoArchive)
		}
	}
}

// Archived sets whether a thread is archived, so that nothing can be changed in it by
// the channel routes (50083). What somebody writes opens it again unless it is Locked.
func Archived(yes bool) ChannelOption {
	return func(c *Channel) { c.setArchived(yes) }
}

// Channel returns the guild's channel of that name, made if there is none, and
// applies the options to it.
func (g *Guild) Channel(name string, opts ...ChannelOption) *Channel {
	defer g.world.hold()()
	var ch *Channel
	for _, c := range g.channels {
		if c.name == name {
			ch = c
		}
	}
	if ch == nil {
		return g.addChannel(g.world.newID(), name).set("CREATE", opts)
	}
	return ch.set("UPDATE", opts)
}

// newChannel is a channel that begins as it is given.
func newChannel(c Channel) *Channel {
	c.of, c.members, c.nonces = &c, map[*User]time.Time{}, map[string]*Message{}
	return &c
}

// addChannel makes a channel that nobody has been told of yet.
func (g *Guild) addChannel(id, name string) *Channel {
	c := newChannel(Channel{world: g.world, id: id, name: name, guild: g})
	g.channels = append(g.channels, c)
	g.world.channels[c.id] = c
	return c
}

// set applies options, and tells of them.
func (c *Channel) set(what string, opts []ChannelOption) *Channel {
	for _, o := range opts {
		o(c)
	}
	if len(opts) > 0 || what == "CREATE" {
		c.event(what)
	}
	return c
}

// event tells of a channel or thread that was made, changed or is about to be deleted. Of a
// thread hears who sees it.
func (c *Channel) event(what string) {
	w := c.world
	if g := c.guild; g != nil {
		switch {
		case c.parent == nil:
			g.tell("CHANNEL_"+what, c.json(), gateway.IntentGuilds)
		case what == "DELETE":
			c.send("THREAD_DELETE", map[string]any{"id": c.id, "guild_id": g.id, "parent_id": c.parent.id, "type": c.kind()}, gateway.IntentGuilds, 0)
		default:
			c.send("THREAD_"+what, gateway.Readable(func(bool) any { // with each one's own membership
				o := c.json()
				if what == "CREATE" {
					o["newly_created"] = true
				}
				return o
			}), gateway.IntentGuilds, 0)
		}
	}
	w.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: c.id})
}

// PrivateChannel makes the direct messages of two people, or of a group, without
// the bot; two people have one such channel, any group as many as it likes. Only commands that users can install and whose contexts include 2 are
// offered there, and only interaction tokens reach it: the channel's routes
// answer 50001.
func (w *World) PrivateChannel(people ...*User) *Channel {
	defer w.hold()()
	for _, c := range parties(w) {
		if len(people) == 2 && len(c.party) == 2 && slices.Contains(c.party, people[0]) && slices.Contains(c.party, people[1]) {
			return c
		}
	}
	ch := newChannel(Channel{world: w, id: w.newID(), name: "private", party: slices.Clone(people)})
	w.channels[ch.id] = ch
	w.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: ch.id})
	return ch
}

// parties lists the direct messages between people, the oldest first.
func parties(w *World) []*Channel {
	out := but(slices.Collect(maps.Values(w.channels)), func(c *Channel) bool { return c.party == nil })
	rules.SortByID(out, func(c *Channel) string { return c.id })
	return out
}

// nameFor is the name under which somebody's client shows the channel: direct
// messages between people have the names of the others.
func nameFor(c *Channel, u *User) string {
	if c.party == nil {
		return c.name
	}
	return strings.Join(each(without(c.party, u), func(p *User) string { return p.is.Name }), ", ")
}

// Set applies options to the channel.
func (c *Channel) Set(opts ...ChannelOption) {
	defer c.world.hold()()
	c.set("UPDATE", opts)
}

// ID is the channel's snowflake.
func (c *Channel) ID() string { return c.id }

// Name is the channel's name; for direct messages the person's.
func (c *Channel) Name() string { return c.name }

// Guild is the guild the channel is in, nil for direct messages.
func (c *Channel) Guild() *Guild { return c.guild }

// Parent is the channel a thread belongs to, else nil.
func (c *Channel) Parent() *Channel { return c.parent }

// Permissions are the bits of what u may do in the channel.
func (c *Channel) Permissions(u *User) int64 {
	defer c.world.hold()()
	return c.permissionsOf(u)
}

// Deleted reports whether the channel was deleted.
func (c *Channel) Deleted() bool { return read(c.world, &c.deleted) }

// VisibleTo reports whether u can see the channel.
func (c *Channel) VisibleTo(u *User) bool {
	defer c.world.hold()()
	return c.visibleTo(u)
}

// Link is the channel's address in Discord's clients.
func (c *Channel) Link() string {
	return "https://discord.com/channels/" + cmp.Or(idOf(c.guild), "@me") + "/" + c.id
}

// Delete deletes the channel with its messages; its routes answer 10003.
func (c *Channel) Delete() {
	defer c.world.hold()()
	c.deleteLocked()
}

// Messages returns what as sees in the channel, oldest first: ephemeral messages
// of others and deleted messages are left out. A nil person sees all that is not
// deleted.
func (c *Channel) Messages(as *User) []*Message {
	defer c.world.hold()()
	return but(c.messages, func(m *Message) bool { return m.deleted || as != nil && !m.visibleTo(as) })
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
	case c.parent != nil && c.private:
		return channelPrivateThread
	case c.parent != nil:
		return channelPublicThread
	default:
		return c.form
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
		return u == c.person || u == c.app.user
	}
	p := c.permissionsOf(u)
	if !c.guild.hasMember(u) || p&permission.ViewChannel == 0 || c.parent != nil && !c.parent.visibleTo(u) {
		return false
	}
	return c.parent == nil || !c.private || c.inThread(u) || p&permission.ManageThreads != 0
}

// botPermissions is what the bot user may do here.
func (c *Channel) botPermissions() int64 {
	if c.guild == nil {
		return permission.AttachFiles | permission.EmbedLinks | permission.MentionEveryone | permission.UseExternalEmojis |
			permission.ViewChannel | permission.SendMessages | permission.ReadHistory
	}
	return c.permissionsOf(c.world.app.user)
}

// appPermissions is app_permissions of an interaction here. Where the bot is no member it holds
// what was recorded of the real Discord: neither to view nor to send.
func (c *Channel) appPermissions() string {
	const anywhere = permission.AttachFiles | permission.EmbedLinks | permission.MentionEveryone
	switch {
	case c.party != nil:
		return strconv.FormatInt(anywhere|permission.SendPolls, 10)
	case c.guild == nil:
		return strconv.FormatInt(anywhere|permission.UseExternalEmojis, 10)
	case !c.guild.botIn():
		return strconv.FormatInt(anywhere|permission.UseExternalEmojis|permission.SendPolls, 10)
	}
	return strconv.FormatInt(c.botPermissions(), 10)
}

// permissionsOf is what the person may do here, as a number for
// member.permissions.
func (c *Channel) permissionsOf(u *User) int64 {
	if c.guild == nil {
		if u.app != nil {
			return c.botPermissions()
		}
		return memberPermissions
	}
	overwrites := c.overwrites
	if c.parent != nil {
		overwrites = slices.Concat(c.parent.overwrites, overwrites)
	}
	return c.guild.asMember(u).In(overwrites)
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

// brings reports whether a command that can be installed in these ways (0 by a guild, 1 by a
// person, as Discord's documentation numbers them) is there for somebody in the channel: by
// the guild, or because they have the application themselves.
func brings(c *Channel, u *User, ways []int) bool {
	return !c.installedByUser() && slices.Contains(ways, 0) || u.is.Installed && slices.Contains(ways, 1)
}

// installedByUser reports whether the application is here only because the
// person who uses it has installed it.
func (c *Channel) installedByUser() bool {
	return c.party != nil || c.guild != nil && !c.guild.installed()
}

func (c *Channel) json() map[string]any {
	o := map[string]any{"id": c.id, "type": c.kind(), "flags": 0, "last_message_id": nil}
	if len(c.messages) > 0 {
		o["last_message_id"] = c.messages[len(c.messages)-1].id
	}
	if c.party != nil {
		return o // as it is sent for interactions alone: see seenBy
	}
	if c.guild == nil {
		o["recipients"] = []any{c.person.json()}
		return o
	}
	o["name"], o["guild_id"], o["parent_id"] = c.name, c.guild.id, nil
	if c.parent != nil {
		c.threadJSON(o)
		return o
	}
	o["position"], o["topic"], o["nsfw"], o["rate_limit_per_user"] = slices.Index(c.guild.channels, c), orNull(c.topic), false, 0
	o["permission_overwrites"] = each(c.overwrites, func(p permission.Overwrite) any {
		kind := 0
		if p.Member {
			kind = 1
		}
		return map[string]any{"id": p.ID, "type": kind, "allow": strconv.FormatInt(p.Allow, 10), "deny": strconv.FormatInt(p.Deny, 10)}
	})
	return o
}

// seenBy is the channel as an interaction of the person has it: of direct messages it names the
// other one, and of a group nobody, as was recorded of the real Discord.
func (c *Channel) seenBy(u *User) map[string]any {
	o := c.json()
	switch {
	case len(c.party) > 2:
		o["owner_id"], o["name"], o["icon"], o["last_pin_timestamp"] = c.party[0].id, nil, nil, nil
	case c.party != nil:
		o["recipients"] = objects(without(c.party, u))
	case c.guild == nil:
		o["recipients"] = objects([]*User{c.app.user})
	}
	return o
}
