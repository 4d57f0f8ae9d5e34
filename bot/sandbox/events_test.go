package sandbox_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/waittest"
)

// TestEveryEventIsSent lets happen what can happen and compares what a session with
// all intents hears with what the package says, and each event with the list of its fields.
func TestEveryEventIsSent(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, unlimited, func(o *sandbox.Options) {
		o.World.PrivilegedIntents, o.World.BotPermissions = 1<<1|1<<8|1<<15, permission.Administrator
	})
	var mu sync.Mutex
	var seen []string
	s := srv.Session()
	s.Identify.Intents = 1<<17 - 1
	s.SyncEvents = true // the last one is noted last
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		if e.Type != "" {
			if err := checkEvent(e.Type, e.RawData); err != nil {
				t.Error(err)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if e.Type != "" && !slices.Contains(seen, e.Type) {
			seen = append(seen, e.Type)
		}
	})
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	heard := func(event string) {
		t.Helper()
		waittest.Until(t, event, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return slices.Contains(seen, event)
		})
	}
	heard("GUILD_CREATE")
	guild, bob := srv.Guild(), srv.User("Bob")
	general := guild.Channel("general")
	askGuildRoutes(t, srv, general)
	askWebhookRoutes(t, srv, general)
	guild.SetLocale("de")
	bob.StartCommand(t, general, hearing(t, srv)).AllowUnanswered()
	m, err := bob.Say(general, "x")
	if err != nil {
		t.Fatal(err)
	}
	m.Delete()
	general.Delete()
	guild.Channel("talk", sandbox.Thread(guild.Channel("more"))).Delete()
	if err := s.RequestGuildMembers(guild.ID(), "", 0, "", false); err != nil {
		t.Fatal(err)
	}
	heard("GUILD_MEMBERS_CHUNK")
	srv.World().AddGuild("Other").RemoveBot()
	heard("GUILD_DELETE")
	srv.Faults().DropGateway()
	heard("RESUMED")
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(seen)
	if !slices.Equal(seen, sandbox.Events()) {
		t.Errorf("sent %q\nwant %q", seen, sandbox.Events())
	}
}

// hearing registers a command and returns its name.
func hearing(t *testing.T, srv *sandbox.Server) string {
	t.Helper()
	want(t, request(t, srv, "POST", "/applications/"+srv.AppID()+"/commands", command("hear")), 201, 0)
	return "hear"
}
