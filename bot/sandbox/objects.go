package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// The objects of the API as Discord describes them, for people, channels,
// guilds and messages. All run with the server's lock held.

func (u *User) json() map[string]any {
	var global any
	if u.globalName != "" && !u.isBot {
		global = u.globalName
	}
	o := map[string]any{
		"id": u.id, "username": u.username, "discriminator": "0", "global_name": global, "avatar": nil,
		"public_flags": 0, "flags": 0, "banner": nil, "accent_color": nil, "avatar_decoration_data": nil, "primary_guild": nil,
	}
	if u.isBot {
		o["bot"] = true
		o["discriminator"] = discriminator(u)
	}
	return o
}

// discriminator is the four digits that bots still have. A webhook has none.
func discriminator(u *User) string {
	if u.isHook {
		return "0000"
	}
	n, _ := strconv.ParseUint(u.id, 10, 64)
	return fmt.Sprintf("%04d", n%9999+1)
}

// memberJSON is the person as a member; ch is where permissions are wanted, or nil.
func (g *Guild) memberJSON(u *User, ch *Channel, withUser bool) map[string]any {
	var nick any
	if u.nick != "" {
		nick = u.nick
	}
	o := map[string]any{
		"nick": nick, "avatar": nil, "banner": nil, "roles": []any{}, "joined_at": nil, "premium_since": nil,
		"flags": 0, "pending": false, "communication_disabled_until": nil,
	}
	if m := u.in[g]; m != nil {
		o["joined_at"] = m.joined
		o["roles"] = roleIDs(m.roles)
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
	o["position"], o["topic"], o["nsfw"], o["rate_limit_per_user"] = slices.Index(c.guild.channels, c), nil, false, 0
	if c.topic != "" {
		o["topic"] = c.topic
	}
	overwrites := []any{}
	for _, p := range c.overwrites {
		kind := 0
		if p.Member {
			kind = 1
		}
		overwrites = append(overwrites, map[string]any{
			"id": p.ID, "type": kind, "allow": strconv.FormatInt(p.Allow, 10), "deny": strconv.FormatInt(p.Deny, 10),
		})
	}
	o["permission_overwrites"] = overwrites
	return o
}

// inInteraction turns an object of the REST API, and all below it, into what interactions
// carry. Two bodies that Discord has signed (2023 and 2025) and recorded ones of 2026 have no
// overwrites of channels, nor flags, banners and accent colours of people; and they have
// fields that REST answers and the documentation know nothing of.
func inInteraction(v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			inInteraction(one)
		}
	case map[string]any:
		if v["discriminator"] != nil {
			for _, key := range []string{"flags", "banner", "accent_color"} {
				delete(v, key)
			}
			v["clan"], v["collectibles"], v["display_name_styles"] = nil, nil, nil
		}
		for _, one := range v {
			inInteraction(one)
		}
	}
}

// noise adds to an interaction what was recorded beside what the documentation names. Whoever
// decodes it has to leave it alone.
func (c *Call) noise(p map[string]any) {
	p["entitlement_sku_ids"] = []any{}
	if m, ok := p["member"].(map[string]any); ok {
		m["unusual_dm_activity_until"], m["collectibles"], m["display_name_styles"] = nil, nil, nil
	}
	ch := c.channel
	o := p["channel"].(map[string]any)
	delete(o, "permission_overwrites")
	switch {
	case ch.parent != nil:
		o["member_ids_preview"] = []any{}
		delete(o, "member")
		for _, m := range ch.thread.members {
			o["member_ids_preview"] = append(o["member_ids_preview"].([]any), m.user.id)
			if m.user == c.user {
				o["member"] = m.json(ch) // of who acts, and not the bot's
			}
		}
	case ch.guild != nil:
		o["icon_emoji"], o["theme_color"] = map[string]any{"id": nil, "name": "👋"}, nil
	case len(ch.party) <= 2:
		o["recipient_flags"] = 0
	}
	if ch.guild != nil {
		o["permissions"] = strconv.FormatInt(ch.permissionsOf(c.user), 10)
	}
	inInteraction(p)
}

// seenBy is the channel as an interaction of the person has it: of direct messages it names the
// other one, and of a group nobody, as was recorded of the real Discord.
func (c *Channel) seenBy(u *User) map[string]any {
	o := c.json()
	switch {
	case len(c.party) > 2:
		o["owner_id"], o["name"], o["icon"], o["last_pin_timestamp"] = c.party[0].id, nil, nil, nil
	case c.party != nil:
		o["recipients"] = userObjects(slices.DeleteFunc(slices.Clone(c.party), func(p *User) bool { return p == u }))
	case c.guild == nil:
		o["recipients"] = userObjects([]*User{c.app.user})
	}
	return o
}

func (g *Guild) json() map[string]any {
	return map[string]any{
		"id": g.id, "name": g.name, "icon": nil, "description": nil, "splash": nil, "banner": nil, "owner_id": g.world.owner.id,
		"preferred_locale": g.locale, "features": []any{}, "roles": g.rolesJSON(), "emojis": []any{}, "stickers": []any{},
		"verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0,
		"premium_tier": 0, "nsfw_level": 0, "system_channel_flags": 0, "afk_timeout": 300,
		"home_header": nil, "discovery_splash": nil, "application_id": nil, "region": "automatic", "afk_channel_id": nil,
		"system_channel_id": nil, "widget_enabled": false, "widget_channel_id": nil, "max_presences": nil, "max_members": 500000,
		"max_stage_video_channel_users": 50, "max_video_channel_users": 25, "vanity_url_code": nil, "premium_subscription_count": 0,
		"rules_channel_id": nil, "safety_alerts_channel_id": nil, "public_updates_channel_id": nil,
		"premium_progress_bar_enabled": false, "nsfw": false, "incidents_data": nil,
	}
}

// json is the message as the API gives it out.
func (m *Message) json() map[string]any {
	o := map[string]any{
		"id": m.id, "channel_id": m.channel.id, "author": m.author.json(), "type": m.kind, "content": m.content,
		"timestamp": isoTime(m.created), "edited_timestamp": nil, "tts": false, "pinned": !m.pinned.IsZero(), "flags": m.flags,
		"mention_everyone": m.everyone, "mentions": userObjects(m.mentions), "mention_roles": roleIDs(m.roles),
		"embeds": orEmpty(m.embeds), "attachments": orEmpty(m.attached), "components": m.encodedComponents(),
	}
	if reactions := m.reactionsJSON(); reactions != nil {
		o["reactions"] = reactions
	}
	if m.channel.parent != nil { // roughly where it stands, says the documentation
		o["position"] = max(0, slices.Index(m.channel.messages, m))
	}
	if t := m.world.channels[m.id]; t != nil && !t.deleted {
		o["thread"] = t.json()
	}
	if !m.edited.IsZero() {
		o["edited_timestamp"] = isoTime(m.edited)
	}
	if ref, ok := m.reference.(map[string]any); ok {
		o["message_reference"] = ref
	}
	if m.author.isHook {
		o["webhook_id"] = m.author.id
		o["application_id"] = m.world.apps[0].id
		if h := m.world.webhook(m.author.id); h != nil {
			o["application_id"] = h.app.id
		}
	}
	if c := m.origin; c != nil {
		meta := c.metadata()
		if m != c.original {
			meta = clone(meta)
			if c.original != nil {
				meta["original_response_message_id"] = c.original.id
			}
		}
		o["interaction_metadata"] = meta
		if c.kind == InteractionCommand {
			// Deprecated but still sent: older libraries find a message's buttons by it.
			o["interaction"] = map[string]any{"id": c.id, "type": c.kind, "name": c.path, "user": c.user.json()}
		}
		o["application_id"], o["webhook_id"] = c.app.id, c.app.id
	}
	return o
}

// encodedComponents is the list in JSON.
func (m *Message) encodedComponents() json.RawMessage {
	if m.compsJSON == nil { // there never were any
		return json.RawMessage("[]")
	}
	return m.compsJSON
}

func userObjects(us []*User) []any {
	out := []any{}
	for _, u := range us {
		out = append(out, u.json())
	}
	return out
}

func roleIDs(roles []*Role) []any {
	out := []any{}
	for _, r := range roles {
		out = append(out, r.id)
	}
	return out
}

func orEmpty(list []any) []any {
	if list == nil {
		return []any{}
	}
	return list
}

func clone(m map[string]any) map[string]any {
	out := make(map[string]any, len(m)+1)
	for k, v := range m {
		out[k] = v
	}
	return out
}
