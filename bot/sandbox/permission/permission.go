// Package permission computes what a member may do in a channel, from roles and
// overwrites, as Discord's documentation on permissions has it. It knows neither
// guilds nor people: who asks passes their bits.
package permission

import "slices"

// Permission bits, as specified by Discord's documentation.
const (
	KickMembers       int64 = 1 << 1
	BanMembers        int64 = 1 << 2
	Administrator     int64 = 1 << 3
	ManageChannels    int64 = 1 << 4
	ManageGuild       int64 = 1 << 5
	AddReactions      int64 = 1 << 6
	ViewChannel       int64 = 1 << 10
	SendMessages      int64 = 1 << 11
	ManageMessages    int64 = 1 << 13
	EmbedLinks        int64 = 1 << 14
	AttachFiles       int64 = 1 << 15
	ReadHistory       int64 = 1 << 16
	MentionEveryone   int64 = 1 << 17
	UseExternalEmojis int64 = 1 << 18
	ChangeNickname    int64 = 1 << 26
	ManageNicknames   int64 = 1 << 27
	ManageRoles       int64 = 1 << 28
	ManageWebhooks    int64 = 1 << 29
	ManageExpressions int64 = 1 << 30
	UseCommands       int64 = 1 << 31
	ManageThreads     int64 = 1 << 34
	CreateThreads     int64 = 1 << 35
	CreatePrivate     int64 = 1 << 36
	SendInThreads     int64 = 1 << 38
	ModerateMembers   int64 = 1 << 40
	CreateExpressions int64 = 1 << 43
	SendPolls         int64 = 1 << 49
	UseExternalApps   int64 = 1 << 50
	PinMessages       int64 = 1 << 51
)

// All are all bits that Discord has given a meaning.
const All int64 = 1<<53 - 1

// Name is a permission with the name that Discord's clients show.
type Name struct {
	Group string `json:"group"` // the heading that it stands under
	Name  string `json:"name"`
	Bit   int64  `json:"bit,string"`
	// InChannels permissions can be given and denied in a text channel.
	InChannels bool `json:"in_channels,omitempty"`
}

// Names are the permissions as Discord's clients list them. Those of voice channels
// are among them because commands can ask for them.
func Names() []Name {
	return []Name{
		{"General", "View Channels", ViewChannel, true},
		{"General", "Manage Channels", ManageChannels, true},
		{"General", "Manage Roles", ManageRoles, true},
		{"General", "Create Expressions", CreateExpressions, false},
		{"General", "Manage Expressions", ManageExpressions, false},
		{"General", "View Audit Log", 1 << 7, false},
		{"General", "View Server Insights", 1 << 19, false},
		{"General", "Manage Webhooks", ManageWebhooks, true},
		{"General", "Manage Server", ManageGuild, false},
		{"Membership", "Create Invite", 1 << 0, true},
		{"Membership", "Change Nickname", ChangeNickname, false},
		{"Membership", "Manage Nicknames", ManageNicknames, false},
		{"Membership", "Kick Members", KickMembers, false},
		{"Membership", "Ban Members", BanMembers, false},
		{"Membership", "Timeout Members", ModerateMembers, false},
		{"Text channels", "Send Messages", SendMessages, true},
		{"Text channels", "Send Messages in Threads", SendInThreads, true},
		{"Text channels", "Create Public Threads", CreateThreads, true},
		{"Text channels", "Create Private Threads", CreatePrivate, true},
		{"Text channels", "Embed Links", EmbedLinks, true},
		{"Text channels", "Attach Files", AttachFiles, true},
		{"Text channels", "Add Reactions", AddReactions, true},
		{"Text channels", "Use External Emojis", UseExternalEmojis, true},
		{"Text channels", "Use External Stickers", 1 << 37, true},
		{"Text channels", "Mention @everyone, @here and All Roles", MentionEveryone, true},
		{"Text channels", "Manage Messages", ManageMessages, true},
		{"Text channels", "Pin Messages", PinMessages, true},
		{"Text channels", "Bypass Slowmode", 1 << 52, true},
		{"Text channels", "Manage Threads", ManageThreads, true},
		{"Text channels", "Read Message History", ReadHistory, true},
		{"Text channels", "Send Text-to-Speech Messages", 1 << 12, true},
		{"Text channels", "Send Voice Messages", 1 << 46, true},
		{"Text channels", "Create Polls", SendPolls, true},
		{"Voice channels", "Connect", 1 << 20, false},
		{"Voice channels", "Speak", 1 << 21, false},
		{"Voice channels", "Video", 1 << 9, false},
		{"Voice channels", "Use Soundboard", 1 << 42, false},
		{"Voice channels", "Use External Sounds", 1 << 45, false},
		{"Voice channels", "Use Voice Activity", 1 << 25, false},
		{"Voice channels", "Priority Speaker", 1 << 8, false},
		{"Voice channels", "Mute Members", 1 << 22, false},
		{"Voice channels", "Deafen Members", 1 << 23, false},
		{"Voice channels", "Move Members", 1 << 24, false},
		{"Voice channels", "Set Voice Channel Status", 1 << 48, false},
		{"Voice channels", "Request to Speak", 1 << 32, false},
		{"Apps and events", "Use Application Commands", UseCommands, true},
		{"Apps and events", "Use Activities", 1 << 39, true},
		{"Apps and events", "Use External Apps", UseExternalApps, true},
		{"Apps and events", "Create Events", 1 << 44, false},
		{"Apps and events", "Manage Events", 1 << 33, false},
		{"Apps and events", "View Creator Monetization Analytics", 1 << 41, false},
		{"Advanced", "Administrator", Administrator, false},
	}
}

// NamesOf are the names of some bits, as Discord's clients show them.
func NamesOf(bits int64) (names []string) {
	for _, n := range Names() {
		if bits&n.Bit != 0 {
			names = append(names, n.Name)
		}
	}
	return names
}

// Overwrite changes what a role or a member may do in one channel.
type Overwrite struct {
	ID     string `json:"id"`               // a role's or a user's
	Member bool   `json:"member,omitempty"` // it is a user's
	Allow  int64  `json:"allow,omitempty"`
	Deny   int64  `json:"deny,omitempty"`
}

// Member is whose permissions are asked for.
type Member struct {
	ID string
	// Owner may do everything.
	Owner bool
	// Everyone is the id of the role that all have, which is the guild's.
	Everyone string
	// Roles are the ids of the member's other roles.
	Roles []string
	// Base are the bits of all these roles together.
	Base int64
	// TimedOut members can only look.
	TimedOut bool
}

// In is what m may do where these overwrites are in force.
func (m Member) In(overwrites []Overwrite) int64 {
	p := m.Base
	if m.Owner || p&Administrator != 0 {
		return All
	}
	apply := func(o Overwrite) { p = p&^o.Deny | o.Allow }
	var roles Overwrite
	for _, o := range overwrites {
		switch {
		case o.Member:
		case o.ID == m.Everyone:
			apply(o)
		case slices.Contains(m.Roles, o.ID):
			roles.Allow |= o.Allow
			roles.Deny |= o.Deny
		}
	}
	apply(roles)
	for _, o := range overwrites {
		if o.Member && o.ID == m.ID {
			apply(o)
		}
	}
	if m.TimedOut {
		p &= ViewChannel | ReadHistory
	}
	return p
}
