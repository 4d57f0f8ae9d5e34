package bot

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
)

// TestNoRoomToThink: where all the room for thinking is taken, whoever asks for a review, for
// a hint or for the puzzle is told so with a button that tries again, and gets it by that
// button once there is room. A hint that was not told costs nothing.
func TestNoRoomToThink(t *testing.T) {
	t.Parallel()
	b := newLoneBot(t)
	full := newLoneBot(t, func(o *Options) { o.Store, o.WorkTime = b.store, waittest.Limit(250*time.Millisecond) })
	full.noRoomToThink(t)
	full.last = 1000 // its interactions are others
	four := engine.Rules{M: 4, N: 4, K: 3}
	lost := store.Match{
		ID: 7, Guild: "201", Channel: "301", Place: 1, Rules: four, Locale: "en-US",
		X: store.Player{User: "101"}, O: store.Player{User: "102"}, Moves: matchtest.LineMoves(four),
	}
	lost = match.End(lost, store.ByLine, engine.X)
	running := store.Match{
		ID: 8, Guild: "201", Channel: "301", Place: 2, Rules: four, Locale: "en-US", State: store.Active,
		X: store.Player{User: "101"}, O: store.Player{Opponent: "hard"},
	}
	if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{lost, running}}); err != nil {
		t.Fatal(err)
	}
	click := func(flags int, id customid.ID) string {
		return fmt.Sprintf(`"message": {"id": "401", "flags": %d}, "data": {"component_type": 2, "custom_id": "%s"}`, flags, id)
	}
	const board, private = 1 << 15, 1<<15 | 1<<6
	tryAgain := regexp.MustCompile(`"label":"Try again"`)
	command := `"data": {"name": "tictactoe", "type": 1, "options": [{"name": "puzzle", "type": 1, "options": []}]}`
	today := store.DayOf(time.Now())
	for _, test := range []struct {
		name, members string
		kind          int
		told          rest.CallbackType
		again         customid.ID
		then          string // what is read in the end
	}{
		{"a review", click(board, customid.ID{Action: customid.Review, Match: 7}), discord.KindComponent, rest.CallbackMessage, customid.ID{Action: customid.ReviewAgain, Match: 7}, "Review"},
		{"a step of a review", click(private, customid.ID{Action: customid.ReviewOn, Match: 7, Ply: 4}), discord.KindComponent, rest.CallbackUpdate, customid.ID{Action: customid.ReviewOn, Match: 7, Ply: 4}, "move 4 of"},
		{"a hint", click(private, customid.ID{Action: customid.HintConfirm, Match: 8}), discord.KindComponent, rest.CallbackUpdate, customid.ID{Action: customid.HintConfirm, Match: 8}, "💡"},
		{"the same hint, by the board's button", click(private, customid.ID{Action: customid.HintAsk, Match: 8}), discord.KindComponent, rest.CallbackMessage, customid.ID{Action: customid.HintConfirm, Match: 8}, "💡"},
		{"the puzzle", command, discord.KindCommand, rest.CallbackMessage, customid.ID{Action: customid.PuzzleSolve, Day: today}, "🧩"},
		{"yesterday's solution", click(board, customid.ID{Action: customid.PuzzleYesterday, Day: today}), discord.KindComponent, rest.CallbackMessage, customid.ID{Action: customid.PuzzleYesterday, Day: today}, "Best play"},
	} {
		told := full.answer(t, test.kind, test.members, test.told)
		if !strings.Contains(told, "thinking about too many games") || !tryAgain.MatchString(told) || !strings.Contains(told, `"custom_id":"`+test.again.String()+`"`) {
			t.Errorf("%s: told %s, want a button %s", test.name, told, test.again)
		}
		if m, err := b.store.Match(t.Context(), 8); err != nil || m.Hinted && test.name == "a hint" {
			t.Errorf("%s: the game counts for nothing already: %t, %v", test.name, m.Hinted, err)
		}
		b.last++
		all := b.ask(t, b.last, discord.KindComponent, click(private, test.again))
		if len(all) != 1 {
			t.Fatalf("%s: %d answers", test.name, len(all))
		}
		if got := fmt.Sprintf("%s", all[0].Data); !strings.Contains(got, test.then) {
			t.Errorf("%s: tried again, it answers %s", test.name, got)
		}
	}
}

// behindCommit is the real store, and calls what is set behind each commit.
type behindCommit struct {
	store.Store
	then   func()
	broken error // of reads behind the commit
}

func (s *behindCommit) Apply(ctx context.Context, c store.Change) error {
	err := s.Store.Apply(ctx, c)
	if err == nil && s.then != nil {
		s.then()
	}
	return err
}

func (s *behindCommit) PuzzleTry(ctx context.Context, user store.UserID, day int64) (store.PuzzleTry, error) {
	if s.broken != nil {
		return store.PuzzleTry{}, s.broken
	}
	return s.Store.PuzzleTry(ctx, user, day)
}

// TestPuzzleBehindItsCommit: a move in a puzzle that is stored is shown also where there is
// no room to think from then on, and so is whatever is pressed below it. Where the store
// cannot be read behind the commit it is not called unsaved.
func TestPuzzleBehindItsCommit(t *testing.T) {
	s := &behindCommit{}
	clock := &testClock{now: time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)}
	b := newLoneBot(t, func(o *Options) { s.Store, o.Store, o.Now = o.Store, s, clock.Now })
	today := b.puzzles.Today()
	p, err := b.puzzles.Of(t.Context(), today)
	if err != nil {
		t.Fatal(err)
	}
	begin := `"data": {"name": "tictactoe", "type": 1, "options": [{"name": "puzzle", "type": 1, "options": []}]}`
	s.then = func() { s.broken = store.ErrBusy }
	if got := b.answer(t, discord.KindCommand, begin, rest.CallbackMessage); !strings.Contains(got, "'m not sure yet") {
		t.Errorf("a puzzle that is begun and cannot be shown is answered by %s", got)
	}
	s.then, s.broken = nil, nil
	b.answer(t, discord.KindCommand, begin, rest.CallbackMessage)
	version := 0
	press := func(id customid.ID, want rest.CallbackType) string {
		t.Helper()
		version++
		return b.answer(t, discord.KindComponent, fmt.Sprintf(`"message": {"id": "401", "flags": 32832, "components": [{"type": 17, "id": %d}]},
			"data": {"component_type": 2, "custom_id": "%s"}`, customid.Marker(version), id), want)
	}
	var freed func()
	full := func() {
		b.kit.Times.WorkTime = waittest.Limit(250 * time.Millisecond)
		freed = b.noRoomToThink(t)
	}
	free := func() {
		b.kit.Times.WorkTime = waittest.Limit(2 * time.Second)
		freed()
	}
	wrong := p.Solution
	for c := range p.Start.Moves() {
		if c != p.Solution {
			wrong = c
		}
	}
	played := customid.ID{Action: customid.PuzzleCell, Day: today, Cell: wrong}
	s.then = full
	if got := press(played, rest.CallbackUpdate); !strings.Contains(got, "tries left") {
		t.Errorf("a move that is stored is answered by %s", got)
	}
	free()
	if got := press(customid.ID{Action: customid.PuzzleNames, Day: today}, rest.CallbackUpdate); !strings.Contains(got, "tries left") {
		t.Errorf("names behind a move are answered by %s", got)
	}
	free()
	s.then = nil
	press(customid.ID{Action: customid.PuzzleAgain, Day: today}, rest.CallbackUpdate)
	s.then = func() { s.broken = store.ErrBusy }
	if got := press(played, rest.CallbackMessage); !strings.Contains(got, "'m not sure yet") {
		t.Errorf("a move that is stored and cannot be shown is answered by %s", got)
	}
	if s.broken = nil; b.kit.Stats.Unsaved.Load() != 0 {
		t.Errorf("%d clicks are counted as not saved", b.kit.Stats.Unsaved.Load())
	}
	if try, err := b.store.PuzzleTry(t.Context(), "101", today); err != nil || try.Wrong != 2 {
		t.Errorf("stored is %+v, %v", try, err)
	}
}
