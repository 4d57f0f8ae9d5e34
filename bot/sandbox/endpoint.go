package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"tictactoe/bot/sandbox/internal/post"
	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/rules"
)

// Errors of REST.SetEndpoint.
var (
	// ErrEndpointAddress: the address is not http or https, or is not on this machine.
	ErrEndpointAddress = post.ErrAddress
	// ErrEndpoint: what answers there did not pass Discord's check.
	ErrEndpoint = post.ErrRefused
)

// badSignatures is after how many interactions that were posted to an endpoint one
// follows whose signature is wrong: Discord tests endpoints that way all the time.
const badSignatures = 50

// SetEndpoint sets an application's Interactions Endpoint URL, as its page in
// Discord's Developer Portal does: a PING with a wrong signature must be answered with
// 401, and one with the right one with a PONG. From then on the application's
// interactions are posted there, signed, and no INTERACTION_CREATE comes over the
// Gateway; an endpoint that later takes a wrong signature is removed again. Without an
// address they go over the Gateway. The errors are ErrEndpointAddress and ErrEndpoint.
func (s *REST) SetEndpoint(ctx context.Context, a *App, address string) error {
	if err := s.tryAddress(ctx, a, address); err != nil {
		return err
	}
	defer s.world.hold()()
	a.endpoint, a.posted = address, 0
	s.world.feed.Wake()
	return nil
}

// tryAddress checks an address; none is always right.
func (s *REST) tryAddress(ctx context.Context, a *App, address string) error {
	if address == "" {
		return nil
	}
	return s.poster.Check(ctx, a.key, s.world.clock.Now(), address, func() []byte {
		defer s.world.hold()()
		id := s.world.newID()
		return rules.Encode(map[string]any{
			"id": id, "application_id": a.id, "type": InteractionPing, "token": interactionToken(id), "version": 1,
		})
	})
}

// tryEndpoint checks the address that a request gives an application.
func tryEndpoint(x *rest.Exchange) error {
	o, _ := x.Body.(map[string]any)
	address, _ := o["interactions_endpoint_url"].(string)
	a := x.App.(*App)
	return a.world.rest.tryAddress(x.Request.Context(), a, address)
}

// editApplication sets where an application's interactions are posted, which is all that can
// be changed of it.
func editApplication(w *World, x *exchange) (any, error) {
	for key := range x.fields {
		if key != "interactions_endpoint_url" {
			return nil, rules.NotOffered("changing " + key + " of an application")
		}
	}
	if address, given := x.fields["interactions_endpoint_url"]; given {
		text, _ := x.Form.Text(x.fields, "interactions_endpoint_url", 0, 512)
		if x.Early != nil {
			w.log.Warn("endpoint refused", "endpoint", address, "error", x.Early)
			x.Form.At("interactions_endpoint_url").Fail("APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID", "The specified interactions endpoint url could not be verified.")
		}
		if err := x.Form.Err(); err != nil {
			return nil, err
		}
		w.app.endpoint, w.app.posted = text, 0
	}
	return getApplication(w, x)
}

// Post posts an interaction to its application's endpoint, and takes the answer.
func (s *REST) Post(c *Call) {
	if s.world.closing.Err() != nil {
		return
	}
	a, address, body := c.app, c.app.endpoint, rules.Encode(c.payload)
	a.posted++
	probe := a.posted%badSignatures == 0
	deliver := func() {
		ctx, cancel := context.WithTimeout(s.world.closing, s.world.opt.Deadline)
		defer cancel()
		answer, err := s.poster.Send(ctx, a.key, s.world.clock.Now(), address, body)
		s.endpointAnswered(c, answer, err)
		if probe {
			s.probe(ctx, a, address, body)
		}
	}
	if d := s.world.gateway.Faults().Delay(); d > 0 {
		s.world.clock.AfterFunc(d, func() {
			defer s.world.hold()()
			if s.world.closing.Err() == nil {
				s.posts.Go(deliver)
			}
		})
		return
	}
	s.posts.Go(deliver)
}

// probe posts an interaction with a wrong signature, and removes an endpoint that
// takes it.
func (s *REST) probe(ctx context.Context, a *App, address string, body []byte) {
	answer, err := s.poster.Send(ctx, nil, s.world.clock.Now(), address, body)
	if err != nil || answer.Status == http.StatusUnauthorized {
		return
	}
	s.world.log.Warn("endpoint removed", "reason", "it took a wrong signature", "status", answer.Status)
	defer s.world.hold()()
	if a.endpoint == address {
		a.endpoint = ""
	}
}

// endpointAnswered takes the answer of an endpoint to an interaction: the callback
// itself with status 200, none yet with 202, or a refusal, which fails the interaction
// at once.
func (s *REST) endpointAnswered(c *Call, answer post.Answer, err error) {
	var reason string
	switch {
	case err != nil:
		reason = "the endpoint did not answer: " + strings.ReplaceAll(err.Error(), c.token, "…")
	case answer.Status == http.StatusAccepted && len(answer.Body) == 0:
		return
	case answer.Status == http.StatusOK:
		s.AnswerInBody(c.app, restCall{c}, c.token, answer.Kind, answer.Body)
		return
	default:
		reason = fmt.Sprintf("the endpoint answered with status %d", answer.Status)
	}
	defer s.world.hold()()
	if c.is.State == CallPending {
		c.is.Problems = append(c.is.Problems, reason)
		c.expire()
	}
}
