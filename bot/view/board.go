package view

import (
	"cmp"
	"errors"

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
	lists bool // somebody who plays wants a list
}

// wished returns the board as the people in the match want it: names do no harm to anybody,
// but where one of two wants a grid it stays, and the other one has a list of their own.
func (v Board) wished(m store.Match) Board {
	v.list = true
	for _, p := range [...]store.Player{m.X, m.O} {
		if p.IsUser() {
			by := v.Person(p.User).PlaysBy
			v.names = v.names || by == store.ByNames
			v.list = v.list && by == store.ByList
			v.lists = v.lists || by == store.ByList
		}
	}
	return v
}

// blankLabel is the label of an empty cell: Discord refuses a button with neither
// label nor emoji but takes a zero-width space.
const blankLabel = "\u200b"

// The colours of a board's edge, those of the buttons: who is to move or has won, or nobody.
const (
	accentX    = 0x4757E0
	accentO    = 0xC2323C
	accentOver = 0x80848E
)

var accents = map[engine.Mark]int{engine.X: accentX, engine.O: accentO, engine.None: accentOver}

// wideBoard is from how many columns on a grid stands outside the container, whose
// padding would take the width that it needs on a phone.
const wideBoard = 5

// Match returns the message that shows the match: the board while it runs, the
// result afterwards.
func (v Board) Match(m store.Match) (discord.Message, error) {
	if errors.Is(match.WhyOver(m), match.ErrGoneOn) {
		return v.Relocated(m, ""), nil
	}
	if v = v.wished(m); m.State == store.Ended {
		return v.board(m, v.list, v.endedControls(m))
	}
	return v.board(m, v.list, v.runningControls(m))
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

// board returns the match with the controls, as it runs or as it ended: as long as its field
// stands that is what people move on, and afterwards a picture.
func (v Board) board(m store.Match, asText bool, controls []discord.Component) (discord.Message, error) {
	g, err := match.Position(m)
	if err != nil {
		return discord.Message{}, err
	}
	running := m.State == store.Active
	stands := running || m.GridStands
	outside := stands && m.Rules.M >= wideBoard && !v.list
	var picture, text, after string
	if asText || !stands {
		picture = v.textBoard(m, g)
	}
	if running {
		text = v.running(m, g, picture)
	} else {
		text, after = v.ended(m, g, picture)
	}
	container := discord.Container(accent(m), discord.TextDisplay(text))
	container.ID = customid.Marker(len(m.Moves))
	var below []discord.Component
	if stands {
		below = v.field(m, g, customid.ID{Action: customid.CellInList, Match: m.ID}, customid.ID{Action: customid.Cell, Match: m.ID})
	}
	if stands && len(controls) > 0 && (running || !outside) {
		below = append(below, discord.Separator()) // thumbs keep off what comes next
	}
	below = append(below, controls...)
	if after != "" { // what comes at the end moves nothing above it
		below = append(below, discord.TextDisplay(after))
	}
	if !outside {
		container.Components, below = append(container.Components, below...), nil
	}
	return discord.Message{
		V2: true, People: peopleShown(m), Calls: ids(match.WaitedFor(m)), Ephemeral: m.Private(), Quiet: true,
		Components: append([]discord.Component{container}, below...),
	}, nil
}

// uncounted says why the match does not count, and nothing of one that does.
func (v Board) uncounted(m store.Match) string {
	return v.say(cmp.Or(when(m.Given > 0, "small.given"), when(m.Hinted, "small.hinted")), nil)
}

// Relocated returns what is left of a message whose board now stands elsewhere.
func (v Board) Relocated(m store.Match, link string) discord.Message {
	text := v.say(either(link == "", "board.moved_below", "board.moved"), args{"Link": link})
	return discord.Message{V2: true, People: people(m), Components: []discord.Component{discord.TextDisplay(text)}}
}

func accent(m store.Match) int {
	return accents[either(m.State == store.Ended, m.Winner, match.SideToMove(m))]
}

func button(style int, label string, id customid.ID) discord.Component {
	return discord.Button(style, label, id.String())
}

// button has a text of the language. Without a key there is none.
func (w Words) button(style int, key string, id customid.ID) discord.Component {
	if key == "" {
		return discord.Component{}
	}
	return button(style, w.say(key, nil), id)
}

// about is a button that is about the match as it stands.
func (w Words) about(m store.Match, style int, key string, a customid.Action) discord.Component {
	return w.button(style, key, customid.ID{Action: a, Match: m.ID, Ply: len(m.Moves)})
}

// press is a button that is about no record.
func (w Words) press(style int, key string, a customid.Action) discord.Component {
	return w.button(style, key, customid.ID{Action: a})
}
