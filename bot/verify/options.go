package verify

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
)

// Options say where to look, and how to speak with whoever wants to know. All are required but
// those that say otherwise.
type Options struct {
	REST       rest.Options // with the token
	Identifies *gateway.Identifies
	Channel    string
	Alone      bool // ask for no clicks
	More       bool // ask for what takes a second account, a thread and the app on somebody's account
	Later      bool // leave a message that Resume looks at
	Resume     bool // look at the message that an earlier run has left, and at nothing else
	Clean      bool // remove what earlier runs have left, and look at nothing
	Yes        bool // do not ask
	Made       string
	Report     string
	Version    string

	Out io.Writer
	// Progress shows how far it has come.
	Progress interface {
		Say(format string, a ...any)
		Clear()
	}
	// Ask puts a question and reports whether the answer is yes; nil where nobody can be asked.
	Ask func(ctx context.Context, question string) bool
	// Now is the time, and After tells when some has passed.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
	// Wait is how long somebody may take for what they are asked to press.
	Wait time.Duration
	// Colour says whether Out shows colours.
	Colour bool
}

// session is one run.
type session struct {
	opts   Options
	client *rest.Client
	app    *rest.Application
	made   *made

	guild, channel string
	may            uint64 // the bot, in the channel
	clicks         chan arrival
	private        []privateMessage
	asks           string // the message that says what to do, if it is not the board's

	failed  error // nothing is asked any more
	seen    map[string]evidence
	silent  map[string]error // requests that nobody answered
	secrets secrets
}

// What keeps it from running, in words for whoever runs it.
var (
	errRefused = errors.New("nothing was done")
	errNobody  = errors.New("there is no terminal to ask at: add --yes if this is a test server of yours, in which the bot may post, edit and delete messages of its own, and register commands")
	errRunning = errors.New(`stop the bot first, or use a test application.
Something else answers this application's interactions, so that nobody could tell whose answers these are.
Stop every process that runs with this token, or make another application at https://discord.com/developers/applications,
invite its bot to the test server and put its token into DISCORD_TOKEN`)
	errEndpoint = errors.New(`stop the bot first, or use a test application.
This application has an Interactions Endpoint URL, so that Discord sends nothing over the Gateway.
Take it away on the application's General Information page (https://discord.com/developers/applications) for as long as this takes,
or make another application there, invite its bot to the test server and put its token into DISCORD_TOKEN`)
	errToken         = errors.New("the bot token was refused: copy the current one from the application's Bot page into DISCORD_TOKEN")
	errChannel       = errors.New("the channel is no text channel of a server that the bot sees: copy the id of one (Developer Mode, right-click, Copy Channel ID), and invite the bot there")
	errNoApplication = errors.New("nobody says whose token it is")
	errNothingKept   = errors.New("there is no message to go on with: run it with --later first")
	errTooYoung      = errors.New("the message that was left is not older than an hour yet")
	errInterrupted   = errors.New("interrupted")
)

// arrival is an interaction as it came.
type arrival struct {
	raw      json.RawMessage
	received time.Time
	in       *discord.Interaction
}

// privateMessage is a message that only one person sees.
type privateMessage struct{ token, id string }
