package view

import (
	"slices"
	"strings"

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
	Cell     engine.Cell
	Right    bool
	Answered bool           // the other side has an answer,
	Answer   engine.Cell    // the best of which is this,
	After    coach.Standing // and so it ends then
}

func (f Find) done() bool { return f.Tries > 0 && f.Right || f.Tries >= MostTries }

// Find shows the position privately, as buttons to press as long as there are tries left.
func (v Reviews) Find(f Find) (discord.Message, error) {
	at := f.Match
	at.Moves, at.State, at.CellNames, at.AsList = at.Moves[:f.Ply], store.Active, true, false
	g, err := engine.Replay(at.Rules, at.Moves)
	if err != nil {
		return discord.Message{}, err
	}
	question := "find.draw"
	if f.Verdict.Kind == coach.GaveWin {
		question = "find.win"
	}
	head := "**" + v.say("find.head", args{"Move": f.Ply + 1}) + "**\n" + v.say(question, args{"Player": v.seat(at, g.SideToMove())})
	parts := []discord.Component{discord.TextDisplay(head)}
	wide := at.Rules.M >= wideBoard
	if f.done() || wide {
		signs := map[engine.Cell]string{}
		if f.done() {
			better, _ := betterNamed(f.Verdict.Better)
			for _, c := range better {
				signs[c] = v.Board().boardMarks(at).better
			}
		}
		parts = append(parts, discord.TextDisplay(cellsAsText(g, v.Board().boardMarks(at), true, goingOf(at, g), signs)))
	}
	if f.Tries > 0 {
		parts = append(parts, discord.TextDisplay(strings.Join(v.tried(f, g), "\n")))
	}
	var outside []discord.Component
	if !f.done() {
		outside = v.Board().cells(at, g, func(c engine.Cell) customid.ID {
			return customid.ID{Action: customid.ReviewTry, Match: at.ID, Ply: f.Ply, Tries: f.Tries, Cell: c}
		})
	}
	if !f.done() && !wide {
		outside = append(outside, discord.Separator()) // thumbs keep off the way back
	}
	back := v.button(discord.StyleSecondary, "button.back_to_review", customid.ID{Action: customid.ReviewBack, Match: at.ID, Ply: f.Ply + 1})
	outside = append(outside, discord.Row(back))
	if !wide {
		parts, outside = slices.Concat(parts, outside), nil
	}
	container := discord.Container(accentIn(g), parts...)
	return discord.Message{V2: true, Ephemeral: true, People: people(at), Components: slices.Concat([]discord.Component{container}, outside)}, nil
}

// tried tells what the last try was worth: why it was wrong, and what was right where no
// try is left.
func (v Reviews) tried(f Find, g engine.Game) []string {
	r := g.Rules()
	a := args{"Cell": r.CellName(f.Cell), "Mark": marksOf(f.Match).symbol(g.SideToMove().Other()), "Answer": r.CellName(f.Answer)}
	var lines []string
	switch {
	case f.Right:
		lines = append(lines, v.say("find.right", a))
	case !f.Answered:
		lines = append(lines, v.say("find.ends", a))
	case f.After.Winner == engine.None:
		lines = append(lines, v.say("find.drawn", a))
	default:
		lines = append(lines, v.countWith("find.lost", (f.After.Plies+1)/2, a))
	}
	if !f.done() {
		return append(lines, v.say("find.again", nil))
	}
	return append(lines, v.better(f.Match, f.Verdict))
}
