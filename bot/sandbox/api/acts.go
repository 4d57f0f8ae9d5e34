package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/internal/webjson"
	"tictactoe/bot/sandbox/rules"
)

// outcome is what came of something that a person did.
type outcome struct {
	Call *sandbox.CallInfo `json:"call,omitempty"`
	// Message is what they wrote, or what the bot answered with or changed.
	Message   *sandbox.Snapshot  `json:"message,omitempty"`
	FollowUps []sandbox.Snapshot `json:"follow_ups"`
	// Text is the text of Message.
	Text string `json:"text"`
}

// act carries out an act in the route's world, and waits as the query says.
func act[A sending](h *handler) http.HandlerFunc {
	return postWithin(h, func(w *world, r *http.Request, in A) (any, error) {
		return w.do(r, "answered", func() (*sandbox.Call, *sandbox.Message, error) {
			u, a := in.find(w)
			if w.err != nil {
				return nil, nil, w.err
			}
			call, err := u.Do(a)
			return call, nil, err
		})
	})
}

// do does something that people do, unless something was not found that it needs, waits as the
// query says, and tells what came of it: of the interaction if it sends one, else of the message.
func (w *world) do(r *http.Request, usual string, do func() (*sandbox.Call, *sandbox.Message, error)) (any, error) {
	if w.err != nil {
		return nil, w.err
	}
	what, timeout, err := waiting(r, usual)
	if err != nil {
		return nil, err
	}
	call, m, err := do()
	if err == nil {
		err = w.await(r.Context(), what, timeout, call)
	}
	if err != nil {
		return nil, err
	}
	out := outcome{FollowUps: []sandbox.Snapshot{}}
	if call != nil {
		reply := call.Reply()
		m, out.FollowUps = reply.Message, each(reply.Followups(), (*sandbox.Message).Snapshot)
		info := call.Info()
		out.Call = &info
	}
	if m != nil {
		s := m.Snapshot()
		out.Message, out.Text = &s, s.Text()
	}
	return out, nil
}

func (h *handler) await(ctx context.Context, what string, timeout time.Duration, call *sandbox.Call) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if what == "none" {
		return nil
	}
	if call != nil {
		if _, err := call.Answer(ctx); err != nil {
			return err
		}
	}
	if what == "settled" {
		return h.srv.Settled(ctx)
	}
	return nil
}

// somebody finds anybody by their id, as people in no guild have direct messages too, or a member
// by name. A name that is somebody's id names that one.
func (w *world) somebody(name string) *sandbox.User {
	// Whoever owns all worlds is a member of each, and in the lists of one at most.
	return cmp.Or(w.srv.World().UserByID(name), find(append(w.guild.Members(), w.srv.World().Owner()), name))
}

// person finds somebody one can be.
func (w *world) person(name string) *sandbox.User {
	u := w.somebody(name)
	if u == nil || u.IsBot() && !slices.Contains(w.guild.Members(), u) {
		w.note(unknown("person", name))
	}
	return u
}

// channel finds a channel of the world, for a person also "@dm", their direct messages with a
// bot, and any direct messages that they are among by id.
func (w *world) channel(u *sandbox.User, a *sandbox.App, name string) *sandbox.Channel {
	if u != nil && w.err == nil {
		if name == "@dm" {
			return u.DMWith(cmp.Or(a, w.srv.App()))
		}
		if c := w.srv.World().ChannelByID(name); c != nil && c.Guild() == nil && c.VisibleTo(u) {
			return c
		}
	}
	return known(w, w.guild.Channels(), "channel", name)
}

// someChannel finds any channel by its id, or one of the world by name.
func (w *world) someChannel(name string) *sandbox.Channel {
	return cmp.Or(w.srv.World().ChannelByID(name), find(w.guild.Channels(), name))
}

// message finds a message, deleted ones included: who uses them is told so.
func (w *world) message(id string) *sandbox.Message {
	m := w.srv.World().MessageByID(id)
	if m == nil {
		w.note(refuse(http.StatusNotFound, "unknown_message", fmt.Sprintf("There is no message %q.", id)))
	}
	return m
}

// call finds an interaction, whoever sent it.
func (w *world) call(id string) *sandbox.Call {
	c := w.srv.World().CallByID(id)
	if c == nil {
		w.note(refuse(http.StatusNotFound, "unknown_call", fmt.Sprintf("There is no interaction %q, or it is no longer kept.", id)))
	}
	return c
}

type sayRequest struct {
	inPlace
	Text  string         `json:"text"`
	Files []sandbox.File `json:"files,omitempty"`
}

func (w *world) say(r *http.Request, in sayRequest) (any, error) {
	u, _, c := in.where(w)
	if n := utf8.RuneCountInString(in.Text); n > rules.MaxContent {
		w.note(&webjson.Error{
			Status: http.StatusUnprocessableEntity, Code: "bad_option", Field: "text",
			Message: fmt.Sprintf("A message has at most %d characters; this has %d.", rules.MaxContent, n),
		})
	}
	return w.do(r, "none", func() (_ *sandbox.Call, m *sandbox.Message, err error) {
		m, err = u.Say(c, in.Text, in.Files...)
		return nil, m, err
	})
}

// messageRequest does something to a message, or undoes it.
type messageRequest struct {
	onMessage
	Remove bool `json:"remove,omitempty"`
}

// doOrUndo does it, or undoes it.
func (w *world) doOrUndo(r *http.Request, in messageRequest, do, undo func(*sandbox.User, *sandbox.Message) error) (any, error) {
	u, m := in.who(w)
	if in.Remove {
		do = undo
	}
	return w.do(r, "none", func() (*sandbox.Call, *sandbox.Message, error) { return nil, m, do(u, m) })
}

type reactRequest struct {
	messageRequest
	Emoji string `json:"emoji"`
}

func (w *world) react(r *http.Request, in reactRequest) (any, error) {
	with := func(do func(*sandbox.User, *sandbox.Message, string) error) func(*sandbox.User, *sandbox.Message) error {
		return func(u *sandbox.User, m *sandbox.Message) error { return do(u, m, in.Emoji) }
	}
	return w.doOrUndo(r, in.messageRequest, with((*sandbox.User).React), with((*sandbox.User).Unreact))
}

// once does something to a message for good.
func once(do func(*sandbox.User, *sandbox.Message) error) func(*world, *http.Request, onMessage) (any, error) {
	return func(w *world, r *http.Request, in onMessage) (any, error) {
		return w.doOrUndo(r, messageRequest{onMessage: in}, do, nil)
	}
}

// deleteMessage deletes a message as a moderator does, or one's own.
func deleteMessage(u *sandbox.User, m *sandbox.Message) error {
	if !m.DeletableBy(u) {
		return sandbox.ErrForbidden
	}
	m.Delete()
	return nil
}

// pin pins a message, or takes its pin away.
func (w *world) pin(r *http.Request, in messageRequest) (any, error) {
	return w.doOrUndo(r, in, (*sandbox.User).Pin, (*sandbox.User).Unpin)
}
