package games

import (
	"context"
	"time"

	"tictactoe/bot/internal/recent"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// noticeAfter is how long an offer must have waited to be worth a notice to whoever
// made it when it is taken.
const noticeAfter = time.Minute

// notices are plain messages that notify a player of a match that begins. A match has one
// notice or reminder at a time.
type notices struct {
	tools
	matches store.Matches
	deliver func(store.Delivery)        // tells the store where a notice stands,
	settle  func(context.Context) error // which has that stored for good: now, or else soon
	lines   recent.Shared[lineAt, tokenLine]
}

// tell tells a player who may be looking elsewhere that the match begins: the other
// one, whose interaction it is, has agreed to it.
func (b *notices) tell(in *kit.Request, m store.Match, to store.UserID) func(context.Context) {
	return func(ctx context.Context) {
		link := b.kit.LinkTo(m.Guild, m.Where(), kit.MatchRef(m.ID), m.Message)
		v := b.kit.View(m.Locale)
		if in.PostsItself() {
			v.Names = b.kit.NamesIn(ctx, in.GuildID, m.X.User, m.O.User)
		}
		id, err := b.kit.Public(ctx, in, v.Games().Notice(m, to, in.UserID, link))
		if err != nil {
			b.kit.Log.Info("notice not sent", "error", err)
			return
		}
		b.sent(ctx, m, in.Token, id)
	}
}

// tokenLine is a message that was sent behind an interaction, and that only its token can take
// away. Tokens are secrets, and are not stored: a restart leaves such a line where it is.
type tokenLine struct{ token, message string }

const tokenLinesMost = 10_000

// lineAt is what a line is about: a notice or a reminder is about a ply, since what removes it
// after one move may run late, and must not take the line of the next.
type lineAt struct {
	match  store.MatchID
	plies  int
	beside store.UserID // whose private message it is beside the board, empty for a notice
}

// watch removes the line if the match has moved on. Where another process may do that later, and
// could not remove it, it goes on looking.
func (b *notices) watch(ctx context.Context, m store.Match, until time.Time) {
	now, err := b.matches.Match(ctx, m.ID)
	switch {
	case err == nil && !match.StillWaits(m, now):
		b.deleteByToken(ctx, m)
	case b.kit.Clock.Elsewhere(store.AllDomains) && b.kit.Now().Before(until):
		b.kit.After(15*time.Second, func() { b.kit.Work.Go(func(ctx context.Context) { b.watch(ctx, m, until) }) })
	}
}

func (b *notices) deleteByToken(ctx context.Context, m store.Match) {
	if line, ok := b.lines.Take(lineAt{match: m.ID, plies: len(m.Moves)}); ok {
		b.takeAway(ctx, line)
	}
}

// takeAway deletes a message by its token.
func (b *notices) takeAway(ctx context.Context, line tokenLine) {
	if err := b.kit.API.DeleteByToken(ctx, line.token, line.message); err != nil {
		b.kit.Log.Info("message left where it is", "error", err)
	}
}

// aside has the answer take the place of the private message that the user had beside the
// match, as long as the token lives that takes it away: they have one at a time.
func (b *notices) aside(in *kit.Request, m store.Match, r kit.Response) kit.Response {
	key := lineAt{match: m.ID, beside: in.UserID}
	old, ok := b.lines.Take(key)
	b.lines.Put(key, tokenLine{in.Token, "@original"}, b.kit.Now(), tracker.TokenLife, tokenLinesMost)
	if !ok || r.Kind != rest.CallbackMessage {
		return r
	}
	return r.AndThen(func(ctx context.Context) { b.takeAway(ctx, old) })
}

// sent stores where the notice stands, and then removes it at once if the match has moved
// on meanwhile. Whoever changes it later finds the notice. Where only tokens reach the channel
// that of the notice is remembered instead.
func (b *notices) sent(ctx context.Context, m store.Match, token string, notice store.MessageID) {
	if m.TokenOnly {
		b.lines.Put(lineAt{match: m.ID, plies: len(m.Moves)}, tokenLine{token, string(notice)}, b.kit.Now(), tracker.TokenLife, tokenLinesMost)
		b.watch(ctx, m, b.kit.Now().Add(tracker.TokenLife))
		return
	}
	b.deliver(store.Delivery{Match: m.ID, Notice: notice})
	if err := b.settle(ctx); err != nil {
		b.kit.Log.Info("notice not stored yet", "error", err)
	}
	if now, err := b.matches.Match(ctx, m.ID); err == nil && !match.StillWaits(m, now) {
		b.delete(ctx, m, notice)
	}
}

// remove deletes the notice of a match, if it has one: the challenger has come,
// or the other one has moved.
func (b *notices) remove(m store.Match) func(context.Context) {
	if m.TokenOnly {
		return func(ctx context.Context) { b.deleteByToken(ctx, m) }
	}
	if match.AgainstProgram(m) || m.Notice == "" && len(m.Moves) > 0 && !match.Reminded(m) {
		// One that was sent since the match was read is removed by tell, which sees
		// that the game has begun. A reminder is claimed first, which makes another
		// version of the match: none can have come about since this one was read.
		return nil
	}
	return func(ctx context.Context) {
		// It may have been sent after the match was read: with the first move tell may
		// have looked before that was stored. One of the next move stays.
		now, err := b.matches.Match(ctx, m.ID)
		later := now.State == store.Active && len(now.Moves) > len(m.Moves) && match.Reminded(now)
		if err == nil && now.Notice != "" && !later {
			b.delete(ctx, m, now.Notice)
		}
	}
}

func (b *notices) delete(ctx context.Context, m store.Match, notice store.MessageID) {
	err := b.kit.API.DeleteMessage(ctx, string(m.Where()), string(notice))
	if err != nil && !rest.Gone(err) && !rest.Forbidden(err) {
		b.kit.Log.Warn("notice not deleted", "error", err)
		return
	}
	b.deliver(store.Delivery{Match: m.ID, Removed: notice}) // another one that was sent meanwhile stays known
}
