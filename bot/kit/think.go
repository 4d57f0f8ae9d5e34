package kit

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"time"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// Thinker has room for so many who think at once as leave a processor for everybody else.
type Thinker struct {
	rand  func() *rand.Rand
	slots chan struct{} // holds one for each that thinks

	// Behind has half as many slots and at least one, on top of the others, for who thinks where
	// nobody waits: who plays never waits for them. It is for [Searching] alone: it rolls no dice.
	Behind *Thinker
}

// NewThinker returns one that rolls the dice for opponents.
func NewThinker(dice func() *rand.Rand) *Thinker {
	room := runtime.GOMAXPROCS(0) - 1
	return &Thinker{
		rand: dice, slots: make(chan struct{}, max(1, room)),
		Behind: &Thinker{slots: make(chan struct{}, max(1, room/2))},
	}
}

// cheap reports whether a move takes no time worth counting: on 3x3. Where marks vanish,
// a long game in which positions come back makes perfect think for a tenth of a second.
func cheap(r engine.Rules) bool { return r == engine.Standard }

// Chooser returns the match's program opponent as a way to choose moves. On the
// larger boards some think for a while: only so many at once as leave a processor
// for everybody else, and who gets no turn in time is told so. A position is thought
// about once, however often the change that needs it is tried.
func (b *Thinker) Chooser(ctx context.Context, m store.Match) (match.Choose, error) {
	mark := match.ProgramMark(m)
	if mark == engine.None {
		return nil, nil
	}
	name := m.Player(mark).Opponent
	o, err := match.Opponent(name, m.Rules)
	if err != nil {
		return nil, &Refusal{Reason: err, Choice: match.Choice{Opponent: name, Rules: m.Rules, First: match.FirstMe}}
	}
	chosen := map[engine.Game]engine.Cell{}
	return func(g engine.Game) (engine.Cell, error) {
		if cell, ok := chosen[g]; ok {
			return cell, nil
		}
		if !cheap(m.Rules) {
			done, err := b.Slot(ctx)
			if err != nil {
				return 0, err
			}
			defer done()
		}
		chosen[g] = o.Choose(g, b.rand())
		return chosen[g], nil
	}, nil
}

// Slot waits for one of the slots. Who gets none in time is told so; whoever gets it calls done.
func (b *Thinker) Slot(ctx context.Context) (done func(), _ error) {
	select {
	case b.slots <- struct{}{}:
		return func() { <-b.slots }, nil
	case <-ctx.Done():
		return nil, match.ErrTooBusy
	}
}

// Searching returns what f finds with one of the slots. Who gets none in half of the time that
// is left is told so while there is time for everything else, and so is who finds nothing in time.
func Searching[T any](ctx context.Context, b *Thinker, f func() (T, error)) (found T, _ error) {
	wait, cancel := WithHalf(ctx)
	defer cancel()
	done, err := b.Slot(wait)
	if err != nil {
		return found, err
	}
	defer done()
	if found, err = f(); err != nil && ctx.Err() != nil {
		err = match.ErrTooBusy
	}
	return found, err
}

// Judging returns what f finds with room to think about a position. Who gets none in half of the
// time that is left, or finds nothing in time, is told so.
func Judging[T any](ctx context.Context, b *Thinker, r engine.Rules, f func() (T, error)) (found T, err error) {
	if cheap(r) {
		found, err = f()
	} else {
		found, err = Searching(ctx, b, f)
	}
	if errors.Is(err, match.ErrTooBusy) || err != nil && ctx.Err() != nil {
		err = match.ErrStillJudging
	}
	return found, err
}

// WithHalf returns a context for half of the time that is left.
func WithHalf(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}
