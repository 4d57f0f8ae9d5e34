package view

import (
	"fmt"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/engine"
	"tictactoe/store"
)

// LastGames is a private list of somebody's matches that are over, each with a button that
// opens its review in the place of the list. Only the first [MostListed] are shown.
func (v Reviews) LastGames(user store.UserID, results []store.Result) discord.Message {
	if len(results) == 0 {
		return v.tell("review.list_none", args{"Command": v.Command("play")})
	}
	results = results[:min(len(results), MostListed)]
	msg := discord.Message{V2: true, Ephemeral: true, Components: []discord.Component{discord.TextDisplay(v.say("review.list", nil))}}
	var people []store.UserID
	for _, r := range results {
		people = append(people, r.X.User, r.O.User)
		open := v.button(discord.StyleSecondary, "button.open", customid.ID{Action: customid.ReviewAgain, Match: r.Match})
		msg.Components = append(msg.Components, discord.Section(open, discord.TextDisplay(v.lastGame(user, r))))
	}
	msg.People = each(people...)
	return msg
}

// lastGame tells how a match ended for the user, and in small print which one it was.
func (v Reviews) lastGame(user store.UserID, r store.Result) string {
	seat, opponent := engine.X, r.O
	if r.O.User == user {
		seat, opponent = engine.O, r.X
	}
	key := "review.unfinished"
	switch {
	case r.Winner == seat:
		key = "review.won"
	case r.Winner != engine.None:
		key = "review.lost"
	case r.EndReason.Draw():
		key = "review.drew"
	}
	return v.say(key, args{"Opponent": v.player(opponent)}) + "\n-# " +
		v.shortBoard(r.Rules) + " · " + timestamp(r.Ended, 'R')
}

// shortBoard names a board in few characters.
func (w Words) shortBoard(r engine.Rules) string {
	switch {
	case r == engine.Vanishing:
		return w.say("board.vanishing.name", nil)
	case r.Square() && r.K == r.M:
		return boardSize(r)
	default:
		return fmt.Sprintf("%s-%d", boardSize(r), r.K)
	}
}
