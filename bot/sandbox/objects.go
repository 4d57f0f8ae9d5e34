package sandbox

import (
	"cmp"
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
		o["discriminator"] = "0000"
	}
	return o
}

// memberJSON is the person as a member; ch is where permissions are wanted, or nil.
func (g *Guild) memberJSON(u *User, ch *Channel, withUser bool) map[string]any {
	var nick any
	if u.nick != "" {
		nick = u.nick
	}
	o := map[string]any{
		"nick": nick, "avatar": nil, "banner": nil, "roles": []any{}, "joined_at": u.joined[g], "premium_since": nil,
		"flags": 0, "pending": false, "communication_disabled_until": nil,
	}
	if u == g.srv.bot {
		o["joined_at"] = isoTime(SnowflakeTime(g.id))
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
		o["recipients"] = userObjects(c.party)
		return o
	}
	if c.guild == nil {
		o["recipients"] = []any{c.person.json()}
		return o
	}
	o["name"], o["guild_id"], o["parent_id"] = c.name, c.guild.id, nil
	if c.parent != nil {
		o["parent_id"], o["owner_id"] = c.parent.id, c.srv.bot.id
		o["message_count"], o["member_count"], o["total_message_sent"] = len(c.messages), 1, len(c.messages)
		o["thread_metadata"] = map[string]any{
			"archived": c.archived, "auto_archive_duration": 1440, "locked": false,
			"archive_timestamp": isoTime(SnowflakeTime(c.id)), "create_timestamp": isoTime(SnowflakeTime(c.id)),
		}
		return o
	}
	o["position"], o["topic"], o["nsfw"], o["rate_limit_per_user"] = 0, nil, false, 0
	o["permission_overwrites"] = []any{}
	return o
}

func (g *Guild) json() map[string]any {
	everyone := map[string]any{
		"id": g.id, "name": "@everyone", "permissions": strconv.FormatInt(memberPermissions, 10), "position": 0, "color": 0,
		"hoist": false, "managed": false, "mentionable": false, "flags": 0, "icon": nil, "unicode_emoji": nil,
		"colors": map[string]any{"primary_color": 0, "secondary_color": nil, "tertiary_color": nil},
	}
	return map[string]any{
		"id": g.id, "name": g.name, "icon": nil, "description": nil, "splash": nil, "banner": nil, "owner_id": g.srv.bot.id,
		"preferred_locale": g.locale, "features": []any{}, "roles": []any{everyone}, "emojis": []any{}, "stickers": []any{},
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
		"timestamp": isoTime(m.created), "edited_timestamp": nil, "tts": false, "pinned": false, "flags": m.flags,
		"mention_everyone": m.everyone, "mentions": userObjects(m.mentions), "mention_roles": []any{},
		"embeds": orEmpty(m.embeds), "attachments": orEmpty(m.attached), "components": orEmpty(m.rawComps),
	}
	if !m.edited.IsZero() {
		o["edited_timestamp"] = isoTime(m.edited)
	}
	if ref, ok := m.reference.(map[string]any); ok {
		o["message_reference"] = ref
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
		o["application_id"], o["webhook_id"] = m.srv.appID, m.srv.appID
	}
	return o
}

func userObjects(us []*User) []any {
	out := []any{}
	for _, u := range us {
		out = append(out, u.json())
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

// sortByID sorts by snowflake, which is by age.
func sortByID[T any](list []T, id func(T) string) {
	slices.SortFunc(list, func(a, b T) int {
		x, y := id(a), id(b)
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
}
