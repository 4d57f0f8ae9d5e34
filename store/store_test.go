package store_test

import (
	"errors"
	"testing"

	"tictactoe/engine"
	"tictactoe/store"
)

func TestSeats(t *testing.T) {
	m := store.Match{X: store.Player{User: "1"}, O: store.Player{Opponent: "easy"}}
	for _, c := range []struct {
		user store.UserID
		want engine.Mark
	}{{"1", engine.X}, {"01", engine.None}, {"easy", engine.None}, {"", engine.None}} {
		if got := m.Seat(c.user); got != c.want {
			t.Errorf("Seat(%q) = %v, want %v", c.user, got, c.want)
		}
	}
	m.O = store.Player{User: "2"}
	if got := m.Seat("2"); got != engine.O {
		t.Errorf("Seat of O = %v, want %v", got, engine.O)
	}
	for mark, want := range map[engine.Mark]store.Player{engine.X: m.X, engine.O: m.O, engine.None: {}} {
		if got := m.Player(mark); got != want {
			t.Errorf("Player(%v) = %+v, want %+v", mark, got, want)
		}
	}
	if !m.X.IsUser() || (store.Player{Opponent: "easy"}).IsUser() {
		t.Error("IsUser does not tell people from opponents")
	}
}

func TestPrivateAndPlayed(t *testing.T) {
	if !(store.Match{}).Private() || (store.Match{Place: 1}).Private() {
		t.Error("a match is private exactly when it takes no place")
	}
	if (store.Score{}).Played() || !(store.Score{Draws: 1}).Played() {
		t.Error("a series was played when somebody scored")
	}
}

// TestDeliveryValid covers what no backend can show: deliveries that it must ignore.
func TestDeliveryValid(t *testing.T) {
	for _, c := range []struct {
		delivery store.Delivery
		want     bool
	}{
		{store.Delivery{Match: 1}, true},
		{store.Delivery{Challenge: 1, Message: "5"}, true},
		{store.Delivery{}, false},
		{store.Delivery{Match: 1, Challenge: 1}, false},
		{store.Delivery{Match: -1}, false},
		{store.Delivery{Challenge: -1}, false},
		{store.Delivery{Match: 1, Drawn: -1}, false},
		{store.Delivery{Match: 1, Message: "\x00"}, false},
		{store.Delivery{Match: 1, Notice: "\xff"}, false},
		{store.Delivery{Match: 1, Removed: "\xff"}, false},
	} {
		if got := c.delivery.Valid(); got != c.want {
			t.Errorf("%+v.Valid() = %v, want %v", c.delivery, got, c.want)
		}
	}
}

// TestSentinelsAreApart checks that no error of the package passes for another.
func TestSentinelsAreApart(t *testing.T) {
	all := []error{
		store.ErrNotFound, store.ErrConflict, store.ErrClaimed, store.ErrPlaceTaken, store.ErrSeatTaken, store.ErrPairTaken, store.ErrImmutable,
		store.ErrInvalid, store.ErrPending, store.ErrClosed, store.ErrNewerSchema, store.ErrNotDatabase, store.ErrReadOnly,
		store.ErrBusy, store.ErrUnreachable, store.ErrFull, store.ErrDamaged,
	}
	for i, a := range all {
		for j, b := range all {
			if errors.Is(a, b) != (i == j) {
				t.Errorf("errors.Is(%v, %v) = %v", a, b, i != j)
			}
		}
	}
}
