package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/view"
)

// alone are the steps that need nobody. Each leaves evidence for rows.
func (s *session) alone() []func(context.Context) {
	return []func(context.Context){
		s.whoAndWhere, s.boards, s.textToBoard, s.mentions, s.nonces, s.selects, s.limits, s.refusals, s.removed, s.commands, s.thread, s.leaveOne,
	}
}

// whoAndWhere asks who the bot is, where to connect, and what it may do.
func (s *session) whoAndWhere(ctx context.Context) {
	s.call(ctx, "me", "GET", "/users/@me", nil)
	s.ask(ctx, "gateway", func(ctx context.Context) error { return only(s.client.GatewayBot(ctx)) })
	guild := s.ask(ctx, "guild", func(ctx context.Context) error { return s.client.Guild(ctx, s.guild) })
	member := s.ask(ctx, "member", func(ctx context.Context) error { return only(s.client.Member(ctx, s.guild, s.app.ID)) })
	s.may = permissions(guild, member, s.seen["channel"])
}

// permissions computes what a member may do in a channel.
func permissions(guild, member, channel evidence) int64 {
	bits := func(o any, name string) int64 {
		text, _ := get(o, name).(string)
		n, _ := strconv.ParseInt(text, 10, 64)
		return n
	}
	m := permission.Member{ID: member.text("user.id"), Everyone: guild.text("id")}
	for _, id := range member.list("roles") {
		m.Roles = append(m.Roles, fmt.Sprint(id))
	}
	for _, r := range guild.list("roles") {
		if id := get(r, "id"); id == m.Everyone || slices.Contains(m.Roles, fmt.Sprint(id)) {
			m.Base |= bits(r, "permissions")
		}
	}
	var overwrites []permission.Overwrite
	for _, o := range channel.list("permission_overwrites") {
		overwrites = append(overwrites, permission.Overwrite{
			ID: fmt.Sprint(get(o, "id")), Member: get(o, "type") == 1.0, Allow: bits(o, "allow"), Deny: bits(o, "deny"),
		})
	}
	return m.In(overwrites)
}

// boards posts the largest board, reads it, and edits it twice.
func (s *session) boards(ctx context.Context) {
	if id := s.post(ctx, "board.post", s.board(large, 0)); id != "" {
		s.read(ctx, "board.read", id)
		s.edit(ctx, "board.edit", id, s.board(large, 1).Edit())
		s.edit(ctx, "board.again", id, s.board(large, 1).Edit())
	}
}

// textToBoard posts a plain message, as challenges are, and lets it become a board.
func (s *session) textToBoard(ctx context.Context) {
	id := s.post(ctx, "text.post", discord.Message{
		Content: "verify", Quiet: true, Components: []discord.Component{discord.Row(press(discord.StylePrimary, "Accept", "plain"))},
	})
	if id != "" {
		s.edit(ctx, "text.edit", id, s.board(small, 1).Edit())
	}
}

// mentions names the bot itself, which nothing notifies.
func (s *session) mentions(ctx context.Context) {
	named := words("<@" + s.app.ID + ">")
	id := s.post(ctx, "mention.left", named)
	named.People = []string{s.app.ID}
	if id != "" {
		s.edit(ctx, "mention.edit", id, named.Edit())
	}
	unnamed := words("nobody")
	unnamed.People, unnamed.Calls = []string{s.app.ID}, []string{s.app.ID}
	s.post(ctx, "mention.unnamed", unnamed)
}

// nonces repeats a creation, and again once its message is gone.
func (s *session) nonces(ctx context.Context) {
	msg := words("once")
	msg.Nonce = nonce()
	if id := s.postRaw(ctx, "nonce.first", s.channel, msg.Create()); id != "" {
		s.postRaw(ctx, "nonce.second", s.channel, msg.Create())
		if s.remove(ctx, "nonce.delete", id).taken() {
			s.postRaw(ctx, "nonce.third", s.channel, msg.Create())
		}
	}
}

// selects posts the largest list, and lists in every set of marks.
func (s *session) selects(ctx context.Context) {
	s.post(ctx, "list.post", s.board(large, 2, byList))
	for i, set := range markSets {
		s.post(ctx, fmt.Sprintf("marks.%d", i), s.board(small, 2, byList, drawnWith(set)))
	}
}

// limits goes to what the documentation allows, and beyond it.
func (s *session) limits(ctx context.Context) {
	s.post(ctx, "longest", longest(80))
	s.post(ctx, "too-long", longest(81))
	s.post(ctx, "forty", many(40))
	s.post(ctx, "forty-one", many(41))
}

// refusals asks for what Discord refuses, which the bot knows by the codes.
func (s *session) refusals(ctx context.Context) {
	for name, label := range map[string]string{"no-label": "", "space-label": " "} {
		s.post(ctx, name, discord.Message{
			V2: true, Quiet: true, Components: []discord.Component{discord.Row(press(discord.StyleSecondary, label, "blank"))},
		})
	}
	s.postRaw(ctx, "both", s.channel, json.RawMessage(`{"content":"verify",`+string(words("verify").Create()[1:])))
	s.silent["forbidden"] = errors.New("the bot may do it")
	if s.may&permission.ManageChannels == 0 {
		s.call(ctx, "forbidden", "PATCH", channelRoute, map[string]string{"name": s.seen["channel"].text("name")}, s.channel)
	}
	s.ask(ctx, "no-channel", func(ctx context.Context) error { return only(s.client.Channel(ctx, s.app.ID)) }) // which no channel has
	s.editByToken(ctx, "no-token", "verify", "@original", words("verify"))
}

// removed deletes a message, and asks for it afterwards.
func (s *session) removed(ctx context.Context) {
	if id := s.post(ctx, "gone.post", words("gone")); id != "" {
		s.remove(ctx, "gone.delete", id)
		s.remove(ctx, "gone.again", id)
		s.edit(ctx, "gone.edit", id, words("gone").Edit())
	}
}

// definitions are the bot's commands under names of their own.
func definitions() []discord.Command {
	commands := slices.Clone(view.Load().Commands())
	for i, c := range commands {
		commands[i].NameLocalizations = nil // people are told what to press
		if commands[i].Name = commandPrefix + c.Name; c.Type == discord.CommandUser {
			commands[i].Name = personCommand
		}
	}
	return commands
}

const (
	chatCommand   = commandPrefix + view.ChatCommand
	personCommand = commandPrefix + "challenge"
)

// commands registers them in the server, and reads them.
func (s *session) commands(ctx context.Context) {
	s.fail(s.made.add(thing{Kind: theCommands, Guild: s.guild}))
	for i, c := range definitions() {
		s.call(ctx, fmt.Sprintf("commands.%d", i), "POST", commandsRoute, c, s.guild)
	}
	s.ask(ctx, "commands", func(ctx context.Context) error { return only(s.client.Commands(ctx, s.guild)) })
}

// readBack expects the commands that are registered to be those that were written.
func readBack(of ...evidence) (string, bool) {
	var registered, ours []json.RawMessage
	if json.Unmarshal(of[0].raw, &registered) != nil {
		return "no list", false
	}
	for _, raw := range registered {
		var c discord.Command
		if json.Unmarshal(raw, &c) == nil && strings.HasPrefix(c.Name, commandPrefix) {
			ours = append(ours, raw)
		}
	}
	if !discord.SameCommands(ours, definitions(), true) {
		return fmt.Sprintf("%d commands, which differ from what was written", len(ours)), false
	}
	return fmt.Sprintf("%d commands, as they were written", len(ours)), true
}

// thread begins one where it can be deleted again.
func (s *session) thread(ctx context.Context) {
	const need = discord.BeginThreads | permission.ManageThreads
	if s.may&need != need {
		s.silent["thread.begin"] = errors.New("the bot may not begin and delete threads here: lend it Manage Threads in the channel")
		return
	}
	s.beginThread(ctx)
}

// beginThread begins one and posts in it. Its id is empty where Discord took none.
func (s *session) beginThread(ctx context.Context, buttons ...discord.Component) (id, message string) {
	begun := s.ask(ctx, "thread.begin", func(ctx context.Context) error {
		return only(s.client.CreateThread(ctx, s.channel, "verify"))
	})
	if id = begun.text("id"); begun.err != nil || id == "" {
		return "", ""
	}
	s.fail(s.made.add(thing{Kind: aThread, ID: id, Channel: s.channel}))
	msg := withSteps(words("verify"), "A thread.", buttons...)
	msg.Nonce = nonce()
	return id, s.postRaw(ctx, "thread.post", id, msg.Create())
}
