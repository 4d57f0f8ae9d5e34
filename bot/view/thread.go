package view

import (
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/store"
)

func (w Words) acceptInThreadButton(c store.Challenge) discord.Component {
	return w.button(discord.StylePrimary, "button.play_in_thread", customid.ID{Action: customid.AcceptInThread, Challenge: c.ID})
}

// busyButtons are the ways out of a channel whose places are all taken.
func (v View) busyButtons(r Refused, c match.Choice) []discord.Component {
	var buttons []discord.Component
	if r.Threads && r.Challenge.ID != 0 {
		buttons = append(buttons, v.acceptInThreadButton(r.Challenge))
	}
	return append(buttons, v.playPrivatelyButton(c))
}
