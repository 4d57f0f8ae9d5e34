package bot_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/engine/solver"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

// over stores a match of Ada and Bob that X has won by the first row, as it was played in
// the channel.
func over(t *testing.T, w *bottest.World, id store.MatchID, change func(*store.Match)) store.Match {
	t.Helper()
	m := store.Match{
		ID: id, Guild: store.GuildID(w.Discord.Guild().ID()), Channel: store.ChannelID(w.Channel.ID()), Place: 1,
		Rules: engine.Standard, Locale: "en-US",
		X: store.Player{User: store.UserID(w.Ada.ID())}, O: store.Player{User: store.UserID(w.Bob.ID())},
		Created: time.UnixMilli(1), Updated: time.UnixMilli(1),
	}
	change(&m)
	if m.Moves == nil {
		m.Moves = matchtest.LineMoves(m.Rules)
	}
	m = match.End(m, store.ByLine, engine.X)
	m.GridStands = false
	if err := w.Store.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
		t.Fatal(err)
	}
	return m
}

// review has somebody press a button of a review from a message of theirs.
func review(t *testing.T, who *sandbox.User, from *sandbox.Message, action string, m store.MatchID, ply ...int) *sandbox.Reply {
	t.Helper()
	id := "1:" + action + ":" + strconv.FormatInt(int64(m), 36)
	for _, n := range ply {
		id += ":" + strconv.Itoa(n)
	}
	return who.ClickID(t, from, id, sandbox.Forced)
}

// turning is a game in which marks go, and come back to cells from which they went.
const turning = "a1 b1 c1 a2 c3 c2 a3 b3 b2 a1 c1"

// verdictWords is what a review has to say of the last of the moves, as the solver has it.
func verdictWords(t *testing.T, r engine.Rules, moves []engine.Cell) string {
	t.Helper()
	side := engine.X
	if len(moves)%2 == 0 {
		side = engine.O
	}
	stands := func(moves []engine.Cell) (v solver.Value, plies int) {
		g, err := engine.Replay(r, moves)
		if err != nil {
			t.Fatal(err)
		}
		if g.Over() {
			return map[engine.Mark]solver.Value{side: solver.Win, side.Other(): solver.Loss}[g.Outcome().Winner()], 0
		}
		result, err := solver.Solve(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		if g.SideToMove() != side {
			return -result.Value, result.Plies
		}
		return result.Value, result.Plies
	}
	had, longest := stands(moves[:len(moves)-1])
	has, plies := stands(moves)
	winner := map[engine.Mark]string{engine.X: "❌", engine.O: "⭕"}[side]
	if has == solver.Loss {
		winner = map[engine.Mark]string{engine.X: "⭕", engine.O: "❌"}[side]
	}
	in := fmt.Sprintf("%s wins in %d move", winner, (plies+1)/2)
	more := strings.Replace(in, " move", " more move", 1)
	switch {
	case had == solver.Win && has == solver.Win && plies == 0:
		return "wins!**"
	case had == solver.Win && has == solver.Win:
		return "Keeps the win: " + more
	case had == solver.Win && has == solver.Draw:
		return "**Gave away the win:** now it's a draw."
	case had == solver.Win:
		return "**Gave away the win:** now " + in
	case had == solver.Draw && has == solver.Draw:
		return "Keeps the draw."
	case had == solver.Draw:
		return "**Gave away the draw:** now " + in
	case plies < longest-1:
		return "Already lost, but this made it quicker: " + in
	default:
		return "Already lost: " + in
	}
}

// Every board that is offered can be walked through, from the first move to the last, also
// one on which marks go; and the verdict on each move says in words what the solver does.
func TestReviewOfEveryBoard(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	own := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe help"))
	games := map[string][]engine.Cell{}
	for _, r := range strategy.Boards() {
		games[r.String()] = matchtest.LineMoves(r)
	}
	games[engine.Vanishing.String()] = matchtest.Cells(t, engine.Vanishing, turning)
	for n, r := range strategy.Boards() {
		m := over(t, w, store.MatchID(n+1), func(m *store.Match) { m.Rules, m.Moves = r, games[r.String()] })
		shown := w.Answer(t, review(t, w.Ada, own, "q", m.ID))
		for { // a busy machine may need more than the time for one answer; what was found is kept
			if _, ok := shown.Snapshot().Button("Try again"); !ok {
				break
			}
			w.Ada.Click(t, shown, "Try again")
		}
		bottest.WantText(t, shown, "Review")
		for ply := range len(m.Moves) + 1 {
			review(t, w.Ada, shown, "qo", m.ID, ply)
			g, err := engine.Replay(r, m.Moves[:ply])
			if err != nil {
				t.Fatal(err)
			}
			notation := g.String()
			if ply == 0 {
				notation = r.FormatMoves(m.Moves)
			}
			w.Refused(t, review(t, w.Ada, shown, "qc", m.ID, ply), "`"+notation+"`")
			words := ""
			if ply > 0 {
				words = verdictWords(t, r, m.Moves[:ply])
			}
			if text := shown.Text(); !strings.Contains(text, words) {
				t.Errorf("%v after %d moves, want %q: %s", r, ply, words, text)
			}
		}
		if text := shown.Text(); !strings.Contains(text, "wins!**") {
			t.Errorf("%v at the end: %s", r, text)
		}
	}
}

// A review is for the players, and of a public game for everybody in its guild. What is
// private, what still goes on, and what was played elsewhere is not told.
func TestReviewIsForThoseWhoMaySee(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	here := over(t, w, 1, func(*store.Match) {})
	hidden := over(t, w, 2, func(m *store.Match) { m.Place, m.O = 0, store.Player{Opponent: "hard"} })
	running := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, running, w.Ada, w.Bob, "a1")
	of := w.Match(t).ID
	mine := w.Discord.Guild().Channel("mine")
	from := map[*sandbox.User]map[*sandbox.Channel]*sandbox.Message{}
	away := w.Discord.World().AddGuild("Away")
	there := away.Channel("general")
	for _, who := range []*sandbox.User{w.Ada, w.Cleo} {
		who.Join(away)
		from[who] = map[*sandbox.Channel]*sandbox.Message{}
		for _, where := range []*sandbox.Channel{w.Channel, mine, there} {
			from[who][where] = w.Answer(t, who.Command(t, where, "tictactoe help"))
		}
	}
	for _, test := range []struct {
		who   *sandbox.User
		where *sandbox.Channel
		of    store.MatchID
		says  string
	}{
		{w.Ada, w.Channel, here.ID, "Review"},
		{w.Ada, mine, here.ID, "Review"},
		{w.Cleo, w.Channel, here.ID, "Review"},
		{w.Cleo, mine, here.ID, "Review"},
		{w.Cleo, there, here.ID, "out of date"},
		{w.Ada, there, here.ID, "Review"},
		{w.Ada, mine, hidden.ID, "Review"},
		{w.Cleo, w.Channel, hidden.ID, "out of date"},
		{w.Cleo, w.Channel, of, "isn't over yet"},
		{w.Ada, w.Channel, of, "isn't over yet"},
		{w.Ada, w.Channel, 12345, "out of date"},
	} {
		w.Refused(t, review(t, test.who, from[test.who][test.where], "q", test.of), test.says)
		w.Refused(t, review(t, test.who, from[test.who][test.where], "qo", test.of, 2), test.says)
		if test.says != "Review" {
			w.Refused(t, review(t, test.who, from[test.who][test.where], "qs", test.of, 2), test.says)
			w.Refused(t, review(t, test.who, from[test.who][test.where], "qp", test.of, 2), test.says)
			w.Refused(t, review(t, test.who, from[test.who][test.where], "qy", test.of, 1), test.says)
			w.Refused(t, review(t, test.who, from[test.who][test.where], "qt", test.of, 1, 0, 4), test.says)
			w.Refused(t, review(t, test.who, from[test.who][test.where], "qu", test.of, 1, 3, 4), test.says)
			w.Refused(t, review(t, test.who, from[test.who][test.where], "qw", test.of, 2), test.says)
			w.Refused(t, review(t, test.who, from[test.who][test.where], "qc", test.of, 2), test.says)
		}
	}
	// There is no game from a position where nobody can move, and nothing to find where
	// nothing was given away, nor off the board.
	for _, forged := range []struct {
		action string
		parts  []int
	}{{"qp", []int{5}}, {"qp", []int{77}}, {"qy", []int{0}}, {"qy", []int{5}}, {"qt", []int{1, 0, 20}}, {"qt", []int{4, 1, 8}}} {
		w.Refused(t, review(t, w.Ada, from[w.Ada][mine], forged.action, here.ID, forged.parts...), "out of date")
	}
	w.Refused(t, review(t, w.Ada, from[w.Ada][mine], "qt", here.ID, 1, 9, 0), "is taken")
	if games := w.Private(t, w.Ada); len(games) != 0 {
		t.Errorf("forged buttons began %d games", len(games))
	}
	// A moment that the game does not have is its last one.
	w.Refused(t, review(t, w.Ada, from[w.Ada][mine], "ql", here.ID, 99), "wins!**")
}

// TestHintAgain: an answer may be lost. Asking again stores nothing and tells the same move,
// by each of the ways, as long as nobody has moved.
func TestHintAgain(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	board := w.Play(t, w.Ada, sandbox.Opt("board", "4x4"))
	question := w.Refused(t, w.Ada.Click(t, board, "Hint"), "gives no points", "Show me a hint")
	w.Ada.Click(t, question, "Show me a hint")
	told, before := question.Text(), w.Match(t)
	if !strings.Contains(told, "💡") || !before.Hinted {
		t.Fatalf("the hint is %q, stored %t", told, before.Hinted)
	}
	if again := review(t, w.Ada, board, "qh", before.ID).Text(); again != told {
		t.Errorf("pressed again, the question answers %q after %q", again, told)
	}
	w.Restart(t)
	for _, r := range []*sandbox.Reply{w.Ada.Click(t, board, "Hint"), w.Ada.Command(t, w.Channel, "tictactoe hint")} {
		if r.Text() != told {
			t.Errorf("after a restart it is %q, it was %q", r.Text(), told)
		}
	}
	if after := w.Match(t); after.Version != before.Version {
		t.Errorf("asking again stored version %d over %d", after.Version, before.Version)
	}
}

// The result of a game with a hint says so and gives nothing. Nobody has a hint in the game
// of somebody else.
func TestHintedResult(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	board := w.Play(t, w.Ada)
	m := w.Match(t)
	w.Refused(t, review(t, w.Cleo, board, "qh", m.ID), "Want one of your own?")
	told := w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe hint"), "gives no points", "Show me a hint")
	w.Refused(t, w.Ada.Click(t, told, "Show me a hint"), "keeps the draw")
	w.Refused(t, review(t, w.Ada, board, "qh", m.ID), "keeps the draw")
	w.Refused(t, review(t, w.Cleo, board, "qn", m.ID), "Want one of your own?")
	w.Cell(t, w.Ada, board, "a1")
	w.Refused(t, review(t, w.Ada, board, "qh", m.ID), "There's one per game")
	w.Resign(t, w.Ada, board)
	r, err := w.Store.Result(t.Context(), m.ID)
	if err != nil || !r.Hinted || r.Why != store.WithHint {
		t.Errorf("the result is %+v, %v", r, err)
	}
}
