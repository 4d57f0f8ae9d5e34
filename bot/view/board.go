package view

import (
	"errors"
	"slices"
	"strings"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// Board shows matches as they stand.
type Board struct {
	View
	names bool // the cells have names
	list  bool // the board is text and a list of its cells, and no grid
}

// wished returns the board as the match has it.
func (v Board) wished(m store.Match) Board {
	v.names, v.list = m.CellNames, m.AsList
	return v
}

// blankLabel is the label of an empty cell: Discord refuses a button with neither
// label nor emoji but takes a zero-width space.
const blankLabel = "\u200b"

// The colours of a board's edge, those of the buttons: who is to move, or nobody any more.
const (
	accentX    = 0x4757E0
	accentO    = 0xC2323C
	accentOver = 0x80848E
)

// wideBoard is from how many columns on a grid stands outside the container, whose
// padding would take the width that it needs on a phone.
const wideBoard = 5

// Match returns the message that shows the match: the board while it runs, the
// result afterwards.
func (v Board) Match(m store.Match) (discord.Message, error) {
	if errors.Is(match.WhyOver(m), match.ErrGoneOn) {
		return v.Relocated(m, ""), nil
	}
	v = v.wished(m)
	return v.board(m, v.names || v.list, v.controls(m))
}

// Snapshot returns the board for somebody who only looks: nothing on it can be
// pressed, so it stands as text too.
func (v Board) Snapshot(m store.Match) (discord.Message, error) {
	msg, err := v.wished(m).board(m, true, nil)
	if err != nil {
		return discord.Message{}, err
	}
	msg.Ephemeral = true
	disable(msg.Components)
	return msg, nil
}

func disable(parts []discord.Component) {
	for i := range parts {
		if parts[i].Type == discord.TypeButton || parts[i].Type == discord.TypeSelect {
			parts[i].Disabled = true
		}
		disable(parts[i].Components)
	}
}

// board returns the match as buttons, or as text where these have gone: then what came of
// it and the ways on stand together, a hand's breadth in all.
func (v Board) board(m store.Match, asText bool, controls []discord.Component) (discord.Message, error) {
	g, err := match.Position(m)
	if err != nil {
		return discord.Message{}, err
	}
	folded := m.State == store.Ended && !m.GridStands
	head := []string{v.status(m, g)}
	if asText || folded {
		head = append(head, v.textBoard(m, g))
	}
	head = append(head, "-# "+v.small(m, g))
	switch { // neither counts
	case m.Given > 0:
		head = append(head, "-# "+v.say("small.given", nil))
	case m.Hinted:
		head = append(head, "-# "+v.say("small.hinted", nil))
	}
	verdict, offer := v.afterword(m)
	if folded && verdict != "" {
		head = append(head, "-# "+verdict)
		verdict = ""
	}
	parts := []discord.Component{discord.TextDisplay(strings.Join(head, "\n"))}
	decline := v.declineButton(m)
	if controls == nil { // nothing is to be pressed
		decline = nil
	}
	after := afterwords(verdict, offer, decline)
	msg := discord.Message{V2: true, People: peopleShown(m), Calls: called(match.WaitedFor(m)), Ephemeral: m.Private(), Quiet: true}
	outside := []discord.Component{} // what stands below the container
	switch {
	case folded:
		parts = slices.Concat(parts, after, controls)
	case m.Rules.M >= wideBoard && !m.AsList:
		outside = slices.Concat(v.field(m, g), controls, after)
	default:
		parts = append(parts, v.field(m, g)...)
		if len(controls) > 0 {
			parts = append(parts, discord.Separator()) // thumbs keep off Resign
		}
		parts = slices.Concat(parts, controls, after) // what comes at the end moves nothing above it
	}
	container := discord.Container(accent(m), parts...)
	container.ID = customid.Marker(len(m.Moves))
	msg.Components = append([]discord.Component{container}, outside...)
	return msg, nil
}

// afterwords stand below the result: which move lost it, and an offered rematch. Whoever is
// asked for one can decline it beside the words: in the row of buttons that would take
// another line on a phone.
func afterwords(verdict, offer string, decline *discord.Component) (parts []discord.Component) {
	if decline == nil || offer == "" {
		if both := strings.Trim(verdict+"\n"+offer, "\n"); both != "" {
			parts = append(parts, discord.TextDisplay(both))
		}
		return parts
	}
	if verdict != "" {
		parts = append(parts, discord.TextDisplay(verdict))
	}
	return append(parts, discord.Section(*decline, discord.TextDisplay(offer)))
}

// declineButton declines a rematch that is wished for; nil where none is.
func (v Board) declineButton(m store.Match) *discord.Component {
	if m.State != store.Ended || match.WaitedFor(m) == "" || m.EndReason == store.Unreachable || m.EndReason == store.PlayerErased {
		return nil
	}
	b := v.button(discord.StyleSecondary, "button.decline_rematch", customid.ID{Action: customid.DeclineRematch, Match: m.ID})
	return &b
}

// Relocated returns what is left of a message whose board now stands elsewhere.
func (v Board) Relocated(m store.Match, link string) discord.Message {
	text := v.say("board.moved", args{"Link": link})
	if link == "" {
		text = v.say("board.moved_below", nil)
	}
	return discord.Message{V2: true, People: people(m), Components: []discord.Component{discord.TextDisplay(text)}}
}

func accent(m store.Match) int {
	switch {
	case m.State == store.Ended:
		return accentOver
	case match.SideToMove(m) == engine.X:
		return accentX
	default:
		return accentO
	}
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

// controls returns the row below the grid. After every match it is the same, in the same
// order, so that a thumb finds what it found before: Rematch, Review, More. A match without
// moves has no review. Once a rematch has taken the board's place, or one of the two is
// erased, only the review is left, and nothing where nobody can come any more.
func (v Board) controls(m store.Match) []discord.Component {
	id := func(a customid.Action) customid.ID { return customid.ID{Action: a, Match: m.ID} }
	if m.State == store.Active {
		buttons := v.viewButtons(m)
		if v.givesHints(m) { // it stays after the hint, which it tells again
			buttons = append(buttons, v.button(discord.StyleSecondary, "button.ask_hint", id(customid.HintAsk)))
		}
		return []discord.Component{discord.Row(
			append(buttons, v.button(discord.StyleSecondary, "button.resign", id(customid.Resign)))...,
		)}
	}
	switch {
	case m.EndReason == store.Unreachable:
		return nil
	case match.Paused(m):
		return []discord.Component{discord.Row(v.goOnButton(m))}
	}
	var review []discord.Component
	if len(m.Moves) > 0 {
		review = append(review, v.button(discord.StyleSecondary, "button.review", id(customid.Review)))
	}
	if m.Next != 0 || m.EndReason == store.PlayerErased {
		if len(review) == 0 {
			return nil
		}
		return []discord.Component{discord.Row(review...)}
	}
	rematch := v.say("button.rematch", nil)
	if m.RematchX || m.RematchO {
		rematch = v.say("button.rematch_offered", nil)
	}
	buttons := []discord.Component{button(discord.StylePrimary, rematch, id(customid.Rematch))}
	if match.WaitedFor(m) == "" { // else the word before it is longer, and a third does not fit on a phone
		buttons = append(buttons, review...)
	}
	return []discord.Component{discord.Row(append(buttons, v.button(discord.StyleSecondary, "button.more", id(customid.More)))...)}
}

func (w Words) goOnButton(m store.Match) discord.Component {
	return w.button(discord.StylePrimary, "button.go_on", customid.ID{Action: customid.GoOn, Match: m.ID})
}

// WinnerPlays reports whether bystanders can challenge the winner of a match.
func WinnerPlays(m store.Match) bool {
	return m.Player(m.Winner).IsUser() && !m.Private() && m.Guild != ""
}

// firstKeys are the words for who begins.
var firstKeys = map[string]string{
	match.FirstMe: "more.first.me", match.FirstBot: "more.first.bot",
	match.FirstThem: "more.first.them", match.FirstRandom: "more.first.random",
}

// seriesKeys are the words for how many games are played, by their value.
var seriesKeys = map[string]string{"1": "series.one", "3": "series.best_of_3", "5": "series.best_of_5"}

// seriesOptions are the choices of how many games are played next.
func (w Words) seriesOptions(c match.Choice) (options []discord.Option) {
	for _, value := range match.SeriesValues() {
		o := discord.Option{Label: w.say(seriesKeys[value], nil), Value: value, Default: match.SeriesLengths[value] == c.BestOf}
		options = append(options, o)
	}
	return options
}

// More are the ways on from a match that its message has no room for, as one person has
// them: who played chooses what comes next, and who watched plays the winner. The choice is in
// the IDs of all that can be pressed.
func (v Board) More(m store.Match, user store.UserID, c match.Choice) discord.Message {
	if m.Seat(user) == engine.None {
		return v.tell("more.question", nil, v.button(discord.StylePrimary, "button.play_winner", customid.ID{Action: customid.PlayWinner, Match: m.ID}))
	}
	parts := []discord.Component{discord.TextDisplay(v.say("more.question", nil))}
	choose := func(a customid.Action, options []discord.Option) {
		parts = append(parts, discord.Row(discord.Select(customid.ID{Action: a, Match: m.ID, Choice: c}.String(), "", options...)))
	}
	if match.AgainstProgram(m) {
		choose(customid.MoreLevel, v.levelOptions(c))
	}
	choose(customid.MoreBoard, v.boardOptions(c))
	var firsts []discord.Option
	for _, first := range match.Firsts(m) {
		firsts = append(firsts, discord.Option{Label: v.say(firstKeys[first], nil), Value: first, Default: first == c.First})
	}
	choose(customid.MoreFirst, firsts)
	if !match.AgainstProgram(m) {
		choose(customid.MoreSeries, v.seriesOptions(c))
	}
	play := v.button(discord.StylePrimary, "button.play", customid.ID{Action: customid.MorePlay, Match: m.ID, Choice: c})
	return discord.Message{V2: true, Ephemeral: true, Components: append(parts, discord.Row(play))}
}

func button(style int, label string, id customid.ID) discord.Component {
	return discord.Button(style, label, id.String())
}

// button has a text of the language.
func (w Words) button(style int, key string, id customid.ID) discord.Component {
	return button(style, w.say(key, nil), id)
}
