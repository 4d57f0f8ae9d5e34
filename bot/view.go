package bot

import (
	"fmt"
	"strings"
	"time"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

// blankLabel is the label of an empty cell: Discord refuses a button with neither
// label nor emoji but takes a zero-width space.
const blankLabel = "\u200b"

// The colours of a board's edge: who is to move, or nobody any more.
const (
	accentX    = 0x4757E0
	accentO    = 0xE67E22
	accentOver = 0x80848E
)

// wideBoard is from how many columns on a grid stands outside the container, whose
// padding would take the width that it needs on a phone.
const wideBoard = 5

// markSet is how marks are drawn: letters on buttons, where shape must do without
// colour, and symbols in text.
type markSet struct {
	labelX, labelO        string
	x, o, empty, win, end string
}

var classicMarks = markSet{labelX: "X", labelO: "O", x: "❌", o: "⭕", empty: "⬜", win: "❎", end: "🏁"}

func (s markSet) symbol(m engine.Mark) string {
	switch m {
	case engine.X:
		return s.x
	case engine.O:
		return s.o
	default:
		return s.empty
	}
}

func (s markSet) label(m engine.Mark) string {
	if m == engine.X {
		return s.labelX
	}
	return s.labelO
}

// view makes messages in one language at one moment. The moment is given both as
// wall time and as the bot's up-time, in which deadlines are kept.
type view struct {
	words
	now    time.Time
	uptime time.Duration
	marks  markSet
	// command returns how a subcommand is mentioned: as a link once its id is known.
	command func(name string) string
}

// match returns the message that shows the match: the board while it runs, the
// result afterwards.
func (v view) match(m store.Match) (message, error) {
	return v.board(m, m.CellNames || m.State == store.Ended, v.controls(m))
}

// picture returns the board for somebody who only looks: nothing on it can be
// pressed, so it stands as text too.
func (v view) picture(m store.Match) (message, error) {
	msg, err := v.board(m, true, nil)
	if err != nil {
		return message{}, err
	}
	msg.ephemeral = true
	disable(msg.components)
	return msg, nil
}

func disable(parts []component) {
	for i := range parts {
		if parts[i].Type == typeButton {
			parts[i].Disabled = true
		}
		disable(parts[i].Components)
	}
}

func (v view) board(m store.Match, asText bool, controls []component) (message, error) {
	g, err := position(m)
	if err != nil {
		return message{}, err
	}
	head := []string{v.status(m), v.small(m)}
	if asText {
		head = []string{v.status(m), v.textBoard(m, g), v.small(m)}
	}
	parts := make([]component, 0, 2+engine.MaxSide)
	parts = append(parts, textDisplay(strings.Join(head, "\n")))
	if extra := v.afterword(m); extra != "" {
		parts = append(parts, textDisplay(extra))
	}
	grid := v.grid(m, g)
	msg := message{v2: true, people: peopleShown(m), ephemeral: m.Private(), quiet: true}
	if m.Rules.M >= wideBoard {
		msg.components = append([]component{container(accent(m), parts...)}, grid...)
		msg.components = append(msg.components, controls...)
		return msg, nil
	}
	parts = append(parts, grid...)
	if len(controls) > 0 {
		parts = append(append(parts, separator()), controls...) // thumbs keep off Resign
	}
	msg.components = []component{container(accent(m), parts...)}
	return msg, nil
}

// moved returns what is left of a message whose board now stands elsewhere.
func (v view) moved(m store.Match, link string) message {
	text := v.say("board.moved", args{"Link": link})
	if link == "" {
		text = v.say("board.moved_below", nil)
	}
	return message{v2: true, people: people(m), components: []component{textDisplay(text)}}
}

func accent(m store.Match) int {
	switch {
	case m.State == store.Ended:
		return accentOver
	case sideToMove(m) == engine.X:
		return accentX
	default:
		return accentO
	}
}

// people returns the ids of the people in the match.
func people(m store.Match) []string {
	var ids []string
	for _, p := range [...]store.Player{m.X, m.O} {
		if p.IsUser() {
			ids = append(ids, string(p.User))
		}
	}
	return ids
}

// peopleShown returns the ids of those whom the picture of the match names: the
// people in it, and the moderator who stopped it.
func peopleShown(m store.Match) []string {
	ids := people(m)
	if m.EndReason == store.Stopped && m.Seat(m.EndedBy) == engine.None {
		ids = append(ids, string(m.EndedBy))
	}
	return ids
}

func mention(id store.UserID) string { return "<@" + string(id) + ">" }

// player returns the name under which a player appears: a mention, or what the
// opponent is called.
func (v view) player(p store.Player) string {
	if p.IsUser() {
		return mention(p.User)
	}
	return v.opponent(p.Opponent)
}

func (v view) opponent(name string) string { return v.say("opponent."+name, nil) }

// seat returns mark and player: "❌ <@1>".
func (v view) seat(m store.Match, mark engine.Mark) string {
	return v.marks.symbol(mark) + " " + v.player(m.Player(mark))
}

// status is the first line: who is to move and what moved last, or how it ended.
func (v view) status(m store.Match) string {
	if m.State == store.Ended {
		return v.result(m)
	}
	toMove := sideToMove(m)
	parts := []string{v.say("status.turn", args{"Player": v.seat(m, toMove)})}
	if n := len(m.Moves); n > 0 {
		cell := m.Rules.CellName(m.Moves[n-1])
		if last := m.Player(toMove.Other()); last.IsUser() {
			parts = append(parts, v.say("status.last", args{"Cell": cell}))
		} else {
			parts = append(parts, v.say("status.last_bot", args{"Opponent": v.player(last), "Cell": cell}))
		}
	}
	if clockShown(m) {
		due := v.now.Add(m.Deadline - v.uptime)
		parts = append(parts, v.say("status.due", args{"Time": timestamp(due, 'R')}))
	}
	return strings.Join(parts, " · ")
}

// clockShown reports whether the board names the time by which a move is due: in
// games between people only.
func clockShown(m store.Match) bool {
	return m.State == store.Active && !againstBot(m) && patience(m) != abandonAfter
}

// timestamp returns Discord's markup for a point in time, which every viewer sees
// in his own time zone; style is Discord's letter.
func timestamp(t time.Time, style rune) string { return fmt.Sprintf("<t:%d:%c>", t.Unix(), style) }

func (v view) result(m store.Match) string {
	winner, loser := v.seat(m, m.Winner), v.player(m.Player(m.Winner.Other()))
	switch m.EndReason {
	case store.ByLine:
		return v.marks.end + " " + v.say("end.line", args{"Winner": winner, "Cells": v.winningCells(m)})
	case store.FullBoard:
		return v.say("end.draw", nil)
	case store.Resignation:
		return v.say("end.resignation", args{"Loser": loser, "Winner": winner})
	case store.Clock:
		return v.say("end.clock", args{"Loser": loser, "Winner": winner})
	case store.Idle:
		return v.say("end.idle", args{"Duration": v.duration(m.Clock)})
	case store.Stopped:
		return v.say("end.stopped", args{"Moderator": mention(m.EndedBy)})
	case store.Unreachable:
		return v.say("end.unreachable", nil)
	default:
		return v.say("end.abandoned", args{"Duration": v.duration(abandonAfter)})
	}
}

func (v view) winningCells(m store.Match) string {
	g, err := position(m)
	if err != nil {
		return ""
	}
	var names []string
	for c := range m.Rules.CellsOf(g.WinningCells()) {
		names = append(names, m.Rules.CellName(c))
	}
	return strings.Join(names, " ")
}

// small is the line in small print: who plays whom at what, or what it came to.
func (v view) small(m store.Match) string {
	var parts []string
	if m.State == store.Active {
		parts = append(parts, v.seat(m, engine.X), v.seat(m, engine.O), v.goal(m.Rules))
		if m.Series.Played() {
			parts = append(parts, v.score(m.Series))
		}
	} else {
		parts = append(parts, v.seat(m, engine.X), v.seat(m, engine.O), v.count("moves", len(m.Moves)))
		if m.Series.Played() {
			parts = append(parts, v.say("series", args{"Score": v.score(seriesAfter(m))}))
		}
	}
	return "-# " + strings.Join(parts, " · ")
}

// goal says how long a row wins.
func (v view) goal(r engine.Rules) string { return v.say(fmt.Sprintf("goal.%d", r.K), nil) }

// score is the state of a series by seats, X first: "2–1, 1 draw".
func (v view) score(s store.Score) string {
	text := fmt.Sprintf("%d–%d", s.X, s.O)
	if s.Draws > 0 {
		text += ", " + v.count("draws", s.Draws)
	}
	return text
}

// textBoard is the board in characters, for those who cannot use the buttons or
// see them dimmed. With cell names it has the row numbers too, and the cells by
// mark.
func (v view) textBoard(m store.Match, g engine.Game) string {
	var b strings.Builder
	won := g.WinningCells()
	if m.CellNames {
		b.WriteString("`·` ")
		for column := range m.Rules.M {
			// Letters as wide as the marks; between them a space of no width keeps two
			// from being read as the flag of a country.
			b.WriteString(string('🇦'+rune(column)) + blankLabel)
		}
		b.WriteByte('\n')
	}
	for c := engine.Cell(0); m.Rules.Contains(c); c++ {
		if m.Rules.Column(c) == 0 {
			if c > 0 {
				b.WriteByte('\n')
			}
			if m.CellNames {
				fmt.Fprintf(&b, "`%d` ", m.Rules.Row(c)+1)
			}
		}
		if won&m.Rules.Bit(c) != 0 {
			b.WriteString(v.marks.win)
		} else {
			b.WriteString(v.marks.symbol(g.At(c)))
		}
	}
	if m.CellNames {
		for _, mark := range [...]engine.Mark{engine.X, engine.O} {
			if g.Marks(mark) == 0 {
				continue
			}
			b.WriteString("\n" + v.marks.symbol(mark))
			for c := range m.Rules.CellsOf(g.Marks(mark)) {
				b.WriteString(" " + m.Rules.CellName(c))
			}
		}
	}
	return b.String()
}

// afterword is what stands below the result: an offered rematch, and which move
// lost it.
func (v view) afterword(m store.Match) string {
	if m.State != store.Ended {
		return ""
	}
	var lines []string
	if ply, held, ok := lostBy(m); ok {
		lines = append(lines, v.say("end.blunder", args{"Move": ply + 1, "Cell": m.Rules.CellName(held)}))
	}
	switch {
	case m.RematchX:
		lines = append(lines, v.say("rematch.offered", args{"Player": v.player(m.X)}))
	case m.RematchO:
		lines = append(lines, v.say("rematch.offered", args{"Player": v.player(m.O)}))
	}
	return strings.Join(lines, "\n")
}

// grid returns a row of buttons for each row of the board.
func (v view) grid(m store.Match, g engine.Game) []component {
	won, over := g.WinningCells(), m.State == store.Ended
	rows := make([]component, 0, m.Rules.N)
	for c := engine.Cell(0); m.Rules.Contains(c); c++ {
		if m.Rules.Column(c) == 0 {
			rows = append(rows, row())
		}
		mark := g.At(c)
		style, label := styleSecondary, blankLabel
		switch {
		case mark == engine.None && m.CellNames:
			label = m.Rules.CellName(c)
		case mark == engine.None:
		case won&m.Rules.Bit(c) != 0:
			style, label = styleSuccess, v.marks.label(mark)
		case won != 0: // the other marks step back behind the line
			label = v.marks.label(mark)
		case mark == engine.X:
			style, label = stylePrimary, v.marks.label(mark)
		default:
			style, label = styleDanger, v.marks.label(mark)
		}
		b := button(style, label, customID{action: actCell, match: m.ID, ply: len(m.Moves), cell: c})
		b.Disabled = over
		last := &rows[len(rows)-1]
		last.Components = append(last.Components, b)
	}
	return rows
}

// controls returns the row below the grid, or nothing once a rematch has taken
// the board's place.
func (v view) controls(m store.Match) []component {
	id := func(a action) customID { return customID{action: a, match: m.ID} }
	if m.State == store.Active {
		return []component{row(
			button(styleSecondary, v.say("button.cell_names", nil), id(actNames)),
			button(styleSecondary, v.say("button.resign", nil), id(actResign)),
		)}
	}
	if m.Next != 0 || m.EndReason == store.Unreachable {
		return nil
	}
	rematch := v.say("button.rematch", nil)
	if m.RematchX || m.RematchO {
		rematch = v.say("button.rematch_offered", nil)
	}
	buttons := []component{button(stylePrimary, rematch, id(actRematch))}
	if _, ok := harder(m); ok {
		buttons = append(buttons, button(styleSecondary, v.say("button.harder", nil), id(actHarder)))
	}
	if m.Player(m.Winner).IsUser() && !m.Private() && m.Guild != "" {
		buttons = append(buttons, button(styleSecondary, v.say("button.play_winner", nil), id(actPlayWinner)))
	}
	return []component{row(buttons...)}
}

// harder returns the name of the next stronger opponent that plays the match's
// board, if it is against the program and there is one.
func harder(m store.Match) (string, bool) {
	bot := m.Player(botMark(m))
	if bot.Opponent == "" {
		return "", false
	}
	name, ok := strategy.Stronger(bot.Opponent)
	if !ok {
		return "", false
	}
	o, ok := strategy.ByName(name)
	return name, ok && o.Plays(m.Rules)
}
