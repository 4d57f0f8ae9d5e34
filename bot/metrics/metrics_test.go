package metrics_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/metrics"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// measured is a world whose bot is measured, on a store that tells all that any does.
func measured(t testing.TB, options ...bottest.Option) (*bottest.World, *metrics.Metrics) {
	t.Helper()
	m := metrics.New("1.2.3")
	w := bottest.New(t, append([]bottest.Option{
		bottest.SQLite(sqlite.WithCommits(m.Commit)),
		bottest.Service(func(o *service.Options) { o.Bot.Observer, o.REST.Observer = m, m }),
	}, options...)...)
	m.Watch(w.Service, talkative{w.Store.(*sqlite.Store)})
	return w, m
}

// talkative is an SQLite store that tells what PostgreSQL's does, too.
type talkative struct{ *sqlite.Store }

func (talkative) Readers() (used, most int) { return 1, 4 }
func (talkative) Leases() int               { return 1 }

// sample is a line of what is served.
type sample struct {
	name   string
	labels map[string]string
	value  float64
}

var (
	sampleForm = regexp.MustCompile(`^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$`)
	labelForm  = regexp.MustCompile(`([a-z_]+)="((?:[^"\\]|\\.)*)"`)
)

// served asks for the figures, as Prometheus does.
func served(t testing.TB, m *metrics.Metrics) string {
	t.Helper()
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(context.Background(), "GET", "/metrics", nil))
	if answer.Code != 200 {
		t.Fatalf("/metrics answers %d: %s", answer.Code, answer.Body)
	}
	return answer.Body.String()
}

// scrape reads what is served.
func scrape(t testing.TB, m *metrics.Metrics) (all []sample) {
	t.Helper()
	for line := range strings.Lines(served(t, m)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := sampleForm.FindStringSubmatch(line)
		if parts == nil {
			t.Fatalf("cannot read %q", line)
		}
		s := sample{name: parts[1], labels: map[string]string{}}
		for _, l := range labelForm.FindAllStringSubmatch(parts[2], -1) {
			s.labels[l[1]] = l[2]
		}
		var err error
		if s.value, err = strconv.ParseFloat(parts[3], 64); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// value adds up the samples of the name that have the labels, given as pairs.
func value(all []sample, name string, labels ...string) (sum float64) {
	for _, s := range all {
		fits := s.name == name
		for pair := range slices.Chunk(labels, 2) {
			fits = fits && s.labels[pair[0]] == pair[len(pair)-1]
		}
		if fits {
			sum += s.value
		}
	}
	return sum
}

// TestFiguresOfAGame plays and compares what is counted with what was done.
func TestFiguresOfAGame(t *testing.T) {
	t.Parallel()
	w, m := measured(t)
	board := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, board, w.Ada, w.Bob, "a1", "b2", "a2", "b1")
	w.Refused(t, w.Bob.ClickCell(t, board, 2, 2), "Not yet")
	w.Handled(t)
	waittest.Until(t, "one game to run", func() bool { return value(scrape(t, m), "tictactoe_games_running") == 1 })
	w.Cells(t, board, w.Ada, w.Bob, "a3")
	w.Ada.Click(t, board, "Rematch")
	w.Handled(t)
	all := scrape(t, m)
	for _, want := range []struct {
		name   string
		labels []string
		value  float64
	}{
		{"tictactoe_interactions_total", []string{"kind", "challenge", "outcome", "answered"}, 1},
		{"tictactoe_interactions_total", []string{"kind", "accept", "outcome", "answered"}, 1},
		{"tictactoe_interactions_total", []string{"kind", "cell", "outcome", "answered"}, 5},
		{"tictactoe_interactions_total", []string{"kind", "cell", "outcome", "refused"}, 1},
		{"tictactoe_interactions_total", nil, 9},
		{"tictactoe_interaction_seconds_count", []string{"part", "total"}, 9},
		{"tictactoe_interaction_seconds_count", []string{"part", "store"}, 9},
		{"tictactoe_games_begun_total", nil, 1},
		{"tictactoe_games_ended_total", []string{"reason", "line"}, 1},
		{"tictactoe_games_ended_total", nil, 1},
		{"tictactoe_discord_requests_total", []string{"route", "POST /interactions/{interaction}/{token}/callback", "status", "204"}, 7},
		{"tictactoe_discord_requests_total", []string{"route", "POST /interactions/{interaction}/{token}/callback", "status", "200"}, 2},
		{"tictactoe_gateway_ready", []string{"shard", "0"}, 1},
		{"tictactoe_gateway_connects_total", nil, 1},
		{"tictactoe_ready", nil, 1},
		{"tictactoe_build_info", []string{"version", "1.2.3"}, 1},
		{"tictactoe_store_failed", nil, 0},
		{"tictactoe_panics_total", nil, 0},
	} {
		if got := value(all, want.name, want.labels...); got != want.value {
			t.Errorf("%s %v is %v, want %v", want.name, want.labels, got, want.value)
		}
	}
	sum := func(part string) float64 { return value(all, "tictactoe_interaction_seconds_sum", "part", part) }
	if parts := sum("waiting") + sum("store") + sum("discord"); parts <= 0 || parts > sum("total") || sum("store") == 0 || sum("discord") == 0 {
		t.Errorf("waiting %v, store %v, discord %v, together more than %v, or none", sum("waiting"), sum("store"), sum("discord"), sum("total"))
	}
	if commits, changes := value(all, "tictactoe_commit_seconds_count"), value(all, "tictactoe_commit_changes_sum"); commits < 7 || changes < 7 {
		t.Errorf("%v commits of %v changes, want 7 at least", commits, changes)
	}
}

// TestSeriesDoNotGrow: no label has values that people choose. Whoever plays, wherever,
// whatever is sent: what is there after two rounds is nearly all there is after 32.
func TestSeriesDoNotGrow(t *testing.T) {
	t.Parallel()
	w, m := measured(t, bottest.ClicksDelivered)
	round := func(n int) {
		ch := w.Side(fmt.Sprintf("room-%d", n))
		ada, bob := w.Discord.User(fmt.Sprintf("Ada%d", n)), w.Discord.User(fmt.Sprintf("Bob%d", n))
		w.Channel = ch
		board := w.Challenge(t, ada, bob)
		w.Cells(t, board, ada, bob, "a1", "b2")
		bob.ClickCell(t, board, 2, 2)
		bob.ClickID(t, board, fmt.Sprintf("2:made-up:%d", n), sandbox.Forced)
		bob.ClickID(t, board, fmt.Sprintf("1:%dzz:%d", n, n), sandbox.Forced)
		w.Resign(t, ada, board)
		w.Play(t, ada)
		w.Handled(t)
		scrape(t, m)
	}
	series := func() int {
		n := 0
		for _, s := range scrape(t, m) {
			if strings.HasPrefix(s.name, "tictactoe_") {
				n++
			}
		}
		return n
	}
	round(0)
	round(1)
	before := series()
	const more = 30
	for n := range more {
		round(n + 2)
	}
	// What is seldom, such as a second try, has a series from its first time on. A value
	// that somebody chose makes one in every round at least.
	if after := series(); after-before >= more/2 {
		t.Errorf("%d series after two rounds, %d after %d more", before, after, more)
	}
	if got := value(scrape(t, m), "tictactoe_interactions_total", "kind", "none"); got != 64 {
		t.Errorf("%v interactions of no kind, want 64", got)
	}
}

// TestLabelsOfNonsense: a Discord that answers nonsense makes no series either.
func TestLabelsOfNonsense(t *testing.T) {
	m := metrics.New("")
	for status := range 10_000 {
		m.Requested("GET /x", status, time.Millisecond)
	}
	for reason := range 256 {
		m.Committed(0, []store.EndReason{store.EndReason(reason)})
	}
	if n := len(scrape(t, m)); n > 250 {
		t.Errorf("%d series", n)
	}
}

var (
	metricForm   = regexp.MustCompile(`\b((?:tictactoe|go|process)_[a-z0-9_]+)(\{[^}]*\})?`)
	groupForm    = regexp.MustCompile(`\bby \(([a-z_, ]+)\)`)
	matcherForm  = regexp.MustCompile(`([a-z_]+)(?:=~|!~|!=|=)"`)
	legendForm   = regexp.MustCompile(`\{\{([a-z_]+)\}\}`)
	typeForm     = regexp.MustCompile(`(?m)^# TYPE (tictactoe_\w+) `)
	alertForm    = regexp.MustCompile(`(?m)^ +- alert: (\w+)\n +expr: (.+)$`)
	addedByOther = []string{"job", "instance"} // by Prometheus itself
)

// TestQueries: every figure and label that the dashboard and the alerts ask for is one
// that the running bot gives, and the dashboard leaves none out.
func TestQueries(t *testing.T) {
	t.Parallel()
	w, m := measured(t)
	board := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, board, w.Ada, w.Bob, "a1")
	w.Handled(t)
	m.Waited("GET /x", time.Second) // which a test need not bring about
	labels := map[string][]string{}
	for _, s := range scrape(t, m) {
		for l := range s.labels {
			labels[s.name] = append(labels[s.name], l)
		}
		if labels[s.name] == nil {
			labels[s.name] = []string{}
		}
	}
	asked := map[string]bool{}
	check := func(where, expr, legend string) {
		names := metricForm.FindAllStringSubmatch(expr, -1)
		if len(names) == 0 || strings.Count(expr, "(") != strings.Count(expr, ")") {
			t.Errorf("%s: %s asks for nothing, or its brackets do not match", where, expr)
		}
		for _, found := range names {
			asked[found[1]] = true
			has, ok := labels[found[1]]
			if !ok {
				t.Errorf("%s: there is no %s", where, found[1])
			}
			var wanted []string
			for _, l := range matcherForm.FindAllStringSubmatch(found[2], -1) {
				wanted = append(wanted, l[1])
			}
			for _, g := range groupForm.FindAllStringSubmatch(expr, -1) {
				wanted = append(wanted, strings.Split(strings.ReplaceAll(g[1], " ", ""), ",")...)
			}
			for _, l := range legendForm.FindAllStringSubmatch(legend, -1) {
				wanted = append(wanted, l[1])
			}
			for _, l := range wanted {
				if !slices.Contains(has, l) && !slices.Contains(addedByOther, l) {
					t.Errorf("%s: %s has no label %s", where, found[1], l)
				}
			}
		}
	}
	var dashboard struct {
		Panels []struct {
			Title   string `json:"title"`
			Targets []struct {
				Expr   string `json:"expr"`
				Legend string `json:"legendFormat"`
			} `json:"targets"`
		} `json:"panels"`
	}
	if err := json.Unmarshal(read(t, "dashboard.json"), &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		for _, q := range p.Targets {
			check("dashboard, "+p.Title, q.Expr, q.Legend)
		}
	}
	var names []string // without those of Go and the process
	for _, found := range typeForm.FindAllStringSubmatch(served(t, m), -1) {
		names = append(names, found[1])
	}
	readme := string(read(t, "README.md"))
	for _, name := range names {
		if !asked[name] && !asked[name+"_bucket"] && !asked[name+"_sum"] {
			t.Errorf("the dashboard does not show %s", name)
		}
		if !strings.Contains(readme, "| `"+name+"` |") {
			t.Errorf("README.md does not list %s", name)
		}
	}
	for _, found := range regexp.MustCompile("(?m)^\\| `(tictactoe_[a-z_]+)` \\|").FindAllStringSubmatch(readme, -1) {
		if !slices.Contains(names, found[1]) {
			t.Errorf("README.md lists %s, which is not there", found[1])
		}
	}
	alerts := alertForm.FindAllStringSubmatch(string(read(t, "alerts.yml")), -1)
	if len(alerts) == 0 {
		t.Error("no alerts were found")
	}
	for _, a := range alerts {
		check("alert "+a[1], a[2], "")
		if !strings.Contains(readme, "| "+a[1]+" |") {
			t.Errorf("README.md does not list the alert %s", a[1])
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestOneLineForEachInteraction: at debug, with fields that stay; in normal play none
// at info.
func TestOneLineForEachInteraction(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	board := w.Challenge(t, w.Ada, w.Bob)
	quiet := w.Log.Lines(slog.LevelInfo)
	w.Cells(t, board, w.Ada, w.Bob, "a1", "b2", "a2", "b1")
	w.Refused(t, w.Bob.ClickCell(t, board, 2, 2), "Not yet")
	w.Handled(t)
	if n := w.Log.Lines(slog.LevelInfo) - quiet; n != 0 {
		t.Errorf("%d lines at info in normal play:\n%s", n, w.Log.Tail())
	}
	var lines []string
	for line := range strings.Lines(w.Log.String()) {
		if strings.Contains(line, `msg="interaction handled"`) {
			lines = append(lines, line)
		}
	}
	if len(lines) != 7 {
		t.Fatalf("%d lines for 7 interactions", len(lines))
	}
	form := regexp.MustCompile(`level=DEBUG msg="interaction handled" interaction=\d+ kind=cell outcome=refused took=\S+ waiting=\S+ store=\S+ discord=\S+\n$`)
	// Handlers of two interactions end in any order.
	if !slices.ContainsFunc(lines, form.MatchString) {
		t.Errorf("no line of the refused interaction in\n%s", strings.Join(lines, ""))
	}
}

// TestIncidentInTheLog: the number that a person is told leads to the line about their
// interaction.
func TestIncidentInTheLog(t *testing.T) {
	t.Parallel()
	broken := false
	dice := bottest.FixedDice()
	w, m := measured(t, bottest.Bot(func(o *bot.Options) {
		o.Dice = func() *rand.Rand {
			if broken {
				panic("the dice are broken")
			}
			return dice()
		}
	}))
	broken = true
	r := w.Ada.Command(t, w.Channel, "tictactoe play", sandbox.Opt("first", "bot"))
	number := regexp.MustCompile(`[A-Z2-7]{8}`).FindString(r.Text())
	if number == "" {
		t.Fatalf("no number in %q", r.Text())
	}
	w.Handled(t)
	for _, want := range []string{
		`msg="interaction failed" incident=` + number + ` interaction=` + r.Call.ID(),
		`msg="interaction handled" interaction=` + r.Call.ID() + ` kind=play outcome=incident .* incident=` + number,
	} {
		if !regexp.MustCompile(want).MatchString(w.Log.String()) {
			t.Errorf("the log does not have %s", want)
		}
	}
	if got := value(scrape(t, m), "tictactoe_interactions_total", "outcome", "incident"); got != 1 {
		t.Errorf("%v incidents are counted, want 1", got)
	}
	if got := value(scrape(t, m), "tictactoe_panics_total"); got != 1 {
		t.Errorf("%v panics are counted, want 1", got)
	}
}

// quietDiscord takes every answer at once.
type quietDiscord struct{ bot.API }

func (quietDiscord) DiscordTime(at time.Time) time.Time { return at }

func (quietDiscord) Answer(context.Context, *discord.Interaction, rest.Callback) (*rest.Message, error) {
	return nil, nil
}

// BenchmarkInteraction handles a command that costs next to nothing, with figures and
// without: what they add is at its largest there.
func BenchmarkInteraction(b *testing.B) {
	for _, c := range []struct {
		name     string
		observer bot.Observer
	}{{"plain", nil}, {"measured", metrics.New("")}} {
		b.Run(c.name, func(b *testing.B) {
			db, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "games.db"))
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			bt, err := bot.New(b.Context(), bot.Options{
				Store: db, API: quietDiscord{}, Observer: c.observer, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
				Connected: func() bool { return true }, Served: func() store.DomainSet { return store.AllDomains },
				Wanted: func() store.Wanted { return store.Wanted{Domains: store.AllDomains, Shared: true} },
			})
			if err != nil {
				b.Fatal(err)
			}
			defer bt.Close(context.Background()) //nolint:errcheck // nothing is under way
			id := 1 << 40
			for b.Loop() {
				id++
				raw := fmt.Appendf(nil, `{"id":"%d","token":"t","type":2,"guild_id":"201","channel_id":"301","locale":"en-US","member":{"user":{"id":"101"},"permissions":"0"},"data":{"name":"tictactoe","type":1,"options":[{"name":"help","type":1,"options":[]}]}}`, id)
				in, err := discord.DecodeInteraction(raw, time.Now())
				if err != nil {
					b.Fatal(err)
				}
				bt.Handle(context.Background(), in, quietDiscord{})
			}
		})
	}
}

// BenchmarkFigures is what the figures themselves add to an interaction: one that was
// handled, stored something and was answered by one request.
func BenchmarkFigures(b *testing.B) {
	m := metrics.New("")
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			m.Handled(&dispatch.Call{Name: "cell", Outcome: dispatch.Answered, Total: 3 * time.Millisecond, Store: time.Millisecond, Discord: time.Millisecond})
			m.Requested("POST /interactions/{interaction}/{token}/callback", 204, time.Millisecond)
			m.Commit(1, time.Millisecond)
		}
	})
}

func TestMain(m *testing.M) { waittest.Main(m) }

// counting is a store whose games are counted as the test wants it.
type counting struct {
	store.Store
	calls int
	count func(ctx context.Context) (int, error)
}

func (c *counting) Running(ctx context.Context) (int, error) {
	c.calls++
	return c.count(ctx)
}

// TestCountOfGamesDelaysNobody: games are counted for all who ask at about the same time, for
// a bounded time, and a count that failed is none.
func TestCountOfGamesDelaysNobody(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for name, test := range map[string]struct {
		err  error
		want float64
	}{"counted": {nil, 7}, "failed": {context.DeadlineExceeded, 0}} {
		db := &counting{Store: w.Store, count: func(ctx context.Context) (int, error) {
			if until, ok := ctx.Deadline(); !ok || time.Until(until) > 2*time.Second {
				t.Errorf("%s: until %v, bounded %v", name, until, ok)
			}
			return 7, test.err
		}}
		m := metrics.New("1.2.3")
		m.Watch(w.Service, db)
		began := time.Now()
		for range 3 {
			if got := value(scrape(t, m), "tictactoe_games_running"); got != test.want {
				t.Errorf("%s: %v games run, want %v", name, got, test.want)
			}
		}
		// A machine that stalls for longer than a count is good for counts once more.
		if took := time.Since(began); db.calls != 1 && took < 5*time.Second {
			t.Errorf("%s: counted %d times in %v", name, db.calls, took)
		}
	}
}
