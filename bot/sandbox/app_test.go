package sandbox_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/internal/apitest"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/waittest"
)

// runningApp is a discordgo program that is the bot of one application.
type runningApp struct {
	*sandbox.App
	*discordgo.Session
	mu     sync.Mutex
	events []string
}

func (a *runningApp) note(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.events = append(a.events, fmt.Sprintf(format, args...))
}

func (a *runningApp) heard(event string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Contains(a.events, event)
}

// hears waits for what a bot notes: nothing changes in the server then.
func hears(t *testing.T, what string, cond func() bool) {
	t.Helper()
	deadline := time.After(waittest.Limit(20 * time.Second))
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// runApp connects a bot that answers everything with its name.
func runApp(t *testing.T, srv *sandbox.Server, a *sandbox.App, command string) *runningApp {
	t.Helper()
	r := &runningApp{App: a, Session: srv.SessionOf(a)}
	r.Identify.Intents = discordgo.IntentGuilds | discordgo.IntentGuildMessages | discordgo.IntentDirectMessages
	r.AddHandler(func(s *discordgo.Session, in *discordgo.InteractionCreate) {
		r.note("interaction for %s", in.AppID)
		button := discordgo.Button{Label: "Go on", CustomID: "go-" + a.Name()}
		if err := s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: a.Name(), Components: []discordgo.MessageComponent{
				discordgo.ActionsRow{Components: []discordgo.MessageComponent{button}},
			}},
		}); err != nil {
			t.Errorf("%s: %v", a.Name(), err)
		}
	})
	r.AddHandler(func(_ *discordgo.Session, m *discordgo.MessageCreate) {
		r.note("message %s by %s", m.Content, m.Author.ID)
	})
	if err := r.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	for _, name := range []string{command, "both"} {
		if _, err := r.ApplicationCommandCreate(a.ID(), "", &discordgo.ApplicationCommand{Name: name, Description: "d"}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// TestTwoApps: two bots in one guild, each with its own name, token, commands, role,
// direct messages and interactions.
func TestTwoApps(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.BotName = "One" })
	second := srv.World().AddApp(sandbox.AppOptions{Name: "Two", Permissions: permission.ManageMessages})
	one, two := runApp(t, srv, srv.App(), "uno"), runApp(t, srv, second, "due")
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	if one.Sessions() != 1 || two.Sessions() != 1 || srv.Gateway().Sessions() != 2 {
		t.Errorf("%d, %d of %d sessions", one.Sessions(), two.Sessions(), srv.Gateway().Sessions())
	}
	for _, me := range []*runningApp{one, two} {
		user, err := me.User("@me")
		if err != nil || user.ID != me.ID() || user.ID != me.State.User.ID {
			t.Errorf("%s is %v, %v", me.Name(), user, err)
		}
	}

	// Each gets its own interactions, also by a button, and where both have a command.
	for path, want := range map[string]*runningApp{"uno": one, "due": two} {
		reply := ada.Command(t, general, path)
		if reply.Text() != want.Name() || reply.Message.Author().ID() != want.ID() {
			t.Errorf("/%s was answered %q", path, reply.Text())
		}
		if again := ada.Click(t, reply.Message, "Go on"); again.Text() != want.Name() {
			t.Errorf("the button of %s was answered %q", want.Name(), again.Text())
		}
	}
	for app, want := range map[*sandbox.App]string{nil: "One", one.App: "One", two.App: "Two"} {
		call, err := ada.Do(sandbox.SlashCommand{Channel: general, Path: "both", App: app})
		if err != nil {
			t.Fatal(err)
		}
		if got := call.Wait(t).Text(); got != want {
			t.Errorf("/both was answered by %s, want %s", got, want)
		}
	}
	if one.heard("interaction for "+two.ID()) || two.heard("interaction for "+one.ID()) {
		t.Errorf("an interaction went to the other: %q, %q", one.events, two.events)
	}
	if len(srv.App().Commands("")) != 2 || len(second.Commands("")) != 2 {
		t.Error("the commands are not kept apart")
	}

	// A file lies where the application that it is for finds it.
	files := &discordgo.ApplicationCommandOption{Type: discordgo.ApplicationCommandOptionAttachment, Name: "file", Description: "d"}
	if _, err := two.ApplicationCommandCreate(two.ID(), "", &discordgo.ApplicationCommand{Name: "keep", Description: "d", Options: []*discordgo.ApplicationCommandOption{files}}); err != nil {
		t.Fatal(err)
	}
	kept := ada.Command(t, general, "keep", sandbox.Arg{Name: "file", Value: sandbox.File{Name: "a.txt", Content: []byte("x")}})
	if payload := string(kept.Call.Payload()); !strings.Contains(payload, "/ephemeral-attachments/"+two.ID()+"/") {
		t.Errorf("the file is not below the application's id: %s", payload)
	}

	// A message of one is an event for both, whose text only its author may read, and
	// the other's to leave alone.
	m, err := one.ChannelMessageSend(general.ID(), "hello")
	if err != nil {
		t.Fatal(err)
	}
	hears(t, "the message at both", func() bool {
		return one.heard("message hello by "+one.ID()) && two.heard("message  by "+one.ID())
	})
	if _, err := two.ChannelMessageEdit(general.ID(), m.ID, "mine"); err == nil || !strings.Contains(err.Error(), "50005") {
		t.Errorf("the other's message was edited: %v", err)
	}
	if err := two.ChannelMessageDelete(general.ID(), m.ID); err != nil {
		t.Errorf("a bot that manages messages: %v", err)
	}
	other, err := two.ChannelMessageSend(general.ID(), "bye")
	if err != nil {
		t.Fatal(err)
	}
	if err := one.ChannelMessageDelete(general.ID(), other.ID); err == nil || !strings.Contains(err.Error(), "50013") {
		t.Errorf("a bot that does not manage messages: %v", err)
	}

	// Direct messages are with one of them.
	dm, err := two.UserChannelCreate(ada.ID())
	if err != nil || dm.ID != ada.DMWith(second).ID() || dm.ID == ada.DM().ID() {
		t.Fatalf("the channel is %v, %v", dm, err)
	}
	if _, err := ada.Say(ada.DMWith(second), "psst"); err != nil {
		t.Fatal(err)
	}
	event := "message psst by " + ada.ID()
	hears(t, "the direct message", func() bool { return two.heard(event) })
	if one.heard(event) {
		t.Error("the first bot reads the second one's direct messages")
	}
	if _, err := one.ChannelMessageSend(dm.ID, "x"); err == nil || !strings.Contains(err.Error(), "50001") {
		t.Errorf("the first bot writes there: %v", err)
	}

	// Roles and members.
	roles, members := map[string]string{}, 0
	for _, r := range srv.Guild().Roles() {
		if r.Info().Managed {
			roles[r.Name()] = r.ID()
		}
	}
	for _, me := range []*runningApp{one, two} {
		got, err := me.GuildMember(srv.Guild().ID(), me.ID())
		if err != nil || len(got.Roles) != 1 || got.Roles[0] != roles[me.Name()] {
			t.Errorf("%s has the roles %v of %v, %v", me.Name(), got, roles, err)
		}
		members++
	}
	if len(roles) != members {
		t.Errorf("managed roles are %v", roles)
	}
	if v, _ := srv.World().View(""); len(v.Apps) != 2 || v.Apps[1].Name != "Two" || v.Apps[1].Sessions != 1 || len(v.People) != 1 {
		t.Errorf("a client sees %+v and %+v", v.Apps, v.People)
	}
	for _, u := range srv.World().Users() {
		if u != ada {
			t.Errorf("%s is among the people", u.Name())
		}
	}
}

// TestAppsTokens: a token is good for its own application, and for nobody's routes
// of another.
func TestAppsTokens(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t)
	second := srv.World().AddApp(sandbox.AppOptions{Name: "Two", Token: "second.bot.token"})
	ask := func(token, path string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.APIURL()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bot "+token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
	mine, other := "/applications/"+second.ID()+"/commands", "/applications/"+srv.AppID()+"/commands"
	for _, c := range []struct {
		token, path string
		want        int
	}{
		{"second.bot.token", mine, 200},
		{"second.bot.token", other, 403},
		{srv.Token(), mine, 403},
		{srv.Token(), other, 200},
		{"nobody's", mine, 401},
	} {
		if got := ask(c.token, c.path); got != c.want {
			t.Errorf("%s with %s: %d, want %d", c.path, c.token, got, c.want)
		}
	}

	// A call's token is of no use below another application's id.
	bot := runApp(t, srv, second, "due")
	reply := srv.User("Ada").Command(t, srv.Guild().Channel("general"), "due")
	want(t, request(t, srv, "GET", "/webhooks/"+srv.AppID()+"/"+reply.Call.InteractionToken()+"/messages/@original", nil), 404, 10015)
	want(t, request(t, srv, "GET", "/webhooks/"+bot.ID()+"/"+reply.Call.InteractionToken()+"/messages/@original", nil), 200, 0)
}

// TestAppsAreKept: a saved world has all applications in it.
func TestAppsAreKept(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.BotName = "One" })
	second := srv.World().AddApp(sandbox.AppOptions{Name: "Two", Permissions: permission.ManageMessages, PrivilegedIntents: privilegedMembers})
	runApp(t, srv, second, "due")
	ada := srv.User("Ada")
	ada.Command(t, srv.Guild().Channel("general"), "due")
	dm := ada.DMWith(second).ID()
	var first, again bytes.Buffer
	if err := srv.World().SaveState(&first); err != nil {
		t.Fatal(err)
	}
	loaded := sandbox.NewServer(t)
	if err := loaded.World().LoadState(bytes.NewReader(first.Bytes())); err != nil {
		t.Fatal(err)
	}
	if err := loaded.World().SaveState(&again); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Errorf("saved\n%s\nand again\n%s", first.Bytes(), again.Bytes())
	}
	apps := loaded.World().Apps()
	if len(apps) != 2 || apps[1].Token() != second.Token() || apps[1].Name() != "Two" || len(apps[1].Commands("")) != 2 {
		t.Fatalf("loaded %d applications", len(apps))
	}
	ada = loaded.User("Ada")
	if got := ada.DMWith(apps[1]).ID(); got != dm {
		t.Errorf("the direct messages are %s, want %s", got, dm)
	}
	runApp(t, loaded, apps[1], "due")
	reply := ada.Command(t, loaded.Guild().Channel("general"), "due")
	if reply.Text() != "Two" {
		t.Errorf("after loading /due is answered %q", reply.Text())
	}
}

const privilegedMembers = 1 << 1

// TestWebhooksOfTwoApps: whoever has the token of a channel's webhook may use it, and it counts
// against the limits of the application that asks.
func TestWebhooksOfTwoApps(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.REST.BucketLimit, o.REST.BucketWindow = 3, time.Hour })
	second := srv.World().AddApp(sandbox.AppOptions{Name: "Two", Permissions: permission.ManageWebhooks})
	var hook struct{ ID, Token string }
	asks := func(a *sandbox.App, method, path, body string) int {
		req, err := http.NewRequestWithContext(t.Context(), method, srv.APIURL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bot "+a.Token())
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("User-Agent", "DiscordBot (https://example.com, 1)")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if method == http.MethodPost && resp.StatusCode == http.StatusOK && hook.ID == "" {
			if err := json.NewDecoder(resp.Body).Decode(&hook); err != nil {
				t.Fatal(err)
			}
		}
		return resp.StatusCode
	}
	channel := srv.Guild().Channel("general").ID()
	if got := asks(second, http.MethodPost, "/channels/"+channel+"/webhooks", `{"name":"hook"}`); got != http.StatusOK {
		t.Fatalf("a webhook was answered %d", got)
	}
	post := func(a *sandbox.App) int {
		return asks(a, http.MethodPost, "/webhooks/"+hook.ID+"/"+hook.Token, `{"content":"x"}`)
	}
	for range 3 {
		if got := post(srv.App()); got != http.StatusNoContent {
			t.Fatalf("a message by the first application was answered %d", got)
		}
	}
	if one, two := post(srv.App()), post(second); one != http.StatusTooManyRequests || two != http.StatusNoContent {
		t.Errorf("behind the limit of the first application it was answered %d, the second %d", one, two)
	}
}

// TestOwner: somebody of the people owns the application and all guilds, and acts as nobody
// else may; a world that is saved knows it again.
func TestOwner(t *testing.T) {
	srv := sandbox.NewServer(t)
	other := srv.World().AddGuild("Elsewhere")
	nobody := srv.World().Owner()
	if slices.Contains(srv.World().Users(), nobody) {
		t.Error("an owner who is nobody is listed")
	}
	ada := srv.User("Ada", sandbox.Owns)
	var saved bytes.Buffer
	if err := srv.World().SaveState(&saved); err != nil {
		t.Fatal(err)
	}
	later := sandbox.NewServer(t)
	if err := later.World().LoadState(&saved); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*sandbox.Server{srv, later} {
		var app struct{ Owner struct{ ID string } }
		request(t, s, "GET", "/applications/@me", nil).Decode(t, &app)
		var guild struct {
			Owner string `json:"owner_id"`
		}
		request(t, s, "GET", "/guilds/"+other.ID(), nil).Decode(t, &guild)
		if app.Owner.ID != ada.ID() || guild.Owner != ada.ID() {
			t.Errorf("the application's owner is %s, the guild's %s, want %s", app.Owner.ID, guild.Owner, ada.ID())
		}
		if users := s.World().Users(); len(users) != 1 || users[0].ID() != ada.ID() {
			t.Errorf("the people are %v", users)
		}
		if s.World().UserByID(nobody.ID()) != nil {
			t.Error("nobody is still there")
		}
	}
	if may := other.Channel("general").Permissions(ada); may&permission.Administrator == 0 {
		t.Errorf("the owner may do %d", may)
	}
}

// TestReactWithEmojisOfTwoApps: people find the emojis of every application.
func TestReactWithEmojisOfTwoApps(t *testing.T) {
	srv := sandbox.NewServer(t)
	second := srv.World().AddApp(sandbox.AppOptions{Name: "Two"})
	image := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(apitest.PNG(t)))
	emoji, err := srv.SessionOf(second).ApplicationEmojiCreate(second.ID(), &discordgo.EmojiParams{Name: "dot", Image: image})
	if err != nil {
		t.Fatal(err)
	}
	ada := srv.User("Ada")
	m, err := ada.Say(srv.Guild().Channel("general"), "look")
	if err != nil {
		t.Fatal(err)
	}
	if err := ada.React(m, emoji.APIName()); err != nil || len(m.Snapshot().Reactions) != 1 {
		t.Errorf("%v, reactions %v", err, m.Snapshot().Reactions)
	}
	if err := ada.Unreact(m, emoji.APIName()); err != nil || len(m.Snapshot().Reactions) != 0 {
		t.Errorf("%v, reactions %v", err, m.Snapshot().Reactions)
	}
	if err := ada.React(m, "dot:1"); !errors.Is(err, sandbox.ErrBadOption) {
		t.Errorf("one that there is not: %v", err)
	}
}

// TestIntentsAreFlags: an application's flags say which privileged intents it has, as a small one.
func TestIntentsAreFlags(t *testing.T) {
	for intents, want := range map[int]int{0: 0, 1 << 8: 1 << 13, 1 << 1: 1 << 15, 1 << 15: 1 << 19, 1<<8 | 1<<1 | 1<<15: 1<<13 | 1<<15 | 1<<19} {
		srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.PrivilegedIntents = intents })
		var app struct {
			Flags int
			New   string `json:"flags_new"`
		}
		request(t, srv, "GET", "/applications/@me", nil).Decode(t, &app)
		if app.Flags != want || app.New != strconv.Itoa(want) {
			t.Errorf("intents %d: %+v, want %d", intents, app, want)
		}
		w := dial(t, srv)
		w.expect(10, "")
		w.send(2, identity(srv))
		var ready struct{ Application struct{ Flags int } }
		if err := json.Unmarshal(w.expect(0, "READY").D, &ready); err != nil || ready.Application.Flags != want {
			t.Errorf("intents %d: READY has %+v, %v", intents, ready, err)
		}
	}
}
