package tracker

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/store"
)

// answer shows the version by an answer under the token, and waits until that has ended.
func (w *world) answer(s Showing, id store.MessageID, err error) {
	s.Ref = board
	w.Show(w.t.Context(), s, func(rest.CallbackType) (store.MessageID, error) { return id, err })
	synctest.Wait()
}

// TestAnOlderCopyStaysBehind: a click on a copy from before does not make that the message
// which is kept in step, and nor does a post that is overtaken.
func TestAnOlderCopyStaysBehind(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.answer(Showing{Version: 1, Kind: rest.CallbackMessage, In: by("older", "")}, "401", nil)
		w.answer(Showing{Version: 1, Kind: rest.CallbackMessage, In: by("newer", "")}, "501", nil)
		w.answer(Showing{Version: 1, Kind: rest.CallbackUpdate, In: by("click", "401")}, "", nil)
		w.Posted(board, Copy{Channel: "301", ID: "402"}, 1, time.Now())
		if got := w.Where(board, ""); got != "501" {
			t.Errorf("the board stands at %q, want the newest message", got)
		}
		w.edits = nil
		w.change()
		w.Redraw(board)
		w.wantEdits("the newest is drawn", edit{"newer", originalMessage, 2})
	})
}

// TestAnAnswerOvertakesAnEdit: an edit that was drawn before an answer showed a later version
// is not sent behind that, though it was wanted in any version. The answer names everybody,
// too.
func TestAnAnswerOvertakesAnEdit(t *testing.T) {
	for name, redraw := range map[string]func(w *world){
		"that names people": func(w *world) { w.RedrawAgain(board) },
		"of times":          func(w *world) { w.RedrawTimes(board, time.Now()) },
	} {
		t.Run(name, func(t *testing.T) {
			test(t, func(_ *testing.T, w *world) {
				w.timed = true
				w.shown(1, "401")
				time.Sleep(time.Second)
				w.Records = overtaken{w, sync.OnceFunc(func() { w.show(w.change(), rest.CallbackUpdate, taken("")) })}
				redraw(w)
				w.wantEdits("behind the answer")
			})
		})
	}
}

// TestAMessageIsHandedOver: a message that an answer turns from one record's into another's is
// edited for the first one no more, and for the second only when no edit for the first is on its
// way.
func TestAMessageIsHandedOver(t *testing.T) {
	offer := Ref{Challenge: 6}
	accepted := func(w *world) (sent kinds) {
		w.Show(w.t.Context(), Showing{
			Ref: board, Version: w.change(), Kind: rest.CallbackUpdate, In: by(token, "401"), Instead: offer,
		}, func(kind rest.CallbackType) (store.MessageID, error) {
			sent = append(sent, kind)
			return "", nil
		})
		return sent
	}
	t.Run("while an edit is being drawn", func(t *testing.T) {
		test(t, func(_ *testing.T, w *world) {
			w.Posted(offer, Copy{Channel: "301", ID: "401"}, 1, time.Now())
			w.Records = overtaken{w, sync.OnceFunc(func() { w.wantKinds("the answer", accepted(w), rest.CallbackUpdate) })}
			w.RedrawAgain(offer)
			w.wantEdits("behind the answer")
		})
	})
	t.Run("while an edit is on its way", func(t *testing.T) {
		test(t, func(_ *testing.T, w *world) {
			w.Posted(offer, Copy{Channel: "301", ID: "401"}, 1, time.Now())
			w.set(2*time.Second, nil)
			w.RedrawAgain(offer)
			synctest.Wait()
			w.set(0, nil)
			w.wantKinds("the answer", accepted(w), rest.CallbackDeferUpdate)
			w.wantEdits("at once")
			time.Sleep(2 * time.Second)
			w.wantEdits("one behind the other", edit{"channel 301", "401", 1}, edit{token, originalMessage, 2})
		})
	})
}

// TestAClickComesBeforeTheWordOfAnAnswer: Discord has drawn what an answer shows and is slow
// to say so, when a click on it brings the next version. That is drawn as soon as nothing can
// come behind it.
func TestAClickComesBeforeTheWordOfAnAnswer(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.shown(1, "401")
		said := make(chan struct{})
		version := w.change()
		go w.Show(t.Context(), Showing{
			Ref: board, Version: version, Kind: rest.CallbackUpdate, In: by(token, "401"),
		}, func(rest.CallbackType) (store.MessageID, error) {
			<-said
			return "", nil
		})
		synctest.Wait()
		w.wantKinds("the click", w.show(w.change(), rest.CallbackUpdate, taken("")), rest.CallbackDeferUpdate)
		w.wantEdits("while the answer is on its way")
		close(said)
		w.wantEdits("behind it", edit{token, originalMessage, 3})
	})
}

// overtaken has something happen between the drawing of a picture and its sending.
type overtaken struct {
	*world
	by func()
}

func (o overtaken) Render(ctx context.Context, r Ref) (Rendering, error) {
	drawn, err := o.world.Render(ctx, r)
	o.by()
	return drawn, err
}

// TestAClickComesBeforeTheIDOfItsMessage: where somebody clicks on a new message before
// Discord has told the bot which one that is, the version that they are shown counts.
func TestAClickComesBeforeTheIDOfItsMessage(t *testing.T) {
	for name, create := range map[string]func(w *world, click func()){
		"an answer": func(w *world, click func()) {
			w.show(1, rest.CallbackMessage, func(rest.CallbackType) (store.MessageID, error) {
				click()
				return "401", nil
			})
		},
		"a post": func(w *world, click func()) {
			done := w.Posting(board)
			click()
			w.Posted(board, Copy{Channel: "301", ID: "401"}, 1, time.Now())
			done()
			w.Redraw(board)
		},
	} {
		t.Run(name, func(t *testing.T) {
			test(t, func(_ *testing.T, w *world) {
				create(w, func() { w.show(w.change(), rest.CallbackUpdate, taken("")) })
				w.wantEdits("behind the creation")
			})
		})
	}
}

// TestTheNewestTokenEdits: whichever answer comes through last, the token that lives longest
// is kept.
func TestTheNewestTokenEdits(t *testing.T) {
	test(t, func(_ *testing.T, w *world) {
		w.answer(Showing{Version: 1, Kind: rest.CallbackMessage, In: by("first", "")}, "401", nil)
		early := by("early", "401")
		time.Sleep(time.Second)
		w.answer(Showing{Version: 1, Kind: rest.CallbackUpdate, In: by("late", "401")}, "", nil)
		w.answer(Showing{Version: 1, Kind: rest.CallbackUpdate, In: early}, "", nil)
		w.change()
		w.Redraw(board)
		w.wantEdits("drawn", edit{"late", originalMessage, 2})
	})
}

// TestAFailingTokenRouteIsGoneAround: where Discord fails on the way by the token, the
// application's own is tried at once. A private message has none.
func TestAFailingTokenRouteIsGoneAround(t *testing.T) {
	failing := func(e edit) error {
		if e.by == token {
			return &rest.Error{Status: http.StatusBadGateway}
		}
		return nil
	}
	test(t, func(_ *testing.T, w *world) {
		w.shown(1, "401")
		w.set(0, failing)
		w.change()
		w.Redraw(board)
		w.wantEdits("drawn", edit{"channel 301", "401", 2})
	})
	test(t, func(t *testing.T, w *world) {
		w.answer(Showing{Version: 1, Kind: rest.CallbackMessage, In: by(token, ""), Private: true}, "401", nil)
		time.Sleep(TokenLife)
		w.change()
		w.Redraw(board)
		w.wantEdits("a private message whose token is too old")
		if _, left := w.Counts(); left != 1 || w.UpToDate(board, "401", 2, 0, false) {
			t.Errorf("%d messages count as left, and a click need not draw it", left)
		}
	})
}

// TestFailuresAreForgottenWithThePicture: once an edit came through, a later version counts
// as on its way again, and has all the tries.
func TestFailuresAreForgottenWithThePicture(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.shown(1, "401")
		w.set(0, func(edit) error { return &rest.Error{Status: http.StatusTooManyRequests} })
		w.change()
		w.Redraw(board)
		synctest.Wait()
		if w.UpToDate(board, "401", 2, 0, false) {
			t.Error("a click need not draw what was not drawn")
		}
		w.set(0, nil)
		time.Sleep(retryAfter[0])
		w.wantEdits("the next try", edit{token, originalMessage, 2})
		if w.change(); !w.UpToDate(board, "401", 3, 0, false) {
			t.Error("a click has to draw what is about to be drawn")
		}
	})
}

// TestAnsweredElsewhere: what another answer has made of the interaction may be a private
// message, which its token names then.
func TestAnsweredElsewhere(t *testing.T) {
	test(t, func(_ *testing.T, w *world) {
		w.shown(1, "401")
		version := w.change()
		w.answer(Showing{Version: version, Kind: rest.CallbackUpdate, In: by("theirs", "401")}, "", rest.ErrAnsweredElsewhere)
		w.wantEdits("drawn by the token from before", edit{token, originalMessage, version})
		w.answer(Showing{Version: w.change(), Kind: rest.CallbackMessage, In: by("theirs", "")}, "", rest.ErrAnsweredElsewhere)
		w.wantEdits("and again", edit{token, originalMessage, version + 1})
	})
}

// TestSoManyAreRedrawnAtATime counts the edits that are on their way together.
func TestSoManyAreRedrawnAtATime(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.stored.Message = "401"
		w.stored.Version = 2
		var at, most atomic.Int64
		w.API = slowly{w, func(work func()) {
			if n := at.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Second)
			at.Add(-1)
			work()
		}}
		for i := range 3 * cap(w.slots) {
			w.Redraw(Ref{Match: store.MatchID(100 + i)})
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if got, want := most.Load(), int64(8); got != want || len(w.edits) != 24 {
			t.Errorf("%d edits at a time and %d in all, want %d and 24", got, len(w.edits), want)
		}
	})
}

// slowly does something around every edit.
type slowly struct {
	API
	around func(work func())
}

func (s slowly) EditByToken(ctx context.Context, token, id string, body any) (m *rest.Message, err error) {
	s.around(func() { m, err = s.API.EditByToken(ctx, token, id, body) })
	return m, err
}

func (s slowly) EditMessage(ctx context.Context, channel, id string, body any) (m *rest.Message, err error) {
	s.around(func() { m, err = s.API.EditMessage(ctx, channel, id, body) })
	return m, err
}

// TestSeen: who sends a picture of which Discord does not tell when it arrives is told as soon
// as somebody clicks on it, on that message and of that step, and only while it is on its way.
func TestSeen(t *testing.T) {
	test(t, func(_ *testing.T, w *world) {
		w.shown(1, "401")
		seen := 0
		shows := Showing{Ref: board, Version: 2, Step: 3, Kind: rest.CallbackUpdate, In: by("", "401"), Blind: true, Seen: func() { seen++ }}
		w.Show(w.t.Context(), shows, func(rest.CallbackType) (store.MessageID, error) {
			w.Seen(board, "401", 2)
			w.Seen(board, "402", 3)
			if seen != 0 {
				w.t.Error("a click on another picture counts")
			}
			w.Seen(board, "401", 3)
			if seen != 1 {
				w.t.Error("a click on the picture does not count")
			}
			return "", nil
		})
		w.Seen(board, "401", 3)
		if seen != 1 {
			w.t.Error("a click behind it counts")
		}
	})
}

// TestWhatAnotherProcessMayHaveLeft: where others store too, nobody sees to a version that this
// process neither shows nor sends, whatever the store knows of it.
func TestWhatAnotherProcessMayHaveLeft(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.shown(1, "401")
		if !w.UpToDate(board, "401", 1, 0, true) {
			t.Error("what this process has shown is not up to date")
		}
		if w.UpToDate(board, "401", 2, 1, true) || !w.UpToDate(board, "401", 2, 1, false) {
			t.Error("another process is known to show what it has stored, or this one is not")
		}
		w.show(w.change(), rest.CallbackUpdate, func(rest.CallbackType) (store.MessageID, error) {
			if !w.UpToDate(board, "401", 2, 1, true) || w.UpToDate(board, "401", 3, 1, true) {
				t.Error("a picture on its way is not seen to, or a later one is")
			}
			return "", nil
		})
		synctest.Wait()
		w.set(time.Second, nil)
		w.change()
		w.Redraw(board)
		synctest.Wait()
		if !w.UpToDate(board, "401", 3, 2, true) {
			t.Error("an edit on its way is not seen to")
		}
	})
}

// TestAMessageThatOneTokenAloneReachesIsGone: it is known to be, and is not tried again.
func TestAMessageThatOneTokenAloneReachesIsGone(t *testing.T) {
	test(t, func(t *testing.T, w *world) {
		w.answer(Showing{Version: 1, Kind: rest.CallbackMessage, In: by(token, ""), Private: true}, "401", nil)
		w.set(0, func(edit) error { return &rest.Error{Status: http.StatusNotFound, Code: 10008} })
		w.change()
		w.Redraw(board)
		synctest.Wait()
		if last := w.delivered[len(w.delivered)-1]; last != (store.Shown{Message: "401", Drawn: 2}) {
			t.Errorf("the store was told %v last, which has it tried again", last)
		}
		w.edits = nil
		w.Redraw(board)
		w.wantEdits("once more")
	})
}
