package bot

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/engine"
	"tictactoe/store"
)

// The people of the tests.
const (
	ada  store.UserID = "101"
	bob  store.UserID = "102"
	cleo store.UserID = "103" // never plays
)

// between returns a public match that two people have begun with the moves given
// as cell names: Ada has X, Bob has O.
func between(t testing.TB, r engine.Rules, moves string) store.Match {
	t.Helper()
	return store.Match{
		ID: 7, Guild: "201", Channel: "301", Place: thePlace, Rules: r,
		X: store.Player{User: ada}, O: store.Player{User: bob}, Moves: cells(t, r, moves),
		State: store.Active, Clock: 10 * time.Minute, Deadline: time.Hour, Locale: defaultLocale, Version: 3,
	}
}

// against is a match of Ada, who has X, against an opponent of the program.
func against(t testing.TB, opponent string, r engine.Rules, moves string) store.Match {
	t.Helper()
	m := between(t, r, moves)
	m.O = store.Player{Opponent: opponent}
	return m
}

// swapped returns the match with the seats exchanged.
func swapped(m store.Match) store.Match {
	m.X, m.O = m.O, m.X
	return m
}

// over returns the match, ended for the reason and won by the mark.
func over(m store.Match, reason store.EndReason, winner engine.Mark) store.Match {
	m.State, m.EndReason, m.Winner, m.Deadline = store.Ended, reason, winner, 0
	return m
}

func cells(t testing.TB, r engine.Rules, names string) []engine.Cell {
	t.Helper()
	moves, err := r.ParseMoves(names)
	if err != nil {
		t.Fatal(err)
	}
	return moves
}

func cell(t testing.TB, r engine.Rules, name string) engine.Cell {
	t.Helper()
	c, err := r.ParseCell(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answers returns an opponent that plays these cells, one after the other, and
// fails the test when it is asked for more.
func answers(t testing.TB, r engine.Rules, names string) chooseMove {
	t.Helper()
	queue := cells(t, r, names)
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
	running := between(t, r, "a1 b2")
	bots := against(t, "easy", r, "a1 b2")
	lineOfX := over(between(t, r, "a1 a2 b1 b2 c1"), store.ByLine, engine.X)
	for _, test := range []struct {
		name string
		m    store.Match
		user store.UserID
		ply  int
		cell string
		want error
	}{
		{"stranger", running, cleo, 2, "c3", errNotYourGame},
		{"stranger on a taken cell", running, cleo, 2, "a1", errNotYourGame},
		{"stranger after the end", lineOfX, cleo, 5, "c3", errNotYourGame},
		{"nobody", running, "", 2, "c3", errNotYourGame},
		{"nobody, in a seat of the program", bots, "", 2, "c3", errNotYourGame},
		{"other side", running, bob, 2, "c3", errNotYourTurn},
		{"other side on a taken cell", running, bob, 2, "a1", errNotYourTurn},
		{"other side, old board", running, bob, 1, "c3", errNotYourTurn},
		{"taken by himself", running, ada, 2, "a1", errTaken},
		{"taken by the other", running, ada, 2, "b2", errTaken},
		{"taken since the board was drawn", running, ada, 0, "b2", errTaken},
		{"same click again", running, ada, 0, "a1", errTaken},
		{"old board", running, ada, 0, "c3", errStale},
		{"board of the future", running, ada, 4, "c3", errStale},
		{"over", lineOfX, ada, 5, "c3", errMatchOver},
		{"over, old board", lineOfX, bob, 4, "c3", errMatchOver},
		{"resigned", over(running, store.Resignation, engine.O), ada, 2, "c3", errMatchOver},
		{"closed", over(bots, store.Idle, engine.None), ada, 2, "c3", errMatchOver},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := copyOf(test.m)
			got, err := playCell(test.m, test.user, test.ply, cell(t, r, test.cell), answers(t, r, ""), time.Minute)
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
	m := between(t, engine.Standard, "a1 b2")
	for _, c := range []engine.Cell{9, 24, 25, 255} {
		if got, err := playCell(m, ada, 2, c, nil, 0); err == nil {
			t.Errorf("cell %d was played: %v", c, got.Moves)
		}
	}
	damaged := between(t, engine.Standard, "a1 b2")
	damaged.Moves = []engine.Cell{0, 0}
	if _, err := playCell(damaged, ada, 2, 5, nil, 0); !errors.Is(err, engine.ErrOccupied) {
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
		{"first move", between(t, r, ""), ada, "b2", "", want{"b2", store.NotEnded, engine.None, due}},
		{"answer", between(t, r, "b2"), bob, "a1", "", want{"b2 a1", store.NotEnded, engine.None, due}},
		{"line of X", between(t, r, "a1 a2 b1 b2"), ada, "c1", "", want{"a1 a2 b1 b2 c1", store.ByLine, engine.X, 0}},
		{"line of O", between(t, r, "a1 b1 a2 b2 c1"), bob, "b3", "", want{"a1 b1 a2 b2 c1 b3", store.ByLine, engine.O, 0}},
		{"full board", between(t, r, "a1 b1 c1 b2 a2 c2 b3 a3"), ada, "c3", "", want{"a1 b1 c1 b2 a2 c2 b3 a3 c3", store.FullBoard, engine.None, 0}},
		{"program replies", against(t, "easy", r, ""), ada, "b2", "a1", want{"b2 a1", store.NotEnded, engine.None, due}},
		{"program wins", against(t, "easy", r, "a1 b1 a2 b2"), ada, "c1", "b3", want{"a1 b1 a2 b2 c1 b3", store.ByLine, engine.O, 0}},
		{"program does not reply to a win", against(t, "easy", r, "a1 a2 b1 b2"), ada, "c1", "", want{"a1 a2 b1 b2 c1", store.ByLine, engine.X, 0}},
		{"program does not reply to a draw", against(t, "easy", r, "a1 b1 c1 b2 a2 c2 b3 a3"), ada, "c3", "", want{"a1 b1 c1 b2 a2 c2 b3 a3 c3", store.FullBoard, engine.None, 0}},
		{"program fills the board", swapped(against(t, "easy", r, "a1 b1 c1 b2 a2 c2 b3")), ada, "a3", "c3", want{"a1 b1 c1 b2 a2 c2 b3 a3 c3", store.FullBoard, engine.None, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := copyOf(test.m)
			got, err := playCell(test.m, test.user, len(test.m.Moves), cell(t, r, test.cell), answers(t, r, test.reply), uptime)
			if err != nil {
				t.Fatal(err)
			}
			expected := copyOf(before)
			expected.Moves, expected.Deadline = cells(t, r, test.want.moves), test.want.deadline
			expected.EndReason, expected.Winner = test.want.reason, test.want.winner
			if test.want.reason != store.NotEnded {
				expected.State = store.Ended
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

// A line that is completed on the last empty cell is a win, not a draw.
func TestWinWithTheLastCell(t *testing.T) {
	r := engine.Standard
	m := between(t, r, "a1 b1 c1 a2 b2 c2 b3 a3")
	got, err := playCell(m, ada, 8, cell(t, r, "c3"), nil, 0)
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
	m := between(t, r, "")
	m.Moves = append(make([]engine.Cell, 0, 16), cells(t, r, "a1 b2")...)
	one, err := playCell(m, ada, 2, cell(t, r, "c3"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	other, err := playCell(m, ada, 2, cell(t, r, "a2"), nil, 0)
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
	m := against(t, "easy", engine.Standard, "")
	before := copyOf(m)
	if _, err := playCell(m, ada, 0, 4, answers(t, engine.Standard, "b2"), 0); !errors.Is(err, engine.ErrOccupied) {
		t.Errorf("got %v, want ErrOccupied", err)
	}
	if d := cmp.Diff(before, m); d != "" {
		t.Errorf("the argument was changed:\n%s", d)
	}
}

func TestOpenMatch(t *testing.T) {
	for _, r := range boards {
		for _, test := range []struct {
			name  string
			m     store.Match
			moves int
		}{
			{"two people", between(t, r, ""), 0},
			{"person first", against(t, "easy", r, ""), 0},
			{"program first", swapped(against(t, "easy", r, "")), 1},
		} {
			test.m.State, test.m.Deadline = 0, 0
			got, err := openMatch(test.m, firstEmpty, time.Hour)
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
	if _, err := openMatch(store.Match{Rules: engine.Rules{M: 9, N: 9, K: 5}}, nil, 0); !errors.Is(err, engine.ErrRules) {
		t.Errorf("unknown rules: got %v, want ErrRules", err)
	}
	bad := func(engine.Game) (engine.Cell, error) { return 99, nil }
	if _, err := openMatch(swapped(against(t, "easy", engine.Standard, "")), bad, 0); !errors.Is(err, engine.ErrOffBoard) {
		t.Errorf("illegal first move: got %v, want ErrOffBoard", err)
	}
}

func TestResign(t *testing.T) {
	running := between(t, engine.Standard, "a1 b2")
	for _, test := range []struct {
		name   string
		m      store.Match
		user   store.UserID
		winner engine.Mark
		want   error
	}{
		{"X", running, ada, engine.O, nil},
		{"O, out of turn", running, bob, engine.X, nil},
		{"before the first move", between(t, engine.Standard, ""), bob, engine.X, nil},
		{"against the program", against(t, "hard", engine.Standard, "a1 b2"), ada, engine.O, nil},
		{"stranger", running, cleo, engine.None, errNotYourGame},
		{"nobody", against(t, "hard", engine.Standard, ""), "", engine.None, errNotYourGame},
		{"twice", over(running, store.Resignation, engine.O), ada, engine.O, errMatchOver},
		{"stranger, after the end", over(running, store.FullBoard, engine.None), cleo, engine.None, errNotYourGame},
	} {
		got, err := resign(test.m, test.user)
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
	running := between(t, engine.Standard, "a1 b2")
	got, err := stop(running, cleo)
	want := over(running, store.Stopped, engine.None)
	want.EndedBy = cleo
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, d)
	}
	if again, err := stop(got, "104"); !errors.Is(err, errMatchOver) || again.EndedBy != cleo {
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
	offer := over(between(t, r, "a1 a2 b1 b2 c1"), store.ByLine, engine.X)
	offer.Deadline, offer.RematchO = deadline, true
	lapsed := offer
	lapsed.Deadline, lapsed.RematchO = 0, false
	endless := between(t, r, "a1")
	endless.Deadline = 0
	for _, test := range []struct {
		name   string
		m      store.Match
		uptime time.Duration
		want   store.Match
		ok     bool
	}{
		{"not yet", between(t, r, "a1"), deadline - 1, between(t, r, "a1"), false},
		{"O out of time", between(t, r, "a1"), deadline, over(between(t, r, "a1"), store.Clock, engine.X), true},
		{"X out of time", between(t, r, "a1 b2"), 2 * deadline, over(between(t, r, "a1 b2"), store.Clock, engine.O), true},
		{"X never began", between(t, r, ""), deadline, over(between(t, r, ""), store.Clock, engine.O), true},
		{"against the program", against(t, "easy", r, "a1 b2"), deadline, over(against(t, "easy", r, "a1 b2"), store.Idle, engine.None), true},
		{"program has X", swapped(against(t, "easy", r, "a1")), deadline, over(swapped(against(t, "easy", r, "a1")), store.Idle, engine.None), true},
		{"no clock", clock(between(t, r, "a1"), 0), deadline, over(clock(between(t, r, "a1"), 0), store.Abandoned, engine.None), true},
		{"no clock, against the program", clock(against(t, "easy", r, ""), 0), deadline, over(clock(against(t, "easy", r, ""), 0), store.Abandoned, engine.None), true},
		{"clock of a month", clock(between(t, r, "a1"), 30*24*time.Hour), deadline, over(clock(between(t, r, "a1"), 30*24*time.Hour), store.Abandoned, engine.None), true},
		{"no deadline", endless, 1000 * time.Hour, endless, false},
		{"offer stands", offer, deadline - 1, offer, false},
		{"offer lapses", offer, deadline, lapsed, true},
		{"over and done", over(between(t, r, "a1"), store.Resignation, engine.X), 1000 * time.Hour, over(between(t, r, "a1"), store.Resignation, engine.X), false},
	} {
		got, ok := fallDue(test.m, test.uptime)
		if d := cmp.Diff(test.want, got); d != "" || ok != test.ok {
			t.Errorf("%s: ok %v, want %v (-want +got):\n%s", test.name, ok, test.ok, d)
		}
		if again, ok := fallDue(got, test.uptime); ok {
			t.Errorf("%s: fell due twice: %+v", test.name, again)
		}
	}
}

func TestPatience(t *testing.T) {
	for clock, want := range map[time.Duration]time.Duration{
		0:                  abandonAfter,
		time.Second:        time.Second,
		10 * time.Minute:   10 * time.Minute,
		abandonAfter - 1:   abandonAfter - 1,
		abandonAfter:       abandonAfter,
		2 * abandonAfter:   abandonAfter,
		-10 * time.Minute:  abandonAfter,
		1<<63 - 1:          abandonAfter,
		24 * time.Hour * 6: 24 * time.Hour * 6,
	} {
		if got := patience(store.Match{Clock: clock}); got != want {
			t.Errorf("clock %v waits for %v, want %v", clock, got, want)
		}
	}
}

func TestOfferRematch(t *testing.T) {
	const ttl, uptime = 15 * time.Minute, 3 * time.Hour
	ended := over(between(t, engine.Standard, "a1 a2 b1 b2 c1"), store.ByLine, engine.X)
	offered := func(m store.Match, x, o bool, deadline time.Duration) store.Match {
		m.RematchX, m.RematchO, m.Deadline = x, o, deadline
		return m
	}
	made := ended
	made.Next = 8
	bots := over(against(t, "easy", engine.Standard, "a1 a2 b1 b2 c1"), store.ByLine, engine.X)
	for _, test := range []struct {
		name   string
		m      store.Match
		user   store.UserID
		agreed bool
		err    error
		want   store.Match
	}{
		{"first X", ended, ada, false, nil, offered(ended, true, false, uptime+ttl)},
		{"first O", ended, bob, false, nil, offered(ended, false, true, uptime+ttl)},
		{"then O", offered(ended, true, false, uptime), bob, true, nil, offered(ended, true, true, uptime)},
		{"then X", offered(ended, false, true, uptime), ada, true, nil, offered(ended, true, true, uptime)},
		{"against the program", bots, ada, true, nil, offered(bots, true, false, 0)},
		{"against the program as O", swapped(bots), ada, true, nil, offered(swapped(bots), false, true, 0)},
		{"X twice", offered(ended, true, false, uptime), ada, false, errAlreadyOffered, offered(ended, true, false, uptime)},
		{"O twice", offered(ended, false, true, uptime), bob, false, errAlreadyOffered, offered(ended, false, true, uptime)},
		{"stranger", ended, cleo, false, errNotYourGame, ended},
		{"nobody", bots, "", false, errNotYourGame, bots},
		{"still running", between(t, engine.Standard, "a1"), ada, false, errNotOver, between(t, engine.Standard, "a1")},
		{"made already", made, ada, false, errNoRematch, made},
		{"stranger where it is made", made, cleo, false, errNotYourGame, made},
	} {
		got, agreed, err := offerRematch(test.m, test.user, ttl, uptime)
		if !errors.Is(err, test.err) || agreed != test.agreed {
			t.Errorf("%s: agreed %v, error %v, want %v, %v", test.name, agreed, err, test.agreed, test.err)
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}

func TestNextMatch(t *testing.T) {
	m := over(between(t, engine.Rules{M: 4, N: 5, K: 4}, "a1 a2"), store.Resignation, engine.O)
	m.Series = store.Score{X: 2, O: 1, Draws: 4}
	m.CellNames, m.Locale, m.RematchX, m.RematchO, m.Deadline = true, "ja", true, true, time.Hour
	m.Message, m.Notice, m.EndedBy, m.Drawn = "401", "402", "", 3
	before := copyOf(m)

	next, old := nextMatch(m, 8)
	wantNext := store.Match{
		ID: 8, Guild: m.Guild, Channel: m.Channel, Place: m.Place, Rules: m.Rules, X: m.O, O: m.X,
		Clock: m.Clock, CellNames: true, Locale: "ja", Series: store.Score{X: 2, O: 2, Draws: 4},
	}
	if d := cmp.Diff(wantNext, next); d != "" {
		t.Errorf("the rematch (-want +got):\n%s", d)
	}
	wantOld := copyOf(before)
	wantOld.Next, wantOld.RematchX, wantOld.RematchO, wantOld.Deadline = 8, false, false, 0
	if d := cmp.Diff(wantOld, old); d != "" {
		t.Errorf("the old match (-want +got):\n%s", d)
	}
	if d := cmp.Diff(before, m); d != "" {
		t.Errorf("the argument was changed:\n%s", d)
	}
}

// The score of a series follows the people through their changing seats.
func TestSeriesScore(t *testing.T) {
	m := between(t, engine.Standard, "")
	type ending struct {
		reason store.EndReason
		winner store.UserID
	}
	won := map[store.UserID]int{}
	draws := 0
	for i, e := range []ending{
		{store.ByLine, ada},
		{store.ByLine, bob},
		{store.FullBoard, ""},
		{store.Resignation, ada},
		{store.Clock, ada},
		{store.Stopped, ""},
		{store.Abandoned, ""},
		{store.Idle, ""},
		{store.Unreachable, ""},
		{store.FullBoard, ""},
		{store.ByLine, bob},
	} {
		m = over(m, e.reason, m.Seat(e.winner))
		switch {
		case e.winner != "":
			won[e.winner]++
		case e.reason == store.FullBoard:
			draws++
		}
		after := seriesAfter(m)
		want := store.Score{X: won[m.X.User], O: won[m.O.User], Draws: draws}
		if after != want {
			t.Fatalf("after match %d: %+v, want %+v", i+1, after, want)
		}
		next, _ := nextMatch(m, m.ID+1)
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
	m := between(t, engine.Standard, "a1 b2")
	m.Moves = append(m.Moves, 0)
	if _, err := position(m); !errors.Is(err, engine.ErrOccupied) || !strings.Contains(err.Error(), "ply 2") {
		t.Errorf("got %v, want ErrOccupied at ply 2", err)
	}
}
