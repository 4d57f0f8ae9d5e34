package storetest

import (
	"testing"
	"time"

	"tictactoe/store"
)

func ptr[T any](v T) *T { return &v }

var noteCases = []testCase{
	{
		"Notes", "a note sets the message, raises the drawn version while the message stays the same, sets it when the message is another one, and sets the notice where it says so; no version changes",
		func(t *testing.T, f *fixture) {
			for i, flush := range []bool{false, true} {
				m := f.put(t, with(match(store.MatchID(i+1), channelOf(i), 1), func(m *store.Match) {
					m.Message, m.Drawn = "50", 3
				}))
				for _, step := range []struct {
					note    store.Note
					message store.MessageID
					drawn   int
					notice  store.MessageID
				}{
					{store.Note{Drawn: 2}, "50", 3, ""},
					{store.Note{Drawn: 5}, "50", 5, ""},
					{store.Note{Message: "50", Drawn: 4}, "50", 5, ""},
					{store.Note{Notice: ptr[store.MessageID]("60")}, "50", 5, "60"},
					{store.Note{Drawn: 6}, "50", 6, "60"},
					{store.Note{Message: "51", Drawn: 2}, "51", 2, "60"},
					{store.Note{Message: "50", Drawn: 1}, "50", 1, "60"},
					{store.Note{Message: "50", Drawn: 7, Notice: ptr[store.MessageID]("")}, "50", 7, ""},
					{store.Note{Message: "52"}, "52", 0, ""},
					{store.Note{}, "52", 0, ""},
				} {
					step.note.Match = m.ID
					f.Note(step.note)
					if flush { // notes are stored along with whatever is
						if err := f.SaveUptime(t.Context(), 1); err != nil {
							t.Fatal(err)
						}
					}
					m.Message, m.Drawn, m.Notice = step.message, step.drawn, step.notice
					f.wantMatch(t, m)
				}
				f.reopen(t)
				f.wantMatch(t, m)
			}
		},
	},
	{
		"NotesTogether", "many notes about a record amount to the same, whether each is stored by itself or all at once",
		func(t *testing.T, f *fixture) {
			notes := []store.Note{{Drawn: 9}, {Message: "51", Drawn: 2}, {Message: "50", Drawn: 1}, {Message: "51", Drawn: 1}, {Drawn: 3}}
			// Every way to take up to four of them.
			id := store.MatchID(0)
			var try func(taken []store.Note)
			try = func(taken []store.Note) {
				if len(taken) == 4 {
					id++
					one, all := match(2*id, "1", 0), match(2*id+1, "1", 0)
					one.Message, one.Drawn, all.Message, all.Drawn = "50", 5, "50", 5
					f.put(t, one)
					f.put(t, all)
					for _, n := range taken {
						n.Match = all.ID
						f.Note(n)
					}
					want, err := f.Match(t.Context(), all.ID)
					if err != nil {
						t.Fatal(err)
					}
					for _, n := range taken {
						if err := f.SaveUptime(t.Context(), 1); err != nil { // stores those before
							t.Fatal(err)
						}
						n.Match = one.ID
						f.Note(n)
					}
					got, err := f.Match(t.Context(), one.ID)
					if err != nil || got.Message != want.Message || got.Drawn != want.Drawn {
						t.Errorf("%+v: one by one: message %s drawn %d (%v), all at once: message %s drawn %d",
							taken, got.Message, got.Drawn, err, want.Message, want.Drawn)
					}
					return
				}
				for i, n := range notes {
					if len(taken) < 2 || i%2 == 0 { // enough of them
						try(append(taken[:len(taken):len(taken)], n))
					}
				}
			}
			try(nil)
		},
	},
	{
		"NotesOfChallenges", "a note sets the message of a challenge",
		func(t *testing.T, f *fixture) {
			c := f.putChallenge(t, challenge(1, "1", "2"))
			m := f.put(t, match(1, "1", 1)) // of the same id
			f.Note(store.Note{Challenge: 1, Message: "70"})
			f.Note(store.Note{Challenge: 1})
			c.Message = "70"
			f.wantChallenge(t, c)
			for what, all := range map[string]func() ([]store.Challenge, error){
				"OpenChallenges": func() ([]store.Challenge, error) { return f.OpenChallenges(t.Context(), 0, 5) },
			} {
				got, err := all()
				wantEqual(t, what, got, []store.Challenge{c}, err)
			}
			f.reopen(t)
			f.wantChallenge(t, c)
			f.wantMatch(t, m)
		},
	},
	{
		"NotesAndChanges", "message, drawn version and notice are taken from the record when it is created and later from notes only",
		func(t *testing.T, f *fixture) {
			m := f.put(t, with(match(1, "1", 1), func(m *store.Match) { m.Message, m.Drawn, m.Notice = "50", 1, "60" }))
			f.Note(store.Note{Match: 1, Message: "51", Drawn: 1})
			// The writer has read the match before that note, and does not know better.
			m = f.put(t, with(m, func(m *store.Match) { m.Message, m.Drawn, m.Notice = "1", 99, "1" }))
			m.Message, m.Drawn, m.Notice = "51", 1, "60"
			f.wantMatch(t, m)
			c := f.putChallenge(t, with(challenge(1, "1", "2"), func(c *store.Challenge) { c.Message = "50" }))
			c = f.putChallenge(t, with(c, func(c *store.Challenge) { c.Message = "51" }))
			c.Message = "50"
			f.wantChallenge(t, c)
			f.reopen(t)
			f.wantMatch(t, m)
			f.wantChallenge(t, c)
		},
	},
	{
		"NotesInLists", "every list shows what was noted",
		func(t *testing.T, f *fixture) {
			m := f.put(t, with(match(1, "1", 1), func(m *store.Match) { m.O, m.Clock, m.Deadline = bob, 1, 1 }))
			f.Note(store.Note{Match: 1, Message: "50", Notice: ptr[store.MessageID]("60")})
			m.Message, m.Notice = "50", "60"
			guild := m.Guild
			for what, list := range map[string]func() ([]store.Match, error){
				"ActiveMatches":  func() ([]store.Match, error) { return f.ActiveMatches(t.Context(), "1") },
				"GuildMatches":   func() ([]store.Match, error) { return f.GuildMatches(t.Context(), guild, 0, 5) },
				"DueMatches":     func() ([]store.Match, error) { return f.DueMatches(t.Context(), 1, 5) },
				"ClockedMatches": func() ([]store.Match, error) { return f.ClockedMatches(t.Context(), 0, 5) },
				"UndrawnMatches": func() ([]store.Match, error) { return f.UndrawnMatches(t.Context(), 0, 5, noon) },
			} {
				got, err := list()
				wantEqual(t, what, got, []store.Match{m}, err)
			}
		},
	},
	{
		"BadNotes", "a note about nothing, about two things, about what does not exist, or that could not be stored, does nothing and harms no change",
		func(t *testing.T, f *fixture) {
			m := f.put(t, match(1, "1", 1))
			for _, n := range []store.Note{
				{},
				{Message: "5"},
				{Match: 1, Challenge: 1, Message: "5"},
				{Match: -1, Message: "5"},
				{Match: 99, Message: "5"},
				{Challenge: 99, Message: "5"},
				{Match: 1, Message: "\xff"},
				{Match: 1, Drawn: -1},
				{Match: 1, Notice: ptr[store.MessageID]("\x00")},
			} {
				f.Note(n)
			}
			f.wantMatch(t, m)
			m = f.put(t, m)
			f.wantMatch(t, m)
			f.wantNoMatch(t, 99)
			f.Note(store.Note{Match: 99, Message: "5", Drawn: 1}) // before there is such a match
			f.wantMatch(t, f.put(t, match(99, "2", 1)))
		},
	},
}

var uptimeCases = []testCase{
	{
		"Uptime", "the up-time only grows: a smaller value changes nothing",
		func(t *testing.T, f *fixture) {
			if got, err := f.Uptime(t.Context()); got != 0 || err != nil {
				t.Errorf("Uptime() of a new store = %v, %v, want 0", got, err)
			}
			for _, step := range []struct{ save, want int64 }{{5, 5}, {3, 5}, {-1, 5}, {0, 5}, {6, 6}, {1<<62 + 1, 1<<62 + 1}, {7, 1<<62 + 1}} {
				if err := f.SaveUptime(t.Context(), time.Duration(step.save)); err != nil {
					t.Errorf("SaveUptime(%d) = %v", step.save, err)
				}
				if got, err := f.Uptime(t.Context()); got != time.Duration(step.want) || err != nil {
					t.Errorf("Uptime() after %d was saved = %d, %v, want %d", step.save, got, err, step.want)
				}
			}
			f.reopen(t)
			if got, err := f.Uptime(t.Context()); got != 1<<62+1 || err != nil {
				t.Errorf("Uptime() of the reopened store = %d, %v, want %d", got, err, int64(1<<62+1))
			}
		},
	},
	{
		"Check", "Check succeeds while the store can be written, and changes nothing",
		func(t *testing.T, f *fixture) {
			m := f.put(t, match(1, "1", 1))
			for range 3 {
				if err := f.Check(t.Context()); err != nil {
					t.Errorf("Check() = %v", err)
				}
			}
			f.wantMatch(t, m)
		},
	},
}
