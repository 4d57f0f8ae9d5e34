package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/acts"
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
func act[A acts.Act](h *handler) http.HandlerFunc {
	return post(func(r *http.Request, in A) (any, error) {
		w, err := h.in(r)
		if err != nil {
			return nil, err
		}
		u, a, err := in.Find(w)
		if bad, ok := errors.AsType[*acts.Error](err); ok {
			return nil, badField(bad.Option, bad.Message)
		}
		if err != nil {
			return nil, err
		}
		return h.act(r, u, a)
	})
}

func (h *handler) act(r *http.Request, u *sandbox.User, a sandbox.Action) (any, error) {
	what, timeout, err := waiting(r, "answered")
	if err != nil {
		return nil, err
	}
	call, err := u.Do(a)
	if err != nil {
		return nil, err
	}
	if err := h.await(r.Context(), what, timeout, call); err != nil {
		return nil, err
	}
	return h.outcomeOf(call), nil
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

func (h *handler) outcomeOf(call *sandbox.Call) outcome {
	r := call.Reply()
	out := outcome{FollowUps: snapshots(r.Followups())}
	if info, ok := h.srv.World().CallInfo(call.ID()); ok {
		out.Call = &info
	}
	if r.Message != nil {
		s := r.Message.Snapshot()
		out.Message, out.Text = &s, s.Text()
	}
	return out
}

// snapshots are what messages look like now.
func snapshots(list []*sandbox.Message) []sandbox.Snapshot {
	out := []sandbox.Snapshot{}
	for _, m := range list {
		out = append(out, m.Snapshot())
	}
	return out
}

// inWorld finds people, roles and channels by name or id within a world.
type inWorld struct {
	*handler
	guild *sandbox.Guild
}

// in is the route's world.
func (h *handler) in(r *http.Request) (inWorld, error) {
	g, err := h.guild(r)
	return inWorld{h, g}, err
}

// actor is the route's world, and who acts in it.
func (h *handler) actor(r *http.Request, as string) (w inWorld, u *sandbox.User, err error) {
	if w, err = h.in(r); err == nil {
		u, err = w.Person(as)
	}
	return w, u, err
}

// Person finds a member.
func (w inWorld) Person(name string) (*sandbox.User, error) {
	if u := findPerson(w.guild, name); u != nil {
		return u, nil
	}
	// Whoever owns all worlds is a member of each, and in the lists of one at most.
	if u := w.srv.World().Owner(); u.ID() == name || u.Name() == name {
		return u, nil
	}
	return nil, unknownPerson(name)
}

// Other finds a member.
func (w inWorld) Other(name string) (*sandbox.User, error) { return w.Person(name) }

// Channel finds a channel of the world, "@dm" for the person's direct messages with a bot,
// or direct messages between people by id, for who is among them.
func (w inWorld) Channel(u *sandbox.User, a *sandbox.App, name string) (*sandbox.Channel, error) {
	for _, each := range w.srv.World().Apps() {
		if name == "@dm" && (a == nil || a == each) || name == u.DMWith(each).ID() {
			return u.DMWith(each), nil
		}
	}
	if c := cmp.Or(findChannel(w.guild, name), w.private(u, name)); c != nil {
		return c, nil
	}
	return nil, unknownChannel(name)
}

// private finds direct messages between people by id, for who is among them.
func (h *handler) private(u *sandbox.User, id string) *sandbox.Channel {
	if c := h.srv.World().ChannelByID(id); u != nil && c != nil && c.Guild() == nil && c.VisibleTo(u) {
		return c
	}
	return nil
}

// Message finds a message, deleted ones included: who uses them is told so.
func (w inWorld) Message(_ *sandbox.User, id string) (*sandbox.Message, error) { return w.message(id) }

// Call finds an interaction, whoever sent it.
func (w inWorld) Call(_ *sandbox.User, id string) (*sandbox.Call, error) {
	if c := w.srv.World().CallByID(id); c != nil {
		return c, nil
	}
	return nil, unknownCall(id)
}

// Names finds in the world.
func (w inWorld) Names(*sandbox.Channel) acts.Names {
	return acts.Names{
		Person:  func(name string) *sandbox.User { return findPerson(w.guild, name) },
		Role:    func(name string) *sandbox.Role { return findRole(w.guild, name) },
		Channel: func(name string) *sandbox.Channel { return findChannel(w.guild, name) },
	}
}

func (h *handler) message(id string) (*sandbox.Message, error) {
	m := h.srv.World().MessageByID(id)
	if m == nil {
		return nil, refuse(http.StatusNotFound, "unknown_message", fmt.Sprintf("There is no message %q.", id))
	}
	return m, nil
}

func unknownCall(id string) error {
	return refuse(http.StatusNotFound, "unknown_call", fmt.Sprintf("There is no interaction %q, or it is no longer kept.", id))
}

type sayRequest struct {
	acts.Place
	Text  string         `json:"text"`
	Files []sandbox.File `json:"files,omitempty"`
}

func (h *handler) say(r *http.Request, in sayRequest) (any, error) {
	w, err := h.in(r)
	if err != nil {
		return nil, err
	}
	u, _, c, err := in.Where(w)
	if err != nil {
		return nil, err
	}
	return h.write(r, func() (*sandbox.Message, error) { return u.Say(c, in.Text, in.Files...) })
}

// write does something to a message that sends no interaction, and waits as the query says.
func (h *handler) write(r *http.Request, do func() (*sandbox.Message, error)) (any, error) {
	what, timeout, err := waiting(r, "none")
	if err != nil {
		return nil, err
	}
	m, err := do()
	if err != nil {
		return nil, err
	}
	if err := h.await(r.Context(), what, timeout, nil); err != nil {
		return nil, err
	}
	s := m.Snapshot()
	return outcome{Message: &s, FollowUps: []sandbox.Snapshot{}, Text: s.Text()}, nil
}

// messageRequest does something to a message, or undoes it.
type messageRequest struct {
	As      string `json:"as"`
	Message string `json:"message"`
	Remove  bool   `json:"remove,omitempty"`
}

// onMessage does it, or undoes it.
func (h *handler) onMessage(r *http.Request, in messageRequest, do, undo func(*sandbox.User, *sandbox.Message) error) (any, error) {
	w, err := h.in(r)
	if err != nil {
		return nil, err
	}
	u, m, err := acts.On(w, in.As, in.Message)
	if err != nil {
		return nil, err
	}
	if in.Remove {
		do = undo
	}
	return h.write(r, func() (*sandbox.Message, error) { return m, do(u, m) })
}

type reactRequest struct {
	messageRequest
	Emoji string `json:"emoji"`
}

func (h *handler) react(r *http.Request, in reactRequest) (any, error) {
	with := func(do func(*sandbox.User, *sandbox.Message, string) error) func(*sandbox.User, *sandbox.Message) error {
		return func(u *sandbox.User, m *sandbox.Message) error { return do(u, m, in.Emoji) }
	}
	return h.onMessage(r, in.messageRequest, with((*sandbox.User).React), with((*sandbox.User).Unreact))
}

// pin pins a message, or takes its pin away.
func (h *handler) pin(r *http.Request, in messageRequest) (any, error) {
	return h.onMessage(r, in, (*sandbox.User).Pin, (*sandbox.User).Unpin)
}
