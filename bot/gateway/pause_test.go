package gateway

import (
	"testing"
	"time"

	"tictactoe/bot/rest"
)

// The pauses before attempts: none after a connection that worked, then ever longer,
// uneven so that bots that Discord dropped together do not come back together.
func TestPauses(t *testing.T) {
	s := New(Options{})
	for name, c := range map[string]struct {
		tries       int
		e           ending
		least, most time.Duration
	}{
		"the first":                        {0, ending{ready: true}, 0, 0},
		"the second":                       {1, ending{}, 250 * time.Millisecond, 500 * time.Millisecond},
		"the third":                        {2, ending{}, 500 * time.Millisecond, time.Second},
		"the hundredth":                    {100, ending{}, 30 * time.Second, time.Minute},
		"while nobody says where":          {100, ending{asking: true}, 7500 * time.Millisecond, 15 * time.Second},
		"after a hundred that soon ended":  {100, ending{ready: true}, time.Second, 2 * time.Second},
		"after an invalid session":         {0, ending{ready: true, invalid: true}, time.Second, 5 * time.Second},
		"after the tenth invalid one":      {10, ending{invalid: true}, 30 * time.Second, time.Minute},
		"after an invalid one while quick": {1, ending{invalid: true}, time.Second, 5 * time.Second},
	} {
		seen := map[time.Duration]bool{}
		for range 200 {
			got := s.pause(c.tries, c.e)
			seen[got] = true
			if got < c.least || got > c.most {
				t.Errorf("%s: got %v, want %v to %v", name, got, c.least, c.most)
				break
			}
		}
		if c.most > c.least && len(seen) < 20 {
			t.Errorf("%s: only %d different pauses of 200", name, len(seen))
		}
	}
}

// A token that went over an encrypted connection does not follow to a plain one, nor to
// another domain.
func TestResumesWhereItMay(t *testing.T) {
	for _, c := range []struct {
		first, next string
		want        bool
	}{
		{"wss://gateway.discord.gg", "wss://gateway-us-east1-b.discord.gg", true},
		{"wss://gateway.discord.gg", "ws://gateway.discord.gg", false},
		{"wss://gateway.discord.gg", "http://gateway.discord.gg", false},
		{"ws://127.0.0.1:1", "ws://127.0.0.1:2", true},
		{"ws://gateway.discord.gg", "wss://gateway.discord.gg", true},
		{"ws://127.0.0.1:1", "ws://gateway.discord.gg", false},
		{"ws://127.0.0.1:1", "ws://128.0.0.1:1", false},
		{"wss://gateway.discord.gg", "wss://gateway.discord.gg.example.com", false},
		{"wss://gateway.discord.gg", "wss://GATEWAY.discord.gg:443", true},
		{"wss://gateway.discord.gg", "://", false},
	} {
		s := &Supervisor{known: &rest.GatewayInfo{URL: c.first}}
		if got := s.resumesElsewhere(c.next); got == c.want {
			t.Errorf("%s, then %s: resumes elsewhere is %v", c.first, c.next, got)
		}
	}
}

// A heartbeat names the last event that came, and none before the first one (Discord's
// documentation, Sending Heartbeats).
func TestHeartbeatNamesTheLastEvent(t *testing.T) {
	r := &resumable{}
	want := func(data string) {
		t.Helper()
		if got, want := string(r.heartbeat()), `{"op":1,"d":`+data+`}`; got != want {
			t.Errorf("heartbeat %s, want %s", got, want)
		}
	}
	want("null")
	r.seen(7)
	want("7")
	r.keep(Session{"session", "ws://resume", 1})
	want("1")
	r.keep(Session{})
	want("null")
}

// After an invalid session Discord wants a pause of one to five seconds (its
// documentation, Invalid Session); whether the session can be resumed, it says.
func TestInvalidSessionsWantAPause(t *testing.T) {
	for said, forget := range map[string]bool{"false": true, "true": false, "null": true} {
		e := new(relay).fromDiscord(packet{Op: opInvalid, Data: data{json: []byte(said)}})
		if e == nil || !e.invalid || e.forget != forget {
			t.Errorf("%s: %+v, want an ending with a pause, and a session to forget: %v", said, e, forget)
		}
	}
}
