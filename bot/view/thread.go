package view

import (
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// ThreadName names a thread by the board that is played in it and the day, in UTC.
func (v Games) ThreadName(m store.Match, now time.Time) string {
	return v.say("thread.name", args{"Board": v.boardName(m.Rules), "Date": now.UTC().Format(time.DateOnly)})
}

// ThreadPlayers is the plain line with which a thread begins: it notifies the players, but
// for who has caused it, and whoever is mentioned in a thread becomes its member.
func (v Games) ThreadPlayers(m store.Match) discord.Message {
	return discord.Message{
		Content: v.say("thread.players", args{"X": v.player(m.X), "O": v.player(m.O)}), People: people(m), Calls: people(m),
	}
}

// ThreadBegun tells who has begun a match where it is played.
func (v Games) ThreadBegun(link string) discord.Message {
	return v.tell("thread.begun", args{"Link": link})
}

// PlayedIn is what is left of a challenge whose match is played in a thread.
func (v Games) PlayedIn(m store.Match, link string) discord.Message {
	return discord.Message{
		V2: true, People: people(m), Components: []discord.Component{discord.TextDisplay(v.game(Listed{Match: m, Link: link}))},
	}
}

func (w Words) acceptInThreadButton(c store.Challenge) discord.Component {
	return w.button(discord.StylePrimary, "button.play_in_thread", customid.ID{Action: customid.AcceptInThread, Challenge: c.ID})
}

// Full tells why a match against the program has begun privately.
func (v Games) Full() discord.Message { return v.tell("play.full", nil) }

// Elsewhere tells the same where the guild wants games in a certain channel.
func (v Games) Elsewhere(games store.ChannelID) discord.Message {
	return v.tell("play.elsewhere", args{"Channel": channelMention(games)})
}

// busyButtons are the ways out of a channel whose places are all taken.
func (v View) busyButtons(r Refused, c match.Choice) []discord.Component {
	var buttons []discord.Component
	if r.Threads && r.Challenge.ID != 0 {
		buttons = append(buttons, v.acceptInThreadButton(r.Challenge))
	}
	return append(buttons, v.playPrivatelyButton(c))
}
