package match

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/match/matchtest"
	"tictactoe/store"
)

// closedStates are those in which nothing is waited for.
var closedStates = []store.ChallengeState{store.Accepted, store.Declined, store.Cancelled, store.Expired, store.Renewed}

func TestAcceptChallenge(t *testing.T) {
	accepted := func(c store.Challenge, by store.UserID) store.Challenge {
		c = matchtest.Closed(c, store.Accepted)
		c.Opponent, c.Match = by, 9
		return c
	}
	endless := matchtest.OpenChallenge()
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
		{"asked", matchtest.OpenChallenge(), matchtest.Bob, 0, accepted(matchtest.OpenChallenge(), matchtest.Bob), nil},
		{"at the last moment", matchtest.OpenChallenge(), matchtest.Bob, matchtest.ChallengeDeadline - 1, accepted(matchtest.OpenChallenge(), matchtest.Bob), nil},
		{"too late", matchtest.OpenChallenge(), matchtest.Bob, matchtest.ChallengeDeadline, matchtest.OpenChallenge(), ErrChallengeClosed},
		{"too late for somebody else", matchtest.OpenChallenge(), matchtest.Cleo, matchtest.ChallengeDeadline, matchtest.OpenChallenge(), ErrChallengeClosed},
		{"without a deadline", endless, matchtest.Bob, 1000 * time.Hour, accepted(endless, matchtest.Bob), nil},
		{"somebody else", matchtest.OpenChallenge(), matchtest.Cleo, 0, matchtest.OpenChallenge(), ErrNotChallenged},
		{"the challenger", matchtest.OpenChallenge(), matchtest.Ada, 0, matchtest.OpenChallenge(), ErrNotChallenged},
		{"nobody", matchtest.OpenChallenge(), "", 0, matchtest.OpenChallenge(), ErrNotChallenged},
		{"anybody at a table", matchtest.OpenTable(), matchtest.Cleo, 0, accepted(matchtest.OpenTable(), matchtest.Cleo), nil},
		{"their own table", matchtest.OpenTable(), matchtest.Ada, 0, matchtest.OpenTable(), ErrOwnChallenge},
		{"table too late", matchtest.OpenTable(), matchtest.Cleo, matchtest.ChallengeDeadline, matchtest.OpenTable(), ErrChallengeClosed},
	}
	for _, s := range closedStates {
		c := matchtest.Closed(matchtest.OpenChallenge(), s)
		tests = append(tests, test{"closed", c, matchtest.Bob, 0, c, ErrChallengeClosed}, test{"closed to others", c, matchtest.Cleo, 0, c, ErrChallengeClosed})
	}
	for _, test := range tests {
		got, err := Accept(test.c, test.user, 9, test.uptime)
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
		{"asked", matchtest.OpenChallenge(), matchtest.Bob, matchtest.Closed(matchtest.OpenChallenge(), store.Declined), nil},
		{"the challenger", matchtest.OpenChallenge(), matchtest.Ada, matchtest.OpenChallenge(), ErrTakeBack},
		{"somebody else", matchtest.OpenChallenge(), matchtest.Cleo, matchtest.OpenChallenge(), ErrNotChallenged},
		{"a table", matchtest.OpenTable(), matchtest.Bob, matchtest.OpenTable(), ErrChallengeClosed},
		{"twice", matchtest.Closed(matchtest.OpenChallenge(), store.Declined), matchtest.Bob, matchtest.Closed(matchtest.OpenChallenge(), store.Declined), ErrChallengeClosed},
		{"after the time", matchtest.Closed(matchtest.OpenChallenge(), store.Expired), matchtest.Bob, matchtest.Closed(matchtest.OpenChallenge(), store.Expired), ErrChallengeClosed},
	} {
		got, err := Decline(test.c, test.user)
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
		{"the challenger", matchtest.OpenChallenge(), matchtest.Ada, matchtest.Closed(matchtest.OpenChallenge(), store.Cancelled), nil},
		{"their table", matchtest.OpenTable(), matchtest.Ada, matchtest.Closed(matchtest.OpenTable(), store.Cancelled), nil},
		{"the one asked", matchtest.OpenChallenge(), matchtest.Bob, matchtest.OpenChallenge(), ErrNotChallenger},
		{"somebody else", matchtest.OpenTable(), matchtest.Cleo, matchtest.OpenTable(), ErrNotChallenger},
		{"nobody", matchtest.OpenTable(), "", matchtest.OpenTable(), ErrNotChallenger},
		{"twice", matchtest.Closed(matchtest.OpenTable(), store.Cancelled), matchtest.Ada, matchtest.Closed(matchtest.OpenTable(), store.Cancelled), ErrChallengeClosed},
		{"accepted meanwhile", matchtest.Closed(matchtest.OpenChallenge(), store.Accepted), matchtest.Ada, matchtest.Closed(matchtest.OpenChallenge(), store.Accepted), ErrChallengeClosed},
		{"somebody else, closed", matchtest.Closed(matchtest.OpenTable(), store.Expired), matchtest.Cleo, matchtest.Closed(matchtest.OpenTable(), store.Expired), ErrNotChallenger},
	} {
		got, err := Cancel(test.c, test.user)
		if d := cmp.Diff(test.want, got); d != "" || !errors.Is(err, test.err) {
			t.Errorf("%s: got error %v, want %v (-want +got):\n%s", test.name, err, test.err, d)
		}
	}
}

func TestChallengeDue(t *testing.T) {
	endless := matchtest.OpenChallenge()
	endless.Deadline = 0
	for _, test := range []struct {
		name   string
		c      store.Challenge
		uptime time.Duration
		due    bool
	}{
		{"not yet", matchtest.OpenChallenge(), matchtest.ChallengeDeadline - 1, false},
		{"now", matchtest.OpenChallenge(), matchtest.ChallengeDeadline, true},
		{"long since", matchtest.OpenTable(), 1000 * time.Hour, true},
		{"without a deadline", endless, 1000 * time.Hour, false},
	} {
		if due := ChallengeDue(test.c, test.uptime); due != test.due {
			t.Errorf("%s: due %v, want %v", test.name, due, test.due)
		}
	}
}

func TestDismissAsExpired(t *testing.T) {
	for _, c := range []store.Challenge{matchtest.OpenChallenge(), matchtest.OpenTable()} {
		got, err := Dismiss(c, store.Expired)
		if d := cmp.Diff(matchtest.Closed(c, store.Expired), got); d != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
	}
	for _, s := range closedStates {
		c := matchtest.Closed(matchtest.OpenChallenge(), s)
		for _, deadline := range []time.Duration{0, matchtest.ChallengeDeadline} { // as no writer of ours leaves it
			c.Deadline = deadline
			if got, err := Dismiss(c, store.Expired); got != c || !errors.Is(err, ErrChallengeClosed) {
				t.Errorf("state %d became %+v, %v", s, got, err)
			}
		}
	}
}

func TestRenewChallenge(t *testing.T) {
	for _, c := range []store.Challenge{matchtest.OpenChallenge(), matchtest.OpenTable()} {
		c = matchtest.Closed(c, store.Expired)
		c.BestOf = 3
		old, renewed, err := Renew(c, matchtest.Ada, 12)
		if err != nil {
			t.Fatal(err)
		}
		gone := matchtest.Closed(c, store.Renewed)
		gone.Next = 12
		if d := cmp.Diff(gone, old); d != "" {
			t.Errorf("the old one (-want +got):\n%s", d)
		}
		want := store.Challenge{
			ID: 12, Guild: c.Guild, Challenger: matchtest.Ada, Opponent: c.Opponent, Rules: c.Rules, First: c.First, Clock: c.Clock, BestOf: 3, State: store.Open,
		}
		if d := cmp.Diff(want, renewed); d != "" {
			t.Errorf("the new one (-want +got):\n%s", d)
		}
		if _, _, err := Renew(old, matchtest.Ada, 12); !errors.Is(err, ErrChallengeClosed) {
			t.Errorf("renewed twice: got %v, want errChallengeClosed", err)
		}
		for _, user := range []store.UserID{matchtest.Cleo, ""} {
			if got, _, err := Renew(c, user, 12); !errors.Is(err, ErrNotChallenger) || got != c {
				t.Errorf("renewed by %q: got %v, want errNotChallenger", user, err)
			}
		}
	}
	for _, s := range []store.ChallengeState{store.Open, store.Accepted, store.Declined, store.Cancelled, store.Renewed} {
		c := matchtest.OpenChallenge()
		c.State = s
		got, renewed, err := Renew(c, matchtest.Ada, 12)
		if !errors.Is(err, ErrChallengeClosed) || got != c || renewed != (store.Challenge{}) {
			t.Errorf("state %d: got %v, want errChallengeClosed and nothing changed", s, err)
		}
	}
}

// Whoever was asked and comes late sends the challenge back: the same person begins.
func TestRenewedByWhoWasAsked(t *testing.T) {
	for first, want := range map[store.First]store.First{
		store.FirstChallenger: store.FirstOpponent, store.FirstOpponent: store.FirstChallenger, store.FirstRandom: store.FirstRandom,
	} {
		c := matchtest.Closed(matchtest.OpenChallenge(), store.Expired)
		c.First = first
		old, renewed, err := Renew(c, matchtest.Bob, 12)
		if err != nil || old.State != store.Renewed {
			t.Fatalf("state %d, error %v", old.State, err)
		}
		if d := cmp.Diff(store.Challenge{
			ID: 12, Guild: c.Guild, Challenger: matchtest.Bob, Opponent: matchtest.Ada, Rules: c.Rules, First: want, Clock: c.Clock, State: store.Open,
		}, renewed); d != "" {
			t.Errorf("the one sent back (-want +got):\n%s", d)
		}
	}
	if _, _, err := Renew(matchtest.Closed(matchtest.OpenTable(), store.Expired), matchtest.Bob, 12); !errors.Is(err, ErrNotChallenger) {
		t.Errorf("a table: got %v, want errNotChallenger", err)
	}
}

func TestMeets(t *testing.T) {
	open := matchtest.OpenChallenge() // Ada's, Bob begins
	all := Chosen{Rules: true, First: true, Clock: true}
	for name, test := range map[string]struct {
		change func(c *store.Challenge)
		chosen Chosen
		want   bool
	}{
		"the same":                 {func(*store.Challenge) {}, all, true},
		"anything":                 {func(c *store.Challenge) { c.Rules.M, c.First, c.Clock = 3, store.FirstRandom, 0 }, Chosen{}, true},
		"another board":            {func(c *store.Challenge) { c.Rules.M = 3 }, Chosen{Rules: true}, false},
		"another one first":        {func(c *store.Challenge) { c.First = store.FirstOpponent }, Chosen{First: true}, false},
		"another clock":            {func(c *store.Challenge) { c.Clock = 0 }, Chosen{Clock: true}, false},
		"a series":                 {func(c *store.Challenge) { c.BestOf = 3 }, Chosen{Series: true}, false},
		"another guild":            {func(c *store.Challenge) { c.Guild = "202" }, Chosen{}, false},
		"somebody else":            {func(c *store.Challenge) { c.Opponent = matchtest.Cleo }, Chosen{}, false},
		"the challenger once more": {func(c *store.Challenge) { c.Challenger, c.Opponent = open.Challenger, open.Opponent }, Chosen{}, false},
		"a table":                  {func(c *store.Challenge) { c.Opponent = "" }, Chosen{}, false},
	} {
		c := store.Challenge{
			Guild: open.Guild, Challenger: matchtest.Bob, Opponent: matchtest.Ada, Rules: open.Rules, First: store.FirstChallenger, Clock: open.Clock,
		}
		test.change(&c)
		if got := Meets(c, open, test.chosen); got != test.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	table := matchtest.OpenTable()
	if Meets(store.Challenge{Guild: table.Guild, Challenger: matchtest.Ada}, table, Chosen{}) {
		t.Error("a table meets a table")
	}
}
