package storetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"tictactoe/store"
)

// The applications of the cases.
const (
	ours   = store.ApplicationID("700")
	theirs = store.ApplicationID("701")
)

// left is a guild that the bot leaves.
const left = store.GuildID("91515151")

// solver is who solves puzzles in the guild whose first match that is.
func solver(first store.MatchID) store.UserID { return store.UserID(fmt.Sprint(8000 + first)) }

// see notes that the bot was in guilds.
func (f *fixture) see(t tester, app store.ApplicationID, at time.Time, guilds ...store.GuildID) {
	must(t, f.SeeGuilds(t.Context(), store.Sighting{Application: app, At: at, Guilds: guilds}))
}

// miss notes that the bot was not in guilds.
func (f *fixture) miss(t tester, app store.ApplicationID, at time.Time, guilds ...store.GuildID) {
	for _, g := range guilds {
		must(t, f.MissGuild(t.Context(), app, g, at))
	}
}

// wantDepartures compares the guilds of our application that are gone at noon of some days
// later.
func (f *fixture) wantDepartures(t tester, days int, want ...store.GuildID) (all []store.Departure) {
	all, err := f.Departures(t.Context(), ours, noon.AddDate(0, 0, days), 99)
	wantEach(t, fmt.Sprintf("Departures after %d days", days), func(d store.Departure) store.GuildID { return d.Guild }, want...)(all, err)
	return all
}

// depart has the bot of our application be gone from the guild that is left.
func (f *fixture) depart(t tester) store.Departure {
	f.see(t, ours, noon, left)
	f.miss(t, ours, noon.AddDate(0, 0, 1), left)
	f.miss(t, ours, noon.AddDate(0, 0, 2), left)
	return f.wantDepartures(t, 2, left)[0]
}

// eraseGuild is eraseAll for what is kept about a guild.
func (f *fixture) eraseGuild(t tester, d store.Departure, limit int, between ...func()) {
	toItsEnd(t, func() (store.ErasureStep, error) { return f.EraseGuild(t.Context(), d, limit) }, between...)
}

// liveIn has people play, win, solve and set in the guild.
func (f *fixture) liveIn(t tester, guild store.GuildID, first store.MatchID) {
	here := func(m *store.Match) { m.Guild = guild }
	award := func(a *store.Award) { a.HonoursX, a.O = feat, 1 }
	for i, seats := range slices.Repeat([][2]store.Player{{ada, bob}, {bob, ada}, {ada, easy}}, 2) {
		f.end(t, with(between(first+store.MatchID(i), seats[0], seats[1]), here), noon.Add(time.Duration(i)*time.Hour), func(a *store.Award) {
			if award(a); seats[1] == easy {
				againstProgram(a)
			}
		})
	}
	f.apply(t, store.Change{
		Guilds:   []store.GuildSettings{{Guild: guild, Places: 2, Puzzle: store.PuzzlePost{Channel: "5", Hour: 1, Due: noon}}},
		Epochs:   []store.Epoch{{Guild: guild, At: noon, By: ada.User}},
		Absences: []store.Absence{{Guild: guild, User: "99", Gone: true}},
		Blocks:   []store.Block{{User: bob.User, From: "99", Guild: guild, Since: noon}},
		Tries: []store.PuzzleTry{
			{User: solver(first), Day: 20000, State: store.PuzzleSolved, Guild: guild},
			{User: solver(first + 1), Day: 20000, State: store.PuzzleOpen, Guild: guild},
		},
		Puzzlers: []store.Puzzler{{User: solver(first), Solved: 3, Streak: 2, Tries: 2, Best: 2, Last: 20000}},
	})
	must(t, f.SetLobby(t.Context(), store.Lobby{}, store.Lobby{Channel: channelOf(int(first)), Guild: guild, Message: "1"}))
	f.apply(t, store.Change{Crowns: []store.Crown{{Channel: channelOf(int(first) + 1), Guild: guild, User: ada.User, Match: first, Wins: 3, Since: noon, Last: noon}}})
	f.end(t, with(between(first+6, ada, bob), here), noon, award) // behind the epoch
}

var guildCases = []testCase{
	{"UnusedGuilds", "of guilds that nobody has used for long it is asked, and one is gone that was missed twice, half a day apart, and not seen in between", func(t *testing.T, f *fixture) {
		at := func(hours int) time.Time { return noon.Add(time.Duration(hours) * time.Hour) }
		month := int(store.UnusedFor / time.Hour)
		unused := func(hours int, want ...store.GuildID) {
			wantEqual(t, fmt.Sprintf("UnusedGuilds after %d hours", hours), want)(f.UnusedGuilds(t.Context(), ours, at(hours), 9))
		}
		unused(0)
		f.see(t, ours, at(1), "2", "3")
		f.see(t, ours, at(0), "1", "4", "2") // said late of one
		f.see(t, theirs, at(0), "1", "9")
		unused(month - 1)
		unused(month, "1", "4")
		unused(month+1, "1", "4", "2", "3")
		f.see(t, ours, at(month), "1") // it is used, or Discord says that it is there
		f.miss(t, ours, at(month+1), "2", "3", "4", "404")
		f.reopen(t)
		unused(month + 2)
		f.miss(t, ours, at(month+12), "3") // too soon
		f.wantDepartures(t, 99)
		unused(month+13, "4", "2", "3")
		f.see(t, ours, at(month), "3") // said late
		f.see(t, ours, at(month+1), "4")
		f.miss(t, ours, at(month+13), "2", "3", "4")
		f.miss(t, ours, at(month), "1") // said late
		all := f.wantDepartures(t, 99, "2", "3")
		if len(all) > 0 && !all[0].Gone.Equal(at(month+13)) {
			t.Errorf("gone since %v", all[0].Gone)
		}
		f.wantDepartures(t, 30) // not yet then
		f.see(t, ours, at(month+12), "2")
		f.wantDepartures(t, 99, "3")
		wantEqual(t, "departures of another application", []store.Departure(nil))(f.Departures(t.Context(), theirs, at(10*month), 9))
		for _, s := range []store.Sighting{{Guilds: []store.GuildID{"1"}}, {Application: ours, Guilds: []store.GuildID{""}}} {
			wantError(t, fmt.Sprintf("SeeGuilds(%+v)", s), store.ErrInvalid, f.SeeGuilds(t.Context(), s))
		}
	}},
	{"EraseGuild", "of a guild that the bot has left nothing is left but what is people's own, other guilds keep theirs, and at every moment the sums are those of the ledger", func(t *testing.T, f *fixture) {
		for _, limit := range []int{1, 3, 1000} {
			f.fresh(t)
			f.liveIn(t, left, 100)
			f.liveIn(t, "52", 200)
			f.end(t, between(300, ada, bob), noon, nil)
			d := f.depart(t)
			f.eraseGuild(t, d, limit, f.lookBetween(t, limit == 3))
			f.wantForgotten(t, string(left), "Blocks")
			f.wantDepartures(t, 99)
			f.look(t)
			f.wantStandings(t, "52", store.AllTime, string(ada.User)+":1:3", "1:2:1")
			wantEqual(t, "Blocked", true)(f.Blocked(t.Context(), store.Consent{Guild: left, By: "99", To: bob.User}))
			wantEqual(t, "EraseGuild again", store.ErasureDone)(f.EraseGuild(t.Context(), d, limit))

			f.end(t, with(between(400, ada, bob), func(m *store.Match) { m.Guild = left }), noon, nil) // the bot is back
			f.wantStandings(t, left, store.AllTime, string(ada.User)+":1:3")
			f.wantRecounted(t)
		}
	}},
	{"RaceEraseGuild", "while what is kept about a guild is erased people play on there and elsewhere, and the sums are those of the ledger", func(t *testing.T, f *fixture) {
		f.liveIn(t, left, 100)
		d := f.depart(t)
		f.apart()
		var wait sync.WaitGroup
		for i := range 4 {
			wait.Go(func() {
				for n := range 10 {
					id := store.MatchID(1000 + 100*i + n)
					m := won(between(id, ada, bob))
					m.Guild, m.TokenOnly = []store.GuildID{left, club}[n%2], true
					f.refuses(t, changeOf(m, store.Award{Match: id, X: 3}), nil)
				}
			})
		}
		for range 2 {
			wait.Go(func() {
				patiently(t, func() (store.ErasureStep, error) { return f.EraseGuild(t.Context(), d, 2) })
			})
		}
		wait.Wait()
		f.wantNoMatch(t, 100)
	}},
}
