package page

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/internal/options"
)

// sent is the answer to everything that sends an interaction: the stream tells
// what becomes of it.
type sent struct {
	Call string `json:"call"`
}

func act(u *sandbox.User, a sandbox.Action) (any, error) {
	c, err := u.Do(a)
	if err != nil {
		return nil, err
	}
	return sent{c.ID()}, nil
}

// commandRequest is a slash command, complete or still being typed.
type commandRequest struct {
	As      string `json:"as"`
	Channel string `json:"channel"`
	// App is the id of the application whose command it is, empty for any.
	App string `json:"app,omitempty"`
	// Path is the command's name, group and subcommand, parted by spaces.
	Path    string          `json:"path"`
	Options []options.Given `json:"options"`
	// Focused is the option that wants suggestions.
	Focused string `json:"focused,omitempty"`
}

func (p *page) sendCommand(in commandRequest) (any, error) {
	u, ch, err := p.where(in.As, in.Channel)
	if err != nil {
		return nil, err
	}
	args, err := p.args(u, ch, in)
	if err != nil {
		return nil, err
	}
	return act(u, sandbox.SlashCommand{App: p.app(in.App), Channel: ch, Path: in.Path, Args: args})
}

func (p *page) sendAutocomplete(in commandRequest) (any, error) {
	u, ch, err := p.where(in.As, in.Channel)
	if err != nil {
		return nil, err
	}
	args, err := p.args(u, ch, in)
	if err != nil {
		return nil, err
	}
	return act(u, sandbox.AutocompleteQuery{App: p.app(in.App), Channel: ch, Path: in.Path, Args: args, Focused: in.Focused})
}

// app finds an application by its id, nil for none.
func (p *page) app(id string) *sandbox.App {
	for _, a := range p.srv.World().Apps() {
		if a.ID() == id {
			return a
		}
	}
	return nil
}

// args gives the values the types that the command's registration asks for.
func (p *page) args(u *sandbox.User, ch *sandbox.Channel, in commandRequest) ([]sandbox.Arg, error) {
	world := options.World{Person: p.srv.World().UserByID, Channel: p.srv.World().ChannelByID, Role: func(id string) *sandbox.Role {
		if ch.Guild() == nil {
			return nil
		}
		roles := ch.Guild().Roles()
		if i := slices.IndexFunc(roles, func(r *sandbox.Role) bool { return r.ID() == id }); i >= 0 {
			return roles[i]
		}
		return nil
	}}
	args, err := world.Args(options.Of(p.srv.World().CommandsFor(u, ch), p.app(in.App), in.Path), in.Options)
	var bad *options.Error
	if errors.As(err, &bad) {
		e := refuse(http.StatusUnprocessableEntity, "bad_option", bad.Message)
		e.Field = bad.Option
		return nil, e
	}
	return args, err
}

// contextRequest picks an entry of a context menu, on a person or a message.
type contextRequest struct {
	As      string `json:"as"`
	Channel string `json:"channel"`
	App     string `json:"app,omitempty"`
	Name    string `json:"name"`
	User    string `json:"user,omitempty"`
	Message string `json:"message,omitempty"`
}

func (p *page) sendContext(in contextRequest) (any, error) {
	u, ch, err := p.where(in.As, in.Channel)
	if err != nil {
		return nil, err
	}
	if in.Message != "" {
		m, err := p.message(u, in.Message)
		if err != nil {
			return nil, err
		}
		return act(u, sandbox.MessageCommand{App: p.app(in.App), Name: in.Name, Target: m})
	}
	target := p.srv.World().UserByID(in.User)
	if target == nil {
		return nil, refuse(http.StatusNotFound, "unknown_person", "There is no such person here.")
	}
	return act(u, sandbox.UserCommand{App: p.app(in.App), Channel: ch, Name: in.Name, Target: target})
}

// componentRequest uses a component of a message.
type componentRequest struct {
	As       string   `json:"as"`
	Message  string   `json:"message"`
	CustomID string   `json:"custom_id"`
	Values   []string `json:"values,omitempty"`
}

func (p *page) sendClick(in componentRequest) (any, error) {
	u, m, err := p.component(in)
	if err != nil {
		return nil, err
	}
	// What the page shows may be older than the message: the server decides.
	return act(u, sandbox.ButtonClick{Message: m, CustomID: in.CustomID, Forced: true})
}

func (p *page) sendSelect(in componentRequest) (any, error) {
	u, m, err := p.component(in)
	if err != nil {
		return nil, err
	}
	return act(u, sandbox.Selection{Message: m, CustomID: in.CustomID, Values: in.Values, Forced: true})
}

func (p *page) component(in componentRequest) (*sandbox.User, *sandbox.Message, error) {
	u, err := p.person(in.As)
	if err != nil {
		return nil, nil, err
	}
	if in.CustomID == "" {
		return nil, nil, refuse(http.StatusBadRequest, "bad_custom_id", "The component's custom id is missing.")
	}
	m, err := p.message(u, in.Message)
	return u, m, err
}

// message returns a message that the person sees.
func (p *page) message(u *sandbox.User, id string) (*sandbox.Message, error) {
	m := p.srv.World().MessageByID(id)
	if m == nil || m.Deleted() || !slices.Contains(m.Channel().Messages(u), m) {
		return nil, refuse(http.StatusNotFound, "unknown_message", "That message is no longer there.")
	}
	return m, nil
}

// modalRequest sends the modal that a call was answered with.
type modalRequest struct {
	As     string              `json:"as"`
	Call   string              `json:"call"`
	Values map[string][]string `json:"values"`
	// Files are those whose names are among the values.
	Files []upload `json:"files,omitempty"`
}

// upload is a file that a person sends; its content is base64 in JSON.
type upload struct {
	Name    string `json:"name"`
	Content []byte `json:"content"`
}

func (p *page) sendModal(in modalRequest) (any, error) {
	u, err := p.person(in.As)
	if err != nil {
		return nil, err
	}
	c := p.srv.World().CallByID(in.Call)
	if c == nil || c.User() != u {
		return nil, refuse(http.StatusNotFound, "unknown_interaction", "That form is no longer open.")
	}
	var files []sandbox.File
	for _, f := range in.Files {
		files = append(files, sandbox.File(f))
	}
	return act(u, sandbox.ModalSubmission{Call: c, Lists: in.Values, Files: files})
}

// sayRequest writes plain text.
type sayRequest struct {
	As      string `json:"as"`
	Channel string `json:"channel"`
	Text    string `json:"text"`
}

func (p *page) say(in sayRequest) (any, error) {
	u, ch, err := p.where(in.As, in.Channel)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Text) == "" {
		return nil, refuse(http.StatusUnprocessableEntity, "empty", "Write something first.")
	}
	if n := len([]rune(in.Text)); n > 2000 {
		return nil, refuse(http.StatusUnprocessableEntity, "too_long", fmt.Sprintf("A message has at most 2000 characters; this has %d.", n))
	}
	m, err := u.Say(ch, in.Text)
	if err != nil {
		return nil, err
	}
	return map[string]string{"message": m.ID()}, nil
}

// messageRequest names a message.
type messageRequest struct {
	As      string `json:"as"`
	Message string `json:"message"`
}

func (p *page) dismiss(in messageRequest) (any, error) {
	u, err := p.person(in.As)
	if err != nil {
		return nil, err
	}
	m, err := p.message(u, in.Message)
	if err != nil {
		return nil, err
	}
	return struct{}{}, u.Dismiss(m)
}

// deleteMessage deletes a message as a moderator does, or one's own.
func (p *page) deleteMessage(in messageRequest) (any, error) {
	u, err := p.person(in.As)
	if err != nil {
		return nil, err
	}
	m, err := p.message(u, in.Message)
	if err != nil {
		return nil, err
	}
	if !m.DeletableBy(u) {
		return nil, sandbox.ErrForbidden
	}
	m.Delete()
	return struct{}{}, nil
}
