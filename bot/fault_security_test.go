package bot_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
)

// TestForgedButtonsGiveNoPower: custom IDs can be made up and sent on any message that
// one sees. Every right is checked against what is stored: none of them changes
// anything that is not the forger's.
func TestForgedButtonsGiveNoPower(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	eve := w.srv.User("Eve")
	theirs := w.challenge(w.ada, w.bob)
	w.cells(theirs, w.ada, w.bob, "a1")
	match := w.must(w.activeMatch())
	mine := w.srv.Guild().Channel("mine")
	own := w.answer(eve.Command(t, mine, "tictactoe help")) // a message to send forged clicks from
	private := w.answer(w.cleo.Command(t, mine, "tictactoe play", sandbox.Opt("private", true)))
	hidden := w.privateMatch(mine, w.cleo)
	over := w.srv.Guild().Channel("over")
	w.general = over
	ended := w.finished()
	endedID := strings.Split(w.button(ended, "Rematch"), ":")[2]
	before := len(over.Messages(nil))
	side := w.srv.Guild().Channel("side")
	open := w.answer(w.ada.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	challenge := strings.TrimPrefix(w.button(open, "Accept"), "1:a:")

	id := strconv.FormatInt(int64(match.ID), 36)
	secret := strconv.FormatInt(int64(hidden.ID), 36)
	for _, forged := range []struct{ customID, says string }{
		{"1:c:" + id + ":1:4", "Want one of your own?"},
		{"1:n:" + id, "Want one of your own?"},
		{"1:r:" + id, "Want one of your own?"},
		{"1:ry:" + id, "Want one of your own?"},
		{"1:sy:" + id, "may manage messages"},
		{"1:c:" + secret + ":0:4", "Want one of your own?"},
		{"1:ry:" + secret, "Want one of your own?"},
		{"1:sy:" + secret, "may manage messages"},
		{"1:b:" + secret, "from an older version of me"},
		{"1:a:" + challenge, "This challenge is for"},
		{"1:d:" + challenge, "This challenge is for"},
		{"1:x:" + challenge, "Only"},
		{"1:g:" + challenge, ""},
		{"1:m:" + endedID, "Want one of your own?"},
		{"1:h:" + endedID, ""},
		{"1:w:" + id, "still going on"},
		{"1:m:" + id, "Want one of your own?"},
		{"1:p:medium:19x19:me", "from an older version of me"},
		{"1:p:medium:5x3-4:me", "I don't know that choice"}, // the engine knows it, nobody offers it
		{"1:p:perfect:3x4-3:bot", "I don't know that choice"},
		{"1:p:hard:4x3-3:random", "I don't know that choice"},
		{"1:p:ranks:4x4:me", "does not play"},
		{"1:p:nobody:3x3:me", ""},
		{"1:p:medium:3x3:them", ""},
		{"1:p::3x3:me", ""},
		{"1:p:Medium:3x3:me", ""},
		{"1:c:" + id + ":99:4", "from an older version of me"},
		{"1:c:-" + id + ":1:4", "from an older version of me"},
		{"1:c:" + id + ":1:4:5", "from an older version of me"},
		{"2:c:" + id + ":1:4", "from an older version of me"},
	} {
		r := eve.ClickID(t, own, forged.customID, sandbox.Forced)
		if !r.Answered() || !r.Ephemeral || !strings.Contains(r.Text(), forged.says) {
			t.Errorf("%s: answered %v, private %v: %q, want %q", forged.customID, r.Answered(), r.Ephemeral, r.Text(), forged.says)
		}
	}
	if list, err := w.db.PrivateMatches(t.Context(), store.ChannelID(mine.ID()), store.UserID(eve.ID())); err != nil || len(list) != 0 {
		t.Errorf("forged buttons started %d games, %v", len(list), err)
	}
	now, err := w.db.Match(t.Context(), match.ID)
	if err != nil || now.Version != match.Version {
		t.Errorf("a forged button changed the match: %+v, %v", now, err)
	}
	if now, err := w.db.Match(t.Context(), hidden.ID); err != nil || now.Version != hidden.Version {
		t.Errorf("a forged button changed the private match: %+v, %v", now, err)
	}
	n, _ := strconv.ParseInt(challenge, 36, 64)
	if c, err := w.db.Challenge(t.Context(), store.ChallengeID(n)); err != nil || c.State != store.Open {
		t.Errorf("a forged button changed the challenge: %+v, %v", c, err)
	}
	if len(over.Messages(nil)) != before {
		t.Error("a forged button made a rematch")
	}
	// A moderator's right holds in the channel where he has it.
	mod := w.srv.User("Mod", sandbox.Moderator)
	elsewhere := w.answer(mod.Command(t, mine, "tictactoe help"))
	w.refused(mod.ClickID(t, elsewhere, "1:sy:"+id, sandbox.Forced), "may manage messages")
	w.general = w.srv.Guild().Channel("general")
	if got := w.position(); got != "X../.../..." {
		t.Errorf("stored is %s", got)
	}
	w.cells(theirs, w.bob, w.ada, "b2")
	w.cell(w.cleo, private, "a1")
}

func (w *faultWorld) must(m store.Match, ok bool) store.Match {
	w.t.Helper()
	if !ok {
		w.t.Fatal("there is no active match")
	}
	return m
}

func (w *faultWorld) privateMatch(ch *sandbox.Channel, who *sandbox.User) store.Match {
	w.t.Helper()
	list, err := w.db.PrivateMatches(w.t.Context(), store.ChannelID(ch.ID()), store.UserID(who.ID()))
	if err != nil || len(list) != 1 {
		w.t.Fatalf("%d private matches, %v", len(list), err)
	}
	return list[0]
}

// button returns the custom ID of the button of that label.
func (w *faultWorld) button(m *sandbox.Message, label string) string {
	w.t.Helper()
	b, ok := m.Snapshot().Button(label)
	if !ok {
		w.t.Fatalf("no button %q", label)
	}
	return b.CustomID
}

// hostileNames are names as people choose them.
var hostileNames = []string{
	"**bold** _it_ ~~no~~ ||spoiler|| `code`",
	"@everyone",
	"@here <@&1> <#2>",
	"[click](https://evil.example)",
	"https://evil.example/\u202egpj.exe",
	"\u202e\u2067drawkcab\u2069",
	"Z\u0351\u036b\u0343a\u0363\u0321l\u0312\u0301g\u0318\u0323o\u0334\u0321",
	strings.Repeat("\u4e00", 32),
	"\u200b\u200b\u200b",
	"```\n# heading\n> quote",
}

// TestNamesAreNeverSent plays with people of such names through every kind of
// message. No request holds any part of them: Discord renders a mention by the
// viewer's own client, which neither parses nor obeys it.
func TestNamesAreNeverSent(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	for i, name := range hostileNames {
		w.elsewhere(fmt.Sprint("names-", i))
		w.ada = w.srv.User(fmt.Sprint("first-", i), sandbox.DisplayName(name), sandbox.Nick(name))
		w.bob = w.srv.User(fmt.Sprint("second-", i), sandbox.DisplayName(name), sandbox.Nick(name))
		m := w.finished()
		w.bob.Click(t, m, "Rematch")
		w.cleo.Click(t, m, "Play the winner")
		next := w.answer(w.ada.Click(t, m, "Rematch 1/2"))
		w.answer(w.cleo.ClickCell(t, next, 0, 0))
		w.answer(w.ada.Command(t, w.general, "tictactoe board"))
		w.answer(w.cleo.Command(t, w.general, "tictactoe play"))
		w.answer(w.ada.Click(t, w.answer(w.ada.Command(t, w.general, "tictactoe resign")), "Resign"))
	}
	w.stop() // redraws are through
	for _, r := range w.srv.Requests() {
		for _, name := range hostileNames {
			quoted, _ := json.Marshal(name)
			if text := string(r.Body); strings.Contains(text, name) || strings.Contains(text, strings.Trim(string(quoted), `"`)) {
				t.Errorf("%s %s holds the name %q", r.Method, r.Route, name)
			}
		}
	}
}

// TestOnlyPeopleOfTheGameAreMentioned looks at every message that was made or
// edited, private ones too: whomever its text mentions it lists, or viewers who do
// not know the person read @unknown-user; and it lists nobody but the people of one
// game, with the moderator where it names him.
func TestOnlyPeopleOfTheGameAreMentioned(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	mod := w.srv.User("Mod", sandbox.Moderator)
	challenge := func(who, whom *sandbox.User) *sandbox.Message {
		return w.answer(who.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", whom)))
	}
	m := w.finished()
	w.bob.Click(t, m, "Rematch")
	next := w.answer(w.ada.Click(t, m, "Rematch 1/2"))
	w.answer(w.cleo.ClickCell(t, next, 0, 0))
	w.answer(w.cleo.Command(t, w.general, "tictactoe play"))
	w.answer(w.cleo.Command(t, w.general, "tictactoe board"))
	table := w.answer(w.cleo.Command(t, w.general, "tictactoe challenge"))
	w.cleo.Click(t, table, "Close table")
	declined := challenge(w.cleo, w.ada)
	w.bob.Click(t, declined, "Accept")
	w.ada.Click(t, declined, "Decline")
	w.answer(w.ada.Click(t, w.answer(w.ada.Click(t, next, "Resign")), "Resign"))
	wantText(t, next, "resigned")

	// Closed from the refusal that says that it is open.
	challenge(w.cleo, w.ada)
	w.cleo.Click(t, challenge(w.cleo, w.ada), "Cancel challenge")
	challenge(w.cleo, w.ada)
	w.ada.Click(t, challenge(w.ada, w.cleo), "Decline")
	w.answer(w.cleo.Command(t, w.general, "tictactoe challenge"))
	w.cleo.Click(t, w.answer(w.cleo.Command(t, w.general, "tictactoe challenge")), "Close table")
	w.elsewhere("secret")
	w.general.Set(sandbox.Visible(w.ada, w.cleo))
	w.refused(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)), "can't see this channel")

	w.elsewhere("moderated")
	stopped := w.challenge(w.ada, w.bob)
	w.answer(mod.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true)))
	mod.Click(t, w.answer(mod.Command(t, w.general, "tictactoe resign")), "Stop the game")
	if s := wantText(t, stopped, "Stopped by "+mod.Mention()); len(s.Unknown) > 0 || slices.Contains(s.Pinged, mod.ID()) {
		t.Errorf("the stopped board: unknown %v, notified %v", s.Unknown, s.Pinged)
	}
	w.stop()
	games := [][]string{{w.ada.ID(), w.bob.ID()}, {w.ada.ID(), w.cleo.ID()}, {w.ada.ID(), w.bob.ID(), mod.ID()}}
	mentions := regexp.MustCompile(`<@!?([0-9]+)>`)
	checked := 0
	for _, r := range w.srv.Requests() {
		body := messageBody(r)
		if body == nil {
			continue
		}
		checked++
		var p struct {
			AllowedMentions *struct {
				Parse []string `json:"parse"`
				Users []string `json:"users"`
			} `json:"allowed_mentions"`
		}
		if err := json.Unmarshal(body, &p); err != nil {
			t.Fatal(err)
		}
		if p.AllowedMentions == nil || p.AllowedMentions.Parse == nil || len(p.AllowedMentions.Parse) > 0 {
			t.Errorf("%s %s: allowed_mentions are %+v in %s", r.Method, r.Route, p.AllowedMentions, body)
			continue
		}
		text := plain(t, body)
		for _, mentioned := range mentions.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(p.AllowedMentions.Users, mentioned[1]) {
				t.Errorf("%s %s mentions %s, who is not listed: %s", r.Method, r.Route, mentioned[0], body)
			}
		}
		listed := p.AllowedMentions.Users
		if len(listed) > 2 && !strings.Contains(text, mod.Mention()) {
			t.Errorf("%s %s lists the moderator for nothing: %s", r.Method, r.Route, body)
		}
		if !slices.ContainsFunc(games, func(people []string) bool {
			return !slices.ContainsFunc(listed, func(id string) bool { return !slices.Contains(people, id) })
		}) {
			t.Errorf("%s %s lists %v, who play no game together: %s", r.Method, r.Route, listed, body)
		}
	}
	if checked < 40 {
		t.Errorf("only %d messages were looked at", checked)
	}
}

// plain returns what a body says, without what JSON does to angle brackets.
func plain(t *testing.T, body json.RawMessage) string {
	t.Helper()
	var tree any
	if err := json.Unmarshal(body, &tree); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(tree)
}

// messageBody returns the message in a request that makes or edits one, nil in
// others.
func messageBody(r sandbox.Request) json.RawMessage {
	switch {
	case strings.HasSuffix(r.Route, "/callback"):
		var cb struct {
			Data json.RawMessage `json:"data"`
		}
		_ = json.Unmarshal(r.Body, &cb)
		return cb.Data
	case r.Method == "PATCH", r.Method == "POST" && strings.Contains(r.Route, "webhook"):
		return r.Body
	}
	return nil
}

// TestNoSecretsInTheLog meets every fault that concerns a token, with everything
// logged that can be; what the world looks for at its end is the point.
func TestNoSecretsInTheLog(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, hasty)
	for i, arm := range []func(){
		func() { w.srv.FailNext(sandbox.InteractionRoutes, 500) },
		func() { w.srv.ApplyThenFailNext(sandbox.InteractionRoutes) },
		func() { w.srv.ResetNext(sandbox.InteractionRoutes, false) },
		func() { w.srv.ResetNext(sandbox.InteractionRoutes, true) },
		func() { w.srv.RateLimitNext(sandbox.InteractionRoutes, time.Minute, sandbox.ScopeGlobal) },
		func() { w.srv.RateLimitNext(sandbox.InteractionRoutes, time.Minute, sandbox.ScopeHTML) },
		func() { w.srv.FailNext(sandbox.InteractionRoutes, 400) },
		func() { w.srv.FailNext(sandbox.InteractionRoutes, 401) },
		func() { w.srv.FailNext(sandbox.InteractionRoutes, 404) },
		func() { w.srv.HangNext(sandbox.InteractionRoutes) },
		func() {
			for range 12 { // every try of both, so that an error is all that is left
				w.srv.ResetNext(sandbox.InteractionRoutes, false)
			}
		},
		w.srv.ExpireTokens,
	} {
		w.elsewhere(fmt.Sprint("secrets-", i))
		m := w.challenge(w.ada, w.bob)
		ask := w.answer(w.ada.Click(t, m, "Resign"))
		arm()
		for _, c := range []*sandbox.Call{w.ada.StartClickCell(t, m, 0, 0), w.ada.StartClick(t, ask, "Resign")} {
			c.AllowUnanswered()
			eventually(t, "it to be handled", func() bool { return c.Reply().State != sandbox.CallPending || w.sup.Status().Handling == 0 })
		}
		w.srv.ClearFaults()
	}
	w.reconnected(func() { w.srv.InvalidSession(false) })
	w.reconnected(w.srv.DropGateway)
	w.srv.RevokeToken()
	eventually(t, "the supervisor to give up", func() bool { return !w.sup.Ready() })
	w.stop()
	text := w.log.String()
	if !strings.Contains(text, "level=DEBUG") {
		t.Error("the log is not at debug level, so that this proves nothing")
	}
	for _, c := range w.srv.Calls() {
		if strings.Contains(text, c.InteractionToken()[:40]) {
			t.Errorf("a part of the token of %v is in the log", c)
		}
	}
}

// answers is a transport that takes the first answers to made-up interactions.
type answers struct {
	mu     sync.Mutex
	bodies map[string]string // by the interaction's token
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	_, rest, ok := strings.Cut(r.URL.Path, "/interactions/")
	if !ok {
		return http.DefaultTransport.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	a.bodies[strings.Split(rest, "/")[1]] = string(body)
	a.mu.Unlock()
	return &http.Response{StatusCode: http.StatusNoContent, Request: r, Body: http.NoBody}, nil
}

// TestMalformedAutocompletesAreAnsweredInKind: what asks for suggestions can take
// nothing else, not even words that say that it was not understood.
func TestMalformedAutocompletesAreAnsweredInKind(t *testing.T) {
	t.Parallel()
	sent := &answers{bodies: map[string]string{}}
	w := newFaultWorld(t, func(c *faultConfig) { c.rest = func(o *rest.Options) { o.Transport = sent } })
	for i, members := range []string{
		`"channel_id":"1","user":{"id":"3"},"data":{"name":7}`, `"channel_id":"1","user":{"id":"3"},"data":[]`,
		`"channel_id":"1","user":{"id":"3"},"data":null`, `"channel_id":"1","user":{"id":"3"}`,
		`"channel_id":"1","data":{"name":"tictactoe","type":1}`, `"channel_id":7,"user":{"id":"3"},"data":{}`, `"user":"me"`,
	} {
		token := fmt.Sprint("made-up-", i)
		w.bot.HandleInteraction(json.RawMessage(fmt.Sprintf(`{"id":"%d","token":"%s","type":4,%s}`, i+1, token, members)), time.Now())
		if got, want := sent.bodies[token], `{"type":8,"data":{"choices":[]}}`; got != want {
			t.Errorf("%s: answered %s, want %s", members, got, want)
		}
	}
}
