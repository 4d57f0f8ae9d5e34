package sandbox

import (
	"encoding/json"
	"time"

	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/rules"
)

// callbackKinds says which callback types answer which interactions, as
// specified by Discord's documentation; those of components and of modals that
// a component opened may also update the component's message.
var callbackKinds = map[int][]int64{
	InteractionAutocomplete: {CallbackAutocomplete},
	InteractionCommand:      {CallbackMessage, CallbackDeferMessage, CallbackModal},
	InteractionComponent:    {CallbackMessage, CallbackDeferMessage, CallbackDeferUpdate, CallbackUpdate, CallbackModal},
	InteractionModal:        {CallbackMessage, CallbackDeferMessage, CallbackDeferUpdate, CallbackUpdate},
}

// callback serves the first answer to an interaction.
func callback(w *World, x *exchange) (any, error) {
	c := w.byID[x.Params["interaction_id"]]
	if c == nil || c.token != x.Params["interaction_token"] {
		return nil, rules.ErrUnknownInteraction
	}
	x.isFor(c)
	c.attempts++
	if w.clock.Now().Sub(c.dispatched) >= w.opt.Deadline {
		c.expire() // the timer is about to
	}
	switch c.is.State {
	case CallAnswered:
		return nil, rules.ErrAcknowledged
	case CallFailed:
		return nil, rules.ErrUnknownInteraction
	}
	o, err := x.Object()
	if err != nil {
		return nil, err
	}
	kinds := callbackKinds[c.kind]
	if c.kind == InteractionModal && c.message == nil {
		kinds = kinds[:2] // there is nothing to update
	}
	kind := x.Form.NeedChoice(o, "type", kinds...)
	var data map[string]any
	if o["data"] != nil {
		data, _ = x.Form.At("data").Object(o["data"])
	}
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	if err := acknowledge(w, x, c, int(kind), x.Form.At("data"), data); err != nil {
		return nil, err
	}
	c.deadline()
	c.is.State, c.is.Type, c.is.Latency = CallAnswered, int(kind), w.clock.Now().Sub(c.dispatched)
	c.callbackBody = json.RawMessage(x.Raw)
	if took := c.is.Latency; took >= rest.Slow {
		w.log.Warn("slow answer", "interaction", c.String(), "took", took.Round(time.Millisecond), "deadline", w.opt.Deadline)
	}
	c.publish()
	if x.Query.Get("with_response") == "true" || x.Query.Get("with_response") == "1" {
		return response(c), nil
	}
	return nil, nil
}

// acknowledge carries out a callback of an allowed type, or refuses its data.
func acknowledge(w *World, x *exchange, c *Call, kind int, f rules.Form, data map[string]any) error {
	if c.channel.deleted && kind != CallbackAutocomplete {
		return rules.ErrUnknownChannel
	}
	if writes := kind == CallbackMessage || kind == CallbackDeferMessage || kind == CallbackUpdate; writes {
		if err := closedToTokens(c.channel); err != nil {
			return err
		}
	}
	switch kind {
	case CallbackMessage:
		d, err := w.application().CheckMessage(f, data, nil, x.Files)
		if err != nil {
			return err
		}
		answerMessage(x, c, d, d.Flags)
	case CallbackDeferMessage:
		flags, _ := f.Integer(data, "flags", 0, 1<<53)
		if err := f.Err(); err != nil {
			return err
		}
		// Only EPHEMERAL counts here; Discord ignores the other flags.
		d := &rules.Draft{Has: map[string]bool{}}
		c.deferred = true
		answerMessage(x, c, d, int(flags)&rules.FlagEphemeral|rules.FlagLoading)
	case CallbackDeferUpdate:
		c.original = c.message
	case CallbackUpdate:
		if c.message.deleted && !c.message.dismissed {
			return rules.ErrUnknownMessage
		}
		if err := edit(w, x, c.message, f, data); err != nil {
			return err
		}
		c.original = c.message
	case CallbackAutocomplete:
		choices, err := rules.CheckChoices(f, data, c.focus)
		if err != nil {
			return err
		}
		c.is.Choices = choices
	case CallbackModal:
		var err error
		c.is.Modal, err = rules.CheckModal(f, data)
		return err
	}
	return nil
}

// answerMessage creates the message that answers a call.
func answerMessage(x *exchange, c *Call, d *rules.Draft, flags int) {
	m := c.newAnswer(d, flags)
	switch c.kind {
	case InteractionCommand:
		m.kind = messageSlash
		if c.data["target_id"] != nil {
			m.kind = messageContext
		}
	case InteractionComponent, InteractionModal:
		if c.message != nil && flags&rules.FlagEphemeral == 0 {
			m.kind = messageReply
			m.reference = referenceTo(c.channel, c.message.id)
		}
	}
	if m.kind != messageReply || d.Mentions != nil {
		m.ping(d.Mentions)
	} else {
		m.ping(&rules.AllowedMentions{}) // a click's answer does not notify the bot's own message
	}
	m.post(x.write("create"))
	c.original = m
}

// newAnswer makes a message that is for the person alone if it wants that, or must be.
func (c *Call) newAnswer(d *rules.Draft, flags int) *Message {
	m := newMessage(c.channel, c.world.app.user)
	m.origin = c
	m.apply(d, true)
	m.body.Flags = flags & (rules.SettableFlags | rules.FlagEphemeral | rules.FlagLoading)
	if c.mustBePrivate() {
		m.body.Flags |= rules.FlagEphemeral
	}
	if m.body.Flags&rules.FlagEphemeral != 0 {
		m.viewer = c.user
	}
	return m
}

// edit checks and applies what is given for an edit of a message.
func edit(w *World, x *exchange, m *Message, f rules.Form, fields map[string]any) error {
	d, err := w.application().CheckMessage(f, fields, &m.body, x.Files)
	if err != nil {
		return err
	}
	filled := m.body.Flags&rules.FlagLoading != 0
	m.apply(d, x.Route.Auth == rest.AuthToken)
	if filled {
		m.ping(d.Mentions)
	}
	m.wasEdited(x.write("edit"))
	return nil
}

// response is what with_response asks for.
func response(c *Call) map[string]any {
	in := map[string]any{"id": c.id, "type": c.kind}
	out := map[string]any{"interaction": in}
	if m := c.answer(); m != nil {
		in["response_message_id"] = m.id
		in["response_message_loading"] = m.body.Flags&rules.FlagLoading != 0
		in["response_message_ephemeral"] = m.body.Flags&rules.FlagEphemeral != 0
	}
	if c.is.Type == CallbackMessage || c.is.Type == CallbackUpdate {
		out["resource"] = map[string]any{"type": c.is.Type, "message": c.answer().json()}
	}
	return out
}

func editByToken(w *World, x *exchange) (any, error) {
	if err := closedToTokens(x.message.channel); x.call != nil && err != nil {
		return nil, err
	}
	if err := edit(w, x, x.message, x.Form, x.fields); err != nil {
		return nil, err
	}
	if c := x.call; c != nil {
		if x.message == c.original {
			c.deferred = false
		}
		c.publish()
	}
	return x.message.json(), nil
}

func deleteByToken(w *World, x *exchange) (any, error) {
	x.message.deleteLocked(x.write("delete"))
	if x.call != nil {
		x.call.publish()
	}
	return nil, nil
}

// postByToken posts a message of a channel's webhook, or for an interaction.
func postByToken(w *World, x *exchange) (any, error) {
	if x.hook != nil {
		return execute(w, x)
	}
	return followUp(w, x)
}

// followUp creates a further message for an interaction. The first one after a
// deferred answer fills that in instead and stays as private as it was.
func followUp(w *World, x *exchange) (any, error) {
	c := x.call
	if err := closedToTokens(c.channel); err != nil {
		return nil, err
	}
	if c.deferred && (!c.original.deleted || c.original.dismissed) {
		x.message = c.original
		return editByToken(w, x)
	}
	d, err := w.application().CheckMessage(x.Form, x.fields, nil, x.Files)
	if err != nil {
		return nil, err
	}
	// Unlike the first answer, follow-ups obey what the bot may do in a channel
	// of a guild that it is a member of; private ones post nothing.
	g := c.channel.guild
	if g != nil && g.botIn() && d.Flags&rules.FlagEphemeral == 0 && !c.channel.botMayPost() {
		return nil, rules.ErrMissingPermissions
	}
	if c.channel.installedByUser() && len(c.followUps) >= rules.MaxFollowUps {
		return nil, rules.ErrFollowUps
	}
	m := c.newAnswer(d, d.Flags&^rules.FlagLoading)
	if c.original != nil {
		m.kind = messageReply
		m.reference = referenceTo(c.channel, c.original.id)
	}
	m.ping(d.Mentions)
	c.followUps = append(c.followUps, m)
	m.post(x.write("create"))
	c.publish()
	return m.json(), nil
}
