package sandbox_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/internal/apitest"
)

// logBuffer is a log that a test reads while it is written.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestLog has one line for each thing that goes wrong, and no secret in any.
func TestLog(t *testing.T) {
	var log logBuffer
	now := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.World.Clock = now
		o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	srv.AllowUnanswered()
	general, ada := srv.Guild().Channel("general"), srv.User("Ada")
	say := "/channels/" + general.ID() + "/messages"
	line := func(want ...string) {
		t.Helper()
		for l := range strings.Lines(log.String()) {
			found := true
			for _, w := range want {
				found = found && strings.Contains(l, w)
			}
			if found {
				return
			}
		}
		t.Errorf("no line has %q:\n%s", want, log.String())
	}
	want(t, request(t, srv, "GET", "/users/@me", nil), 200, 0)
	line("level=DEBUG", "msg=served", `request="GET /users/@me"`, "status=200")
	want(t, request(t, srv, "POST", say, obj{"content": strings.Repeat("x", 2001)}), 400, 50035)
	line("level=WARN", "msg=refused", `request="POST `+say+`"`, "status=400", "code=50035", "content: Must be 2000 or fewer in length")
	for range 2 {
		request(t, srv, "GET", "/guilds/"+srv.Guild().ID()+"/audit-logs", nil)
	}
	line("not offered here", "GET /guilds/{guild_id}/audit-logs")
	if n := strings.Count(log.String(), "audit-logs"); n != 1 {
		t.Errorf("what is not offered is told %d times, want once", n)
	}
	srv.Faults().FailNext("POST /channels/{channel_id}/messages", 503, 1)
	request(t, srv, "POST", say, obj{"content": "x"})
	line("msg=refused", "status=503", "fault=FailNext")

	// A bot that sends the wrong token, wants too much, answers late, and not at all.
	session := func(change func(*discordgo.Session)) error {
		s := srv.Session()
		change(s)
		err := s.Open()
		t.Cleanup(func() { _ = s.Close() })
		return err
	}
	for what, change := range map[string]func(*discordgo.Session){
		"code=4004": func(s *discordgo.Session) { s.Identify.Token = "Bot some.other.token" },
		"code=4014": func(s *discordgo.Session) { s.Identify.Intents = discordgo.IntentMessageContent },
	} {
		if session(change) == nil {
			t.Errorf("%s: the session was opened", what)
		}
		line("gateway closed", what, "hint=")
	}
	command := &discordgo.ApplicationCommand{Name: "wait", Description: "d"}
	register(t, srv, command)
	call, err := ada.Do(sandbox.SlashCommand{Channel: general, Path: "wait"})
	if err != nil {
		t.Fatal(err)
	}
	srv.Advance(4 * time.Second)
	line("never answered", "/wait by Ada in #general", "deadline=3s", "The application did not respond", "no bot is connected")
	// A bot that interactions are posted to has no session, and says what is wrong by itself.
	broken := &endpoint{reply: func(w http.ResponseWriter, _ map[string]any) { w.WriteHeader(http.StatusInternalServerError) }}
	if err := srv.REST().SetEndpoint(t.Context(), srv.App(), broken.listen(t, srv)); err != nil {
		t.Fatal(err)
	}
	ada.Command(t, general, "wait")
	line("never answered", "the endpoint answered with status 500")
	if n := strings.Count(log.String(), "no bot is connected"); n != 1 {
		t.Errorf("%d hints that no bot is connected, want the one from before:\n%s", n, log.String())
	}
	if err := srv.REST().SetEndpoint(t.Context(), srv.App(), ""); err != nil {
		t.Fatal(err)
	}
	late := func(s *discordgo.Session, in *discordgo.InteractionCreate) {
		srv.Advance(2500 * time.Millisecond)
		_ = s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource, Data: &discordgo.InteractionResponseData{Content: "late"},
		})
	}
	apitest.Connect(t, srv, late)
	line("msg=connected", "intents=")
	slow := ada.Command(t, general, "wait")
	line("slow answer", "/wait by Ada", "deadline=3s")

	// Tokens in paths: of interactions, of webhooks, and where nothing has that path.
	secrets := []string{srv.Token(), call.InteractionToken(), slow.Call.InteractionToken()}
	for _, c := range []*sandbox.Call{call, slow.Call} {
		request(t, srv, "POST", "/interactions/"+c.ID()+"/"+c.InteractionToken()+"/callback", obj{"type": 4})
		request(t, srv, "PATCH", "/webhooks/"+srv.AppID()+"/"+c.InteractionToken()+"/messages/@original", obj{"content": 7})
		request(t, srv, "GET", "/webhooks/"+srv.AppID()+"/"+c.InteractionToken()+"/nothing/here", nil)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.APIURL()+"/users/@me", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+srv.Token()+"x")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	line("msg=refused", "/callback", "code=40060")
	line("msg=refused", "/messages/@original", "content")
	line("msg=refused", "/nothing/here", "status=404")
	line("msg=refused", "status=401")
	for _, secret := range secrets {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has a token:\n%s", log.String())
		}
	}
}
