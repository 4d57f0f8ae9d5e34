package view

import (
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// fromKeys are the words for from whom somebody takes challenges.
var fromKeys = map[match.From]string{
	match.FromAnybody: "preferences.from_anybody", match.FromNobodyHere: "preferences.from_nobody_here",
	match.FromNobody: "preferences.from_nobody",
}

// challengesFrom is the part of the panel that says from whom somebody takes challenges.
func (v People) challengesFrom(p Preferences) []discord.Component {
	values := []match.From{match.FromAnybody, match.FromNobodyHere, match.FromNobody}
	if p.Guild.Guild == "" {
		values = []match.From{match.FromAnybody, match.FromNobody}
	}
	from := options(v.Words, values, fromKeys, match.TakesFrom(p.Blocks, p.Guild.Guild))
	return []discord.Component{
		discord.TextDisplay(v.say("preferences.from", nil) + "\n" + v.say("preferences.from_note", nil)),
		discord.Row(discord.Select(customid.ID{Action: customid.ChallengesFrom}.String(), "", from...)),
	}
}

// blockedRows is how many people a page of those who are blocked lists.
const blockedRows = 5

// blocked is the part that lists who is blocked, each with a button, and the people in it.
func (v People) blocked(p Preferences) (parts []discord.Component, people []string) {
	all := match.Blocked(p.Blocks)
	text := v.say("preferences.blocked_nobody", nil)
	if len(all) > 0 {
		text = v.count("preferences.blocked", len(all))
	}
	text += "\n" + v.say("preferences.blocked_note", nil)
	if p.Problem != "" {
		text += "\n" + v.say(string(p.Problem), nil)
	}
	parts = append(parts, discord.TextDisplay(text))
	pages := max(1, (len(all)+blockedRows-1)/blockedRows)
	page := min(p.Page, pages-1)
	for _, b := range all[page*blockedRows : min(len(all), (page+1)*blockedRows)] {
		lift := customid.ID{Action: customid.UnblockListed, User: b.From, Page: page}
		parts = append(parts, discord.Section(v.button(discord.StyleSecondary, "button.unblock", lift), discord.TextDisplay(v.mention(b.From))))
		people = append(people, string(b.From))
	}
	var turns []discord.Component
	if page > 0 {
		turns = append(turns, button(discord.StyleSecondary, toPrevious, customid.ID{Action: customid.BlockPage, Page: page - 1}))
	}
	if page < pages-1 {
		turns = append(turns, button(discord.StyleSecondary, toNext, customid.ID{Action: customid.BlockPage, Page: page + 1}))
	}
	parts = append(parts, rowOf(turns...)...)
	choose := customid.ID{Action: customid.BlockChosen}.String()
	return append(parts, discord.Row(discord.UserSelect(choose, v.say("preferences.block", nil)))), people
}

// Declined tells who has declined a challenge when the same person can ask again.
func (v Challenges) Declined(challenger store.UserID, again time.Time) discord.Message {
	text := v.say("blocks.declined", args{"User": v.mention(challenger), "Time": v.clockTime(again), "Command": v.Command("preferences")})
	return withPeople(private(text, v.blockButton(challenger)), []string{string(challenger)})
}

// Blocked tells somebody that they have blocked a person, or lifted that, with the way
// back.
func (v People) Blocked(user store.UserID, lifted bool) discord.Message {
	key, way := "blocks.done", v.unblockButton(user)
	if lifted {
		key, way = "blocks.lifted", v.blockButton(user)
	}
	text := v.say(key, args{"User": v.mention(user), "Command": v.Command("preferences")})
	return withPeople(private(text, way), []string{string(user)})
}

func (w Words) blockButton(user store.UserID) discord.Component {
	return w.button(discord.StyleSecondary, "button.block", customid.ID{Action: customid.Block, User: user})
}

func (w Words) unblockButton(user store.UserID) discord.Component {
	return w.button(discord.StyleSecondary, "button.unblock", customid.ID{Action: customid.Unblock, User: user})
}
