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

	"tictactoe/bot/bottest"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// TestForgedButtonsGiveNoPower: custom IDs can be made up and sent on any message that
// one sees. Every right is checked against what is stored: none of them changes
// anything that is not the forger's.
func TestForgedButtonsGiveNoPower(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	eve := w.Discord.User("Eve")
	theirs := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, theirs, w.Ada, w.Bob, "a1")
	match := w.Match(t)
	mine := w.Discord.Guild().Channel("mine")
	own := w.Answer(t, eve.Command(t, mine, "tictactoe help")) // a message to send forged clicks from
	private := w.Answer(t, w.Cleo.Command(t, mine, "tictactoe play", sandbox.Opt("private", true)))
	w.Channel = mine
	hidden := w.Private(t, w.Cleo)[0]
	over := w.Discord.Guild().Channel("over")
	w.Channel = over
	ended := w.Finished(t)
	endedID := strings.Split(bottest.CustomID(t, ended, "Rematch"), ":")[2]
	before := len(over.Messages(nil))
	side := w.Side("side")
	open := w.Answer(t, w.Ada.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.Bob)))
	challenge := strings.TrimPrefix(bottest.CustomID(t, open, "Accept"), "1:a:")

	id := strconv.FormatInt(int64(match.ID), 36)
	secret := strconv.FormatInt(int64(hidden.ID), 36)
	for _, forged := range []struct{ customID, says string }{
		{"1:c:" + id + ":1:4", "Want one of your own?"},
		{"1:n:" + id, "Want one of your own?"},
		{"1:r:" + id, "Want one of your own?"},
		{"1:ry:" + id, "Want one of your own?"},
		{"1:sy:" + id, "Manage Messages"},
		{"1:c:" + secret + ":0:4", "Want one of your own?"},
		{"1:ry:" + secret, "Want one of your own?"},
		{"1:sy:" + secret, "Manage Messages"},
		{"1:b:" + secret, "This button is out of date"},
		{"1:a:" + challenge, "This challenge is for"},
		{"1:d:" + challenge, "This challenge is for"},
		{"1:x:" + challenge, "Only"},
		{"1:g:" + challenge, ""},
		{"1:kt:" + id, "Want one of your own?"},
		{"1:kt:" + secret, "Want one of your own?"},
		{"1:kl:" + id, "out of date"}, // nothing was chosen
		{"1:m:" + endedID, "Want one of your own?"},
		{"1:h:" + endedID, ""},
		{"1:v:" + endedID, "This button is out of date"}, // it was won
		{"1:v:" + id, "This button is out of date"},
		{"1:v:" + secret, "This button is out of date"},
		{"1:w:" + id, "Nobody has won yet"},
		{"1:m:" + id, "Want one of your own?"},
		{"1:p:medium:19x19:me", "This button is out of date"},
		{"1:p:medium:5x3-4:me", "I don't know that choice"}, // the engine knows it, nobody offers it
		{"1:p:perfect:3x4-3:bot", "I don't know that choice"},
		{"1:p:hard:4x3-3:random", "I don't know that choice"},
		{"1:p:hard:4x4:me:2h", "I don't know that choice"}, // no such clock
		{"1:p:ranks:4x4:me", "doesn't play"},
		{"1:s:medium:19x19:me", "This button is out of date"},
		{"1:s:weights:vanishing:me", "doesn't play"},
		{"1:s:perfect:5x3-4:me", "I don't know that choice"},
		{"1:s:ranks:4x4:them", "I don't know that choice"},
		{"1:p:nobody:3x3:me", ""},
		{"1:p:medium:3x3:them", ""},
		{"1:p::3x3:me", ""},
		{"1:p:Medium:3x3:me", ""},
		{"1:c:" + id + ":99:4", "This button is out of date"},
		{"1:c:-" + id + ":1:4", "This button is out of date"},
		{"1:c:" + id + ":1:4:5", "This button is out of date"},
		{"2:c:" + id + ":1:4", "This button is out of date"},
	} {
		r := eve.ClickID(t, own, forged.customID, sandbox.Forced)
		if !r.Answered() || !r.Ephemeral || !strings.Contains(r.Text(), forged.says) {
			t.Errorf("%s: answered %v, private %v: %q, want %q", forged.customID, r.Answered(), r.Ephemeral, r.Text(), forged.says)
		}
	}
	if list, err := w.Store.PrivateMatches(t.Context(), store.ChannelID(mine.ID()), store.UserID(eve.ID()), 100); err != nil || len(list) != 0 {
		t.Errorf("forged buttons started %d games, %v", len(list), err)
	}
	now, err := w.Store.Match(t.Context(), match.ID)
	if err != nil || now.Version != match.Version {
		t.Errorf("a forged button changed the match: %+v, %v", now, err)
	}
	if now, err := w.Store.Match(t.Context(), hidden.ID); err != nil || now.Version != hidden.Version {
		t.Errorf("a forged button changed the private match: %+v, %v", now, err)
	}
	n, _ := strconv.ParseInt(challenge, 36, 64)
	if c, err := w.Store.Challenge(t.Context(), store.ChallengeID(n)); err != nil || c.State != store.Open {
		t.Errorf("a forged button changed the challenge: %+v, %v", c, err)
	}
	if len(over.Messages(nil)) != before {
		t.Error("a forged button made a rematch")
	}
	// A moderator's right holds in the channel where he has it.
	mod := w.Discord.User("Mod", sandbox.Moderator)
	elsewhere := w.Answer(t, mod.Command(t, mine, "tictactoe help"))
	w.Refused(t, mod.ClickID(t, elsewhere, "1:sy:"+id, sandbox.Forced), "Manage Messages")
	w.Channel = w.Discord.Guild().Channel("general")
	if got := w.Position(t); got != "X../.../..." {
		t.Errorf("stored is %s", got)
	}
	w.Cells(t, theirs, w.Bob, w.Ada, "b2")
	w.Cell(t, w.Cleo, private, "a1")
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
	w := bottest.New(t)
	for i, name := range hostileNames {
		w.Elsewhere(fmt.Sprint("names-", i))
		w.Ada = w.Discord.User(fmt.Sprint("first-", i), sandbox.DisplayName(name), sandbox.Nick(name))
		w.Bob = w.Discord.User(fmt.Sprint("second-", i), sandbox.DisplayName(name), sandbox.Nick(name))
		m := w.Finished(t)
		w.Bob.Click(t, m, "Rematch")
		w.Cleo.Click(t, w.More(t, w.Cleo, m), "Play the winner")
		next := w.Answer(t, w.Ada.Click(t, m, "Yes, rematch"))
		w.Answer(t, w.Cleo.ClickCell(t, next, 0, 0))
		w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
		w.Answer(t, w.Cleo.Command(t, w.Channel, "tictactoe play"))
		w.Answer(t, w.Ada.Click(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe resign")), "Resign"))
	}
	w.Stop(t) // redraws are through
	for _, r := range w.Discord.REST().Requests() {
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
// not know the person read @unknown-user, but for new messages that others see, which
// list only whom they call; and it lists nobody but the people of one game, with the
// moderator where it names them.
func TestOnlyPeopleOfTheGameAreMentioned(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mod := w.Discord.User("Mod", sandbox.Moderator)
	challenge := func(who, whom *sandbox.User) *sandbox.Message {
		return w.Answer(t, who.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", whom)))
	}
	m := w.Finished(t)
	w.Bob.Click(t, m, "Rematch")
	next := w.Answer(t, w.Ada.Click(t, m, "Yes, rematch"))
	w.Answer(t, w.Cleo.ClickCell(t, next, 0, 0))
	w.Answer(t, w.Cleo.Command(t, w.Channel, "tictactoe play"))
	w.Answer(t, w.Cleo.Command(t, w.Channel, "tictactoe board"))
	table := w.Answer(t, w.Cleo.Command(t, w.Channel, "tictactoe challenge"))
	w.Cleo.Click(t, table, "Stop looking")
	declined := challenge(w.Ada, w.Cleo)
	w.Bob.Click(t, declined, "Accept")
	w.Cleo.Click(t, declined, "Decline")
	w.Answer(t, w.Ada.Click(t, w.Answer(t, w.Ada.Click(t, next, "⋯ More")), "Resign"))
	bottest.WantText(t, next, "resigned")

	// Closed from the refusal that says that it is open.
	challenge(w.Cleo, w.Ada)
	w.Cleo.Click(t, challenge(w.Cleo, w.Ada), "Withdraw")
	challenge(w.Cleo, w.Ada)
	another := w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Cleo), sandbox.Opt("board", "4x4"))
	w.Ada.Click(t, w.Answer(t, another), "Decline")
	w.Answer(t, w.Cleo.Command(t, w.Channel, "tictactoe challenge"))
	w.Cleo.Click(t, w.Answer(t, w.Cleo.Command(t, w.Channel, "tictactoe challenge")), "Stop looking")
	w.Elsewhere("secret")
	w.Channel.Set(sandbox.Visible(w.Ada, w.Cleo))
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Bob)), "can't see this channel")

	w.Elsewhere("moderated")
	stopped := w.Challenge(t, w.Ada, w.Bob)
	w.Answer(t, mod.Command(t, w.Channel, "tictactoe play", sandbox.Opt("private", true)))
	mod.Click(t, w.Answer(t, mod.Command(t, w.Channel, "tictactoe resign")), "Stop the game")
	if s := bottest.WantText(t, stopped, "Stopped by "+mod.Mention()); len(s.Unknown) > 0 || slices.Contains(s.Pinged, mod.ID()) {
		t.Errorf("the stopped board: unknown %v, notified %v", s.Unknown, s.Pinged)
	}
	w.Stop(t)
	games := [][]string{{w.Ada.ID(), w.Bob.ID()}, {w.Ada.ID(), w.Cleo.ID()}, {w.Ada.ID(), w.Bob.ID(), mod.ID()}}
	mentions := regexp.MustCompile(`<@!?([0-9]+)>`)
	forOthers := regexp.MustCompile(`"flags":36864|"custom_id":"1:a:`) // new boards, and challenges
	checked := 0
	for _, r := range w.Discord.REST().Requests() {
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
			if !slices.Contains(p.AllowedMentions.Users, mentioned[1]) && !forOthers.Match(body) {
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
	w := bottest.New(t, bottest.QuickGateway)
	for i, arm := range []func(){
		func() { w.Discord.Faults().FailNext(sandbox.InteractionRoutes, 500) },
		func() { w.Discord.Faults().ApplyThenFailNext(sandbox.InteractionRoutes) },
		func() { w.Discord.Faults().ResetNext(sandbox.InteractionRoutes, false) },
		func() { w.Discord.Faults().ResetNext(sandbox.InteractionRoutes, true) },
		func() { w.Discord.Faults().RateLimitNext(sandbox.InteractionRoutes, time.Minute, sandbox.ScopeGlobal) },
		func() { w.Discord.Faults().RateLimitNext(sandbox.InteractionRoutes, time.Minute, sandbox.ScopeHTML) },
		func() { w.Discord.Faults().FailNext(sandbox.InteractionRoutes, 400) },
		func() { w.Discord.Faults().FailNext(sandbox.InteractionRoutes, 401) },
		func() { w.Discord.Faults().FailNext(sandbox.InteractionRoutes, 404) },
		func() { w.Discord.Faults().HangNext(sandbox.InteractionRoutes) },
		func() {
			for range 12 { // every try of both, so that an error is all that is left
				w.Discord.Faults().ResetNext(sandbox.InteractionRoutes, false)
			}
		},
		w.Discord.Faults().ExpireTokens,
	} {
		w.Elsewhere(fmt.Sprint("secrets-", i))
		m := w.Challenge(t, w.Ada, w.Bob)
		ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
		arm()
		for _, c := range []*sandbox.Call{w.Ada.StartClickCell(t, m, 0, 0), w.Ada.StartClick(t, ask, "Resign")} {
			c.AllowUnanswered()
			waittest.Until(t, "it to be handled", func() bool { return c.Reply().State != sandbox.CallPending || w.Service.Handling() == 0 })
		}
		w.Discord.Faults().Clear()
	}
	w.Reconnected(t, func() { w.Discord.Faults().InvalidSession(false) })
	w.Reconnected(t, w.Discord.Faults().DropGateway)
	w.Discord.Faults().RevokeToken()
	waittest.Until(t, "the supervisor to give up", func() bool { return !w.Service.Ready() })
	w.Stop(t)
	text := w.Log.String()
	if !strings.Contains(text, "level=DEBUG") {
		t.Error("the log is not at debug level, so that this proves nothing")
	}
	for _, c := range w.Discord.World().Calls() {
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
	w := bottest.New(t, bottest.REST(func(o *rest.Options) { o.Transport = sent }))
	for i, members := range []string{
		`"channel_id":"1","user":{"id":"3"},"data":{"name":7}`, `"channel_id":"1","user":{"id":"3"},"data":[]`,
		`"channel_id":"1","user":{"id":"3"},"data":null`, `"channel_id":"1","user":{"id":"3"}`,
		`"channel_id":"1","data":{"name":"tictactoe","type":1}`, `"channel_id":7,"user":{"id":"3"},"data":{}`, `"user":"me"`,
	} {
		token := fmt.Sprint("made-up-", i)
		w.Service.Handle(json.RawMessage(fmt.Sprintf(`{"id":"%d","token":"%s","type":4,%s}`, i+1, token, members)), time.Now())
		if got, want := sent.bodies[token], `{"type":8,"data":{"choices":[]}}`; got != want {
			t.Errorf("%s: answered %s, want %s", members, got, want)
		}
	}
}
