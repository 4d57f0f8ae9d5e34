package bot_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox"
)

// TestCheckTellsEveryRight takes each permission by itself from the bot: the check names
// that one as missing, and no other.
func TestCheckTellsEveryRight(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mona := manager(w, "Mona")
	rights := []struct {
		bit  int64
		name string
	}{
		{0, ""},
		{discord.PermissionSendMessages, "Send Messages"},
		{discord.PermissionCreateThreads, "Create Public Threads"},
		{discord.PermissionSendInThreads, "Send Messages in Threads"},
		{discord.PermissionViewChannel, "View Channels"},
	}
	for i, r := range rights {
		channel := w.Side(fmt.Sprint("without-", i))
		channel.Set(sandbox.DenyBot(r.bit))
		m := w.Answer(t, mona.Command(t, channel, "tictactoe-admin check"))
		text := m.Text()
		for _, other := range rights[1:] {
			missing := strings.Contains(text, "❌ **"+other.name+"**")
			// Without the channel nothing else holds there either.
			if want := other == r || r.bit == discord.PermissionViewChannel && missing; missing != want || !strings.Contains(text, "**"+other.name+"**") {
				t.Errorf("without %q: %q is missing %v, want %v, in %q", r.name, other.name, missing, want, text)
			}
		}
		if tells := strings.Contains(text, "To fix this"); tells != (r.bit != 0) || !m.Snapshot().Ephemeral() {
			t.Errorf("without %q: it tells how to grant it %v, privately %v", r.name, tells, m.Snapshot().Ephemeral())
		}
	}
	m := w.Answer(t, mona.Command(t, w.Channel, "tictactoe-admin check"))
	for _, well := range []string{"✅ I'm connected", "✅ Moves are saved", "✅ No errors here"} {
		bottest.WantText(t, m, well)
	}
	if text := m.Text(); strings.Contains(text, "container") {
		t.Errorf("outside of a container: %s", text)
	}
}

// TestCheckTellsOfAContainer that takes everything along.
func TestCheckTellsOfAContainer(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Bot(func(o *bot.Options) { o.InContainer = true }))
	m := w.Answer(t, manager(w, "Mona").Command(t, w.Channel, "tictactoe-admin check"))
	bottest.WantText(t, m, "⚠️ All games and results are lost when my container is replaced.")
}

// TestCheckTellsWhatFails tells of what failed in the server, by its number.
func TestCheckTellsWhatFails(t *testing.T) {
	t.Parallel()
	var armed atomic.Bool
	dice := bottest.FixedDice()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.Bot(func(o *bot.Options) {
		o.Dice = func() *rand.Rand {
			if armed.Load() {
				panic("the dice are broken")
			}
			return dice()
		}
	}))
	mona := manager(w, "Mona")
	armed.Store(true)
	number := incident(t, w.Ada.Command(t, w.Channel, "tictactoe play", sandbox.Opt("first", "bot")).Text())
	m := w.Answer(t, mona.Command(t, w.Channel, "tictactoe-admin check"))
	bottest.WantText(t, m, "⚠️ Something went wrong here")
	bottest.WantText(t, m, number)
	for _, after := range []struct {
		passes time.Duration
		says   string
	}{{12 * time.Hour, number}, {time.Minute, "No errors here"}} {
		clock.Advance(after.passes)
		bottest.WantText(t, w.Answer(t, mona.Command(t, w.Channel, "tictactoe-admin check")), after.says)
	}
}
