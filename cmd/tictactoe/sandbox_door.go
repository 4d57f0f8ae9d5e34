package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/api"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/page"
)

// doorSettings let other bots, machines and programs in.
type doorSettings struct {
	NoBot       bool     `help:"Serve without our bot, for another one, and print what it needs to connect."`
	Env         bool     `help:"Print that as lines for a shell; implies --no-bot."`
	JSON        bool     `name:"json" help:"Print that as one JSON object; implies --no-bot."`
	Token       string   `placeholder:"TOKEN" help:"The other bot's token; otherwise one is made."`
	Name        string   `default:"Bot" help:"The other bot's name."`
	App         []string `placeholder:"NAME" help:"Another application beside the first one, with a token of its own; may be repeated."`
	Intents     string   `default:"all" help:"Privileged intents that the other bot has: all, none, or some of members, presences, message_content with commas."`
	Permissions string   `default:"0" placeholder:"BITS" help:"What the other bot's role may do, as the number in an invite link."`
	AllowHost   []string `placeholder:"NAME" help:"Let this host name in, too, such as host.docker.internal for a bot in a container; may be repeated."`
	Key         string   `placeholder:"KEY" help:"The key of the test API and, beyond loopback, of the page; otherwise one is made."`
	LogRequests bool     `help:"Log refused, slow and unanswered requests of our own bot, too."`
}

// shortestKey is what a key that other machines can try has to have at least.
const shortestKey = 16

// privileged are the intents by their names in Discord's developer portal.
var privileged = map[string]int{"members": 1 << 1, "presences": 1 << 8, "message_content": 1 << 15}

// door is what doorSettings say, checked.
type door struct {
	doorSettings
	addr        string
	foreign     bool // the bot is not ours
	open        bool // to other machines
	key         string
	api         bool // whether the test API is served
	intents     int
	permissions int64
}

// check checks the settings together with the address and the command.
func (s doorSettings) check(p *problems, addr string, command []string) door {
	d := door{doorSettings: s, addr: addr, foreign: s.NoBot || s.Env || s.JSON || len(command) > 0, key: s.Key}
	switch err := sandbox.CheckAddr(addr); {
	case errors.Is(err, sandbox.ErrNotLoopback) && len(s.AllowHost) == 0:
		p.add("--addr %q is not on this machine alone: give a loopback address such as 127.0.0.1:8484,\n"+
			"  or --allow-host with the name by which others reach it; the page and the test API then want a key", addr)
	case errors.Is(err, sandbox.ErrNotLoopback):
		d.open = true
	case err != nil:
		p.add("--addr %q is not host:port, such as 127.0.0.1:8484", addr)
	}
	for _, name := range s.AllowHost {
		if !sandbox.IsHost(name) {
			p.add("--allow-host %q is not a host name or IP address, such as host.docker.internal; it has no port", name)
		}
	}
	switch {
	case s.Key == "":
		d.key = rand.Text()
	case d.open && len(s.Key) < shortestKey:
		p.add("--key needs at least %d characters where other machines can try it", shortestKey)
	case strings.ContainsAny(s.Key, " \t\r\n\"';,\\"):
		p.add("--key has a space, quote, comma, semicolon or backslash in it")
	}
	d.api = d.foreign || s.Key != ""
	switch {
	case s.Env && s.JSON:
		p.add("--env and --json exclude each other")
	case (s.Env || s.JSON) && len(command) > 0:
		p.add("--env and --json print what a command after -- is given anyway: leave one of them out")
	}
	if strings.ContainsAny(s.Token, " \t\r\n\"'") {
		p.add("--token has a space or quote in it: it goes without \"Bot \"")
	}
	var err error
	if d.intents, err = parseIntents(s.Intents); err != nil {
		p.add("--intents: %v", err)
	}
	if d.permissions, err = strconv.ParseInt(s.Permissions, 10, 64); err != nil || d.permissions < 0 {
		p.add("--permissions %q is not a number such as 8, which is Administrator", s.Permissions)
	}
	if !d.foreign && (s.Token != "" || s.Name != "Bot" || s.Intents != "all" || s.Permissions != "0" || len(s.App) > 0) {
		p.add("--token, --name, --app, --intents and --permissions are for another bot: add --no-bot, or its command after --")
	}
	return d
}

func parseIntents(text string) (bits int, err error) {
	switch text {
	case "none":
		return 0, nil
	case "all":
		for _, bit := range privileged {
			bits |= bit
		}
		return bits, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		bit, ok := privileged[strings.TrimSpace(name)]
		if !ok {
			return 0, fmt.Errorf("%q is not all, none, members, presences or message_content", name)
		}
		bits |= bit
	}
	return bits, nil
}

// options are what the settings ask of the local Discord.
func (d door) options(log *slog.Logger, restart func() error) sandbox.Options {
	o := sandbox.Options{
		Addr: d.addr, AllowHosts: d.AllowHost,
		Heartbeat:    heartbeat,
		KeepMessages: keptMessages, KeepRequests: keptRequests, KeepWrites: keptWrites,
	}
	if d.open {
		o.Key = d.key
	}
	if d.foreign {
		// Somebody stops such a bot in a debugger: it has Discord's own patience. Its
		// clock can be moved, because no bot of ours would be left behind.
		o.Heartbeat, o.Clock, restart = 0, clock.NewMovable(), nil
		o.Token, o.BotName, o.PrivilegedIntents, o.BotPermissions = d.Token, d.Name, d.intents, d.permissions
	}
	if d.foreign || d.LogRequests {
		o.Log = log
	}
	o.Handler = func(s *sandbox.Server) http.Handler {
		mux := http.NewServeMux()
		if d.api {
			mux.Handle(api.Base+"/", api.New(s, d.key))
		}
		mux.Handle("/", page.New(s, page.Options{Bare: true, RestartSession: restart}))
		return mux
	}
	return o
}

// pageURL is the address of the page for the browser of whoever started it, with the
// key if it wants one.
func (d door) pageURL(srv *sandbox.Server) string {
	if d.open {
		return srv.PublicURL() + "/?key=" + d.key
	}
	return srv.URL()
}

// warning says who else can come in.
func (d door) warning(srv *sandbox.Server) string {
	if !d.open {
		return ""
	}
	return fmt.Sprintf(`WARNING: %s is not on this machine alone. Whoever reaches it
and has the key can be anybody in this local Discord and read all of it; whoever has
the token is the bot. There is no encryption: use it on a network that you trust.
The page: %s
`, d.addr, d.pageURL(srv))
}

// addApps makes the applications beside the first one that are not there yet. What the
// first one may, they may.
func (d door) addApps(srv *sandbox.Server) {
	for _, name := range d.App {
		if !slices.ContainsFunc(srv.Apps(), func(a *sandbox.App) bool { return a.Name() == name }) {
			srv.AddApp(sandbox.AppOptions{Name: name, Permissions: d.permissions, PrivilegedIntents: d.intents})
		}
	}
}

// variable is one that a bot finds its way with.
type variable struct{ name, value string }

// variables are what a bot needs to connect, by the names under which libraries,
// their guides and templates look for it.
func (d door) variables(srv *sandbox.Server) []variable {
	root := srv.PublicURL()
	base := root + strings.TrimPrefix(srv.APIURL(), srv.URL())
	guild := srv.Guild()
	vars := []variable{
		{"DISCORD_TOKEN", srv.Token()},
		{"DISCORD_BOT_TOKEN", srv.Token()},
		{"BOT_TOKEN", srv.Token()},
		{"DISCORD_API_URL", base},
		{"DISCORD_API_BASE", strings.TrimSuffix(base, "/v10")},
		{"DISCORD_GATEWAY_URL", strings.Replace(srv.GatewayURL(), strings.TrimPrefix(srv.URL(), "http"), strings.TrimPrefix(root, "http"), 1)},
		{"DISCORD_APPLICATION_ID", srv.AppID()},
		{"DISCORD_CLIENT_ID", srv.AppID()},
		{"APP_ID", srv.AppID()},
		{"CLIENT_ID", srv.AppID()},
		{"DISCORD_PUBLIC_KEY", srv.PublicKey()},
		{"PUBLIC_KEY", srv.PublicKey()},
		{"DISCORD_GUILD_ID", guild.ID()},
		{"GUILD_ID", guild.ID()},
	}
	if channels := guild.Channels(); len(channels) > 0 {
		vars = append(vars, variable{"DISCORD_CHANNEL_ID", channels[0].ID()})
	}
	for i, a := range srv.Apps()[1:] {
		n := strconv.Itoa(i + 2)
		vars = append(vars, variable{"DISCORD_TOKEN_" + n, a.Token()}, variable{"DISCORD_APPLICATION_ID_" + n, a.ID()})
	}
	return append(vars, variable{"SANDBOX_URL", root + api.Base}, variable{"SANDBOX_KEY", d.key})
}

// forShell writes variables so that a shell can read them in.
func forShell(vars []variable) string {
	var b strings.Builder
	for _, v := range vars {
		fmt.Fprintf(&b, "export %s='%s'\n", v.name, strings.ReplaceAll(v.value, "'", `'\''`))
	}
	return b.String()
}

// asJSON writes variables as one object.
func asJSON(vars []variable) string {
	o := map[string]string{}
	for _, v := range vars {
		o[v.name] = v.value
	}
	b, _ := json.Marshal(o) // strings always encode
	return string(b)
}

// forPeople writes variables so that somebody can copy them. Of several names for the
// same the first is enough.
func forPeople(vars []variable, pageURL string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A local Discord for your bot. Its page: %s\nYour bot needs (--env prints all of it for a shell, --json as JSON):\n\n", pageURL)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	seen := map[string]bool{}
	for _, v := range vars {
		if !seen[v.value] {
			fmt.Fprintf(w, "  %s\t%s\n", v.name, v.value)
		}
		seen[v.value] = true
	}
	_ = w.Flush() // a builder does not fail
	b.WriteString("\nOr let it be started with them: tictactoe sandbox -- npm start\nPress Ctrl+C to stop.\n")
	return b.String()
}
