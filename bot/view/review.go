package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// Reviews shows what was good in a match, and hints.
type Reviews struct{ View }

// Review is an ended match at one of its moments, with what each move was worth.
type Review struct {
	Match    store.Match
	Verdicts []coach.Verdict // of all moves
	Ply      int             // how many moves have been made
	Shown    bool            // to everybody in the channel, without ways to other moments
	By       store.UserID    // who shows it
	Open     bool            // who sees it may walk through all of it
	Told     bool            // at a mistake: what would have been better
	Tried    *Find           // what somebody tried who has looked for that, or nil
}

// asks reports whether the moment is a mistake that somebody may find better themselves.
func (r Review) asks() bool {
	return !r.Told && !r.Shown && r.Ply > 0 && r.Verdicts[r.Ply-1].Kind.Mistake()
}

// Review shows the moment: the position, the move that led to it, what that was worth, and
// privately ways to the others.
func (v Reviews) Review(r Review) (discord.Message, error) {
	r.Match.GridStands = false // there are no buttons with X and O beside this picture
	m := r.Match
	r.Ply = min(r.Ply, len(m.Moves), len(r.Verdicts))
	g, err := engine.Replay(m.Rules, m.Moves[:r.Ply])
	if err != nil {
		return discord.Message{}, err
	}
	sharer := v.say(when(r.Shown, "review.shared_by"), args{"Player": v.shownAs(r.By)})
	head := stacked("**"+v.reviewHead(r)+"**", small(dotted(v.say("small.players", v.Board().players(m)), sharer)))
	words, ended := v.mistakesOf(r), r.Ply == len(m.Moves)
	if r.Ply > 0 {
		words = v.judged(r)
	}
	first, how := v.Board().result(m, g)
	words = stacked(
		words,
		when(ended && (!r.Shown || m.EndReason != store.Stopped), sentences(first, how)), // no moderator is named to all
		when(ended && r.Ply > 0 && len(coach.Mistakes(r.Verdicts)) == 0, v.mistakesOf(r)),
		when(m.Rules.Cells() > engine.Standard.Cells(), small(v.bar(v.drawnMarks(m), r.stands())))) // else the words above say it
	parts := each([]string{head, v.reviewed(r, g), words}, discord.TextDisplay)
	if r.Shown {
		// It leads to all of the game, or where that is its players' alone to one of one's own.
		open := v.button(discord.StylePrimary, "button.open_game", customid.ID{Action: customid.Review, Match: m.ID})
		way := either(r.Open, open, v.press(discord.StylePrimary, "button.play_bot", customid.LobbyPlay))
		shown := []discord.Component{discord.Container(accentIn(g), parts...), discord.Row(way)}
		return discord.Message{V2: true, Quiet: true, Components: shown}, nil
	}
	looked := discord.Container(accentIn(g), append(parts, v.walk(r), v.reviewControls(r, g.Over()))...)
	return withPeople(panel(looked), peopleShown(m)), nil
}

// Notation tells privately how the moment is written down, so that it can be copied: the
// position, or at the beginning all moves.
func (v Reviews) Notation(m store.Match, ply int) (discord.Message, error) {
	ply = min(ply, len(m.Moves))
	g, err := engine.Replay(m.Rules, m.Moves[:ply])
	if err != nil {
		return discord.Message{}, err
	}
	return private("`" + either(ply == 0, m.Rules.FormatMoves(m.Moves), g.String()) + "`"), nil
}

// reviewHead says which moment it is. At a mistake it says which one and whose, so that nobody
// takes the button that leads to the next for that, nor the other side's mistake for theirs.
func (v Reviews) reviewHead(r Review) string {
	if r.Ply == 0 {
		return v.say("review.start", args{"Move": 1})
	}
	head := v.say("review.head", args{"Move": r.Ply, "Moves": len(r.Match.Moves)})
	mistakes := coach.Mistakes(r.Verdicts)
	if n := slices.Index(mistakes, r.Ply-1); n >= 0 {
		head += " · " + v.drawnMarks(r.Match).of(r.mover()).Plain + " " + v.say("button.mistake", args{"Number": n + 1, "Of": len(mistakes)})
	}
	return head
}

// accentIn is the colour of the side to move, or grey where nobody is.
func accentIn(g engine.Game) int {
	return accents[when(!g.Over(), g.SideToMove())]
}

// stands returns how the position ends that is shown.
func (r Review) stands() coach.Standing {
	switch {
	case r.Ply > 0:
		return r.Verdicts[r.Ply-1].After
	case len(r.Verdicts) > 0:
		return r.Verdicts[0].Before
	default:
		return coach.Standing{}
	}
}

// mover returns whose the move was that led to the position.
func (r Review) mover() engine.Mark {
	return match.SideToMove(store.Match{Moves: r.Match.Moves[:r.Ply-1]})
}

// reviewed is the position with the move just made and, where they are few, the cells that
// would have been better. Where marks vanish it says which go next.
func (v Reviews) reviewed(r Review, g engine.Game) string {
	at := r.Match
	at.Moves = at.Moves[:r.Ply]
	at.State = either(g.Over(), store.Ended, store.Active)
	signs, marks := map[engine.Cell]string{}, v.drawnMarks(at)
	if r.Ply > 0 {
		if !r.asks() {
			better, _ := betterNamed(r.Verdicts[r.Ply-1].Better)
			for _, c := range better {
				signs[c] = marks.better
			}
		}
		if !g.Over() { // else it may stand on the line
			signs[at.Moves[r.Ply-1]] = marks.of(r.mover()).Moved
		}
	}
	going := goingOf(at, g)
	return cellsAsText(g, marks, true, going, signs) + when(going.possible && r.Ply > 0, v.Board().cellsByMark(g, marks, going))
}

// mostNamed is how many better cells are named; on a large board nearly all may be.
const mostNamed = 4

// betterNamed returns the better cells that are named, and how many more there are.
func betterNamed(better []engine.Cell) (cells []engine.Cell, more int) {
	if len(better) <= mostNamed+1 { // "and 1 more" takes as much room as its name
		return better, 0
	}
	return better[:mostNamed], len(better) - mostNamed
}

// judged says which move was made, what it was worth, and, unless that is asked, what would
// have been better.
func (v Reviews) judged(r Review) string {
	m, verdict := r.Match, r.Verdicts[r.Ply-1]
	move := v.drawnMarks(m).of(r.mover()).Moved + " **" + m.Rules.CellName(m.Moves[r.Ply-1]) + "** · " + v.seat(m, r.mover())
	tried := ""
	if r.Tried != nil {
		tried = v.tried(*r.Tried)
	}
	won := verdict.Kind == coach.KeptWin && verdict.After.Plies == 0 // the result says it
	return stacked(tried, move,
		when(!won, v.worth(v.drawnMarks(m), verdict)),
		when(len(verdict.Better) > 0 && !r.asks(), v.better(m, verdict)))
}

// worth is the verdict in words.
func (v Reviews) worth(marks markSet, verdict coach.Verdict) string {
	after := verdict.After
	// The side that wins makes every other move, the last one among them.
	moves, a := (after.Plies+1)/2, args{"Mark": marks.of(after.Winner).Plain}
	switch {
	case verdict.Kind == coach.KeptDraw:
		return v.say("review.kept_draw", nil)
	case verdict.Kind == coach.GaveWin && after.Winner == engine.None:
		return v.say("review.gave_win", nil)
	}
	return v.countWith(cmp.Or(verdictKeys[verdict.Kind].worth, "review.resisted"), moves, a)
}

// verdictKeys are the words for moves after which somebody wins, and for what would have been
// better.
var verdictKeys = map[coach.Kind]struct{ worth, better string }{
	coach.KeptWin:    {"review.kept_win", "review.better_sooner"},
	coach.GaveWin:    {"review.gave_win_lost", "review.better_win"},
	coach.GaveDraw:   {"review.gave_draw", "review.better_draw"},
	coach.LostSooner: {"review.lost_sooner", "review.better_longer"},
}

// better names the cells that would have been better.
func (v Reviews) better(m store.Match, verdict coach.Verdict) string {
	cells, more := betterNamed(verdict.Better)
	a := args{"Sign": v.drawnMarks(m).better, "Cells": m.Rules.FormatMoves(cells)}
	if more > 0 {
		a["Cells"] = v.countWith("review.more", more, args{"Cells": a["Cells"]})
	}
	return v.say(verdictKeys[verdict.Kind].better, a)
}

// mistakesOf counts what each side gave away.
func (v Reviews) mistakesOf(r Review) string {
	var made [2]int // by X and by O
	marks := v.drawnMarks(r.Match)
	for _, ply := range coach.Mistakes(r.Verdicts) {
		made[ply%2]++
	}
	if made == [2]int{} {
		return v.say("review.flawless", nil)
	}
	return v.say("review.mistakes", args{"MarkX": marks.x.Plain, "X": made[0], "MarkO": marks.o.Plain, "O": made[1]})
}

// bar tells who stands how: by how far it is filled, and in words.
func (v Reviews) bar(marks markSet, s coach.Standing) string {
	const half = 3
	filled := [...]int{engine.None: half, engine.X: 2 * half, engine.O: 0}[s.Winner]
	wins := either(s.Plies == 0, "review.bar_won", "review.bar_wins")
	key := either(s.Winner == engine.None, "review.bar_draw", wins)
	words := v.say(key, args{"Mark": marks.of(s.Winner).Plain})
	return fmt.Sprintf("%s %s%s %s · %s", marks.x.Plain, strings.Repeat("▰", filled), strings.Repeat("▱", 2*half-filled), marks.o.Plain, words)
}

// to is a button that leads to another moment, and stays where it stands where it leads
// nowhere.
func (v Reviews) to(r Review, a customid.Action, label string, ply int) discord.Component {
	b := button(discord.StyleSecondary, label, customid.ID{Action: a, Match: r.Match.ID, Ply: min(max(ply, 0), len(r.Match.Moves))})
	b.Disabled = ply < 0 || ply > len(r.Match.Moves) || ply == r.Ply
	return b
}

// walk is the row of buttons that lead to the other moments. Each says where it leads. Four
// fit beside each other on a phone.
func (v Reviews) walk(r Review) discord.Component {
	back := "◀" + when(r.Ply > 0, fmt.Sprintf(" %d", r.Ply-1))
	on := when(r.Ply < len(r.Match.Moves), fmt.Sprintf("%d ", r.Ply+1)) + "▶"
	return discord.Row(
		v.to(r, customid.ReviewFirst, "⏮", 0), v.to(r, customid.ReviewBack, back, r.Ply-1),
		v.to(r, customid.ReviewOn, on, r.Ply+1), v.to(r, customid.ReviewLast, "⏭", len(r.Match.Moves)),
	)
}

// reviewControls is the row of what can be done with the position, and of what leads to the
// next mistake. At a mistake there is first the question what would have been better.
func (v Reviews) reviewControls(r Review, over bool) discord.Component {
	id := func(a customid.Action) customid.ID { return customid.ID{Action: a, Match: r.Match.ID, Ply: r.Ply} }
	if r.asks() {
		find := customid.ID{Action: customid.ReviewFind, Match: r.Match.ID, Ply: r.Ply - 1}
		return discord.Row(
			v.button(discord.StylePrimary, "button.find", find),
			v.button(discord.StyleSecondary, "button.tell", id(customid.ReviewTell)),
		)
	}
	var toMistake discord.Component
	mistakes := coach.Mistakes(r.Verdicts)
	next := max(slices.IndexFunc(mistakes, func(ply int) bool { return ply+1 > r.Ply }), 0) // after the last the first
	if len(mistakes) > 0 && mistakes[next]+1 != r.Ply {
		label := v.say("button.mistake", args{"Number": next + 1, "Of": len(mistakes)})
		toMistake = v.to(r, customid.ReviewMistake, label, mistakes[next]+1)
		toMistake.Style = discord.StylePrimary
	}
	return row(
		toMistake,
		when(!over, v.button(discord.StyleSecondary, "button.play_on", id(customid.PlayOn))),
		v.button(discord.StyleSecondary, "button.share", id(customid.ReviewShare)),
		v.button(discord.StyleSecondary, "button.copy", id(customid.ReviewCopy)))
}

// ReviewFrom returns at how many moves the review begins for somebody: at their first
// mistake, else at the first one, else at the end.
func ReviewFrom(m store.Match, verdicts []coach.Verdict, user store.UserID) int {
	mistakes, seat := coach.Mistakes(verdicts), m.Seat(user)
	for _, ply := range mistakes {
		if before := (store.Match{Moves: m.Moves[:ply]}); seat == match.SideToMove(before) {
			return ply + 1
		}
	}
	if len(mistakes) > 0 {
		return mistakes[0] + 1
	}
	return len(m.Moves)
}

// LastGames is a private list of somebody's matches that are over, each with a button that
// opens its review in the place of the list. Only the first [MostListed] are shown.
func (v Reviews) LastGames(user store.UserID, results []store.Result) discord.Message {
	if len(results) == 0 {
		return v.tell("review.list_none", args{"Command": v.Command("play")})
	}
	results = results[:min(len(results), MostListed)]
	parts := []discord.Component{discord.TextDisplay(v.say("review.list", nil))}
	var people []store.UserID
	for _, r := range results {
		people = append(people, r.X.User, r.O.User)
		open := v.button(discord.StyleSecondary, "button.open", customid.ID{Action: customid.ReviewAgain, Match: r.Match})
		parts = append(parts, discord.Section(open, discord.TextDisplay(v.lastGame(user, r))))
	}
	return withPeople(panel(parts...), ids(people...))
}

// lastGame tells how a match ended for the user, and in small print which one it was.
func (v Reviews) lastGame(user store.UserID, r store.Result) string {
	m, key := store.Match{X: r.X, O: r.O}, "review.unfinished"
	switch {
	case r.Winner == m.Seat(user):
		key = "review.won"
	case r.Winner != engine.None:
		key = "review.lost"
	case r.EndReason.Draw():
		key = "review.drew"
	}
	named := r.Rules == engine.Vanishing || r.Rules.Square() && r.Rules.K == r.Rules.M // in few characters
	board := either(named, v.boardName(r.Rules), fmt.Sprintf("%s-%d", boardSize(r.Rules), r.Rules.K))
	line := v.say(key, args{"Opponent": v.player(m.Player(m.Seat(user).Other()))})
	return stacked(line, small(dotted(board, timestamp(r.Ended, 'R'))))
}

// mostTries is how often somebody may try to find what was better than a mistake.
const mostTries = 2

// Find is the position before a mistake, in which somebody looks for what was better.
type Find struct {
	Match    store.Match
	Verdicts []coach.Verdict // of all its moves
	Ply      int             // how many moves have been made
	Tries    int             // made so far

	// Of the last try; they mean nothing before the first.
	Cell   engine.Cell
	Right  bool
	Answer engine.Cell    // the best one of the other side, where it wins,
	After  coach.Standing // and how it ends
}

// Verdict is the one on the move that was made then, a mistake.
func (f Find) Verdict() coach.Verdict { return f.Verdicts[f.Ply] }

// Done reports whether there is nothing to look for any more.
func (f Find) Done() bool { return f.Tries > 0 && f.Right || f.Tries >= mostTries }

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
	goal := either(f.Verdict().Kind == coach.GaveWin, "find.hold_win", "find.hold_draw")
	marks, wrong := v.usualMarks(at), map[engine.Cell]string{}
	text := "**" + v.say(goal, args{"Mark": marks.of(g.SideToMove()).Plain}) + "**"
	if f.Tries > 0 {
		wrong[f.Cell] = crossedOut
		text += "\n" + sentences(v.tried(f), v.say("find.again", nil))
	}
	parts := []discord.Component{discord.TextDisplay(text)}
	try := customid.ID{Action: customid.ReviewTry, Match: at.ID, Ply: f.Ply}
	if f.Tries > 0 {
		try.Action, try.Wrong = customid.ReviewTryNext, f.Cell
	}
	field := Board{View: v.View, names: true}.cells(at, g, try)
	if f.Tries > 0 {
		field[at.Rules.Row(f.Cell)].Components[at.Rules.Column(f.Cell)].Label = crossedOut
	}
	tell := discord.Row(v.button(discord.StyleSecondary, "button.tell", customid.ID{Action: customid.ReviewTell, Match: at.ID, Ply: f.Ply + 1}))
	if at.Rules.M >= wideBoard {
		parts, field = append(parts, discord.TextDisplay(cellsAsText(g, marks, true, goingOf(at, g), wrong))), append(field, tell)
	} else { // thumbs keep off the answer
		parts, field = slices.Concat(parts, field, []discord.Component{discord.Separator(), tell}), nil
	}
	return withPeople(panel(slices.Insert(field, 0, discord.Container(accentIn(g), parts...))...), people(at)), nil
}

// tried tells what the last try was worth. As long as there is another it does not say what
// the other side answers: often that is the cell to be found.
func (v Reviews) tried(f Find) string {
	a := args{"Cell": f.Match.Rules.CellName(f.Cell), "Answer": f.Match.Rules.CellName(f.Answer)}
	wrong := either(f.After.Winner == engine.None, "find.draws", either(f.Done(), "find.loses_to", "find.loses"))
	return v.say(either(f.Right, "find.right", wrong), a)
}

// HintQuestion says what a hint costs, before it is given in one of the matches. Several
// says that whoever asks plays in more than these.
func (v Reviews) HintQuestion(matches []store.Match, several bool) discord.Message {
	return v.tell("hint.question", nil, each(matches, func(m store.Match) discord.Component {
		label := either(m.Private() && (several || len(matches) > 1), "button.hint_private", "button.hint")
		return v.button(discord.StylePrimary, label, customid.ID{Action: customid.HintConfirm, Match: m.ID})
	})...)
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
