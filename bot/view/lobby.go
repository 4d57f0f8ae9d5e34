package view

import (
	"slices"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// Lobby is the message from which everybody in a channel can play without typing. Nothing
// but its buttons is needed to know what they mean, so that it stays for as long as nobody
// deletes it.
func (v Settings) Lobby() discord.Message {
	press := func(style int, key string, a customid.Action) discord.Component {
		return v.button(style, key, customid.ID{Action: a})
	}
	return discord.Message{V2: true, Quiet: true, Components: []discord.Component{
		discord.Container(accentX,
			discord.TextDisplay(v.say("lobby.head", nil)+"\n"+v.say("lobby.text", nil)),
			discord.Row(
				press(discord.StylePrimary, "button.play_bot", customid.LobbyPlay),
				press(discord.StyleSuccess, "button.open_table", customid.OpenTable),
				press(discord.StyleSecondary, "button.puzzle", customid.LobbyPuzzle),
				press(discord.StyleSecondary, "button.leaderboard", customid.LobbyLeaders),
			),
		),
	}}
}

// LobbyPosted tells who has posted the lobby what to do with it.
func (v Settings) LobbyPosted(link string) discord.Message {
	return v.tell("lobby.posted", args{"Link": link})
}

// LobbyRefused says which permissions are missing to post a lobby in the channel.
func (v Settings) LobbyRefused(lacks uint64) discord.Message {
	return v.tell("lobby.may_not", args{"Name": v.named(lacks), "Command": v.Command("check")})
}

// Choose lets somebody choose a match against the program, privately: the opponent, the
// board, and where to play. The choice is in the IDs of all that can be pressed.
func (v Games) Choose(c match.Choice) discord.Message {
	var levels, boards []discord.Option
	for _, o := range opponentsOffered() {
		if o.Plays(c.Rules) {
			levels = append(levels, discord.Option{Label: v.say("opponent."+o.Name+".character", nil), Value: o.Name, Default: o.Name == c.Opponent})
		}
	}
	for _, r := range match.Boards {
		boards = append(boards, discord.Option{Label: v.boardChoice(r), Value: r.String(), Default: r == c.Rules})
	}
	here := v.button(discord.StylePrimary, "button.play_here", customid.ID{Action: customid.PlayHere, Choice: c})
	return discord.Message{V2: true, Ephemeral: true, Components: []discord.Component{
		discord.TextDisplay(v.say("lobby.choose", nil)),
		discord.Row(discord.Select(customid.ID{Action: customid.LobbyLevel, Choice: c}.String(), "", levels...)),
		discord.Row(discord.Select(customid.ID{Action: customid.LobbyBoard, Choice: c}.String(), "", boards...)),
		discord.Row(here, v.playPrivatelyButton(c)),
	}}
}

// boardChoice is the board as people choose it from a list.
func (w Words) boardChoice(r engine.Rules) string {
	switch {
	case r == engine.Vanishing:
		return w.say("board.vanishing", nil)
	case match.FirstPlayerWins(r):
		return w.say("board.first_wins", args{"Board": w.boardShape(r), "Goal": w.goal(r)})
	default:
		return w.say("board.rows", args{"Board": w.boardShape(r), "Goal": w.goal(r)})
	}
}

// WithOpponent returns the choice with another opponent. ok is false for a name that is not
// offered on its board: it comes from outside.
func WithOpponent(c match.Choice, name string) (_ match.Choice, ok bool) {
	o, ok := strategy.ByName(name)
	c.Opponent = name
	return c, ok && slices.Contains(match.Boards, c.Rules) && o.Plays(c.Rules)
}

// WithBoard returns the choice with another board, and with an opponent who plays it. ok is
// false for a board that is not offered.
func WithBoard(c match.Choice, board string) (_ match.Choice, ok bool) {
	r, err := engine.ParseRules(board)
	o, known := strategy.ByName(c.Opponent)
	if err != nil || !known || !slices.Contains(match.Boards, r) {
		return c, false
	}
	if c.Rules = r; !o.Plays(r) {
		c.Opponent = match.ClassicsLevel
	}
	return c, true
}
