package bot

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match/matchtest"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
)

// While as many opponents think as may, whoever waits for another one is told so in time.
func TestNoTurnToThink(t *testing.T) {
	t.Parallel()
	b := newLoneBot(t, func(o *Options) { o.WorkTime = waittest.Limit(300 * time.Millisecond) })
	b.noRoomToThink(t)
	command := `"data": {"name": "tictactoe", "type": 1, "options": [{"name": "play", "type": 1, "options": [
		{"name": "board", "type": 3, "value": "4x4"}, {"name": "first", "type": 3, "value": "bot"}]}]}`
	if said := b.answer(t, discord.KindCommand, command, rest.CallbackMessage); !strings.Contains(said, "too many games at once") {
		t.Errorf("answered %s", said)
	}
}

// TestNoTurnToWeigh: where as many people wait for searches as may, the verdict on a match that
// has ended comes all the same. Where as many verdicts are searched for as may, this one does not
// come, and what the match has given is told without it.
func TestNoTurnToWeigh(t *testing.T) {
	t.Parallel()
	four := engine.Rules{M: 4, N: 4, K: 4}
	moves := matchtest.LineMoves(four)
	last := len(moves) - 1
	for name, test := range map[string]struct {
		fill   func(*testing.T, *loneBot)
		judged bool
	}{
		"for others": {func(t *testing.T, b *loneBot) { b.noRoomToThink(t) }, true},
		"behind":     {func(t *testing.T, b *loneBot) { take(t, b.kit.Think.Behind, max(1, (runtime.GOMAXPROCS(0)-1)/2)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newLoneBot(t, func(o *Options) { o.BackgroundTime = waittest.Limit(2 * time.Second) })
			running := matchtest.Between(t, four, "")
			running.Moves, running.Version = moves[:last], 0
			if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{running}}); err != nil {
				t.Fatal(err)
			}
			test.fill(t, b)
			b.answer(t, discord.KindComponent, fmt.Sprintf(`"message": {"id": "401", "flags": 32832}, "data": {"component_type": 3, "custom_id": "%s", "values": ["%s"]}`,
				customid.ID{Action: customid.ListCell, Match: running.ID}, customid.CellValue(moves[last])), rest.CallbackUpdate)
			b.edits(t)
			m, err := b.store.Match(t.Context(), running.ID)
			if err != nil || m.Gain == (store.Gain{}) || (m.Verdict.Kind != store.NotJudged) != test.judged {
				t.Errorf("stored are %+v and %+v, %v", m.Gain, m.Verdict, err)
			}
		})
	}
}
