package view

import (
	"fmt"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// status is the first line: who is to move, what moved last and which mark goes with the
// coming move, or how it ended.
func (v Board) status(m store.Match, g engine.Game) string {
	if m.State == store.Ended {
		return v.result(m)
	}
	toMove := match.SideToMove(m)
	key, a := "status.turn", args{"Player": v.seat(m, toMove)}
	if n := len(m.Moves); n > 0 {
		key = "status.last"
		a["Cell"] = m.Rules.CellName(m.Moves[n-1])
	}
	if cell, ok := g.Vanishes(toMove); ok {
		key = "status.going"
		a["Going"] = m.Rules.CellName(cell)
	}
	if !match.ClockShown(m) {
		return v.say(key, a)
	}
	a["Time"] = timestamp(v.Now.Add(m.Deadline-v.Uptime(m.Guild)), 'R')
	return v.say(dueKeys[key], a)
}

// dueKeys are the status lines that name the time by which a move is due.
var dueKeys = map[string]string{
	"status.turn": "status.turn_due", "status.last": "status.last_due", "status.going": "status.going_due",
}

// small is the line in small print. While the match runs it says what the status does
// not: who the other side is, and at what they play; in a series, how it stands.
func (v Board) small(m store.Match, g engine.Game) string {
	switch {
	case (m.Winner != engine.None || m.EndReason.Draw()) && m.Given == 0:
		return v.score(m, match.SeriesAfter(m))
	case m.State == store.Active && g.Repeats() > 0:
		return v.say("status.repeated", nil)
	case m.Series.Played():
		return v.score(m, m.Series)
	case m.State == store.Ended:
		return v.say("small.players", v.players(m))
	}
	goal := v.goal(m.Rules)
	if m.Rules.Limit != 0 {
		goal = v.say("rule.vanishing", nil)
	}
	return v.say("small.against", args{"Opponent": v.seat(m, match.SideToMove(m).Other()), "Goal": goal})
}

// goal says how long a row wins, and of how many marks.
func (w Words) goal(r engine.Rules) string {
	if r.Limit != 0 {
		return w.say("goal.vanishing", nil)
	}
	return w.say(fmt.Sprintf("goal.%d", r.K), nil)
}

// players are the places of a text for both players and their marks.
func (v Board) players(m store.Match) args {
	marks := marksOf(m)
	return args{
		"MarkX": marks.symbol(engine.X), "X": v.player(m.X),
		"MarkO": marks.symbol(engine.O), "O": v.player(m.O),
	}
}

// score is the state of a series by name: "❌ @Ada 2 – 1 @Ben ⭕ · 1 draw".
func (v Board) score(m store.Match, s store.Score) string {
	a := v.players(m)
	a["WonX"], a["WonO"] = s.X, s.O
	if s.Draws == 0 {
		return v.say("score", a)
	}
	return v.countWith("score.draws", s.Draws, a)
}
