// Package script runs tests of whole flows that are written as text, one chat after
// the other, so that somebody who reads no Go can read what is promised:
//
//	Ada: /tictactoe challenge user:Bob
//	notified Bob
//	Bob clicks Accept
//	Ada plays b2
//	all see '@Bob, your move'
//	Ada tries a1
//	Ada is told 'Not yet'
//
// A script is a file of testscript (github.com/rogpeppe/go-internal/testscript): an
// argument with spaces or with # stands in single quotes, a quote in it is doubled,
// and what follows # is a comment. People are Ada, Bob, Cleo and whoever "person"
// introduces. In texts @Ada is how Discord mentions Ada, {name} is the link to the
// message of that name, and :name: the application's emoji of a mark.
//
// The verbs, where MESSAGE is the name of one, and by default the newest public
// message of the channel, or for a move the newest board:
//
//	setting NAME VALUE            one of the program's settings; before everything else
//	emojis                        the application has those of its marks; before everything else
//	delivered                     Discord passes on taps on buttons that have gone; before everything else
//	person NAME [moderator|manager|bot|outsider]
//	Ada: /tictactoe SUBCOMMAND [OPTION:VALUE…]   or /tictactoe-admin
//	Ada menu LABEL Bob            the menu entry, on Bob
//	Ada clicks LABEL [on MESSAGE] by default the newest message with that button
//	Ada chooses LABEL [on MESSAGE]   in a list of the message answered last, or @Bob among people
//	Ada aims LABEL [on MESSAGE]   and then "Ada taps": the button may be gone by then
//	Ada plays CELL [on MESSAGE]   which must count; "any" is the first empty cell
//	Ada tries CELL [on MESSAGE]   which must be refused; where the board is a list, behind the answer
//	moves Ada Bob CELL… [on MESSAGE]   in turn
//	Ada is told TEXT [with LABEL…]   privately, as the answer to what Ada did last, or behind
//	                              one that had to draw the clicked picture again
//	Ada then reads TEXT [with LABEL…]   privately, behind that answer
//	Ada has TEXT                  the private message answered last says it now
//	all see TEXT [on MESSAGE]     and "! all see": it does not say so now
//	board X../.O./... [on MESSAGE]
//	buttons [LABEL…] [on MESSAGE] all but the cells, in order
//	notified [NAME…]              exactly these, by the newest public message
//	badged [NAME…]                on whose badges that counts
//	name MESSAGE [of Ada]         names the newest public message, or Ada's last answer
//	gone MESSAGE                  it is deleted; "delete MESSAGE" has somebody do that
//	busy, free                    whether the channel has a game
//	channel NAME [RIGHTS…]        the scene is there from now on; @Ada is Ada's direct messages
//	speaks LOCALE NAME…           the client's language; "server" is the server's
//	later DURATION                passes
//	bot restarts|stops|starts|crashes
package script

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// Run runs every script in the folder as a test of its name, several at once.
func Run(t *testing.T, dir string) {
	t.Helper()
	testscript.Run(t, params(dir, waittest.Patience()))
}

// params are those of testscript. What a verb waits for has to happen within patience.
func params(dir string, patience time.Duration) testscript.Params {
	commands := map[string]func(*testscript.TestScript, bool, []string){}
	add := func(name string, f func(*testscript.TestScript, bool, []string)) { commands[name] = f }
	for name, v := range verbs {
		add(name, func(ts *testscript.TestScript, neg bool, args []string) { v.run(sceneOf(ts), name, neg, args) })
	}
	for _, person := range []string{"Ada", "Bob", "Cleo"} {
		addPerson(person, add)
	}
	return testscript.Params{
		Dir:  dir,
		Cmds: commands,
		Setup: func(e *testscript.Env) error {
			e.Values[sceneKey{}] = &scene{
				test: e.T().(testing.TB), patience: patience, // it is a test's own
				named: map[string]*sandbox.Message{}, last: map[string]*sandbox.Reply{}, aimed: map[string]func() *sandbox.Reply{},
			}
			return nil
		},
	}
}

// addPerson makes the person's name a verb, with a colon for what is written.
func addPerson(name string, add func(string, func(*testscript.TestScript, bool, []string))) {
	for word, run := range map[string]func(*scene, string, bool, []string){name + ":": writes, name: does} {
		add(word, func(ts *testscript.TestScript, neg bool, args []string) {
			run(sceneOf(ts), name, neg, args)
		})
	}
}

// sceneKey is where testscript keeps the scene.
type sceneKey struct{}

// scene is where a script has come to.
type scene struct {
	test     testing.TB // of the whole script
	patience time.Duration
	settings []bottest.Option
	clock    *bottest.Clock
	world    *bottest.World // nil before the first verb that needs it

	named map[string]*sandbox.Message
	last  map[string]*sandbox.Reply // by person
	aimed map[string]func() *sandbox.Reply

	line // of the script, which fails where it stands
}

// line is a testing.TB that fails at the line of the script that runs.
type line struct {
	testing.TB
	ts *testscript.TestScript
}

func (l line) Helper()                        {}
func (l line) Errorf(format string, a ...any) { l.ts.Fatalf(format, a...) }
func (l line) Fatalf(format string, a ...any) { l.ts.Fatalf(format, a...) }
func (l line) Error(a ...any)                 { l.ts.Fatalf("%s", fmt.Sprint(a...)) }
func (l line) Fatal(a ...any)                 { l.ts.Fatalf("%s", fmt.Sprint(a...)) }

// sceneOf returns the scene of a script, at the line that runs.
func sceneOf(ts *testscript.TestScript) *scene {
	s := ts.Value(sceneKey{}).(*scene)
	s.line = line{s.test, ts}
	return s
}

// w returns the world, which the first verb that needs it starts.
func (s *scene) w() *bottest.World {
	if s.world == nil {
		s.clock = bottest.NewClock()
		s.world = bottest.New(s.test, append([]bottest.Option{bottest.ByClock(s.clock)}, s.settings...)...)
	}
	return s.world
}

// person returns somebody by name.
func (s *scene) person(name string) *sandbox.User { return s.w().Discord.User(name) }

// message returns what a script means by a name, the newest public message of the
// channel for none.
func (s *scene) message(name string) *sandbox.Message {
	if name != "" {
		return meant(s, s.named, name, "no message was named %q")
	}
	for _, m := range slices.Backward(s.w().Channel.Messages(nil)) {
		if !m.Snapshot().Ephemeral() {
			return m
		}
	}
	s.Fatalf("there is no public message in %s", s.w().Channel.Name())
	return nil
}

// meant returns what a word stands for. Where it stands for nothing the script fails, with the
// word in what it says.
func meant[T any](s *scene, known map[string]T, word, otherwise string) T {
	found, ok := known[word]
	if !ok {
		s.Fatalf(otherwise, word)
	}
	return found
}

// on cuts "on MESSAGE" off the end of arguments.
func on(args []string) (rest []string, message string) {
	if n := len(args); n >= 2 && args[n-2] == "on" {
		return args[:n-2], args[n-1]
	}
	return args, ""
}

// with cuts "with LABEL…" off the end of arguments.
func with(args []string) (rest, labels []string) {
	if i := slices.Index(args, "with"); i >= 0 {
		return args[:i], args[i+1:]
	}
	return args, nil
}

// inText is what stands for something else in a text.
var inText = regexp.MustCompile(`@[A-Z][A-Za-z]+|\{[a-z0-9-]+\}|:[a-z]+(_[a-z]+)?:`)

// text is what a script's words are on Discord.
func (s *scene) text(words []string) string {
	return inText.ReplaceAllStringFunc(strings.Join(words, " "), func(found string) string {
		if name, ok := strings.CutPrefix(found, "@"); ok {
			return s.person(name).Mention()
		}
		if found[0] == ':' {
			return bottest.Emoji(s, s.w(), strings.Trim(found, ":"))
		}
		return s.message(strings.Trim(found, "{}")).Link()
	})
}

// read returns what a word says to whoever parses it.
func read[T any](s *scene, parse func(string) (T, error), word string) T {
	said, err := parse(word)
	if err != nil {
		s.Fatalf("%v", err)
	}
	return said
}
