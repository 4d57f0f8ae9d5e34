package kit

import (
	"cmp"
	"context"

	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// Listed returns the matches for a list of them, each with its link.
func (b *Kit) Listed(games []store.Match) []view.Listed {
	var list []view.Listed
	for _, m := range games {
		list = append(list, view.Listed{Match: m, Link: b.LinkTo(m.Guild, m.Where(), MatchRef(m.ID), m.Message)})
	}
	return list
}

// AlsoSay has a private message follow the answer. Where another delivery was answered first its
// words follow: whatever is not stored is said by both.
func (b *Kit) AlsoSay(in *Request, r Response, msg discord.Message) Response {
	r.Then = InTurn(func(ctx context.Context) {
		if in.AnsweredElsewhere {
			return
		}
		if _, err := b.Follow(ctx, in.Token, msg); err != nil {
			b.Log.Info("words behind an answer not sent", "error", err)
		}
	}, r.Then)
	return r
}

// RedrawTimes redraws a message that names times, unless it was drawn since they last
// came to be off.
func (b *Kit) RedrawTimes(r tracker.Ref) (old bool) {
	moved := b.Clock.lastMoved()
	return !moved.IsZero() && r != tracker.Ref{} && b.Tracker.RedrawTimes(r, moved)
}

// ShowChallenge answers with a challenge, as a new message or in place of the clicked
// one.
func (b *Kit) ShowChallenge(c store.Challenge, as func(discord.Message) Response) Response {
	r := as(b.ChallengeMessage(c))
	r.Shows = tracker.Showing{Ref: ChallengeRef(c.ID), Version: c.Version}
	return r
}

// ChallengeMessage shows the challenge: in the language that who is asked has chosen, or else in
// the one in which it was made. An open table is there for everybody: it speaks the guild's. One
// that was made anew says where.
func (b *Kit) ChallengeMessage(c store.Challenge) discord.Message {
	v := b.View(cmp.Or(c.OpponentLocale, c.Locale)).Challenges()
	if c.Opponent == "" && c.GuildLocale != "" {
		v = b.View(c.GuildLocale).Challenges()
	}
	if link := b.linkToNext(c); link != "" {
		return v.Renewed(c, link)
	}
	return v.Challenge(c)
}

// linkToNext returns the address of the challenge that was made in the place of this one, empty
// for none and where that is not known.
func (b *Kit) linkToNext(c store.Challenge) string {
	if c.Next == 0 {
		return ""
	}
	next := readNow(b, b.Challenge, c.Next)
	message := b.Tracker.Where(ChallengeRef(next.ID), next.Message)
	if message == "" {
		return ""
	}
	return discord.MessageLink(next.Guild, next.Channel, message)
}

// IsOldCopy reports whether the click came from a message that was replaced by a
// newer one. Private boards have no such copies: each can be gone on with. While the
// newer one is being made the answer waits a moment for its id.
func (b *Kit) IsOldCopy(in *Request, m store.Match) bool {
	if m.Private() || in.ClickedID == "" {
		return false
	}
	current := b.Tracker.Where(MatchRef(m.ID), m.Message)
	return current != "" && discord.Older(in.ClickedID, current)
}

// ShowList answers a choice in a list of one's own with the list as it is now.
func (b *Kit) ShowList(in *Request, m store.Match) (Response, error) {
	msg, err := b.View(in.Language()).Board().List(m)
	return Update(msg), err
}

// ShowMatch answers with the board of a match, as a new message or in place of the clicked
// one.
func (b *Kit) ShowMatch(m store.Match, as func(discord.Message) Response) (Response, error) {
	msg, err := b.View(m.Locale).Board().Match(m)
	if err != nil {
		return Response{}, err
	}
	b.Tracker.Known(MatchRef(m.ID), BoardOf(m), m.Drawn)
	r := as(msg)
	r.Shows = tracker.Showing{Ref: MatchRef(m.ID), Version: m.Version, Most: 1}
	if match.AgainstProgram(m) {
		r.Shows.Most = 2 // with the reply
	}
	if m.Version == 1 {
		r.Shows.Step = StepOf(m)
	}
	return r, nil
}

// BoardOf returns the message of a match as the store knows it.
func BoardOf(m store.Match) tracker.Copy {
	return tracker.Copy{ID: m.Message, Channel: m.Where(), TokenOnly: m.OnlyByToken()}
}

// PostOf returns that of a challenge.
func PostOf(c store.Challenge) tracker.Copy {
	return tracker.Copy{ID: c.Message, Channel: c.Channel, TokenOnly: c.TokenOnly}
}

// MatchRef names a match for the tracker.
func MatchRef(id store.MatchID) tracker.Ref { return tracker.Ref{Match: id} }

// ChallengeRef names a challenge for the tracker.
func ChallengeRef(id store.ChallengeID) tracker.Ref { return tracker.Ref{Challenge: id} }
