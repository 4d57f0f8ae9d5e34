package sandbox

import (
	"cmp"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"slices"
	"time"

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
	commands    commandStore
	emojis      []*appEmoji
}

// ID is the application's id, which is also its bot user's.
func (a *App) ID() string { return a.id }

// Token is the bot token, without "Bot ".
func (a *App) Token() string { return a.token }

// User is the application's bot user.
func (a *App) User() *User { return a.user }

// Name is the name of the application's bot.
func (a *App) Name() string { return a.user.Name() }

// Commands lists the registered commands of a guild, or the global ones for an
// empty id, as they were registered.
func (a *App) Commands(guildID string) []rules.Command {
	defer a.world.hold()()
	var out []rules.Command
	for _, c := range a.commands.scopes[guildID] {
		out = append(out, *c)
	}
	return out
}

// Sessions returns how many Gateway sessions of the application are ready now.
func (a *App) Sessions() int {
	defer a.world.hold()()
	return a.world.wire.Ready(a)
}

// Apps lists the applications, the server's first one first.
func (w *World) Apps() []*App {
	defer w.hold()()
	return slices.Clone(w.apps)
}

// AddApp makes another application, whose bot is a member of every guild.
func (w *World) AddApp(o AppOptions) *App {
	defer w.hold()()
	a := w.newApp(w.newID(), o)
	defer w.at(a)()
	for _, g := range w.guilds {
		if !g.deleted && !w.opt.UserInstallOnly {
			g.letBotIn()
			w.roleEventLocked("GUILD_ROLE_CREATE", a.user.in[g].roles[0])
			w.memberEventLocked("GUILD_MEMBER_ADD", g, a.user)
		}
	}
	w.publishLocked(Event{Kind: EventUsersChanged, UserID: a.id})
	w.publishLocked(Event{Kind: EventGuildsChanged})
	return a
}

// makeApp makes an application without a bot.
func (w *World) makeApp(id string, o AppOptions) *App {
	_, key, _ := ed25519.GenerateKey(rand.Reader) // never fails
	return &App{
		key:   key,
		world: w, id: id, token: cmp.Or(o.Token, newToken(id)), intents: o.PrivilegedIntents, permissions: o.Permissions,
		commands: newCommandStore(),
	}
}

// newApp makes an application with a bot that is in no guild yet.
func (w *World) newApp(id string, o AppOptions) *App {
	a := w.makeApp(id, o)
	a.user = w.addUser(o.Name, id)
	a.user.isBot, a.user.app = true, a
	w.apps = append(w.apps, a)
	return a
}

// at makes a the application at hand until the function that it returns is called:
// whose request or payload is being served, or to whom something is being told. What
// depends on who asks, such as permissions, "me" in reactions and what text may be
// read, looks at the one at hand; without a request that is the first one. The
// Server's lock is held all the while.
func (w *World) at(a *App) (restore func()) {
	before := w.app
	w.app = a
	return func() { w.app = before }
}

// eachAppLocked does f for every application, at hand in turn.
func (w *World) eachAppLocked(f func()) {
	for _, a := range w.apps {
		restore := w.at(a)
		f()
		restore()
	}
}

// tellOfChannelLocked dispatches an event of a channel to every application that sees it.
func (w *World) tellOfChannelLocked(event string, o map[string]any, c *Channel, guildIntent, directIntent int) {
	guild, intents := "", directIntent
	if c.guild != nil {
		guild, intents = c.guild.id, guildIntent
		o["guild_id"] = guild
	}
	o["channel_id"] = c.id
	w.eachAppLocked(func() {
		if c.visibleTo(w.app.user) {
			w.wire.Send(event, o, guild, intents)
		}
	})
}

// tellAppsLocked dispatches an event to every application that is in the guild.
func (w *World) tellAppsLocked(event string, data any, g *Guild, intents int) {
	w.eachAppLocked(func() {
		if g.botIn() {
			w.wire.Send(event, data, g.id, intents)
		}
	})
}

// appOf finds the application that an interaction is for: the one whose command it
// uses, or whose message or modal.
func (w *World) appOf(c *Call) *App {
	data, _ := c.payload["data"].(map[string]any)
	id, _ := data["id"].(string)
	for _, a := range w.apps {
		if a.has(id) {
			return a
		}
	}
	switch {
	case c.app != nil: // of a modal
		return c.app
	case c.message != nil && c.message.origin != nil:
		return c.message.origin.app
	case c.message != nil && c.message.author.app != nil:
		return c.message.author.app
	}
	return w.apps[0]
}

// HasCommand reports whether a command of that id is one of the application's.
func (a *App) HasCommand(id string) bool {
	defer a.world.hold()()
	return a.has(id)
}

func (a *App) has(id string) bool {
	for _, list := range a.commands.scopes {
		if slices.ContainsFunc(list, func(c *rules.Command) bool { return c.ID == id }) {
			return true
		}
	}
	return false
}

// appWithToken finds the application of a bot token, nil for none.
func (w *World) appWithToken(token string) *App {
	i := slices.IndexFunc(w.apps, func(a *App) bool { return a.token == token })
	if i < 0 || w.trouble.revoked {
		return nil
	}
	return w.apps[i]
}

// PublicKey is the Ed25519 key, in hexadecimal, of the signatures of interactions that
// are posted to the application's endpoint.
func (a *App) PublicKey() string {
	return hex.EncodeToString(a.key.Public().(ed25519.PublicKey))
}

// Endpoint is where the application's interactions are posted, empty while they go
// over the Gateway.
func (a *App) Endpoint() string { return read(a.world, &a.endpoint) }

// commandStore holds the registered commands by guild id, "" for the global
// ones, with the times of the day's creations. The Server's lock guards it.
type commandStore struct {
	scopes  map[string][]*rules.Command
	created map[string][]time.Time
}

func newCommandStore() commandStore {
	return commandStore{scopes: map[string][]*rules.Command{}, created: map[string][]time.Time{}}
}

func getMe(w *World, _ *exchange) (int, any, error) { return http.StatusOK, w.app.me(), nil }

// me is the bot user as it alone is told of: with what its account has.
func (a *App) me() map[string]any {
	o := a.user.json()
	o["mfa_enabled"], o["locale"], o["verified"], o["email"] = false, "en-US", true, nil
	return o
}

func getApplication(w *World, x *exchange) (int, any, error) {
	kinds := map[string]any{"0": map[string]any{}, "1": map[string]any{}}
	if w.opt.UserInstallOnly {
		delete(kinds, "0")
	}
	if w.opt.GuildInstallOnly {
		delete(kinds, "1")
	}
	return http.StatusOK, map[string]any{
		"id": w.app.id, "name": w.app.user.globalName, "icon": nil, "description": "", "type": nil, "bot": w.app.user.json(),
		"bot_public": true, "bot_require_code_grant": false, "flags": 0, "flags_new": "0",
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
func editMe(w *World, x *exchange) (int, any, error) {
	o := x.fields
	f := rules.NewForm()
	name, named := f.Text(o, "username", 2, 32)
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	if named {
		w.app.user.username, w.app.user.globalName = name, name
		w.wire.Send("USER_UPDATE", w.app.me(), "", 0)
		w.publishLocked(Event{Kind: EventUsersChanged, UserID: w.app.user.id})
	}
	return getMe(w, x)
}
