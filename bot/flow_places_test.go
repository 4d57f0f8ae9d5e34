package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/match"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// TestCrowdInOneChannel lets two hundred people start games in one channel, all at once
// and round by round, over a crash in the middle: there are never more games than places,
// each place is filled again, nobody has two, and who finds none plays privately, and is
// told why.
func TestCrowdInOneChannel(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	crowd := make([]*sandbox.User, 200)
	for i := range crowd {
		crowd[i] = w.Discord.User(fmt.Sprint("person-", i))
	}
	play := sandbox.SlashCommand{Channel: w.Channel, Path: "tictactoe play"}
	for round := 0; len(crowd) > 0; round++ {
		asking := crowd[:min(len(crowd), 40)]
		calls := make([]*sandbox.Call, len(asking))
		for i, who := range asking {
			calls[i] = who.MustPrepare(t, play)
		}
		w.Discord.DispatchTogether(calls...)
		boards := map[*sandbox.User]*sandbox.Message{}
		for i, c := range calls {
			if r := c.Wait(t); r.Ephemeral {
				w.FollowUp(t, r, "so this one is just for you")
			} else {
				boards[asking[i]] = w.Answer(t, r)
			}
		}
		if len(boards) != match.Places {
			t.Fatalf("round %d: %d boards in one channel, want %d", round, len(boards), match.Places)
		}
		if round == 2 {
			// Where a board stands is stored a moment after it is posted; before that only a click
			// on the board itself could draw it.
			committed := w.Committed(t)
			waittest.Until(t, "it to be stored where the boards stand", func() bool {
				active, err := committed.ActiveMatches(t.Context(), store.ChannelID(w.Channel.ID()))
				return err == nil && !slices.ContainsFunc(active, func(m store.Match) bool { return m.Message == "" })
			})
			if err := committed.Close(); err != nil {
				t.Fatal(err)
			}
			w.Crash(t)
			w.Start(t)
		}
		checkPlaces(t, w)
		for who, m := range boards {
			w.Resign(t, who, m)
		}
		crowd = crowd[len(asking):]
	}
	w.Free(t)
}

// checkPlaces checks that the active games of the channel have the lowest places, and
// that nobody plays two of them.
func checkPlaces(t *testing.T, w *bottest.World) {
	t.Helper()
	active, err := w.Store.ActiveMatches(context.Background(), store.ChannelID(w.Channel.ID()))
	if err != nil {
		t.Fatal(err)
	}
	players := map[store.Player]bool{}
	for i, m := range active {
		if who := match.FirstUser(m); m.Place != i+1 || players[who] {
			t.Errorf("game %d has place %d and %v, who plays others: %v", i, m.Place, who, players[who])
		}
		players[match.FirstUser(m)] = true
	}
}

// TestTwoStartsByOnePersonInTheSameInstant makes one game of them, and leads to it.
func TestTwoStartsByOnePersonInTheSameInstant(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for i := range 20 {
		w.Channel = w.Discord.Guild().Channel(fmt.Sprint("at-once-", i))
		play := sandbox.SlashCommand{Channel: w.Channel, Path: "tictactoe play"}
		a, b := w.Ada.MustPrepare(t, play), w.Ada.MustPrepare(t, play)
		w.Discord.DispatchTogether(a, b)
		ra, rb := a.Wait(t), b.Wait(t)
		if ra.Ephemeral == rb.Ephemeral {
			t.Fatalf("private: %v and %v: %q, %q", ra.Ephemeral, rb.Ephemeral, ra.Text(), rb.Text())
		}
		if rb.Ephemeral {
			ra, rb = rb, ra
		}
		w.Refused(t, ra, "You already have a game here", "Show my board", "Resign and start this one")
		w.Cell(t, w.Ada, w.Answer(t, rb), "a1")
	}
}

// TestPlayInsteadTwice taps "Resign and start this one" twice: one game is resigned, and
// one begun.
func TestPlayInsteadTwice(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for i := range 10 {
		w.Channel = w.Discord.Guild().Channel(fmt.Sprint("instead-", i))
		first := w.Play(t, w.Ada)
		door := w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play", sandbox.Opt("difficulty", "hard")), "already", "Resign and start this one")
		a, b := w.Ada.PrepareClick(t, door, "Resign and start this one"), w.Ada.PrepareClick(t, door, "Resign and start this one")
		w.Discord.DispatchTogether(a, b)
		boards := 0
		for _, r := range []*sandbox.Reply{a.Wait(t), b.Wait(t)} {
			if !r.Ephemeral {
				boards++
			}
		}
		if boards != 1 {
			t.Fatalf("%d boards", boards)
		}
		bottest.WantText(t, first, "resigned")
		waittest.Until(t, "one game", func() bool { _, ok := w.Active(t); return ok })
	}
}

// TestForgedPlayInstead: the button resigns no match of other people.
func TestForgedPlayInstead(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	theirs := w.Play(t, w.Bob)
	w.Play(t, w.Ada)
	door := w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "already")
	b, _ := door.Snapshot().Button("Resign and start this one")
	cell, _ := theirs.Snapshot().Button("⋯ More")
	id := forgeMatch(b.CustomID, cell.CustomID)
	w.Refused(t, w.Ada.ClickID(t, door, id, sandbox.Forced), "out of date")
	w.Cell(t, w.Bob, theirs, "b2")
}

// forgeMatch returns the custom ID with the match of the other one.
func forgeMatch(id, other string) string {
	parts, from := strings.Split(id, ":"), strings.Split(other, ":")
	parts[2] = from[2]
	return strings.Join(parts, ":")
}
