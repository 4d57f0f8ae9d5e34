package page

import (
	"net/http"
	"slices"
	"strconv"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
)

// The JSON that the page draws itself from.

type pageState struct {
	sandbox.View
	// Boot differs after a restart of the server: every id is a new one then.
	Boot       string              `json:"boot"`
	People     []pagePerson        `json:"people"`
	Channels   []pageChannel       `json:"channels"`
	Faults     []sandbox.FaultInfo `json:"faults"`
	Crowd      crowdInfo           `json:"crowd"`
	CanRestart bool                `json:"can_restart"`
	// Permissions are all that there are, with the names that Discord's clients show.
	Permissions []permission.Name `json:"permissions"`
}

type pagePerson struct {
	sandbox.UserInfo
	Crowd bool `json:"crowd,omitempty"`
}

type pageChannel struct {
	sandbox.ChannelInfo
	Crowd bool `json:"crowd,omitempty"`
}

// state returns all that the client of a person, named by id or username, knows
// except messages.
func (p *page) state(as string) (pageState, error) {
	st := pageState{
		Boot: p.boot, People: []pagePerson{}, Channels: []pageChannel{},
		Faults: p.srv.Faults().List(),
		Crowd:  p.crowd.info(), CanRestart: p.restartSession != nil, Permissions: permission.Names(),
	}
	var ok bool
	if st.View, ok = p.srv.World().View(as); !ok {
		return pageState{}, refuse(http.StatusConflict, "nobody", "There is nobody to be in this sandbox.")
	}
	for _, u := range st.View.People {
		st.People = append(st.People, pagePerson{u, crowdPerson(u.Name)})
	}
	home := p.srv.Guild().ID()
	for _, c := range st.View.Channels {
		st.Channels = append(st.Channels, pageChannel{c, c.GuildID == home && crowdChannel(c.Name)})
	}
	return st, nil
}

// getState answers with the state of the person named by "as".
func (p *page) getState(r *http.Request) (any, error) { return p.state(r.URL.Query().Get("as")) }

// historyLimit is how many messages one request for history returns.
const historyLimit = 50

// getMessages answers with messages of a channel as a person sees them.
func (p *page) getMessages(r *http.Request) (any, error) {
	u, ch, err := p.looking(r)
	if err != nil {
		return nil, err
	}
	before := r.URL.Query().Get("before")
	if _, err := strconv.ParseUint(before, 10, 64); before != "" && err != nil {
		return nil, refuse(http.StatusBadRequest, "bad_id", `"before" must be a message's id.`)
	}
	messages, more, seq := ch.History(u, before, historyLimit)
	return map[string]any{"messages": messages, "more": more, "seq": seq}, nil
}

// looking reads the query: who looks at which channel.
func (p *page) looking(r *http.Request) (*sandbox.User, *sandbox.Channel, error) {
	q := r.URL.Query()
	u, err := p.person(q.Get("as"))
	if err != nil {
		return nil, nil, err
	}
	ch := p.srv.World().ChannelByID(q.Get("channel"))
	if ch == nil || !ch.VisibleTo(u) {
		return nil, nil, refuse(http.StatusNotFound, "unknown_channel", "There is no such channel for this person.")
	}
	return u, ch, nil
}

// person returns somebody one can be.
func (p *page) person(id string) (*sandbox.User, error) {
	u := p.srv.World().UserByID(id)
	if u == nil || u.IsBot() {
		return nil, refuse(http.StatusNotFound, "unknown_person", "There is no such person here.")
	}
	return u, nil
}

// getInteractions answers with the last interactions of all people, newest first
// and without what they carried.
func (p *page) getInteractions(*http.Request) (any, error) {
	all := p.srv.World().Interactions()
	slices.Reverse(all)
	for i := range all {
		all[i] = brief(all[i])
	}
	return map[string]any{"interactions": all}, nil
}

// getInteraction answers with everything about one interaction.
func (p *page) getInteraction(r *http.Request) (any, error) {
	c := p.srv.World().CallByID(r.PathValue("id"))
	if c == nil {
		return nil, refuse(http.StatusNotFound, "unknown_interaction", "That interaction is no longer kept.")
	}
	return c.Info(), nil
}

// brief leaves out what is large and shown only on demand.
func brief(c sandbox.CallInfo) sandbox.CallInfo {
	c.Payload, c.Answer = nil, nil
	return c
}
