package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/joho/godotenv"

	"tictactoe/bot/change"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
	"tictactoe/bot/service"
	"tictactoe/bot/webhook"
	"tictactoe/store"
)

// cli is the command line. Every setting can be given as a flag or as the variable
// named beside it; flags win over the environment, the environment over .env.
type cli struct {
	Run      runCmd      `cmd:"" default:"withargs" help:"Connect to Discord and play (the default)."`
	Sandbox  sandboxCmd  `cmd:"" help:"Try it here: a local Discord with a page to play on; no account, no network."`
	Register registerCmd `cmd:"" help:"Write the application commands and exit; run does it by itself when they differ."`
	Copy     copyCmd     `cmd:"" help:"Copy games from an SQLite file into an empty PostgreSQL database."`
	Recount  recountCmd  `cmd:"" help:"Compare points and statistics with the games that were played, and put them right."`
	Verify   verifyCmd   `cmd:"" help:"Compare what Discord does with what the bot expects, in a test server."`
	Health   healthCmd   `cmd:"" help:"Ask the running bot whether it is ready."`

	Version kong.VersionFlag `help:"Print the version and exit."`
}

// apiSettings are for the commands that talk to Discord.
type apiSettings struct {
	Token  string `env:"DISCORD_TOKEN" placeholder:"TOKEN" help:"Bot token (better in the environment, where other users do not see it)."`
	APIURL string `name:"api-url" env:"DISCORD_API_URL" default:"https://discord.com/api/v10" help:"Base of Discord's REST API."`
}

// discordSettings are for the commands that register the bot's commands.
type discordSettings struct {
	apiSettings
	GuildID string `env:"DISCORD_GUILD_ID" placeholder:"ID" help:"Register the commands in this server only, where they appear at once."`
}

// interactionSettings say how interactions come.
type interactionSettings struct {
	PublicKey  string `env:"DISCORD_PUBLIC_KEY" placeholder:"KEY" help:"The application's public key: take interactions that Discord posts to /interactions at HTTP_ADDR."`
	Gateway    string `env:"DISCORD_GATEWAY" default:"on" help:"on, or off to take posted interactions only."`
	ShardCount string `name:"shard-count" env:"SHARD_COUNT" default:"auto" help:"How many Gateway connections the bot has in all: auto, or a number."`
	ShardIDs   string `name:"shard-ids" env:"SHARD_IDS" placeholder:"IDS" help:"Which of them are this process's, such as 0-3,8; all by default."`
	HTTPAddr   string `name:"http-addr" env:"HTTP_ADDR" placeholder:"ADDR" help:"Serve /healthz, /readyz and /interactions at this address."`
}

// gameSettings are for the commands that play.
type gameSettings struct {
	ChallengeTTL string `env:"CHALLENGE_TTL" default:"15m" help:"How long a challenge stays open."`
	DefaultClock string `env:"DEFAULT_CLOCK" default:"10m" help:"Time for a move, or none."`
	KeepRemoved  string `env:"REMOVED_GUILD_DAYS" default:"30" help:"For how many days what is kept about a server stays once the bot was removed from it; 0 for good."`
	SupportURL   string `name:"support-url" env:"SUPPORT_URL" placeholder:"URL" help:"Where people find help, an https address; help names it."`
	StartLimit   string `env:"START_LIMIT" default:"20/600" help:"Games and challenges started within a minute: per person, per person/per server, or none."`
}

// logSettings are for all.
type logSettings struct {
	LogLevel  string `env:"LOG_LEVEL" default:"info" help:"debug, info, warn or error."`
	LogFormat string `env:"LOG_FORMAT" default:"text" help:"text or json."`
}

// dotenvFile is where settings are kept beside the program.
const dotenvFile = ".env"

// problems are what is wrong with the settings, collected so that all of it is reported at
// once. Where there are some they are an error, and nothing is made of the settings.
type problems []string

func (p problems) Error() string {
	return "tictactoe: the settings need attention:\n  " + strings.Join(p, "\n  ")
}

func (p *problems) add(format string, a ...any) { *p = append(*p, fmt.Sprintf(format, a...)) }

// variables resolves settings from the environment and from .env. It implements
// kong's Resolver.
type variables map[string]string

// readEnvironment merges the environment over the .env file, which may be missing.
// What is wrong with that file is returned as problems, for those commands to report
// that live by settings. A name in it that means nothing is one: it is probably
// misspelt.
func readEnvironment(environ []string, file string) (vars variables, p problems) {
	vars = variables{}
	f, err := os.Open(file) //nolint:gosec // the name is ours
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		p.add("%s cannot be read: %v", file, err)
	default:
		defer f.Close()
		values, err := godotenv.Parse(f)
		if err != nil {
			p.add("%s is not a list of NAME=value lines", file) // the cause would quote secrets
		}
		known := settingNames()
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if !slices.Contains(known, name) {
				p.add("%s: there is no setting %s; the settings are %s", file, name, strings.Join(known, ", "))
			}
			vars[name] = values[name]
		}
	}
	for _, e := range environ {
		if name, value, ok := strings.Cut(e, "="); ok {
			vars[name] = value
		}
	}
	return vars, p
}

// settingNames returns the names of all variables that are read.
func settingNames() []string {
	parser := kong.Must(&cli{}, kong.Vars{"version": ""})
	var names []string
	for _, node := range append(parser.Model.Children, parser.Model.Node) {
		for _, f := range node.Flags {
			names = append(names, f.Envs...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Validate implements kong's Resolver.
func (variables) Validate(*kong.Application) error { return nil }

// Resolve implements kong's Resolver. An empty variable counts as not set.
func (v variables) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		if value := v[name]; value != "" {
			return value, nil
		}
	}
	return nil, nil
}

// secret is a value that must not be printed.
type secret string

func (secret) String() string       { return "[redacted]" }
func (secret) GoString() string     { return "[redacted]" }
func (secret) LogValue() slog.Value { return slog.StringValue("[redacted]") }

const adviceNoToken = `DISCORD_TOKEN is not set. To get a token: open https://discord.com/developers/applications,
  make an application, and copy the token from its Bot page into .env (see .env.example).
  To play without Discord, run: tictactoe sandbox
  (or, in a checkout: go run ./cmd/tictactoe sandbox)`

// check returns what the settings ask of the client.
func (s apiSettings) check(p *problems) rest.Options {
	o := rest.Options{BaseURL: strings.TrimRight(s.APIURL, "/"), Token: strings.TrimPrefix(strings.TrimSpace(s.Token), "Bot ")}
	switch {
	case o.Token == "":
		p.add(adviceNoToken)
	case strings.ContainsAny(o.Token, " \t\r\n\"'"):
		p.add("DISCORD_TOKEN has a space or quote in it: copy it again from the application's Bot page")
	}
	u, err := url.Parse(s.APIURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
		p.add("DISCORD_API_URL is not an http or https address such as %s", rest.DefaultBaseURL)
	}
	return o
}

// check adds what the settings ask of the service.
func (s discordSettings) check(p *problems, o *service.Options) {
	o.REST, o.Bot.CommandGuild = s.apiSettings.check(p), store.GuildID(s.GuildID)
	if strings.Trim(s.GuildID, "0123456789") != "" {
		p.add("DISCORD_GUILD_ID %q is no server id: those are digits only", s.GuildID)
	}
}

// check adds what the settings ask of the service.
func (s interactionSettings) check(p *problems, o *service.Options) {
	o.GatewayOff = s.Gateway == "off"
	if s.Gateway != "on" && s.Gateway != "off" {
		p.add("DISCORD_GATEWAY %q is not one of on, off", s.Gateway)
	}
	o.Shards = checkShards(p, s.ShardCount, s.ShardIDs)
	if s.PublicKey != "" {
		key, err := webhook.ParseKey(strings.TrimSpace(s.PublicKey))
		if err != nil {
			p.add("DISCORD_PUBLIC_KEY is not 64 hexadecimal digits: copy Public Key from the application's General Information page")
		}
		if s.HTTPAddr != "" { // otherwise there is nowhere to post to
			o.Webhook.Key = key
		}
	}
	if s.HTTPAddr != "" && !isListenAddr(s.HTTPAddr) {
		p.add("HTTP_ADDR %q is not an address to listen on, such as :8080 or 127.0.0.1:8080", s.HTTPAddr)
	}
	if o.GatewayOff && (s.PublicKey == "" || s.HTTPAddr == "") {
		p.add("DISCORD_GATEWAY is off: interactions then come by HTTP only, which needs DISCORD_PUBLIC_KEY and HTTP_ADDR")
	}
}

// check adds what the settings ask of the game.
func (s gameSettings) check(p *problems, o *service.Options) {
	game := &o.Bot
	game.Timing = kit.Timing{ChallengeTTL: checkDuration(p, "CHALLENGE_TTL", s.ChallengeTTL, "15m"), GridTime: gridTime}
	if s.DefaultClock != "none" {
		game.DefaultClock = checkDuration(p, "DEFAULT_CLOCK", s.DefaultClock, "10m, or none")
	}
	days, err := strconv.ParseUint(s.KeepRemoved, 10, 16)
	if err != nil {
		p.add("REMOVED_GUILD_DAYS %q is not a number of days such as 30, or 0 for good", s.KeepRemoved)
	}
	game.KeepRemoved = time.Duration(days) * 24 * time.Hour //nolint:gosec // 16 bits
	if game.StartLimit, err = change.ParseStartLimit(s.StartLimit); err != nil {
		p.add("START_LIMIT %q is not a positive number such as 20 (a person's starts within a minute), two such as 20/600 (a person's and a server's), or none", s.StartLimit)
	}
	game.SupportURL = s.SupportURL // which stands in messages
	u, err := url.Parse(s.SupportURL)
	if s.SupportURL != "" && (err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || strings.ContainsAny(s.SupportURL, "<> \t\r\n")) {
		p.add("SUPPORT_URL is not an https address such as https://example.org/help")
	}
}

func checkDuration(p *problems, name, text, example string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second {
		p.add("%s %q is not a duration of at least 1s, such as %s", name, text, example)
	}
	return d
}

// check returns the logger that the settings ask for.
func (s logSettings) check(p *problems, w io.Writer) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil || strings.ContainsAny(s.LogLevel, "+-") {
		p.add("LOG_LEVEL %q is not one of debug, info, warn, error", s.LogLevel)
	}
	options := &slog.HandlerOptions{Level: level}
	switch s.LogFormat {
	case "text":
		return slog.New(slog.NewTextHandler(w, options))
	case "json":
		return slog.New(slog.NewJSONHandler(w, options))
	default:
		p.add("LOG_FORMAT %q is not one of text, json", s.LogFormat)
		return slog.New(slog.DiscardHandler)
	}
}

// isListenAddr reports whether addr has the form of an address to listen on: a host,
// which may be left out, and a port.
func isListenAddr(addr string) bool {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}
