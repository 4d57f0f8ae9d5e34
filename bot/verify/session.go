package verify

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
)

// Run looks at what Discord does, prints it, and leaves a report. The error says why it could
// not look, or not to the end; what was made is removed all the same.
func Run(ctx context.Context, o Options) (report Report, err error) {
	if o.Ask == nil && !o.Yes {
		return report, errNobody
	}
	s := &session{opts: o, channel: o.Channel, seen: map[string]evidence{}, silent: map[string]error{}, clicks: make(chan arrival, 16)}
	s.secrets = append(s.secrets, o.REST.Token)
	if o.REST.Transport == nil {
		o.REST.Transport = http.DefaultTransport
	}
	o.REST.Transport = recorder{o.REST.Transport}
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
	err = s.look(ctx)
	err = errors.Join(err, s.made.clean(ctx, s.client, false))
	report = s.report()
	report.print(o.Out, o.Colour)
	if saveErr := report.save(o.Report); saveErr == nil {
		fmt.Fprintf(o.Out, "The report is in %s: it has no tokens, no names and nobody's texts. Please attach it to an issue.\n", o.Report)
	} else {
		err = errors.Join(err, saveErr)
	}
	return report, inWords(err)
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

// errNoHistory says why a message is not read.
var errNoHistory = errors.New("the bot may not read the history of the channel, and needs it for nothing else")

// read fetches a message.
func (s *session) read(ctx context.Context, name, id string) {
	if s.may&readHistory == 0 {
		s.silent[name] = errNoHistory
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
