package bottest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tictactoe/bot/quirks"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/apicheck"
	"tictactoe/bot/sandbox/waittest"
)

// Description is the environment variable that names Discord's published description
// of its API.
const Description = "DISCORD_OPENAPI"

var description = sync.OnceValues(func() (*apicheck.Description, error) {
	return apicheck.Load(os.Getenv(Description))
})

// check holds what happened in the world to what is promised of every bot here.
func (w *World) check(t testing.TB) {
	t.Helper()
	for _, line := range w.Log.Leaks() {
		t.Errorf("a secret is in the log: %s", line)
	}
	for _, q := range quirks.All {
		if w.Service.Quirks().Has(q) && len(w.config.departs) == 0 {
			t.Errorf("Discord was found to have a quirk that it has not: %s", q)
		}
	}
	if w.config.goBack {
		return
	}
	for _, g := range w.Discord.World().Guilds() {
		for _, ch := range g.Channels() {
			w.checkChannel(t, ch)
		}
	}
	for _, u := range w.Discord.World().Users() {
		w.checkChannel(t, u.DM())
	}
}

// checkChannel checks all messages of a channel.
func (w *World) checkChannel(t testing.TB, ch *sandbox.Channel) {
	t.Helper()
	for _, m := range ch.Messages(nil) {
		NeverBackwards(t, m)
		s := m.Snapshot()
		if s.V2() && len(s.Unknown) > 0 && !w.config.unnamed {
			t.Errorf("viewers of %q see @unknown-user for %v", s.Text(), s.Unknown)
		}
		if m.Author().IsBot() && s.GuildID != "" && (s.V2() && len(s.Badged) > 1 || s.InvokerID != "" && slices.Contains(s.Badged, s.InvokerID)) {
			t.Errorf("%q, behind what %q did, counts on the badges of %v", s.Text(), s.InvokerID, s.Badged)
		}
	}
}

// WatchRequests holds every request from now on to Discord's published description of
// its API, and fails the test at its end for those that do not fit, or that the local
// Discord refused as malformed. Without the description in the environment it looks
// for the latter only: a package that uses it has a test that calls NeedDescription,
// and is seen to skip. Faults in which one of the late texts stands are none.
func WatchRequests(t testing.TB, srv *sandbox.Server, late ...string) {
	t.Helper()
	var d *apicheck.Description
	if os.Getenv(Description) != "" {
		var err error
		if d, err = description(); err != nil {
			t.Fatal(err)
		}
	}
	const most = 10
	var mu sync.Mutex
	var faults []string
	watched := 0
	srv.REST().OnRequest(func(r sandbox.Request) {
		fault := checkOnce(d, r)
		mu.Lock()
		defer mu.Unlock()
		watched++
		mayBe := func(text string) bool { return strings.Contains(fault, text) }
		if fault != "" && len(faults) < most && !slices.ContainsFunc(late, mayBe) {
			faults = append(faults, fault)
		}
	})
	t.Cleanup(func() {
		// A request is noted before it is shown here: the last one may be on its way.
		waittest.Until(t, "every request to be looked at", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return watched >= len(srv.REST().Requests())
		})
		mu.Lock()
		defer mu.Unlock()
		for _, fault := range faults {
			t.Error(fault)
		}
	})
}

// fit are requests that fit, of all tests in the process: to check one takes milliseconds, and
// most differ in nothing but numbers. It has their sums: a long run has many, and messages are
// large.
var (
	fit      sync.Map
	fitCount atomic.Int64
)

// fitMost bounds what is remembered; beyond it every request is checked.
const fitMost = 20_000

// shape is the body without what may differ: snowflakes, times and the ids of records in custom
// IDs, which are rows of letters and digits. A regular expression would cost what the check does.
func shape(body []byte) []byte {
	out := make([]byte, 0, len(body))
	row, digits := 0, false // where the row in out begins, and whether it has digits
	for _, c := range body {
		switch {
		case '0' <= c && c <= '9':
			digits = true
		case c < 'a' || c > 'z':
			if digits && len(out)-row >= 8 {
				out = append(out[:row], '0')
			}
			row, digits = len(out)+1, false
		}
		out = append(out, c)
	}
	return out
}

// checkOnce is checkRequest, for each kind of request once.
func checkOnce(d *apicheck.Description, r sandbox.Request) string {
	if d == nil || r.Status == http.StatusBadRequest || r.Route == "" {
		return checkRequest(d, r)
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{
		r.Method, r.Route, r.Query, r.Header.Get("Content-Type"), string(shape(r.Body)),
	}, " ")))
	if _, known := fit.Load(sum); known {
		return ""
	}
	fault := checkRequest(d, r)
	if fault == "" && fitCount.Add(1) <= fitMost {
		fit.Store(sum, true)
	}
	return fault
}

// refusing are the faults that refuse what may be well formed.
var refusing = []string{"FailNext", "RefuseNext"}

// checkRequest says what is wrong with a request, "" if nothing is.
func checkRequest(d *apicheck.Description, r sandbox.Request) string {
	if r.Status == http.StatusBadRequest && !slices.Contains(refusing, r.Fault) && !wellFormed(r.Response) {
		return fmt.Sprintf("%s %s was refused: %s\nbody: %s", r.Method, r.Route, r.Response, r.Body)
	}
	if d == nil {
		return ""
	}
	query, err := url.ParseQuery(r.Query)
	if err == nil {
		err = d.CheckRequest(r.Method, r.Path, r.Header.Get("Content-Type"), query, r.Body)
	}
	if err != nil {
		return fmt.Sprintf("%s %s does not fit Discord's description: %v\nbody: %s", r.Method, r.Route, err, r.Body)
	}
	return ""
}

// wellFormed reports whether a refusal with status 400 is about something else than the
// form of the request: a second answer to what was delivered twice (40060), a thread that
// is archived (50083) or locked (160005), or an emoji that another process was quicker to
// upload.
func wellFormed(refusal []byte) bool {
	if bytes.Contains(refusal, []byte("APPLICATION_EMOJI_NAME_ALREADY_TAKEN")) {
		return true
	}
	var body struct {
		Code int `json:"code"`
	}
	return json.Unmarshal(refusal, &body) == nil && slices.Contains([]int{40060, 50083, 160005}, body.Code)
}

// blankRefused is in what the departure BlanksNever answers to the first of the labels that it
// refuses: what is not refused as documented is no fault of the bot.
const blankRefused = `"label":{"_errors"`

// NeedDescription skips the test, and says so, where requests are not checked.
func NeedDescription(t testing.TB) {
	t.Helper()
	if os.Getenv(Description) == "" {
		t.Skip(Description + " is not set: requests are not checked against Discord's API description")
	}
	if _, err := description(); err != nil {
		t.Fatal(err)
	}
}
