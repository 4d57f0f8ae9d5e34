package host

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/api"
)

// Settings are the command line of a program that serves a local Discord, for
// github.com/alecthomas/kong.
type Settings struct {
	Addr        string   `default:"127.0.0.1:8484" help:"Where to serve the page and Discord's API; beyond loopback only with --allow-host."`
	Data        string   `type:"path" placeholder:"DIR" help:"Keep everything in this folder; otherwise it is gone at the end."`
	Open        bool     `help:"Open the page in the browser."`
	Env         bool     `help:"Print what another bot needs to connect as lines for a shell."`
	JSON        bool     `name:"json" help:"Print it as one JSON object, before the output of a command after --."`
	Token       string   `placeholder:"TOKEN" help:"The other bot's token; otherwise one is made."`
	Name        string   `default:"Bot" help:"The other bot's name."`
	App         []string `placeholder:"NAME" help:"Another application beside the first one, with a token of its own; may be repeated."`
	Intents     string   `default:"all" help:"Privileged intents that the other bot has: all, none, or some of members, presences, message_content with commas."`
	Permissions string   `default:"0" placeholder:"BITS" help:"What the other bot's role may do, as the number in an invite link."`
	Owner       string   `placeholder:"NAME" help:"Who of the people owns the other bot's application and all servers; Ada by default."`
	AllowHost   []string `placeholder:"NAME" help:"Let this host name in, too, such as host.docker.internal for a bot in a container; may be repeated."`
	Key         string   `placeholder:"KEY" help:"The key of the test API and, beyond loopback, of the page; otherwise one is made."`
}

// shortestKey is what a key that other machines can try has to have at least.
const shortestKey = 16

// Config is what Settings say, checked.
type Config struct {
	Settings
	open        bool // to other machines
	key         string
	intents     int
	permissions int64
}

// Check checks the settings together with the command that starts a bot, if there is
// one, and tells what is wrong with them.
func (s Settings) Check(command []string, wrong func(format string, a ...any)) Config {
	c := Config{Settings: s, key: s.Key}
	switch err := sandbox.CheckAddr(s.Addr); {
	case errors.Is(err, sandbox.ErrNotLoopback) && len(s.AllowHost) == 0:
		wrong("--addr %q is not on this machine alone: give a loopback address such as 127.0.0.1:8484,\n"+
			"  or --allow-host with the name by which others reach it; the page and the test API then want a key", s.Addr)
	case errors.Is(err, sandbox.ErrNotLoopback):
		c.open = true
	case err != nil:
		wrong("--addr %q is not host:port, such as 127.0.0.1:8484", s.Addr)
	}
	for _, name := range s.AllowHost {
		if !sandbox.IsHost(name) {
			wrong("--allow-host %q is not a host name or IP address, such as host.docker.internal; it has no port", name)
		}
	}
	switch {
	case s.Key == "":
		c.key = rand.Text()
	case c.open && len(s.Key) < shortestKey:
		wrong("--key needs at least %d characters where other machines can try it", shortestKey)
	case strings.ContainsAny(s.Key, " \t\r\n\"';,\\"):
		wrong("--key has a space, quote, comma, semicolon or backslash in it")
	}
	switch {
	case s.Env && s.JSON:
		wrong("--env and --json exclude each other")
	case s.Env && len(command) > 0:
		wrong("--env prints what a command after -- is given anyway: leave one of them out")
	}
	if strings.ContainsAny(s.Token, " \t\r\n\"'") {
		wrong("--token has a space or quote in it: it goes without \"Bot \"")
	}
	var err error
	if c.intents, err = parseIntents(s.Intents); err != nil {
		wrong("--intents: %v", err)
	}
	if c.permissions, err = strconv.ParseInt(s.Permissions, 10, 64); err != nil || c.permissions < 0 {
		wrong("--permissions %q is not a number such as 8, which is Administrator", s.Permissions)
	}
	return c
}

// ForAnotherBot reports whether some of the settings are about a bot that is not the
// program's own.
func (s Settings) ForAnotherBot() bool {
	return s.Token != "" || s.Name != "Bot" || s.Intents != "all" || s.Permissions != "0" || len(s.App) > 0 || s.Owner != ""
}

func parseIntents(text string) (bits int, err error) {
	switch text {
	case "none":
		return 0, nil
	case "all":
		for _, bit := range api.Privileged {
			bits |= bit
		}
		return bits, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		bit, ok := api.Privileged[strings.TrimSpace(name)]
		if !ok {
			return 0, fmt.Errorf("%q is not all, none, members, presences or message_content", name)
		}
		bits |= bit
	}
	return bits, nil
}
