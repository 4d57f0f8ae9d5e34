package people

import (
	"context"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/store"
)

const (
	// erasuresEvery says how often it is looked for erasures that are not done: those of a
	// process that has ended, and those that had to wait.
	erasuresEvery = 10 * time.Second
	// mostErasures is how many erasures are gone on with at once, one after the other.
	mostErasures = 20
)

// Jobs returns what has to be done again and again.
func (b *People) Jobs() []kit.Job {
	return []kit.Job{{Every: erasuresEvery, Run: b.Kit.Behind(erasures{b}.goOn)}}
}

// erasures put an end to what is kept about people who want that.
type erasures struct{ *People }

// ask is the button on the panel.
func (b erasures) ask(_ context.Context, in *kit.Request) (kit.Response, error) {
	return kit.Reply(b.Kit.View(in.Language()).People().EraseQuestion()), nil
}

// begin is the button that says yes. From then on it goes on by itself, whatever becomes
// of this process.
func (b erasures) begin(ctx context.Context, in *kit.Request) (kit.Response, error) {
	e := store.Erasure{User: in.UserID, Pseudonym: store.NewPseudonym(), Begun: b.Kit.Now()}
	err := b.Change.Do(ctx, in, func() (store.Change, error) { return store.Change{Erasures: []store.Erasure{e}}, nil })
	if err != nil {
		return kit.Response{}, err
	}
	r := kit.Update(b.Kit.View(in.Language()).Note(view.Erasing))
	r.Then = b.goOn
	return r, nil
}

// goOn goes on with all erasures that are not done, unless that is under way.
func (b erasures) goOn(ctx context.Context) {
	if !b.erasing.TryLock() {
		return // and looked at again soon
	}
	defer b.erasing.Unlock()
	list, err := b.Store.Erasures(ctx, mostErasures)
	for i := 0; i < len(list) && err == nil; i++ {
		err = b.erase(ctx, list[i])
	}
	if err != nil && ctx.Err() == nil {
		b.Kit.Log.Error("an erasure goes on later", "error", err)
	}
}

// erase carries out an erasure, as far as the context lets it.
func (b erasures) erase(ctx context.Context, e store.Erasure) error {
	var ended []tracker.Ref
	step := func() (store.ErasureStep, error) { return b.Store.Erase(ctx, e, kit.EraseStep) }
	err := kit.InSteps(ctx, step, func() error {
		refs, err := b.EndAll(ctx, e.User)
		ended = append(ended, refs...)
		return err
	})
	if err != nil {
		return err
	}
	b.Kit.Settings.Forget(store.Change{Erasures: []store.Erasure{e}})
	for _, ref := range ended {
		b.Kit.Tracker.Redraw(ref) // without the name now
	}
	b.Kit.Log.Info("a person was erased", "took", b.Kit.Now().Sub(e.Begun))
	return nil
}
