package bot_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
)

// TestBlockedInBetween has a block stored after somebody was found to be willing, and before
// what they were asked is: a challenge, a seat at a table, a rematch. Nothing of it is
// stored, and the words are those of every refusal.
func TestBlockedInBetween(t *testing.T) {
	t.Parallel()
	var between bottest.Failing
	w := bottest.New(t, between.Between())
	blocks := func(lifted bool) store.Change {
		return store.Change{Blocks: []store.Block{{User: store.UserID(w.Ada.ID()), From: store.UserID(w.Bob.ID()), Lifted: lifted}}}
	}
	apply := func(c store.Change) {
		if err := between.Store.Apply(t.Context(), c); err != nil {
			t.Error(err)
		}
	}
	refused := func(what string, do func() *sandbox.Reply) {
		t.Helper()
		var once sync.Once
		between.Fail(func(c store.Change) error {
			if len(c.Consents) > 0 {
				once.Do(func() { apply(blocks(false)) })
			}
			return between.Store.Apply(t.Context(), c)
		})
		if r := do(); !r.Ephemeral || !strings.Contains(r.Text(), w.Ada.Mention()+" isn't taking challenges.") {
			t.Errorf("%s: answered privately %v: %q", what, r.Ephemeral, r.Text())
		}
		between.Fail(nil)
		w.NoMatch(t)
		apply(blocks(true))
	}
	refused("a challenge", func() *sandbox.Reply {
		return w.Bob.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Ada))
	})
	table := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe challenge"))
	refused("a table", func() *sandbox.Reply { return w.Bob.Click(t, table, "Join") })
	bottest.WantText(t, table, "is looking for an opponent")
	w.Ada.Click(t, table, "Stop looking")
	over := w.Finished(t)
	w.Ada.Click(t, over, "Rematch")
	refused("a rematch", func() *sandbox.Reply { return w.Bob.Click(t, over, "Yes, rematch") })
	w.Answer(t, w.Bob.Click(t, over, "Yes, rematch"))
}

// TestForgedBlocks: what is made up on a message that others see blocks nobody for anybody
// else, and shows nobody's list to the channel.
func TestForgedBlocks(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	public := w.Play(t, w.Ada)
	for _, id := range []string{"1:bk:" + w.Ada.ID(), "1:bu:" + w.Ada.ID(), "1:bl:" + w.Ada.ID() + ":0", "1:bp:7", "1:sl:" + w.Ada.ID()} {
		r := w.Bob.ClickID(t, public, id, sandbox.Forced)
		if !r.Answered() || !r.Ephemeral {
			t.Errorf("%s: answered %v, privately %v: %q", id, r.Answered(), r.Ephemeral, r.Text())
		}
	}
	// Every panel is private.
	panel := preferencesOf(t, w, w.Bob, "messages")
	w.Refused(t, w.Bob.ClickID(t, public, bottest.CustomID(t, panel, "Turn off"), sandbox.Forced), "out of date")
	for _, forged := range []sandbox.Selection{
		{Message: public, CustomID: "1:bc", Values: []string{w.Ada.ID()}}, {Message: public, CustomID: "1:cf", Values: []string{"nobody"}},
	} {
		forged.Forced = true
		c, err := w.Bob.Do(forged)
		if err != nil {
			t.Fatal(err)
		}
		w.Refused(t, c.Wait(t), "out of date")
	}
	for _, who := range []*sandbox.User{w.Ada, w.Bob} {
		if blocks, err := w.Store.Blocks(t.Context(), store.UserID(who.ID())); err != nil || len(blocks) > 0 {
			t.Errorf("%s has blocked %v (%v)", who.Name(), blocks, err)
		}
	}
	if p, err := w.Store.Person(t.Context(), store.UserID(w.Bob.ID())); err != nil || p.Version != 0 {
		t.Errorf("Bob has set %+v (%v)", p, err)
	}
	w.Cell(t, w.Ada, public, "a1")
}

// TestManyBlocks: a list of many is turned over, and has an end.
func TestManyBlocks(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	var c store.Change
	for i := range 100 {
		c.Blocks = append(c.Blocks, store.Block{User: store.UserID(w.Ada.ID()), From: store.UserID(w.Discord.User(fmt.Sprint("Person", i)).ID())})
	}
	if err := w.Store.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	m := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe preferences"))
	w.Ada.Click(t, m, "▶")
	w.Ada.Click(t, m, "▶")
	second := m.Text()
	w.Ada.Click(t, m, "◀")
	if m.Text() == second || !strings.Contains(second, "100 people") {
		t.Errorf("the panel says %q, then %q", second, m.Text())
	}
	w.Ada.Select(t, m, "1:bc", w.Bob.ID())
	bottest.WantText(t, m, "Your block list is full.")
	w.Ada.Click(t, m, "Unblock")
	bottest.WantText(t, m, "99 people")
	w.Ada.Select(t, m, "1:bc", w.Bob.ID())
	bottest.WantText(t, m, w.Bob.Mention()) // the newest comes first
}

// preferencesOf opens a page of somebody's preferences.
func preferencesOf(t *testing.T, w *bottest.World, who *sandbox.User, tab string) *sandbox.Message {
	t.Helper()
	m := w.Answer(t, who.Command(t, w.Channel, "tictactoe preferences"))
	who.ClickID(t, m, "1:pq:"+tab)
	return m
}

// TestUnblockedTwice: who lifts a block once more, by a button that still stands, declines nothing
// that has been asked meanwhile.
func TestUnblockedTwice(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	m := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe preferences"))
	w.Ada.ClickID(t, m, "1:bu:"+w.Bob.ID(), sandbox.Forced)
	asked := w.Offer(t, w.Bob, w.Ada)
	w.Ada.ClickID(t, m, "1:bu:"+w.Bob.ID(), sandbox.Forced)
	w.Answer(t, w.Ada.Click(t, asked, "Accept"))
	w.Match(t)
}
