package match

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// Between people, half of a clock of five minutes or more may go by, and a minute of one
// of an hour or more. Nobody is reminded against the program, and by no shorter clock.
func TestWhenATurnIsReminded(t *testing.T) {
	const uptime = 2 * time.Hour
	for clock, want := range map[time.Duration]time.Duration{
		0: 0, time.Minute: 0, 5*time.Minute - 1: 0,
		5 * time.Minute: uptime + 150*time.Second, 10 * time.Minute: uptime + 5*time.Minute, time.Hour - 2: uptime + 30*time.Minute - 1,
		time.Hour: uptime + time.Minute, 24 * time.Hour: uptime + time.Minute, 30 * 24 * time.Hour: uptime + time.Minute,
	} {
		m := matchtest.Between(t, engine.Standard, "a1")
		m.Clock, m.Remind = clock, 77
		opened, err := Open(store.Match{Rules: m.Rules, X: m.X, O: m.O, Clock: clock}, nil, 0, uptime)
		if err != nil || opened.Remind != want {
			t.Errorf("clock %v at the start: %v, %v, want %v", clock, opened.Remind, err, want)
		}
		moved, err := Play(m, matchtest.Bob, 1, matchtest.Cell(t, m.Rules, "b2"), nil, uptime)
		if err != nil || moved.Remind != want {
			t.Errorf("clock %v after a move: %v, %v, want %v", clock, moved.Remind, err, want)
		}
	}
	m := matchtest.Against(t, "easy", engine.Standard, "")
	moved, err := Play(m, matchtest.Ada, 0, 0, func(engine.Game) (engine.Cell, error) { return 4, nil }, uptime)
	if err != nil || moved.Remind != 0 {
		t.Errorf("against the program: %v, %v", moved.Remind, err)
	}
}

func TestReminderIsClaimedOnce(t *testing.T) {
	m := matchtest.Between(t, engine.Standard, "a1")
	m.Remind = time.Minute
	if got, _, ok := Remind(m, time.Minute-1); ok || got.Remind != m.Remind || Reminded(got) {
		t.Errorf("too early: %v, reminded %v", ok, Reminded(got))
	}
	claimed, whom, ok := Remind(m, time.Minute)
	if !Reminded(claimed) {
		t.Error("nobody may have been reminded by a claim")
	}
	want := copyOf(m)
	want.Remind = 0
	if d := cmp.Diff(want, claimed); d != "" || whom != matchtest.Bob || !ok {
		t.Errorf("%q is told, %v (-want +got):\n%s", whom, ok, d)
	}
	if _, _, ok := Remind(claimed, time.Hour); ok {
		t.Error("claimed twice")
	}
}

// A wish for a rematch is told once in a series, however many games that has, and not at
// all where the offer would have lapsed by then.
func TestRematchIsToldOnceInASeries(t *testing.T) {
	const ttl = 15 * time.Minute
	m := over(matchtest.Between(t, engine.Standard, "a1 a2 b1 b2 c1"), store.ByLine, engine.X)
	m.GridStands = false
	offered, _, err := OfferRematch(m, matchtest.Ada, ttl, time.Hour)
	if err != nil || offered.Remind != time.Hour+RemindRematch {
		t.Fatalf("%v, %v", offered.Remind, err)
	}
	claimed, whom, ok := Remind(offered, 2*time.Hour)
	if !ok || whom != matchtest.Bob || !claimed.RematchTold {
		t.Errorf("%q is told, %v, noted %v", whom, ok, claimed.RematchTold)
	}
	lapsed, ok := Expire(claimed, ttl, 2*time.Hour)
	if again, _, err := OfferRematch(lapsed, matchtest.Bob, ttl, 3*time.Hour); err != nil || !ok || again.Remind != 0 {
		t.Errorf("the same offer again: %v, %v", again.Remind, err)
	}
	agreed, all, err := OfferRematch(claimed, matchtest.Bob, ttl, time.Hour)
	next, old := Next(agreed, 8)
	if err != nil || !all || !next.RematchTold || old.Remind != 0 || WaitedFor(old) != "" {
		t.Errorf("the next match: told %v; the old one %v, waits for %q, %v", next.RematchTold, old.Remind, WaitedFor(old), err)
	}
	if short, _, _ := OfferRematch(m, matchtest.Ada, RemindRematch, time.Hour); short.Remind != 0 {
		t.Errorf("an offer that lapses at once: %v", short.Remind)
	}
	if lapsed, ok := Expire(offered, ttl, 2*time.Hour); !ok || lapsed.Remind != 0 {
		t.Errorf("lapsed: %v", lapsed.Remind)
	}
}

func TestEndsEndReminders(t *testing.T) {
	m := matchtest.Between(t, engine.Standard, "a1")
	m.Remind = time.Minute
	if ended := End(m, store.Resignation, engine.X); ended.Remind != 0 || WaitedFor(ended) != "" || StillWaits(m, ended) {
		t.Errorf("%v is left, for %q", ended.Remind, WaitedFor(ended))
	}
	moved, err := Play(m, matchtest.Bob, 1, matchtest.Cell(t, m.Rules, "b2"), nil, time.Hour)
	if err != nil || StillWaits(m, moved) || !StillWaits(m, m) {
		t.Errorf("after a move the same is waited for (%v)", err)
	}
}

// TestDeclineRematch: whoever has asked cannot ask again, and nobody is reminded any more;
// whoever has declined can ask.
func TestDeclineRematch(t *testing.T) {
	m := End(matchtest.Between(t, engine.Standard, "a1 b2"), store.Resignation, engine.X)
	m.GridStands = false
	if _, err := DeclineRematch(m, matchtest.Bob); !errors.Is(err, ErrNoWish) {
		t.Errorf("declined what nobody wants: %v", err)
	}
	wish, _, err := OfferRematch(m, matchtest.Ada, time.Hour, 1)
	if err != nil || wish.Remind == 0 {
		t.Fatalf("the wish is %+v, %v", wish, err)
	}
	if back, err := DeclineRematch(wish, matchtest.Ada); err != nil || cmp.Diff(m, back) != "" {
		t.Errorf("one's own wish taken back: %+v, %v", back, err)
	}
	if _, err := DeclineRematch(wish, matchtest.Cleo); !errors.Is(err, ErrNotYourGame) {
		t.Errorf("declined by a bystander: %v", err)
	}
	no, err := DeclineRematch(wish, matchtest.Bob)
	if err != nil || no.RematchX || no.RematchDeclined != engine.O || no.Remind != 0 || no.Deadline != 0 {
		t.Fatalf("declined: %+v, %v", no, err)
	}
	if _, _, err := OfferRematch(no, matchtest.Ada, time.Hour, 1); !errors.Is(err, ErrRematchNo) {
		t.Errorf("asked again: %v", err)
	}
	other, agreed, err := OfferRematch(no, matchtest.Bob, time.Hour, 1)
	if err != nil || agreed || !other.RematchO || other.RematchDeclined != engine.None || other.Remind != 0 {
		t.Errorf("who has declined asks: %+v, %v, %v", other, agreed, err)
	}
}
