package bot_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// TestLateTapsAreNeitherDeadNorBlind plays whole games in which every move is followed
// by taps of both players on the picture of up to 250 ms ago, both where Discord
// refuses clicks on what its message no longer has and where it passes them on. None
// of them is dead, and none plays a move on a board that nobody can have seen.
func TestLateTapsAreNeitherDeadNorBlind(t *testing.T) {
	const oldest = 250 * time.Millisecond
	t.Parallel()
	for name, mode := range map[string]sandbox.ClickMode{"refused": sandbox.ClicksRefused, "delivered": sandbox.ClicksDelivered} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t, bottest.Discord(func(o *sandbox.Options) { o.World.Clicks = mode }))
			dice := rand.New(rand.NewPCG(3, 4))
			w.Cells(t, w.Play(t, w.Ada, sandbox.Opt("first", "me")), w.Ada, nil, "b2") // what Discord does is known then
			for game, board := range []string{"3x3", "3x3", "vanishing"} {
				w.Elsewhere(fmt.Sprint("game-", game))
				m := w.Challenge(t, w.Ada, w.Bob, sandbox.Opt("board", board))
				began := time.Now()
				waittest.Until(t, "the board to be older than the oldest picture", func() bool { return time.Since(began) > oldest })
				for !bottest.Over(m.Snapshot()) {
					who, other := w.Ada, w.Bob
					ply := bottest.Ply(m.Snapshot())
					if ply%2 == 1 {
						who, other = other, who
					}
					free := bottest.Empties(m.Snapshot())
					at := free[dice.IntN(len(free))]
					w.Cells(t, m, who, nil, bottest.CellName(at))
					edited, after := m.Snapshot().EditedAt, bottest.Grid(m.Snapshot())
				taps:
					for _, late := range []time.Duration{time.Millisecond, 50 * time.Millisecond, oldest} {
						for _, tapper := range []*sandbox.User{who, other} {
							tap := free[dice.IntN(len(free))]
							r := tapper.ClickCell(t, m, tap[0], tap[1], sandbox.Ago(late))
							if !r.Answered() || r.Refused != "" {
								t.Fatalf("ply %d, %v late: a dead click: %q", ply, late, r.Refused)
							}
							made, _ := discord.Made(r.Call.ID())
							if made-discord.SinceEpoch(edited) >= 400*time.Millisecond {
								w.Discord.Settle(t)
								break taps // on a slow machine: by now they may have seen the picture, and this was a move
							}
							if now := bottest.Grid(m.Snapshot()); now != after {
								t.Fatalf("ply %d, %v late: a blind move: %s became %s", ply, late, after, now)
							}
						}
					}
				}
			}
			if n := w.Discord.World().RefusedClicks(); n != 0 {
				t.Errorf("%d dead clicks", n)
			}
		})
	}
}
