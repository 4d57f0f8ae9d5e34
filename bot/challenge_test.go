package bot

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/engine"
	"tictactoe/store"
)

// challengeDeadline is when the challenges of the tests run out, in up-time.
const challengeDeadline = time.Hour

// openChallenge is Ada's challenge to Bob.
func openChallenge() store.Challenge {
	return store.Challenge{
		ID: 5, Guild: "201", Channel: "301", Message: "401", Challenger: ada, Opponent: bob,
		Rules: engine.Rules{M: 4, N: 4, K: 4}, First: store.FirstOpponent, Clock: 10 * time.Minute,
		Locale: "de", GuildLocale: "fr", State: store.Open, Deadline: challengeDeadline, Version: 2,
	}
}

// openTable is Ada's challenge to anybody.
func openTable() store.Challenge {
	c := openChallenge()
	c.Opponent = ""
	return c
}

// closed returns the challenge in a state in which nothing is waited for.
func closed(c store.Challenge, s store.ChallengeState) store.Challenge {
	c.State, c.Deadline = s, 0
	return c
}

var closedStates = []store.ChallengeState{store.Accepted, store.Declined, store.Cancelled, store.Expired, store.Renewed}

func TestAcceptChallenge(t *testing.T) {
	accepted := func(c store.Challenge, by store.UserID) store.Challenge {
		c = closed(c, store.Accepted)
		c.Opponent, c.Match = by, 9
		return c
	}
	endless := openChallenge()
	endless.Deadline = 0
	type test struct {
		name   string
		c      store.Challenge
		user   store.UserID
		uptime time.Duration
		want   store.Challenge
		err    error
	}
	tests := []test{
		{"asked", openChallenge(), bob, 0, accepted(openChallenge(), bob), nil},
		{"at the last moment", openChallenge(), bob, challengeDeadline - 1, accepted(openChallenge(), bob), nil},
		{"too late", openChallenge(), bob, challengeDeadline, openChallenge(), errChallengeClosed},
		{"too late for somebody else", openChallenge(), cleo, challengeDeadline, openChallenge(), errChallengeClosed},
		{"without a deadline", endless, bob, 1000 * time.Hour, accepted(endless, bob), nil},
		{"somebody else", openChallenge(), cleo, 0, openChallenge(), errNotChallenged},
		{"the challenger", openChallenge(), ada, 0, openChallenge(), errNotChallenged},
		{"nobody", openChallenge(), "", 0, openChallenge(), errNotChallenged},
		{"anybody at a table", openTable(), cleo, 0, accepted(openTable(), cleo), nil},
		{"his own table", openTable(), ada, 0, openTable(), errOwnTable},
		{"table too late", openTable(), cleo, challengeDeadline, openTable(), errChallengeClosed},
	}
	for _, s := range closedStates {
		c := closed(openChallenge(), s)
		tests = append(tests, test{"closed", c, bob, 0, c, errChallengeClosed}, test{"closed to others", c, cleo, 0, c, errChallengeClosed})
	}
	for _, test := range tests {
		got, err := acceptChallenge(test.c, test.user, 9, test.uptime)
		if !errors.Is(err, test.err) {
			t.Errorf("%s (state %d): got error %v, want %v", test.name, test.c.State, err, test.err)
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (state %d) (-want +got):\n%s", test.name, test.c.State, d)
		}
	}
}

func TestDeclineChallenge(t *testing.T) {
	for _, test := range []struct {
		name string
		c    store.Challenge
		user store.UserID
		want store.Challenge
		err  error
	}{
		{"asked", openChallenge(), bob, closed(openChallenge(), store.Declined), nil},
		{"the challenger", openChallenge(), ada, openChallenge(), errNotChallenged},
		{"somebody else", openChallenge(), cleo, openChallenge(), errNotChallenged},
		{"a table", openTable(), bob, openTable(), errChallengeClosed},
		{"twice", closed(openChallenge(), store.Declined), bob, closed(openChallenge(), store.Declined), errChallengeClosed},
		{"after the time", closed(openChallenge(), store.Expired), bob, closed(openChallenge(), store.Expired), errChallengeClosed},
	} {
		got, err := declineChallenge(test.c, test.user)
		if d := cmp.Diff(test.want, got); d != "" || !errors.Is(err, test.err) {
			t.Errorf("%s: got error %v, want %v (-want +got):\n%s", test.name, err, test.err, d)
		}
	}
}

func TestCancelChallenge(t *testing.T) {
	for _, test := range []struct {
		name string
		c    store.Challenge
		user store.UserID
		want store.Challenge
		err  error
	}{
		{"the challenger", openChallenge(), ada, closed(openChallenge(), store.Cancelled), nil},
		{"his table", openTable(), ada, closed(openTable(), store.Cancelled), nil},
		{"the one asked", openChallenge(), bob, openChallenge(), errNotChallenger},
		{"somebody else", openTable(), cleo, openTable(), errNotChallenger},
		{"nobody", openTable(), "", openTable(), errNotChallenger},
		{"twice", closed(openTable(), store.Cancelled), ada, closed(openTable(), store.Cancelled), errChallengeClosed},
		{"accepted meanwhile", closed(openChallenge(), store.Accepted), ada, closed(openChallenge(), store.Accepted), errChallengeClosed},
		{"somebody else, closed", closed(openTable(), store.Expired), cleo, closed(openTable(), store.Expired), errNotChallenger},
	} {
		got, err := cancelChallenge(test.c, test.user)
		if d := cmp.Diff(test.want, got); d != "" || !errors.Is(err, test.err) {
			t.Errorf("%s: got error %v, want %v (-want +got):\n%s", test.name, err, test.err, d)
		}
	}
}

func TestExpireChallenge(t *testing.T) {
	endless := openChallenge()
	endless.Deadline = 0
	type test struct {
		name   string
		c      store.Challenge
		uptime time.Duration
		want   store.Challenge
		ok     bool
	}
	tests := []test{
		{"not yet", openChallenge(), challengeDeadline - 1, openChallenge(), false},
		{"now", openChallenge(), challengeDeadline, closed(openChallenge(), store.Expired), true},
		{"long since", openTable(), 1000 * time.Hour, closed(openTable(), store.Expired), true},
		{"without a deadline", endless, 1000 * time.Hour, endless, false},
	}
	for _, s := range closedStates {
		c := closed(openChallenge(), s)
		tests = append(tests, test{"closed", c, 1000 * time.Hour, c, false})
		c.Deadline = challengeDeadline // as no writer of ours leaves it
		tests = append(tests, test{"closed, with a deadline", c, 1000 * time.Hour, c, false})
	}
	for _, test := range tests {
		got, ok := expireChallenge(test.c, test.uptime)
		if d := cmp.Diff(test.want, got); d != "" || ok != test.ok {
			t.Errorf("%s (state %d): ok %v, want %v (-want +got):\n%s", test.name, test.c.State, ok, test.ok, d)
		}
	}
}

func TestRenewChallenge(t *testing.T) {
	for _, c := range []store.Challenge{openChallenge(), openTable()} {
		c = closed(c, store.Expired)
		old, renewed, err := renewChallenge(c, ada)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(closed(c, store.Renewed), old); d != "" {
			t.Errorf("the old one (-want +got):\n%s", d)
		}
		want := store.Challenge{
			Guild: c.Guild, Challenger: ada, Opponent: c.Opponent, Rules: c.Rules, First: c.First, Clock: c.Clock, State: store.Open,
		}
		if d := cmp.Diff(want, renewed); d != "" {
			t.Errorf("the new one (-want +got):\n%s", d)
		}
		if _, _, err := renewChallenge(old, ada); !errors.Is(err, errChallengeClosed) {
			t.Errorf("renewed twice: got %v, want errChallengeClosed", err)
		}
		if got, _, err := renewChallenge(c, bob); !errors.Is(err, errNotChallenger) || got != c {
			t.Errorf("renewed by the one asked: got %v, want errNotChallenger", err)
		}
	}
	for _, s := range []store.ChallengeState{store.Open, store.Accepted, store.Declined, store.Cancelled, store.Renewed} {
		c := openChallenge()
		c.State = s
		got, renewed, err := renewChallenge(c, ada)
		if !errors.Is(err, errChallengeClosed) || got != c || renewed != (store.Challenge{}) {
			t.Errorf("state %d: got %v, want errChallengeClosed and nothing changed", s, err)
		}
	}
}
