package games

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/engine"
	"tictactoe/store"
)

// remindMost is how many reminders are on their way at once.
const remindMost = 16

// Reminders are plain lines that tell somebody that they are waited for.
type Reminders struct {
	tools
	matches   store.Matches
	people    store.People
	notices   *notices
	reminding chan struct{} // holds one for each line on its way
}

// Remind reminds whom the match waits for, if it is time: it claims the reminder and has it
// sent. The claim is stored first, over the version that was read: whatever becomes of the line
// afterwards, there is no second one, and none after a move. While very many are on their way
// it is left for the next look.
func (b *Reminders) Remind(ctx context.Context, m store.Match, up time.Duration) error {
	claimed, whom, ok := match.Remind(m, up)
	if !ok {
		return nil
	}
	guild := m.Guild
	if m.TokenOnly {
		guild = "" // nobody could set anything there
	}
	wanted, err := b.wanted(ctx, guild, whom)
	if err == nil && wanted && m.State == store.Ended { // nobody is told of a wish that they have blocked, or that came true
		other := m.Player(m.Seat(whom).Other()).User
		var blocked bool
		blocked, err = b.people.Blocked(ctx, store.Consent{Guild: m.Guild, By: other, To: whom})
		running, activeErr := b.matches.ActiveMatches(ctx, m.Channel)
		err = errors.Join(err, activeErr)
		wanted = !blocked && !slices.ContainsFunc(running, func(m store.Match) bool { return m.Seat(whom) != engine.None && m.Seat(other) != engine.None })
	}
	if err != nil {
		return err
	}
	if wanted {
		select {
		case b.reminding <- struct{}{}:
		default:
			return nil
		}
	}
	stored, err := b.change.Quietly(ctx, store.Change{Matches: []store.Match{claimed}})
	if stored {
		claimed.Version++
		if !b.kit.Tracker.Same(kit.MatchRef(m.ID), claimed.Version, m.Drawn) { // the line is not on the board
			b.kit.Tracker.Redraw(kit.MatchRef(m.ID))
		}
	}
	switch {
	case !wanted:
	case stored:
		b.try(&line{match: claimed, to: whom, until: b.kit.Now().Add(kit.TryFor)})
	default:
		<-b.reminding
	}
	return err
}

// wanted reports whether somebody is told at all: neither they nor the guild have turned
// it off.
func (b *Reminders) wanted(ctx context.Context, guild store.GuildID, whom store.UserID) (bool, error) {
	if whom == "" {
		return false, nil
	}
	g, err := b.kit.Settings.Guild(ctx, guild)
	if err != nil || !g.Reminders.Or(true) {
		return false, err
	}
	p, err := b.kit.Settings.Person(ctx, whom)
	return p.Reminders.Or(true), err
}

// line is a reminder on its way.
type line struct {
	match store.Match // with the claim
	to    store.UserID
	until time.Time
	tries int
}

// nonce names the claim: the match and the ply, or its rematch. A game can end without a
// move, by a resignation, soon after somebody was reminded in it.
func (l *line) nonce() string {
	id := strconv.FormatInt(int64(l.match.ID), 36)
	if l.match.State == store.Ended {
		return id + "-rematch"
	}
	return id + "-" + strconv.Itoa(len(l.match.Moves))
}

// try sends the line in the background, and again later as long as nobody knows whether it
// has arrived.
func (b *Reminders) try(l *line) {
	b.kit.Work.Go(func(ctx context.Context) {
		again := false
		defer func() {
			if !again {
				<-b.reminding
			}
		}()
		err := b.send(ctx, l)
		again = err != nil && !rest.Refused(err) && b.kit.TryAgain(&l.tries, l.until, func() { b.try(l) })
		if err != nil && !again {
			b.kit.Log.Info("reminder not sent", "error", err, "tries", l.tries+1)
		}
	})
}

// send makes one try, unless the line has become needless.
func (b *Reminders) send(ctx context.Context, l *line) error {
	m := l.match
	now, err := b.matches.Match(ctx, m.ID)
	if err != nil || !match.StillWaits(m, now) {
		return err
	}
	if now.Notice != "" { // one line at a time
		b.notices.delete(ctx, now, now.Notice)
	}
	link := b.kit.LinkTo(m.Guild, m.Where(), kit.MatchRef(m.ID), now.Message)
	v := b.kit.View(m.Locale)
	if m.State == store.Ended && !now.TokenOnly { // else nobody but the person called is named
		v.Names = b.kit.NamesIn(ctx, m.Guild, m.X.User, m.O.User)
	}
	msg := v.Games().Reminder(now, l.to, link)
	token := b.kit.Tracker.Token(kit.MatchRef(m.ID))
	byToken := now.TokenOnly
	sent, err := store.MessageID(""), errNoToken
	if !byToken {
		msg.Nonce = l.nonce()
		sent, err = b.kit.Post(ctx, m.Where(), msg)
		byToken = rest.Forbidden(err) && token != ""
	}
	if byToken && token != "" {
		// Of the five messages that Discord takes behind an answer where the bot is no member,
		// those that the answer itself brings along are two at most.
		msg.Nonce = "" // which only channels know
		sent, err = b.kit.Follow(ctx, token, msg)
	}
	switch {
	case err == nil:
		b.notices.sent(ctx, now, token, sent)
	case byToken: // it is tried once: nobody could tell a repetition
		b.kit.Log.Info("reminder not sent", "error", err)
		return nil
	}
	return err
}

// errNoToken: nothing was sent where interaction tokens alone can write.
var errNoToken = errors.New("bot: no token that lives")
