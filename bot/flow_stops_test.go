package bot_test

import (
	"strings"
	"sync"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// told returns what the bot has said of stops in a channel.
func told(ch *sandbox.Channel, who *sandbox.User) (all []string) {
	for _, m := range ch.Messages(who) {
		if s := m.Snapshot(); strings.HasPrefix(s.Text(), "⛔") && len(s.Components) == 0 {
			all = append(all, s.Text())
		}
	}
	return all
}

// stops has a moderator stop what somebody plays in the channel.
func stops(t *testing.T, w *bottest.World, mod, who *sandbox.User) {
	t.Helper()
	question := w.Answer(t, mod.Command(t, w.Channel, "tictactoe resign", sandbox.OptUser("user", who)))
	mod.Click(t, question, "Stop everything")
	bottest.WantText(t, question, "All stopped")
}

// TestStopsAreTold: what moderators stop is said where the server wants that, once, in the
// server's language, and notifies nobody; and nowhere as long as it wants nothing.
func TestStopsAreTold(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mona := w.Discord.User("Mona", sandbox.Permissions(manageGuild|discord.PermissionManageMessages))
	log := w.Side("mod-log")
	w.Play(t, w.Ada)
	stops(t, w, mona, w.Ada)
	m := opened(t, w, mona, "messages")
	choose(t, mona, m, "stops", log.ID())
	choose(t, mona, m, "locale", "de")
	if got := stored(t, w).Stops; got.Channel != store.ChannelID(log.ID()) {
		t.Errorf("stored is %+v", got)
	}
	w.Restart(t)
	w.Play(t, w.Ada)
	stops(t, w, mona, w.Ada)
	waittest.Until(t, "the word about it", func() bool { return len(told(log, w.Bob)) == 1 })
	if text := told(log, w.Bob)[0]; !strings.Contains(text, "abgebrochen") || !strings.Contains(text, "Mona") || !strings.Contains(text, "Ada") || strings.Contains(text, "<@") {
		t.Errorf("it says %q", text)
	}
	w.Play(t, w.Bob)
	w.Discord.Faults().RedeliverNext(1)
	question := w.Answer(t, mona.Command(t, w.Channel, "tictactoe resign"))
	mona.Click(t, question, "Stop the game")
	waittest.Until(t, "the word about the other", func() bool { return len(told(log, w.Bob)) == 2 })
	for _, m := range log.Messages(w.Bob) {
		if s := m.Snapshot(); len(s.Pinged) > 0 {
			t.Errorf("%q notifies %v", s.Text(), s.Pinged)
		}
	}
	if n := strings.Count(w.Log.String(), "stopped\""); n < 3 {
		t.Errorf("%d stops are in the log", n)
	}

	// Where it may not be said the settings tell why, until somebody sets it again.
	w.Play(t, w.Ada)
	w.Discord.Faults().RefuseNext(createMessage, 403, 50013)
	stops(t, w, mona, w.Ada)
	waittest.Until(t, "the end of that", func() bool {
		return stored(t, w).Stops == store.StopPosts{Fault: store.ChannelNotPermitted}
	})
	const ended = "a channel that was set gets no posts any more"
	waittest.Until(t, "a line about it", func() bool { return strings.Contains(w.Log.String(), ended) })
	if _, line, _ := strings.Cut(w.Log.String(), ended); strings.Contains(line[:strings.IndexByte(line, '\n')], "error") {
		t.Errorf("where all went well the log tells of an error: %s", line)
	}
	m = opened(t, w, mona, "messages")
	bottest.WantText(t, m, "I can't post in that channel")
	choose(t, mona, m, "stops", log.ID())
	if strings.Contains(m.Text(), "I can't post") {
		t.Errorf("the panel still says %q", m.Text())
	}
	mona.Select(t, m, "1:se:stops")
	if got := stored(t, w).Stops; got != (store.StopPosts{}) {
		t.Errorf("stored is %+v, want nowhere", got)
	}
}

// TestChannelsOfSettings: a channel that is set is one of the server's in which anybody can
// be told something, and where the panel stands one in which the bot may post.
func TestChannelsOfSettings(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mona := manager(w, "Mona")
	quiet := w.Side("quiet")
	quiet.Set(sandbox.DenyBot(discord.PermissionSendMessages))
	m := w.Answer(t, mona.Command(t, quiet, "tictactoe-admin settings"))
	skips(t, mona, m)
	before := stored(t, w).Version
	for i, setting := range []struct{ page, name string }{{"messages", "stops"}, {"puzzle", "puzzle"}} {
		mona.ClickID(t, m, "1:st:"+setting.page)
		choose(t, mona, m, setting.name, quiet.ID())
		bottest.WantText(t, m, "I can't post in that channel")
		r := mona.Select(t, m, "1:se:"+setting.name, mona.DM().ID())
		w.Refused(t, r, "I don't know that choice.")
		if g := stored(t, w); g.Version != before+i {
			t.Fatalf("stored are %+v", g)
		}
		choose(t, mona, m, setting.name, w.Channel.ID())
		if c, ok := m.Snapshot().Find("1:se:" + setting.name); !ok || !strings.Contains(string(c.DefaultValues), w.Channel.ID()) {
			t.Errorf("the panel shows %+v", c)
		}
	}
	if g := stored(t, w); g.Stops.Channel != store.ChannelID(w.Channel.ID()) || g.Puzzle.Channel != store.ChannelID(w.Channel.ID()) || g.Puzzle.Due.IsZero() {
		t.Errorf("stored are %+v", g)
	}
}

// TestStopsThatCannotBeTold: what Discord took without saying so is said once; a channel that
// is gone is named by the settings; and one that was set anew meanwhile stays set.
func TestStopsThatCannotBeTold(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mona := w.Discord.User("Mona", sandbox.Permissions(manageGuild|discord.PermissionManageMessages))
	log, other := w.Side("mod-log"), w.Side("other-log")
	tell := func(ch *sandbox.Channel) {
		t.Helper()
		g := stored(t, w)
		g.Stops = store.StopPosts{Channel: store.ChannelID(ch.ID())}
		if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{g}}); err != nil {
			t.Error(err)
		}
	}
	tell(log)
	w.Play(t, w.Ada)
	w.Discord.Faults().ApplyThenFailNext(createMessage)
	stops(t, w, mona, w.Ada)
	sent := func() (n int) {
		for _, r := range w.Discord.REST().Requests() {
			if r.Method == "POST" && strings.HasSuffix(r.Path, "/channels/"+log.ID()+"/messages") {
				n++
			}
		}
		return n
	}
	waittest.Until(t, "the word to be sent again", func() bool { return sent() == 2 })
	if all := told(log, w.Bob); len(all) != 1 {
		t.Errorf("said is %q, want it once", all)
	}

	w.Play(t, w.Ada)
	w.Discord.Faults().RefuseNext(createMessage, 404, 10003)
	stops(t, w, mona, w.Ada)
	waittest.Until(t, "the end of that", func() bool { return stored(t, w).Stops == store.StopPosts{Fault: store.ChannelGone} })

	tell(log)
	w.Play(t, w.Ada)
	var once sync.Once
	w.Discord.REST().OnRequest(func(r sandbox.Request) { // before the bot reads the refusal
		if r.Status == 403 {
			once.Do(func() { tell(other) })
		}
	})
	w.Discord.Faults().RefuseNext(createMessage, 403, 50013)
	stops(t, w, mona, w.Ada)
	w.Restart(t) // when all is done
	if got := stored(t, w).Stops; got != (store.StopPosts{Channel: store.ChannelID(other.ID())}) {
		t.Errorf("stored is %+v, want the channel that was set anew", got)
	}
}
