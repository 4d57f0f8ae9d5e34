package view

import (
	"fmt"
	"strconv"
	"strings"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// running returns what stands in the container of a match that runs, and below it.
func (v Board) running(m store.Match, g engine.Game, asText bool, controls []discord.Component) (inside, outside []discord.Component) {
	head := v.head(m, g, v.status(m, g), asText, v.small(m, g))
	inside = append(inside, discord.TextDisplay(strings.Join(head, "\n")))
	if m.Rules.M >= wideBoard && !v.list {
		return inside, append(v.field(m, g), controls...)
	}
	inside = append(inside, v.field(m, g)...)
	if len(controls) > 0 {
		inside = append(inside, discord.Separator()) // thumbs keep off Resign
	}
	return append(inside, controls...), nil
}

// small is the line in small print of a match that runs. It says what the status does not: who
// the other side is, and at what they play; in a series, how it stands.
func (v Board) small(m store.Match, g engine.Game) string {
	switch {
	case g.Repeats() > 0:
		return v.say("status.repeated", nil)
	case m.Series.Played():
		return v.score(m, m.Series)
	}
	goal := v.goal(m.Rules)
	if m.Rules.Limit != 0 {
		goal = v.say("rule.vanishing", nil)
	}
	return v.say("small.against", args{"Opponent": v.seat(m, match.SideToMove(m).Other()), "Goal": goal})
}

// grid returns a row of buttons for each row of the board. As long as they stand they can
// be pressed after the end too, and are answered in words.
func (v Board) grid(m store.Match, g engine.Game) []discord.Component {
	return v.cells(m, g, func(c engine.Cell) customid.ID { return customid.ID{Action: customid.Cell, Match: m.ID, Cell: c} })
}

// cells is grid with the buttons' IDs given.
func (v Board) cells(m store.Match, g engine.Game, id func(engine.Cell) customid.ID) []discord.Component {
	won, going, marks := g.WinningCells(), goingOf(m, g), marksOf(m)
	rows := make([]discord.Component, 0, m.Rules.N)
	for c := engine.Cell(0); m.Rules.Contains(c); c++ {
		if m.Rules.Column(c) == 0 {
			rows = append(rows, discord.Row(make([]discord.Component, 0, m.Rules.M)...))
		}
		mark := g.At(c)
		style, label := discord.StyleSecondary, blankLabel
		switch {
		case mark == engine.None && v.names:
			label = m.Rules.CellName(c)
		case mark == engine.None:
		case won&m.Rules.Bit(c) != 0:
			style, label = discord.StyleSuccess, marks.label(mark)
		case won != 0: // the other marks step back behind the line
			label = marks.label(mark)
		case going.now&m.Rules.Bit(c) != 0: // half an empty cell already
			label = marks.label(mark)
		case mark == engine.X:
			style, label = discord.StylePrimary, marks.label(mark)
		default:
			style, label = discord.StyleDanger, marks.label(mark)
		}
		if going.any()&m.Rules.Bit(c) != 0 {
			label += marks.going
		}
		b := button(style, label, id(c))
		last := &rows[len(rows)-1]
		last.Components = append(last.Components, b)
	}
	return rows
}

// runningControls returns the row below the grid of a match that runs.
func (v Board) runningControls(m store.Match) []discord.Component {
	id := func(a customid.Action) customid.ID { return customid.ID{Action: a, Match: m.ID} }
	buttons := v.viewButtons(m)
	if v.givesHints(m) { // it stays after the hint, which it tells again
		buttons = append(buttons, v.button(discord.StyleSecondary, "button.ask_hint", id(customid.HintAsk)))
	}
	return []discord.Component{discord.Row(
		append(buttons, v.button(discord.StyleSecondary, "button.resign", id(customid.Resign)))...,
	)}
}

// status is the first line: who is to move, what moved last and which mark goes with the
// coming move.
func (v Board) status(m store.Match, g engine.Game) string {
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

// goal says how long a row wins, and of how many marks.
func (w Words) goal(r engine.Rules) string {
	if r.Limit != 0 {
		return w.say("goal.vanishing", nil)
	}
	return w.say(fmt.Sprintf("goal.%d", r.K), nil)
}

// players are the places of a text for both players and their marks.
func (v Board) players(m store.Match) args {
	marks := v.drawnMarks(m)
	return args{
		"MarkX": marks.symbol(engine.X), "X": v.player(m.X),
		"MarkO": marks.symbol(engine.O), "O": v.player(m.O),
	}
}

// score is the state of a series by name: "❌ @Ada 2 – 1 @Ben ⭕ · 1 draw". In one of so many
// games at most a draw is half a point for each: "❌ @Ada 1½ – ½ @Ben ⭕".
func (v Board) score(m store.Match, s store.Score) string {
	a := v.players(m)
	a["WonX"], a["WonO"] = s.X, s.O
	if m.BestOf > 0 {
		series := match.Series{Length: m.BestOf, Score: s}
		a["WonX"], a["WonO"] = points(series.Halves(engine.X)), points(series.Halves(engine.O))
	}
	if s.Draws == 0 || m.BestOf > 0 {
		return v.say("score", a)
	}
	return v.countWith("score.draws", s.Draws, a)
}

// points writes points that are given in halves.
func points(halves int) string {
	switch whole := strconv.Itoa(halves / 2); {
	case halves%2 == 0:
		return whole
	case halves == 1:
		return "½"
	default:
		return whole + "½"
	}
}
