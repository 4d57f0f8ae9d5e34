package bot_test

import (
	"strconv"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
)

// TestStopAllHasALimit: a moderator stops what one person has in the channel, of which there
// may be pages behind those of others, fifty challenges at a time. Those of others and those
// in other channels stay.
func TestStopAllHasALimit(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	mona := w.Discord.User("Mona", sandbox.Permissions(discord.PermissionManageMessages))
	side := w.Side("side")
	guild := store.GuildID(w.Discord.Guild().ID())
	var c store.Change
	open := func(n int, who *sandbox.User, ch *sandbox.Channel) {
		for range n {
			id := store.ChallengeID(len(c.Challenges) + 1)
			c.Challenges = append(c.Challenges, store.Challenge{
				ID: id, Guild: guild, Channel: store.ChannelID(ch.ID()), Challenger: store.UserID(who.ID()),
				Opponent: store.UserID(strconv.Itoa(int(id) + 1_000_000)), Rules: engine.Standard, First: store.FirstRandom, //nolint:gosec // small
				State: store.Open, Deadline: 1000 * time.Hour,
			})
		}
	}
	open(120, w.Bob, w.Channel) // more than one read
	open(1, w.Ada, side)
	open(54, w.Ada, w.Channel)
	if err := w.Store.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for _, left := range []int{4, 0} {
		stops(t, w, mona, w.Ada)
		all, err := w.Store.GuildChallenges(t.Context(), guild, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		have := map[string]int{}
		for _, c := range all {
			have[string(c.Challenger)+" in "+string(c.Channel)]++
		}
		for name, want := range map[string]int{
			w.Bob.ID() + " in " + w.Channel.ID(): 120, w.Ada.ID() + " in " + side.ID(): 1, w.Ada.ID() + " in " + w.Channel.ID(): left,
		} {
			if have[name] != want {
				t.Errorf("of %s there are %d challenges, want %d", name, have[name], want)
			}
		}
	}
}

// TestStopAllTakesRemindersAway: who was waited for is so no more.
func TestStopAllTakesRemindersAway(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
	mona := w.Discord.User("Mona", sandbox.Permissions(discord.PermissionManageMessages))
	turn(t, w)
	clock.Advance(halfGone)
	waittest.Until(t, "the reminder to be stored", func() bool {
		m, ok := w.Active(t)
		return ok && m.Notice != ""
	})
	stops(t, w, mona, w.Bob)
	waittest.Until(t, "the reminder to go", func() bool { return len(reminded(w)) == 0 })
}
