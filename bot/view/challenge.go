package view

import (
	"cmp"
	"slices"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// Challenges shows offers to play.
type Challenges struct{ View }

// Challenge returns the message that shows the challenge. It is a plain one while
// it is open: a message of components notifies with an empty text.
func (v Challenges) Challenge(c store.Challenge) discord.Message {
	both := args{"Challenger": v.mention(c.Challenger), "Opponent": v.mention(c.Opponent)}
	called := when(!c.Quiet && !c.InGroup, c.Opponent) // in a group nobody knows whether they are there
	msg := discord.Message{People: challengePeople(c), Calls: ids(called), Quiet: called == ""}
	closed := either(c.State == store.Cancelled && c.Opponent == "", "challenge.table_closed", closedKeys[c.State])
	msg.Content = v.say(closed, both)
	switch c.State {
	case store.Open:
		inGroup := v.say(when(c.InGroup && c.Opponent != "", "challenge.in_group"), both)
		// Who is asked may speak the guild's language and not the challenger's.
		guilds := v
		guilds.Words = v.all.In(cmp.Or(when(c.Opponent != "", c.GuildLocale), v.locale))
		again := when(baseLanguage(guilds.locale) != baseLanguage(v.locale), guilds.challengeText(c))
		msg.Content = stacked("⚔️ "+v.challengeText(c), small(v.challengeTerms(c)), small(inGroup), small(again))
		msg.Components = rowOf(challengeButtons(c, v.Words, guilds.Words)...)
	case store.Hidden:
		msg.Components = rowOf(v.playPrivatelyButton(match.ChoiceOf(store.Match{Rules: c.Rules})))
	case store.Expired, store.Renewed:
		msg.Content = stacked(v.challengeText(c), msg.Content)
		msg.Components = rowOf(when(c.State == store.Expired, v.challengeAgainButton(c)))
	}
	return msg
}

// closedKeys are the words for what became of a challenge.
var closedKeys = map[store.ChallengeState]string{
	store.Accepted: "challenge.accepted", store.Declined: "challenge.declined", store.Cancelled: "challenge.cancelled",
	store.Expired: "challenge.expired", store.Renewed: "challenge.renewed",
	store.Dismissed: "challenge.dismissed", store.Hidden: "challenge.hidden",
}

// Renewed is what is left of a challenge that was made anew: the way to the new one.
func (v Challenges) Renewed(c store.Challenge, link string) discord.Message {
	return discord.Message{Content: v.say("challenge.renewed_at", args{"Link": link}), People: challengePeople(c)}
}

// ChallengeClosed says privately what became of a challenge.
func (v Challenges) ChallengeClosed(c store.Challenge) discord.Message {
	said := v.Challenge(c)
	return withPeople(private(said.Content), said.People)
}

func (w Words) challengeAgainButton(c store.Challenge) discord.Component {
	return w.button(discord.StylePrimary, "button.challenge_again", customid.ID{Action: customid.ChallengeAgain, Challenge: c.ID})
}

func (v Challenges) challengeText(c store.Challenge) string {
	board := either(c.Rules.Limit != 0, v.boardChoice(c.Rules), v.boardName(c.Rules)) // who is asked may never have played it
	series := v.say(when(c.BestOf > 0, "series.best_of"), args{"Games": c.BestOf})
	key := cmp.Or(when(c.Opponent == "", "challenge.table"), when(c.Crown != "", "challenge.crown"), "challenge.text")
	return v.say(key, args{
		"Challenger": v.mention(c.Challenger), "Opponent": v.mention(c.Opponent), "Board": dotted(board, series),
	})
}

// challengeTerms says who has the first move, unless chance decides, how long the challenge
// is open, and how long a move may take where that is not as usual in the guild.
func (v Challenges) challengeTerms(c store.Challenge) string {
	until := args{"Time": v.clockTime(v.Now.Add(c.Deadline - v.Uptime(c.Guild)))}
	terms := v.say("challenge.until", until)
	switch {
	case c.Clock == v.Guild(c.Guild).Clock.Or(v.UsualClock):
	case c.Clock == 0:
		terms = v.say("clock.none", nil) + " · " + terms
	default:
		until["Clock"] = v.duration(c.Clock)
		terms = v.say("challenge.until_with_clock", until)
	}
	starter := either(c.First == store.FirstChallenger, c.Challenger, c.Opponent)
	starts := either(starter == "", "challenge.starts_joiner", "challenge.starts")
	return sentences(v.say(when(c.First != store.FirstRandom, starts), args{"Player": v.mention(starter)}), terms)
}

// challengeButtons are yes and no, in each of the languages.
func challengeButtons(c store.Challenge, languages ...Words) []discord.Component {
	yes, no, way := "button.accept", "button.decline", customid.Decline
	if c.Opponent == "" {
		yes, no, way = "button.join", "button.close_table", customid.Cancel
	}
	label := func(key string) string {
		return dotted(slices.Compact(each(languages, func(w Words) string { return w.say(key, nil) }))...)
	}
	return []discord.Component{
		button(discord.StyleSuccess, label(yes), customid.ID{Action: customid.Accept, Challenge: c.ID}),
		button(discord.StyleSecondary, label(no), customid.ID{Action: way, Challenge: c.ID}),
	}
}

// dated is from how long ahead on a time is given with its date: the same hour of
// tomorrow would be read as today's.
const dated = 12 * time.Hour

// clockTime returns the point in time as an hour, with its date where that is not
// plain.
func (v View) clockTime(t time.Time) string {
	return timestamp(t, either(t.Sub(v.Now) >= dated, 'f', 't'))
}

// challengePeople returns the ids of the people whom the challenge concerns.
func challengePeople(c store.Challenge) []string { return existing(c.Challenger, c.Opponent) }

// Notice is the line that tells a player that a match of theirs has begun, since the
// other one, by, has agreed to it. It is plain, so that it notifies. Who caused it is called
// by their name where that is known: a mention that notifies nobody is @unknown-user to those
// who do not know them, but where the message belongs to their own click.
func (v Games) Notice(m store.Match, to, by store.UserID, link string) discord.Message {
	return discord.Message{
		Content: v.say("challenge.notice", args{
			"Challenger": v.mention(to), "Opponent": v.player(store.Player{User: by}), "Link": link,
		}),
		People: people(m), Calls: ids(to),
	}
}

// Reminder is the line that tells a person that they are waited for: it is their turn, or
// the other one wants a rematch. It is plain, so that it notifies, and calls the other one as
// [Games.Notice] does.
func (v Games) Reminder(m store.Match, to store.UserID, link string) discord.Message {
	other := m.Player(m.Seat(to).Other()).User
	key := either(match.ClockShown(m), "reminder.turn", "reminder.turn_without_clock")
	return discord.Message{
		Content: v.say(either(m.State == store.Ended, "reminder.rematch", key), args{
			"Player": v.mention(to), "Opponent": v.player(store.Player{User: other}), "Link": link,
			"Time": timestamp(v.Now.Add(m.Deadline-v.Uptime(m.Guild)), 'R'),
		}),
		People: people(m), Calls: ids(to),
	}
}

// Declined tells who has declined a challenge when the same person can ask again.
func (v Challenges) Declined(challenger store.UserID, again time.Time) discord.Message {
	text := v.say("blocks.declined", args{"User": v.mention(challenger), "Time": v.clockTime(again), "Command": v.Command("preferences")})
	return withPeople(private(text, v.blockButton(challenger)), []string{string(challenger)})
}
