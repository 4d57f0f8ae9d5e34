package sandbox

import "strconv"

// User is a person, or a bot, who can be in guilds and act.
type User struct {
	srv *Server
	id  string

	username    string
	globalName  string
	nick        string
	locale      string
	isBot       bool
	permissions int64
	closedDMs   bool
	deleted     bool
	dm          *Channel
	joined      map[*Guild]string // when, as an ISO 8601 time
}

// UserOption changes a person; see Server.User and User.Set.
type UserOption func(*User)

// Locale sets the language of the person's client, such as "de"; "en-US" at first.
func Locale(locale string) UserOption { return func(u *User) { u.locale = locale } }

// Nick sets the person's nickname in guilds; empty for none.
func Nick(nick string) UserOption { return func(u *User) { u.nick = nick } }

// DisplayName sets the name that Discord shows, with any characters.
func DisplayName(name string) UserOption { return func(u *User) { u.globalName = name } }

// AsBot makes the user another application's bot.
func AsBot(u *User) { u.isBot = true }

// Moderator gives the person MANAGE_MESSAGES.
func Moderator(u *User) { u.permissions |= PermissionManageMessages }

// Permissions gives the person these permission bits beside the usual ones.
func Permissions(bits int64) UserOption { return func(u *User) { u.permissions = bits } }

// ClosedDMs makes the person refuse direct messages of the bot (50007).
func ClosedDMs(u *User) { u.closedDMs = true }

// NotMember leaves the person outside of every guild.
func NotMember(u *User) {
	for _, g := range u.srv.guilds {
		g.removeMember(u)
	}
}

// User returns the person of that name, made as a member of the default guild if
// there is none, and applies the options.
func (s *Server) User(name string, opts ...UserOption) *User {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.byName[name]
	made := u == nil
	if made {
		u = s.addUser(name, s.newID())
		s.guilds[0].addMember(u)
	}
	for _, o := range opts {
		o(u)
	}
	if made || len(opts) > 0 {
		s.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
	}
	return u
}

// Users lists the people in the order they were made, without the bot itself.
func (s *Server) Users() []*User {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*User
	for _, u := range s.users {
		if u != s.bot {
			out = append(out, u)
		}
	}
	sortByID(out, func(u *User) string { return u.id })
	return out
}

// UserByID returns the user of that id, the bot included, or nil.
func (s *Server) UserByID(id string) *User {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.users[id]
}

// ChannelByID returns the channel of that id, or nil.
func (s *Server) ChannelByID(id string) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.channels[id]
}

// MessageByID returns the message of that id, deleted or not, or nil.
func (s *Server) MessageByID(id string) *Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.messages[id]
}

// freeUsername is a username that nobody has yet: people are found by it after
// their ids have changed.
func freeUsername(among map[string]*User, name string) string {
	taken := map[string]bool{}
	for _, u := range among {
		taken[u.username] = true
	}
	base := username(name)
	free := base
	for n := 2; taken[free]; n++ {
		free = base + strconv.Itoa(n)
	}
	return free
}

func (s *Server) addUser(name, id string) *User {
	u := &User{srv: s, id: id, username: freeUsername(s.users, name), globalName: name, locale: "en-US", joined: map[*Guild]string{}}
	s.users[id] = u
	s.byName[name] = u
	return u
}

// Set applies options to the person.
func (u *User) Set(opts ...UserOption) {
	u.srv.mu.Lock()
	defer u.srv.mu.Unlock()
	for _, o := range opts {
		o(u)
	}
	u.srv.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
}

// ID is the person's snowflake.
func (u *User) ID() string { return u.id }

// Mention is how a message mentions the person.
func (u *User) Mention() string { return "<@" + u.id + ">" }

// Name is the name that Discord shows for the person outside of guilds.
func (u *User) Name() string {
	u.srv.mu.Lock()
	defer u.srv.mu.Unlock()
	return u.globalName
}

// Nick is the person's nickname in guilds, or empty.
func (u *User) Nick() string {
	u.srv.mu.Lock()
	defer u.srv.mu.Unlock()
	return u.nick
}

// Locale is the language of the person's client.
func (u *User) Locale() string {
	u.srv.mu.Lock()
	defer u.srv.mu.Unlock()
	return u.locale
}

// IsBot reports whether the user is a bot.
func (u *User) IsBot() bool {
	u.srv.mu.Lock()
	defer u.srv.mu.Unlock()
	return u.isBot
}

// Delete deletes the person's account: they leave every guild and cannot act any
// more, and messages mention them as @unknown-user.
func (u *User) Delete() {
	u.srv.mu.Lock()
	defer u.srv.mu.Unlock()
	for _, g := range u.srv.guilds {
		g.removeMember(u)
	}
	u.deleted = true
	u.username, u.globalName, u.nick = "deleted_user_"+u.id, "", ""
	u.srv.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
}

// Join makes the person a member of g.
func (u *User) Join(g *Guild) {
	u.srv.mu.Lock()
	defer u.srv.mu.Unlock()
	g.addMember(u)
	u.srv.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
}

// Leave takes the person out of g.
func (u *User) Leave(g *Guild) {
	u.srv.mu.Lock()
	defer u.srv.mu.Unlock()
	g.removeMember(u)
	u.srv.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
}

// DM returns the person's direct messages with the bot.
func (u *User) DM() *Channel {
	u.srv.mu.Lock()
	defer u.srv.mu.Unlock()
	return u.dmLocked()
}

func (u *User) dmLocked() *Channel {
	if u.dm == nil {
		u.dm = &Channel{srv: u.srv, id: u.srv.newID(), name: u.globalName, person: u}
		u.srv.channels[u.dm.id] = u.dm
		u.srv.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: u.dm.id, UserID: u.id})
	}
	return u.dm
}

func (g *Guild) addMember(u *User) {
	if !g.hasMember(u) && !g.deleted && !u.deleted {
		g.members = append(g.members, u)
		u.joined[g] = isoTime(g.srv.clock.Now())
	}
}

func (g *Guild) removeMember(u *User) {
	for i, m := range g.members {
		if m == u {
			g.members = append(g.members[:i:i], g.members[i+1:]...)
			delete(u.joined, g)
			return
		}
	}
}
