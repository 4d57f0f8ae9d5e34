package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/shape"
	"tictactoe/bot/sandbox/waittest"
)

var update = flag.Bool("update", false, "write the keys of interactions as the local Discord sends them")

// TestDescriptionIsThere is the test that skips where requests are not checked.
func TestDescriptionIsThere(t *testing.T) { bottest.NeedDescription(t) }

func TestMain(m *testing.M) {
	inTime, quick = waittest.Limit(inTime), waittest.Limit(quick)
	os.Exit(m.Run())
}

// place is a local Discord with a channel to look at, and what a run leaves.
type place struct {
	srv     *sandbox.Server
	channel *sandbox.Channel
	opts    Options
	out     *lockedBuffer
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

// silentLine shows no progress.
type silentLine struct{}

func (silentLine) Say(string, ...any) {}
func (silentLine) Clear()             {}

// between stands between the run and the local Discord.
type between func(req *http.Request) (*http.Response, error)

func (b between) RoundTrip(req *http.Request) (*http.Response, error) { return b(req) }

// newPlace starts a local Discord in which the bot may also manage threads.
func newPlace(t *testing.T, change ...func(*sandbox.Options)) *place {
	t.Helper()
	usual := func(o *sandbox.Options) {
		o.Gateway.IdentifyWindow = time.Millisecond
		o.REST.BucketLimit, o.REST.GlobalLimit = 10_000, -1
		o.World.Deadline = waittest.Limit(3 * time.Second)
		o.World.BotPermissions = permission.ManageThreads
	}
	srv := sandbox.NewServer(t, append([]func(*sandbox.Options){usual}, change...)...)
	dir := t.TempDir()
	p := &place{srv: srv, channel: srv.Guild().Channel("verify"), out: &lockedBuffer{}}
	p.opts = Options{
		REST: rest.Options{BaseURL: srv.APIURL(), Token: srv.Token(), Limits: rest.Limits{PerSecond: 10_000}}, Identifies: gateway.NewIdentifiesEvery(time.Millisecond),
		Settings: Settings{
			Channel: p.channel.ID(), Yes: true, Wait: waittest.Limit(10 * time.Second),
			Made: filepath.Join(dir, "made.json"), Report: filepath.Join(dir, "report.json"),
		},
		Version: "test", Out: p.out, Progress: silentLine{}, Now: time.Now, After: time.After,
	}
	return p
}

// run looks, and expects nothing to be left in the server.
func (p *place) run(t *testing.T) (Report, error) {
	t.Helper()
	r, err := Run(t.Context(), p.opts)
	p.nothingLeft(t)
	return r, err
}

func (p *place) nothingLeft(t *testing.T) {
	t.Helper()
	for _, m := range p.channel.Messages(p.srv.World().Owner()) {
		if !m.Snapshot().Ephemeral() {
			t.Errorf("a message is left: %q", m.Snapshot().Text())
		}
	}
	for _, q := range p.srv.REST().Requests() {
		var thread struct{ ID string }
		if q.Method == "POST" && strings.HasSuffix(q.Route, "/threads") && json.Unmarshal(q.Response, &thread) == nil && thread.ID != "" {
			if c := p.srv.World().ChannelByID(thread.ID); c != nil && !c.Deleted() {
				t.Error("a thread is left")
			}
		}
	}
	if n := len(p.srv.App().Commands(p.srv.Guild().ID())); n > 0 {
		t.Errorf("%d commands are left", n)
	}
	if _, err := os.Stat(p.opts.Made); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the list of what was made is left: %v", err)
	}
}

// states are the rows in a state.
func states(r Report, state string) (ids []string) {
	for _, one := range r.Results {
		if one.State == state {
			ids = append(ids, one.ID)
		}
	}
	return ids
}

func idsOf(rows []row) (ids []string) {
	for _, r := range rows {
		ids = append(ids, r.id)
	}
	return ids
}

// TestAlone: on the local Discord nothing differs, and everything goes again.
func TestAlone(t *testing.T) {
	p := newPlace(t)
	p.opts.Alone = true
	r, err := p.run(t)
	if err != nil {
		t.Fatal(err)
	}
	if same := states(r, Same); !slices.Equal(same, idsOf(aloneRows)) {
		t.Errorf("as expected: %q\n%s", same, p.out)
	}
	if of := r.Results[0].Of; !slices.Contains(of, "GET /oauth2/applications/@me 200") {
		t.Errorf("the first row has looked at %q", of)
	}
	for _, q := range p.srv.REST().Requests() {
		if q.Method != "GET" && strings.HasSuffix(q.Route, "/applications/{application_id}/commands") {
			t.Errorf("global commands: %s", q.Method)
		}
	}
	if len(p.srv.App().Commands("")) > 0 {
		t.Error("there are global commands")
	}
}

// alongside runs it while somebody acts, and returns what it came to.
func (p *place) alongside(t *testing.T, person func()) (r Report, err error) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r, err = Run(t.Context(), p.opts)
	}()
	defer func() { <-ended }()
	person()
	<-ended
	p.nothingLeft(t)
	return r, err
}

// step waits until a step is asked for.
func (p *place) step(t *testing.T, n int) {
	t.Helper()
	waittest.Until(t, fmt.Sprintf("step %d of\n%s", n, p.out), func() bool { return strings.Contains(p.out.String(), fmt.Sprintf("Step %d of ", n)) })
}

// shown is the last message with a button that Ada sees.
func (p *place) shown(t *testing.T, as *sandbox.User, private bool) *sandbox.Message {
	t.Helper()
	for _, m := range slices.Backward(p.channel.Messages(as)) {
		if m.Snapshot().Ephemeral() == private {
			return m
		}
	}
	t.Fatal("no message")
	return nil
}

// press goes through every step; it presses verdict at each question.
func (p *place) press(t *testing.T, verdict string) {
	t.Helper()
	p.pressUntil(t, verdict, 14)
}

// pressUntil leaves the steps from a number on.
func (p *place) pressUntil(t *testing.T, verdict string, end int) {
	t.Helper()
	ada := p.srv.User("Ada Lovelace")
	p.step(t, 1)
	ada.Command(t, p.channel, chatCommand+" play")
	p.step(t, 2)
	board := p.shown(t, ada, false)
	for _, b := range slices.Concat(board.Snapshot().Rows()...) {
		if isCell(b.CustomID) {
			ada.ClickID(t, board, b.CustomID)
			break
		}
	}
	for n := 3; n <= 4; n++ {
		p.step(t, n)
		ada.Click(t, board, "Next")
	}
	if end <= 5 {
		return
	}
	p.step(t, 5)
	ada.Click(t, p.shown(t, ada, true), "Press me")
	p.step(t, 6)
	ada.Click(t, p.shown(t, ada, true), "Again")
	p.step(t, 7)
	list, ok := bottest.List(board.Snapshot())
	if !ok {
		t.Fatal("no list")
	}
	ada.Select(t, board, list.CustomID, list.Options[0].Value)
	for n := 8; n <= 12; n++ {
		p.step(t, n)
		ada.Click(t, board, verdict)
	}
	p.step(t, 13)
	ada.UserCommand(t, p.channel, personCommand, p.srv.User("Ben Nevis"))
}

// TestWithClicks: somebody presses what they are asked to, and nothing differs. With -update
// the keys of the interactions are written.
func TestWithClicks(t *testing.T) {
	p := newPlace(t)
	r, err := p.alongside(t, func() { p.press(t, "Like this") })
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		known := map[string]shape.Shape{}
		for _, name := range []string{"command", "click", "select", "person"} {
			raw, err := json.Marshal(r.Payloads[name])
			if err != nil {
				t.Fatal(err)
			}
			known[name] = shape.Of(raw)
		}
		raw, err := json.MarshalIndent(known, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("shapes.json", append(raw, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Skip("shapes.json is written: run it again without -update")
	}
	if same, want := states(r, Same), append(idsOf(aloneRows), idsOf(clickRows)...); !slices.Equal(same, want) {
		t.Errorf("as expected: %q\n%s", same, p.out)
	}
}
