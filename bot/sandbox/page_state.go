package sandbox

import (
	"net/http"
	"slices"
	"strconv"
)

// The JSON that the page draws itself from.

type pageState struct {
	// Boot differs after a restart of the server: every id is a new one then.
	Boot       string        `json:"boot"`
	Seq        int64         `json:"seq"`
	Me         string        `json:"me"`
	Bot        pagePerson    `json:"bot"`
	People     []pagePerson  `json:"people"`
	Guilds     []pageGuild   `json:"guilds"`
	Channels   []pageChannel `json:"channels"`
	DeadlineMS int64         `json:"deadline_ms"`
	Sessions   int           `json:"sessions"`
	Faults     []FaultInfo   `json:"faults"`
	Crowd      crowdInfo     `json:"crowd"`
	CanRestart bool          `json:"can_restart"`
}

type pagePerson struct {
	ID        string   `json:"id"`
	Username  string   `json:"username"`
	Name      string   `json:"name"`
	Nick      string   `json:"nick,omitempty"`
	Locale    string   `json:"locale"`
	Bot       bool     `json:"bot,omitempty"`
	Moderator bool     `json:"moderator,omitempty"`
	Crowd     bool     `json:"crowd,omitempty"`
	Guilds    []string `json:"guilds"`
}

type pageGuild struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Locale string `json:"locale"`
	HasBot bool   `json:"has_bot"`
}

type pageChannel struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Kind     int    `json:"kind"`
	GuildID  string `json:"guild_id,omitempty"`
	ParentID string `json:"parent_id,omitempty"`
	Private  bool   `json:"private,omitempty"`
	Archived bool   `json:"archived,omitempty"`
	BotMute  bool   `json:"bot_mute,omitempty"` // the app cannot post by the channel route
	Crowd    bool   `json:"crowd,omitempty"`
}

// state returns all that the client of a person, named by id or username, knows
// except messages. Where there is no such person it is that of the first one:
// ids change with every start of the server, and addresses outlive that.
func (p *page) state(as string) (pageState, error) {
	sessions, faults, crowd := p.srv.Sessions(), p.srv.Faults(), p.crowd.info()
	s := p.srv
	s.mu.Lock()
	defer s.mu.Unlock()
	me := s.users[as]
	for _, u := range s.users {
		if me == nil && as != "" && u.username == as {
			me = u
		}
	}
	if me == nil || me.isBot || me.deleted {
		if me = s.firstPersonLocked(); me == nil {
			return pageState{}, refuse(http.StatusConflict, "nobody", "There is nobody to be in this sandbox.")
		}
	}
	st := pageState{
		Boot: p.boot, Seq: s.subs.seq, Me: me.id, Bot: personLocked(s.bot),
		People: []pagePerson{}, Guilds: []pageGuild{}, Channels: []pageChannel{},
		DeadlineMS: s.opt.Deadline.Milliseconds(), Sessions: sessions, Faults: faults,
		Crowd: crowd, CanRestart: p.opt.RestartSession != nil,
	}
	for _, u := range s.users {
		if u != s.bot && !u.deleted {
			person := personLocked(u)
			person.Crowd = crowdPerson(u.globalName)
			st.People = append(st.People, person)
		}
	}
	sortByID(st.People, func(x pagePerson) string { return x.ID })
	for _, g := range s.guilds {
		if g.deleted || !g.hasMember(me) {
			continue
		}
		st.Guilds = append(st.Guilds, pageGuild{ID: g.id, Name: g.name, Locale: g.locale, HasBot: g.botIn})
		for _, c := range g.channels {
			if c.visibleTo(me) {
				ch := channelLocked(c)
				ch.Crowd = c.guild == s.guilds[0] && crowdChannel(c.name)
				st.Channels = append(st.Channels, ch)
			}
		}
	}
	if me.dm != nil && !me.dm.deleted {
		st.Channels = append(st.Channels, channelLocked(me.dm))
	}
	return st, nil
}

func (s *Server) firstPersonLocked() *User {
	var first *User
	for _, u := range s.users {
		if u.isBot || u.deleted {
			continue
		}
		if first == nil || olderID(u.id, first.id) {
			first = u
		}
	}
	return first
}

func personLocked(u *User) pagePerson {
	p := pagePerson{
		ID: u.id, Username: u.username, Name: u.globalName, Nick: u.nick, Locale: u.locale,
		Bot: u.isBot, Moderator: u.permissions&(PermissionManageMessages|PermissionAdministrator) != 0,
		Guilds: []string{},
	}
	for _, g := range u.srv.guilds {
		if g.hasMember(u) {
			p.Guilds = append(p.Guilds, g.id)
		}
	}
	return p
}

func channelLocked(c *Channel) pageChannel {
	out := pageChannel{ID: c.id, Name: c.name, Kind: c.kind(), Private: c.only != nil, Archived: c.archived}
	if c.guild != nil {
		out.GuildID = c.guild.id
		out.BotMute = c.denied&(PermissionSendMessages|PermissionViewChannel) != 0 || !c.guild.botIn
	}
	if c.parent != nil {
		out.ParentID = c.parent.id
	}
	return out
}

// getState answers with the state of the person named by "as".
func (p *page) getState(w http.ResponseWriter, r *http.Request) {
	st, err := p.state(r.URL.Query().Get("as"))
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, st)
}

// historyLimit is how many messages one request for history returns.
const historyLimit = 50

// getMessages answers with messages of a channel as a person sees them.
func (p *page) getMessages(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	u, ch, err := p.where(q.Get("as"), q.Get("channel"))
	if err != nil {
		writeError(w, err)
		return
	}
	before := q.Get("before")
	if before != "" {
		if _, err := strconv.ParseUint(before, 10, 64); err != nil {
			fail(w, http.StatusBadRequest, "bad_id", `"before" must be a message's id.`)
			return
		}
	}
	messages, more, seq := p.srv.history(u, ch, before, historyLimit)
	writeJSON(w, http.StatusOK, map[string]any{"messages": messages, "more": more, "seq": seq})
}

// getInteractions answers with the last interactions of all people, newest first
// and without what they carried.
func (p *page) getInteractions(w http.ResponseWriter, _ *http.Request) {
	all := p.srv.Interactions()
	slices.Reverse(all)
	for i := range all {
		all[i] = brief(all[i])
	}
	writeJSON(w, http.StatusOK, map[string]any{"interactions": all})
}

// getInteraction answers with everything about one interaction.
func (p *page) getInteraction(w http.ResponseWriter, r *http.Request) {
	info, ok := p.srv.CallInfo(r.PathValue("id"))
	if !ok {
		fail(w, http.StatusNotFound, "unknown_interaction", "That interaction is no longer kept.")
		return
	}
	writeJSON(w, http.StatusOK, info)
}

// brief leaves out what is large and shown only on demand.
func brief(c CallInfo) CallInfo {
	c.Payload, c.Answer = nil, nil
	return c
}

// person returns somebody one can be.
func (p *page) person(id string) (*User, error) {
	u := p.srv.UserByID(id)
	if u == nil || u == p.srv.BotUser() || u.IsBot() {
		return nil, refuse(http.StatusNotFound, "unknown_person", "There is no such person here.")
	}
	return u, nil
}

// where returns a person and a channel that they see.
func (p *page) where(userID, channelID string) (*User, *Channel, error) {
	u, err := p.person(userID)
	if err != nil {
		return nil, nil, err
	}
	ch := p.srv.ChannelByID(channelID)
	if ch == nil || !ch.VisibleTo(u) {
		return nil, nil, refuse(http.StatusNotFound, "unknown_channel", "There is no such channel for this person.")
	}
	return u, ch, nil
}
