package view

import (
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// field returns what people move on: the rows of a grid, or the list of its cells where they
// want that.
func (v Board) field(m store.Match, g engine.Game, list, cell customid.ID) []discord.Component {
	if v.list {
		return []discord.Component{discord.Row(v.choices(m, g, list))}
	}
	return v.cells(m, g, cell)
}

// choices returns a select with a choice for each cell: Discord takes 25, which is just the
// largest board. It cannot wrap on a phone, and every choice has a name. The choices of
// taken cells stay, since Discord's clients refuse a choice that the message does not have
// any more; they say whose the cell is, and where marks vanish when this one goes. They
// have no emojis of the application: in a text one that is gone is read as its name, but
// Discord refuses the whole of a select with one.
func (v Board) choices(m store.Match, g engine.Game, id customid.ID) discord.Component {
	won, ages, marks := g.WinningCells(), goingOf(m, g).possible, v.marksOf(m)
	options := make([]discord.Option, 0, m.Rules.Cells())
	for c := engine.Cell(0); m.Rules.Contains(c); c++ {
		mark, bit := g.At(c), m.Rules.Bit(c)
		symbol := either(won&bit != 0, marks.of(mark).Winning, marks.of(mark).Plain)
		o := discord.Option{Label: m.Rules.CellName(c), Value: customid.CellValue(c), Emoji: discord.Emoji{Name: symbol}}
		if mark != engine.None {
			o.Label = v.say("list.taken", args{"Cell": o.Label, "Mark": marks.of(mark).label})
		}
		if mark != engine.None && ages {
			o.Description = v.say(goesKeys[int(m.Rules.Limit)-g.Age(c)], args{"Mark": marks.of(mark).label})
		}
		options = append(options, o)
	}
	return discord.Select(id.String(), v.say("list.choose", nil), options...)
}

// goesKeys are the words for when a mark vanishes, by how many more moves its side makes
// before the one with which it does.
var goesKeys = [...]string{"list.goes_next", "list.goes_second", "list.goes_third"}

// List is the list that somebody has of a running match for themselves. What they choose in
// it is played on the board that everybody sees.
func (v Board) List(m store.Match) (discord.Message, error) {
	g, err := match.Position(m)
	if err != nil {
		return discord.Message{}, err
	}
	v.list = true
	first, how := v.result(m, g)
	var choose discord.Component
	if m.State == store.Active {
		first, how = v.status(m, g), ""
		choose = discord.Row(v.choices(m, g, customid.ID{Action: customid.ListCell, Match: m.ID}))
	}
	container := discord.Container(accent(m), present(discord.TextDisplay(stacked(first, how, v.textBoard(m, g))), choose)...)
	container.ID = customid.Marker(len(m.Moves))
	return withPeople(panel(container), peopleShown(m)), nil
}

// DrawnAgain marks a message of [Board.Match] as drawn again over one that shows the same and
// that people have had the time to look at.
func DrawnAgain(msg discord.Message, m store.Match) discord.Message {
	if len(msg.Components) > 0 {
		msg.Components[0].ID = customid.AgainMarker(len(m.Moves))
	}
	return msg
}
