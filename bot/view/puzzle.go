package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/engine/puzzle"
	"tictactoe/engine/solver"
	"tictactoe/store"
)

// Puzzles shows the puzzles of days.
type Puzzles struct{ View }

// Puzzle is how somebody stands with the puzzle of a day.
type Puzzle struct {
	puzzle.Puzzle
	Try     store.PuzzleTry
	Step    puzzle.Step   // what their last move came to
	Puzzler store.Puzzler // once it is over
	Solvers int           // who solved it in the guild
	InGuild bool
	// FinishFirst says that the puzzle of the day before can still be finished.
	FinishFirst bool
}

// Puzzle is the private board of a puzzle: to be pressed while it goes on, as text when it
// is over. Its first component carries the version of what it shows.
func (v Puzzles) Puzzle(p Puzzle) (discord.Message, error) {
	moves := p.Try.Moves
	if before, own, ok := match.LastOwnMove(p.Try); ok && p.Try.Lost {
		moves = append(slices.Clone(before), own) // the answer may be the solution
	}
	g, err := p.Start.After(moves)
	if err != nil {
		return discord.Message{}, err
	}
	m := store.Match{Rules: p.Start.Rules(), State: store.Active}
	var container discord.Component
	var outside []discord.Component
	if p.Try.State != store.PuzzleOpen {
		container = discord.Container(accentOver, discord.TextDisplay(v.puzzleOver(p, g)))
	} else {
		container = discord.Container(accents[p.Side()], discord.TextDisplay(v.puzzleGoingOn(p, m, g)))
		list, cell := customid.ID{Action: customid.PuzzleInList, Day: p.Day}, customid.ID{Action: customid.PuzzleCell, Day: p.Day}
		if outside = v.board(p).field(m, g, list, cell); m.Rules.M < wideBoard || p.Try.AsList {
			container.Components, outside = append(container.Components, outside...), nil
		}
	}
	container.ID = customid.Marker(p.Try.Version)
	return panel(slices.Concat([]discord.Component{container}, outside, v.puzzleButtons(p))...), nil
}

// puzzleGoingOn is what stands above the field: the task, and what the last move came to.
func (v Puzzles) puzzleGoingOn(p Puzzle, m store.Match, g engine.Game) string {
	task := v.say(when(!p.Try.Lost, "puzzle.small"), args{ // after a lost try nobody is to move
		"Board": boardSize(m.Rules), "Goal": v.goal(m.Rules), "Try": p.Try.Wrong + 1, "Tries": match.PuzzleTries,
		"Time": timestamp(match.PuzzleUntil(p.Day, v.Now), 't'),
	})
	picture := when(p.Try.CellNames || p.Try.AsList, v.board(p).textBoard(m, g))
	return stacked(v.puzzleTitle(p.Puzzle), small(task), v.puzzleStep(p), picture)
}

// puzzleOver tells first how it ended, then why the solution works: the picture marks its
// first move.
func (v Puzzles) puzzleOver(p Puzzle, g engine.Game) string {
	how := v.say("puzzle.failed", nil)
	if p.Try.State == store.PuzzleSolved {
		streak := v.say("puzzle.streak", args{"Now": p.Puzzler.Streak, "Best": p.Puzzler.Best})
		how = dotted(v.say(solvedKeys[min(p.Try.Wrong, len(solvedKeys)-1)], nil), streak)
	} else {
		g = p.Start
	}
	solvers := v.count(when(p.InGuild && p.Solvers > 0, "puzzle.solvers"), p.Solvers)
	next := v.say("puzzle.next", args{"Time": timestamp(match.PuzzleEnds(store.DayOf(v.Now)), 'R')})
	solution := map[engine.Cell]string{p.Solution: v.drawnMarks(store.Match{}).of(p.Side()).Moved}
	return stacked(how, v.puzzleStep(p), small(v.puzzleTitle(p.Puzzle)), v.puzzlePicture(g, p.Try.AsList, solution),
		v.idea(p.Puzzle), small(dotted(solvers, next)))
}

// puzzlePicture is a position with the names at its edges, which sentences about it use, and
// for who plays by list with the cells of each mark.
func (v Puzzles) puzzlePicture(g engine.Game, listed bool, signs map[engine.Cell]string) string {
	cells := cellsAsText(g, v.drawnMarks(store.Match{}), true, going{}, signs)
	return cells + when(listed, v.Board().cellsByMark(g, marks, going{}))
}

// puzzleTitle names the puzzle and says what is asked.
func (v Puzzles) puzzleTitle(p puzzle.Puzzle) string {
	task := v.say("puzzle.hold", args{"Mark": v.drawnMarks(store.Match{}).of(p.Side()).Plain})
	if p.Goal.Value == solver.Win {
		task = v.countWith("puzzle.win", p.Goal.Moves, args{"Mark": v.drawnMarks(store.Match{}).of(p.Side()).Plain})
	}
	return v.say("puzzle.title", args{"Number": puzzle.Number(p.Day), "Task": task})
}

// board draws the field as the person wants it.
func (v Puzzles) board(p Puzzle) Board {
	return Board{View: v.View, names: p.Try.CellNames, list: p.Try.AsList}
}

// puzzleStep tells what the last move came to, while the puzzle goes on or is lost. What the
// other side answers to a wrong one is told when no try is left.
func (v Puzzles) puzzleStep(p Puzzle) string {
	_, c, ok := match.LastOwnMove(p.Try)
	if !ok || p.Try.State == store.PuzzleSolved {
		return ""
	}
	r := p.Start.Rules()
	a := args{"Cell": r.CellName(c)}
	if !p.Try.Lost {
		a["Reply"], a["Mark"] = r.CellName(p.Step.Reply), v.drawnMarks(store.Match{}).of(p.Side().Other()).Plain
		return v.say("puzzle.right", a)
	}
	key := "find.draws"
	switch {
	case p.Step.Left == solver.Win:
		key = "puzzle.later"
	case p.Step.Left == solver.Loss && p.Try.State == store.PuzzleFailed:
		key, a["Answer"] = "find.loses_to", r.CellName(p.Step.Reply)
	case p.Step.Left == solver.Loss:
		key = "find.loses"
	}
	text := v.say(key, a)
	if left := match.PuzzleTries - p.Try.Wrong; left > 0 {
		text += "\n" + v.count("puzzle.tries_left", left)
	}
	return text
}

// ideaKeys are the sentences that tell why a solution works.
var ideaKeys = map[puzzle.Idea]string{
	puzzle.Fork:      "puzzle.idea_fork",
	puzzle.ForkAhead: "puzzle.idea_fork_ahead",
	puzzle.QuietMove: "puzzle.idea_quiet",
	puzzle.Counter:   "puzzle.idea_counter",
	puzzle.TakesKey:  "puzzle.idea_takes_key",
	puzzle.Holds:     "puzzle.idea_holds",
}

// idea tells in one sentence why the solution works.
func (v Puzzles) idea(p puzzle.Puzzle) string {
	return "💡 " + v.say(ideaKeys[p.Idea], args{
		"Cell": p.Start.Rules().CellName(p.Solution), "Mark": v.drawnMarks(store.Match{}).of(p.Side().Other()).Plain,
	})
}

// solvedKeys are the words for at which try it was solved.
var solvedKeys = [match.PuzzleTries]string{"puzzle.solved_1", "puzzle.solved_2", "puzzle.solved_3"}

// puzzleButtons are the controls below the board.
func (v Puzzles) puzzleButtons(p Puzzle) []discord.Component {
	press := func(style int, key string, a customid.Action, day int64) discord.Component {
		return v.button(style, key, customid.ID{Action: a, Day: day})
	}
	if p.Try.State != store.PuzzleOpen {
		return rowOf(
			press(discord.StylePrimary, "button.share", customid.PuzzleShare, p.Day),
			when(p.InGuild, v.press(discord.StyleSecondary, "button.streaks", customid.PuzzleStreaks)),
			v.press(discord.StyleSecondary, "button.play_bot", customid.LobbyPlay))
	}
	named := !p.Try.AsList && (p.Start.Rules().M < wideBoard || p.Try.CellNames)
	names := either(p.Try.CellNames, "button.hide_names", "button.cell_names")
	return rowOf(
		when(p.Try.Lost, press(discord.StylePrimary, "button.try_again", customid.PuzzleAgain, p.Day)),
		when(named, press(discord.StyleSecondary, names, customid.PuzzleNames, p.Day)),
		press(discord.StyleSecondary, either(p.Try.AsList, "button.grid", "button.list"), customid.PuzzleAsList, p.Day),
		press(discord.StyleSecondary, "button.yesterday", customid.PuzzleYesterday, p.Day),
		when(p.FinishFirst, press(discord.StyleSecondary, "button.finish_yesterday", customid.PuzzleSolve, p.Day-1)))
}

// PuzzleSolution tells privately how a puzzle of before is solved, against the best
// defence: the picture has the moves by number. Who wants to solve it is told that its day is
// past, and that there is another today.
func (v Puzzles) PuzzleSolution(p puzzle.Puzzle, line []engine.Cell, past bool) discord.Message {
	numbers := map[engine.Cell]string{}
	for i, c := range line[:min(len(line), 9)] {
		numbers[c] = strconv.Itoa(i+1) + "\ufe0f\u20e3"
	}
	text := stacked(v.say(when(past, "refused.puzzle_closed"), nil), v.puzzleTitle(p), v.puzzlePicture(p.Start, false, numbers), v.idea(p),
		small(v.say("puzzle.line", args{"Moves": p.Start.Rules().FormatMoves(line)})))
	return panel(discord.Container(accentOver, discord.TextDisplay(text)), when(past, discord.Row(v.todaysPuzzleButton())))
}

// PuzzleShared tells everybody how somebody did, by shape and without the solution. It
// notifies nobody.
func (v Puzzles) PuzzleShared(try store.PuzzleTry, puzzler store.Puzzler) discord.Message {
	result, tries := strings.Repeat("✖", try.Wrong), strconv.Itoa(match.PuzzleTries)
	if try.State == store.PuzzleSolved {
		result += "✅ " + strconv.Itoa(try.Wrong+1) + "/" + tries
		if puzzler.Streak > 0 && puzzler.Last == try.Day {
			result += " · 🔥\u00a0" + strconv.Itoa(puzzler.Streak)
		}
	} else {
		result += " –/" + tries
	}
	line := v.say("puzzle.shared", args{"Number": puzzle.Number(try.Day), "Name": v.shownAs(try.User), "Result": result})
	solve := v.button(discord.StylePrimary, "button.solve", customid.ID{Action: customid.PuzzleSolve, Day: try.Day})
	return discord.Message{Content: line, Quiet: true, Components: rowOf(solve)}
}

// todaysPuzzleButton leads to the puzzle of the day.
func (v View) todaysPuzzleButton() discord.Component {
	return v.button(discord.StylePrimary, "button.todays_puzzle", customid.ID{Action: customid.PuzzleSolve, Day: store.DayOf(v.Now)})
}

// PuzzleStreaks tells whose streaks of puzzles go on, most days first. It notifies nobody.
func (v Puzzles) PuzzleStreaks(s Standings) discord.Message {
	lines := []string{v.say("streaks.title", nil), ""}
	for _, r := range s.Rows {
		lines = append(lines, place(r.Rank)+" "+v.shownAs(r.User)+" · "+v.streakAndTries(r))
	}
	if len(s.Rows) == 0 {
		lines = append(lines, v.say("streaks.nobody", nil))
	}
	switch {
	case s.Shown:
	case s.Mine != nil:
		lines = append(lines, "", v.say("streaks.mine", args{"Rank": ownRank(s.Mine.Rank), "Now": v.streakAndTries(*s.Mine)}))
	default:
		lines = append(lines, "", v.say("standings.mine_none", nil))
	}
	lines = append(lines, small(v.say("streaks.rule", nil)))
	return v.Scores().leaderboard(s.Leaf, lines, s.Rows)
}

// streakAndTries tells how many days a streak has, and how many tries they took.
func (v Puzzles) streakAndTries(r store.Standing) string {
	return v.countWith("streaks.tries", r.Tries, args{"Now": r.Points})
}

// PuzzlePost is the puzzle of a day where a guild wants it.
type PuzzlePost struct {
	puzzle.Puzzle
	store.PuzzlePost // as it stands behind this one, which is the last if no other is due
	Before           PuzzleRecap
}

// PuzzleRecap is how the puzzle of the day before went in a guild.
type PuzzleRecap struct {
	puzzle.Puzzle
	store.PuzzleDay               // who has no name is counted
	Line            []engine.Cell // how it is solved; empty as long as somebody can solve it
}

// leastCounted is how many people are counted without names at least: of one or two, others
// could tell who they are.
const leastCounted = 3

// PuzzlePost is plain content, which is what a notification shows. It notifies the role, and
// nobody without one.
func (v Puzzles) PuzzlePost(p PuzzlePost) discord.Message {
	v.OwnMarks = OwnMarks{} // a notification would spell out their names
	m := store.Match{Rules: p.Start.Rules(), State: store.Active}
	task := v.say("puzzle.post", args{
		"Board": boardSize(m.Rules), "Goal": v.goal(m.Rules), "Time": timestamp(match.PuzzleEnds(p.Day), 't'),
	})
	day := func(a customid.Action) customid.ID { return customid.ID{Action: a, Day: p.Day} }
	paused := p.Due.IsZero()
	return discord.Message{
		Content: stacked(v.recap(p), v.puzzleTitle(p.Puzzle), v.Board().textBoard(m, p.Start), small(task),
			v.say(when(paused, "puzzle.paused"), nil), when(p.Role != "", "<@&"+string(p.Role)+">")),
		Role: string(p.Role), Quiet: p.Role == "",
		Components: rowOf(
			v.button(discord.StyleSuccess, "button.solve", day(customid.PuzzleSolve)),
			when(!paused, v.button(discord.StyleSecondary, "button.yesterday", day(customid.PuzzleYesterday))),
			when(!paused, v.press(discord.StyleSecondary, "button.streaks", customid.PuzzleStreaks)),
			when(paused, v.press(discord.StyleSecondary, "button.go_on", customid.PuzzleGoOn))),
	}
}

// recap tells how the day before went, with an empty line below it.
func (v Puzzles) recap(p PuzzlePost) string {
	streak := v.count(when(p.Streak > 1, "recap.streak"), p.Streak)
	r := p.Before
	if r.Solved == 0 {
		return streak
	}
	others := r.Solved
	var told []string
	for wrong := range match.PuzzleTries {
		var names []string
		for _, s := range r.Named {
			if s.Wrong == wrong && v.Names[s.User] != "" {
				names = append(names, v.plainly(s.User))
			}
		}
		if others -= len(names); len(names) > 0 {
			told = append(told, fmt.Sprintf("%d/%d %s", wrong+1, match.PuzzleTries, strings.Join(names, ", ")))
		}
	}
	more := either(len(told) == 0, "puzzle.solvers", "recap.others")
	solvers := dotted(append(told, v.count(when(others >= leastCounted, more), others))...)
	text := stacked(
		streak,
		v.say(when(solvers != "", "recap.yesterday"), args{"Number": puzzle.Number(r.Day), "Solvers": solvers}),
		small(v.say(when(len(r.Line) > 0, "puzzle.line"), args{"Moves": r.Start.Rules().FormatMoves(r.Line)})))
	return when(text != "", text+"\n")
}

// RecapQuestion asks who has shared how it went whether the next post may name them.
func (v Puzzles) RecapQuestion() discord.Message {
	return v.tell("recap.question", nil,
		v.button(discord.StyleSecondary, "button.recap_yes", customid.ID{Action: customid.PuzzleRecap, Value: switchOn}),
		v.button(discord.StyleSecondary, "button.recap_no", customid.ID{Action: customid.PuzzleRecap, Value: switchOff}))
}

// Posted tells what came of posting a puzzle: where it stands, or why there will be no more
// posts. Without either it is tried again.
func (v Puzzles) Posted(link string, fault store.ChannelFault) discord.Message {
	key := either(link == "", "puzzle.posted_later", "puzzle.posted")
	return v.tell(cmp.Or(faultKeys[fault], key), args{"Link": link})
}

// GoesOn tells when the next post comes.
func (v Puzzles) GoesOn(at time.Time) discord.Message {
	return v.tell("puzzle.goes_on", args{"Time": timestamp(at, 'R')})
}
