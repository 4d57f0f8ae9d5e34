package bot

import (
	"context"
	"math/rand/v2"
	"runtime"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// thinker has room for so many who think at once as leave a processor for everybody else.
type thinker struct {
	rand  func() *rand.Rand
	slots chan struct{} // holds one for each that thinks
}

// newThinker returns one that rolls the dice for opponents.
func newThinker(dice func() *rand.Rand) *thinker {
	return &thinker{rand: dice, slots: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
}

// cheap reports whether a move takes no time worth counting: on 3x3. Where marks vanish,
// a long game in which positions come back makes perfect think for a tenth of a second.
func cheap(r engine.Rules) bool { return r == engine.Standard }

// chooser returns the match's program opponent as a way to choose moves. On the
// larger boards some think for a while: only so many at once as leave a processor
// for everybody else, and who gets no turn in time is told so. A position is thought
// about once, however often the change that needs it is tried.
func (b *thinker) chooser(ctx context.Context, m store.Match) (match.Choose, error) {
	mark := match.ProgramMark(m)
	if mark == engine.None {
		return nil, nil
	}
	name := m.Player(mark).Opponent
	o, err := match.Opponent(name, m.Rules)
	if err != nil {
		return nil, &refusal{reason: err, choice: match.Choice{Opponent: name, Rules: m.Rules, First: match.FirstMe}}
	}
	chosen := map[engine.Game]engine.Cell{}
	return func(g engine.Game) (engine.Cell, error) {
		if cell, ok := chosen[g]; ok {
			return cell, nil
		}
		if !cheap(m.Rules) {
			select {
			case b.slots <- struct{}{}:
				defer func() { <-b.slots }()
			case <-ctx.Done():
				return 0, match.ErrTooBusy
			}
		}
		chosen[g] = o.Choose(g, b.rand())
		return chosen[g], nil
	}, nil
}
