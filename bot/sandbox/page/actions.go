package page

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/acts"
	"tictactoe/bot/sandbox/internal/webjson"
)

// act carries out an act. The answer names the interaction: the stream tells what becomes
// of it.
func act[A acts.Act](p *page, format webjson.Format) http.Handler {
	return webjson.Post(format, func(_ *http.Request, in A) (any, error) {
		c, err := acts.Do(p, in)
		if err != nil {
			return nil, err
		}
		return map[string]string{"call": c.ID()}, nil
	})
}

var errNoCustomID = refuse(http.StatusBadRequest, "bad_custom_id", "The component's custom id is missing.")

// click and choice use a component of a message. What the page shows may be older than the
// message: the server decides.
type click struct{ acts.Click }

// Find finds who presses the button.
func (in click) Find(f acts.Finder) (*sandbox.User, sandbox.Action, error) {
	if in.CustomID == "" {
		return nil, nil, errNoCustomID
	}
	in.Forced = true
	return in.Click.Find(f)
}

type choice struct{ acts.Select }

// Find finds who chooses.
func (in choice) Find(f acts.Finder) (*sandbox.User, sandbox.Action, error) {
	if in.CustomID == "" {
		return nil, nil, errNoCustomID
	}
	in.Forced = true
	return in.Select.Find(f)
}

// Person returns somebody one can be.
func (p *page) Person(id string) (*sandbox.User, error) {
	u := p.srv.World().UserByID(id)
	if u == nil || u == p.srv.BotUser() || u.IsBot() {
		return nil, errNobody
	}
	return u, nil
}

var errNobody = refuse(http.StatusNotFound, "unknown_person", "There is no such person here.")

// Other finds anybody.
func (p *page) Other(id string) (*sandbox.User, error) {
	if u := p.srv.World().UserByID(id); u != nil {
		return u, nil
	}
	return nil, errNobody
}

// Channel finds a channel that the person sees.
func (p *page) Channel(u *sandbox.User, _ *sandbox.App, id string) (*sandbox.Channel, error) {
	ch := p.srv.World().ChannelByID(id)
	if ch == nil || !ch.VisibleTo(u) {
		return nil, refuse(http.StatusNotFound, "unknown_channel", "There is no such channel for this person.")
	}
	return ch, nil
}

// Message finds a message that the person sees.
func (p *page) Message(u *sandbox.User, id string) (*sandbox.Message, error) {
	m := p.srv.World().MessageByID(id)
	if m == nil || m.Deleted() || !slices.Contains(m.Channel().Messages(u), m) {
		return nil, refuse(http.StatusNotFound, "unknown_message", "That message is no longer there.")
	}
	return m, nil
}

// Call finds an interaction of the person's.
func (p *page) Call(u *sandbox.User, id string) (*sandbox.Call, error) {
	c := p.srv.World().CallByID(id)
	if c == nil || c.User() != u {
		return nil, refuse(http.StatusNotFound, "unknown_interaction", "That form is no longer open.")
	}
	return c, nil
}

// App finds an application by its id, nil for none.
func (p *page) App(id string) (*sandbox.App, error) {
	for _, a := range p.srv.World().Apps() {
		if a.ID() == id {
			return a, nil
		}
	}
	return nil, nil
}

// Names finds anybody and anything by id, and roles of the channel's guild.
func (p *page) Names(c *sandbox.Channel) acts.Names {
	return acts.Names{Person: p.srv.World().UserByID, Channel: p.srv.World().ChannelByID, Role: func(id string) *sandbox.Role {
		if c.Guild() == nil {
			return nil
		}
		roles := c.Guild().Roles()
		if i := slices.IndexFunc(roles, func(r *sandbox.Role) bool { return r.ID() == id }); i >= 0 {
			return roles[i]
		}
		return nil
	}}
}

// BadOption says what is wrong with an option of a command.
func (p *page) BadOption(name, problem string) error { return refuseField(name, "bad_option", problem) }

// sayRequest writes plain text.
type sayRequest struct {
	acts.Place
	Text string `json:"text"`
}

func (p *page) say(in sayRequest) (any, error) {
	u, _, ch, err := in.Where(p)
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

func (p *page) dismiss(in acts.On) (any, error) {
	u, m, err := in.Who(p)
	if err != nil {
		return nil, err
	}
	return struct{}{}, u.Dismiss(m)
}

// deleteMessage deletes a message as a moderator does, or one's own.
func (p *page) deleteMessage(in acts.On) (any, error) {
	u, m, err := in.Who(p)
	if err != nil {
		return nil, err
	}
	if !m.DeletableBy(u) {
		return nil, sandbox.ErrForbidden
	}
	m.Delete()
	return struct{}{}, nil
}
