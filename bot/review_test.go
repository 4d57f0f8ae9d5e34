package bot

import (
	"context"
	"errors"
	"testing"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// Where all the room for thinking is taken, that is said, with a button that tries again
// and leads to the same moment. What costs nothing, and what was found before, needs none.
func TestReviewWhileOthersThink(t *testing.T) {
	b := newLoneBot(t)
	large := store.Match{ID: 7, Rules: engine.Rules{M: 5, N: 5, K: 4}, Moves: matchtest.LineMoves(engine.Rules{M: 5, N: 5, K: 4})}
	small := store.Match{ID: 8, Rules: engine.Standard, Moves: matchtest.LineMoves(engine.Standard)}
	free := b.noRoomToThink(t)
	brief := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	if _, err := b.games.Judge.Verdicts(brief(), large); !errors.Is(err, match.ErrStillJudging) {
		t.Errorf("with no room: %v", err)
	}
	if verdicts, err := b.games.Judge.Verdicts(t.Context(), small); err != nil || len(verdicts) != len(small.Moves) {
		t.Errorf("what takes no time: %d verdicts, %v", len(verdicts), err)
	}
	in := kit.NewRequest(&dispatch.Call{Interaction: &discord.Interaction{Kind: discord.KindComponent}})
	in.Button = customid.ID{Action: customid.ReviewOn, Match: large.ID, Ply: 3}
	said := app{b.Bot}.inWords(in, &kit.Refusal{Reason: match.ErrStillJudging, Match: large, Again: in.Button})
	if got := said.Message.Components[0].Components[0].CustomID; got != in.Button.String() {
		t.Errorf("it tries again with %q, want %q", got, in.Button)
	}
	free()
	verdicts, err := b.games.Judge.Verdicts(t.Context(), large)
	if err != nil || len(verdicts) != len(large.Moves) {
		t.Errorf("with room: %d verdicts, %v", len(verdicts), err)
	}
	b.noRoomToThink(t)
	if again, err := b.games.Judge.Verdicts(brief(), large); err != nil || len(again) != len(verdicts) {
		t.Errorf("what is known: %d verdicts, %v", len(again), err)
	}
}
