package rest

import (
	"cmp"
	"context"
	"net/http"
)

// Respond sends the first answer to an interaction. The context's deadline must
// come from the age of the interaction, since Discord takes no answer after
// three seconds; without one the call gives up after Options.AnswerTimeout.
//
// It returns the message that a CallbackMessage created, nil where Discord names it in
// a way that cannot be read: a status of success says that the answer is in place. For
// answers of other kinds it returns nil; whoever updates a message knows it, and what
// Discord would say of it is the whole board again.
//
// A try that failed without a word, or with a 5xx, is repeated while time is left; the
// first leaves some for another if it hangs. If Discord then says that
// the interaction has been answered, the error is ErrAlreadyAcknowledged and the answer
// is in place; one that is ErrAnsweredElsewhere as well says that another answer is. Safe
// for concurrent use.
func (c *Client) Respond(ctx context.Context, interactionID, token string, cb Callback) (*Message, error) {
	r := to(http.MethodPost, "/interactions/{interaction}/{token}/callback", interactionID, token)
	r.isFirstAnswer, r.repeat = true, true // a second delivery is refused with 40060, never applied
	if cb.Type != CallbackMessage {
		return nil, c.answer(ctx, r, cb, nil)
	}
	r.query = "?with_response=true"
	var out struct {
		Interaction struct {
			MessageID string `json:"response_message_id"`
			Ephemeral bool   `json:"response_message_ephemeral"`
		} `json:"interaction"`
		Resource struct {
			Message Message `json:"message"`
		} `json:"resource"`
	}
	if err := c.answer(ctx, r, cb, &out); err != nil {
		return nil, err
	}
	m := out.Resource.Message
	m.ID = cmp.Or(m.ID, out.Interaction.MessageID)
	if m.ID == "" {
		return nil, nil
	}
	if out.Interaction.Ephemeral {
		m.Flags |= FlagEphemeral
	}
	return &m, nil
}

// EditByToken edits a message that was made with this interaction token. Any such
// message can be edited for 15 minutes, ephemeral ones too. A body that is an [Upload]
// brings files; messageID may be "@original" for the first answer.
func (c *Client) EditByToken(ctx context.Context, token, messageID string, body any) (*Message, error) {
	return filled[Message](ctx, c.answer, to(http.MethodPatch, webhookRoute+messageRoute, token, messageID), body)
}

// DeleteByToken deletes a message that was made with this interaction token, within the 15
// minutes in which it could be edited.
func (c *Client) DeleteByToken(ctx context.Context, token, messageID string) error {
	return c.answer(ctx, to(http.MethodDelete, webhookRoute+messageRoute, token, messageID), nil, nil)
}

// GetOriginal fetches the interaction's first answer.
func (c *Client) GetOriginal(ctx context.Context, token string) (*Message, error) {
	return filled[Message](ctx, c.answer, to(http.MethodGet, webhookRoute+messageRoute, token, "@original"), nil)
}

// FollowUp posts a further message. It is repeated only when the first try cannot
// have reached Discord, since Discord has no way to recognise a repeated one.
func (c *Client) FollowUp(ctx context.Context, token string, body any) (*Message, error) {
	r := to(http.MethodPost, webhookRoute, token)
	r.query = "?wait=true"
	return filled[Message](ctx, c.answer, r, body)
}

const webhookRoute = "/webhooks/{application}/{token}"
