package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// The buttons that no board has.
const (
	nextButton    = "next"
	privateButton = "private"
	yesButton     = "yes"
	noButton      = "no"
	skipButton    = "skip"
)

// act is something that somebody is asked to do.
type act struct {
	name   string // of the evidence that it leaves
	please string // what to do, as an order
	meant  func(in *discord.Interaction) bool
	answer func(ctx context.Context, a arrival) // nil acknowledges it, in silence
	then   func(ctx context.Context)            // what is tried behind the answer; may be nil
	part   string                               // of what goes together and can be left out by skipButton; may be empty
	before func(ctx context.Context)            // shows what there is to do; nil where it is shown already
	away   bool                                 // it may be done outside of the channel
}

// left reports whether somebody leaves the act out.
func (one act) left(in *discord.Interaction) bool { return one.part != "" && pressed(skipButton)(in) }

var (
	// errNobodyPressed ends the steps that need somebody.
	errNobodyPressed = errors.New("nobody pressed it in time")
	errWithout       = errors.New("it was done without")
)

// connectTime bounds the start of the Gateway session.
const connectTime = time.Minute

// connect opens the Gateway session of the server's shard, as the bot does. The context that it
// returns ends with the session, and stop ends both.
func (s *session) connect(ctx context.Context) (open context.Context, stop func(), err error) {
	info, err := s.client.GatewayBot(ctx)
	if err != nil {
		return nil, nil, err
	}
	since, _ := discord.Made(s.guild)
	open, end := context.WithCancelCause(ctx)
	shards := max(1, info.Shards)
	supervisor := gateway.New(gateway.Options{
		Token: s.opts.REST.Token, GatewayBot: s.client.GatewayBot, Identifies: s.opts.Identifies,
		ShardID: int(since/time.Millisecond) % shards, ShardCount: shards,
		OnInteraction: func(raw json.RawMessage, received time.Time) {
			if in, err := discord.DecodeInteraction(raw, received); err == nil {
				select {
				case s.clicks <- arrival{raw, received, in}:
				case <-open.Done():
				}
			}
		},
	})
	ended := make(chan struct{})
	go func() {
		end(supervisor.Run(open))
		close(ended)
	}()
	stop = func() {
		end(nil)
		<-ended
	}
	for late := s.opts.After(connectTime); !supervisor.Ready() && err == nil; {
		select {
		case <-open.Done():
			err = context.Cause(open)
		case <-late:
			err = fmt.Errorf("no Gateway session: %s", supervisor.Status().LastError)
		case <-time.After(10 * time.Millisecond): // polls
		}
	}
	if err != nil {
		stop()
	}
	return open, stop, err
}

// withClicks asks somebody to press what is shown, one thing after the other.
func (s *session) withClicks(ctx context.Context) error {
	if !s.opts.Yes && !s.opts.Ask(ctx, "Now with your clicks: that takes three minutes, best with a phone at hand. Go on?") {
		return ctx.Err()
	}
	acts := slices.Concat(s.boardActs(), privateActs(s), lookActs(s), []act{personAct(s)})
	if s.opts.More || !s.opts.Yes && s.opts.Ask(ctx, "And then with what not everybody has: a second account, a thread that you lock and delete,\nthe app on your account? What you lack is skipped. Five minutes more. Go on?") {
		acts = slices.Concat(acts, secondActs(s), threadActs(s), []act{elsewhereAct(s)})
	}
	return s.play(ctx, acts)
}

// play has acts made in their order, as long as somebody makes them.
func (s *session) play(ctx context.Context, acts []act) error {
	open, stop, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer stop()
	defer dropPrivate(ctx, s)
	for i, one := range acts {
		if s.failed == nil && s.silent[one.part] == nil && one.before != nil {
			one.before(ctx)
		}
		if s.failed != nil {
			return s.failed
		}
		if s.silent[one.part] != nil {
			continue
		}
		fmt.Fprintf(s.opts.Out, "Step %d of %d: %s\n", i+1, len(acts), one.please)
		a, err := s.await(open, one)
		if errors.Is(err, errNobodyPressed) {
			s.silent[one.name] = err
			fmt.Fprintln(s.opts.Out, "Nobody pressed it in time.")
			return nil
		}
		if err != nil {
			return err
		}
		if one.left(a.in) {
			s.silent[one.part], one.answer, one.then = errWithout, nil, nil
		} else {
			s.seen[one.name] = a.evidence(one.name, s.client)
		}
		if one.answer == nil {
			s.respond(ctx, one.name+".seen", a, rest.CallbackDeferUpdate, nil)
		} else {
			one.answer(ctx, a)
		}
		if one.then != nil {
			one.then(ctx)
		}
	}
	return s.failed
}

// await returns the next interaction that is the act, or leaves it out; others are told so.
func (s *session) await(ctx context.Context, one act) (arrival, error) {
	late := s.opts.After(s.opts.Wait)
	for {
		select {
		case a := <-s.clicks:
			s.secrets = append(s.secrets, a.in.Token)
			if (a.in.Channel == s.channel || one.away) && one.meant(a.in) || one.left(a.in) {
				return a, nil
			}
			if _, err := s.client.Respond(ctx, a.in.ID, a.in.Token, notMeant(a.in.Kind)); fatal(err) != nil {
				return arrival{}, err
			}
		case <-late:
			return arrival{}, errNobodyPressed
		case <-ctx.Done():
			return arrival{}, context.Cause(ctx)
		}
	}
}

// notMeant answers what was not asked for.
func notMeant(kind int) rest.Callback {
	switch kind {
	case discord.KindAutocomplete:
		return rest.Callback{Type: rest.CallbackAutocomplete, Data: map[string]any{"choices": []any{}}}
	case discord.KindComponent:
		return rest.Callback{Type: rest.CallbackDeferUpdate}
	}
	return rest.Callback{Type: rest.CallbackMessage, Data: onlyYou("Something else is asked for now.").Create()}
}

// dropPrivate removes what only one person sees, which nobody can do without the token.
func dropPrivate(ctx context.Context, s *session) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTime)
	defer cancel()
	for _, m := range s.private {
		_ = s.client.DeleteByToken(ctx, m.token, m.id) // it may be gone, and goes with the client at the latest
	}
}

// evidence is the interaction under a name.
func (a arrival) evidence(name string, client *rest.Client) evidence {
	made, _ := discord.Made(a.in.ID)
	took := discord.SinceEpoch(client.DiscordTime(a.received)) - made
	e := evidence{name: name, what: "interaction", raw: a.raw, in: a.in, took: took}
	_ = json.Unmarshal(a.raw, &e.body) // it was decoded before
	return e
}

// respond answers an interaction, and keeps what Discord says.
func (s *session) respond(ctx context.Context, name string, a arrival, kind rest.CallbackType, data any) {
	var made *rest.Message
	e := s.ask(ctx, name, func(ctx context.Context) (err error) {
		ctx, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		made, err = s.client.Respond(ctx, a.in.ID, a.in.Token, rest.Callback{Type: kind, Data: data})
		return err
	})
	if e.err != nil || kind != rest.CallbackMessage {
		return
	}
	if made == nil { // then it is asked for: it has to be removed
		made, _ = s.client.GetOriginal(context.WithoutCancel(ctx), a.in.Token)
	}
	if made == nil || made.Flags&private != 0 || a.in.Channel != s.channel {
		s.private = append(s.private, privateMessage{a.in.Token, "@original"})
		return
	}
	s.fail(s.made.add(thing{Kind: aMessage, ID: made.ID, Channel: s.channel}))
}

// answerTime is what is left of Discord's three seconds at least.
const answerTime = 2500 * time.Millisecond

func (s *session) update(ctx context.Context, name string, a arrival, msg discord.Message) {
	s.respond(ctx, name, a, rest.CallbackUpdate, msg.Edit())
}

// editByToken changes a message with an interaction's token.
func (s *session) editByToken(ctx context.Context, name, token, id string, msg discord.Message) {
	s.ask(ctx, name, func(ctx context.Context) error { return only(s.client.EditByToken(ctx, token, id, msg.Edit())) })
}

func pressed(name string) func(*discord.Interaction) bool {
	return func(in *discord.Interaction) bool { return in.CustomID == ownID+name }
}

// boardActs are on a command and on the board that answers it.
func (s *session) boardActs() []act {
	var played discord.Message
	return []act{
		{
			name: "command", please: "in the channel, type /" + chatCommand + " play and send it.",
			meant: func(in *discord.Interaction) bool { return in.Root == chatCommand && in.Command == "play" },
			answer: func(ctx context.Context, a arrival) {
				s.respond(ctx, "answer", a, rest.CallbackMessage, withSteps(s.board(large, 0), "Press an empty cell.").Create())
				e := s.try(ctx, "answer.twice", func(ctx context.Context) error {
					return only(s.client.Respond(ctx, a.in.ID, a.in.Token, rest.Callback{Type: rest.CallbackMessage, Data: words("twice").Create()}))
				})
				if !errors.Is(e.err, rest.ErrAlreadyAcknowledged) { // it is the second on purpose
					s.fail(fatal(e.err))
				}
			},
		},
		{
			name: "click", please: "press an empty cell of the board.", meant: func(in *discord.Interaction) bool { return isCell(in.CustomID) },
			answer: func(ctx context.Context, a arrival) {
				id, _ := customid.Parse(a.in.CustomID)
				played = withSteps(s.board(large, 1, func(m *store.Match, _ *view.View) { m.Moves = []engine.Cell{id.Cell} }), "Press Next.", next)
				s.update(ctx, "update", a, played)
				s.read(ctx, "update.read", a.in.Message.ID)
			},
		},
		{
			name: "next", please: "press Next, below the board.", meant: pressed(nextButton),
			answer: func(ctx context.Context, a arrival) {
				s.update(ctx, "same", a, played)
				s.read(ctx, "same.read", a.in.Message.ID)
			},
		},
		{
			name: "again", please: "press Next once more.", meant: pressed(nextButton), answer: s.behind,
		},
	}
}

// privateActs are on the message that one person sees, and on the list behind it.
func privateActs(s *session) []act {
	return []act{
		{
			name: "private", please: "press the button of the message that only you see.", meant: pressed(privateButton),
			answer: func(ctx context.Context, a arrival) {
				s.respond(ctx, "private.silent", a, rest.CallbackDeferUpdate, nil)
				again := withSteps(words("Still only you."), "Once more.", press(discord.StylePrimary, "Again", privateButton))
				s.editByToken(ctx, "private.original", a.in.Token, "@original", again)
			},
		},
		{
			name: "private.again", please: "press it once more.", meant: pressed(privateButton),
			answer: func(ctx context.Context, a arrival) {
				s.update(ctx, "private.update", a, words("Thank you."))
				s.ask(ctx, "private.delete", func(ctx context.Context) error { return s.client.DeleteByToken(ctx, a.in.Token, "@original") })
			},
		},
		{
			name: "select", please: "choose a cell from the list, on the message before.",
			meant:  func(in *discord.Interaction) bool { return in.Kind == discord.KindComponent && len(in.Values) > 0 },
			answer: func(ctx context.Context, a arrival) { s.update(ctx, "select.update", a, looks(s)[0].show()) },
		},
	}
}

// personAct is on somebody's menu, which is none on some phones.
func personAct(s *session) act {
	return act{
		name: "person", part: "person", please: "open somebody's menu (or your own), Apps, " + personCommand + "; or press Skip to do without.",
		meant:  func(in *discord.Interaction) bool { return in.Command == personCommand },
		answer: tells(s, "person.answer", "Thank you."),
	}
}

// tells answers with what only one person sees.
func tells(s *session, name, text string) func(context.Context, arrival) {
	return func(ctx context.Context, a arrival) {
		s.respond(ctx, name, a, rest.CallbackMessage, onlyYou(text).Create())
	}
}

// onlyYou is a message that only who caused it sees.
func onlyYou(text string) discord.Message {
	msg := words(text)
	msg.Ephemeral = true
	return msg
}

// behind acknowledges a click, edits the message that it was on, and posts one behind it that
// only one person sees.
func (s *session) behind(ctx context.Context, a arrival) {
	s.respond(ctx, "silent", a, rest.CallbackDeferUpdate, nil)
	s.editByToken(ctx, "original", a.in.Token, "@original", withSteps(s.board(large, 2, byList), "Below is a message that only you see."))
	msg := withSteps(words("Only you see this."), "Press it.", press(discord.StylePrimary, "Press me", privateButton))
	msg.Ephemeral = true
	e := s.ask(ctx, "followup", func(ctx context.Context) error { return only(s.client.FollowUp(ctx, a.in.Token, msg.Create())) })
	if id := e.text("id"); id != "" {
		s.private = append(s.private, privateMessage{a.in.Token, id})
		s.editByToken(ctx, "followup.edit", a.in.Token, id, msg)
	}
}

// look is a question about how a message looks.
type look struct {
	name, question string
	msg            discord.Message
}

// show is the message with the question.
func (l look) show() discord.Message { return withSteps(l.msg, "**"+l.question+"**", verdict...) }

// looks are what only somebody who sees it can tell.
func looks(s *session) []look {
	m, v := s.match(small, 3)
	text := mustView(v.Board().Snapshot(m))
	text.Ephemeral = false
	return []look{
		{"look.rows", "Is the board three rows of three buttons, alike in size, without gaps?", s.board(small, 3)},
		{"look.blank", "Are its empty cells buttons with nothing on them?", s.board(small, 3)},
		{"look.phone", "On a phone: five columns, nothing wrapped or cut?", s.board(large, 3)},
		{"look.lines", "Is there a board of large symbols in three lines, straight below each other?", text},
		{"look.letters", "Are the marks a heart and a star in the colour of text, and not in colours of their own?", s.board(small, 3, drawnWith(store.MarksHearts))},
	}
}

// lookActs are the questions. The answer to each shows the next one, and so the last is made
// first.
func lookActs(s *session) (acts []act) {
	shows := withSteps(words("Somebody's menu, Apps, `"+personCommand+"`."), "Or do without.", skip)
	for _, l := range slices.Backward(looks(s)) {
		after := shows
		answer := func(ctx context.Context, a arrival) { s.update(ctx, l.name+".update", a, after) }
		acts = append(acts, act{name: l.name, please: l.question, meant: judged, answer: answer})
		shows = l.show()
	}
	slices.Reverse(acts)
	return acts
}

// skip leaves a part out.
var skip = press(discord.StyleSecondary, "Skip", skipButton)

// judged is an answer to a question about looks.
func judged(in *discord.Interaction) bool { return pressed(yesButton)(in) || pressed(noButton)(in) }

// liked expects the button for yes.
func liked(of ...evidence) (string, bool) {
	if pressed(yesButton)(of[0].in) {
		return "like this", true
	}
	return "not like this, says who sees it", false
}
