package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox/permission"
)

// Why something is not tried.
var (
	errNoThread   = errors.New("there was no thread")
	errManages    = errors.New("the bot manages threads, so that no lock stops it")
	errNotLocked  = errors.New("it was not locked")
	errNotDeleted = errors.New("it was not deleted")
	errNoneAlong  = errors.New("no command goes along with people: tictactoe register writes those that do")
)

// prompt shows what there is to do, always on the same message.
func prompt(s *session, text string, buttons ...discord.Component) func(context.Context) {
	return func(ctx context.Context) {
		msg := withSteps(words("What needs more than you."), "**"+text+"**", buttons...)
		if s.asks == "" {
			s.asks = s.post(ctx, "more.post", msg)
		} else {
			s.edit(ctx, "more.edit", s.asks, msg.Edit())
		}
	}
}

var (
	next    = press(discord.StylePrimary, "Next", nextButton)
	verdict = []discord.Component{press(discord.StyleSuccess, "Like this", yesButton), press(discord.StyleDanger, "Not like this", noButton)}
)

// secondActs need another account: what is only theirs to see, and what calls them.
func secondActs(s *session) []act {
	by := func(of string, meant func(*discord.Interaction) bool) func(*discord.Interaction) bool {
		return func(in *discord.Interaction) bool { return in.User == s.seen[of].in.User && meant(in) }
	}
	ask := func(name, who, question string) act {
		return act{name: name, part: "second", please: question, meant: by(who, judged), before: prompt(s, question, verdict...)}
	}
	away := func(name string, then func(context.Context)) act {
		const text = "Second account: open another channel. First account: then press Next."
		return act{name: name, part: "second", please: text, meant: by("command", pressed(nextButton)), before: prompt(s, text, next), then: then}
	}
	id := ""
	called := func() discord.Message {
		first, second := s.seen["command"].in.User, s.seen["second"].in.User
		msg := words("<@" + first + "> <@" + second + ">")
		msg.People, msg.Calls = []string{first, second}, []string{second}
		return msg
	}
	return []act{
		{
			name: "second", part: "second", please: "with a second account, press Second account. Whoever has none presses Skip.",
			before: prompt(s, "Press this with a second account.", press(discord.StylePrimary, "Second account", nextButton), skip),
			meant: func(in *discord.Interaction) bool {
				return pressed(nextButton)(in) && in.User != s.seen["command"].in.User
			},
			answer: tells(s, "second.answer", "Only the second account sees this."),
		},
		ask("second.hidden", "command", "First account: is there no new message below this one?"),
		away("second.away", func(ctx context.Context) { id = s.post(ctx, "second.post", called()) }),
		ask("second.badge", "second", "Second account: did this channel get a red badge, and was there no sound and no notification?"),
		away("second.again", func(ctx context.Context) { s.edit(ctx, "second.edit", id, called().Edit()) }),
		ask("second.nobadge", "second", "Second account: was there nothing new this time?"),
	}
}

// archived begins a thread and archives it twice, since it looks at how it opens. Its ids are
// empty where there is none.
func archived(ctx context.Context, s *session) (thread, message string) {
	const need = discord.BeginThreads | permission.ReadHistory
	if s.may&need != need {
		s.silent["thread"] = errors.New("the bot may not begin threads here, or not read what the channel tells of them")
		return "", ""
	}
	if thread, message = s.beginThread(ctx, next); message == "" {
		s.silent["thread"] = errNoThread
		return thread, ""
	}
	archive := func(name string) { s.call(ctx, name, "PATCH", channelRoute, map[string]bool{"archived": true}, thread) }
	archive("thread.archive")
	s.call(ctx, "thread.edit", "PATCH", messageRoute, words("verify").Edit(), thread, message)
	s.ask(ctx, "thread.open", func(ctx context.Context) error { return s.client.OpenThread(ctx, thread) })
	archive("thread.again")
	return thread, message
}

// threadActs are in a thread that is archived, and that somebody locks and deletes, which the
// bot may not.
func threadActs(s *session) []act {
	var thread, message, token string
	// byHand is a part that somebody does who manages threads, which the bot must not.
	byHand := func(part, text string, then func(context.Context)) act {
		return act{
			name: part + ".said", part: part, please: text, meant: pressed(nextButton), then: then,
			before: func(ctx context.Context) {
				switch {
				case s.may&permission.ManageThreads != 0:
					s.silent[part] = errManages
				case thread == "" || part == "locked" && token == "":
					s.silent[part] = errNoThread
				default:
					prompt(s, text, next, skip)(ctx)
				}
			},
		}
	}
	return []act{
		{
			name: "thread", part: "thread", away: true, please: "press the button in the new thread, or Skip in the channel.",
			meant: func(in *discord.Interaction) bool { return pressed(nextButton)(in) && in.Channel == thread },
			before: func(ctx context.Context) {
				if thread, message = archived(ctx, s); message != "" {
					prompt(s, "In a browser or on a phone open <#"+thread+"> and press Next there.", skip)(ctx)
				}
			},
			answer: func(ctx context.Context, a arrival) {
				token = a.in.Token
				s.update(ctx, "thread.update", a, words("Back in the channel there is more."))
			},
		},
		byHand("locked", "Lock the thread: its menu, Lock Thread. Then press Next here.", func(ctx context.Context) {
			edit := s.call(ctx, "locked.edit", "PATCH", messageRoute, words("locked").Edit(), thread, message)
			told := s.call(ctx, "locked", "GET", channelRoute, nil, thread)
			if locked, _ := get(told.body, "thread_metadata.locked").(bool); s.failed != nil || !locked && edit.taken() {
				delete(s.seen, "locked")
				delete(s.seen, "locked.edit")
				s.silent["locked"] = errNotLocked
				return
			}
			s.postRaw(ctx, "locked.post", thread, words("locked").Create())
			s.editByToken(ctx, "locked.token", token, "@original", words("locked"))
		}),
		byHand("deleted", "Delete the thread, which the bot may not: its menu, Delete Thread. Then press Next here.", func(ctx context.Context) {
			if s.call(ctx, "deleted.read", "GET", channelRoute, nil, thread).taken() {
				delete(s.seen, "deleted.read")
				s.silent["deleted"] = errNotDeleted
			}
		}),
	}
}

// elsewhereAct is where the bot is not, which takes a command that goes along with people: those
// that are registered here stay in the server.
func elsewhereAct(s *session) act {
	return act{
		name: "elsewhere", part: "elsewhere", away: true, please: "use a command of the app where its bot is not.",
		before: func(ctx context.Context) {
			registered, err := s.client.Commands(ctx, "")
			s.fail(fatal(err))
			for _, raw := range registered {
				var c discord.Command
				if json.Unmarshal(raw, &c) == nil && c.Type == discord.CommandChat && slices.Contains(c.IntegrationTypes, discord.InstallUser) {
					prompt(s, fmt.Sprintf("Add the app to your account (https://discord.com/oauth2/authorize?client_id=%s&integration_type=1&scope=applications.commands), "+
						"and use /%s in a message to a friend, or in a server without the bot.", s.app.ID, c.Name), skip)(ctx)
					return
				}
			}
			s.silent["elsewhere"] = errNoneAlong
		},
		meant: func(in *discord.Interaction) bool {
			return in.Kind == discord.KindCommand && in.Guild != s.guild && !in.AloneWithBot()
		},
		answer: tells(s, "elsewhere.answer", "Thank you."),
	}
}

// leaveOne leaves a message that is looked at when it has become old.
func (s *session) leaveOne(ctx context.Context) {
	if s.made.kept() >= 0 || !s.opts.Later {
		return
	}
	msg := withSteps(words("This message waits for `tictactoe verify --resume` in an hour or more."), "Press it five times, when you are asked to.", next)
	if s.post(ctx, "later", msg) != "" && s.failed == nil {
		s.made.things[len(s.made.things)-1].Kept = true
		s.fail(s.made.save())
	}
}

// resume looks at the message that was left.
func (s *session) resume(ctx context.Context) error {
	kept := s.made.kept()
	if kept < 0 || s.made.things[kept].Channel != s.channel {
		return errNothingKept
	}
	old := s.made.things[kept]
	since, _ := discord.Made(old.ID)
	if discord.SinceEpoch(s.client.DiscordTime(s.opts.Now()))-since < time.Hour {
		return errTooYoung
	}
	msg := withSteps(words("An old message."), "Press Next.", next)
	for range 5 {
		s.edit(ctx, "old", old.ID, msg.Edit())
	}
	if s.failed != nil {
		return s.failed
	}
	if _, refused := s.seen["old.try1"]; !refused {
		s.seen["old.try1"] = s.seen["old"]
	}
	err := s.play(ctx, []act{{
		name: "old.click", please: "press Next on the old message.", meant: pressed(nextButton),
		answer: func(ctx context.Context, a arrival) { s.update(ctx, "old.update", a, msg) },
	}})
	s.made.things[kept].Kept = false
	return err
}
