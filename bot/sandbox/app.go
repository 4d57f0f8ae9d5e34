package sandbox

import (
	"cmp"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"strconv"

	"tictactoe/bot/sandbox/internal/command"
	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/kept"
	"tictactoe/bot/sandbox/rules"
)

// AppOptions describe an application that stands beside the server's first one.
type AppOptions struct {
	// Name is the application's and its bot's name.
	Name string
	// Token is the bot token, without "Bot "; by default a new one is made.
	Token string
	// Permissions are the bits of the role that the application has in every guild,
	// beside those that everyone has.
	Permissions int64
	// PrivilegedIntents are the privileged intents that are enabled.
	PrivilegedIntents int
}

// App is an application: a bot user with a token, commands and Gateway sessions of
// its own. Each gets its own interactions only.
type App struct {
	world       *World
	id          string
	token       string
	key         ed25519.PrivateKey
	endpoint    string // where interactions are posted; empty for the Gateway
	posted      int    // interactions, there
	user        *User
	intents     int   // privileged ones that are enabled
	permissions int64 // of its role
	commands    command.Registry
	emojis      []*kept.Emoji // which its messages can show everywhere
}

// ID is the application's id, which is also its bot user's.
func (a *App) ID() string { return a.id }

// Token is the bot token, without "Bot ".
func (a *App) Token() string { return a.token }

// Name is the name of the application's bot.
func (a *App) Name() string { return a.user.Name() }

// Commands lists the registered commands of a guild, or the global ones for an
// empty id, as they were registered.
func (a *App) Commands(guildID string) []rules.Command {
	defer a.world.hold()()
	return each(a.commands.In(guildID), func(c *rules.Command) rules.Command { return *c })
}

// Sessions returns how many Gateway sessions of the application are ready now.
func (a *App) Sessions() int {
	defer a.world.hold()()
	return a.world.gateway.Ready(gatewayApp{a})
}

// roster is the applications of a world.
type roster struct {
	apps []*App
	app  *App // at hand, see at
}

// Apps lists the applications, the server's first one first.
func (w *World) Apps() []*App { return listOf(w, &w.apps) }

// AddApp makes another application, whose bot is a member of every guild.
func (w *World) AddApp(o AppOptions) *App {
	defer w.hold()()
	a := newApp(w, w.newID(), o)
	defer w.at(a)()
	for _, g := range w.standing() {
		g.letBotIn()
		a.user.in[g].roles[0].event("GUILD_ROLE_CREATE")
		g.memberEvent("GUILD_MEMBER_ADD", a.user)
	}
	w.publishLocked(Event{Kind: EventUsersChanged, UserID: a.id})
	w.publishLocked(Event{Kind: EventGuildsChanged})
	return a
}

// makeApp makes an application without a bot.
func makeApp(w *World, id string, o AppOptions) *App {
	_, key, _ := ed25519.GenerateKey(rand.Reader) // never fails
	return &App{
		key:   key,
		world: w, id: id, token: cmp.Or(o.Token, newToken(id)), intents: o.PrivilegedIntents, permissions: o.Permissions,
		commands: command.New(nil),
	}
}

// newApp makes an application with a bot that is in no guild yet.
func newApp(w *World, id string, o AppOptions) *App {
	a := makeApp(w, id, o)
	a.user = w.addUser(w, o.Name, id)
	a.user.is.Bot, a.user.app = true, a
	w.apps = append(w.apps, a)
	return a
}

// at makes a the application at hand until the function that it returns is called:
// whose request or payload is being served, or to whom something is being told. What
// depends on who asks, such as permissions, "me" in reactions and what text may be
// read, looks at the one at hand; without a request that is the first one. The
// Server's lock is held all the while.
func (r *roster) at(a *App) (restore func()) {
	before := r.app
	r.app = a
	return func() { r.app = before }
}

// eachApp does f for every application, at hand in turn.
func (r *roster) eachApp(f func()) {
	for _, a := range r.apps {
		restore := r.at(a)
		f()
		restore()
	}
}

// tell dispatches an event of a channel to every application that sees it.
func (c *Channel) tell(event string, o map[string]any, guildIntent, directIntent int) {
	if c.guild != nil {
		o["guild_id"] = c.guild.id
	}
	o["channel_id"] = c.id
	c.send(event, o, guildIntent, directIntent)
}

// send is tell for data that names the channel already.
func (c *Channel) send(event string, data any, guildIntent, directIntent int) {
	intents := directIntent
	if c.guild != nil {
		intents = guildIntent
	}
	c.world.tell(event, data, c.guild, func(bot *User) (int, bool) { return intents, c.visibleTo(bot) })
}

// tell dispatches an event to every application that is in the guild.
func (g *Guild) tell(event string, data any, intents int) {
	g.world.tell(event, data, g, func(bot *User) (int, bool) { return intents, g.hasMember(bot) })
}

// tell dispatches an event to every application whose bot hears of it, by sessions that have one
// of some intents.
func (w *World) tell(event string, data any, in *Guild, hears func(bot *User) (intents int, ok bool)) {
	w.eachApp(func() {
		if intents, ok := hears(w.app.user); ok {
			w.gateway.dispatch(event, data, idOf(in), intents)
		}
	})
}

// app is the application that who uses a message's components means.
func (m *Message) app() *App {
	if m.origin != nil {
		return m.origin.app
	}
	return cmp.Or(m.author.app, m.world.apps[0])
}

// withToken finds the application of a bot token, nil for none.
func (w *World) withToken(token string) *App {
	return first(w.apps, func(a *App) bool { return a.token == token && !w.gateway.Faults().Revoked() })
}

// PublicKey is the Ed25519 key, in hexadecimal, of the signatures of interactions that
// are posted to the application's endpoint.
func (a *App) PublicKey() string {
	return hex.EncodeToString(a.key.Public().(ed25519.PublicKey))
}

// Endpoint is where the application's interactions are posted, empty while they go
// over the Gateway.
func (a *App) Endpoint() string { return read(a.world, &a.endpoint) }

func getMe(w *World, _ *exchange) (any, error) { return w.app.me(), nil }

// me is the bot user as it alone is told of: with what its account has.
func (a *App) me() map[string]any {
	o := a.user.json()
	o["mfa_enabled"], o["locale"], o["verified"], o["email"] = false, "en-US", true, nil
	return o
}

func getApplication(w *World, x *exchange) (any, error) {
	kinds := map[string]any{"0": map[string]any{}, "1": map[string]any{}}
	if w.opt.GuildInstallOnly {
		delete(kinds, "1")
	}
	flags := gateway.ApplicationFlags(w.app.intents)
	return map[string]any{
		"id": w.app.id, "name": w.app.user.is.Name, "icon": nil, "description": "", "type": nil, "bot": w.app.user.json(),
		"bot_public": true, "bot_require_code_grant": false, "flags": flags, "flags_new": strconv.Itoa(flags),
		"verify_key":              w.app.PublicKey(),
		"owner":                   w.owner.json(),
		"team":                    nil,
		"approximate_guild_count": len(w.guilds), "approximate_user_install_count": 0,
		"approximate_user_authorization_count": 0, "redirect_uris": []any{}, "interactions_endpoint_url": orNull(w.app.endpoint),
		"role_connections_verification_url": nil, "explicit_content_filter": 0, "eligible_oauth2_scopes": []any{},
		"integration_types_config": kinds,
	}, nil
}

// orNull is the text, or null for none.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// editMe renames the bot.
func editMe(w *World, x *exchange) (any, error) {
	name, named := x.Form.Text(x.fields, "username", 2, 32)
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	if named {
		w.app.user.username, w.app.user.is.Name = name, name
		w.gateway.dispatch("USER_UPDATE", w.app.me(), "", 0)
		w.publishLocked(Event{Kind: EventUsersChanged, UserID: w.app.user.id})
	}
	return getMe(w, x)
}
