package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
)

// writes sends a slash command, as it would be typed.
func writes(s *scene, who string, neg bool, args []string) {
	path, words := args[0][1:], args[1:]
	switch {
	case !neg && args[0] == "/ttt":
	case neg || len(args) < 2 || args[0] != "/tictactoe" && args[0] != "/tictactoe-admin":
		s.Fatalf("%s writes /ttt, or /tictactoe or /tictactoe-admin and a subcommand", who)
	default:
		path, words = path+" "+words[0], words[1:]
	}
	var options []sandbox.Arg
	for _, word := range words {
		name, value, ok := strings.Cut(word, ":")
		if !ok {
			s.Fatalf("%q is no option and its value", word)
		}
		switch yes, err := strconv.ParseBool(value); {
		case name == "user":
			options = append(options, sandbox.OptUser(name, s.anybody(value)))
		case err == nil:
			options = append(options, sandbox.Opt(name, yes))
		default:
			options = append(options, sandbox.Opt(name, value))
		}
	}
	s.answered(who, s.person(who).Command(s, s.w().Channel, path, options...))
}

// anybody is person, and the bot by its name.
func (s *scene) anybody(name string) *sandbox.User {
	if robot := s.w().Discord.BotUser(); name == robot.Name() {
		return robot
	}
	return s.person(name)
}

// answered remembers the answer to what somebody did.
func (s *scene) answered(who string, r *sandbox.Reply) *sandbox.Reply {
	if !r.Answered() {
		s.Fatalf("not answered: %v", r.Problems)
	}
	s.last[who] = r
	return r
}

// answer returns the answer to what somebody did last.
func (s *scene) answer(who string) *sandbox.Reply {
	return meant(s, s.last, who, "%s has done nothing yet")
}

// does is what a line that starts with a person's name does.
func does(s *scene, who string, neg bool, args []string) {
	if neg || len(args) == 0 {
		s.Fatalf("what does %s do?", who)
	}
	verb, args := args[0], args[1:]
	if verb != "taps" && len(args) == 0 {
		s.Fatalf("%s %s what?", who, verb)
	}
	user := s.person(who)
	switch verb {
	case "menu":
		s.answered(who, user.UserCommand(s, s.w().Channel, args[0], s.anybody(args[len(args)-1])))
	case "clicks":
		m, label := s.button(user, args)
		r := s.answered(who, user.Click(s, m, label))
		if m.Snapshot().Ephemeral() && r.Type == sandbox.CallbackDeferUpdate {
			s.w().Posted(s, r.Call)
		}
	case "chooses":
		words, on := on(args)
		var m *sandbox.Message
		if on == "" {
			m = s.w().Answer(s, s.answer(who))
		} else {
			m = s.message(on)
		}
		id, value := s.choice(m, strings.Join(words, " "))
		s.answered(who, user.Select(s, m, id, value))
	case "aims":
		m, label := s.button(user, args)
		s.aimed[who] = s.w().Stale(s, user, m, label)
	case "taps":
		s.answered(who, meant(s, s.aimed, who, "%s has aimed at nothing")())
	case "plays", "tries":
		cell, on := on(args)
		m := s.boardFor(user, on)
		if cell[0] == "any" {
			cell[0] = bottest.CellName(bottest.Empties(m.Snapshot())[0])
		}
		before := bottest.Ply(m.Snapshot())
		r := s.answered(who, s.w().Cell(s, user, m, cell[0]))
		_, list := bottest.List(m.Snapshot())
		if refused := r.Type == sandbox.CallbackMessage; !list && refused != (verb == "tries") || list && refused {
			s.Fatalf("answered with type %d: %s", r.Type, r.Text())
		}
		if list && verb == "tries" { // an update, with the words behind it
			s.until(func() bool { return len(r.Followups()) > 0 }, func() string { return "nothing came behind the answer" })
		}
		if verb == "plays" { // whoever is next looks at the board first
			s.until(func() bool { return bottest.Ply(m.Snapshot()) > before }, func() string { return "the board does not show the move" })
		}
	case "is":
		if args[0] != "told" {
			s.Fatalf("%s can only be told", who)
		}
		r := s.answer(who)
		if r.Type == sandbox.CallbackUpdate && !r.Ephemeral { // the picture was drawn again: Discord had not yet said that it arrived
			s.reads(who, r, args[1:])
			return
		}
		words, labels := with(args[1:])
		s.w().Refused(s, r, s.text(words), labels...)
	case "then":
		if args[0] != "reads" {
			s.Fatalf("%s can only read then", who)
		}
		s.reads(who, s.answer(who), args[1:])
	case "has":
		m, text := s.w().Answer(s, s.answer(who)), s.text(args)
		s.until(func() bool { return strings.Contains(m.Text(), text) }, func() string { return fmt.Sprintf("it says %q", m.Text()) })
	default:
		s.Fatalf("nobody %s here", verb)
	}
}

// reads waits for what somebody is told behind an answer, which is their last one from then on.
func (s *scene) reads(who string, r *sandbox.Reply, args []string) {
	words, labels := with(args)
	s.until(func() bool { return len(r.Followups()) > 0 }, func() string { return "nothing came behind the answer" })
	m := s.w().FollowUp(s, r, s.text(words))
	for _, label := range labels {
		bottest.CustomID(s, m, label)
	}
	outcome := sandbox.Outcome{State: r.State, Type: sandbox.CallbackMessage}
	s.last[who] = &sandbox.Reply{Call: r.Call, Outcome: outcome, Ephemeral: true, Message: m}
}

// button returns the message that somebody clicks, and the label: by default the
// newest that they see with such a button.
func (s *scene) button(who *sandbox.User, args []string) (*sandbox.Message, string) {
	words, on := on(args)
	label := s.text(words)
	if on != "" {
		return s.message(on), label
	}
	var m *sandbox.Message
	var seen []string
	s.until(func() bool {
		seen = nil
		for _, one := range slices.Backward(s.w().Channel.Messages(who)) {
			if _, ok := one.Snapshot().Button(label); ok {
				m = one
				return true
			}
			seen = append(seen, one.Snapshot().Labels()...)
		}
		return false
	}, func() string { return fmt.Sprintf("%s sees no button %q but %q", who.Name(), label, seen) })
	return m, label
}

// choice returns the select of the message that has such a choice, by its label or by the
// name of a person, and the choice's value.
func (s *scene) choice(m *sandbox.Message, label string) (customID, value string) {
	for c := range rules.All(m.Snapshot().Components) {
		if c.Type == rules.TypeUserSelect && strings.HasPrefix(label, "@") {
			return c.CustomID, s.anybody(label[1:]).ID()
		}
		for _, o := range c.Options {
			if o.Label == label {
				return c.CustomID, o.Value
			}
		}
	}
	s.Fatalf("nobody can choose %q on %q", label, m.Text())
	return "", ""
}

// boardFor returns the board that somebody plays on: by default the newest that they
// see.
func (s *scene) boardFor(who *sandbox.User, on string) *sandbox.Message {
	if on != "" {
		return s.message(on)
	}
	for _, m := range slices.Backward(s.w().Channel.Messages(who)) {
		if bottest.Grid(m.Snapshot()) != "" {
			return m
		}
	}
	s.Fatalf("%s sees no board", who.Name())
	return nil
}
