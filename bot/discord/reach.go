package discord

import (
	"bytes"
	"encoding/json"
)

// The ways to install an application are also the keys of who has authorised it (Discord's
// documentation, Authorizing Integration Owners Object).
const (
	ownerGuild  = "0"
	ownerPerson = "1"
)

// readReach finds out whether the application's bot is absent. A Discord that says nothing
// of it is one that knows no other way.
func (w wireInteraction) readReach(in *Interaction) {
	var owners map[string]json.RawMessage
	_ = json.Unmarshal(w.Owners, &owners)
	owner, byGuild := owners[ownerGuild]
	in.Installed = in.Guild != "" && string(bytes.Trim(owner, `"`)) == in.Guild
	_, byPerson := owners[ownerPerson]
	brought := byPerson && !byGuild
	in.Brought = in.Guild != "" && brought
	var context *int
	_ = json.Unmarshal(w.Context, &context)
	switch {
	case in.Guild != "":
		in.BotAbsent = brought || in.appOfNoMember()
	case context != nil:
		in.BotAbsent = *context == ContextPrivate
	default:
		in.BotAbsent = in.BotAbsent || brought
	}
	if in.BotAbsent {
		in.TextChannel = false // in which it could begin a thread
	}
}

// appOfNoMember reports whether the application's permissions are those that Discord gives where
// its bot is no member: to attach files and some more, and neither to view the channel nor to
// read its history. A member that may not view a channel has what else its roles give, or nothing.
func (in *Interaction) appOfNoMember() bool {
	return in.AppMay(permissionAttachFiles) && in.App&(PermissionViewChannel|permissionReadHistory|permissionAdministrator) == 0
}

// CommandsOnly reports whether the guild has installed the application's commands and not its bot.
func (in *Interaction) CommandsOnly() bool { return in.Guild != "" && in.BotAbsent && !in.Brought }

// AloneWithBot reports whether the channel is one of the direct messages of a person with the
// application's bot, where nobody else is.
func (in *Interaction) AloneWithBot() bool { return in.Guild == "" && !in.BotAbsent }

// KeptPrivate reports whether the guild is known to make answers private here: its people may
// not use applications that they have brought along (Discord's documentation, Permissions,
// USE_EXTERNAL_APPS). The answer itself tells for certain.
func (in *Interaction) KeptPrivate() bool {
	return in.Brought && in.Permissions != 0 && !in.May(PermissionExternalApps)
}
