package main

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/pagetest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
)

// childVariable makes the test binary be the program: child processes need no
// second build and are checked for races like everything else.
const childVariable = "TICTACTOE_TEST_CHILD"

func TestMain(m *testing.M) {
	answerTime, gridTime = waittest.Limit(answerTime), waittest.Limit(gridTime)
	noticeTime, stopTime = waittest.Limit(time.Second), waittest.Limit(7500*time.Millisecond)
	if os.Getenv(childVariable) != "" {
		ctx, stop := untilSignal()
		code := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
		stop()
		os.Exit(code)
	}
	waittest.Together()
	os.Exit(pagetest.Run(m))
}

// program is the program as a process of its own.
type program struct {
	cmd    *exec.Cmd
	output *lockedBuffer
	exited chan struct{}
}

// launch starts the program with arguments and settings, in a folder of its own
// unless dir names one.
func launch(t *testing.T, dir string, settings []string, args ...string) *program {
	t.Helper()
	if dir == "" {
		dir = t.TempDir()
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{cmd: exec.Command(self, args...), output: &lockedBuffer{}, exited: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = append([]string{
		childVariable + "=1", "GORACE=atexit_sleep_ms=0", "TMPDIR=" + dir, "HOME=" + dir,
		waittest.Variable + "=" + os.Getenv(waittest.Variable),
	}, settings...)
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.exited
		if t.Failed() {
			t.Logf("output of the program:\n%s", p.output)
		}
	})
	return p
}

// wait returns the exit code and the output, once the program has ended.
func (p *program) wait(t *testing.T) (int, string) {
	t.Helper()
	select {
	case <-p.exited:
	case <-time.After(waittest.Limit(60 * time.Second)):
		t.Fatalf("the program does not end; so far it said:\n%s", p.output)
	}
	return p.cmd.ProcessState.ExitCode(), p.output.String()
}

func (p *program) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-p.exited
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestDescriptionIsThere is the test that skips where requests are not checked.
func TestDescriptionIsThere(t *testing.T) { bottest.NeedDescription(t) }

// discord starts a local Discord, and returns the settings to connect to it. In the
// end every request that was made has to fit Discord's description.
func discord(t *testing.T, change ...func(*sandbox.Options)) (*sandbox.Server, []string) {
	t.Helper()
	return discordOf(t, nil, change...)
}

// behindAnother is in what Discord refuses where several processes play anywhere: one that names
// people in a challenge may come behind another, which has made a board of it. The board stays.
const behindAnother = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"

// discordOf is discord for a program from which refusals with these texts are taken.
func discordOf(t *testing.T, late []string, change ...func(*sandbox.Options)) (*sandbox.Server, []string) {
	t.Helper()
	usual := func(o *sandbox.Options) {
		o.Gateway.IdentifyWindow = time.Millisecond
		o.REST.BucketLimit = 10_000
		o.REST.GlobalLimit = -1
		o.World.LookTime = 450 * time.Millisecond
		o.World.Deadline = answerTime
	}
	srv := sandbox.NewServer(t, append([]func(*sandbox.Options){usual}, change...)...)
	bottest.WatchRequests(t, srv, late...)
	return srv, []string{"DISCORD_TOKEN=" + srv.Token(), "DISCORD_API_URL=" + srv.APIURL()}
}

// connected waits until a bot has a session and its commands are registered.
func connected(t *testing.T, srv *sandbox.Server, p *program) {
	t.Helper()
	srv.WaitFor(t, "the program to connect", func() bool {
		select {
		case <-p.exited:
			t.Errorf("the program ended:\n%s", p.output)
			return true
		default:
		}
		return srv.Gateway().Sessions() > 0 && len(srv.App().Commands("")) == 4
	})
	if t.Failed() {
		t.FailNow()
	}
}

// TestKilledAfterEveryMove plays a whole game between two people, kills the
// program after every single move, and starts it again on the same file.
func TestKilledAfterEveryMove(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	general, ada, bob := srv.Guild().Channel("general"), srv.User("Ada"), srv.User("Bob")
	dir := t.TempDir()
	start := func() *program {
		p := launch(t, dir, settings)
		connected(t, srv, p)
		return p
	}
	p := start()
	challenge := ada.Command(t, general, "tictactoe challenge", sandbox.OptUser("user", bob))
	restart := func() {
		p.kill(t)
		srv.WaitFor(t, "the connection to end", func() bool { return srv.Gateway().Sessions() == 0 })
		p = start()
	}
	restart()
	board := challenge.Message
	bob.Click(t, board, "Accept")
	restart()
	moves := [][2]int{{0, 0}, {1, 1}, {0, 2}, {0, 1}, {2, 1}, {1, 0}, {1, 2}, {2, 2}, {2, 0}}
	for ply, at := range moves {
		who := ada
		if ply%2 == 1 {
			who = bob
		}
		// A program that has just started may be drawing the board. Then a click is only
		// acknowledged, and its picture follows, perhaps from the program after that.
		board.Wait(t, "the moves so far", func(s sandbox.Snapshot) bool {
			_, accepted := s.Button("⋯ More")
			return accepted && bottest.Ply(s) == ply
		})
		if r := who.ClickCell(t, board, at[0], at[1]); !r.Answered() || r.Type == sandbox.CallbackMessage {
			t.Fatalf("move %d was answered with %q %v", ply+1, r.Text(), r.Problems)
		}
		restart()
	}
	bottest.WantText(t, board, "**Draw")
	ada.Click(t, board, "Rematch")
	restart()
	board.Wait(t, "the wish for a rematch", func(s sandbox.Snapshot) bool { _, ok := s.Button("Yes, rematch"); return ok })
	if r := bob.Click(t, board, "Yes, rematch"); !r.Answered() {
		t.Errorf("the rematch was not answered: %v", r.Problems)
	}
}

func TestRunStopsInOrder(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	p := launch(t, "", settings)
	connected(t, srv, p)
	ada := srv.User("Ada")
	r := ada.Command(t, srv.Guild().Channel("general"), "tictactoe play")
	if !r.Answered() {
		t.Fatal("not answered")
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	code, out := p.wait(t)
	if code != exitOK {
		t.Errorf("exit code %d after SIGTERM, want 0:\n%s", code, out)
	}
	if !strings.Contains(out, "https://discord.com/oauth2/authorize?client_id="+srv.AppID()) {
		t.Errorf("no invite link in:\n%s", out)
	}
	if strings.Contains(out, srv.Token()) {
		t.Error("the token is in the output")
	}
}

func TestRunWithoutToken(t *testing.T) {
	t.Parallel()
	p := launch(t, "", nil)
	code, out := p.wait(t)
	if code != exitUsage {
		t.Errorf("exit code %d, want %d", code, exitUsage)
	}
	for _, want := range []string{"DISCORD_TOKEN", "developers/applications", "tictactoe sandbox"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in:\n%s", want, out)
		}
	}
}

func TestRunWithAWrongToken(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{nil, {"run"}, {"register"}} {
		t.Run(strings.Join(command, " "), func(t *testing.T) {
			srv, settings := discord(t)
			p := launch(t, "", append(settings, "DISCORD_TOKEN=MTIz.wrong.token-that-stays-secret"), command...)
			code, out := p.wait(t)
			if code != exitError {
				t.Errorf("exit code %d, want %d", code, exitError)
			}
			if !strings.Contains(out, "refused the bot token") {
				t.Errorf("unclear message:\n%s", out)
			}
			if strings.Contains(out, "stays-secret") {
				t.Error("the token is in the output")
			}
			if n := len(srv.REST().Requests()); n > 2 {
				t.Errorf("%d requests with a wrong token", n)
			}
		})
	}
}

func TestRunWithATokenRevokedLater(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	p := launch(t, "", settings)
	connected(t, srv, p)
	srv.Faults().RevokeToken()
	code, out := p.wait(t)
	if code != exitError || !strings.Contains(out, "refused the bot token") {
		t.Errorf("exit code %d, want %d:\n%s", code, exitError, out)
	}
}

func TestRegister(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	for i, want := range []string{"are registered", "were registered already"} {
		p := launch(t, "", settings, "register")
		code, out := p.wait(t)
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("try %d: exit code %d:\n%s", i+1, code, out)
		}
	}
	guild := launch(t, "", append(settings, "DISCORD_GUILD_ID="+srv.Guild().ID()), "register")
	if code, out := guild.wait(t); code != exitOK {
		t.Errorf("in a guild: exit code %d:\n%s", code, out)
	}
	if n := len(srv.App().Commands(srv.Guild().ID())); n != 4 {
		t.Errorf("%d commands in the guild, want 4", n)
	}
	puts := 0
	for _, r := range srv.REST().Requests() {
		if r.Method == "PUT" {
			puts++
		}
	}
	if puts != 2 {
		t.Errorf("%d writes of commands, want one for each scope", puts)
	}
}

func TestSandboxServesAPage(t *testing.T) {
	t.Parallel()
	p, page := sandboxAt(t, "")
	if body := get(t, page.url); !strings.Contains(body, "<html") {
		t.Errorf("no page at %s: %.200s", page.url, body)
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, out := p.wait(t); code != exitOK {
		t.Errorf("exit code %d after SIGTERM:\n%s", code, out)
	}
	if left, _ := filepath.Glob(filepath.Join(p.cmd.Dir, "tictactoe-sandbox-*")); len(left) > 0 {
		t.Errorf("temporary folders are left: %v", left)
	}
}

// TestSandboxRefusesOtherAddresses asks for places that the page cannot be served
// at, and for something else that is wrong: both are told at once.
func TestSandboxRefusesOtherAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"0.0.0.0:0":        `--addr "0.0.0.0:0" is not on this machine alone: give a loopback address such as 127.0.0.1:8484`,
		"example.org:8484": `--addr "example.org:8484" is not on this machine alone: give a loopback address such as 127.0.0.1:8484`,
		":8484":            `--addr ":8484" is not on this machine alone: give a loopback address such as 127.0.0.1:8484`,
		"8484":             `--addr "8484" is not host:port, such as 127.0.0.1:8484`,
		"nonsense":         `--addr "nonsense" is not host:port, such as 127.0.0.1:8484`,
		"127.0.0.1:99999":  `--addr "127.0.0.1:99999" is not host:port, such as 127.0.0.1:8484`,
		"127.0.0.1:":       `--addr "127.0.0.1:" is not host:port, such as 127.0.0.1:8484`,
	} {
		t.Run(addr, func(t *testing.T) {
			code, out := inProcess(t, nil, "sandbox", "--addr", addr, "--log-level", "loud")
			if code != exitUsage || !strings.Contains(out, want) || !strings.Contains(out, "LOG_LEVEL") {
				t.Errorf("exit code %d:\n%s\nwant %s", code, out, want)
			}
		})
	}
}

// TestRunByHTTP: without a Gateway connection the program says which address belongs
// on the application's page, passes Discord's check of it, plays, and stops in order.
func TestRunByHTTP(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	p := launch(t, "", append(settings, "DISCORD_PUBLIC_KEY="+srv.PublicKey(), "DISCORD_GATEWAY=off", "HTTP_ADDR="+anyPort))
	addr := p.serves(t, "HTTP_ADDR")
	becomes(t, addr, http.StatusOK, "ready")
	waittest.Until(t, "the commands", func() bool { return len(srv.App().Commands("")) > 0 })
	if err := srv.REST().SetEndpoint(t.Context(), srv.App(), "http://"+addr+"/interactions"); err != nil {
		t.Fatal(err)
	}
	ada := srv.User("Ada")
	r := ada.Command(t, srv.Guild().Channel("general"), "tictactoe play")
	if !r.Answered() {
		t.Fatalf("not answered: %v", r.Problems)
	}
	if r := ada.ClickCell(t, r.Message, 1, 1); !r.Answered() {
		t.Errorf("a move was not answered: %v", r.Problems)
	}
	for path, want := range map[string]int{"/interactions": http.StatusMethodNotAllowed, "/metrics": http.StatusNotFound} {
		if status, _ := ask(t, "http://"+addr+path); status != want {
			t.Errorf("GET %s answers %d, want %d", path, status, want)
		}
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	code, out := p.wait(t)
	if code != exitOK || !strings.Contains(out, "https://YOUR-HOST/interactions, which has to lead to http://"+addr+"/interactions") {
		t.Errorf("exit code %d after SIGTERM:\n%s", code, out)
	}
	if n := srv.Gateway().Sessions(); n != 0 || strings.Contains(out, srv.Token()) {
		t.Errorf("%d Gateway sessions; the token is in the output: %v", n, strings.Contains(out, srv.Token()))
	}
}

// TestInteractionSettingsThatDoNotFit: what has to go together is asked for.
func TestInteractionSettingsThatDoNotFit(t *testing.T) {
	key := strings.Repeat("ab", 32)
	for _, c := range []struct {
		settings []string
		want     string
	}{
		{[]string{"DISCORD_GATEWAY=off"}, "needs DISCORD_PUBLIC_KEY and HTTP_ADDR"},
		{[]string{"DISCORD_GATEWAY=off", "DISCORD_PUBLIC_KEY=" + key}, "needs DISCORD_PUBLIC_KEY and HTTP_ADDR"},
		{[]string{"DISCORD_PUBLIC_KEY=" + key + "ab", "HTTP_ADDR=:0"}, "64 hexadecimal digits"},
	} {
		code, out := inProcess(t, append(c.settings, "DISCORD_TOKEN=abc"), "run")
		if code != exitUsage || !strings.Contains(out, c.want) {
			t.Errorf("%v: exit code %d, %s\nwant %q", c.settings, code, out, c.want)
		}
	}
	for endpoint, want := range map[string]string{"": "", "https://elsewhere.example/x": "sends none over the Gateway"} {
		if got := advice(service.Options{}, "", endpoint); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("with the endpoint %q it says %q", endpoint, got)
		}
	}
}

// TestSandboxByHTTP plays on the local Discord as it posts interactions.
func TestSandboxByHTTP(t *testing.T) {
	t.Parallel()
	p := launch(t, "", nil, "sandbox", "--http", "--addr", "127.0.0.1:0")
	poll(t, p, "the address", func() bool { return strings.Contains(p.output.String(), "Play at http://127.0.0.1:") })
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, out := p.wait(t); code != exitOK {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}
