package bot

import (
	"tictactoe/store"
)

// challenge returns the message that shows the challenge. It is a plain one while
// it is open: a message of components notifies with an empty text.
func (v view) challenge(c store.Challenge) message {
	msg := message{people: challengePeople(c)}
	switch c.State {
	case store.Open:
		until := v.now.Add(c.Deadline - v.uptime)
		msg.content = v.challengeText(c) + "\n" + v.say("challenge.until", args{"Time": timestamp(until, 't')})
		msg.components = []component{row(v.challengeButtons(c)...)}
	case store.Declined:
		msg.content = v.say("challenge.declined", args{"Opponent": mention(c.Opponent)})
	case store.Cancelled:
		key := "challenge.cancelled"
		if c.Opponent == "" {
			key = "challenge.table_closed"
		}
		msg.content = v.say(key, args{"Challenger": mention(c.Challenger)})
	case store.Expired:
		msg.content = v.challengeText(c) + "\n" + v.say("challenge.expired", nil)
		msg.components = []component{row(v.challengeAgainButton(c))}
	case store.Renewed:
		msg.content = v.challengeText(c) + "\n" + v.say("challenge.expired", nil)
	case store.Accepted:
		msg.content = v.say("challenge.accepted", args{
			"Challenger": mention(c.Challenger), "Opponent": mention(c.Opponent),
		})
	}
	return msg
}

func (v view) challengeAgainButton(c store.Challenge) component {
	return button(stylePrimary, v.say("button.challenge_again", nil), customID{action: actChallengeAgain, challenge: c.ID})
}

func (v view) challengeText(c store.Challenge) string {
	a := args{"Challenger": mention(c.Challenger), "Opponent": mention(c.Opponent), "Board": v.boardName(c.Rules)}
	if c.Opponent == "" {
		return v.say("challenge.table", a)
	}
	return v.say("challenge.text", a)
}

func (v view) challengeButtons(c store.Challenge) []component {
	id := func(a action) customID { return customID{action: a, challenge: c.ID} }
	if c.Opponent == "" {
		return []component{
			button(styleSuccess, v.say("button.join", nil), id(actAccept)),
			button(styleSecondary, v.say("button.close_table", nil), id(actCancel)),
		}
	}
	return []component{
		button(styleSuccess, v.say("button.accept", nil), id(actAccept)),
		button(styleSecondary, v.say("button.decline", nil), id(actDecline)),
		button(styleSecondary, v.say("button.cancel_challenge", nil), id(actCancel)),
	}
}

// challengePeople returns the ids of the people whom the challenge concerns.
func challengePeople(c store.Challenge) []string {
	if c.Opponent == "" {
		return []string{string(c.Challenger)}
	}
	return []string{string(c.Challenger), string(c.Opponent)}
}

// notice is the line that tells the challenger that somebody sat down after all.
// It is plain, so that it notifies him.
func (v view) notice(m store.Match, c store.Challenge, link string) message {
	return message{
		content: v.say("challenge.notice", args{
			"Challenger": mention(c.Challenger), "Opponent": mention(c.Opponent), "Link": link,
		}),
		people: people(m),
	}
}
