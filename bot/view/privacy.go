package view

import (
	"strings"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
)

// myData is the part of the panel about what is kept of the person.
func (v People) myData() []discord.Component {
	export := v.button(discord.StyleSecondary, "button.export", customid.ID{Action: customid.Export})
	erase := v.button(discord.StyleSecondary, "button.erase_ask", customid.ID{Action: customid.EraseAsk})
	return []discord.Component{
		discord.TextDisplay(v.say("erase.head", nil) + "\n" + v.say("export.note", nil)),
		discord.Row(export, erase),
	}
}

// Exported is what stands beside the file with somebody's data.
func (v People) Exported(name string, packed bool) discord.Message {
	lines := []string{v.say("export.done", nil)}
	if packed {
		lines = append(lines, v.say("export.packed", nil))
	}
	msg := private(strings.Join(append(lines, v.say("export.left_out", nil)), "\n"))
	msg.Files = []string{name}
	return msg
}

// EraseQuestion asks once more whether everything about a person is to be erased, and says
// what that means.
func (v People) EraseQuestion() discord.Message {
	lines := []string{v.say("erase.question", nil)}
	for _, what := range [...]string{"erase.games", "erase.goes", "erase.stays", "erase.shown"} {
		lines = append(lines, "- "+v.say(what, nil))
	}
	return private(strings.Join(append(lines, v.say("erase.again", nil)), "\n"),
		v.button(discord.StyleDanger, "button.erase", customid.ID{Action: customid.Erase}),
		v.button(discord.StyleSecondary, "button.erase_nothing", customid.ID{Action: customid.EraseNothing}),
	)
}
