package bot

import (
	"slices"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// testView shows things in a language at testEpoch, half an hour before the tests'
// matches fall due.
func testView(c *catalogue, locale string) view {
	return view{
		words: c.in(locale), now: testEpoch, uptime: 30 * time.Minute, marks: classicMarks,
		command: func(name string) string { return "</tictactoe " + name + ":910>" },
	}
}

// scene is a match at a moment that looks like no other.
type scene struct {
	name string
	m    store.Match
}

// scenes returns a match on the board at every moment that a message can show.
func scenes(t testing.TB, r engine.Rules) []scene {
	t.Helper()
	line, middle, draw := lineMoves(r), lineMoves(r)[:3], drawMoves(t, r)
	with := func(moves []engine.Cell, change func(*store.Match)) store.Match {
		m := between(t, r, "")
		m.Moves = slices.Clone(moves)
		if change != nil {
			change(&m)
		}
		return m
	}
	ended := func(moves []engine.Cell, reason store.EndReason, winner engine.Mark, change func(*store.Match)) store.Match {
		return over(with(moves, change), reason, winner)
	}
	bot := func(name string) func(*store.Match) {
		return func(m *store.Match) { m.O = store.Player{Opponent: name} }
	}
	offer := func(m store.Match, x, o bool) store.Match {
		m.RematchX, m.RematchO, m.Deadline = x, o, time.Hour
		return m
	}
	next := ended(line, store.ByLine, engine.X, nil)
	next.Next = 8
	stopped := ended(middle, store.Stopped, engine.None, nil)
	stopped.EndedBy = cleo
	return []scene{
		{"start", with(nil, nil)},
		{"middle", with(middle, nil)},
		{"middle without a clock", with(middle, func(m *store.Match) { m.Clock = 0 })},
		{"middle of a series", with(middle, func(m *store.Match) { m.Series = store.Score{X: 2, O: 1, Draws: 1} })},
		{"cell names at the start", with(nil, func(m *store.Match) { m.CellNames = true })},
		{"cell names", with(middle, func(m *store.Match) { m.CellNames = true })},
		{"line", ended(line, store.ByLine, engine.X, nil)},
		{"line with cell names", ended(line, store.ByLine, engine.X, func(m *store.Match) { m.CellNames = true })},
		{"draw", ended(draw, store.FullBoard, engine.None, nil)},
		{"draw in a series", ended(draw, store.FullBoard, engine.None, func(m *store.Match) { m.Series = store.Score{X: 2, O: 1, Draws: 1} })},
		{"resigned", ended(middle, store.Resignation, engine.X, nil)},
		{"resigned before the first move", ended(nil, store.Resignation, engine.O, nil)},
		{"clock", ended(middle, store.Clock, engine.X, nil)},
		{"stopped", stopped},
		{"abandoned", ended(middle, store.Abandoned, engine.None, nil)},
		{"unreachable", ended(middle, store.Unreachable, engine.None, nil)},
		{"rematch offered by X", offer(ended(line, store.ByLine, engine.X, nil), true, false)},
		{"rematch offered by O", offer(ended(draw, store.FullBoard, engine.None, nil), false, true)},
		{"next made", next},
		{"program at the start", with(nil, bot("medium"))},
		{"program has moved", with(lineMoves(r)[:2], bot("medium"))},
		{"program began", with(middle, func(m *store.Match) { m.X, m.O = store.Player{Opponent: "hard"}, m.X })},
		{"program lost", ended(line, store.ByLine, engine.X, bot("easy"))},
		{"program won", ended(line, store.ByLine, engine.X, func(m *store.Match) { m.X, m.O = store.Player{Opponent: "perfect"}, m.X })},
		{"program idle", ended(lineMoves(r)[:2], store.Idle, engine.None, bot("medium"))},
		{"program resigned against", ended(lineMoves(r)[:2], store.Resignation, engine.O, bot("random"))},
		{"private", with(lineMoves(r)[:2], func(m *store.Match) { bot("medium")(m); m.Place = 0 })},
		{"private line", ended(line, store.ByLine, engine.X, func(m *store.Match) { bot("medium")(m); m.Place = 0 })},
		{"direct message", ended(line, store.ByLine, engine.X, func(m *store.Match) { bot("medium")(m); m.Guild = "" })},
	}
}

// lineMoves lets X complete the start of the first row while O fills the second.
func lineMoves(r engine.Rules) []engine.Cell {
	var moves []engine.Cell
	for i := range engine.Cell(r.K) {
		moves = append(moves, i, i+engine.Cell(r.M))
	}
	return moves[:len(moves)-1]
}

// drawMoves fills the board so that three in a row occur nowhere.
func drawMoves(t testing.TB, r engine.Rules) []engine.Cell {
	t.Helper()
	var xs, os []engine.Cell
	for c := engine.Cell(0); r.Contains(c); c++ {
		if (r.Column(c)/2+r.Row(c))%2 == 0 {
			xs = append(xs, c)
		} else {
			os = append(os, c)
		}
	}
	moves := make([]engine.Cell, 0, r.Cells())
	for i := range xs {
		moves = append(moves, xs[i])
		if i < len(os) {
			moves = append(moves, os[i])
		}
	}
	if g, err := engine.Replay(r, moves); err != nil || g.Outcome() != engine.Drawn {
		t.Fatalf("%v: %v, %v, want a draw", r, g.Outcome(), err)
	}
	return moves
}

// challengeScenes returns every state in which the message of a challenge can be.
func challengeScenes() map[string]store.Challenge {
	all := map[string]store.Challenge{"challenge open": openChallenge(), "table open": openTable()}
	for name, s := range map[string]store.ChallengeState{
		"cancelled": store.Cancelled, "expired": store.Expired, "renewed": store.Renewed,
	} {
		all["challenge "+name], all["table "+name] = closed(openChallenge(), s), closed(openTable(), s)
	}
	all["challenge declined"] = closed(openChallenge(), store.Declined)
	all["challenge accepted"] = closed(openChallenge(), store.Accepted)
	return all
}

// privateScenes returns the answers that only one person sees.
func privateScenes(t testing.TB, v view) map[string]message {
	m := between(t, engine.Standard, "a1 b2")
	hidden := against(t, "medium", engine.Standard, "")
	hidden.ID, hidden.Place = 8, 0
	return map[string]message{
		"resign":                     v.resignQuestion(m, engine.X),
		"resign against the program": v.resignQuestion(against(t, "medium", engine.Standard, ""), engine.X),
		"resign which":               v.resignWhichQuestion(m, hidden, engine.X),
		"resign or stop":             v.resignOrStopQuestion(hidden, m, engine.X),
		"private too":                v.privateToo(hidden),
		"public too":                 v.publicToo(m, "https://discord.com/channels/201/301/401"),
		"stop":                       v.stopQuestion(m),
		"help":                       v.help(true),
		"help in direct messages":    v.help(false),
	}
}
