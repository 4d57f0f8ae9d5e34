package sandbox

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/kept"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// memberPermissions are what everybody may do at first, in a channel without overwrites.
const memberPermissions int64 = permission.ViewChannel | permission.SendMessages | permission.EmbedLinks |
	permission.AttachFiles | permission.ReadHistory | permission.UseExternalEmojis |
	permission.UseCommands | permission.SendInThreads | permission.UseExternalApps |
	permission.AddReactions | permission.ChangeNickname | permission.CreateThreads | permission.CreatePrivate

// Guild is a guild: channels, members, and the bot unless it was removed.
type Guild struct {
	world *World
	id    string

	name     string
	locale   string
	channels []*Channel
	roles    []*Role // by position, @everyone first
	members  []*User // without the owner and the bot
	banned   []*User
	deleted  bool
	// commandsOnly says that the applications whose bots are no members are installed without
	// them.
	commandsOnly bool
}

// Guild returns the default guild, whose members are all people made by User.
func (w *World) Guild() *Guild {
	defer w.hold()()
	return w.guilds[0]
}

// Guilds lists the guilds in the order they were made, deleted ones left out.
func (w *World) Guilds() []*Guild { return held(w, w.standing) }

// standing are the guilds that were not deleted.
func (p *population) standing() []*Guild {
	return but(p.guilds, func(g *Guild) bool { return g.deleted })
}

// AddGuild makes another guild with the bot in it and no people yet; see User.Join.
func (w *World) AddGuild(name string) *Guild {
	defer w.hold()()
	return w.addGuildAs(w.newID(), name).tellCreated()
}

func (w *World) addGuildAs(id, name string) *Guild {
	g := &Guild{world: w, id: id, name: name, locale: "en-US"}
	g.roles = []*Role{{guild: g, is: kept.Role{ID: g.id, Name: "@everyone", Permissions: memberPermissions}}}
	w.guilds = append(w.guilds, g)
	w.owner.in[g] = &member{joined: isoTime(rules.SnowflakeTime(g.id))}
	w.eachApp(g.letBotIn)
	return g
}

// guildByID finds a guild, nil for none.
func (p *population) guildByID(id string) *Guild {
	return first(p.guilds, func(g *Guild) bool { return g.id == id })
}

// botIn reports whether the bot of the application at hand is a member.
func (g *Guild) botIn() bool { return g.world.app.user.in[g] != nil }

// installed reports whether the guild has the application at hand: with its bot, or its
// commands alone.
func (g *Guild) installed() bool { return g.botIn() || g.commandsOnly }

// letBotIn makes the bot a member, with a role of its own above all others.
func (g *Guild) letBotIn() {
	w := g.world
	r := g.newRole(kept.Role{Name: w.app.user.is.Name, Permissions: w.app.permissions, Managed: true})
	g.roles = append(without(g.roles, r), r)
	w.app.user.in[g] = &member{joined: isoTime(w.clock.Now()), roles: []*Role{r}}
}

// ID is the guild's snowflake.
func (g *Guild) ID() string { return g.id }

// Name is the guild's name.
func (g *Guild) Name() string { return g.name }

// Locale is the guild's preferred locale, "en-US" at first.
func (g *Guild) Locale() string { return read(g.world, &g.locale) }

// SetLocale changes the guild's preferred locale.
func (g *Guild) SetLocale(locale string) {
	defer g.world.hold()()
	g.locale = locale
	g.tell("GUILD_UPDATE", g.json(), gateway.IntentGuilds)
	g.world.publishLocked(Event{Kind: EventGuildsChanged})
}

// Members lists the people in the guild in the order they joined, without the bot
// and the owner.
func (g *Guild) Members() []*User { return listOf(g.world, &g.members) }

// Channels lists the guild's channels and threads, deleted ones left out.
func (g *Guild) Channels() []*Channel { return listOf(g.world, &g.channels) }

// RemoveBot kicks the bot, and its commands go with it: GUILD_DELETE is dispatched to sessions that asked for
// guilds, and the guild's routes answer 10004 or 50001 from now on.
func (g *Guild) RemoveBot() {
	w := g.world
	defer w.hold()()
	if !g.botIn() {
		return
	}
	w.gateway.dispatch("GUILD_DELETE", map[string]any{"id": g.id}, g.id, gateway.IntentGuilds)
	own := w.app.user.in[g].roles
	delete(w.app.user.in, g)
	g.roles = but(g.roles, func(r *Role) bool { return r.is.Managed && slices.Contains(own, r) })
	w.publishLocked(Event{Kind: EventGuildsChanged})
}

// InstallCommands installs the application's commands and not its bot, as an invitation with
// the scope applications.commands alone does.
func (g *Guild) InstallCommands() {
	defer g.world.hold()()
	g.commandsOnly = true
	g.world.publishLocked(Event{Kind: EventGuildsChanged})
}

// Delete deletes the guild with its channels: its routes answer 10004 and nobody
// can act in it any more. The default guild cannot be deleted, only left.
func (g *Guild) Delete() {
	w := g.world
	defer w.hold()()
	if g.deleted || g == w.guilds[0] {
		return
	}
	for _, c := range g.channels {
		c.deleteLocked()
	}
	g.tell("GUILD_DELETE", map[string]any{"id": g.id}, gateway.IntentGuilds)
	for _, u := range g.everybody() {
		delete(u.in, g)
	}
	g.deleted, g.members = true, nil
	w.publishLocked(Event{Kind: EventGuildsChanged})
}

// InviteBot lets the bot in again.
func (g *Guild) InviteBot() {
	w := g.world
	defer w.hold()()
	if g.botIn() || g.deleted {
		return
	}
	g.commandsOnly = false
	g.letBotIn()
	g.tellCreated()
}

func (g *Guild) hasMember(u *User) bool { return u.in[g] != nil }

// tellCreated tells everybody of a guild that is new to them.
func (g *Guild) tellCreated() *Guild {
	g.world.publishLocked(Event{Kind: EventGuildsChanged})
	// With each one's own membership.
	g.tell("GUILD_CREATE", gateway.Readable(func(bool) any { return g.full() }), gateway.IntentGuilds)
	return g
}

// full is the guild as GUILD_CREATE tells it.
func (g *Guild) full() map[string]any {
	o, bot := g.json(), g.world.app.user
	o["channels"] = objects(but(g.channels, func(c *Channel) bool { return c.archived || c.parent != nil }))
	o["threads"], o["members"], o["presences"], o["voice_states"] = objects(activeThreads(g)), []any{g.memberJSON(bot, nil, true)}, []any{}, []any{}
	o["joined_at"], o["large"], o["unavailable"], o["member_count"] = bot.in[g].joined, false, false, len(g.everybody())
	o["stage_instances"], o["guild_scheduled_events"], o["soundboard_sounds"] = []any{}, []any{}, []any{}
	return o
}

// AddGuildOn is AddGuild for a guild whose id belongs to the shard of so many.
func (w *World) AddGuildOn(name string, shard, count int) *Guild {
	defer w.hold()()
	// Made some time ago, so that no other id is the same.
	n := uint64(len(w.guilds))
	at := uint64(rules.SnowflakeTime(w.newID()).Add(-time.Hour).UnixMilli() - rules.SnowflakeTime("1").UnixMilli()) //nolint:gosec // since Discord's epoch
	at -= at%uint64(count) - uint64(shard)                                                                          //nolint:gosec // a shard's number
	g := w.addGuildAs(strconv.FormatUint((at-n*uint64(count))<<22|n, 10), name)                                     //nolint:gosec // as above
	return g.tellCreated()
}

// botMay reports whether the bot has some permissions in the guild as a whole.
func (g *Guild) botMay(bits int64) bool { return g.basePermissions(g.world.app.user)&bits == bits }

// called lists the members whose name or nickname begins with a text.
func called(g *Guild, text string, limit int) []*User {
	text = strings.ToLower(text)
	begins := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), text) }
	others := func(u *User) bool { return !begins(u.username) && !begins(u.is.Name) && !begins(u.is.Nick) }
	found := but(g.everybody(), others)
	return found[:min(limit, len(found))]
}

// objects are those of people or roles.
func objects[T interface{ json() map[string]any }](list []T) []any {
	return each(list, func(one T) any { return one.json() })
}

// memberJSON is the person as a member; ch is where permissions are wanted, or nil.
func (g *Guild) memberJSON(u *User, ch *Channel, withUser bool) map[string]any {
	o := map[string]any{
		"nick": orNull(u.is.Nick), "avatar": nil, "banner": nil, "roles": []any{}, "joined_at": nil, "premium_since": nil,
		"flags": 0, "pending": false, "communication_disabled_until": nil,
	}
	if m := u.in[g]; m != nil {
		o["joined_at"] = m.joined
		o["roles"] = each(m.roles, (*Role).ID)
		if m.timeout.After(g.world.clock.Now()) {
			o["communication_disabled_until"] = isoTime(m.timeout)
		}
	}
	if withUser {
		o["user"], o["deaf"], o["mute"] = u.json(), false, false
	}
	if ch != nil {
		o["permissions"] = strconv.FormatInt(ch.permissionsOf(u), 10)
	}
	return o
}

func (g *Guild) json() map[string]any {
	return map[string]any{
		"id": g.id, "name": g.name, "icon": nil, "description": nil, "splash": nil, "banner": nil, "owner_id": g.world.owner.id,
		"preferred_locale": g.locale, "features": []any{}, "roles": objects(g.roles), "emojis": []any{}, "stickers": []any{},
		"verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0,
		"premium_tier": 0, "nsfw_level": 0, "system_channel_flags": 0, "afk_timeout": 300,
		"home_header": nil, "discovery_splash": nil, "application_id": nil, "region": "automatic", "afk_channel_id": nil,
		"system_channel_id": nil, "widget_enabled": false, "widget_channel_id": nil, "max_presences": nil, "max_members": 500000,
		"max_stage_video_channel_users": 50, "max_video_channel_users": 25, "vanity_url_code": nil, "premium_subscription_count": 0,
		"rules_channel_id": nil, "safety_alerts_channel_id": nil, "public_updates_channel_id": nil,
		"premium_progress_bar_enabled": false, "nsfw": false, "incidents_data": nil,
	}
}

// getMyGuilds lists the guilds that the bot is in by id: the first ones, those behind an id,
// which need not be one of them, or the last ones before it.
func getMyGuilds(w *World, x *exchange) (any, error) {
	asked := window{limit: x.Limit(200, 200), before: x.Anchor("before"), after: x.Anchor("after")}
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	if asked.before == "" {
		asked.after = cmp.Or(asked.after, beginning)
	}
	mine := but(w.guilds, func(g *Guild) bool { return !g.botIn() })
	rules.SortByID(mine, (*Guild).ID)
	return each(cut(mine, (*Guild).ID, asked), func(g *Guild) any {
		one := map[string]any{
			"id": g.id, "name": g.name, "icon": nil, "banner": nil, "owner": false,
			"permissions": strconv.FormatInt(g.basePermissions(w.app.user), 10), "features": []any{},
		}
		if x.Query.Get("with_counts") == "true" {
			one["approximate_member_count"], one["approximate_presence_count"] = len(g.everybody()), 0
		}
		return one
	}), nil
}

func getGuildChannels(w *World, x *exchange) (any, error) {
	return objects(but(x.guild.channels, func(c *Channel) bool { return c.parent != nil })), nil
}
