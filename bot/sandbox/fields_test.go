package sandbox_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
)

// The fields of objects that are in many events (Discord's documentation, pages User, Guild,
// Channel, Message, Permissions and Emoji).
const (
	userFields    = "id username discriminator global_name avatar"
	channelFields = "id type guild_id name position permission_overwrites parent_id topic nsfw rate_limit_per_user last_message_id flags"
	threadFields  = "id type guild_id name parent_id owner_id last_message_id message_count member_count rate_limit_per_user total_message_sent flags " +
		"thread_metadata.archived thread_metadata.auto_archive_duration thread_metadata.archive_timestamp thread_metadata.locked thread_metadata.create_timestamp"
	guildFields = "id name icon splash discovery_splash owner_id afk_channel_id afk_timeout verification_level default_message_notifications " +
		"explicit_content_filter roles emojis features mfa_level application_id system_channel_id system_channel_flags rules_channel_id " +
		"vanity_url_code description banner premium_tier preferred_locale public_updates_channel_id nsfw_level premium_progress_bar_enabled " +
		"safety_alerts_channel_id incidents_data stickers"
	memberFields   = "roles joined_at deaf mute flags nick avatar banner pending premium_since communication_disabled_until"
	roleFields     = "id name color colors.primary_color colors.secondary_color colors.tertiary_color hoist icon unicode_emoji position permissions managed mentionable flags"
	messageFields  = "id channel_id content timestamp edited_timestamp tts mention_everyone mentions mention_roles attachments embeds pinned type flags components"
	reactionFields = "user_id channel_id message_id emoji.id emoji.name burst type"
)

// under puts every field below a key.
func under(key, fields string) string {
	return " " + key + "." + strings.Join(strings.Fields(fields), " "+key+".")
}

// eventFields are the fields that every event has, by Discord's page Gateway Events. Of lists
// every element has them, behind "[]".
var eventFields = map[string]string{
	"CHANNEL_CREATE":      channelFields,
	"CHANNEL_DELETE":      channelFields,
	"CHANNEL_PINS_UPDATE": "channel_id guild_id last_pin_timestamp",
	"CHANNEL_UPDATE":      channelFields,
	"GUILD_BAN_ADD":       "guild_id" + under("user", userFields),
	"GUILD_BAN_REMOVE":    "guild_id" + under("user", userFields),
	"GUILD_CREATE": guildFields + " joined_at large unavailable member_count voice_states presences stage_instances guild_scheduled_events soundboard_sounds" +
		under("members[]", memberFields) + under("members[].user", userFields) + under("channels[]", strings.Replace(channelFields, "guild_id ", "", 1)) +
		under("threads[]", threadFields) + under("roles[]", roleFields),
	"GUILD_DELETE":                  "id",
	"GUILD_MEMBERS_CHUNK":           "guild_id chunk_index chunk_count" + under("members[]", memberFields) + under("members[].user", userFields),
	"GUILD_MEMBER_ADD":              "guild_id " + memberFields + under("user", userFields),
	"GUILD_MEMBER_REMOVE":           "guild_id" + under("user", userFields),
	"GUILD_MEMBER_UPDATE":           "guild_id " + memberFields + under("user", userFields),
	"GUILD_ROLE_CREATE":             "guild_id" + under("role", roleFields),
	"GUILD_ROLE_DELETE":             "guild_id role_id",
	"GUILD_ROLE_UPDATE":             "guild_id" + under("role", roleFields),
	"GUILD_UPDATE":                  guildFields + under("roles[]", roleFields),
	"INTERACTION_CREATE":            "id application_id type data channel channel_id token version app_permissions locale entitlements authorizing_integration_owners context attachment_size_limit",
	"MESSAGE_CREATE":                messageFields + under("author", userFields) + under("mentions[]", userFields),
	"MESSAGE_DELETE":                "id channel_id guild_id",
	"MESSAGE_DELETE_BULK":           "ids channel_id guild_id",
	"MESSAGE_REACTION_ADD":          reactionFields,
	"MESSAGE_REACTION_REMOVE":       reactionFields,
	"MESSAGE_REACTION_REMOVE_ALL":   "channel_id message_id guild_id",
	"MESSAGE_REACTION_REMOVE_EMOJI": "channel_id message_id guild_id emoji.id emoji.name",
	"MESSAGE_UPDATE":                messageFields + under("author", userFields) + under("mentions[]", userFields),
	"READY": "v session_id resume_gateway_url application.id application.flags guilds[].id guilds[].unavailable" +
		under("user", userFields+" bot mfa_enabled verified email flags"),
	"RESUMED":               "",
	"THREAD_CREATE":         threadFields + " newly_created",
	"THREAD_DELETE":         "id guild_id parent_id type",
	"THREAD_MEMBERS_UPDATE": "id guild_id member_count",
	"THREAD_UPDATE":         threadFields,
	"TYPING_START":          "channel_id user_id timestamp",
	"USER_UPDATE":           userFields + " bot mfa_enabled verified email flags",
	"WEBHOOKS_UPDATE":       "guild_id channel_id",
}

// missing lists the fields that an object does not have.
func missing(o any, fields string) (out []string) {
	for path := range strings.FieldsSeq(fields) {
		if !has(o, path) {
			out = append(out, path)
		}
	}
	return out
}

// has reports whether an object has what is at a path; below null nothing is missed.
func has(v any, path string) bool {
	key, rest, deeper := strings.Cut(path, ".")
	key, list := strings.CutSuffix(key, "[]")
	o, ok := v.(obj)
	if !ok {
		return v == nil
	}
	child, ok := o[key]
	if !ok || !deeper {
		return ok
	}
	if !list {
		return has(child, rest)
	}
	for _, one := range child.(arr) {
		if !has(one, rest) {
			return false
		}
	}
	return true
}

// checkEvent holds an event against the list of its fields.
func checkEvent(name string, data json.RawMessage) error {
	fields, ok := eventFields[name]
	if !ok {
		return fmt.Errorf("%s is not in the list", name)
	}
	var o any
	if err := json.Unmarshal(data, &o); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if gone := missing(o, fields); gone != nil {
		return fmt.Errorf("%s lacks %q", name, gone)
	}
	return nil
}

// TestEventFieldsAreKnown: the list has all events that are sent, and its check finds a field
// that is not there.
func TestEventFieldsAreKnown(t *testing.T) {
	for _, name := range sandbox.Events() {
		if _, ok := eventFields[name]; !ok {
			t.Errorf("%s is not in the list", name)
		}
	}
	if err := checkEvent("GUILD_BAN_ADD", json.RawMessage(`{"guild_id":"1","user":{"id":"1"}}`)); err == nil {
		t.Error("a user without a name is taken")
	}
	if err := checkEvent("READY", json.RawMessage(`{"guilds":[{}]}`)); err == nil {
		t.Error("a guild without an id is taken")
	}
}
