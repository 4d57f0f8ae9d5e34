package view

import (
	"fmt"
	"strconv"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// running is the text above the field of a match that runs: the status, perhaps a picture, and
// small print. That says what the status does not: who the other side is, and at what they play
// where that is not what everybody plays; in a series, how it stands; and why it does not count.
func (v Board) running(m store.Match, g engine.Game, picture string) string {
	other := match.SideToMove(m).Other()
	var line string
	switch {
	case g.Repeats() > 0:
		line = v.say("status.repeated", nil)
	case m.Series.Played():
		line = v.score(m, m.Series)
	case m.Rules == engine.Standard:
		line = v.say("small.opponent", args{"Opponent": v.seat(m, other)})
	case m.Rules.Limit != 0:
		line = v.say("small.against", args{"Opponent": v.seat(m, other), "Goal": v.say("rule.vanishing", nil)})
	default:
		line = v.say("small.against", args{"Opponent": v.seat(m, other), "Goal": v.goal(m.Rules)})
	}
	series := v.say(when(m.BestOf > 0 && !m.Series.Played(), "series.best_of"), args{"Games": m.BestOf})
	return stacked(v.status(m, g), picture, small(dotted(line, series, v.uncounted(m))))
}

// cells returns a row of buttons for each row of the board, with the cell of each in its ID. As
// long as they stand they can be pressed after the end too, and are answered in words.
func (v Board) cells(m store.Match, g engine.Game, id customid.ID) []discord.Component {
	won, going, marks, last := g.WinningCells(), goingOf(m, g), v.marksOf(m), lastMark(m)
	rows := make([]discord.Component, 0, m.Rules.N)
	for c := engine.Cell(0); m.Rules.Contains(c); c++ {
		if m.Rules.Column(c) == 0 {
			rows = append(rows, discord.Row(make([]discord.Component, 0, m.Rules.M)...))
		}
		mark := g.At(c)
		style, label := discord.StyleSecondary, marks.of(mark).label
		switch {
		case mark == engine.None && v.names:
			label = m.Rules.CellName(c)
		case mark == engine.None:
		case won&m.Rules.Bit(c) != 0:
			style = discord.StyleSuccess
		case won != 0: // the other marks step back behind the line
		case going.now&m.Rules.Bit(c) != 0: // half an empty cell already
		case mark == engine.X:
			style = discord.StylePrimary
		default:
			style = discord.StyleDanger
		}
		if going.now&m.Rules.Bit(c) != 0 {
			label += goingSign
		}
		if last&m.Rules.Bit(c) != 0 {
			label += lastSign
		}
		row := &rows[len(rows)-1]
		id.Cell = c
		row.Components = append(row.Components, button(style, label, id))
	}
	return rows
}

// lastSign stands behind the mark that was made last. Both take less than the room that
// Discord gives a button at least, so that no column gets wider.
const lastSign = "•"

// lastMark returns the cell of the last mark while the match runs.
func lastMark(m store.Match) engine.Bitboard {
	if n := len(m.Moves); n > 0 && m.State == store.Active {
		return m.Rules.Bit(m.Moves[n-1])
	}
	return 0
}

// runningControls returns the row below the grid of a match that runs. What else there is to
// do stands behind its last button, for one pair of eyes.
func (v Board) runningControls(m store.Match) []discord.Component {
	hints := v.givesHints(m) && (!m.Hinted || m.HintPly == len(m.Moves)) // the one hint it tells again until somebody moves
	more := v.about(m, discord.StyleSecondary, "button.more", customid.More)
	more.Label = "⋯ " + more.Label
	return rowOf(
		v.about(m, discord.StyleSecondary, when(hints, "button.ask_hint"), customid.HintAsk),
		v.about(m, discord.StyleSecondary, when(v.lists && !v.list, "button.my_list"), customid.MyList),
		v.about(m, discord.StyleSecondary, when(m.Private() && match.Unmoved(m), "button.change"), customid.Change),
		more)
}

// Ways are what somebody who plays a running match can do beside moving. Resign ends it at
// once as long as nobody has moved.
func (v Board) Ways(m store.Match, user store.UserID) discord.Message {
	grid, named := !v.wished(m).list, v.Person(user).PlaysBy == store.ByNames
	return v.tell("more.question", nil,
		when(grid, v.about(m, discord.StyleSecondary, either(named, "button.hide_names", "button.cell_names"), customid.MyNames)),
		when(grid, v.about(m, discord.StyleSecondary, "button.my_list", customid.MyList)),
		v.about(m, discord.StyleSecondary, "button.post_below", customid.ShowBoard),
		v.about(m, discord.StyleSecondary, "button.resign", customid.ResignAt))
}

// winnerMayPlay reports whether bystanders can challenge whoever wins a match that runs.
func winnerMayPlay(m store.Match) bool {
	return m.State == store.Active && !match.AgainstProgram(m) && !m.Private() && m.Guild != ""
}

func (w Words) playWinnerButton(m store.Match) discord.Component {
	return w.button(discord.StyleSecondary, "button.play_winner", customid.ID{Action: customid.PlayWinner, Match: m.ID})
}

// status is the first line of a match that runs: whose move it is, which mark goes with it, and
// by when. What moved last the grid shows, and who hears the board is told.
func (v Board) status(m store.Match, g engine.Game) string {
	toMove, n := match.SideToMove(m), len(m.Moves)
	line := v.say("status.turn", args{"Player": v.seat(m, toMove)})
	if v.list && n > 0 {
		line += " · " + v.say("status.moved", args{"Cell": m.Rules.CellName(m.Moves[n-1])})
	}
	if cell, ok := g.Vanishes(toMove); ok {
		line += " · " + v.say("status.vanishes", args{"Cell": m.Rules.CellName(cell)})
	}
	if match.ClockShown(m) {
		line += " · " + timestamp(v.Now.Add(m.Deadline-v.Uptime(m.Guild)), 'R')
	}
	return line
}

// goal says how long a row wins, and of how many marks.
func (w Words) goal(r engine.Rules) string {
	return w.say(either(r.Limit != 0, "goal.vanishing", fmt.Sprintf("goal.%d", r.K)), nil)
}

// players are the places of a text for both players and their marks.
func (v Board) players(m store.Match) args {
	return args{
		"MarkX": v.sign(m, engine.X), "X": v.player(m.X),
		"MarkO": v.sign(m, engine.O), "O": v.player(m.O),
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
	return when(halves != 1, strconv.Itoa(halves/2)) + when(halves%2 == 1, "½")
}
