package verify

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
)

// alone are the steps that need nobody. Each leaves evidence for rows.
func (s *session) alone() []step {
	return []step{
		s.whoAndWhere, s.boards, s.textToBoard, s.mentions, s.nonces, s.selects, s.limits, s.refusals, s.removed, s.commands, s.thread, s.leaveOne,
	}
}

// whoAndWhere asks who the bot is, where to connect, and what it may do.
func (s *session) whoAndWhere(ctx context.Context) error {
	_, err := s.ask(ctx, "me", func(ctx context.Context) error {
		return s.client.Call(ctx, "GET", "/users/@me", nil, nil, nil)
	})
	if err := fatal(err); err != nil {
		return err
	}
	_, _ = s.ask(ctx, "gateway", func(ctx context.Context) error {
		_, err := s.client.GatewayBot(ctx)
		return err
	})
	guild, _ := s.ask(ctx, "guild", func(ctx context.Context) error { return s.client.Guild(ctx, s.guild) })
	member, _ := s.ask(ctx, "member", func(ctx context.Context) error {
		_, err := s.client.Member(ctx, s.guild, s.app.ID)
		return err
	})
	s.may = permissions(guild, member, s.seen["channel"])
	return nil
}

// The permissions that steps look at beside the bot's own (Discord's documentation, Permissions).
const (
	administrator = 1 << 3
	readHistory   = 1 << 16
	manageThreads = 1 << 34
)

// permissions computes what a member may do in a channel, as Discord documents it (Permission
// Overwrites).
func permissions(guild, member, channel evidence) (may uint64) {
	mine, _ := get(member.body, "roles").([]any)
	bits := func(o any, name string) uint64 {
		text, _ := get(o, name).(string)
		n, _ := strconv.ParseUint(text, 10, 64)
		return n
	}
	everyone := guild.text("id")
	roles, _ := get(guild.body, "roles").([]any)
	for _, r := range roles {
		if id := get(r, "id"); id == everyone || slices.Contains(mine, id) {
			may |= bits(r, "permissions")
		}
	}
	if may&administrator != 0 {
		return ^uint64(0)
	}
	overwrites, _ := get(channel.body, "permission_overwrites").([]any)
	apply := func(meets func(id any) bool) {
		var deny, allow uint64
		for _, o := range overwrites {
			if meets(get(o, "id")) {
				deny, allow = deny|bits(o, "deny"), allow|bits(o, "allow")
			}
		}
		may = may&^deny | allow
	}
	apply(func(id any) bool { return id == everyone })
	apply(func(id any) bool { return id != everyone && slices.Contains(mine, id) })
	apply(func(id any) bool { return id == get(member.body, "user.id") })
	return may
}

// boards posts the largest board, reads it, and edits it twice.
func (s *session) boards(ctx context.Context) error {
	id, err := s.post(ctx, "board.post", s.board(large, 0))
	if err != nil || id == "" {
		return err
	}
	if err := s.read(ctx, "board.read", id); err != nil {
		return err
	}
	if err := s.edit(ctx, "board.edit", id, s.board(large, 1).Edit()); err != nil {
		return err
	}
	return s.edit(ctx, "board.again", id, s.board(large, 1).Edit())
}

// textToBoard posts a plain message, as challenges are, and lets it become a board.
func (s *session) textToBoard(ctx context.Context) error {
	id, err := s.post(ctx, "text.post", discord.Message{
		Content: "verify", Quiet: true, Components: []discord.Component{discord.Row(press(discord.StylePrimary, "Accept", "plain"))},
	})
	if err != nil || id == "" {
		return err
	}
	return s.edit(ctx, "text.edit", id, s.board(small, 1).Edit())
}

// mentions names the bot itself, which nothing notifies.
func (s *session) mentions(ctx context.Context) error {
	named := words("<@" + s.app.ID + ">")
	id, err := s.post(ctx, "mention.left", named)
	if err != nil {
		return err
	}
	named.People = []string{s.app.ID}
	if id != "" {
		if err := s.edit(ctx, "mention.edit", id, named.Edit()); err != nil {
			return err
		}
	}
	unnamed := words("nobody")
	unnamed.People, unnamed.Calls = []string{s.app.ID}, []string{s.app.ID}
	_, err = s.post(ctx, "mention.unnamed", unnamed)
	return err
}

// nonces repeats a creation, and again once its message is gone.
func (s *session) nonces(ctx context.Context) error {
	msg := words("once")
	msg.Nonce = "verify-" + rand.Text()[:12]
	id, err := s.postRaw(ctx, "nonce.first", s.channel, msg.Create())
	if err != nil || id == "" {
		return err
	}
	if _, err := s.postRaw(ctx, "nonce.second", s.channel, msg.Create()); err != nil {
		return err
	}
	if _, err := s.ask(ctx, "nonce.delete", func(ctx context.Context) error {
		return s.client.DeleteMessage(ctx, s.channel, id)
	}); err != nil {
		return fatal(err)
	}
	_, err = s.postRaw(ctx, "nonce.third", s.channel, msg.Create())
	return err
}

// selects posts the largest list, and lists in every set of marks.
func (s *session) selects(ctx context.Context) error {
	if _, err := s.post(ctx, "list.post", s.board(large, 2, byList)); err != nil {
		return err
	}
	for i, set := range markSets {
		if _, err := s.post(ctx, markName(i), s.board(small, 2, byList, drawnWith(set))); err != nil {
			return err
		}
	}
	return nil
}

func markName(i int) string { return fmt.Sprintf("marks.%d", i) }

// limits goes to what the documentation allows, and beyond it.
func (s *session) limits(ctx context.Context) error {
	return s.posts(ctx, map[string]discord.Message{
		"longest": longest(80), "too-long": longest(81), "forty": many(40), "forty-one": many(41),
	})
}

// posts creates messages by the names of what they leave.
func (s *session) posts(ctx context.Context, messages map[string]discord.Message) error {
	for name, msg := range messages {
		if _, err := s.post(ctx, name, msg); err != nil {
			return err
		}
	}
	return nil
}

// refusals asks for what Discord refuses, which the bot knows by the codes.
func (s *session) refusals(ctx context.Context) error {
	button := func(label string) discord.Message {
		return discord.Message{V2: true, Quiet: true, Components: []discord.Component{discord.Row(press(discord.StyleSecondary, label, "blank"))}}
	}
	if err := s.posts(ctx, map[string]discord.Message{"no-label": button(""), "space-label": button(" ")}); err != nil {
		return err
	}
	both := json.RawMessage(`{"content":"verify",` + string(words("verify").Create()[1:]))
	if _, err := s.postRaw(ctx, "both", s.channel, both); err != nil {
		return err
	}
	_, err := s.ask(ctx, "no-channel", func(ctx context.Context) error {
		_, err := s.client.Channel(ctx, s.app.ID) // which no channel has
		return err
	})
	if err := fatal(err); err != nil {
		return err
	}
	_, err = s.ask(ctx, "no-token", func(ctx context.Context) error {
		_, err := s.client.EditByToken(ctx, "verify", "@original", words("verify").Edit())
		return err
	})
	return fatal(err)
}

// removed deletes a message, and asks for it afterwards.
func (s *session) removed(ctx context.Context) error {
	id, err := s.post(ctx, "gone.post", words("gone"))
	if err != nil || id == "" {
		return err
	}
	for _, name := range []string{"gone.delete", "gone.again"} {
		_, err := s.ask(ctx, name, func(ctx context.Context) error { return s.client.DeleteMessage(ctx, s.channel, id) })
		if err := fatal(err); err != nil {
			return err
		}
	}
	return s.edit(ctx, "gone.edit", id, words("gone").Edit())
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
func (s *session) commands(ctx context.Context) error {
	if err := s.made.add(thing{Kind: theCommands, Guild: s.guild}); err != nil {
		return err
	}
	for i, c := range definitions() {
		_, err := s.ask(ctx, commandName(i), func(ctx context.Context) error {
			return s.client.Call(ctx, "POST", commandsRoute, []string{s.app.ID, s.guild}, c, nil)
		})
		if err := fatal(err); err != nil {
			return err
		}
	}
	_, err := s.ask(ctx, "commands", func(ctx context.Context) error {
		_, err := s.client.Commands(ctx, s.guild)
		return err
	})
	return fatal(err)
}

func commandName(i int) string { return fmt.Sprintf("commands.%d", i) }

// readBack expects the commands that are registered to be those that were written.
func readBack(of ...evidence) (string, bool) {
	var registered, ours []json.RawMessage
	if json.Unmarshal(of[0].raw, &registered) != nil {
		return "no list", false
	}
	for _, raw := range registered {
		var c discord.Command
		if json.Unmarshal(raw, &c) == nil && len(c.Name) > len(commandPrefix) && c.Name[:len(commandPrefix)] == commandPrefix {
			ours = append(ours, raw)
		}
	}
	if !discord.SameCommands(ours, definitions(), true) {
		return fmt.Sprintf("%d commands, which differ from what was written", len(ours)), false
	}
	return fmt.Sprintf("%d commands, as they were written", len(ours)), true
}

// thread begins one where it can be deleted again.
func (s *session) thread(ctx context.Context) error {
	if need := uint64(discord.BeginThreads | manageThreads); s.may&need != need {
		s.silent["thread.begin"] = errors.New("the bot may not begin and delete threads here: lend it Manage Threads in the channel")
		return nil
	}
	begun, err := s.ask(ctx, "thread.begin", func(ctx context.Context) error {
		_, err := s.client.CreateThread(ctx, s.channel, rest.NewThread{Name: "verify", Type: rest.PublicThread, AutoArchive: rest.LongestArchive})
		return err
	})
	id := begun.text("id")
	if err != nil || id == "" {
		return fatal(err)
	}
	if err := s.made.add(thing{Kind: aThread, ID: id}); err != nil {
		return err
	}
	// The channel tells of it in a message, which stays behind when the thread goes.
	notice, err := s.ask(ctx, "thread.notice", func(ctx context.Context) error {
		_, err := s.client.Channel(ctx, s.channel)
		return err
	})
	if last := notice.text("last_message_id"); err == nil && last != "" && last != id {
		told, err := s.ask(ctx, "thread.told", func(ctx context.Context) error {
			return s.client.Call(ctx, "GET", "/channels/{channel}/messages/{message}", []string{s.channel, last}, nil, nil)
		})
		if err == nil && told.text("author.id") == s.app.ID && told.text("message_reference.channel_id") == id {
			if err := s.made.add(thing{Kind: aMessage, ID: last, Channel: s.channel}); err != nil {
				return err
			}
		}
	}
	msg := words("verify")
	msg.Nonce = "verify-" + rand.Text()[:12]
	_, err = s.postRaw(ctx, "thread.post", id, msg.Create())
	return err
}
