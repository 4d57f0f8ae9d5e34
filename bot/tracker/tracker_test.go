package tracker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// board is the record of the tests, and token that of the newest interaction.
var (
	board = Ref{Match: 7}
	token = "token"
)

// world is a record, a Discord that takes edits of its message, and the tracker between
// them. It runs in a bubble, so that time passes only while nobody does anything.
type world struct {
	*Tracker
	t *testing.T

	mu        sync.Mutex
	stored    store.Shown
	timed     bool
	rendered  int
	delivered []store.Shown // as the store was told
	edits     []edit
	lost      []error

	reads time.Duration // that the store takes to be read
	takes time.Duration // that an edit is on its way
	fail  func(e edit) error
}

// edit is a message as it was edited, by a token or by the bot's own.
type edit struct {
	by, id  string
	version int
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, stored: store.Shown{Version: 1}}
	w.Tracker = New(Options{
		API: w, Records: w, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		After:    func(d time.Duration, f func()) { time.AfterFunc(d, f) },
		Run:      func(f func(context.Context)) { go f(t.Context()) },
		SendTime: 5 * time.Second, AnswerTime: discord.AnswerTime,
		Caught: func(what string, p any) error { return fmt.Errorf("%s: %v", what, p) },
	})
	return w
}

func (w *world) Stored(ctx context.Context, _ Ref) (store.Shown, error) {
	defer store.Spending(ctx)()
	time.Sleep(w.reads) // on the bubble's clock
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stored, nil
}

func (w *world) Render(context.Context, Ref) (Rendering, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rendered++
	return Rendering{
		Message: discord.Message{Content: fmt.Sprint(w.stored.Version)}, Version: w.stored.Version,
		Copy: Copy{Channel: "301", ID: w.stored.Message}, Delivered: w.stored.Drawn, Timed: w.timed,
	}, nil
}

func (w *world) Delivered(_ Ref, id store.MessageID, version int, _ bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.delivered = append(w.delivered, store.Shown{Message: id, Drawn: version})
}

func (w *world) Unreachable(_ context.Context, _ Rendering, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost = append(w.lost, err)
	return false
}

func (w *world) EditByToken(ctx context.Context, token, id string, body any) (*rest.Message, error) {
	return w.take(ctx, token, id, body)
}

func (w *world) EditMessage(ctx context.Context, channel, id string, body any) (*rest.Message, error) {
	return w.take(ctx, "channel "+channel, id, body)
}

func (w *world) take(ctx context.Context, by, id string, body any) (*rest.Message, error) {
	var m struct{ Content string }
	if err := json.Unmarshal(body.(json.RawMessage), &m); err != nil {
		w.t.Error(err)
	}
	e := edit{by: by, id: id}
	if _, err := fmt.Sscan(m.Content, &e.version); err != nil {
		w.t.Error(err)
	}
	w.mu.Lock()
	takes, fail := w.takes, w.fail
	w.mu.Unlock()
	select {
	case <-time.After(takes): // on the bubble's clock
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if fail != nil {
		if err := fail(e); err != nil {
			return nil, err
		}
	}
	w.edits = append(w.edits, e)
	return &rest.Message{ID: "401"}, nil
}

// change stores the next version and returns it.
func (w *world) change() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stored.Version++
	return w.stored.Version
}

// set changes how Discord takes edits.
func (w *world) set(takes time.Duration, fail func(e edit) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.takes, w.fail = takes, fail
}

// kinds are what was sent as an answer.
type kinds []rest.CallbackType

// by is an interaction that has come now, a click on a message where one is named.
func by(token, clicked string) *discord.Interaction {
	in := &discord.Interaction{Channel: "301", Token: token, Received: time.Now()}
	in.Message.ID = clicked
	return in
}

// show answers an interaction with a version of the record.
func (w *world) show(version int, kind rest.CallbackType, answer func(rest.CallbackType) (store.MessageID, error)) (sent kinds) {
	w.Show(w.t.Context(), Showing{
		Ref: board, Version: version, Kind: kind, In: by(token, "401"),
	}, func(kind rest.CallbackType) (store.MessageID, error) {
		sent = append(sent, kind)
		return answer(kind)
	})
	return sent
}

// shown shows a version of the board as a new message, and waits until that has ended.
func (w *world) shown(version int, id store.MessageID) {
	w.show(version, rest.CallbackMessage, taken(id))
	synctest.Wait()
}

// taken is an answer that Discord takes; what is new gets the id.
func taken(id store.MessageID) func(rest.CallbackType) (store.MessageID, error) {
	return func(rest.CallbackType) (store.MessageID, error) { return id, nil }
}

// refused is one that it does not take as the kind.
func refused(as rest.CallbackType, err error, id store.MessageID) func(rest.CallbackType) (store.MessageID, error) {
	return func(kind rest.CallbackType) (store.MessageID, error) {
		if kind == as {
			return "", err
		}
		return id, nil
	}
}

func (w *world) wantKinds(what string, got kinds, want ...rest.CallbackType) {
	w.t.Helper()
	if !slices.Equal(got, kinds(want)) {
		w.t.Errorf("%s: sent were %v, want %v", what, got, want)
	}
}

// wantEdits compares the edits since the last call, once nothing is on its way.
func (w *world) wantEdits(what string, want ...edit) {
	w.t.Helper()
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.edits, want) {
		w.t.Errorf("%s: the message was edited as %v, want %v", what, w.edits, want)
	}
	w.edits = nil
}

// test runs f in a bubble.
func test(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, newWorld(t)) })
}

func TestShowRendersNothing(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.wantKinds("a new board", w.show(1, rest.CallbackMessage, taken("401")), rest.CallbackMessage)
		synctest.Wait() // or the look at what is stored, behind the new board, finds the click's move already
		w.wantKinds("a click on it", w.show(w.change(), rest.CallbackUpdate, taken("")), rest.CallbackUpdate)
		w.wantEdits("it shows what is stored")
		if w.rendered != 0 {
			t.Errorf("rendered %d times, want never: the answers were", w.rendered)
		}
		want := []store.Shown{{Message: "401", Drawn: 1}, {Message: "401", Drawn: 2}}
		if !slices.Equal(w.delivered, want) {
			t.Errorf("the store was told %v, want %v", w.delivered, want)
		}
		if !w.UpToDate(board, "401", 2, 0, false) || w.UpToDate(Ref{Match: 8}, "402", 2, 1, false) {
			t.Error("a shown board is not up to date, or an unknown one is")
		}
	})
}

// TestTheLookIsNoPartOfTheAnswer: what the store takes for the look behind an answer does not
// count as the answer's.
func TestTheLookIsNoPartOfTheAnswer(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.reads = time.Second
		var spent store.Spent
		began := time.Now()
		w.Show(store.WithSpent(t.Context(), &spent), Showing{Ref: board, Version: 1, Kind: rest.CallbackMessage, In: by("", "")}, taken("401"))
		if took := time.Since(began); took != w.reads || spent.Time() != 0 {
			t.Errorf("the look took %v, of which %v count", took, spent.Time())
		}
	})
}

func TestShowOfWhatHasMovedOn(t *testing.T) {
	test(t, func(_ *testing.T, w *world) {
		w.shown(1, "401")
		w.change()
		w.show(2, rest.CallbackUpdate, func(rest.CallbackType) (store.MessageID, error) {
			w.change() // by somebody else, while the answer is on its way
			return "", nil
		})
		w.wantEdits("the newest version follows", edit{token, originalMessage, 3})
	})
}

// TestAnEditTakesAllItsTime: behind an edit that went through at the last moment somebody still
// looks whether the record has moved on.
func TestAnEditTakesAllItsTime(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.shown(1, "401")
		over := func() {}
		w.Run = func(f func(context.Context)) {
			ctx, cancel := context.WithCancel(t.Context())
			t.Cleanup(cancel)
			over = cancel
			go f(ctx)
		}
		w.set(0, func(e edit) error {
			if e.version == 2 {
				w.stored.Version++
				over()
			}
			return nil
		})
		w.change()
		w.Redraw(board)
		w.wantEdits("one behind the other", edit{token, originalMessage, 2}, edit{token, originalMessage, 3})
	})
}

func TestShowBehindASlowEdit(t *testing.T) {
	test(t, func(_ *testing.T, w *world) {
		w.shown(1, "401")
		w.set(2*time.Second, nil)
		w.change()
		w.Redraw(board)
		synctest.Wait()
		version := w.change()
		w.wantKinds("the click", w.show(version, rest.CallbackUpdate, taken("")), rest.CallbackDeferUpdate)
		time.Sleep(5 * time.Second)
		w.wantEdits("one behind the other", edit{token, originalMessage, 2}, edit{token, originalMessage, 3})
	})
}

func TestShowRefused(t *testing.T) {
	test(t, func(_ *testing.T, w *world) {
		w.shown(1, "401")
		sent := w.show(w.change(), rest.CallbackUpdate, refused(rest.CallbackUpdate, rest.ErrInvalidForm, ""))
		w.wantKinds("as an update", sent, rest.CallbackUpdate, rest.CallbackDeferUpdate)
		w.wantEdits("it is edited", edit{token, originalMessage, 2})
		sent = w.show(w.change(), rest.CallbackUpdate, refused(rest.CallbackUpdate, rest.ErrUnknownMessage, "402"))
		w.wantKinds("of a deleted message", sent, rest.CallbackUpdate, rest.CallbackMessage)
		w.wantEdits("it is new")
		if got := w.Where(board, "401"); got != "402" {
			w.t.Errorf("the board is said to be at %s, want 402", got)
		}
	})
}

func TestAnswerThatDidNotArrive(t *testing.T) {
	test(t, func(_ *testing.T, w *world) {
		w.shown(1, "401")
		lost := errors.New("no answer")
		w.show(w.change(), rest.CallbackUpdate, refused(rest.CallbackUpdate, lost, ""))
		w.wantEdits("the older token draws", edit{token, originalMessage, 2})
		// Acknowledged is not shown: only the token is new, if the answer was this process's.
		w.show(w.change(), rest.CallbackUpdate, refused(rest.CallbackUpdate, rest.ErrAlreadyAcknowledged, ""))
		w.wantEdits("drawn to be sure", edit{token, originalMessage, 3})
	})
}

// What a message shows never goes backwards, however answers and edits race, and in the
// end it shows what is stored.
func TestNeverBackwards(t *testing.T) {
	for seed := range uint64(50) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			test(t, func(t *testing.T, w *world) {
				dice := rand.New(rand.NewPCG(seed, 0))
				var mu sync.Mutex
				shown := []int{1}
				note := func(version int) {
					mu.Lock()
					defer mu.Unlock()
					shown = append(shown, version)
				}
				w.set(time.Duration(dice.IntN(900))*time.Millisecond, func(e edit) error {
					if dice.IntN(5) == 0 {
						return &rest.Error{Status: http.StatusBadGateway}
					}
					note(e.version)
					return nil
				})
				w.shown(1, "401")
				var work sync.WaitGroup
				for range 20 {
					w.mu.Lock() // the dice are thrown for edits, too
					pause, takes := time.Duration(dice.IntN(3000))*time.Millisecond, time.Duration(dice.IntN(900))*time.Millisecond
					redraw := dice.IntN(3) == 0
					w.mu.Unlock()
					work.Go(func() {
						time.Sleep(pause)
						version := w.change()
						if redraw {
							w.Redraw(board)
							return
						}
						w.show(version, rest.CallbackUpdate, func(kind rest.CallbackType) (store.MessageID, error) {
							time.Sleep(takes)
							if kind == rest.CallbackUpdate {
								note(version)
							}
							return "", nil
						})
					})
				}
				work.Wait()
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				if !slices.IsSorted(shown) || shown[len(shown)-1] != w.stored.Version {
					t.Errorf("shown were %v, stored is %d", shown, w.stored.Version)
				}
			})
		})
	}
}

func TestRedrawIsTriedAFewTimes(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.shown(1, "401")
		began := time.Now()
		var at []time.Duration
		w.set(0, func(edit) error {
			at = append(at, time.Since(began))
			return &rest.Error{Status: http.StatusTooManyRequests}
		})
		w.change()
		w.Redraw(board)
		time.Sleep(time.Hour)
		synctest.Wait()
		s := time.Second
		if want := []time.Duration{0, s, 6 * s, 36 * s, 156 * s}; !slices.Equal(at, want) {
			t.Errorf("tried after %v, want %v", at, want)
		}
		if undrawn, _ := w.Counts(); undrawn != 1 {
			t.Errorf("%d messages count as not redrawn, want 1", undrawn)
		}
		if w.UpToDate(board, "401", 2, 0, false) {
			t.Error("a click need not draw what nobody draws any more")
		}
		w.set(0, nil)
		w.show(2, rest.CallbackUpdate, taken(""))
		w.wantEdits("a click has drawn it")
	})
}

func TestTokens(t *testing.T) {
	test(t, func(_ *testing.T, w *world) {
		w.shown(1, "401")
		w.set(0, func(e edit) error {
			if e.by == token {
				return rest.ErrTokenDead
			}
			return nil
		})
		w.change()
		w.Redraw(board)
		w.wantEdits("a dead token", edit{"channel 301", "401", 2})
		w.set(0, nil)
		w.change()
		w.Redraw(board)
		w.wantEdits("it is not tried again", edit{"channel 301", "401", 3})
		w.show(w.change(), rest.CallbackUpdate, taken(""))
		w.change()
		w.Redraw(board)
		w.wantEdits("the next one", edit{token, originalMessage, 5})
		time.Sleep(15 * time.Minute)
		w.change()
		w.Redraw(board)
		w.wantEdits("it has become old", edit{"channel 301", "401", 6})
	})
}

func TestChannelGone(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.stored.Message = "401" // by an earlier process
		w.set(0, func(edit) error { return &rest.Error{Status: http.StatusNotFound, Code: 10003} })
		w.change()
		w.Redraw(board)
		synctest.Wait()
		if len(w.lost) != 1 || !errors.Is(w.lost[0], rest.ErrUnknownChannel) {
			t.Errorf("told of a channel that is gone were %v", w.lost)
		}
	})
}

// After a restart nothing is known but what is stored.
func TestRedrawOfWhatIsStored(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.stored = store.Shown{Version: 4, Message: "401", Drawn: 4}
		w.Redraw(board)
		w.wantEdits("it is up to date")
		if w.rendered != 0 {
			t.Errorf("rendered %d times to find that out", w.rendered)
		}
		w.change()
		w.Redraw(board)
		w.wantEdits("it is behind", edit{"channel 301", "401", 5})
	})
}

// A picture of which nobody tells when it arrives may come behind a newer one, until Discord
// takes it no more: then the newest is drawn again, unless people have gone on from it.
func TestLookBack(t *testing.T) {
	for name, c := range map[string]struct {
		told           bool // that it has arrived
		version, moves int  // stored when three seconds are over, where the picture was of version 3 with two moves
		most           int
		redrawn        bool
	}{
		"nothing has happened":          {version: 3, moves: 2, most: 1},
		"a move":                        {version: 4, moves: 3, most: 1},
		"three moves":                   {version: 6, moves: 5, most: 1},
		"something else":                {version: 4, moves: 2, most: 1, redrawn: true},
		"a move and something else":     {version: 5, moves: 3, most: 1, redrawn: true},
		"a move with its reply":         {version: 4, moves: 4, most: 2},
		"perhaps a move, perhaps two":   {version: 5, moves: 4, most: 2, redrawn: true},
		"two moves, one with its reply": {version: 5, moves: 5, most: 2},
		"its arrival has been told":     {told: true, version: 4, moves: 2, most: 1},
	} {
		t.Run(name, func(t *testing.T) {
			test(t, func(_ *testing.T, w *world) {
				w.stored = store.Shown{Version: 3, Moves: 2}
				w.answer(Showing{Version: 3, Step: 3, Most: c.most, Kind: rest.CallbackUpdate, In: by(token, "401"), Blind: !c.told}, "", nil)
				w.wantEdits("nothing has happened")
				w.stored.Version, w.stored.Moves = c.version, c.moves
				w.Redraw(board)
				synctest.Wait()
				w.mu.Lock()
				w.edits = nil // the newer one
				w.mu.Unlock()
				time.Sleep(discord.AnswerTime)
				w.wantEdits("once nothing can arrive any more", map[bool][]edit{true: {{token, originalMessage, c.version}}}[c.redrawn]...)
			})
		})
	}
}

// Who ends looks back before: once, and never again.
func TestLookBackAtTheEnd(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.stored = store.Shown{Version: 3, Moves: 2}
		w.answer(Showing{Version: 3, Step: 3, Most: 1, Kind: rest.CallbackUpdate, In: by(token, "401"), Blind: true}, "", nil)
		w.stored.Version = 4
		w.Redraw(board)
		w.wantEdits("something else", edit{token, originalMessage, 4})
		w.Finish()
		w.wantEdits("at the end", edit{token, originalMessage, 4})
		time.Sleep(discord.AnswerTime)
		w.wantEdits("it has been looked at")
	})
}

func TestRedrawTimes(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.timed = true
		w.shown(1, "401")
		if w.RedrawTimes(board, time.Now()) {
			t.Error("what was just drawn is old")
		}
		time.Sleep(time.Second)
		moved := time.Now()
		if !w.RedrawTimes(board, moved) {
			t.Error("what was drawn before is not old")
		}
		w.wantEdits("its times", edit{token, originalMessage, 1})
		w.RedrawTimes(board, moved)
		w.wantEdits("not twice")
		w.timed = false
		time.Sleep(time.Second)
		moved = time.Now()
		for range 2 {
			w.RedrawTimes(board, moved)
			w.wantEdits("it names none")
		}
		if w.rendered != 2 {
			t.Errorf("rendered %d times, want 2", w.rendered)
		}
	})
}

func TestRepost(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		const pause = 30 * time.Second
		w.shown(1, "401")
		repost := func(want bool) (old Copy) {
			t.Helper()
			old, again, ok := w.Repost(t.Context(), board, Copy{}, pause)
			if ok != want || !ok && again.Before(time.Now()) {
				t.Errorf("posted anew: %v, want %v; again %v", ok, want, again)
			}
			return old
		}
		if old := repost(true); old.ID != "401" {
			t.Errorf("it stood at %q", old.ID)
		}
		w.shown(1, "402")
		repost(false)
		w.wantEdits("whether it is there was asked", edit{token, originalMessage, 1})
		w.set(0, func(edit) error { return rest.ErrUnknownMessage })
		repost(true) // it has been deleted
		w.set(0, nil)
		w.show(1, rest.CallbackMessage, refused(rest.CallbackMessage, rest.ErrMissingAccess, ""))
		repost(true) // it did not come about
		w.shown(1, "403")
		time.Sleep(pause)
		if old := repost(true); old.ID != "403" {
			t.Errorf("it stood at %q", old.ID)
		}
	})
}

// TestReplaceComesBehindAnEdit: a redraw that began while the message was the newest does not
// come behind what says where the record is now.
func TestReplaceComesBehindAnEdit(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.shown(1, "401")
		w.set(time.Second, nil)
		w.change()
		w.Redraw(board)
		synctest.Wait()
		w.set(0, nil)
		old, _, _ := w.Repost(t.Context(), board, Copy{}, 0)
		w.show(2, rest.CallbackMessage, taken("402"))
		if err := w.Replace(t.Context(), board, old, discord.Message{Content: "99"}); err != nil {
			t.Error(err)
		}
		w.wantEdits("in this order", edit{token, originalMessage, 2}, edit{token, originalMessage, 99})
	})
}

func TestWhereWaitsForAMessageThatIsBeingMade(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		for _, c := range []struct {
			answer, wait time.Duration // that Discord waits for an answer, and Where of it
		}{{discord.AnswerTime, shortWait}, {4 * discord.AnswerTime, 4 * shortWait}} {
			for _, takes := range []time.Duration{c.wait / 2, 2 * c.wait} {
				w.AnswerTime = c.answer
				named := make(chan store.MessageID)
				began := time.Now()
				go w.show(1, rest.CallbackMessage, func(rest.CallbackType) (store.MessageID, error) {
					go func() { named <- w.Where(board, "stored") }()
					time.Sleep(takes)
					return "402", nil
				})
				got := <-named
				if took := time.Since(began); took > c.wait || takes < c.wait && got != "402" {
					t.Errorf("of %v: got %q after %v", c.answer, got, took)
				}
				time.Sleep(c.answer)
			}
		}
	})
}

func TestSweep(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.shown(1, "401")
		time.Sleep(TokenLife)
		if w.Sweep(); w.Where(board, "") != "401" {
			t.Error("a message was forgotten whose token may live")
		}
		time.Sleep(3 * TokenLife)
		if w.Sweep(); len(w.messages) != 0 {
			t.Errorf("%d messages are remembered for good", len(w.messages))
		}
	})
}

// TestRedrawThatHangsGivesItsPlaceBack: where as many edits hang as are sent at a time, the
// next waits for the time that one may take, and no longer.
func TestRedrawThatHangsGivesItsPlaceBack(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.shown(1, "401")
		w.change()
		w.mu.Lock()
		w.stored.Message = "401"
		w.mu.Unlock()
		w.set(time.Hour, nil)
		for i := range cap(w.slots) {
			w.Redraw(Ref{Match: store.MatchID(100 + i)})
		}
		synctest.Wait()
		w.set(0, nil)
		w.Redraw(board)
		time.Sleep(w.SendTime - time.Millisecond)
		w.wantEdits("while the others hang")
		time.Sleep(2 * time.Millisecond)
		w.wantEdits("when they have hung for long enough", edit{token, originalMessage, 2})
	})
}

func TestPanicWhileRedrawing(t *testing.T) {
	test(t, func(_ *testing.T, w *world) {
		w.shown(1, "401")
		w.set(0, func(edit) error { w.fail = nil; panic("broken") })
		w.change()
		w.Redraw(board)
		time.Sleep(2 * time.Second)
		w.wantEdits("the next try", edit{token, originalMessage, 2})
	})
}
