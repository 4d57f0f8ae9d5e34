package sandbox

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/kept"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// User is a person, or a bot, who can be in guilds and act.
type User struct {
	world *World
	id    string

	is       kept.Person
	username string
	app      *App              // whose bot it is, nil for people
	isHook   bool              // the author of a webhook's message
	nobody   bool              // an owner who stands in none of the lists of people
	dms      map[*App]*Channel // direct messages with bots
	in       map[*Guild]*member
}

// UserOption changes a person; see World.User and User.Set.
type UserOption func(*User)

// Locale sets the language of the person's client, such as "de"; "en-US" at first.
func Locale(locale string) UserOption { return func(u *User) { u.is.Locale = locale } }

// Nick sets the person's nickname in guilds; empty for none.
func Nick(nick string) UserOption { return func(u *User) { u.is.Nick = nick } }

// DisplayName sets the name that Discord shows, with any characters.
func DisplayName(name string) UserOption { return func(u *User) { u.is.Name = name } }

// AsBot makes the user another application's bot.
func AsBot(u *User) { u.is.Bot = true }

// Moderator gives the person MANAGE_MESSAGES, by a role.
func Moderator(u *User) { u.is.Permissions |= permission.ManageMessages }

// Installed says whether the person has installed the application for themselves: they take
// its commands along to where its bot is no member, and interactions name them among those
// who authorised it.
func Installed(yes bool) UserOption { return func(u *User) { u.is.Installed = yes } }

// Permissions gives the person these permission bits beside the usual ones, by a
// role of their own making in each guild.
func Permissions(bits int64) UserOption { return func(u *User) { u.is.Permissions = bits } }

// ClosedDMs says whether the person refuses direct messages of the bot (50007).
func ClosedDMs(yes bool) UserOption { return func(u *User) { u.is.ClosedDMs = yes } }

// NotMember leaves the person outside of every guild.
func NotMember(u *User) {
	for _, g := range u.world.guilds {
		g.removeMember(u)
	}
}

// User returns the person of that name, made as a member of the default guild if
// there is none, and applies the options.
func (w *World) User(name string, opts ...UserOption) *User {
	defer w.hold()()
	u := w.byName[name]
	made := u == nil
	if made {
		u = w.addUser(w, name, w.newID())
		w.guilds[0].addMember(u)
	}
	u.setLocked(opts)
	if made {
		if u.in[w.guilds[0]] != nil {
			w.guilds[0].memberEvent("GUILD_MEMBER_ADD", u)
		}
		w.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
	} else if len(opts) > 0 {
		u.changedIn(u.world.guilds...)
	}
	return u
}

// AddUser makes a person of that name who is in no guild yet; see User.Join. Others
// may have the same name: User finds the first of them.
func (w *World) AddUser(name string, opts ...UserOption) *User {
	defer w.hold()()
	u := w.addUser(w, name, w.newID())
	u.setLocked(opts)
	w.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
	return u
}

func (u *User) setLocked(opts []UserOption) {
	for _, o := range opts {
		o(u)
	}
	u.deriveRoles()
}

// Owns makes the person the owner of the application and of every guild, where they may do
// everything. What libraries keep for an application's owner is then within reach.
func Owns(u *User) {
	w := u.world
	before := w.owner
	w.owner = u
	for _, g := range w.standing() {
		if u.in[g] == nil {
			u.in[g] = &member{joined: isoTime(rules.SnowflakeTime(g.id))}
		}
	}
	if before.nobody {
		clear(before.in)
		delete(w.users, before.id)
		maps.DeleteFunc(w.channels, func(_ string, c *Channel) bool { return c.person == before })
	}
	for _, g := range w.guilds {
		g.tell("GUILD_UPDATE", g.json(), gateway.IntentGuilds)
	}
}

// Owner is the person who owns every guild and the application. They are a member and may do
// everything. Unless Owns was said of somebody they are nobody else, and stand in none of the
// lists of people.
func (w *World) Owner() *User { return read(w, &w.owner) }

// Users lists the people in the order they were made, without the bot itself and an owner
// who is nobody.
func (w *World) Users() []*User { return held(w, w.listed) }

// listed are the people who stand in lists, the oldest first.
func (p *people) listed() []*User {
	out := but(slices.Collect(maps.Values(p.users)), func(u *User) bool { return u.app != nil || u.nobody })
	rules.SortByID(out, (*User).ID)
	return out
}

// UserByID returns the user of that id, the bot included, or nil.
func (w *World) UserByID(id string) *User { return byID(w, &w.users, id) }

// ChannelByID returns the channel of that id, or nil.
func (w *World) ChannelByID(id string) *Channel { return byID(w, &w.channels, id) }

// MessageByID returns the message of that id, deleted or not, or nil.
func (w *World) MessageByID(id string) *Message { return byID(w, &w.messages, id) }

// freeUsername is a username that nobody has yet: people are found by it after
// their ids have changed.
func (p *people) freeUsername(name string) string {
	taken := map[string]bool{}
	for _, u := range p.users {
		taken[u.username] = true
	}
	base := username(name)
	free := base
	for n := 2; taken[free]; n++ {
		free = base + strconv.Itoa(n)
	}
	return free
}

// people are all users of a world.
type people struct {
	users, byName map[string]*User
	owner         *User
}

// addUser makes somebody who is found by their name, if nobody else is.
func (p *people) addUser(w *World, name, id string) *User {
	u := p.newUser(w, name, id)
	p.byName[name] = cmp.Or(p.byName[name], u)
	return u
}

// newUser makes somebody among others.
func (p *people) newUser(w *World, name, id string) *User {
	u := &User{world: w, id: id, username: p.freeUsername(name), is: kept.Person{Name: name, Locale: "en-US"}, dms: map[*App]*Channel{}, in: map[*Guild]*member{}}
	p.users[id] = u
	return u
}

// Set applies options to the person.
func (u *User) Set(opts ...UserOption) {
	defer u.world.hold()()
	u.setLocked(opts)
	u.changedIn(u.world.guilds...)
}

// ID is the person's snowflake.
func (u *User) ID() string { return u.id }

// Mention is how a message mentions the person.
func (u *User) Mention() string { return "<@" + u.id + ">" }

// Name is the name that Discord shows for the person outside of guilds.
func (u *User) Name() string { return read(u.world, &u.is.Name) }

// Nick is the person's nickname in guilds, or empty.
func (u *User) Nick() string { return read(u.world, &u.is.Nick) }

// Locale is the language of the person's client.
func (u *User) Locale() string { return read(u.world, &u.is.Locale) }

// IsBot reports whether the user is a bot.
func (u *User) IsBot() bool { return read(u.world, &u.is.Bot) }

func deletedName(id string) string { return "deleted_user_" + id }

// Delete deletes the person's account: they leave every guild and cannot act any
// more, and messages mention them as @unknown-user.
func (u *User) Delete() {
	defer u.world.hold()()
	for _, g := range u.world.guilds {
		u.leaveLocked(g)
	}
	u.is.Deleted = true
	maps.DeleteFunc(u.world.byName, func(_ string, of *User) bool { return of == u })
	u.username, u.is.Name, u.is.Nick = deletedName(u.id), "", ""
	u.world.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
}

// Join makes the person a member of g.
func (u *User) Join(g *Guild) {
	defer u.world.hold()()
	if g.addMember(u) {
		u.deriveRoles()
		g.memberEvent("GUILD_MEMBER_ADD", u)
	}
	u.world.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
}

// Leave takes the person out of g.
func (u *User) Leave(g *Guild) {
	defer u.world.hold()()
	u.leaveLocked(g)
}

func (u *User) leaveLocked(g *Guild) {
	if u.in[g] != nil && u != u.world.owner {
		g.removeMember(u)
		g.memberEvent("GUILD_MEMBER_REMOVE", u)
		u.world.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
	}
}

// DM returns the person's direct messages with the first application's bot.
func (u *User) DM() *Channel { return held(u.world, u.dmLocked) }

// DMWith returns the person's direct messages with an application's bot.
func (u *User) DMWith(a *App) *Channel {
	defer u.world.hold()()
	defer u.world.at(a)()
	return u.dmLocked()
}

// dmLocked is the direct messages with the bot of the application at hand.
func (u *User) dmLocked() *Channel {
	w := u.world
	if u.dms[w.app] == nil {
		c := u.newDM(w.app, w.newID())
		w.channels[c.id] = c
		w.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: c.id, UserID: u.id})
	}
	return u.dms[w.app]
}

// newDM makes the direct messages with an application's bot.
func (u *User) newDM(a *App, id string) *Channel {
	u.dms[a] = newChannel(Channel{world: u.world, id: id, name: u.is.Name, person: u, app: a})
	return u.dms[a]
}

// addMember lets somebody in and reports whether they were outside.
func (g *Guild) addMember(u *User) bool {
	if u.in[g] != nil || g.deleted || u.is.Deleted {
		return false
	}
	g.members = append(g.members, u)
	u.in[g] = &member{joined: isoTime(g.world.clock.Now())}
	return true
}

func (g *Guild) removeMember(u *User) {
	if slices.Contains(g.members, u) {
		g.members = without(g.members, u)
		delete(u.in, g)
	}
}

// latin are letters that do not come apart into a plain one and an accent.
var latin = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i")

// username turns a name into one that Discord allows as a username: two to 32
// lower-case letters, digits, dots and underscores. Accents are dropped. Who has no letter or
// digit of these is "user".
func username(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(latin.Replace(strings.ToLower(name))) {
		switch {
		case b.Len() == 32:
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '_':
			b.WriteRune(r)
		case r == ' ' || r == '-':
			b.WriteByte('_')
		}
	}
	if strings.Trim(b.String(), "._") == "" {
		return "user"
	}
	if b.Len() < 2 {
		b.WriteByte('_')
	}
	return b.String()
}

func (u *User) json() map[string]any {
	o := map[string]any{
		"id": u.id, "username": u.username, "discriminator": "0", "global_name": orNull(u.is.Name), "avatar": nil,
		"public_flags": 0, "flags": 0, "banner": nil, "accent_color": nil, "avatar_decoration_data": nil, "primary_guild": nil,
	}
	if u.is.Bot {
		o["bot"], o["discriminator"], o["global_name"] = true, discriminator(u), nil
	}
	return o
}

// discriminator is the four digits that bots still have. A webhook has none.
func discriminator(u *User) string {
	if u.isHook {
		return "0000"
	}
	n, _ := strconv.ParseUint(u.id, 10, 64)
	return fmt.Sprintf("%04d", n%9999+1)
}

// createDM opens the direct messages with a person; with one that shares no
// guild Discord refuses later, at the message.
func createDM(w *World, x *exchange) (any, error) {
	id, _ := x.Form.NeedSnowflake(x.fields, "recipient_id")
	u := w.users[id]
	switch {
	case x.Form.Err() != nil:
		return nil, x.Form.Err()
	case u == nil:
		return nil, rules.ErrUnknownUser
	case u.is.Bot:
		return nil, rules.ErrClosedDMs
	}
	return u.dmLocked().json(), nil
}
