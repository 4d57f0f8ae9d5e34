package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/bottest"
	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/apicheck"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/permission"
)

// answer is a made-up one.
func answer(req *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Request: req, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

// writes are the requests that change something.
func (p *place) writes() (n int) {
	for _, q := range p.srv.REST().Requests() {
		if q.Method != http.MethodGet {
			n++
		}
	}
	return n
}

// TestAsksFirst: without a terminal nothing is asked of Discord, and without a yes nothing is done.
func TestAsksFirst(t *testing.T) {
	p := newPlace(t)
	p.opts.Yes = false
	if _, err := p.run(t); !errors.Is(err, errNobody) || len(p.srv.REST().Requests()) > 0 {
		t.Errorf("without a terminal: %v, %d requests", err, len(p.srv.REST().Requests()))
	}
	asked := ""
	p.opts.Ask = func(_ context.Context, question string) bool { asked = question; return false }
	if _, err := p.run(t); !errors.Is(err, errRefused) || p.writes() > 0 || !strings.Contains(asked, p.opts.Channel) {
		t.Errorf("after no: %v, %d writes, asked %q", err, p.writes(), asked)
	}
}

// TestAsksForClicks: whoever has no time for clicks has the rest.
func TestAsksForClicks(t *testing.T) {
	p := newPlace(t)
	p.opts.Yes = false
	p.opts.Ask = func(_ context.Context, question string) bool { return !strings.Contains(question, "clicks") }
	r, err := p.run(t)
	if err != nil || r.Count(Same) != len(aloneRows) || r.Count(Untried) != len(clickRows)+len(moreRows)+len(laterRows) {
		t.Errorf("%v, %d as expected, %d not tried", err, r.Count(Same), r.Count(Untried))
	}
	if strings.Contains(p.out.String(), "Step 1") {
		t.Error("it asked for clicks all the same")
	}
}

// TestCannotRun: what keeps it from running is said in words, before anything is done.
func TestCannotRun(t *testing.T) {
	p := newPlace(t)
	for _, c := range []struct {
		name   string
		change func(*Options)
		want   error
	}{
		{"a wrong token", func(o *Options) { o.REST.Token = "MTIz.wrong.token" }, errToken},
		{"a channel that is none", func(o *Options) { o.Channel = p.srv.AppID() }, errChannel},
		{"nobody's token", func(o *Options) {
			o.REST.Transport = between(func(req *http.Request) (*http.Response, error) { return answer(req, 200, `{}`), nil })
		}, errNoApplication},
		{"direct messages", func(o *Options) { o.Channel = p.srv.User("Ada").DM().ID() }, errChannel},
		{"nothing kept", func(o *Options) { o.Resume = true }, errNothingKept},
		{"an endpoint", func(o *Options) {
			o.REST.Transport = between(func(req *http.Request) (*http.Response, error) {
				if strings.HasSuffix(req.URL.Path, "/oauth2/applications/@me") {
					return answer(req, 200, `{"id":"`+p.srv.AppID()+`","interactions_endpoint_url":"https://example.org/interactions"}`), nil
				}
				return http.DefaultTransport.RoundTrip(req)
			})
		}, errEndpoint},
	} {
		opts := p.opts
		c.change(&opts)
		if _, err := Run(t.Context(), opts); !errors.Is(err, c.want) || p.writes() > 0 {
			t.Errorf("%s: %v, %d writes", c.name, err, p.writes())
		}
	}
}

// TestStopsWhereABotRuns: a bot that answers first is to be stopped first.
func TestStopsWhereABotRuns(t *testing.T) {
	p := newPlace(t)
	other := p.srv.Session()
	answered := make(chan struct{})
	other.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		if err := s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: 4, Data: &discordgo.InteractionResponseData{Content: "mine"}}); err != nil {
			t.Error(err)
		}
		close(answered)
	})
	if err := other.Open(); err != nil {
		t.Fatal(err)
	}
	defer other.Close() //nolint:errcheck // the server ends, too
	p.opts.REST.Transport = between(func(req *http.Request) (*http.Response, error) {
		if strings.HasSuffix(req.URL.Path, "/callback") {
			<-answered
		}
		return http.DefaultTransport.RoundTrip(req)
	})
	var err error
	ended := make(chan struct{})
	go func() { _, err = Run(t.Context(), p.opts); close(ended) }()
	p.step(t, 1)
	p.srv.User("Ada").Command(t, p.channel, chatCommand+" play")
	<-ended
	if !errors.Is(err, errRunning) {
		t.Errorf("it ended with %v", err)
	}
	if n := len(p.channel.Messages(p.srv.World().Owner())); n != 1 { // the other bot's
		t.Errorf("%d messages are left", n)
	}
}

// TestInterrupted: Ctrl+C at any time removes what was made.
func TestInterrupted(t *testing.T) {
	for _, after := range []int{1, 10, 40} {
		p := newPlace(t)
		ctx, cancel := context.WithCancel(t.Context())
		var mu sync.Mutex
		posts := 0
		p.srv.REST().OnRequest(func(q sandbox.Request) {
			mu.Lock()
			defer mu.Unlock()
			if posts++; q.Method != http.MethodGet && posts >= after {
				cancel()
			}
		})
		if _, err := Run(ctx, p.opts); !errors.Is(err, errInterrupted) {
			t.Errorf("after %d requests: %v", after, err)
		}
		p.nothingLeft(t)
	}
}

// TestInterruptedAndLeft: who interrupts it, or whose token is refused, is told as well what
// could not be removed.
func TestInterruptedAndLeft(t *testing.T) {
	p := newPlace(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p.opts.REST.Transport = between(func(req *http.Request) (*http.Response, error) {
		switch req.Method {
		case http.MethodDelete:
			return answer(req, http.StatusForbidden, `{"code":50013,"message":"Missing Permissions"}`), nil
		case http.MethodPost:
			defer cancel()
		}
		return http.DefaultTransport.RoundTrip(req)
	})
	_, err := Run(ctx, p.opts)
	if !errors.Is(err, errInterrupted) || !strings.Contains(err.Error(), "still there, which --clean removes") {
		t.Errorf("it ended with %v", err)
	}
}

// TestInterruptedWhileWaiting: it does not wait for a click that nobody wants any more.
func TestInterruptedWhileWaiting(t *testing.T) {
	p := newPlace(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { _, err := Run(ctx, p.opts); ended <- err }()
	p.step(t, 1)
	cancel()
	if err := <-ended; !errors.Is(err, errInterrupted) {
		t.Error(err)
	}
	p.nothingLeft(t)
}

// TestNobodyPresses: after a while the rest is not tried.
func TestNobodyPresses(t *testing.T) {
	p := newPlace(t)
	p.opts.After = func(d time.Duration) <-chan time.Time {
		if d == p.opts.Wait {
			d = 0
		}
		return time.After(d)
	}
	r, err := p.run(t)
	if err != nil || r.Count(Differs) > 0 || r.Count(Untried) != len(clickRows)+len(moreRows)+len(laterRows) {
		t.Errorf("%v, %d differ, %d not tried", err, r.Count(Differs), r.Count(Untried))
	}
}

// TestCrashed: what a run has left that did not come to its end, the next one removes.
func TestCrashed(t *testing.T) {
	for _, clean := range []bool{true, false} {
		p := newPlace(t)
		p.opts.Alone = true
		opts := p.opts
		var mu sync.Mutex
		dead := false
		opts.REST.Transport = between(func(req *http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			if dead {
				return answer(req, 403, `{"code":0}`), nil
			}
			dead = strings.HasSuffix(req.URL.Path, "/threads") // it has begun one, and reaches nobody any more
			return http.DefaultTransport.RoundTrip(req)
		})
		if _, err := Run(t.Context(), opts); err == nil {
			t.Error("it removed what it could not")
		}
		if len(p.channel.Messages(p.srv.World().Owner())) == 0 {
			t.Error("nothing was left to remove")
		}
		p.opts.Clean = clean
		if _, err := p.run(t); err != nil {
			t.Error(err)
		}
	}
}

// TestOldMessage: a message is left, waits, is looked at, and goes.
func TestOldMessage(t *testing.T) {
	for _, c := range []struct {
		limit      int
		departure  string
		same, seen []string
	}{
		{limit: 3, same: idsOf(laterRows)},
		{limit: 100, same: []string{"old-click"}, seen: []string{"old-edits"}},
		{limit: 3, departure: "UpdatesRefused", same: []string{"old-edits"}, seen: []string{"old-click"}},
	} {
		now := clock.NewMovable()
		p := newPlace(t, func(o *sandbox.Options) {
			o.World.Clock = now
			o.REST.OldEdits, o.REST.OldEditWindow = c.limit, 300*time.Millisecond
		})
		p.opts.Alone, p.opts.Later = true, true
		if _, err := Run(t.Context(), p.opts); err != nil {
			t.Fatal(err)
		}
		if n := len(p.channel.Messages(p.srv.World().Owner())); n != 1 {
			t.Fatalf("%d messages are left", n)
		}
		p.opts.Later, p.opts.Resume = false, true
		if _, err := Run(t.Context(), p.opts); !errors.Is(err, errTooYoung) {
			t.Errorf("at once: %v", err)
		}
		now.Advance(61 * time.Minute)
		if c.departure != "" {
			if err := p.srv.Faults().Depart(c.departure); err != nil {
				t.Fatal(err)
			}
		}
		r, err := p.alongside(t, func() {
			ada := p.srv.User("Ada")
			p.step(t, 1)
			ada.Click(t, p.shown(t, ada, false), "Next")
		})
		if err != nil || !slices.Equal(states(r, Same), c.same) || !slices.Equal(states(r, Differs), c.seen) {
			t.Errorf("%+v: %v, as expected %q, different %q\n%s", c, err, states(r, Same), states(r, Differs), p.out)
		}
	}
}

// TestSecrets: no token, no name and nobody's text is in what it prints and writes, also where
// Discord repeats one.
func TestSecrets(t *testing.T) {
	p := newPlace(t)
	var tokens []string
	var made []byte
	p.opts.REST.Transport = between(func(req *http.Request) (*http.Response, error) {
		if now, err := os.ReadFile(p.opts.Made); err == nil {
			made = append(made, now...)
		}
		if req.Method == http.MethodPatch && strings.Contains(req.URL.Path, "/channels/") {
			return answer(req, 400, `{"code":50035,"message":"no `+p.srv.Token()+`","errors":{"content":{"_errors":[{"code":"`+p.srv.Token()+`","message":"x"}]}}}`), nil
		}
		if parts := strings.Split(req.URL.Path, "/"); strings.HasSuffix(req.URL.Path, "/callback") {
			tokens = append(tokens, parts[len(parts)-2])
			if len(tokens) > 3 { // the board stands: the rest quotes them
				_, _ = http.DefaultTransport.RoundTrip(req)
				return answer(req, 400, `{"code":50035,"message":"no `+tokens[len(tokens)-1]+`"}`), nil
			}
		}
		return http.DefaultTransport.RoundTrip(req)
	})
	r, err := p.alongside(t, func() { p.press(t, "Not like this") })
	if err != nil || r.Count(Differs) < 5 || len(tokens) < 10 {
		t.Fatalf("%v, %d differ, %d tokens", err, r.Count(Differs), len(tokens))
	}
	report, err := os.ReadFile(p.opts.Report)
	if err != nil {
		t.Fatal(err)
	}
	written := slices.Concat(report, made, []byte(p.out.String()))
	ada, ben := p.srv.User("Ada Lovelace"), p.srv.User("Ben Nevis")
	for _, secret := range append(tokens, p.srv.Token(), "Ada", "ada_lovelace", "Ben", "ben_nevis", ada.ID(), ben.ID()) {
		if bytes.Contains(written, []byte(secret)) {
			t.Errorf("%q is written", secret)
		}
	}
}

// TestReportKeepsNobodysTexts: what somebody has typed into a command is in no report.
func TestReportKeepsNobodysTexts(t *testing.T) {
	options := []any{map[string]any{"name": "game", "value": "typed by hand"}}
	choice := map[string]any{"value": "5x5", "label": "ours"}
	in := map[string]any{"data": map[string]any{"options": options, "component": choice}}
	written, err := json.Marshal(cleaner{ids: map[string]string{}}.value(in, ""))
	if want := `{"data":{"component":{"label":"ours","value":"5x5"},"options":[{"name":"game","value":"…"}]}}`; err != nil || string(written) != want {
		t.Errorf("%v, got %s, want %s", err, written, want)
	}
}

// TestNothingWithoutEvidence: a row that has nothing to look at is not green, and each that is
// names what it looked at.
func TestNothingWithoutEvidence(t *testing.T) {
	s := &session{seen: map[string]evidence{}, silent: map[string]error{}, opts: Options{Now: time.Now}}
	for _, one := range s.report().Results {
		if one.State != Untried {
			t.Errorf("%s is %s without evidence", one.ID, one.State)
		}
	}
	known := map[string]bool{}
	for _, g := range groups {
		for _, r := range g.rows {
			if strings.TrimSpace(r.of) == "" || known[r.id] {
				t.Errorf("%s looks at %q, or is there twice", r.id, r.of)
			}
			known[r.id] = true
			for left := range strings.FieldsSeq(r.of) { // all but one is not enough
				s.seen = map[string]evidence{}
				for name := range strings.FieldsSeq(r.of) {
					if name != left {
						s.seen[name] = evidence{name: name, status: 200, in: &discord.Interaction{}}
					}
				}
				if one := s.result(g.name, r); one.State != Untried {
					t.Errorf("%s is %s without %s", r.id, one.State, left)
				}
			}
			if _, err := os.Stat("../../" + r.where); err != nil {
				t.Errorf("%s: %v", r.id, err)
			}
		}
	}
}

// TestColours: they are there where they are wanted, and nowhere else.
func TestColours(t *testing.T) {
	r := Report{Results: []Result{{Group: "alone", ID: "a", State: Same}, {Group: "alone", ID: "b", State: Differs, Expects: "x", Seen: "y", Where: "z"}}}
	for _, colour := range []bool{true, false} {
		var b strings.Builder
		r.print(&b, colour)
		if strings.Contains(b.String(), "\x1b[31m") != colour || !strings.Contains(b.String(), "b differs: expected that x; seen: y. z relies on it.") ||
			!strings.Contains(b.String(), "1 as expected, 1 differ, 0 not tried.") {
			t.Errorf("colour %v: %q", colour, b.String())
		}
	}
}

// TestInterruptedBeforeAClick: what one person sees goes, too, and an answer that Discord does
// not name.
func TestInterruptedBeforeAClick(t *testing.T) {
	p := newPlace(t)
	p.opts.REST.Transport = between(func(req *http.Request) (*http.Response, error) {
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err == nil && strings.HasSuffix(req.URL.Path, "/callback") {
			_ = resp.Body.Close()
			return answer(req, http.StatusNoContent, ""), nil
		}
		return resp, err
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { _, err := Run(ctx, p.opts); ended <- err }()
	p.pressUntil(t, "Like this", 5)
	p.step(t, 5)
	ada := p.srv.User("Ada Lovelace")
	p.shown(t, ada, true)
	cancel()
	if err := <-ended; !errors.Is(err, errInterrupted) {
		t.Error(err)
	}
	p.nothingLeft(t)
	if n := len(p.channel.Messages(ada)); n > 0 {
		t.Errorf("Ada still sees %d messages", n)
	}
}

// TestFitsTheDescription: each request that is no refusal on purpose fits Discord's published
// description, and all of them its rate limits, which are as narrow here as they are there.
func TestFitsTheDescription(t *testing.T) {
	bottest.NeedDescription(t)
	description, err := apicheck.Load(os.Getenv(bottest.Description))
	if err != nil {
		t.Fatal(err)
	}
	p := newMore(t, func(o *sandbox.Options) {
		o.REST.BucketLimit, o.REST.BucketWindow, o.REST.GlobalLimit = 5, 200*time.Millisecond, 50
	})
	p.opts.REST.Limits = rest.Limits{} // as with a real Discord
	if r, err := p.alongside(t, func() { p.press(t, "Like this"); p.pressMore(t, "Like this") }); err != nil || r.Count(Differs) > 0 {
		t.Errorf("%v, %d differ\n%s", err, r.Count(Differs), p.out)
	}
	refused := 0
	for _, q := range p.srv.REST().Requests() {
		query, err := url.ParseQuery(q.Query)
		if err == nil {
			err = description.CheckRequest(q.Method, q.Path, q.Header.Get("Content-Type"), query, q.Body)
		}
		switch {
		case q.Status == http.StatusTooManyRequests:
			t.Errorf("%s %s was too much", q.Method, q.Route)
		case q.Status >= 400:
			refused++
		case err != nil:
			t.Errorf("%s %s: %v\n%s", q.Method, q.Route, err, q.Body)
		}
	}
	if refused < 10 {
		t.Errorf("only %d were refused, and more are to be", refused)
	}
}

// TestLeastPermissions: it needs what the invitation asks for. What that is not enough for is
// not tried, and nothing is left.
func TestLeastPermissions(t *testing.T) {
	p := newPlace(t, func(o *sandbox.Options) { o.World.BotPermissions = 0 })
	everything := int64(1<<51-1) &^ (permission.ViewChannel | permission.SendMessages | permission.SendInThreads | permission.CreateThreads | permission.Administrator)
	p.channel.Set(sandbox.DenyBot(everything))
	r, err := p.alongside(t, func() { p.press(t, "Like this") })
	if want := []string{"board-read", "thread", "thread-post", "update-read", "same-again"}; err != nil ||
		!slices.Equal(states(r, Untried), slices.Concat(want, idsOf(moreRows), idsOf(laterRows))) || r.Count(Differs) > 0 {
		t.Errorf("%v, not tried %q, different %q\n%s", err, states(r, Untried), states(r, Differs), p.out)
	}
}
