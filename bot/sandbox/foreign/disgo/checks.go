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
	m, err := c.rest.CreateMessage(c.channel, say(text))
	if err != nil {
		panic(err)
	}
	return m
}

// checks say what they found.
var checks = map[string]func(*check) (string, error){
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

func checkMe(c *check) (string, error) {
	caches := c.Client().Caches
	ch, _ := caches.Channel(c.channel)
	guild, _ := caches.Guild(c.guild)
	self, ok := caches.SelfMember(c.guild)
	if !ok {
		return "", errors.New("no member of my own")
	}
	them, err := c.rest.GetMember(c.guild, c.User().ID)
	if err != nil {
		return "", err
	}
	roles := []string{"@everyone"}
	for _, r := range caches.MemberRoles(self) {
		roles = append(roles, r.Name)
	}
	return fmt.Sprintf("send=%t manage=%t owner=%t roles=%s",
		caches.MemberPermissionsInChannel(ch, self).Has(discord.PermissionSendMessages),
		caches.MemberPermissionsInChannel(ch, *them).Has(discord.PermissionManageMessages),
		guild.OwnerID == c.Client().ID(), joined(slices.Compact(roles), func(s string) string { return s })), nil
}

func checkSendable(c *check) (string, error) {
	caches := c.Client().Caches
	self, _ := caches.SelfMember(c.guild)
	var able []discord.GuildChannel
	for ch := range caches.ChannelsForGuild(c.guild) {
		if ch.Type() == discord.ChannelTypeGuildText && caches.MemberPermissionsInChannel(ch, self).Has(discord.PermissionSendMessages) {
			able = append(able, ch)
		}
	}
	return joined(able, discord.GuildChannel.Name), nil
}

func checkMembers(c *check) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	list, err := c.Client().MemberChunkingManager.RequestAllMembers(ctx, c.guild)
	return joined(list, discord.Member.EffectiveName), err
}

func checkSearch(c *check) (string, error) {
	list, err := c.rest.SearchMembers(c.guild, "a", 5)
	return joined(list, discord.Member.EffectiveName), err
}

func checkHistory(c *check) (string, error) {
	var all []string
	page := c.rest.GetMessagesPage(c.channel, c.ID(), 3)
	for page.Previous() {
		for _, m := range page.Items {
			if !m.Author.Bot {
				all = append(all, m.Content)
			}
		}
	}
	if page.Err != nil && !errors.Is(page.Err, rest.ErrNoMorePages) {
		return "", page.Err
	}
	first, err := c.rest.GetMessages(c.channel, 0, 0, 1, 1)
	if err != nil {
		return "", err
	}
	middle, err := c.rest.GetMessages(c.channel, 0, 0, first[0].ID, 2)
	slices.Reverse(all)
	return fmt.Sprintf("%s %d", strings.Join(all, ","), len(middle)), err
}

func checkReactions(c *check) (string, error) {
	m := c.send("React!")
	err := errors.Join(c.rest.AddReaction(c.channel, m.ID, "👍"), c.rest.AddReaction(c.channel, m.ID, "🎲"))
	if err != nil {
		return "", err
	}
	users, err := c.rest.GetReactions(c.channel, m.ID, "👍", discord.MessageReactionTypeNormal, 0, 10)
	if err != nil {
		return "", err
	}
	if err = c.rest.RemoveOwnReaction(c.channel, m.ID, "🎲"); err != nil {
		return "", err
	}
	m, err = c.rest.GetMessage(c.channel, m.ID)
	if err != nil {
		return "", err
	}
	err = errors.Join(c.rest.RemoveAllReactionsForEmoji(c.channel, m.ID, "👍"), c.rest.AddReaction(c.channel, m.ID, "🎲"), c.rest.RemoveAllReactions(c.channel, m.ID))
	if err != nil {
		return "", err
	}
	return joined(users, func(u discord.User) string { return u.Username }) + " " +
		joined(m.Reactions, func(r discord.MessageReaction) string { return fmt.Sprint(r.Emoji.Name, r.Count) }), nil
}

func checkPins(c *check) (string, error) {
	m := c.send("Pin!")
	if err := c.rest.PinMessage(c.channel, m.ID); err != nil {
		return "", err
	}
	pins, err := c.rest.GetChannelPins(c.channel, time.Time{}, 10)
	if err != nil {
		return "", err
	}
	if err := c.rest.UnpinMessage(c.channel, m.ID); err != nil {
		return "", err
	}
	after, err := c.rest.GetChannelPins(c.channel, time.Time{}, 10)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %d", joined(pins.Items, func(p discord.MessagePin) string { return p.Message.Content }), len(after.Items)), nil
}

func checkBulk(c *check) (string, error) {
	ids := []snowflake.ID{c.send("one").ID, c.send("two").ID, c.send("three").ID}
	return fmt.Sprint(len(ids)), c.rest.BulkDeleteMessages(c.channel, ids)
}

func checkChannels(c *check) (string, error) {
	made, err := c.rest.CreateGuildChannel(c.guild, discord.GuildTextChannelCreate{Name: "made", Topic: "first"})
	if err != nil {
		return "", err
	}
	topic, none := "second", discord.PermissionSendMessages
	changed, err := c.rest.UpdateChannel(made.ID(), discord.GuildTextChannelUpdate{Topic: &topic})
	if err != nil {
		return "", err
	}
	if err = c.rest.UpdatePermissionOverwrite(made.ID(), c.guild, discord.RolePermissionOverwriteUpdate{Deny: &none}); err != nil {
		return "", err
	}
	fetched, err := c.rest.GetChannel(made.ID())
	if err != nil {
		return "", err
	}
	everyone, _ := fetched.(discord.GuildTextChannel).PermissionOverwrites().Role(c.guild)
	err = errors.Join(c.rest.DeletePermissionOverwrite(made.ID(), c.guild), c.rest.DeleteChannel(made.ID()))
	return fmt.Sprintf("%s %t", *changed.(discord.GuildTextChannel).Topic(), everyone.Deny.Has(none)), err
}

func checkThreads(c *check) (string, error) {
	m := c.send("Discuss!")
	thread, err := c.rest.CreateThreadFromMessage(c.channel, m.ID, discord.ThreadCreateFromMessage{Name: "talk"})
	if err != nil {
		return "", err
	}
	if _, err = c.rest.CreateMessage(thread.ID(), say("In here.")); err != nil {
		return "", err
	}
	if err = c.rest.AddThreadMember(thread.ID(), c.User().ID); err != nil {
		return "", err
	}
	people, err := c.rest.GetThreadMembers(thread.ID())
	if err != nil {
		return "", err
	}
	active, err := c.rest.GetActiveGuildThreads(c.guild)
	if err != nil {
		return "", err
	}
	yes := true
	if _, err = c.rest.UpdateChannel(thread.ID(), discord.GuildThreadUpdate{Archived: &yes}); err != nil {
		return "", err
	}
	archived, err := c.rest.GetPublicArchivedThreads(c.channel, time.Time{}, 10)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %d %s", joined(active.Threads, discord.GuildThread.Name), len(people), joined(archived.Threads, discord.GuildThread.Name)), nil
}

func checkRoles(c *check) (string, error) {
	role, err := c.rest.CreateRole(c.guild, discord.RoleCreate{Name: "Winner"})
	if err != nil {
		return "", err
	}
	name, user := "Champion", c.User().ID
	if _, err = c.rest.UpdateRole(c.guild, role.ID, discord.RoleUpdate{Name: &name}); err != nil {
		return "", err
	}
	if err = c.rest.AddMemberRole(c.guild, user, role.ID); err != nil {
		return "", err
	}
	with, err := c.rest.GetMember(c.guild, user)
	if err != nil {
		return "", err
	}
	if err = errors.Join(c.rest.RemoveMemberRole(c.guild, user, role.ID), c.rest.DeleteRole(c.guild, role.ID)); err != nil {
		return "", err
	}
	without, err := c.rest.GetMember(c.guild, user)
	return fmt.Sprintf("%t %d", slices.Contains(with.RoleIDs, role.ID), len(without.RoleIDs)+1), err
}

func checkNick(c *check) (string, error) {
	nick, none := "Champ", ""
	changed, err := c.rest.UpdateMember(c.guild, c.User().ID, discord.MemberUpdate{Nick: &nick})
	if err != nil {
		return "", err
	}
	_, err = c.rest.UpdateMember(c.guild, c.User().ID, discord.MemberUpdate{Nick: &none})
	return changed.EffectiveName(), err
}

func checkBans(c *check) (string, error) {
	victims, err := c.rest.SearchMembers(c.guild, "Mallory", 1)
	if err != nil || len(victims) == 0 {
		return "nobody", err
	}
	id := victims[0].User.ID
	if err = c.rest.AddBan(c.guild, id, 0); err != nil {
		return "", err
	}
	banned, err := c.rest.GetBans(c.guild, 0, 0, 10)
	if err != nil {
		return "", err
	}
	if err = c.rest.DeleteBan(c.guild, id); err != nil {
		return "", err
	}
	after, err := c.rest.GetBans(c.guild, 0, 0, 10)
	return fmt.Sprintf("%s %d", joined(banned, func(b discord.Ban) string { return b.User.EffectiveName() }), len(after)), err
}

func checkWebhook(c *check) (string, error) {
	hook, err := c.rest.CreateWebhook(c.channel, discord.WebhookCreate{Name: "Echo"})
	if err != nil {
		return "", err
	}
	m, err := c.rest.CreateWebhookMessage(hook.ID(), hook.Token, discord.WebhookMessageCreate{Content: "From elsewhere.", Username: "Somebody"},
		rest.CreateWebhookMessageParams{Wait: true})
	if err != nil {
		return "", err
	}
	text := "From elsewhere, edited."
	if _, err = c.rest.UpdateWebhookMessage(hook.ID(), hook.Token, m.ID, discord.WebhookMessageUpdate{Content: &text}, rest.UpdateWebhookMessageParams{}); err != nil {
		return "", err
	}
	hooks, err := c.rest.GetWebhooks(c.channel)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %d", m.Author.Username, len(hooks)), c.rest.DeleteWebhook(hook.ID())
}

// pixel is a picture of one point.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func checkEmojis(c *check) (string, error) {
	app := c.ApplicationID()
	picture, err := base64.StdEncoding.DecodeString(pixel)
	if err != nil {
		return "", err
	}
	emoji, err := c.rest.CreateApplicationEmoji(app, discord.EmojiCreate{Name: "dot", Image: *discord.NewIconRaw(discord.IconTypePNG, picture)})
	if err != nil {
		return "", err
	}
	name := "point"
	if _, err = c.rest.UpdateApplicationEmoji(app, emoji.ID, discord.EmojiUpdate{Name: &name}); err != nil {
		return "", err
	}
	list, err := c.rest.GetApplicationEmojis(app)
	if err != nil {
		return "", err
	}
	return joined(list, func(e discord.Emoji) string { return e.Name }), c.rest.DeleteApplicationEmoji(app, emoji.ID)
}

func checkGuilds(c *check) (string, error) {
	list, err := c.rest.GetCurrentUserGuilds("", 0, 0, 10, false)
	return joined(list, func(g discord.OAuth2Guild) string { return g.Name }), err
}

func checkStart(c *check) (string, error) {
	entitlements, err := c.rest.GetEntitlements(c.ApplicationID(), rest.GetEntitlementsParams{})
	if err != nil {
		return "", err
	}
	planned, err := c.rest.GetGuildScheduledEvents(c.guild, false)
	return fmt.Sprintf("%d %d", len(entitlements), len(planned)), err
}

func refused(err error) (string, error) {
	var e *rest.Error
	if errors.As(err, &e) && e.Response != nil {
		return fmt.Sprintf("refused %d", e.Response.StatusCode), nil
	}
	return "sent", err
}

func checkPoll(c *check) (string, error) {
	one := "One"
	_, err := c.rest.CreateMessage(c.channel, discord.NewMessageCreate().WithPoll(discord.PollCreate{
		Question: discord.PollMedia{Text: new("Which?")}, Duration: 1, LayoutType: discord.PollLayoutTypeDefault,
		Answers: []discord.PollMedia{{Text: &one}},
	}))
	return refused(err)
}

func checkForward(c *check) (string, error) {
	m := c.send("Forward me.")
	_, err := c.rest.CreateMessage(c.channel, discord.NewMessageCreate().WithMessageReference(&discord.MessageReference{
		Type: discord.MessageReferenceTypeForward, MessageID: &m.ID, ChannelID: &c.channel,
	}))
	return refused(err)
}

func checkUnserved(c *check) (string, error) {
	_, err := c.rest.GetAuditLog(c.guild, 0, 0, 0, 0, 1)
	var e *rest.Error
	if errors.As(err, &e) && e.Response.StatusCode == http.StatusBadRequest {
		return fmt.Sprintf("400 %s", e.Message), nil
	}
	return "served", err
}

// names are what the library makes of events, by their names on the wire.
var names = map[string]string{
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
	if wire, ok := names[strings.TrimPrefix(fmt.Sprintf("%T", e), "*events.")]; ok {
		seen.Store(wire, true)
	}
}

func checkEvents(*check) (string, error) {
	var all []string
	seen.Range(func(k, _ any) bool {
		all = append(all, k.(string))
		return true
	})
	slices.Sort(all)
	return strings.Join(all, " "), nil
}
