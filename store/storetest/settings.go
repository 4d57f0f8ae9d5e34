package storetest

import (
	"reflect"
	"testing"
	"time"

	"tictactoe/store"
)

// guildChange is a change of one guild's settings.
func guildChange(g store.GuildSettings) store.Change {
	return store.Change{Guilds: []store.GuildSettings{g}}
}

// personChange is a change of what one person has set.
func personChange(p store.Person) store.Change { return store.Change{People: []store.Person{p}} }

// everySetting is a guild that has set everything that there is.
func everySetting(t *testing.T) store.GuildSettings {
	t.Helper()
	g := store.GuildSettings{}
	set(t, "GuildSettings", reflect.ValueOf(&g).Elem())
	g.Guild, g.Version = "5", 0
	return g
}

// set gives what v holds, and everything in it, a value that can be stored.
func set(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	for _, value := range []any{store.On, store.ThreadsAlways, store.MarksSky, store.ChannelGone, noon, time.Minute, true, 1, int64(1)} {
		if reflect.TypeOf(value) == v.Type() {
			v.Set(reflect.ValueOf(value))
			return
		}
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("9")
	case reflect.Struct:
		for i := range v.NumField() {
			set(t, name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	default:
		t.Fatalf("%s is a %s: say here what one can be", name, v.Type())
	}
}

var settingCases = []testCase{
	{"EverySetting", "whatever a guild can set is stored", func(t *testing.T, f *fixture) {
		g := everySetting(t)
		f.apply(t, guildChange(g))
		g.Version++
		f.reopen(t)
		wantEqual(t, "GuildSettings", g)(f.GuildSettings(t.Context(), "5"))
	}},
	{"GuildSettings", "what a guild has set is stored over the version that was read; a guild that has set nothing has settings without a version", func(t *testing.T, f *fixture) {
		g, err := f.GuildSettings(t.Context(), "5")
		wantEqual(t, "GuildSettings of a guild without any", store.GuildSettings{Guild: "5"})(g, err)
		f.refuses(t, guildChange(with(g, func(g *store.GuildSettings) { g.Version = 1 })), store.ErrNotFound)
		for i, clock := range []store.ClockSetting{{Set: true, Limit: time.Minute}, {Set: true}, {}, {Set: true, Limit: 1<<63 - 1}} {
			before := g
			g.Clock, g.Locale, g.Places = clock, []string{"de", "", "pt-BR", ""}[i], []int{1, 25, 0, 7}[i]
			g.Threads = []store.Threads{store.ThreadsAlways, store.ThreadsNever, 0, store.ThreadsOffered}[i]
			g.Reminders = []store.Switch{store.Off, store.On, 0, store.Off}[i]
			g.Leaderboard = []store.Switch{store.On, 0, store.Off, store.Off}[i]
			g.Board, g.Opponent = []string{"4x4", "", "3x3", "5x5-4"}[i], []string{"hard", "easy", "", "medium"}[i]
			g.Marks = []store.Marks{store.MarksBlocks, store.MarksHearts, 0, store.MarksSky}[i]
			g.Games = []store.ChannelID{"", "8", "", "7"}[i]
			g.Stops = []store.StopPosts{{Channel: "9"}, {Fault: store.ChannelGone}, {}, {Fault: store.ChannelNotPermitted}}[i]
			g.NoHintsSince = []time.Time{{}, time.UnixMilli(1_900_000_000_123).UTC(), time.UnixMilli(1).UTC(), {}}[i]
			f.apply(t, guildChange(g))
			g.Version++
			f.reopen(t)
			wantEqual(t, "GuildSettings", g)(f.GuildSettings(t.Context(), "5"))
			f.refuses(t, guildChange(before), store.ErrConflict)
			f.refuses(t, guildChange(with(g, func(g *store.GuildSettings) { g.Version++ })), store.ErrConflict)
		}
		wantEqual(t, "GuildSettings of another guild", store.GuildSettings{Guild: "05"})(f.GuildSettings(t.Context(), "05"))
	}},
	{"Post", "of those who post the same at once one does, and where it stands is known until it is purged with the claims of its time", func(t *testing.T, f *fixture) {
		post := func(p store.Post) store.Change { return store.Change{Posts: []store.Post{p}} }
		p, err := f.Post(t.Context(), "a")
		wantEqual(t, "Post that is not known", store.Post{Key: "a"})(p, err)
		p.At = noon
		f.apply(t, post(p))
		f.refuses(t, post(p), store.ErrConflict)
		f.refuses(t, post(store.Post{Key: "b", At: noon, Version: 1}), store.ErrNotFound)
		f.refuses(t, post(store.Post{At: noon}), store.ErrInvalid)
		p.Version, p.Message = 1, "9"
		f.apply(t, store.Change{Interaction: "1", Posts: []store.Post{p}})
		p.Version = 2
		f.reopen(t)
		wantEqual(t, "Post", p)(f.Post(t.Context(), "a"))
		if n, err := f.Purge(t.Context(), noon, noon, 9); n != 0 || err != nil {
			t.Errorf("Purge at its time = %d, %v", n, err)
		}
		if n, err := f.Purge(t.Context(), noon.Add(time.Millisecond), noon, 9); n != 1 || err != nil {
			t.Errorf("Purge behind its time = %d, %v", n, err)
		}
		wantEqual(t, "Post that was purged", store.Post{Key: "a"})(f.Post(t.Context(), "a"))
	}},
	{"Person", "what a person has set is stored over the version that was read; somebody who has set nothing has settings without a version", func(t *testing.T, f *fixture) {
		p, err := f.Person(t.Context(), "7")
		wantEqual(t, "Person without settings", store.Person{User: "7"})(p, err)
		p.Locale = "fr"
		f.apply(t, personChange(p))
		f.refuses(t, personChange(p), store.ErrConflict)
		p.Version, p.Clock, p.Reminders, p.PlaysBy = 1, store.ClockSetting{Set: true, Limit: time.Hour}, store.Off, store.ByList
		f.apply(t, personChange(p))
		for i, mark := range []store.OwnMark{store.MarkStar, store.MarkRocket, store.AlwaysXO} {
			p.Version, p.Mark = i+2, mark
			f.apply(t, personChange(p))
		}
		p.Version = 5
		f.reopen(t)
		wantEqual(t, "Person", p)(f.Person(t.Context(), "7"))
		f.refuses(t, personChange(store.Person{User: "8", Version: 3}), store.ErrNotFound)
	}},
	{"SettingsWhole", "settings are stored with the other records of their change or not at all, and once for an interaction", func(t *testing.T, f *fixture) {
		f.put(t, match(1, "1", 1))
		g, p := store.GuildSettings{Guild: match(1, "1", 1).Guild, Locale: "de"}, store.Person{User: "7", Locale: "de"}
		all := store.Change{Interaction: "1", Matches: []store.Match{match(2, "1", 1)}, Guilds: []store.GuildSettings{g}, People: []store.Person{p}}
		f.refuses(t, all, store.ErrPlaceTaken)
		wantEqual(t, "Person", store.Person{User: "7"})(f.Person(t.Context(), "7"))
		all.Matches = nil
		f.apply(t, all)
		f.refuses(t, all, store.ErrClaimed)
		p.Version = 1
		wantEqual(t, "Person", p)(f.Person(t.Context(), "7"))
	}},
	{"InvalidSettings", "settings of nobody, or with values that cannot be, are refused", func(t *testing.T, f *fixture) {
		for what, c := range map[string]store.Change{
			"no guild":               guildChange(store.GuildSettings{}),
			"no person":              personChange(store.Person{}),
			"clock below zero":       guildChange(store.GuildSettings{Guild: "1", Clock: store.ClockSetting{Set: true, Limit: -1}}),
			"limit that is not set":  personChange(store.Person{User: "1", Clock: store.ClockSetting{Limit: 1}}),
			"a switch between":       personChange(store.Person{User: "1", Reminders: 15}),
			"a recap between":        personChange(store.Person{User: "1", Recap: 15}),
			"crown calls between":    personChange(store.Person{User: "1", CrownCalls: 15}),
			"crowns between":         guildChange(store.GuildSettings{Guild: "1", Crowns: 15}),
			"version below zero":     personChange(store.Person{User: "1", Version: -1}),
			"no way to play":         personChange(store.Person{User: "1", PlaysBy: 15}),
			"a mark that is none":    personChange(store.Person{User: "1", Mark: store.MarkRocket + 1}),
			"a mark beyond X and O":  personChange(store.Person{User: "1", Mark: store.AlwaysXO + 1}),
			"no way of threads":      guildChange(store.GuildSettings{Guild: "1", Threads: 1}),
			"neither on nor off":     guildChange(store.GuildSettings{Guild: "1", Reminders: 30}),
			"a leaderboard between":  guildChange(store.GuildSettings{Guild: "1", Leaderboard: 1}),
			"no fault of a channel":  guildChange(store.GuildSettings{Guild: "1", Stops: store.StopPosts{Fault: 1}}),
			"games in no UTF-8":      guildChange(store.GuildSettings{Guild: "1", Games: "\xff"}),
			"stops in no UTF-8":      guildChange(store.GuildSettings{Guild: "1", Stops: store.StopPosts{Channel: "\xff"}}),
			"no set of marks":        guildChange(store.GuildSettings{Guild: "1", Marks: 15}),
			"hints before 1970":      guildChange(store.GuildSettings{Guild: "1", NoHintsSince: time.UnixMilli(-1)}),
			"a board in no UTF-8":    guildChange(store.GuildSettings{Guild: "1", Board: "\xff"}),
			"no opponent in UTF-8":   guildChange(store.GuildSettings{Guild: "1", Opponent: "\xff"}),
			"text that is not UTF-8": guildChange(store.GuildSettings{Guild: "1", Locale: "\xff"}),
		} {
			f.invalid(t, what, c)
		}
	}},
	{"RaceSettings", "of many who set something over the same version one succeeds", func(t *testing.T, f *fixture) {
		for version := range 3 {
			p := store.Person{User: "1", Version: version}
			winner := wantOne(t, Race(func(i int) error {
				return f.Apply(t.Context(), personChange(with(p, func(p *store.Person) { p.Clock = store.ClockSetting{Set: true, Limit: time.Duration(i)} })))
			}), store.ErrConflict)
			wantEqual(t, "Person", store.Person{User: "1", Version: version + 1, Clock: store.ClockSetting{Set: true, Limit: time.Duration(winner)}})(f.Person(t.Context(), "1"))
		}
	}},
}
