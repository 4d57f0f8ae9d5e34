package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tictactoe/bot/bottest"
	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox"
)

// verb is what a line that starts with its name does. Only some can be negated.
type verb struct {
	do      func(s *scene, neg bool, args []string)
	negated bool
	least   int // arguments
}

// verbs are all but those that start with a person's name, by the first word.
var verbs = map[string]verb{
	"setting":   {do: setting, least: 2},
	"delivered": {do: func(s *scene, _ bool, _ []string) { s.begins(bottest.ClicksDelivered) }},
	"emojis":    {do: func(s *scene, _ bool, _ []string) { s.begins(bottest.OwnMarks) }},
	"person":    {do: person, least: 1},
	"moves":     {do: moves, least: 3},
	"all":       {do: all, negated: true, least: 2},
	"board":     {do: board, least: 1},
	"buttons":   {do: buttons},
	"notified":  {do: lists("notified", func(m sandbox.Snapshot) []string { return m.Pinged })},
	"badged":    {do: lists("badged", func(m sandbox.Snapshot) []string { return m.Badged })},
	"name":      {do: name, least: 1},
	"gone":      {do: gone, least: 1},
	"delete":    {do: remove, least: 1},
	"busy":      {do: func(s *scene, _ bool, _ []string) { s.w().Match(s) }},
	"free":      {do: free},
	"channel":   {do: channel, least: 1},
	"speaks":    {do: speaks, least: 2},
	"later":     {do: later, least: 1},
	"bot":       {do: program, least: 1},
}

func (v verb) run(s *scene, name string, neg bool, args []string) {
	switch {
	case neg && !v.negated:
		s.Fatalf("%s cannot be negated", name)
	case len(args) < v.least:
		s.Fatalf("%s needs %d arguments", name, v.least)
	default:
		v.do(s, neg, args)
	}
}

// settings are those of the program's that a script can begin with. PLACES are those of a
// channel whose guild sets nothing.
var settings = map[string]func(s *scene, value string) bottest.Option{
	"DEFAULT_CLOCK": set(time.ParseDuration, bottest.TimeLimit),
	"CHALLENGE_TTL": set(time.ParseDuration, bottest.ChallengeTTL),
	"PLACES":        set(strconv.Atoi, bottest.Places),
}

// set makes an option of what a value says.
func set[T any](parse func(string) (T, error), option func(T) bottest.Option) func(*scene, string) bottest.Option {
	return func(s *scene, value string) bottest.Option { return option(read(s, parse, value)) }
}

func setting(s *scene, _ bool, args []string) {
	s.begins(meant(s, settings, args[0], "there is no setting %s here")(s, args[1]))
}

// begins has the world begin with an option.
func (s *scene) begins(o bottest.Option) {
	if s.world != nil {
		s.Fatalf("that comes before everything else")
	}
	s.settings = append(s.settings, o)
}

// kinds are what somebody can be introduced as.
var kinds = map[string]sandbox.UserOption{
	"moderator": sandbox.Moderator, "manager": sandbox.Permissions(discord.PermissionManageGuild),
	"bot": sandbox.AsBot, "outsider": sandbox.NotMember,
}

func person(s *scene, _ bool, args []string) {
	var options []sandbox.UserOption
	for _, kind := range args[1:] {
		options = append(options, meant(s, kinds, kind, "nobody can be a %s"))
	}
	s.w().Discord.User(args[0], options...)
	addPerson(args[0], func(name string, f func(*testscript.TestScript, bool, []string)) { s.ts.SetCmd(name, f) })
}

func moves(s *scene, _ bool, args []string) {
	args, on := on(args)
	first, second := s.person(args[0]), s.person(args[1])
	s.w().Cells(s, s.boardFor(first, on), first, second, args[2:]...)
}

func all(s *scene, neg bool, args []string) {
	if args[0] != "see" {
		s.Fatalf("all can only see")
	}
	words, on := on(args[1:])
	said, text := "", s.text(words)
	says := func() bool { // the newest message may be another one in a moment
		said = s.message(on).Text()
		return strings.Contains(said, text)
	}
	it := func() string { return fmt.Sprintf("it says %q", said) }
	switch {
	case !neg:
		s.until(says, it)
	case says():
		s.Fatalf("%s", it())
	}
}

func board(s *scene, _ bool, args []string) {
	args, on := on(args)
	m, got := s.message(on), ""
	s.until(func() bool { got = bottest.Grid(m.Snapshot()); return got == args[0] }, func() string { return "the board is " + got })
}

func buttons(s *scene, _ bool, args []string) {
	want, on := on(args)
	m := s.message(on)
	var got []string
	s.until(func() bool {
		got = nil
		for _, b := range slices.Concat(m.Snapshot().Rows()...) {
			if !bottest.IsCell(b.CustomID) {
				got = append(got, b.Label)
			}
		}
		return slices.Equal(got, want)
	}, func() string { return fmt.Sprintf("the buttons are %q", got) })
}

func free(s *scene, _ bool, _ []string) {
	s.until(func() bool { _, busy := s.w().Active(s); return !busy }, func() string { return "a game is running here" })
}

// until waits until ok holds, and fails with what is there instead.
func (s *scene) until(ok func() bool, instead func() string) {
	for limit := time.After(s.patience); !ok(); {
		select {
		case <-limit:
			s.Fatalf("%s", instead())
		case <-time.After(time.Millisecond): // polls
		}
	}
}

// lists waits until the newest public message lists exactly the people that are named.
func lists(as string, listed func(sandbox.Snapshot) []string) func(*scene, bool, []string) {
	return func(s *scene, _ bool, args []string) {
		var want []string
		for _, name := range args {
			want = append(want, s.person(name).ID())
		}
		slices.Sort(want)
		var got []string
		s.until(func() bool {
			got = slices.Sorted(slices.Values(listed(s.message("").Snapshot())))
			return slices.Equal(got, want)
		}, func() string { return fmt.Sprintf("%v are %s, want %v", got, as, want) })
	}
}

func name(s *scene, _ bool, args []string) {
	if len(args) == 3 && args[1] == "of" {
		s.named[args[0]] = s.w().Answer(s, s.answer(args[2]))
		return
	}
	s.named[args[0]] = s.message("")
}

func gone(s *scene, _ bool, args []string) {
	s.until(s.message(args[0]).Deleted, func() string { return "it is still there" })
}

func remove(s *scene, _ bool, args []string) { s.message(args[0]).Delete() }

// rights are what may be given to a channel.
var rights = map[string]sandbox.ChannelOption{
	"bot-sees-nothing": sandbox.NoBotView, "bot-posts-nothing": sandbox.NoBotPosts,
}

func channel(s *scene, _ bool, args []string) {
	w := s.w()
	if who, ok := strings.CutPrefix(args[0], "@"); ok {
		w.Channel = s.person(who).DM()
		return
	}
	var options []sandbox.ChannelOption
	for _, word := range args[1:] {
		if names, ok := strings.CutPrefix(word, "only:"); ok {
			var people []*sandbox.User
			for name := range strings.SplitSeq(names, ",") {
				people = append(people, s.person(name))
			}
			options = append(options, sandbox.Visible(people...))
			continue
		}
		options = append(options, meant(s, rights, word, "there is no right %s here"))
	}
	w.Channel = w.Discord.Guild().Channel(args[0])
	w.Channel.Set(options...)
}

func speaks(s *scene, _ bool, args []string) {
	for _, who := range args[1:] {
		if who == "server" {
			s.w().Discord.Guild().SetLocale(args[0])
			continue
		}
		s.person(who).Set(sandbox.Locale(args[0]))
	}
}

// later lets time pass. The bot has looked at its clock before and after, as it does
// all the time: what passes between two looks is not all counted.
func later(s *scene, _ bool, args []string) {
	s.w()
	s.clock.Advance(read(s, time.ParseDuration, args[0]))
}

func program(s *scene, _ bool, args []string) {
	w := s.w()
	acts := map[string]func(testing.TB){"restarts": w.Restart, "stops": w.Stop, "starts": w.Start, "crashes": w.Crash}
	meant(s, acts, args[0], "the bot cannot %s")(s)
}
