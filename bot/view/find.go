package view

import (
	"slices"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// MostTries is how often somebody may try to find what was better than a mistake.
const MostTries = 2

// Find is the position before a mistake, in which somebody looks for what was better.
type Find struct {
	Match   store.Match
	Ply     int           // how many moves have been made
	Verdict coach.Verdict // on the move that was made then, a mistake
	Tries   int           // made so far

	// Of the last try; they mean nothing before the first.
	Cell   engine.Cell
	Right  bool
	Answer engine.Cell    // the best one of the other side, where it wins,
	After  coach.Standing // and how it ends
}

// Done reports whether there is nothing to look for any more.
func (f Find) Done() bool { return f.Tries > 0 && f.Right || f.Tries >= MostTries }

// crossedOut is the label of a cell that was tried and is wrong.
const crossedOut = "✖"

// Find shows the position privately, as buttons to press, with the cell crossed out that was
// wrong. It names no other.
func (v Reviews) Find(f Find) (discord.Message, error) {
	at := f.Match
	at.Moves, at.State = at.Moves[:f.Ply], store.Active
	g, err := engine.Replay(at.Rules, at.Moves)
	if err != nil {
		return discord.Message{}, err
	}
	goal := "find.hold_draw"
	if f.Verdict.Kind == coach.GaveWin {
		goal = "find.hold_win"
	}
	marks, wrong := v.usualMarks(at), map[engine.Cell]string{}
	text := "**" + v.say(goal, args{"Mark": marks.of(g.SideToMove()).Plain}) + "**"
	if f.Tries > 0 {
		wrong[f.Cell] = crossedOut
		text += "\n" + sentences(v.tried(f), v.say("find.again", nil))
	}
	parts := []discord.Component{discord.TextDisplay(text)}
	field := Board{View: v.View, names: true}.cells(at, g, func(c engine.Cell) customid.ID {
		if f.Tries == 0 {
			return customid.ID{Action: customid.ReviewTry, Match: at.ID, Ply: f.Ply, Cell: c}
		}
		return customid.ID{Action: customid.ReviewTryNext, Match: at.ID, Ply: f.Ply, Wrong: f.Cell, Cell: c}
	})
	if f.Tries > 0 {
		field[at.Rules.Row(f.Cell)].Components[at.Rules.Column(f.Cell)].Label = crossedOut
	}
	tell := discord.Row(v.button(discord.StyleSecondary, "button.tell", customid.ID{Action: customid.ReviewTell, Match: at.ID, Ply: f.Ply + 1}))
	if at.Rules.M >= wideBoard {
		parts, field = append(parts, discord.TextDisplay(cellsAsText(g, marks, true, goingOf(at, g), wrong))), append(field, tell)
	} else { // thumbs keep off the answer
		parts, field = slices.Concat(parts, field, []discord.Component{discord.Separator(), tell}), nil
	}
	return discord.Message{V2: true, Ephemeral: true, People: people(at), Components: slices.Insert(field, 0, discord.Container(accentIn(g), parts...))}, nil
}

// tried tells what the last try was worth. As long as there is another it does not say what
// the other side answers: often that is the cell to be found.
func (v Reviews) tried(f Find) string {
	a := args{"Cell": f.Match.Rules.CellName(f.Cell), "Answer": f.Match.Rules.CellName(f.Answer)}
	switch {
	case f.Right:
		return v.say("find.right", a)
	case f.After.Winner == engine.None:
		return v.say("find.draws", a)
	case f.Done():
		return v.say("find.loses_to", a)
	default:
		return v.say("find.loses", a)
	}
}
