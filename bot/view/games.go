package view

import (
	"slices"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/store"
)

// Games shows what leads to matches and away from them: lists, questions and lines that notify.
type Games struct{ View }

// Listed is a match in a list, with the address of its board, empty while that is not
// known.
type Listed struct {
	Match store.Match
	Link  string
}

// MostListed is how many matches a list shows: Discord takes 40 components in a message,
// and each needs three.
const MostListed = 10

// GamesList is what a list of matches is for.
type GamesList struct {
	title  string // key of its first line
	button string // key of the button beside each match
	action customid.Action
	style  int
}

// The lists.
var (
	GamesHere         = GamesList{"games.here", "button.open", customid.ShowBoard, discord.StyleSecondary}
	GamesElsewhere    = GamesList{"games.elsewhere", "button.open", customid.ShowBoard, discord.StyleSecondary}
	GamesElsewhereToo = GamesList{"games.elsewhere_too", "button.open", customid.ShowBoard, discord.StyleSecondary}
	GamesToResign     = GamesList{"games.resign", "button.resign_this", customid.Resign, discord.StyleDanger}
	GamesToStop       = GamesList{"games.stop", "button.stop_this", customid.Resign, discord.StyleDanger}
)

// List returns a private list of matches, each with a button.
func (v Games) List(list GamesList, games []Listed) discord.Message {
	title := v.say(list.title, nil)
	if len(games) > MostListed {
		title += "\n" + v.say("games.more", args{"Count": MostListed})
		games = games[:MostListed]
	}
	rows := each(games, func(g Listed) discord.Component {
		return discord.Section(v.about(g.Match, list.style, list.button, list.action), discord.TextDisplay(v.game(g)))
	})
	return withPeople(panel(slices.Insert(rows, 0, discord.TextDisplay(title))...), peopleIn(games))
}

// StopAllQuestion asks a moderator whether to stop all that a person has under way in the
// channel: the games that are listed, and so many challenges.
func (v Games) StopAllQuestion(user store.UserID, games []Listed, challenges int) discord.Message {
	offers := v.say(when(challenges > 0, "games.item"), args{"Game": v.count("stop.all_challenges", challenges)})
	text := stacked(v.say("stop.all_question", args{"User": v.mention(user)}), stacked(each(games, v.item)...), offers)
	msg := private(text, v.button(discord.StyleDanger, "button.stop_all", customid.ID{Action: customid.StopAll, User: user}))
	return withPeople(msg, peopleIn(games, user))
}

// peopleIn returns the ids of the people in the matches, and of others, each once: Discord
// refuses a list that has one twice.
func peopleIn(games []Listed, others ...store.UserID) []string {
	for _, g := range games {
		others = append(others, g.Match.X.User, g.Match.O.User)
	}
	return ids(others...)
}

// game is a match in one line: who plays, and where.
func (v View) game(g Listed) string {
	key := either(g.Link == "", "games.line_without_link", "games.line")
	return v.say(key, args{"X": v.player(g.Match.X), "O": v.player(g.Match.O), "Board": boardSize(g.Match.Rules), "Link": g.Link})
}

// item is a match as an item of a list in a text.
func (v View) item(g Listed) string { return v.say("games.item", args{"Game": v.game(g)}) }

// ThreadName names a thread by the board that is played in it and the day, in UTC.
func (v Games) ThreadName(m store.Match) string {
	return v.say("thread.name", args{"Board": v.boardName(m.Rules), "Date": v.Now.UTC().Format(time.DateOnly)})
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

// PlayedIn is what is left of a challenge whose match is played in another message.
func (v Games) PlayedIn(m store.Match, link string) discord.Message {
	return discord.Message{
		V2: true, People: people(m), Components: []discord.Component{discord.TextDisplay(v.game(Listed{Match: m, Link: link}))},
	}
}

// Full tells why a match against the program has begun privately.
func (v Games) Full() discord.Message { return v.tell("play.full", nil) }

// Elsewhere tells the same where the guild wants games in a certain channel.
func (v Games) Elsewhere(games store.ChannelID) discord.Message {
	return v.tell("play.elsewhere", args{"Channel": channelMention(games)})
}
