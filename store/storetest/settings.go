package storetest

import (
	"reflect"
	"strconv"
	"testing"
	"time"

	"tictactoe/store"
)

// set gives what v holds, and everything in it, a value that can be stored.
func set(t *testing.T, name string, v reflect.Value) {
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
	{"GuildSettings", "what a guild has set is stored over the version that was read; a guild that has set nothing has settings without a version", func(t *testing.T, f *fixture) {
		steps := []func(*store.GuildSettings){
			func(g *store.GuildSettings) {
				all := *g
				set(t, "GuildSettings", reflect.ValueOf(&all).Elem())
				all.Guild, all.Version, all.Puzzle.Counted = g.Guild, g.Version, g.Puzzle.Counted
				*g = all
			},
			func(g *store.GuildSettings) {
				*g = store.GuildSettings{Guild: g.Guild, Version: g.Version, Puzzle: store.PuzzlePost{Counted: g.Puzzle.Counted}}
			},
		}
		for i, clock := range []store.ClockSetting{{Set: true, Limit: time.Minute}, {Set: true}, {}, {Set: true, Limit: 1<<63 - 1}} {
			steps = append(steps, func(g *store.GuildSettings) {
				g.Clock, g.Locale, g.Places = clock, []string{"de", "", "pt-BR", ""}[i], []int{1, 25, 0, 7}[i]
				g.Threads = []store.Threads{store.ThreadsAlways, store.ThreadsNever, 0, store.ThreadsOffered}[i]
				g.Reminders = []store.Switch{store.Off, store.On, 0, store.Off}[i]
				g.Leaderboard = []store.Switch{store.On, 0, store.Off, store.Off}[i]
				g.Crowns = []store.Switch{0, store.Off, store.On, store.Off}[i]
				g.Board, g.Opponent = []string{"4x4", "", "3x3", "5x5-4"}[i], []string{"hard", "easy", "", "medium"}[i]
				g.Marks = []store.Marks{store.MarksBlocks, store.MarksHearts, 0, store.MarksSky}[i]
				g.Games = []store.ChannelID{"", "8", "", "7"}[i]
				g.Stops = []store.StopPosts{{Channel: "9"}, {Fault: store.ChannelGone}, {}, {Fault: store.ChannelNotPermitted}}[i]
				g.NoHintsSince = []time.Time{{}, time.UnixMilli(1_900_000_000_123).UTC(), time.UnixMilli(1).UTC(), {}}[i]
			})
		}
		keeps(t, f, store.GuildSettings{Guild: "5"},
			func(g *store.GuildSettings, i int) { g.Puzzle.Counted = int64(i) }, steps...)
	}},
	{"Post", "of those who post the same at once one does, and where it stands is known until it is purged with the claims of its time", func(t *testing.T, f *fixture) {
		keeps(t, f, store.Post{Key: "a"},
			func(p *store.Post, i int) { p.Message = store.MessageID(strconv.Itoa(i)) },
			func(p *store.Post) { p.At = noon.Add(time.Hour) }, func(p *store.Post) { p.At = noon })
		wantEqual(t, "Purge at its time", 0)(f.Purge(t.Context(), noon, noon, 9))
		wantEqual(t, "Purge behind its time", 1)(f.Purge(t.Context(), noon.Add(time.Millisecond), noon, 9))
	}},
	{"Person", "what a person has set is stored over the version that was read; somebody who has set nothing has settings without a version", func(t *testing.T, f *fixture) {
		keeps(t, f, store.Person{User: "7"},
			func(p *store.Person, i int) { p.Locale = strconv.Itoa(i) },
			func(*store.Person) {},
			func(p *store.Person) {
				p.Clock, p.Reminders, p.PlaysBy = store.ClockSetting{Set: true, Limit: time.Hour}, store.Off, store.ByList
			},
			func(p *store.Person) { p.Mark = store.MarkStar },
			func(p *store.Person) { p.Mark = store.MarkRocket },
			func(p *store.Person) { p.Mark = store.AlwaysXO })
	}},
}
