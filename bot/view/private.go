package view

import (
	"fmt"
	"slices"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// private returns an answer that only the person who asked sees: a text and, where
// it helps, buttons to go on with. It mentions people without notifying them.
func private(text string, buttons ...discord.Component) discord.Message {
	return discord.Message{Content: text, Ephemeral: true, Components: rowOf(buttons...)}
}

// row is the row of the buttons that there are.
func row(buttons ...discord.Component) discord.Component { return discord.Row(present(buttons...)...) }

// rowOf is row, and none where there are no buttons.
func rowOf(buttons ...discord.Component) []discord.Component {
	all := row(buttons...)
	return when(len(all.Components) > 0, []discord.Component{all})
}

// present are the components that there are.
func present(all ...discord.Component) []discord.Component {
	return slices.DeleteFunc(all, func(c discord.Component) bool { return c.Type == 0 })
}

// panel is an answer made of the components that there are, which only the person who asked sees.
func panel(parts ...discord.Component) discord.Message {
	return discord.Message{V2: true, Ephemeral: true, Components: present(parts...)}
}

// selectRow is the row of a list from which people choose.
func selectRow(id customid.ID, options []discord.Option) discord.Component {
	return discord.Row(discord.Select(id.String(), "", options...))
}

// tell is private with a text of the language.
func (w Words) tell(key string, a args, buttons ...discord.Component) discord.Message {
	return private(w.say(key, a), buttons...)
}

// boardSize is how large the board is, as people read it: "4×5".
func boardSize(r engine.Rules) string { return fmt.Sprintf("%d×%d", r.M, r.N) }

// boardName names a board: its size and, unless that is a whole side of a square, how
// long a row wins. Vanishing has a name of its own.
func (w Words) boardName(r engine.Rules) string {
	if r == engine.Vanishing {
		return w.say("board.vanishing.name", nil)
	}
	if r.Square() && r.K == r.M {
		return boardSize(r)
	}
	return w.say("board.name", args{"Board": boardSize(r), "Goal": w.goal(r)})
}

func (w Words) playPrivatelyButton(c match.Choice) discord.Component {
	return w.button(discord.StyleSecondary, "button.play_privately", customid.ID{Action: customid.PlayPrivately, Choice: c})
}

// playButtons returns the ways to a match of one's own: where everybody sees it, or
// privately. In direct messages the two are the same.
func (v View) playButtons(c match.Choice, direct bool) []discord.Component {
	label := either(direct, "button.play", "button.play_here")
	return present(
		v.button(discord.StyleSecondary, label, customid.ID{Action: customid.PlayHere, Choice: c}),
		when(!direct, v.playPrivatelyButton(c)))
}

// instead returns the ways on from an opponent who does not play a board: another one who
// does, and the board that everybody plays.
func (v View) instead(c match.Choice, hidden bool) []discord.Component {
	play := func(style int, c match.Choice) discord.Component {
		label := v.say("button.play_choice", args{"Opponent": v.opponent(c.Opponent), "Board": v.boardName(c.Rules)})
		return button(style, label, customid.ID{Action: either(hidden, customid.PlayPrivately, customid.PlayHere), Choice: c})
	}
	board, opponent := c, c
	board.Opponent = match.ClassicsLevel
	opponent.Rules = engine.Standard
	return []discord.Component{play(discord.StylePrimary, board), play(discord.StyleSecondary, opponent)}
}

func (w Words) showBoardButton(m store.MatchID) discord.Component {
	return w.button(discord.StyleSecondary, "button.show_board", customid.ID{Action: customid.ShowBoard, Match: m})
}

// PrivateToo leads from the public match to the private one in the same channel.
func (v Games) PrivateToo(m store.Match) discord.Message {
	return v.tell("board.private_too", nil, v.about(m, discord.StyleSecondary, "button.show_private", customid.ShowBoard))
}

// PublicToo leads the other way, to the match of other people.
func (v Games) PublicToo(m store.Match, link string) discord.Message {
	return v.tell("board.public_too", args{"Link": link}, v.showBoardButton(m.ID))
}

// Endable are the matches that somebody can end in a channel: one that they play, another that
// they play privately beside it, and one of other people, which a moderator stops. What is not
// meant has no id.
type Endable struct{ Mine, Private, Other store.Match }

// EndQuestion asks once more which of them to end.
func (v Games) EndQuestion(user store.UserID, e Endable) discord.Message {
	resign, resigns := v.end(user, e.Mine, "resign.question", "button.resign", customid.ResignConfirm)
	too, resignsToo := v.end(user, e.Private, "board.private_too", "button.resign_private", customid.ResignConfirm)
	stop, stops := v.end(user, e.Other, "stop.question", "button.stop", customid.StopConfirm)
	keep := either(e.Other.ID != 0, v.about(e.Other, discord.StyleSecondary, "button.keep_going", customid.KeepPlaying),
		v.about(e.Mine, discord.StyleSecondary, "button.keep_playing", customid.KeepPlaying))
	return withPeople(private(stacked(resign, too, stop), resigns, resignsToo, stops, keep), people(e.Mine))
}

// end asks whether to end a match, if there is one, and is the button that does. Between two games
// it is the series that they end.
func (v Games) end(user store.UserID, m store.Match, question, label string, a customid.Action) (string, discord.Component) {
	if match.BetweenGames(m) {
		question, label, a = "series.end_question", "button.end_series", customid.EndSeries
	}
	opponent := v.player(m.Player(m.Seat(user).Other()))
	return v.say(when(m.ID != 0, question), args{"Opponent": opponent}), when(m.ID != 0, v.about(m, discord.StyleDanger, label, a))
}

// ResignInsteadQuestion asks who plays m whether to resign it for another match, which sure
// begins.
func (v Games) ResignInsteadQuestion(user store.UserID, m store.Match, sure customid.ID) discord.Message {
	msg := v.EndQuestion(user, Endable{Mine: m})
	msg.Components[0].Components[0] = v.button(discord.StyleDanger, "button.resign_accept", sure)
	return msg
}

// Help says how to begin, who leads where that is shown, and where people are helped if somewhere.
func (v View) Help(challenges, leaders bool, support string) discord.Message {
	say := func(key, command string) string { return v.say(key, args{"Command": v.Command(command)}) }
	return private(
		stacked(
			say("help.bot", "play"),
			when(challenges, say("help.challenge", "challenge")),
			say("help.puzzle", "puzzle"),
			either(leaders, say("help.points", "leaderboard"), v.say("help.stats", args{"Stats": v.Command("stats")})),
			small(dotted(say("help.short", ShortCommand), say("help.board", "board"), say("help.resign", "resign"))),
			small(v.say(when(support != "", "help.support"), args{"Link": support}))),
		v.button(discord.StylePrimary, "button.play", customid.ID{Action: customid.PlayHere, Choice: v.usual()}),
		when(challenges, v.press(discord.StyleSecondary, "button.open_table", customid.OpenTable)),
		v.press(discord.StyleSecondary, "button.puzzle", customid.LobbyPuzzle))
}

func withPeople(m discord.Message, ids []string) discord.Message {
	m.People = ids
	return m
}

// StopTold tells where the guild wants it that a moderator has stopped the match. It names
// people and notifies nobody.
func (v Games) StopTold(m store.Match, moderator store.UserID) discord.Message {
	return discord.Message{Quiet: true, Content: v.say("stop.told", args{
		"Moderator": v.player(store.Player{User: moderator}), "Channel": channelMention(m.Where()), "X": v.player(m.X), "O": v.player(m.O),
	})}
}

// StopAllTold is StopTold for all that a person had going on in a channel.
func (v Games) StopAllTold(moderator, user store.UserID, channel store.ChannelID) discord.Message {
	return discord.Message{Quiet: true, Content: v.say("stop.all_told", args{
		"Moderator": v.player(store.Player{User: moderator}), "User": v.player(store.Player{User: user}), "Channel": channelMention(channel),
	})}
}

// Incident says that something failed that should not, with a number that is also
// in the log.
func (v View) Incident(number string) discord.Message {
	return v.tell("error.internal", args{"Incident": number})
}

// Note is an answer of one sentence that only the person who asked sees.
type Note string

// The notes.
const (
	Resigned       Note = "resign.done"
	KeptPlaying    Note = "resign.kept"
	SeriesEnded    Note = "refused.series_over"
	Stopped        Note = "stop.done" // told a moderator, as is the next
	StoppedAll     Note = "stop.all_done"
	Exporting      Note = "export.begun"
	ExportFailed   Note = "export.failed"
	ExportTooLarge Note = "export.too_large" // for Discord
	Erasing        Note = "erase.begun"      // everything about a person
	NothingErased  Note = "erase.kept"
	ErasingGuild   Note = "settings.erasing"
	RecapOn        Note = "recap.on"
	RecapOff       Note = "recap.off"
	BegunAnew      Note = "settings.begun_anew" // the guild's standings
	StandingsKept  Note = "settings.standings_kept"
	Saved          Note = ""                      // on the panel of settings, as are the next two
	Stale          Note = "settings.stale"        // somebody else has changed them meanwhile
	MayNotPost     Note = "settings.may_not_post" // in the channel that was chosen
	BlocksSelf     Note = "blocks.self"           // so nobody was blocked, as with the next two
	BlocksBot      Note = "blocks.bot"
	BlocksMany     Note = "blocks.many"
	StillSaving    Note = "error.pending"   // nobody knows yet whether the change was saved
	NotSaved       Note = "error.not_saved" // nothing was saved
)

// Note returns the answer.
func (w Words) Note(n Note) discord.Message { return w.tell(string(n), nil) }
