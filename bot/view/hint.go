package view

import (
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// HintQuestion says what a hint costs, before it is given in one of the matches. Several
// says that whoever asks plays in more than these.
func (v Reviews) HintQuestion(matches []store.Match, several bool) discord.Message {
	var buttons []discord.Component
	for _, m := range matches {
		label := v.say("button.hint", nil)
		if m.Private() && (several || len(matches) > 1) {
			label = v.say("button.hint_private", nil)
		}
		buttons = append(buttons, button(discord.StylePrimary, label, customid.ID{Action: customid.HintConfirm, Match: m.ID}))
	}
	return v.tell("hint.question", nil, buttons...)
}

// Hint tells the side to move in the match a move, and what that is worth. The cell it shows
// on a picture as well, unless they play where cells have names. It is plain content, which has
// no emojis of the application.
func (v Reviews) Hint(m store.Match, best coach.Move) discord.Message {
	a := args{"Cell": m.Rules.CellName(best.Cell)}
	text := v.say("hint.resists", a)
	switch best.Standing.Winner {
	case match.SideToMove(m):
		// Of the moves that are left the winner makes the first, the last, and every other.
		text = v.countWith("hint.wins", (best.Standing.Plies+1)/2, a)
	case engine.None:
		text = v.say("hint.holds", a)
	}
	if g, err := match.Position(m); err == nil {
		if as, marks := v.Board().wished(m), v.marksOf(m); !as.names && !as.list {
			text += "\n" + cellsAsText(g, marks, true, goingOf(m, g), map[engine.Cell]string{best.Cell: marks.better})
		}
	}
	return private(text)
}
