package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/internal/options"
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

// act carries out an action and waits as the query says.
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
	out := outcome{FollowUps: []sandbox.Snapshot{}}
	if info, ok := h.srv.World().CallInfo(call.ID()); ok {
		out.Call = &info
	}
	r := call.Reply()
	if r.Message != nil {
		s := r.Message.Snapshot()
		out.Message, out.Text = &s, s.Text()
	}
	for _, m := range r.Followups() {
		out.FollowUps = append(out.FollowUps, m.Snapshot())
	}
	return out
}

// place is who acts where.
type place struct {
	As      string `json:"as"`
	Channel string `json:"channel"`
	// App is whose command, or whose bot's direct messages; the first that fits by
	// default.
	App string `json:"app,omitempty"`
}

// find finds the person and the channel: one of the world, or "@dm" for the person's
// direct messages with the bot.
func (h *handler) find(r *http.Request, p place) (*sandbox.Guild, *sandbox.User, *sandbox.Channel, error) {
	g, u, err := h.who(r, p.As)
	if err != nil {
		return nil, nil, nil, err
	}
	a, err := h.app(p.App)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, each := range h.srv.World().Apps() {
		if p.Channel == "@dm" && (a == nil || a == each) || p.Channel == u.DMWith(each).ID() {
			return g, u, u.DMWith(each), nil
		}
	}
	c := findChannel(g, p.Channel)
	if c == nil {
		c = h.private(u, p.Channel)
	}
	if c == nil {
		return nil, nil, nil, unknownChannel(p.Channel)
	}
	return g, u, c, nil
}

// private finds direct messages between people by id, for who is among them.
func (h *handler) private(u *sandbox.User, id string) *sandbox.Channel {
	if c := h.srv.World().ChannelByID(id); u != nil && c != nil && c.Guild() == nil && c.VisibleTo(u) {
		return c
	}
	return nil
}

func (h *handler) who(r *http.Request, name string) (*sandbox.Guild, *sandbox.User, error) {
	g, err := h.guild(r)
	if err != nil {
		return nil, nil, err
	}
	u := findPerson(g, name)
	if u == nil {
		return nil, nil, unknownPerson(name)
	}
	return g, u, nil
}

// commandRequest is a slash command, complete or still being typed.
type commandRequest struct {
	place
	// Path is the command's name, group and subcommand, parted by spaces.
	Path string `json:"path"`
	// Options are by name. People, channels and roles are given by name or id, a file
	// as an object.
	Options map[string]json.RawMessage `json:"options,omitempty"`
	Focused string                     `json:"focused,omitempty"`
}

func (h *handler) command(r *http.Request, in commandRequest) (any, error) {
	u, c, err := h.typed(r, in)
	if err != nil {
		return nil, err
	}
	return h.act(r, u, c)
}

func (h *handler) autocomplete(r *http.Request, in commandRequest) (any, error) {
	u, c, err := h.typed(r, in)
	if err != nil {
		return nil, err
	}
	return h.act(r, u, sandbox.AutocompleteQuery{App: c.App, Channel: c.Channel, Path: c.Path, Args: c.Args, Focused: in.Focused})
}

// typed is who types which command.
func (h *handler) typed(r *http.Request, in commandRequest) (*sandbox.User, sandbox.SlashCommand, error) {
	typed := sandbox.SlashCommand{Path: in.Path}
	g, u, c, err := h.find(r, in.place)
	if err == nil {
		typed.Channel = c
		typed.App, err = h.app(in.App)
	}
	if err == nil {
		typed.Args, err = h.args(g, u, c, typed.App, in)
	}
	return u, typed, err
}

// args gives the values the types that the command's registration asks for.
func (h *handler) args(g *sandbox.Guild, u *sandbox.User, c *sandbox.Channel, app *sandbox.App, in commandRequest) ([]sandbox.Arg, error) {
	specs := options.Of(h.srv.World().CommandsFor(u, c), app, in.Path)
	place := func(name string) int {
		return slices.IndexFunc(specs, func(o rules.CommandOption) bool { return o.Name == name })
	}
	var given []options.Given
	for name, raw := range in.Options {
		given = append(given, options.Given{Name: name, Value: raw})
	}
	slices.SortFunc(given, func(a, b options.Given) int { return place(a.Name) - place(b.Name) })
	args, err := options.World{
		Person:  func(name string) *sandbox.User { return findPerson(g, name) },
		Role:    func(name string) *sandbox.Role { return findRole(g, name) },
		Channel: func(name string) *sandbox.Channel { return findChannel(g, name) },
	}.Args(specs, given)
	var bad *options.Error
	if errors.As(err, &bad) {
		return nil, badField(bad.Option, bad.Message)
	}
	return args, err
}

// upload is a file that a person sends.
type upload struct {
	Name string `json:"name"`
	// Content is base64 in JSON.
	Content []byte `json:"content"`
}

// contextRequest picks an entry of the context menu of a person or a message.
type contextRequest struct {
	place
	Name    string `json:"name"`
	User    string `json:"user,omitempty"`
	Message string `json:"message,omitempty"`
}

func (h *handler) context(r *http.Request, in contextRequest) (any, error) {
	app, err := h.app(in.App)
	if err != nil {
		return nil, err
	}
	if in.Message != "" {
		_, u, m, err := h.on(r, in.As, in.Message)
		if err != nil {
			return nil, err
		}
		return h.act(r, u, sandbox.MessageCommand{App: app, Name: in.Name, Target: m})
	}
	g, u, c, err := h.find(r, in.place)
	if err != nil {
		return nil, err
	}
	target := findPerson(g, in.User)
	if target == nil {
		return nil, unknownPerson(in.User)
	}
	return h.act(r, u, sandbox.UserCommand{App: app, Channel: c, Name: in.Name, Target: target})
}

// on is who does something with which message.
func (h *handler) on(r *http.Request, as, message string) (*sandbox.Guild, *sandbox.User, *sandbox.Message, error) {
	g, u, err := h.who(r, as)
	if err != nil {
		return nil, nil, nil, err
	}
	m, err := h.message(message)
	return g, u, m, err
}

// message finds a message, deleted ones included: who uses them is told so.
func (h *handler) message(id string) (*sandbox.Message, error) {
	m := h.srv.World().MessageByID(id)
	if m == nil {
		return nil, refuse(http.StatusNotFound, "unknown_message", fmt.Sprintf("There is no message %q.", id))
	}
	return m, nil
}

// clickRequest presses a button: by label, by custom id, or by its place.
type clickRequest struct {
	As       string `json:"as"`
	Message  string `json:"message"`
	Label    string `json:"label,omitempty"`
	CustomID string `json:"custom_id,omitempty"`
	Row      int    `json:"row,omitempty"`
	Column   int    `json:"column,omitempty"`
	Forced   bool   `json:"forced,omitempty"`
}

func (h *handler) click(r *http.Request, in clickRequest) (any, error) {
	_, u, m, err := h.on(r, in.As, in.Message)
	if err != nil {
		return nil, err
	}
	return h.act(r, u, sandbox.ButtonClick{
		Message: m, Label: in.Label, CustomID: in.CustomID, Row: in.Row, Column: in.Column, Forced: in.Forced,
	})
}

// selectRequest chooses in a select: values of options, or names or ids.
type selectRequest struct {
	As       string   `json:"as"`
	Message  string   `json:"message"`
	CustomID string   `json:"custom_id"`
	Values   []string `json:"values"`
}

func (h *handler) choose(r *http.Request, in selectRequest) (any, error) {
	g, u, m, err := h.on(r, in.As, in.Message)
	if err != nil {
		return nil, err
	}
	c, _ := m.Snapshot().Find(in.CustomID)
	return h.act(r, u, sandbox.Selection{Message: m, CustomID: in.CustomID, Values: ids(g, c.Type, in.Values)})
}

// ids replaces names by ids where a select is for people, roles or channels.
func ids(g *sandbox.Guild, kind int, values []string) []string {
	out := slices.Clone(values)
	for i, v := range out {
		switch kind {
		case rules.TypeChannelSelect:
			if c := findChannel(g, v); c != nil {
				out[i] = c.ID()
			}
		case rules.TypeRoleSelect:
			if r := findRole(g, v); r != nil {
				out[i] = r.ID()
			}
		case rules.TypeUserSelect, rules.TypeMentionableSelect:
			if u := findPerson(g, v); u != nil {
				out[i] = u.ID()
			} else if r := findRole(g, v); r != nil {
				out[i] = r.ID()
			}
		}
	}
	return out
}

// modalRequest fills in and sends the modal that a call was answered with.
type modalRequest struct {
	As     string              `json:"as"`
	Call   string              `json:"call"`
	Values map[string][]string `json:"values,omitempty"`
	Files  []upload            `json:"files,omitempty"`
}

func (h *handler) modal(r *http.Request, in modalRequest) (any, error) {
	_, u, err := h.who(r, in.As)
	if err != nil {
		return nil, err
	}
	call := h.srv.World().CallByID(in.Call)
	if call == nil {
		return nil, unknownCall(in.Call)
	}
	return h.act(r, u, sandbox.ModalSubmission{Call: call, Lists: in.Values, Files: filesOf(in.Files)})
}

func unknownCall(id string) error {
	return refuse(http.StatusNotFound, "unknown_call", fmt.Sprintf("There is no interaction %q, or it is no longer kept.", id))
}

func filesOf(list []upload) []sandbox.File {
	var out []sandbox.File
	for _, f := range list {
		out = append(out, sandbox.File(f))
	}
	return out
}

type sayRequest struct {
	place
	Text  string   `json:"text"`
	Files []upload `json:"files,omitempty"`
}

func (h *handler) say(r *http.Request, in sayRequest) (any, error) {
	_, u, c, err := h.find(r, in.place)
	if err != nil {
		return nil, err
	}
	return h.write(r, func() (*sandbox.Message, error) { return u.Say(c, in.Text, filesOf(in.Files)...) })
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

type reactRequest struct {
	As      string `json:"as"`
	Message string `json:"message"`
	Emoji   string `json:"emoji"`
	Remove  bool   `json:"remove,omitempty"`
}

func (h *handler) react(r *http.Request, in reactRequest) (any, error) {
	_, u, m, err := h.on(r, in.As, in.Message)
	if err != nil {
		return nil, err
	}
	do := u.React
	if in.Remove {
		do = u.Unreact
	}
	return h.write(r, func() (*sandbox.Message, error) { return m, do(m, in.Emoji) })
}
