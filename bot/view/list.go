package view

import (
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/engine"
	"tictactoe/store"
)

// field returns what people move on: the rows of the grid, or the list of the cells where
// they want that.
func (v Board) field(m store.Match, g engine.Game) []discord.Component {
	if v.list {
		return []discord.Component{discord.Row(v.choices(m, g, customid.CellInList))}
	}
	return v.grid(m, g)
}

// choices returns a select with a choice for each cell: Discord takes 25, which is just the
// largest board. It cannot wrap on a phone, and every choice has a name. The choices of
// taken cells stay, since Discord's clients refuse a choice that the message does not have
// any more; they say whose the cell is, and where marks vanish when this one goes. They
// have no emojis of the application: in a text one that is gone is read as its name, but
// Discord refuses the whole of a select with one.
func (v Board) choices(m store.Match, g engine.Game, a customid.Action) discord.Component {
	won, ages, marks := g.WinningCells(), goingOf(m, g).possible, marksOf(m)
	options := make([]discord.Option, 0, m.Rules.Cells())
	for c := engine.Cell(0); m.Rules.Contains(c); c++ {
		mark, bit := g.At(c), m.Rules.Bit(c)
		o := discord.Option{Label: m.Rules.CellName(c), Value: customid.CellValue(c), Emoji: discord.Emoji{Name: marks.symbol(mark)}}
		if mark != engine.None {
			o.Label = v.say("list.taken", args{"Cell": o.Label, "Mark": marks.label(mark)})
		}
		if won&bit != 0 {
			o.Emoji.Name = marks.winning(mark)
		}
		if mark != engine.None && ages {
			o.Description = v.say(goesKeys[int(m.Rules.Limit)-g.Age(c)], args{"Mark": marks.label(mark)})
		}
		options = append(options, o)
	}
	id := customid.ID{Action: a, Match: m.ID}
	return discord.Select(id.String(), v.say("list.choose", nil), options...)
}

// goesKeys are the words for when a mark vanishes, by how many more moves its side makes
// before the one with which it does.
var goesKeys = [...]string{"list.goes_next", "list.goes_second", "list.goes_third"}

// viewButtons are the controls that change how a running board looks. Rows of five
// buttons wrap on phones, where names on them do not help: there the list stands in place
// of the names, which stay where somebody has them on already.
func (v Board) viewButtons(m store.Match) []discord.Component {
	id := func(a customid.Action) customid.ID { return customid.ID{Action: a, Match: m.ID} }
	if m.AsList {
		return []discord.Component{v.button(discord.StyleSecondary, "button.grid", id(customid.AsList))}
	}
	list := v.button(discord.StyleSecondary, "button.list", id(customid.AsList))
	names := v.button(discord.StyleSecondary, "button.cell_names", id(customid.CellNames))
	if m.CellNames {
		names.Label = v.say("button.hide_names", nil)
	}
	if m.Rules.M >= wideBoard && !m.CellNames {
		return []discord.Component{list}
	}
	return []discord.Component{names, list}
}

// Settled marks a message of [Board.Match] as drawn again over one that shows the same and
// that people have had the time to look at.
func Settled(msg discord.Message, m store.Match) discord.Message {
	if len(msg.Components) > 0 {
		msg.Components[0].ID = customid.AgainMarker(len(m.Moves))
	}
	return msg
}
