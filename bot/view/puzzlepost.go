package view

import (
	"strconv"
	"strings"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/engine/puzzle"
	"tictactoe/store"
)

// PuzzlePost is the puzzle of a day where a guild wants it.
type PuzzlePost struct {
	puzzle.Puzzle
	Role   store.RoleID // whom it notifies; nobody without one
	Recap  *PuzzleRecap // nil where nobody solved the one before
	Streak int          // days on which enough people solved it there
	Paused bool         // it is the last one, until somebody wants more
}

// PuzzleRecap is how the puzzle of the day before went in a guild.
type PuzzleRecap struct {
	puzzle.Puzzle
	Solved int            // by how many
	Named  []PuzzleSolver // of them, fewer tries first
	Line   []engine.Cell  // how it is solved; empty as long as somebody can solve it
}

// PuzzleSolver is one who is named, after so many wrong tries.
type PuzzleSolver struct {
	Name  string
	Wrong int
}

// leastCounted is how many people are counted without names at least: of one or two, others
// could tell who they are.
const leastCounted = 3

// PuzzlePost is plain content, which is what a notification shows. It notifies the role, and
// nobody without one.
func (v Puzzles) PuzzlePost(p PuzzlePost) discord.Message {
	v.OwnMarks = OwnMarks{} // a notification would spell out their names
	m := store.Match{Rules: p.Start.Rules(), State: store.Active}
	lines := append(v.recap(p), v.puzzleTitle(p.Puzzle), v.Board().textBoard(m, p.Start), "-# "+v.say("puzzle.post", args{
		"Board": boardSize(m.Rules), "Goal": v.goal(m.Rules), "Time": timestamp(match.PuzzleEnds(p.Day), 't'),
	}))
	day := func(a customid.Action) customid.ID { return customid.ID{Action: a, Day: p.Day} }
	buttons := []discord.Component{
		v.button(discord.StyleSuccess, "button.solve", day(customid.PuzzleSolve)),
		v.button(discord.StyleSecondary, "button.yesterday", day(customid.PuzzleYesterday)),
		v.press(discord.StyleSecondary, "button.streaks", customid.PuzzleStreaks),
	}
	if p.Paused {
		lines = append(lines, v.say("puzzle.paused", nil))
		buttons = append(buttons[:1], v.press(discord.StyleSecondary, "button.go_on", customid.PuzzleGoOn))
	}
	if p.Role != "" {
		lines = append(lines, "<@&"+string(p.Role)+">")
	}
	return discord.Message{
		Content: strings.Join(lines, "\n"), Role: string(p.Role), Quiet: p.Role == "",
		Components: []discord.Component{discord.Row(buttons...)},
	}
}

// recap tells how the day before went.
func (v Puzzles) recap(p PuzzlePost) (lines []string) {
	if p.Streak > 1 {
		lines = append(lines, v.count("recap.streak", p.Streak))
	}
	r := p.Recap
	if r == nil {
		return lines
	}
	var told []string
	for wrong := range match.PuzzleTries {
		var names []string
		for _, s := range r.Named {
			if s.Wrong == wrong {
				names = append(names, isolated(Plain(s.Name)))
			}
		}
		if len(names) > 0 {
			told = append(told, strconv.Itoa(wrong+1)+"/"+strconv.Itoa(match.PuzzleTries)+" "+strings.Join(names, ", "))
		}
	}
	switch others := r.Solved - len(r.Named); {
	case others < leastCounted:
	case len(told) == 0:
		told = append(told, v.count("puzzle.solvers", others))
	default:
		told = append(told, v.count("recap.others", others))
	}
	if len(told) > 0 {
		lines = append(lines, v.say("recap.yesterday", args{"Number": puzzle.Number(r.Day), "Solvers": strings.Join(told, " · ")}))
	}
	if len(r.Line) > 0 {
		lines = append(lines, "-# "+v.say("puzzle.line", args{"Moves": r.Start.Rules().FormatMoves(r.Line)}))
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// RecapQuestion asks who has shared how it went whether the next post may name them.
func (v Puzzles) RecapQuestion() discord.Message {
	return v.tell("recap.question", nil,
		v.button(discord.StyleSecondary, "button.recap_yes", customid.ID{Action: customid.PuzzleRecap, Value: switchOn}),
		v.button(discord.StyleSecondary, "button.recap_no", customid.ID{Action: customid.PuzzleRecap, Value: switchOff}))
}

// PuzzlePosted is what came of posting a puzzle: where it stands, or why there will be no more
// posts. Without either it is tried again.
type PuzzlePosted struct {
	Link  string
	Fault store.ChannelFault
}

// Posted tells what came of that.
func (v Puzzles) Posted(p PuzzlePosted) discord.Message {
	switch {
	case p.Fault != 0:
		return v.tell(faultKeys[p.Fault], nil)
	case p.Link == "":
		return v.tell("puzzle.posted_later", nil)
	}
	return v.tell("puzzle.posted", args{"Link": p.Link})
}

// GoesOn tells when the next post comes.
func (v Puzzles) GoesOn(at time.Time) discord.Message {
	return v.tell("puzzle.goes_on", args{"Time": timestamp(at, 'R')})
}
