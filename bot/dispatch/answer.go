package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
)

// Answerer sends the one acknowledgement of an interaction. It returns the message
// that the answer made or edited, nil where that is not known. The errors that matter
// are those of package rest.
type Answerer interface {
	Answer(ctx context.Context, in *discord.Interaction, cb rest.Callback) (*rest.Message, error)
}

// Settler is an Answerer whose answers arrive some time after Answer has returned.
// Settle waits for that, and is called behind every answer without an error.
type Settler interface {
	Settle(ctx context.Context)
}

// ByCallback answers interactions that came over the Gateway.
type ByCallback struct{ Client CallbackAPI }

// CallbackAPI is the endpoint that takes answers.
type CallbackAPI interface {
	Respond(ctx context.Context, interactionID, token string, cb rest.Callback) (*rest.Message, error)
}

// Answer sends the answer to the interaction's callback endpoint.
func (c ByCallback) Answer(ctx context.Context, in *discord.Interaction, cb rest.Callback) (*rest.Message, error) {
	return c.Client.Respond(ctx, in.ID, in.Token, cb)
}

// Send sends the acknowledgement of one call, and returns the id of the message that it
// made or edited, empty where that is not known.
type Send struct {
	// Blind says that Discord does not tell when an answer has arrived.
	Blind bool
	// Seen sends a response. Where Discord does not tell when that has arrived, it returns when
	// that is likely, or unseen ends.
	Seen func(ctx, unseen context.Context, r Response) (messageID string, err error)
}

// Answer sends a response.
func (s Send) Answer(ctx context.Context, r Response) (messageID string, err error) {
	return s.Seen(ctx, ctx, r)
}

// noSuggestions answers an option that asks for some, which no bot here has: what asks gets an
// answer of the kind that it can take.
var noSuggestions = json.RawMessage(`{"choices":[]}`)

func (d *Dispatcher[K, R, P]) send(ctx, unseen context.Context, c *Call, r Response, a Answerer) (id string, err error) {
	defer func() {
		if p := recover(); p != nil { // nothing may stay claimed that waits for this answer
			err = d.opts.Work.Caught("answer failed", p)
		}
	}()
	cb := rest.Callback{Type: r.Kind}
	switch r.Kind {
	case rest.CallbackMessage:
		cb.Data = r.Message.By(c.User).Create()
	case rest.CallbackUpdate:
		cb.Data = r.Message.Edit()
	case rest.CallbackAutocomplete:
		cb.Data = noSuggestions
	}
	began := time.Now()
	sent, err := a.Answer(ctx, c.Interaction, cb)
	if errors.Is(err, rest.ErrArchived) && c.Parent != "" && d.opts.Reopen != nil && d.opts.Reopen(ctx, c.Channel) {
		sent, err = a.Answer(ctx, c.Interaction, cb)
	}
	c.AnsweredElsewhere = errors.Is(err, rest.ErrAnsweredElsewhere)
	c.Discord += time.Since(began)
	c.Total = time.Since(c.Received)
	switch {
	case err == nil:
		d.stats.Answered.Add(1)
		if s, ok := a.(Settler); ok {
			s.Settle(unseen)
		}
	case errors.Is(err, rest.ErrAlreadyAcknowledged), errors.Is(err, rest.ErrUnknownInteraction):
		d.opts.Log.Debug("interaction could not be answered", "interaction", c.ID, "error", err)
	default:
		d.stats.Failed.Add(1)
		c.Outcome = Failed
		d.opts.Log.Warn("answer failed", "interaction", c.ID, "error", err)
	}
	if sent != nil {
		id = sent.ID
		c.Hidden = r.Kind == rest.CallbackMessage && !r.Message.Ephemeral && sent.Flags&rest.FlagEphemeral != 0
	}
	return id, err
}
