// Package verify looks at what Discord does and compares it with what the bot relies on, for the
// first who has a token: everything else here was tried on the local Discord alone.
//
// Steps leave evidence, which is requests with what Discord answered and interactions as they
// came, each by a name. Rows are data: what is expected, where the code relies on it, which
// evidence it looks at, and a function that judges it. A row without its evidence says nothing.
//
// It keeps to one channel and a thread in it, notifies nobody, writes no global command, and
// removes what it made: the ids are in a file before the next thing is made, so that another run
// can, too. A thread that the bot may not delete it asks somebody to delete.
package verify

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/permission"
)

// Settings say where to look and at what, as flags of a command line (github.com/alecthomas/kong).
type Settings struct {
	Channel string        `placeholder:"ID" help:"A text channel of a test server, in which all of it happens."`
	Alone   bool          `help:"Ask for no clicks."`
	More    bool          `help:"Also ask for what takes a second account, a thread that you lock and delete, and the app on your account."`
	Later   bool          `help:"Leave one message there, for --resume."`
	Resume  bool          `help:"Look at that message when it is older than an hour, and at nothing else."`
	Clean   bool          `help:"Remove what a run that was cut short has left, and look at nothing."`
	Yes     bool          `help:"Do not ask."`
	Wait    time.Duration `default:"5m" help:"How long to wait for each click."`
	Report  string        `default:"tictactoe-verify.json" placeholder:"FILE" help:"Where the report goes."`
	Made    string        `default:"tictactoe-verify-made.json" placeholder:"FILE" help:"Where the ids are kept of what has to be removed."`
}

// Options are what a run works with. All are required but those that say otherwise.
type Options struct {
	Settings
	REST       rest.Options // with the token
	Identifies *gateway.Identifies
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
	may            int64 // the bot, in the channel
	clicks         chan arrival
	private        []privateMessage
	asks           string // the message that says what to do, if it is not the board's

	failed  error // nothing is asked any more
	seen    map[string]evidence
	silent  map[string]error // requests that nobody answered
	secrets []string         // which no report says
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

// Run looks at what Discord does, prints it, and leaves a report. The error says why it could
// not look, or not to the end; what was made is removed all the same.
func Run(ctx context.Context, o Options) (report Report, err error) {
	if o.Ask == nil && !o.Yes {
		return report, errNobody
	}
	s := &session{opts: o, channel: o.Channel, seen: map[string]evidence{}, silent: map[string]error{}, clicks: make(chan arrival, 16)}
	s.secrets = append(s.secrets, o.REST.Token)
	o.REST.BaseURL = cmp.Or(o.REST.BaseURL, rest.DefaultBaseURL)
	o.REST.Transport = recorder{cmp.Or(o.REST.Transport, http.DefaultTransport), o.REST.BaseURL}
	s.client = rest.New(o.REST)
	defer s.client.Close()
	if s.made, err = openMade(o.Made); err != nil {
		return report, err
	}
	if err = s.begin(ctx); err != nil {
		return report, inWords(err)
	}
	if err = s.made.clean(ctx, s.client, o.Clean); err != nil || o.Clean {
		if err == nil {
			fmt.Fprintln(o.Out, "What earlier runs have made is removed.")
		}
		return report, inWords(err)
	}
	err = errors.Join(inWords(s.look(ctx)), s.made.clean(ctx, s.client, false))
	report = s.report()
	report.print(o.Out, o.Colour)
	if saveErr := report.save(o.Report); saveErr == nil {
		fmt.Fprintf(o.Out, "The report is in %s: it has no tokens, no names and nobody's texts. Please attach it to an issue.\n", o.Report)
	} else {
		err = errors.Join(err, saveErr)
	}
	return report, err
}

// inWords turns what the API says into a sentence.
func inWords(err error) error {
	switch {
	case errors.Is(err, rest.ErrUnauthorized):
		return errToken
	case errors.Is(err, rest.ErrAnsweredElsewhere):
		return errRunning
	case errors.Is(err, context.Canceled):
		return errInterrupted
	}
	return err
}

// begin finds out where it is, and asks before anything is done.
func (s *session) begin(ctx context.Context) error {
	asked := s.try(ctx, "application", func(ctx context.Context) (err error) {
		s.app, err = s.client.Application(ctx)
		return err
	})
	if asked.err != nil {
		return asked.err
	}
	if s.app.ID == "" {
		return errNoApplication
	}
	if s.app.Endpoint != "" && !s.opts.Clean {
		return errEndpoint
	}
	question := "Remove what earlier runs have left?"
	if !s.opts.Clean {
		channel := s.try(ctx, "channel", func(ctx context.Context) error { return only(s.client.Channel(ctx, s.channel)) })
		s.guild = channel.text("guild_id")
		switch err := channel.err; {
		case rest.Gone(err) || rest.Forbidden(err) || err == nil && (s.guild == "" || channel.number("type") != 0):
			return errChannel
		case err != nil:
			return err
		}
		did := "post, edit and delete some forty messages of its own and register\nfour commands that begin with " + commandPrefix
		if s.opts.Resume {
			did = "edit the message that was left, and delete it"
		}
		question = fmt.Sprintf("In channel %s of server %s the bot will %s.\n"+
			"Nobody is notified, and all of it is removed at the end. Is that a test server of yours?", s.channel, s.guild, did)
	}
	if s.opts.Yes || s.opts.Ask(ctx, question) {
		return ctx.Err()
	}
	return errors.Join(ctx.Err(), errRefused)
}

// look makes every step of what was asked for.
func (s *session) look(ctx context.Context) error {
	if s.opts.Resume {
		return s.resume(ctx)
	}
	steps := s.alone()
	for i, one := range steps {
		s.opts.Progress.Say("%d of %d", i+1, len(steps))
		one(ctx)
		s.opts.Progress.Clear()
		if err := errors.Join(s.failed, ctx.Err()); err != nil {
			return err
		}
	}
	if s.opts.Alone {
		return nil
	}
	return s.withClicks(ctx)
}

// fail ends the session with the first error behind which nothing else can be looked at.
func (s *session) fail(err error) {
	if s.failed == nil {
		s.failed = err
	}
}

// nonce is one that no message had yet.
func nonce() string { return "verify-" + rand.Text()[:12] }

// post creates a message and notes it. Its id is empty where Discord took none.
func (s *session) post(ctx context.Context, name string, msg discord.Message) (id string) {
	msg.Nonce = nonce()
	return s.postRaw(ctx, name, s.channel, msg.Create())
}

func (s *session) postRaw(ctx context.Context, name, channel string, body json.RawMessage) (id string) {
	e := s.ask(ctx, name, func(ctx context.Context) error { return only(s.client.CreateMessage(ctx, channel, body)) })
	if id = e.text("id"); e.err != nil || id == "" {
		return ""
	}
	if channel == s.channel { // in a thread it goes with that
		s.fail(s.made.add(thing{Kind: aMessage, ID: id, Channel: channel}))
	}
	return id
}

// edit changes a message.
func (s *session) edit(ctx context.Context, name, id string, body json.RawMessage) {
	s.ask(ctx, name, func(ctx context.Context) error { return only(s.client.EditMessage(ctx, s.channel, id, body)) })
}

// remove deletes a message.
func (s *session) remove(ctx context.Context, name, id string) evidence {
	return s.ask(ctx, name, func(ctx context.Context) error { return s.client.DeleteMessage(ctx, s.channel, id) })
}

// call makes a request that the bot has no method for.
func (s *session) call(ctx context.Context, name, method, route string, body any, ids ...string) evidence {
	return s.ask(ctx, name, func(ctx context.Context) error { return s.client.Call(ctx, method, route, ids, body, nil) })
}

// read fetches a message.
func (s *session) read(ctx context.Context, name, id string) {
	if s.may&permission.ReadHistory == 0 {
		s.silent[name] = errors.New("the bot may not read the history of the channel, and needs it for nothing else")
		return
	}
	s.call(ctx, name, "GET", messageRoute, nil, s.channel, id)
}

// fatal returns the errors after which nothing else can be looked at. Refusals are evidence.
func fatal(err error) error {
	if errors.Is(err, rest.ErrUnauthorized) || errors.Is(err, rest.ErrAnsweredElsewhere) {
		return err
	}
	return nil
}
