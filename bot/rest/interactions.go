package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Respond sends the first answer to an interaction. The context's deadline must
// come from the age of the interaction, since Discord takes no answer after
// three seconds; without one the call gives up after Options.AnswerTimeout.
//
// It returns the message that the answer created or edited, nil where Discord
// names none (deferred answers, modals, autocomplete) or names it in a way that
// cannot be read: a status of success says that the answer is in place. A try that
// failed without a word, or with a 5xx, is repeated while time is left; one that is
// slow is waited for to the end, beside a second one. If Discord then says that the
// interaction has been answered, the error is ErrAlreadyAcknowledged and the answer
// is in place. Safe for concurrent use.
func (c *Client) Respond(ctx context.Context, interactionID, token string, cb Callback) (*Message, error) {
	var out struct {
		Interaction struct {
			MessageID string `json:"response_message_id"`
			Ephemeral bool   `json:"response_message_ephemeral"`
		} `json:"interaction"`
		Resource struct {
			Message json.RawMessage `json:"message"`
		} `json:"resource"`
	}
	err := c.answer(ctx, request{
		method: http.MethodPost,
		route:  "/interactions/{interaction}/{token}/callback",
		ids:    []string{interactionID, token},
		query:  interactionHasResource,
		repeat: true, // a second delivery is refused with 40060, never applied
		first:  true,
	}, cb, &out)
	if err != nil {
		return nil, err
	}
	m := new(Message)
	_ = m.decode(out.Resource.Message) // what cannot be read is not known
	m.ID = or(m.ID, out.Interaction.MessageID)
	if m.ID == "" {
		return nil, nil
	}
	m.ephemeral = out.Interaction.Ephemeral
	return m, nil
}

// EditOriginal replaces fields of the interaction's first answer; after an answer
// of type 6 or 7 that is the message the component sits on. body is encoded as
// JSON unless it is a json.RawMessage.
func (c *Client) EditOriginal(ctx context.Context, token string, body any) (*Message, error) {
	return c.EditByToken(ctx, token, "@original", body)
}

// EditByToken edits a message that was made with this interaction token. Any such
// message can be edited for 15 minutes, ephemeral ones too.
func (c *Client) EditByToken(ctx context.Context, token, messageID string, body any) (*Message, error) {
	return c.webhook(ctx, http.MethodPatch, token, messageID, body)
}

// GetOriginal fetches the interaction's first answer.
func (c *Client) GetOriginal(ctx context.Context, token string) (*Message, error) {
	return c.webhook(ctx, http.MethodGet, token, "@original", nil)
}

// DeleteByToken deletes a message made with this interaction token; "@original"
// names the first answer. A message that is gone already is ErrUnknownMessage.
func (c *Client) DeleteByToken(ctx context.Context, token, messageID string) error {
	_, err := c.webhook(ctx, http.MethodDelete, token, messageID, nil)
	return err
}

// FollowUp posts a further message. It is repeated only when the first try cannot
// have reached Discord, since Discord has no way to recognise a repeated one.
func (c *Client) FollowUp(ctx context.Context, token string, body any) (*Message, error) {
	app, err := c.applicationID()
	if err != nil {
		return nil, err
	}
	m := new(Message)
	err = c.answer(ctx, request{
		method: http.MethodPost,
		route:  "/webhooks/{application}/{token}",
		ids:    []string{app, token},
		query:  "?wait=true",
	}, body, m)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (c *Client) webhook(ctx context.Context, method, token, messageID string, body any) (*Message, error) {
	app, err := c.applicationID()
	if err != nil {
		return nil, err
	}
	m := new(Message)
	err = c.answer(ctx, request{
		method: method,
		route:  "/webhooks/{application}/{token}/messages/{message}",
		ids:    []string{app, token, messageID},
		repeat: true,
	}, body, m)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// UnmarshalJSON keeps the whole object beside the fields that are understood.
func (m *Message) UnmarshalJSON(b []byte) error { return m.decode(b) }

func (m *Message) decode(b []byte) error {
	type fields Message
	var f fields
	if err := json.Unmarshal(b, &f); err != nil {
		return fmt.Errorf("decode message: %w", err)
	}
	f.Raw = append(json.RawMessage(nil), b...)
	*m = Message(f)
	return nil
}
