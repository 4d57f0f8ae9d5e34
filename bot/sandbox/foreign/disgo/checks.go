package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/disgoorg/disgo/bot"
	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/events"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"
)

// check is a command that asks the bot to try something by itself.
type check struct {
	*events.ApplicationCommandInteractionCreate
	rest    rest.Rest
	guild   snowflake.ID
	channel snowflake.ID
}

func (c *check) send(text string) *discord.Message {
	return try(c.rest.CreateMessage(c.channel, say(text)))
}

// result is what a check has found, or what has stopped it.
func (c *check) result(what string) (text string) {
	defer func() {
		if problem := recover(); problem != nil {
			text = fmt.Sprint("failed: ", problem)
		}
	}()
	return "ok: " + checks[what](c)
}

// checks say what they found.
var checks = map[string]func(*check) string{
	"me": checkMe, "sendable": checkSendable, "members": checkMembers, "search": checkSearch, "history": checkHistory,
	"reactions": checkReactions, "pins": checkPins, "bulk": checkBulk, "channels": checkChannels, "threads": checkThreads,
	"roles": checkRoles, "nick": checkNick, "bans": checkBans, "webhook": checkWebhook, "emojis": checkEmojis, "guilds": checkGuilds, "start": checkStart,
	"poll": checkPoll, "forward": checkForward, "unserved": checkUnserved, "events": checkEvents,
}

func joined[T any](list []T, name func(T) string) string {
	var names []string
	for _, x := range list {
		names = append(names, name(x))
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

func checkMe(c *check) string {
	caches := c.Client().Caches
	ch, _ := caches.Channel(c.channel)
	guild, _ := caches.Guild(c.guild)
	self, ok := caches.SelfMember(c.guild)
	if !ok {
		panic("no member of my own")
	}
	them := try(c.rest.GetMember(c.guild, c.User().ID))
	roles := []string{"@everyone"}
	for _, r := range caches.MemberRoles(self) {
		roles = append(roles, r.Name)
	}
	return fmt.Sprintf("send=%t manage=%t owner=%t roles=%s",
		caches.MemberPermissionsInChannel(ch, self).Has(discord.PermissionSendMessages),
		caches.MemberPermissionsInChannel(ch, *them).Has(discord.PermissionManageMessages),
		guild.OwnerID == c.Client().ID(), joined(slices.Compact(roles), func(s string) string { return s }))
}

func checkSendable(c *check) string {
	caches := c.Client().Caches
	self, _ := caches.SelfMember(c.guild)
	var able []discord.GuildChannel
	for ch := range caches.ChannelsForGuild(c.guild) {
		if ch.Type() == discord.ChannelTypeGuildText && caches.MemberPermissionsInChannel(ch, self).Has(discord.PermissionSendMessages) {
			able = append(able, ch)
		}
	}
	return joined(able, discord.GuildChannel.Name)
}

func checkMembers(c *check) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return joined(try(c.Client().MemberChunkingManager.RequestAllMembers(ctx, c.guild)), discord.Member.EffectiveName)
}

func checkSearch(c *check) string {
	return joined(try(c.rest.SearchMembers(c.guild, "a", 5)), discord.Member.EffectiveName)
}

func checkHistory(c *check) string {
	var all []string
	page := c.rest.GetMessagesPage(c.channel, c.ID(), 3)
	for page.Previous() {
		for _, m := range page.Items {
			if !m.Author.Bot {
				all = append(all, m.Content)
			}
		}
	}
	if !errors.Is(page.Err, rest.ErrNoMorePages) {
		must(page.Err)
	}
	first := try(c.rest.GetMessages(c.channel, 0, 0, 1, 1))
	middle := try(c.rest.GetMessages(c.channel, 0, 0, first[0].ID, 2))
	slices.Reverse(all)
	return fmt.Sprintf("%s %d", strings.Join(all, ","), len(middle))
}

func checkReactions(c *check) string {
	m := c.send("React!")
	must(c.rest.AddReaction(c.channel, m.ID, "👍"))
	must(c.rest.AddReaction(c.channel, m.ID, "🎲"))
	users := try(c.rest.GetReactions(c.channel, m.ID, "👍", discord.MessageReactionTypeNormal, 0, 10))
	must(c.rest.RemoveOwnReaction(c.channel, m.ID, "🎲"))
	m = try(c.rest.GetMessage(c.channel, m.ID))
	must(c.rest.RemoveAllReactionsForEmoji(c.channel, m.ID, "👍"))
	must(c.rest.AddReaction(c.channel, m.ID, "🎲"))
	must(c.rest.RemoveAllReactions(c.channel, m.ID))
	return joined(users, func(u discord.User) string { return u.Username }) + " " +
		joined(m.Reactions, func(r discord.MessageReaction) string { return fmt.Sprint(r.Emoji.Name, r.Count) })
}

func checkPins(c *check) string {
	m := c.send("Pin!")
	must(c.rest.PinMessage(c.channel, m.ID))
	pins := try(c.rest.GetChannelPins(c.channel, time.Time{}, 10))
	must(c.rest.UnpinMessage(c.channel, m.ID))
	after := try(c.rest.GetChannelPins(c.channel, time.Time{}, 10))
	return fmt.Sprintf("%s %d", joined(pins.Items, func(p discord.MessagePin) string { return p.Message.Content }), len(after.Items))
}

func checkBulk(c *check) string {
	ids := []snowflake.ID{c.send("one").ID, c.send("two").ID, c.send("three").ID}
	must(c.rest.BulkDeleteMessages(c.channel, ids))
	return fmt.Sprint(len(ids))
}

func checkChannels(c *check) string {
	made := try(c.rest.CreateGuildChannel(c.guild, discord.GuildTextChannelCreate{Name: "made", Topic: "first"}))
	none := discord.PermissionSendMessages
	changed := try(c.rest.UpdateChannel(made.ID(), discord.GuildTextChannelUpdate{Topic: new("second")}))
	must(c.rest.UpdatePermissionOverwrite(made.ID(), c.guild, discord.RolePermissionOverwriteUpdate{Deny: &none}))
	fetched := try(c.rest.GetChannel(made.ID()))
	everyone, _ := fetched.(discord.GuildTextChannel).PermissionOverwrites().Role(c.guild)
	must(c.rest.DeletePermissionOverwrite(made.ID(), c.guild))
	must(c.rest.DeleteChannel(made.ID()))
	return fmt.Sprintf("%s %t", *changed.(discord.GuildTextChannel).Topic(), everyone.Deny.Has(none))
}

func checkThreads(c *check) string {
	m := c.send("Discuss!")
	thread := try(c.rest.CreateThreadFromMessage(c.channel, m.ID, discord.ThreadCreateFromMessage{Name: "talk"}))
	try(c.rest.CreateMessage(thread.ID(), say("In here.")))
	must(c.rest.AddThreadMember(thread.ID(), c.User().ID))
	people := try(c.rest.GetThreadMembers(thread.ID()))
	active := try(c.rest.GetActiveGuildThreads(c.guild))
	try(c.rest.UpdateChannel(thread.ID(), discord.GuildThreadUpdate{Archived: new(true)}))
	archived := try(c.rest.GetPublicArchivedThreads(c.channel, time.Time{}, 10))
	return fmt.Sprintf("%s %d %s", joined(active.Threads, discord.GuildThread.Name), len(people), joined(archived.Threads, discord.GuildThread.Name))
}

func checkRoles(c *check) string {
	user, role := c.User().ID, try(c.rest.CreateRole(c.guild, discord.RoleCreate{Name: "Winner"}))
	try(c.rest.UpdateRole(c.guild, role.ID, discord.RoleUpdate{Name: new("Champion")}))
	must(c.rest.AddMemberRole(c.guild, user, role.ID))
	with := try(c.rest.GetMember(c.guild, user))
	must(c.rest.RemoveMemberRole(c.guild, user, role.ID))
	must(c.rest.DeleteRole(c.guild, role.ID))
	without := try(c.rest.GetMember(c.guild, user))
	return fmt.Sprintf("%t %d", slices.Contains(with.RoleIDs, role.ID), len(without.RoleIDs)+1)
}

func checkNick(c *check) string {
	changed := try(c.rest.UpdateMember(c.guild, c.User().ID, discord.MemberUpdate{Nick: new("Champ")}))
	try(c.rest.UpdateMember(c.guild, c.User().ID, discord.MemberUpdate{Nick: new("")}))
	return changed.EffectiveName()
}

func checkBans(c *check) string {
	victims := try(c.rest.SearchMembers(c.guild, "Mallory", 1))
	if len(victims) == 0 {
		return "nobody"
	}
	id := victims[0].User.ID
	must(c.rest.AddBan(c.guild, id, 0))
	banned := try(c.rest.GetBans(c.guild, 0, 0, 10))
	must(c.rest.DeleteBan(c.guild, id))
	after := try(c.rest.GetBans(c.guild, 0, 0, 10))
	return fmt.Sprintf("%s %d", joined(banned, func(b discord.Ban) string { return b.User.EffectiveName() }), len(after))
}

func checkWebhook(c *check) string {
	hook := try(c.rest.CreateWebhook(c.channel, discord.WebhookCreate{Name: "Echo"}))
	first := discord.WebhookMessageCreate{Content: "From elsewhere.", Username: "Somebody"}
	m := try(c.rest.CreateWebhookMessage(hook.ID(), hook.Token, first, rest.CreateWebhookMessageParams{Wait: true}))
	edited := discord.WebhookMessageUpdate{Content: new("From elsewhere, edited.")}
	try(c.rest.UpdateWebhookMessage(hook.ID(), hook.Token, m.ID, edited, rest.UpdateWebhookMessageParams{}))
	hooks := try(c.rest.GetWebhooks(c.channel))
	must(c.rest.DeleteWebhook(hook.ID()))
	return fmt.Sprintf("%s %d", m.Author.Username, len(hooks))
}

// pixel is a picture of one point.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func checkEmojis(c *check) string {
	app, picture := c.ApplicationID(), discord.NewIconRaw(discord.IconTypePNG, try(base64.StdEncoding.DecodeString(pixel)))
	emoji := try(c.rest.CreateApplicationEmoji(app, discord.EmojiCreate{Name: "dot", Image: *picture}))
	try(c.rest.UpdateApplicationEmoji(app, emoji.ID, discord.EmojiUpdate{Name: new("point")}))
	list := try(c.rest.GetApplicationEmojis(app))
	must(c.rest.DeleteApplicationEmoji(app, emoji.ID))
	return joined(list, func(e discord.Emoji) string { return e.Name })
}

func checkGuilds(c *check) string {
	return joined(try(c.rest.GetCurrentUserGuilds("", 0, 0, 10, false)), func(g discord.OAuth2Guild) string { return g.Name })
}

func checkStart(c *check) string {
	entitlements := try(c.rest.GetEntitlements(c.ApplicationID(), rest.GetEntitlementsParams{}))
	planned := try(c.rest.GetGuildScheduledEvents(c.guild, false))
	return fmt.Sprintf("%d %d", len(entitlements), len(planned))
}

func refused(err error) string {
	if e, ok := errors.AsType[*rest.Error](err); ok && e.Response != nil {
		return fmt.Sprintf("refused %d", e.Response.StatusCode)
	}
	must(err)
	return "sent"
}

func checkPoll(c *check) string {
	_, err := c.rest.CreateMessage(c.channel, discord.NewMessageCreate().WithPoll(discord.PollCreate{
		Question: discord.PollMedia{Text: new("Which?")}, Duration: 1, LayoutType: discord.PollLayoutTypeDefault,
		Answers: []discord.PollMedia{{Text: new("One")}},
	}))
	return refused(err)
}

func checkForward(c *check) string {
	m := c.send("Forward me.")
	_, err := c.rest.CreateMessage(c.channel, discord.NewMessageCreate().WithMessageReference(&discord.MessageReference{
		Type: discord.MessageReferenceTypeForward, MessageID: &m.ID, ChannelID: &c.channel,
	}))
	return refused(err)
}

func checkUnserved(c *check) string {
	_, err := c.rest.GetAuditLog(c.guild, 0, 0, 0, 0, 1)
	if e, ok := errors.AsType[*rest.Error](err); ok && e.Response.StatusCode == http.StatusBadRequest {
		return fmt.Sprintf("400 %s", e.Message)
	}
	must(err)
	return "served"
}

// eventNames are what the library makes of events, by their names on the wire.
var eventNames = map[string]string{
	"GuildChannelCreate": "CHANNEL_CREATE", "GuildChannelUpdate": "CHANNEL_UPDATE", "GuildChannelDelete": "CHANNEL_DELETE",
	"GuildChannelPinsUpdate": "CHANNEL_PINS_UPDATE", "GuildReady": "GUILD_CREATE", "GuildJoin": "GUILD_CREATE", "GuildUpdate": "GUILD_UPDATE",
	"GuildLeave": "GUILD_DELETE", "GuildBan": "GUILD_BAN_ADD", "GuildUnban": "GUILD_BAN_REMOVE", "EmojisUpdate": "GUILD_EMOJIS_UPDATE",
	"GuildMemberJoin": "GUILD_MEMBER_ADD", "GuildMemberLeave": "GUILD_MEMBER_REMOVE", "GuildMemberUpdate": "GUILD_MEMBER_UPDATE",
	"RoleCreate": "GUILD_ROLE_CREATE", "RoleUpdate": "GUILD_ROLE_UPDATE", "RoleDelete": "GUILD_ROLE_DELETE",
	"InteractionCreate": "INTERACTION_CREATE", "MessageCreate": "MESSAGE_CREATE", "MessageUpdate": "MESSAGE_UPDATE", "MessageDelete": "MESSAGE_DELETE",
	"MessageReactionAdd": "MESSAGE_REACTION_ADD", "MessageReactionRemove": "MESSAGE_REACTION_REMOVE",
	"MessageReactionRemoveAll": "MESSAGE_REACTION_REMOVE_ALL", "MessageReactionRemoveEmoji": "MESSAGE_REACTION_REMOVE_EMOJI",
	"ThreadCreate": "THREAD_CREATE", "ThreadUpdate": "THREAD_UPDATE", "ThreadDelete": "THREAD_DELETE", "ThreadMemberAdd": "THREAD_MEMBERS_UPDATE",
	"WebhooksUpdate": "WEBHOOKS_UPDATE", "Ready": "READY", "Resumed": "RESUMED", "UserUpdate": "USER_UPDATE", "UserTypingStart": "TYPING_START",
}

var seen sync.Map

func note(e bot.Event) {
	if wire, ok := eventNames[strings.TrimPrefix(fmt.Sprintf("%T", e), "*events.")]; ok {
		seen.Store(wire, true)
	}
}

func checkEvents(*check) string {
	var all []string
	seen.Range(func(k, _ any) bool {
		all = append(all, k.(string))
		return true
	})
	slices.Sort(all)
	return strings.Join(all, " ")
}
