package sandbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/internal/apitest"
	"tictactoe/bot/sandbox/rules"
	"tictactoe/bot/sandbox/waittest"
)

// ping is the simplest command.
var ping = &discordgo.ApplicationCommand{Name: "ping", Description: "Answer."}

// callback answers a call by plain HTTP.
func callback(t *testing.T, srv *sandbox.Server, c *sandbox.Call, body any) answer {
	t.Helper()
	return request(t, srv, "POST", "/interactions/"+c.ID()+"/"+c.InteractionToken()+"/callback", body)
}

// webhook is the path of a call's webhook.
func webhook(srv *sandbox.Server, c *sandbox.Call) string {
	return "/webhooks/" + srv.AppID() + "/" + c.InteractionToken()
}

// pinged sends /ping and returns the call, which nobody answers by itself.
func pinged(t *testing.T, srv *sandbox.Server) *sandbox.Call {
	t.Helper()
	if len(srv.App().Commands("")) == 0 {
		register(t, srv, ping)
	}
	return srv.User("Ada").StartCommand(t, srv.Guild().Channel("general"), "ping")
}

func button(label, id string) discordgo.Button {
	return discordgo.Button{Label: label, CustomID: id, Style: discordgo.SecondaryButton}
}

func TestGameOfButtonsThroughDiscordgo(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t)
	cmds := register(t, srv, &discordgo.ApplicationCommand{Name: "game", Description: "Play.", Options: []*discordgo.ApplicationCommandOption{{
		Type: discordgo.ApplicationCommandOptionSubCommand, Name: "play", Description: "Start.", Options: []*discordgo.ApplicationCommandOption{
			{Type: discordgo.ApplicationCommandOptionString, Name: "board", Description: "Size.", Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "3×3", Value: "3x3"}}},
			{Type: discordgo.ApplicationCommandOptionUser, Name: "user", Description: "Who."},
		},
	}}})
	if cmds[0].ID == "" {
		t.Fatal("the registered command has no id")
	}
	board := func(text string) *discordgo.InteractionResponseData {
		return &discordgo.InteractionResponseData{Content: text, Components: []discordgo.MessageComponent{
			discordgo.ActionsRow{Components: []discordgo.MessageComponent{button("\u200b", "c0"), button("X", "c1")}},
			discordgo.ActionsRow{Components: []discordgo.MessageComponent{button("Resign", "resign")}},
		}}
	}
	connect(t, srv, func(s *discordgo.Session, in *discordgo.InteractionCreate) {
		r := &discordgo.InteractionResponse{Type: discordgo.InteractionResponseUpdateMessage}
		switch in.Type {
		case discordgo.InteractionApplicationCommand:
			opts := in.ApplicationCommandData().Options[0].Options
			r.Type = discordgo.InteractionResponseChannelMessageWithSource
			r.Data = board(fmt.Sprintf("%s against <@%s>", opts[0].StringValue(), opts[1].UserValue(nil).ID))
		case discordgo.InteractionMessageComponent:
			r.Data = board("clicked " + in.MessageComponentData().CustomID + " on " + in.Message.Content)
		}
		if err := s.InteractionRespond(in.Interaction, r); err != nil {
			t.Errorf("respond: %v", err)
		}
	})
	alice, bob := srv.User("Ada"), srv.User("Bob", sandbox.Locale("de"))
	general := srv.Guild().Channel("general")

	reply := alice.Command(t, general, "game play", sandbox.Opt("board", "3x3"), sandbox.OptUser("user", bob))
	if !reply.Answered() || reply.Type != sandbox.CallbackMessage || reply.Acks != 1 {
		t.Fatalf("got %+v", reply)
	}
	snap := reply.Message.Snapshot()
	if got, want := snap.Text(), "3x3 against "+bob.Mention(); got != want {
		t.Errorf("text: got %q, want %q", got, want)
	}
	if got := snap.Pinged; len(got) != 1 || got[0] != bob.ID() {
		t.Errorf("pinged %v, want Bob", got)
	}
	if got := len(snap.Rows()); got != 2 {
		t.Errorf("got %d rows", got)
	}
	reply = bob.ClickCell(t, reply.Message, 0, 0)
	if got, want := reply.Text(), "clicked c0 on 3x3 against "+bob.Mention(); got != want {
		t.Errorf("text: got %q, want %q", got, want)
	}
	if reply.Type != sandbox.CallbackUpdate || len(general.Messages(alice)) != 1 {
		t.Errorf("the click made a new message: %+v", reply)
	}
	if got := len(reply.Message.Snapshot().Writes); got != 2 {
		t.Errorf("got %d writes, want a creation and an edit", got)
	}
	srv.Settle(t) // the bot reads the last answer before the server closes
}

// lateClock is a clock whose timers never come.
type lateClock struct{ *clock.Manual }

func (lateClock) AfterFunc(time.Duration, func()) func() bool { return func() bool { return true } }

func TestDeadlineDoesNotWaitForItsTimer(t *testing.T) {
	now := lateClock{clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))}
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock = now })
	call := pinged(t, srv)
	call.AllowUnanswered()
	now.Advance(3 * time.Second)
	want(t, callback(t, srv, call, `{"type":5}`), 404, 10062)
}

// recorderTB stands for a test in tests of what fails one.
type recorderTB struct {
	testing.TB
	mu       sync.Mutex
	errors   []string
	cleanups []func()
}

func (r *recorderTB) Helper() {}
func (r *recorderTB) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}
func (r *recorderTB) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *recorderTB) finish() []string {
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
	return r.errors
}

func TestUnansweredInteractionFailsTheTest(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*sandbox.Server, *sandbox.Call)
		want int
	}{
		{"silence", func(*sandbox.Server, *sandbox.Call) {}, 1},
		{"answered", func(srv *sandbox.Server, c *sandbox.Call) { callback(t, srv, c, `{"type":5}`) }, 0},
		{"answered badly", func(srv *sandbox.Server, c *sandbox.Call) { callback(t, srv, c, `{"type":7}`) }, 1},
		{"allowed by the test", func(srv *sandbox.Server, _ *sandbox.Call) { srv.AllowUnanswered() }, 0},
		{"allowed for the call", func(_ *sandbox.Server, c *sandbox.Call) { c.AllowUnanswered() }, 0},
		{"hit by a fault", func(srv *sandbox.Server, c *sandbox.Call) {
			srv.Faults().FailNext(sandbox.RouteCallback, 500)
			callback(t, srv, c, `{"type":5}`)
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := &recorderTB{TB: t}
			srv := sandbox.NewServer(tb)
			call := pinged(t, srv)
			c.do(srv, call)
			got := tb.finish()
			if len(got) != c.want {
				t.Fatalf("got errors %q, want %d", got, c.want)
			}
			if c.want == 1 && (!strings.Contains(got[0], "/ping by Ada in #general") || strings.Contains(got[0], call.InteractionToken())) {
				t.Errorf("the error does not name the interaction well: %s", got[0])
			}
		})
	}
}

func TestDeadline(t *testing.T) {
	clock := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock = clock })
	srv.AllowUnanswered()
	inTime, late := pinged(t, srv), pinged(t, srv)
	if got := rules.SnowflakeTime(late.ID()); !got.Equal(clock.Now()) {
		t.Errorf("the interaction's id tells %v, want %v", got, clock.Now())
	}
	clock.Advance(2999 * time.Millisecond)
	answered := callback(t, srv, inTime, `{"type":4,"data":{"content":"hi"}}`)
	want(t, answered, 204, 0)
	if got := answered.Header.Get("Date"); got != "Sun, 01 Mar 2026 12:00:02 GMT" {
		t.Errorf("the answer's date is %s", got)
	}
	clock.Advance(time.Millisecond)
	want(t, callback(t, srv, late, `{"type":4,"data":{"content":"hi"}}`), 404, 10062)
	if got := late.Wait(t); got.Answered() || got.Failed != sandbox.FailedCommand {
		t.Errorf("got %+v, want failed", got)
	}
	if got := inTime.Reply().Latency; got != 2999*time.Millisecond {
		t.Errorf("latency %v", got)
	}
	want(t, callback(t, srv, inTime, `{"type":4,"data":{"content":"again"}}`), 400, 40060)
	bad := request(t, srv, "POST", "/interactions/"+inTime.ID()+"/nonsense/callback", `{"type":5}`)
	want(t, bad, 404, 10062)
}

func TestNothingIsLeftAfterClose(t *testing.T) {
	http.DefaultClient.CloseIdleConnections()
	before := runtime.NumGoroutine()
	srv, err := sandbox.Start(sandbox.Options{Gateway: sandbox.GatewayOptions{IdentifyWindow: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	srv.Faults().SilentGateway()
	_ = dial(t, srv)
	srv.WaitFor(t, "the silent connection to count", func() bool { return srv.Gateway().Connections() == 1 })
	w := dial(t, srv)
	w.ready(srv)
	for range 20 {
		lost := dial(t, srv)
		lost.ready(srv)
		lost.lose(srv, 4000)
	}
	srv.Faults().DelayDelivery(time.Hour)
	pinged(t, srv)
	srv.Faults().ReconnectOp7()
	srv.Faults().CloseGateway(4000) // nobody reads the close frame
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()
	for deadline := time.Now().Add(waittest.Patience()); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			b := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, b[:runtime.Stack(b, true)])
		}
	}
}

// BenchmarkClick measures a click from the person to the bot and back, over a
// bare connection whose bot only acknowledges.
func BenchmarkClick(b *testing.B) {
	srv, err := sandbox.Start(sandbox.Options{World: sandbox.WorldOptions{KeepWrites: 4, KeepMessages: 100}, REST: sandbox.RESTOptions{GlobalLimit: -1, BucketLimit: 1 << 30, KeepRequests: 100}})
	if err != nil {
		b.Fatal(err)
	}
	defer srv.Close()
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	ask := func(method, path, body string) {
		req, err := http.NewRequest(method, srv.APIURL()+path, strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		req.Header = http.Header{"User-Agent": {apitest.Agent}, "Authorization": {"Bot " + srv.Token()}, "Content-Type": {"application/json"}}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	ask("POST", "/channels/"+general.ID()+"/messages", `{"content":"x","components":[{"type":1,"components":[{"type":2,"style":1,"label":"A","custom_id":"a"}]}]}`)
	msg := general.LastMessage(nil)
	b.ReportAllocs()
	for b.Loop() {
		c, err := ada.Do(sandbox.ButtonClick{Message: msg, Label: "A"})
		if err != nil {
			b.Fatal(err)
		}
		ask("POST", "/interactions/"+c.ID()+"/"+c.InteractionToken()+"/callback", `{"type":7,"data":{"content":"y"}}`)
		if !c.Reply().Answered() {
			b.Fatal("not answered")
		}
	}
}

// TestUserIsThere: who is deleted is found by their name no more, and nobody who owns the
// guilds without being one of the people.
func TestUserIsThere(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada := srv.User("Ada", sandbox.DisplayName("Countess"))
	ada.Delete()
	if again := srv.User("Ada"); again == ada || again.Name() != "Ada" {
		t.Errorf("got %q, who was deleted: %v", again.Name(), again == ada)
	}
	owner := srv.User("Owner")
	if owner == srv.World().Owner() || len(srv.World().Users()) != 3 {
		t.Errorf("the owner who is nobody was found, or is among %d people", len(srv.World().Users()))
	}
	srv.User("Ben", sandbox.Owns)
	if srv.User("Owner") != owner {
		t.Error("a person went with the owner who was nobody")
	}
}

// TestLoadedUserIsThere: of a saved world the first person of a name is found.
func TestLoadedUserIsThere(t *testing.T) {
	srv, next := sandbox.NewServer(t), sandbox.NewServer(t)
	ada := srv.User("Ada")
	for range 9 {
		srv.World().AddUser("Ada")
	}
	var saved bytes.Buffer
	if err := errors.Join(srv.World().SaveState(&saved), next.World().LoadState(&saved)); err != nil {
		t.Fatal(err)
	}
	if got := next.User("Ada").ID(); got != ada.ID() {
		t.Errorf("found %s, want %s", got, ada.ID())
	}
	if next.User("Owner") == next.World().Owner() {
		t.Error("the owner who is nobody was found")
	}
}
