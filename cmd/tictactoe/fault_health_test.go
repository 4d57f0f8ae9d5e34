package main

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// anyPort has the system choose a port: one that was free a moment ago may be taken.
const anyPort = "127.0.0.1:0"

// serves returns the address that the program serves at, as it says for a setting.
func (p *program) serves(t *testing.T, setting string) (addr string) {
	t.Helper()
	said := regexp.MustCompile(`msg=serving setting=` + setting + ` address=(\S+)\n`)
	poll(t, p, "its address", func() bool {
		found := said.FindStringSubmatch(p.output.String())
		if found != nil {
			addr = found[1]
		}
		return found != nil
	})
	return addr
}

// ask returns the status and the text that the program answers with, 0 when it does
// not listen.
func ask(t *testing.T, url string) (status int, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// becomes waits until the address answers so, and the health command agrees: between the
// two a disk that takes long may change the answer for a moment.
func becomes(t *testing.T, addr string, status int, text string) {
	t.Helper()
	limit := time.After(waittest.Limit(60 * time.Second))
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	want := exitOK
	if status != http.StatusOK {
		want = exitError
	}
	code, out := -1, ""
	for {
		got, said := ask(t, "http://"+addr+"/readyz")
		if got == status && strings.Contains(said, text) {
			if code, out = launch(t, "", []string{"HTTP_ADDR=" + addr}, "health").wait(t); code == want && strings.Contains(out, text) {
				break
			}
		}
		select {
		case <-limit:
			t.Fatalf("/readyz answers %d %q, want %d %q; health ended with %d and said %q, want %d", got, said, status, text, code, out, want)
		case <-tick.C:
		}
	}
	if got, said := ask(t, "http://"+addr+"/healthz"); got != http.StatusOK {
		t.Errorf("/healthz answers %d %q while the process is alive", got, said)
	}
}

// TestHealthFollowsWhatIsWrong: ready means connected and able to save. The process
// is alive all the time.
func TestHealthFollowsWhatIsWrong(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	dir := t.TempDir()
	srv.Faults().GatewayBotFails(2)
	p := launch(t, dir, append(settings, "HTTP_ADDR="+anyPort))
	addr := p.serves(t, "HTTP_ADDR")
	becomes(t, addr, http.StatusOK, "ready")

	srv.Faults().RefuseUpgrade(1000)
	srv.Faults().DropGateway()
	becomes(t, addr, http.StatusServiceUnavailable, "not connected to Discord")
	srv.Faults().Clear()
	becomes(t, addr, http.StatusOK, "ready")

	release := bottest.Lock(t, filepath.Join(dir, "tictactoe.db"))
	becomes(t, addr, http.StatusServiceUnavailable, "the database cannot be written")
	release()
	becomes(t, addr, http.StatusOK, "ready")

	for _, path := range []string{"/", "/metrics", "/debug/pprof/"} {
		if status, _ := ask(t, "http://"+addr+path); status != http.StatusNotFound {
			t.Errorf("%s answers %d, want 404", path, status)
		}
	}
	p.kill(t)
	if code, _ := launch(t, "", []string{"HTTP_ADDR=" + addr}, "health").wait(t); code != exitError {
		t.Errorf("health ends with %d although nothing runs", code)
	}
}

// TestTokenRefusedLater: the bot token is refused on a route in the middle of a game
// (401 without code 50027), while the Gateway still works. The program ends with a
// sentence that says what to do.
func TestTokenRefusedLater(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	srv.AllowUnanswered()
	p := launch(t, "", settings)
	connected(t, srv, p)
	board, question := resigning(t, srv)
	srv.Faults().ExpireTokens()
	srv.Faults().FailNext(sandbox.RouteEditMessage, http.StatusUnauthorized, 10)
	srv.User("Ada").Click(t, question, "Resign")
	code, out := p.wait(t)
	if code != exitError || !strings.Contains(out, "refused the bot token") {
		t.Errorf("exit code %d, want %d:\n%s", code, exitError, out)
	}
	if strings.Contains(board.Text(), "resigned") {
		t.Error("the board was redrawn by a token that is refused")
	}
}

// TestDeadInteractionTokenStopsNothing: 401 with code 50027 says only that an
// interaction's token is dead. The bot's own redraws, and the program goes on.
func TestDeadInteractionTokenStopsNothing(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	p := launch(t, "", settings)
	connected(t, srv, p)
	board, question := resigning(t, srv)
	srv.Faults().ExpireTokens()
	srv.User("Ada").Click(t, question, "Resign")
	board.Wait(t, "the board to be redrawn", func(s sandbox.Snapshot) bool { return strings.Contains(s.Text(), "resigned") })
	if r := srv.User("Ada").Command(t, board.Channel(), "tictactoe play"); !r.Answered() {
		t.Errorf("not answered any more: %v", r.Problems)
	}
}

// resigning brings Ada in a game with Bob to the question whether to resign.
func resigning(t *testing.T, srv *sandbox.Server) (board, question *sandbox.Message) {
	t.Helper()
	general, ada, bob := srv.Guild().Channel("general"), srv.User("Ada"), srv.User("Bob")
	board = ada.Command(t, general, "tictactoe challenge", sandbox.OptUser("user", bob)).Message
	if board == nil {
		t.Fatal("no challenge")
	}
	bob.Click(t, board, "Accept")
	ada.ClickCell(t, board, 0, 0)
	question = ada.Click(t, board, "⋯ More").Message
	return board, question
}

// TestProgramPrintsNoSecrets has the program meet one fault after the other with
// everything logged that can be, the client library's own lines included.
func TestProgramPrintsNoSecrets(t *testing.T) {
	t.Parallel()
	// Many answers are lost, and nobody has to wait for long until that is known.
	srv, settings := discord(t, func(o *sandbox.Options) { o.World.Deadline = bottest.AnswerTime })
	srv.AllowUnanswered()
	dir := t.TempDir()
	p := launch(t, dir, append(settings, "LOG_LEVEL=debug"))
	connected(t, srv, p)
	ada := srv.User("Ada")
	arms := []func(){
		func() { srv.Faults().FailNext(sandbox.AnyRoute, 500) },
		func() { srv.Faults().ApplyThenFailNext(sandbox.AnyRoute) },
		func() { srv.Faults().ResetNext(sandbox.AnyRoute, false) },
		func() { srv.Faults().ResetNext(sandbox.AnyRoute, true) },
		func() { srv.Faults().RateLimitNext(sandbox.AnyRoute, time.Minute, sandbox.ScopeGlobal) },
		func() { srv.Faults().RateLimitNext(sandbox.AnyRoute, time.Minute, sandbox.ScopeHTML) },
		func() { srv.Faults().FailNext(sandbox.RouteCallback, http.StatusUnauthorized) },
		func() { srv.Faults().FailNext(sandbox.RouteCallback, http.StatusNotFound) },
		srv.Faults().ExpireTokens, srv.Faults().DropGateway, srv.Faults().ReconnectOp7, func() { srv.Faults().CloseGateway(4000) },
		func() { _ = srv.Faults().Trigger("FirstPacketAfterResume") },
		func() { _ = srv.Faults().Trigger("UnknownEvents") },
	}
	for i, arm := range arms {
		ch := srv.Guild().Channel("secrets-" + string(rune('a'+i)))
		arm()
		c := ada.StartCommand(t, ch, "tictactoe play")
		srv.WaitFor(t, "it to end", func() bool { return c.Reply().State != sandbox.CallPending })
		if m := c.Reply().Message; m != nil {
			ada.ClickCell(t, m, 0, 0)
			ada.Click(t, m, "⋯ More")
		}
		srv.Faults().Clear()
		srv.WaitFor(t, "the program to be connected", func() bool { return srv.Gateway().Sessions() > 0 })
	}
	release := bottest.Lock(t, filepath.Join(dir, "tictactoe.db"))
	ada.Command(t, srv.Guild().Channel("locked"), "tictactoe play")
	release()
	srv.Faults().RevokeToken()
	_, out := p.wait(t)
	if !strings.Contains(out, "level=DEBUG") {
		t.Error("nothing was logged at debug level, so that this proves nothing")
	}
	if strings.Contains(out, srv.Token()) {
		t.Error("the bot token is in the output")
	}
	for _, c := range srv.World().Calls() {
		if strings.Contains(out, c.InteractionToken()[:40]) {
			t.Errorf("the token of an interaction is in the output: %v", c)
		}
	}
}
