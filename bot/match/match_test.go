package match

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/engine/enginetest"
	"tictactoe/store"
)

// answers returns an opponent that plays these cells, one after the other, and
// fails the test when it is asked for more.
func answers(t testing.TB, r engine.Rules, names string) Choose {
	t.Helper()
	queue := matchtest.Cells(t, r, names)
	return func(engine.Game) (engine.Cell, error) {
		if len(queue) == 0 {
			t.Error("the opponent was asked for a move out of turn")
			return engine.MaxCells, nil
		}
		next := queue[0]
		queue = queue[1:]
		return next, nil
	}
}

// firstEmpty is an opponent that takes the first legal cell.
func firstEmpty(g engine.Game) (engine.Cell, error) {
	for c := range g.Moves() {
		return c, nil
	}
	return engine.MaxCells, nil
}

// copyOf returns the match with moves of its own.
func copyOf(m store.Match) store.Match {
	m.Moves = slices.Clone(m.Moves)
	return m
}

func TestPlayCellRefusals(t *testing.T) {
	r := engine.Standard
	running := matchtest.Between(t, r, "a1 b2")
	bots := matchtest.Against(t, "easy", r, "a1 b2")
	lineOfX := over(matchtest.Between(t, r, "a1 a2 b1 b2 c1"), store.ByLine, engine.X)
	for _, test := range []struct {
		name string
		m    store.Match
		user store.UserID
		ply  int
		cell string
		want error
	}{
		{"stranger", running, matchtest.Cleo, 2, "c3", ErrNotYourGame},
		{"stranger on a taken cell", running, matchtest.Cleo, 2, "a1", ErrNotYourGame},
		{"stranger after the end", lineOfX, matchtest.Cleo, 5, "c3", ErrNotYourGame},
		{"nobody", running, "", 2, "c3", ErrNotYourGame},
		{"nobody, in a seat of the program", bots, "", 2, "c3", ErrNotYourGame},
		{"other side", running, matchtest.Bob, 2, "c3", ErrNotYourTurn},
		{"other side on a taken cell", running, matchtest.Bob, 2, "a1", ErrNotYourTurn},
		{"other side, old board", running, matchtest.Bob, 1, "c3", ErrNotYourTurn},
		{"taken by themselves", running, matchtest.Ada, 2, "a1", ErrTaken},
		{"taken by the other", running, matchtest.Ada, 2, "b2", ErrTaken},
		{"taken since the board was drawn", running, matchtest.Ada, 0, "b2", ErrTaken},
		{"same click again", running, matchtest.Ada, 0, "a1", ErrTaken},
		{"old board", running, matchtest.Ada, 0, "c3", ErrStale},
		{"board of the future", running, matchtest.Ada, 4, "c3", ErrStale},
		{"over", lineOfX, matchtest.Ada, 5, "c3", ErrMatchOver},
		{"over, old board", lineOfX, matchtest.Bob, 4, "c3", ErrMatchOver},
		{"resigned", over(running, store.Resignation, engine.O), matchtest.Ada, 2, "c3", ErrMatchOver},
		{"closed", over(bots, store.Idle, engine.None), matchtest.Ada, 2, "c3", ErrMatchOver},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := copyOf(test.m)
			got, err := Play(test.m, test.user, test.ply, matchtest.Cell(t, r, test.cell), answers(t, r, ""), time.Minute)
			if !errors.Is(err, test.want) {
				t.Errorf("got error %v, want %v", err, test.want)
			}
			if d := cmp.Diff(before, got); d != "" {
				t.Errorf("a refused move changed the match (-before +after):\n%s", d)
			}
		})
	}
}

func TestPlayCellBeyondTheBoard(t *testing.T) {
	m := matchtest.Between(t, engine.Standard, "a1 b2")
	for _, c := range []engine.Cell{9, 24, 25, 255} {
		if got, err := Play(m, matchtest.Ada, 2, c, nil, 0); err == nil {
			t.Errorf("cell %d was played: %v", c, got.Moves)
		}
	}
	damaged := matchtest.Between(t, engine.Standard, "a1 b2")
	damaged.Moves = []engine.Cell{0, 0}
	if _, err := Play(damaged, matchtest.Ada, 2, 5, nil, 0); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("a damaged record: got %v, want ErrOccupied", err)
	}
}

func TestPlayCell(t *testing.T) {
	r := engine.Standard
	const uptime = 90 * time.Minute
	type want struct {
		moves    string
		reason   store.EndReason
		winner   engine.Mark
		deadline time.Duration
	}
	due := uptime + 10*time.Minute
	for _, test := range []struct {
		name  string
		m     store.Match
		user  store.UserID
		cell  string
		reply string
		want  want
	}{
		{"first move", matchtest.Between(t, r, ""), matchtest.Ada, "b2", "", want{"b2", store.NotEnded, engine.None, due}},
		{"answer", matchtest.Between(t, r, "b2"), matchtest.Bob, "a1", "", want{"b2 a1", store.NotEnded, engine.None, due}},
		{"line of X", matchtest.Between(t, r, "a1 a2 b1 b2"), matchtest.Ada, "c1", "", want{"a1 a2 b1 b2 c1", store.ByLine, engine.X, 0}},
		{"line of O", matchtest.Between(t, r, "a1 b1 a2 b2 c1"), matchtest.Bob, "b3", "", want{"a1 b1 a2 b2 c1 b3", store.ByLine, engine.O, 0}},
		{"full board", matchtest.Between(t, r, "a1 b1 c1 b2 a2 c2 b3 a3"), matchtest.Ada, "c3", "", want{"a1 b1 c1 b2 a2 c2 b3 a3 c3", store.FullBoard, engine.None, 0}},
		{"program replies", matchtest.Against(t, "easy", r, ""), matchtest.Ada, "b2", "a1", want{"b2 a1", store.NotEnded, engine.None, due}},
		{"program wins", matchtest.Against(t, "easy", r, "a1 b1 a2 b2"), matchtest.Ada, "c1", "b3", want{"a1 b1 a2 b2 c1 b3", store.ByLine, engine.O, 0}},
		{"program does not reply to a win", matchtest.Against(t, "easy", r, "a1 a2 b1 b2"), matchtest.Ada, "c1", "", want{"a1 a2 b1 b2 c1", store.ByLine, engine.X, 0}},
		{"program does not reply to a draw", matchtest.Against(t, "easy", r, "a1 b1 c1 b2 a2 c2 b3 a3"), matchtest.Ada, "c3", "", want{"a1 b1 c1 b2 a2 c2 b3 a3 c3", store.FullBoard, engine.None, 0}},
		{"program fills the board", matchtest.Swapped(matchtest.Against(t, "easy", r, "a1 b1 c1 b2 a2 c2 b3")), matchtest.Ada, "a3", "c3", want{"a1 b1 c1 b2 a2 c2 b3 a3 c3", store.FullBoard, engine.None, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := copyOf(test.m)
			got, err := Play(test.m, test.user, len(test.m.Moves), matchtest.Cell(t, r, test.cell), answers(t, r, test.reply), uptime)
			if err != nil {
				t.Fatal(err)
			}
			expected := copyOf(before)
			expected.Moves, expected.Deadline = matchtest.Cells(t, r, test.want.moves), test.want.deadline
			expected.EndReason, expected.Winner = test.want.reason, test.want.winner
			expected.Remind = 0
			if test.want.deadline != 0 && !AgainstProgram(before) {
				expected.Remind = uptime + before.Clock/2
			}
			if test.want.reason != store.NotEnded {
				expected.State, expected.GridStands = store.Ended, true
			}
			if d := cmp.Diff(expected, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if d := cmp.Diff(before, test.m); d != "" {
				t.Errorf("the argument was changed:\n%s", d)
			}
		})
	}
}

// TestVanishingEnds plays the moves that end a match in which marks vanish.
func TestVanishingEnds(t *testing.T) {
	r := engine.Vanishing
	longest := enginetest.Longest()
	for _, test := range []struct {
		name   string
		moves  []engine.Cell
		reason store.EndReason
		winner engine.Mark
	}{
		{"a position for the third time", matchtest.DrawMoves(t, r), store.Repetition, engine.None},
		{"the last move that there may be", longest, store.MoveLimit, engine.None},
		{"a line of the marks that remain", matchtest.Cells(t, r, "a1 b1 c1 a2 b2 c2 a3"), store.ByLine, engine.X},
		{"a position for the second time", matchtest.Cells(t, r, matchtest.Round+matchtest.SixMarks), store.NotEnded, engine.None},
		{"a line with the mark that goes", matchtest.Cells(t, r, "a1 b2 b1 c3 a3 c2 c1"), store.NotEnded, engine.None},
	} {
		last := len(test.moves) - 1
		m := matchtest.Between(t, r, "")
		m.Moves = test.moves[:last]
		got, err := Play(m, m.Player(SideToMove(m)).User, last, test.moves[last], nil, 0)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if got.EndReason != test.reason || got.Winner != test.winner || got.Validate() != nil {
			t.Errorf("%s: reason %d, winner %v, %v, want %d, %v", test.name, got.EndReason, got.Winner, got.Validate(), test.reason, test.winner)
		}
	}
}

// TestVanishingMarkCannotBePlayedOn: the mark that goes with a move still takes its cell while
// the move is chosen.
func TestVanishingMarkCannotBePlayedOn(t *testing.T) {
	m := matchtest.Between(t, engine.Vanishing, matchtest.SixMarks)
	if _, err := Play(m, matchtest.Ada, 6, matchtest.Cell(t, m.Rules, "a1"), nil, 0); !errors.Is(err, ErrTaken) {
		t.Errorf("got %v, want ErrTaken", err)
	}
}

// TestTryVanishing covers who is asked to try Vanishing, and what follows.
func TestTryVanishing(t *testing.T) {
	draw := func(m store.Match) store.Match {
		m.Moves = matchtest.DrawMoves(t, m.Rules)
		g, err := Position(m)
		if err != nil {
			t.Fatal(err)
		}
		return over(m, first(store.EndOf(g)), engine.None)
	}
	people := draw(matchtest.Between(t, engine.Standard, ""))
	for name, test := range map[string]struct {
		m    store.Match
		want bool
	}{
		"a draw":                 {people, true},
		"a win":                  {over(matchtest.Between(t, engine.Standard, "a1 a2 b1 b2 c1"), store.ByLine, engine.X), false},
		"stopped":                {over(matchtest.Between(t, engine.Standard, "a1"), store.Stopped, engine.None), false},
		"running":                {matchtest.Between(t, engine.Standard, ""), false},
		"a draw on larger board": {draw(matchtest.Between(t, engine.Rules{M: 4, N: 4, K: 4}, "")), false},
		"a draw of Vanishing":    {draw(matchtest.Between(t, engine.Vanishing, "")), false},
	} {
		if _, got := TryVanishing(test.m, matchtest.Ada); got != test.want {
			t.Errorf("after %s: suggested %v, want %v", name, got, test.want)
		}
	}
	for was, want := range map[string]string{
		"random": "random", "easy": "easy", "medium": "medium", "hard": "hard", "perfect": "perfect",
		"rules": ClassicsLevel, "weights": ClassicsLevel, "paths": ClassicsLevel, "ranks": ClassicsLevel,
	} {
		m := draw(matchtest.Against(t, was, engine.Standard, ""))
		m.Series = store.Score{X: 3}
		next, _ := Next(m, 8)
		chosen, _ := TryVanishing(m, matchtest.Ada)
		next = WithChoice(next, chosen)
		if next.Rules != engine.Vanishing || next.Series.Played() || next.X.Opponent != want || next.O.User != matchtest.Ada {
			t.Errorf("after a draw with %s: %+v", was, next)
		}
		if _, err := Opponent(next.X.Opponent, next.Rules); err != nil {
			t.Errorf("after a draw with %s: %v", was, err)
		}
	}
	made := people
	made.Next = 8
	for _, test := range []struct {
		name  string
		m     store.Match
		user  store.UserID
		first store.First
		err   error
	}{
		{"by X", people, matchtest.Ada, store.FirstOpponent, nil},
		{"by O", people, matchtest.Bob, store.FirstChallenger, nil},
		{"by a stranger", people, matchtest.Cleo, 0, ErrNotYourGame},
		{"while it runs", matchtest.Between(t, engine.Standard, ""), matchtest.Ada, 0, ErrNotOver},
		{"after the rematch", made, matchtest.Ada, 0, ErrNoRematch},
	} {
		chosen, _ := TryVanishing(test.m, test.user)
		c, err := NextChallenge(test.m, test.user, chosen)
		if !errors.Is(err, test.err) {
			t.Errorf("%s: error %v, want %v", test.name, err, test.err)
		}
		if err != nil {
			continue
		}
		if c.Rules != engine.Vanishing || c.First != test.first || c.Challenger != test.user || c.Opponent == test.user || c.Opponent == "" || c.Clock != test.m.Clock {
			t.Errorf("%s: %+v", test.name, c)
		}
	}
}

// TestWithChoice: what was chosen comes next, and the score goes on where it is the same game.
func TestWithChoice(t *testing.T) {
	m := over(matchtest.Against(t, "easy", engine.Standard, "a1 a2 b1 b2 c1"), store.ByLine, engine.X)
	m.Series = store.Score{X: 1}
	wide := engine.Rules{M: 4, N: 4, K: 4}
	for _, test := range []struct {
		chosen Choice
		side   engine.Mark
		score  store.Score
	}{
		{Another(m, matchtest.Ada), engine.O, store.Score{O: 2}},
		{Choice{Opponent: "easy", Rules: engine.Standard, First: FirstMe}, engine.X, store.Score{X: 2}},
		{Choice{Opponent: "hard", Rules: engine.Standard, First: FirstBot}, engine.O, store.Score{}},
		{Choice{Opponent: "easy", Rules: wide, First: FirstMe}, engine.X, store.Score{}},
	} {
		next, _ := Next(m, 8)
		next = WithChoice(next, test.chosen)
		bot := next.Player(test.side.Other()).Opponent
		if next.Seat(matchtest.Ada) != test.side || bot != test.chosen.Opponent || next.Rules != test.chosen.Rules || next.Series != test.score {
			t.Errorf("%+v: %+v", test.chosen, next)
		}
	}
}

func first(reason store.EndReason, _ engine.Mark) store.EndReason { return reason }

// A line that is completed on the last empty cell is a win, not a draw.
func TestWinWithTheLastCell(t *testing.T) {
	r := engine.Standard
	m := matchtest.Between(t, r, "a1 b1 c1 a2 b2 c2 b3 a3")
	got, err := Play(m, matchtest.Ada, 8, matchtest.Cell(t, r, "c3"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Moves) != r.Cells() || got.EndReason != store.ByLine || got.Winner != engine.X {
		t.Errorf("after %d moves: reason %d, winner %v, want a line of X", len(got.Moves), got.EndReason, got.Winner)
	}
}

// Two transitions from one record must not write into each other's moves, which
// they would if they shared the spare capacity behind them.
func TestMovesAreNotShared(t *testing.T) {
	r := engine.Standard
	m := matchtest.Between(t, r, "")
	m.Moves = append(make([]engine.Cell, 0, 16), matchtest.Cells(t, r, "a1 b2")...)
	one, err := Play(m, matchtest.Ada, 2, matchtest.Cell(t, r, "c3"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Play(m, matchtest.Ada, 2, matchtest.Cell(t, r, "a2"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	one.Moves[0] = 8
	if got := r.FormatMoves(other.Moves); got != "a1 b2 a2" {
		t.Errorf("the other match has the moves %s, want a1 b2 a2", got)
	}
	if got := r.FormatMoves(one.Moves[2:]); got != "c3" {
		t.Errorf("the last move is %s, want c3", got)
	}
	if got := r.FormatMoves(m.Moves); got != "a1 b2" {
		t.Errorf("the argument has the moves %s, want a1 b2", got)
	}
}

func TestIllegalReplyIsRefused(t *testing.T) {
	m := matchtest.Against(t, "easy", engine.Standard, "")
	before := copyOf(m)
	if _, err := Play(m, matchtest.Ada, 0, 4, answers(t, engine.Standard, "b2"), 0); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("got %v, want ErrOccupied", err)
	}
	if d := cmp.Diff(before, m); d != "" {
		t.Errorf("the argument was changed:\n%s", d)
	}
}

func TestOpenMatch(t *testing.T) {
	for _, r := range Boards {
		for _, test := range []struct {
			name  string
			m     store.Match
			moves int
		}{
			{"two people", matchtest.Between(t, r, ""), 0},
			{"person first", matchtest.Against(t, "easy", r, ""), 0},
			{"program first", matchtest.Swapped(matchtest.Against(t, "easy", r, "")), 1},
		} {
			test.m.State, test.m.Deadline = 0, 0
			got, err := Open(test.m, firstEmpty, time.Minute, time.Hour)
			if err != nil {
				t.Fatalf("%v, %s: %v", r, test.name, err)
			}
			if got.State != store.Active || len(got.Moves) != test.moves || got.Deadline != time.Hour+10*time.Minute {
				t.Errorf("%v, %s: state %d, %d moves, due at %v", r, test.name, got.State, len(got.Moves), got.Deadline)
			}
			if test.m.State != 0 || len(test.m.Moves) != 0 {
				t.Errorf("%v, %s: the argument was changed", r, test.name)
			}
		}
	}
	if _, err := Open(store.Match{Rules: engine.Rules{M: 9, N: 9, K: 5}}, nil, 0, 0); !errors.Is(err, engine.ErrRules) {
		t.Errorf("unknown rules: got %v, want ErrRules", err)
	}
	bad := func(engine.Game) (engine.Cell, error) { return 99, nil }
	if _, err := Open(matchtest.Swapped(matchtest.Against(t, "easy", engine.Standard, "")), bad, 0, 0); !errors.Is(err, engine.ErrOffBoard) {
		t.Errorf("illegal first move: got %v, want ErrOffBoard", err)
	}
}

func TestResign(t *testing.T) {
	running := matchtest.Between(t, engine.Standard, "a1 b2")
	for _, test := range []struct {
		name   string
		m      store.Match
		user   store.UserID
		winner engine.Mark
		want   error
	}{
		{"X", running, matchtest.Ada, engine.O, nil},
		{"O, out of turn", running, matchtest.Bob, engine.X, nil},
		{"before the first move", matchtest.Between(t, engine.Standard, ""), matchtest.Bob, engine.X, nil},
		{"against the program", matchtest.Against(t, "hard", engine.Standard, "a1 b2"), matchtest.Ada, engine.O, nil},
		{"stranger", running, matchtest.Cleo, engine.None, ErrNotYourGame},
		{"nobody", matchtest.Against(t, "hard", engine.Standard, ""), "", engine.None, ErrNotYourGame},
		{"twice", over(running, store.Resignation, engine.O), matchtest.Ada, engine.O, ErrMatchOver},
		{"stranger, after the end", over(running, store.FullBoard, engine.None), matchtest.Cleo, engine.None, ErrNotYourGame},
	} {
		got, err := Resign(test.m, test.user)
		if !errors.Is(err, test.want) {
			t.Errorf("%s: got error %v, want %v", test.name, err, test.want)
		}
		want := test.m
		if test.want == nil {
			want = over(test.m, store.Resignation, test.winner)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}

func TestStop(t *testing.T) {
	running := matchtest.Between(t, engine.Standard, "a1 b2")
	got, err := Stop(running, matchtest.Cleo)
	want := over(running, store.Stopped, engine.None)
	want.EndedBy = matchtest.Cleo
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, d)
	}
	if again, err := Stop(got, "104"); !errors.Is(err, ErrMatchOver) || again.EndedBy != matchtest.Cleo {
		t.Errorf("stopped again: got %v by %s, want errMatchOver and the first moderator", err, again.EndedBy)
	}
}

func TestFallDue(t *testing.T) {
	r := engine.Standard
	const deadline = time.Hour
	clock := func(m store.Match, c time.Duration) store.Match {
		m.Clock = c
		return m
	}
	hidden := func(m store.Match) store.Match {
		m.Place = 0
		return m
	}
	offer := over(matchtest.Between(t, r, "a1 a2 b1 b2 c1"), store.ByLine, engine.X)
	offer.Deadline, offer.RematchO = deadline, true
	justNow := offer // while the grid stands
	offer.GridStands = false
	folded := justNow
	folded.GridStands, folded.Deadline = false, deadline+15*time.Minute
	alone := justNow
	alone.RematchO = false
	aloneFolded := alone
	aloneFolded.GridStands, aloneFolded.Deadline = false, 0
	lapsed := offer
	lapsed.Deadline, lapsed.RematchO = 0, false
	endless := matchtest.Between(t, r, "a1")
	endless.Deadline = 0
	for _, test := range []struct {
		name   string
		m      store.Match
		uptime time.Duration
		want   store.Match
		ok     bool
	}{
		{"not yet", matchtest.Between(t, r, "a1"), deadline - 1, matchtest.Between(t, r, "a1"), false},
		{"O out of time", matchtest.Between(t, r, "a1"), deadline, over(matchtest.Between(t, r, "a1"), store.Clock, engine.X), true},
		{"X out of time", matchtest.Between(t, r, "a1 b2"), 2 * deadline, over(matchtest.Between(t, r, "a1 b2"), store.Clock, engine.O), true},
		{"X never began", matchtest.Between(t, r, ""), deadline, over(matchtest.Between(t, r, ""), store.Clock, engine.O), true},
		{"against the program", matchtest.Against(t, "easy", r, "a1 b2"), deadline, over(matchtest.Against(t, "easy", r, "a1 b2"), store.Idle, engine.None), true},
		{"program has X", matchtest.Swapped(matchtest.Against(t, "easy", r, "a1")), deadline, over(matchtest.Swapped(matchtest.Against(t, "easy", r, "a1")), store.Idle, engine.None), true},
		{"no clock", clock(matchtest.Between(t, r, "a1"), 0), deadline, over(clock(matchtest.Between(t, r, "a1"), 0), store.Abandoned, engine.None), true},
		{"no clock, against the program", clock(matchtest.Against(t, "easy", r, ""), 0), deadline, over(clock(matchtest.Against(t, "easy", r, ""), 0), store.Idle, engine.None), true},
		{"no clock, against the program, private", hidden(clock(matchtest.Against(t, "easy", r, ""), 0)), deadline, over(hidden(clock(matchtest.Against(t, "easy", r, ""), 0)), store.Abandoned, engine.None), true},
		{"clock of a month", clock(matchtest.Between(t, r, "a1"), 30*24*time.Hour), deadline, over(clock(matchtest.Between(t, r, "a1"), 30*24*time.Hour), store.Abandoned, engine.None), true},
		{"no deadline", endless, 1000 * time.Hour, endless, false},
		{"the grid stands", alone, deadline - 1, alone, false},
		{"the grid goes", alone, deadline, aloneFolded, true},
		{"the grid goes, the offer stands", justNow, deadline, folded, true},
		{"offer stands", offer, deadline - 1, offer, false},
		{"offer lapses", offer, deadline, lapsed, true},
		{"over and done", over(matchtest.Between(t, r, "a1"), store.Resignation, engine.X), 1000 * time.Hour, over(matchtest.Between(t, r, "a1"), store.Resignation, engine.X), false},
	} {
		got, ok := Expire(test.m, 15*time.Minute, test.uptime)
		if d := cmp.Diff(test.want, got); d != "" || ok != test.ok {
			t.Errorf("%s: ok %v, want %v (-want +got):\n%s", test.name, ok, test.ok, d)
		}
		if again, ok := Expire(got, 15*time.Minute, test.uptime); ok {
			t.Errorf("%s: fell due twice: %+v", test.name, again)
		}
	}
}

func TestPatience(t *testing.T) {
	for clock, want := range map[time.Duration]time.Duration{
		0:                  AbandonAfter,
		time.Second:        time.Second,
		10 * time.Minute:   10 * time.Minute,
		AbandonAfter - 1:   AbandonAfter - 1,
		AbandonAfter:       AbandonAfter,
		2 * AbandonAfter:   AbandonAfter,
		-10 * time.Minute:  AbandonAfter,
		1<<63 - 1:          AbandonAfter,
		24 * time.Hour * 6: 24 * time.Hour * 6,
	} {
		if got := TimeLimit(store.Match{Clock: clock}); got != want {
			t.Errorf("clock %v waits for %v, want %v", clock, got, want)
		}
	}
}

// told returns the match with a reminder.
func told(m store.Match, at time.Duration) store.Match {
	m.Remind = at
	return m
}

func TestOfferRematch(t *testing.T) {
	const ttl, uptime = 15 * time.Minute, 3 * time.Hour
	ended := over(matchtest.Between(t, engine.Standard, "a1 a2 b1 b2 c1"), store.ByLine, engine.X)
	offered := func(m store.Match, x, o bool, deadline time.Duration) store.Match {
		m.RematchX, m.RematchO, m.Deadline = x, o, deadline
		return m
	}
	made := ended
	made.Next = 8
	bots := over(matchtest.Against(t, "easy", engine.Standard, "a1 a2 b1 b2 c1"), store.ByLine, engine.X)
	for _, test := range []struct {
		name   string
		m      store.Match
		user   store.UserID
		agreed bool
		err    error
		want   store.Match
	}{
		{"first X", ended, matchtest.Ada, false, nil, told(offered(ended, true, false, uptime+ttl), uptime+RemindRematch)},
		{"first O", ended, matchtest.Bob, false, nil, told(offered(ended, false, true, uptime+ttl), uptime+RemindRematch)},
		{"then O", offered(ended, true, false, uptime), matchtest.Bob, true, nil, offered(ended, true, true, uptime)},
		{"then X", offered(ended, false, true, uptime), matchtest.Ada, true, nil, offered(ended, true, true, uptime)},
		{"against the program", bots, matchtest.Ada, true, nil, offered(bots, true, false, 0)},
		{"against the program as O", matchtest.Swapped(bots), matchtest.Ada, true, nil, offered(matchtest.Swapped(bots), false, true, 0)},
		{"X twice", offered(ended, true, false, uptime), matchtest.Ada, false, ErrAlreadyOffered, offered(ended, true, false, uptime)},
		{"O twice", offered(ended, false, true, uptime), matchtest.Bob, false, ErrAlreadyOffered, offered(ended, false, true, uptime)},
		{"stranger", ended, matchtest.Cleo, false, ErrNotYourGame, ended},
		{"nobody", bots, "", false, ErrNotYourGame, bots},
		{"still running", matchtest.Between(t, engine.Standard, "a1"), matchtest.Ada, false, ErrNotOver, matchtest.Between(t, engine.Standard, "a1")},
		{"made already", made, matchtest.Ada, false, ErrNoRematch, made},
		{"stranger where it is made", made, matchtest.Cleo, false, ErrNotYourGame, made},
	} {
		got, agreed, err := OfferRematch(test.m, test.user, ttl, uptime)
		if !errors.Is(err, test.err) || agreed != test.agreed {
			t.Errorf("%s: agreed %v, error %v, want %v, %v", test.name, agreed, err, test.agreed, test.err)
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}

func TestNextMatch(t *testing.T) {
	m := over(matchtest.Between(t, engine.Rules{M: 4, N: 5, K: 4}, "a1 a2"), store.Resignation, engine.O)
	m.Series = store.Score{X: 2, O: 1, Draws: 4}
	m.Locale, m.RematchX, m.RematchO, m.Deadline = "ja", true, true, time.Hour
	m.Message, m.Notice, m.EndedBy, m.Drawn = "401", "402", "", 3
	before := copyOf(m)

	next, old := Next(m, 8)
	wantNext := store.Match{
		ID: 8, Guild: m.Guild, Channel: m.Channel, Place: m.Place, Rules: m.Rules, X: m.O, O: m.X,
		Clock: m.Clock, Locale: "ja", Series: store.Score{X: 2, O: 2, Draws: 4},
	}
	if d := cmp.Diff(wantNext, next); d != "" {
		t.Errorf("the rematch (-want +got):\n%s", d)
	}
	wantOld := copyOf(before)
	wantOld.Next, wantOld.RematchX, wantOld.RematchO, wantOld.Deadline, wantOld.GridStands = 8, false, false, 0, false
	if d := cmp.Diff(wantOld, old); d != "" {
		t.Errorf("the old match (-want +got):\n%s", d)
	}
	if d := cmp.Diff(before, m); d != "" {
		t.Errorf("the argument was changed:\n%s", d)
	}
}

// The score of a series follows the people through their changing seats.
func TestSeriesScore(t *testing.T) {
	m := matchtest.Between(t, engine.Standard, "")
	type ending struct {
		reason store.EndReason
		winner store.UserID
	}
	won := map[store.UserID]int{}
	draws := 0
	for i, e := range []ending{
		{store.ByLine, matchtest.Ada},
		{store.ByLine, matchtest.Bob},
		{store.FullBoard, ""},
		{store.Repetition, ""},
		{store.MoveLimit, ""},
		{store.Resignation, matchtest.Ada},
		{store.Clock, matchtest.Ada},
		{store.Stopped, ""},
		{store.Abandoned, ""},
		{store.Idle, ""},
		{store.Unreachable, ""},
		{store.FullBoard, ""},
		{store.ByLine, matchtest.Bob},
	} {
		m = over(m, e.reason, m.Seat(e.winner))
		switch {
		case e.winner != "":
			won[e.winner]++
		case e.reason.Draw():
			draws++
		}
		after := SeriesAfter(m)
		want := store.Score{X: won[m.X.User], O: won[m.O.User], Draws: draws}
		if after != want {
			t.Fatalf("after match %d: %+v, want %+v", i+1, after, want)
		}
		next, _ := Next(m, m.ID+1)
		if next.X != m.O || next.O != m.X {
			t.Fatalf("match %d: the seats are %v and %v, want them swapped", i+2, next.X, next.O)
		}
		if want := (store.Score{X: want.O, O: want.X, Draws: draws}); next.Series != want {
			t.Fatalf("match %d starts with %+v, want %+v", i+2, next.Series, want)
		}
		next.State = store.Active
		m = next
	}
}

func TestPositionNamesTheDamage(t *testing.T) {
	m := matchtest.Between(t, engine.Standard, "a1 b2")
	m.Moves = append(m.Moves, 0)
	if _, err := Position(m); !errors.Is(err, engine.ErrOccupied) || !strings.Contains(err.Error(), "ply 2") {
		t.Errorf("got %v, want ErrOccupied at ply 2", err)
	}
}

// TestTimeLimit: a match against the program gives its place back after an hour, whatever
// its clock; a private one takes none.
func TestTimeLimit(t *testing.T) {
	r := engine.Standard
	for _, test := range []struct {
		name  string
		m     store.Match
		clock time.Duration
		place int
		want  time.Duration
	}{
		{"people", matchtest.Between(t, r, ""), 2 * time.Hour, 1, 2 * time.Hour},
		{"people, no clock", matchtest.Between(t, r, ""), 0, 1, AbandonAfter},
		{"program", matchtest.Against(t, "easy", r, ""), 10 * time.Minute, 1, 10 * time.Minute},
		{"program, long clock", matchtest.Against(t, "easy", r, ""), 2 * time.Hour, 2, HoldPlace},
		{"program, no clock", matchtest.Against(t, "easy", r, ""), 0, 1, HoldPlace},
		{"program, private", matchtest.Against(t, "easy", r, ""), 2 * time.Hour, 0, 2 * time.Hour},
	} {
		test.m.Clock, test.m.Place = test.clock, test.place
		if got := TimeLimit(test.m); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestFreePlace(t *testing.T) {
	all := make([]int, store.MostPlaces)
	for i := range all {
		all[i] = i + 1
	}
	for _, test := range []struct {
		taken             []int // by matches in the channel,
		threads           []int // and in threads
		places            int
		inChannel, thread int // what another one gets
	}{
		{nil, nil, 1, 1, 1},
		{[]int{1}, nil, 1, 0, 2},
		{[]int{1}, nil, 3, 2, 2},
		{[]int{2}, nil, 3, 1, 1},
		{[]int{1, 3}, nil, 3, 2, 2},
		{[]int{1, 2, 3}, nil, 3, 0, 4},
		{[]int{4, 5}, nil, 2, 0, 3}, // places were taken back
		{[]int{4, 5}, nil, 3, 1, 1},
		{[]int{1}, []int{2}, 3, 3, 3}, // a thread takes a place as well,
		{nil, []int{1, 2, 3}, 3, 0, 4},
		{nil, []int{4, 5, 6, 7, 8}, 3, 1, 1}, // but above the channel's it takes none of them
		{[]int{1, 2}, []int{4, 5, 6}, 3, 3, 3},
		{[]int{1, 2, 3}, []int{4, 6}, 3, 0, 5},
		{nil, all, 3, 0, 0},
		{nil, all[3:], 3, 1, 1},
	} {
		var active []store.Match
		for _, place := range test.taken {
			active = append(active, store.Match{Place: place})
		}
		for _, place := range test.threads {
			active = append(active, store.Match{Place: place, Thread: "302"})
		}
		for inThread, want := range map[bool]int{false: test.inChannel, true: test.thread} {
			if got := FreePlace(active, test.places, inThread); got != want {
				t.Errorf("of %d places %v are taken, and by threads %v: one in a thread (%v) gets %d, want %d", test.places, test.taken, test.threads, inThread, got, want)
			}
		}
	}
}
