package sandbox

import (
	"regexp"
	"slices"
	"strings"
)

var (
	codeSpan    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	userMention = regexp.MustCompile(`<@!?(\d{1,20})>`)
)

// writeMentions decides whom the message mentions after a write, as Discord
// does: from its text and allowed_mentions alone. Without allowed_mentions
// byToken applies the default of interactions and webhooks, people only, which
// every edit falls back to as well; else that of channel messages, everything.
func (m *Message) writeMentions(a *allowedMentions, byToken bool) {
	if a == nil {
		a = &allowedMentions{allUsers: true, everyone: !byToken, allRoles: !byToken}
	}
	text := codeSpan.ReplaceAllString(textOf(m.content, m.components), "")
	m.mentions, m.unknown, m.everyone = nil, nil, false
	for _, match := range userMention.FindAllStringSubmatch(text, -1) {
		u := m.srv.users[match[1]]
		allowed := a.allUsers || a.users[match[1]]
		switch {
		case u != nil && allowed:
			if !slices.Contains(m.mentions, u) {
				m.mentions = append(m.mentions, u)
			}
		case !slices.Contains(m.unknown, match[1]):
			m.unknown = append(m.unknown, match[1])
		}
	}
	if strings.Contains(text, "@everyone") || strings.Contains(text, "@here") {
		m.everyone = a.everyone && m.channel.permissionsOf(m.author)&PermissionMentionEveryone != 0
	}
}

// ping notes whom the creation of the message notifies.
func (m *Message) ping(a *allowedMentions) {
	if m.flags&(FlagSuppressNotifications|FlagEphemeral) != 0 {
		return
	}
	notify := func(u *User) {
		if u != m.author && !u.isBot && m.channel.visibleTo(u) && !slices.Contains(m.pinged, u) {
			m.pinged = append(m.pinged, u)
		}
	}
	for _, u := range m.mentions {
		notify(u)
	}
	if m.everyone && m.channel.guild != nil {
		for _, u := range m.channel.guild.members {
			notify(u)
		}
	}
	if ref, ok := m.reference.(map[string]any); ok && (a == nil || a.repliedUser) {
		id, _ := ref["message_id"].(string)
		if to := m.srv.messages[id]; to != nil {
			notify(to.author)
		}
	}
	if m.channel.guild == nil && m.channel.person != nil {
		notify(m.channel.person)
	}
}
