package bot

import (
	"context"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// started is the match that a command has just started in the tests' channel.
func (b *loneBot) started(t *testing.T) store.Match {
	t.Helper()
	active, err := b.store.ActiveMatches(t.Context(), "301")
	if err != nil || len(active) != 1 {
		t.Fatalf("%d matches are active: %v", len(active), err)
	}
	return active[0]
}

// end makes place for the next one.
func (b *loneBot) end(t *testing.T, m store.Match) {
	t.Helper()
	m.State, m.EndReason, m.Deadline = store.Ended, store.Stopped, 0
	m.EndedBy = "101"
	if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
		t.Fatal(err)
	}
}

// A match has the time for a move and the language that its guild and its person have
// set, and what is set counts at once.
func TestSettingsOfGuildAndPerson(t *testing.T) {
	b := newLoneBot(t, func(o *Options) { o.DefaultClock = 10 * time.Minute })
	guild, person := store.GuildSettings{Guild: "201"}, store.Person{User: "101"}
	clock := func(d time.Duration) store.ClockSetting { return store.ClockSetting{Set: true, Limit: d} }
	for _, test := range []struct {
		name   string
		set    func(*store.Change)
		clock  time.Duration
		locale string
	}{
		{"nothing", func(*store.Change) {}, 10 * time.Minute, "en-US"},
		{"the guild", func(c *store.Change) {
			guild.Clock, guild.Locale = clock(0), "de"
			c.Guilds = append(c.Guilds, guild)
			guild.Version++
		}, 0, "de"},
		{"the person", func(c *store.Change) {
			person.Clock, person.Locale = clock(time.Minute), "fr"
			c.People = append(c.People, person)
			person.Version++
		}, time.Minute, "de"},
		{"the person alone", func(c *store.Change) {
			guild.Clock, guild.Locale = store.ClockSetting{}, ""
			c.Guilds = append(c.Guilds, guild)
			guild.Version++
		}, time.Minute, "fr"},
	} {
		var c store.Change
		if test.set(&c); len(c.Guilds)+len(c.People) > 0 {
			if err := b.change.Apply(t.Context(), c); err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
		}
		b.answer(t, discord.KindCommand, playCommand, rest.CallbackMessage)
		m := b.started(t)
		if m.Clock != test.clock || m.Locale != test.locale {
			t.Errorf("%s: got %v a move, in %s, want %v, in %s", test.name, m.Clock, m.Locale, test.clock, test.locale)
		}
		b.end(t, m)
	}
	// They are spoken to in their own language.
	if got := b.answer(t, discord.KindCommand, strings.Replace(playCommand, "play", "resign", 1), rest.CallbackMessage); !strings.Contains(got, "Tu ne joues pas") {
		t.Errorf("got %s, want French", got)
	}
}

// What another process has set is known after a while, and without asking the store
// for every interaction.
func TestSettingsAreRememberedForAWhile(t *testing.T) {
	clock := &testClock{now: time.Now()}
	b := newLoneBot(t, func(o *Options) { o.Now = clock.Now })
	read := func() string {
		t.Helper()
		g, err := b.kit.Settings.Guild(t.Context(), "201")
		if err != nil {
			t.Fatal(err)
		}
		return g.Locale
	}
	if got := read(); got != "" {
		t.Fatalf("nothing is set, got %q", got)
	}
	elsewhere := store.Change{Guilds: []store.GuildSettings{{Guild: "201", Locale: "ja"}}}
	if err := b.store.Apply(t.Context(), elsewhere); err != nil {
		t.Fatal(err)
	}
	if got := read(); got != "" {
		t.Errorf("the store was asked again at once: %q", got)
	}
	for range 2 {
		clock.advance(kit.SettingsTurn + time.Second)
		read()
	}
	if got := read(); got != "ja" {
		t.Errorf("after a while it is %q still", got)
	}
}

// Settings that cannot be read start no match that would be played by others.
func TestSettingsThatCannotBeRead(t *testing.T) {
	b := newLoneBot(t, func(o *Options) { o.Store = broken{o.Store} })
	got := b.answer(t, discord.KindCommand, playCommand, rest.CallbackMessage)
	if !strings.Contains(got, `"flags":64`) || b.Counts().Unsaved != 1 {
		t.Errorf("got %s", got)
	}
	if active, _ := b.store.ActiveMatches(t.Context(), "301"); len(active) != 0 {
		t.Errorf("it started %v", active)
	}
	help := b.answer(t, discord.KindCommand, strings.Replace(playCommand, "play", "help", 1), rest.CallbackMessage)
	if !strings.Contains(help, "three") && !strings.Contains(help, "row") {
		t.Errorf("help needs no settings: %s", help)
	}
}

// broken is a store whose settings cannot be read.
type broken struct{ store.Store }

func (broken) GuildSettings(context.Context, store.GuildID) (store.GuildSettings, error) {
	return store.GuildSettings{}, store.ErrBusy
}

// setMeanwhile is a store whose settings somebody changes while they are read.
type setMeanwhile struct {
	store.Store
	reads int
	set   func()
}

func (s *setMeanwhile) GuildSettings(ctx context.Context, id store.GuildID) (store.GuildSettings, error) {
	s.reads++
	g, err := s.Store.GuildSettings(ctx, id)
	s.set()
	return g, err
}

// What was read before a change is not remembered behind it.
func TestSettingsThatChangeWhileTheyAreRead(t *testing.T) {
	db := &setMeanwhile{}
	b := newLoneBot(t, func(o *Options) { db.Store, o.Store = o.Store, db })
	db.set = func() {
		set := store.GuildSettings{Guild: "201", Locale: "de"}
		if err := b.change.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{set}}); err != nil {
			t.Fatal(err)
		}
		db.set = func() {}
	}
	for i, want := range []string{"", "de", "de"} {
		if g, err := b.kit.Settings.Guild(t.Context(), "201"); g.Locale != want || err != nil {
			t.Errorf("the settings, read %d times: %+v, %v", i, g, err)
		}
	}
	if db.reads != 2 {
		t.Errorf("the store was asked %d times, want 2", db.reads)
	}
}
