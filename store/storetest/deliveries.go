package storetest

import (
	"fmt"
	"testing"

	"tictactoe/store"
)

var deliveryCases = []testCase{
	{"Deliveries", "a delivery sets the message, raises the drawn version while the message stays the same, sets it when the message is another one, sets the notice where it says so, and takes away the one that it names; no version changes", func(t *testing.T, f *fixture) {
		m := put(t, f, with(match(1, "1", 1), func(m *store.Match) { m.Message, m.Drawn = "50", 3 }))
		for _, step := range []struct {
			delivery store.Delivery
			message  store.MessageID
			drawn    int
			notice   store.MessageID
		}{
			{store.Delivery{Drawn: 2}, "50", 3, ""},
			{store.Delivery{Drawn: 5}, "50", 5, ""},
			{store.Delivery{Message: "50", Drawn: 4}, "50", 5, ""},
			{store.Delivery{Notice: "60"}, "50", 5, "60"},
			{store.Delivery{Drawn: 6}, "50", 6, "60"},
			{store.Delivery{Message: "51", Drawn: 2}, "51", 2, "60"},
			{store.Delivery{Message: "50", Drawn: 1}, "50", 1, "60"},
			{store.Delivery{Removed: "61"}, "50", 1, "60"},
			{store.Delivery{Message: "50", Drawn: 7, Removed: "60"}, "50", 7, ""},
			{store.Delivery{Removed: "60"}, "50", 7, ""},
			{store.Delivery{Removed: "60", Notice: "62"}, "50", 7, "62"},
			{store.Delivery{Removed: "62", Notice: "62"}, "50", 7, "62"},
			{store.Delivery{Removed: "62"}, "50", 7, ""},
			{store.Delivery{Message: "52"}, "52", 0, ""},
			{store.Delivery{}, "52", 0, ""},
		} {
			step.delivery.Match = m.ID
			f.deliver(t, step.delivery)
			m.Message, m.Drawn, m.Notice = step.message, step.drawn, step.notice
			f.wantMatch(t, m)
		}
		f.reopen(t)
	}},
	{"DeliveriesTogether", "many deliveries about a record amount to the same, whether each is stored by itself or all at once", func(t *testing.T, f *fixture) {
		deliveries := []store.Delivery{
			{Drawn: 9, Notice: "60"}, {Message: "51", Drawn: 2}, {Message: "50", Drawn: 1, Notice: "61"}, {Message: "51", Drawn: 1}, {Drawn: 3, Removed: "60"},
		}
		some := []store.Delivery{deliveries[0], deliveries[2], deliveries[4]} // enough of them

		// Every way to take four of them.
		for n := range 5 * 5 * 3 * 3 {
			taken := []store.Delivery{deliveries[n%5], deliveries[n/5%5], some[n/25%3], some[n/75]}
			one := with(match(store.MatchID(2*n+1), "1", 0), func(m *store.Match) { m.Message, m.Drawn = "50", 5 })
			all := with(one, func(m *store.Match) { m.ID++ })
			f.apply(t, changeOf(one, all))
			for i := range taken {
				taken[i].Match = one.ID
				f.deliver(t, taken[i])
				taken[i].Match = all.ID
			}
			f.deliver(t, taken...)
			want := sure(f.MatchVersion(t.Context(), one.ID))
			wantEqual(t, fmt.Sprintf("%+v all at once", taken), want)(f.MatchVersion(t.Context(), all.ID))
		}
	}},
	{"DeliveriesAndChanges", "message, drawn version and notice are taken from the record when it is created and later from deliveries only, which are stored with the next change, whatever it is about", func(t *testing.T, f *fixture) {
		m := put(t, f, with(match(1, "1", 1), func(m *store.Match) { m.Message, m.Drawn, m.Notice = "50", 1, "60" }))
		f.Deliver(store.Delivery{Match: 1, Message: "51", Drawn: 1})
		put(t, f, match(2, "2", 1))
		f.look(t)
		// A writer who has read the match before that does not know better.
		put(t, f, with(m, func(m *store.Match) { m.Message, m.Drawn, m.Notice = "1", 99, "1" }))
		c := put(t, f, with(challenge(1, "1", "2"), func(c *store.Challenge) { c.Message, c.Drawn = "50", 1 }))
		put(t, f, with(c, func(c *store.Challenge) { c.Message, c.Drawn = "51", 9 }))
		f.look(t)
		f.reopen(t)
	}},
	{"DeliveriesWithFailures", "a delivery that would have been stored with a change that fails is stored with the next, or when the store is closed", func(t *testing.T, f *fixture) {
		put(t, f, match(1, "1", 1))
		f.Deliver(store.Delivery{Match: 1, Message: "50", Drawn: 1})
		f.refuses(t, changeOf(match(2, "1", 1)), store.ErrPlaceTaken)
		f.Deliver(store.Delivery{Match: 1, Notice: "60"})
		f.reopen(t)
	}},
	{"BadDeliveries", "a delivery about nothing, about two things, about what does not exist, or that could not be stored, does nothing and harms no change", func(t *testing.T, f *fixture) {
		m := put(t, f, match(1, "1", 1))
		f.deliver(t, []store.Delivery{
			{},
			{Message: "5"},
			{Match: 1, Challenge: 1, Message: "5"},
			{Match: -1, Message: "5"},
			{Match: 99, Message: "5"},
			{Challenge: 99, Message: "5"},
			{Match: 1, Message: "\xff"},
			{Match: 1, Drawn: -1},
			{Match: 1, Notice: "\x00"},
			{Match: 1, Removed: "\x00"},
		}...)
		put(t, f, m)
		f.look(t)
		f.Deliver(store.Delivery{Match: 99, Message: "5", Drawn: 1}) // before there is such a match
		f.wantMatch(t, put(t, f, match(99, "2", 1)))
	}},
}
