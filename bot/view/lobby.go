package view

import (
	"slices"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/engine/puzzle"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

// Lobby is what a lobby tells of its guild.
type Lobby struct {
	Leader *store.Standing // of this month; nil where nobody leads alone
	Solved int             // by how many today's puzzle was
	King   *King           // of its channel; nil for none
	Hidden bool            // the server shows no leaderboard
}

// King is who wears the crown of a channel.
type King struct {
	store.Crown
	Takes bool // challenges
}

// Lobby is the message from which everybody in a channel can play without typing. Nothing
// but its buttons is needed to know what they mean, so that it stays for as long as nobody
// deletes it. It notifies nobody.
func (v Settings) Lobby(l Lobby) discord.Message {
	told := v.say("lobby.text", nil)
	if r := l.Leader; r != nil {
		told = v.say("lobby.leader", args{"Player": v.shownAs(r.User), "Month": v.month(store.MonthOf(v.Now)), "Points": v.count("standings.points", r.Points)})
	}
	crown, king := "", discord.Component{}
	if k := l.King; k != nil {
		crown = v.crown(v.shownAs(k.User), k.Channel, k.Wins)
		challenge := customid.ID{Action: customid.LobbyKing, User: k.User}
		king = when(k.Takes, v.button(discord.StyleSuccess, "button.challenge_king", challenge))
	}
	today := v.say("lobby.puzzle", args{"Number": puzzle.Number(store.DayOf(v.Now))})
	solved := v.count(when(l.Solved > 0, "puzzle.solvers"), l.Solved)
	return discord.Message{V2: true, Quiet: true, Components: []discord.Component{discord.Container(accentX,
		discord.TextDisplay(stacked(v.say("lobby.head", nil), told, crown, dotted(today, solved))),
		row(
			v.press(discord.StylePrimary, "button.play_bot", customid.LobbyPlay),
			v.press(discord.StyleSuccess, "button.open_table", customid.OpenTable),
			v.press(discord.StyleSecondary, "button.puzzle", customid.LobbyPuzzle),
			when(!l.Hidden, v.press(discord.StyleSecondary, "button.leaderboard", customid.LobbyLeaders)),
			king,
		),
	)}}
}

// LobbyPosted tells who has posted the lobby what to do with it.
func (v Settings) LobbyPosted(link string) discord.Message {
	return v.tell("lobby.posted", args{"Link": link})
}

// LobbyRefused says which permissions are missing to post a lobby in the channel.
func (v Settings) LobbyRefused(lacks uint64) discord.Message {
	return v.tell("lobby.may_not", args{"Names": v.named(lacks), "Command": v.Command("check")})
}

// Choose lets somebody choose a match against the program, privately: the opponent and the
// board. It comes in the place of one that they play privately, or without one, as older lobbies
// have led there, where they choose. The choice is in the IDs of all that can be pressed.
func (v Games) Choose(instead store.MatchID, c match.Choice) discord.Message {
	id := func(a customid.Action) customid.ID { return customid.ID{Action: a, Match: instead, Choice: c} }
	level, board := customid.ChangeLevel, customid.ChangeBoard
	play := discord.Row(v.button(discord.StylePrimary, "button.play", id(customid.ChangePlay)))
	if instead == 0 {
		level, board = customid.LobbyLevel, customid.LobbyBoard
		play = discord.Row(v.button(discord.StylePrimary, "button.play_here", id(customid.PlayHere)), v.playPrivatelyButton(c))
	}
	return panel(discord.TextDisplay(v.say("lobby.choose", nil)),
		selectRow(id(level), v.levelOptions(c)), selectRow(id(board), v.boardOptions(c)), play)
}

// levelOptions are the opponents who play the chosen board.
func (w Words) levelOptions(c match.Choice) (all []discord.Option) {
	for _, o := range opponentsOffered() {
		if o.Plays(c.Rules) {
			all = append(all, discord.Option{
				Label: w.say("opponent."+o.Name+".character", nil), Description: w.history(o.Name),
				Value: o.Name, Default: o.Name == c.Opponent,
			})
		}
	}
	return all
}

func (w Words) boardOptions(c match.Choice) []discord.Option {
	return each(match.Boards, func(r engine.Rules) discord.Option {
		return discord.Option{Label: w.boardChoice(r), Value: r.String(), Default: r == c.Rules}
	})
}

func (w Words) clockOptions() []discord.Option {
	return each(match.Clocks, func(c match.ClockChoice) discord.Option {
		return discord.Option{Label: w.clock(c.Limit), Value: c.Value}
	})
}

// boardChoice is the board as people choose it from a list: they cannot know which of two
// different numbers is the height.
func (w Words) boardChoice(r engine.Rules) string {
	if r == engine.Vanishing {
		return w.say("board.vanishing", nil)
	}
	size := either(r.Square(), boardSize(r), w.say("board.size", args{"Columns": r.M, "Rows": r.N}))
	return w.say("board.rows", args{"Board": size, "Goal": w.goal(r)})
}

// history is where an opponent comes from, which is worth a line of the classic programs.
func (w Words) history(opponent string) string {
	level := slices.ContainsFunc(levels(), func(o strategy.Opponent) bool { return o.Name == opponent })
	return w.say(when(!level, "opponent."+opponent+".history"), nil)
}
