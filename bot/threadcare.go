package bot

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// Nothing tells the bot that a thread was archived: events about threads come with all those
// about guilds and channels, and it asks for none. It looks when Discord must have archived
// the thread if nobody has written there, when an edit is refused because of that, before
// somebody loses by the clock in it, and when a player wants to leave.
const (
	// threadSlack is how long behind that moment it looks.
	threadSlack = time.Minute
	// lockedEvery is how often it looks whether a locked thread is open again.
	lockedEvery = 10 * time.Minute
	// careAgain is when a thread is looked after again where that has failed.
	careAgain = 30 * time.Second
	// careTime bounds a look for which somebody waits.
	careTime = time.Second
)

// mayBeLocked reports whether the thread of a match is looked at before its clock counts.
func (b threads) mayBeLocked(m store.Match) bool {
	return m.Thread != "" && m.State == store.Active && !m.Locked
}

// careAt is when somebody looks whether the thread of a match was archived in which a
// message was just written.
func (b threads) careAt(m store.Match) time.Duration {
	return b.up(m.Guild) + autoArchive(m) + threadSlack
}

// see looks after the thread of a match, in the background, unless that is done already.
func (b threads) see(id store.MatchID) {
	if _, busy := b.cared.LoadOrStore(id, true); busy {
		return
	}
	b.background(func(ctx context.Context) {
		err := errors.New("bot: not looked after") // stays where this panics
		defer func() {
			if err == nil {
				b.cared.Delete(id)
				return
			}
			b.opts.After(careAgain, func() { b.cared.Delete(id) })
		}()
		if err = b.look(ctx, id); err != nil {
			b.log.Info("thread not looked after yet", "error", err)
		}
	})
}

// latest returns the match as it is once its thread was looked at, as far as that succeeds in
// time.
func (b threads) latest(ctx context.Context, m store.Match) store.Match {
	if m.Thread == "" || m.State != store.Active {
		return m
	}
	limited, cancel := context.WithTimeout(ctx, careTime)
	defer cancel()
	if err := b.look(limited, m.ID); err != nil {
		b.log.Info("thread not looked at", "error", err)
	}
	if now, err := b.store.Match(ctx, m.ID); err == nil {
		return now
	}
	return m
}

// look looks after the thread of a match as it is now. What it does may be repeated without
// harm: Discord knows whether the thread is archived.
func (b threads) look(ctx context.Context, id store.MatchID) error {
	m, err := b.store.Match(ctx, id)
	switch {
	case err != nil || m.Thread == "":
		return err
	case m.State == store.Ended:
		return b.archive(ctx, m)
	}
	thread, err := b.api.Channel(ctx, string(m.Thread))
	switch {
	case errors.Is(err, rest.ErrUnknownChannel), errors.Is(err, rest.ErrUnknownGuild):
		shown(b).Unreachable(ctx, tracker.Rendering{Guild: m.Guild, Channel: m.Thread, Parent: m.Channel}, err)
		return nil
	case refusedForGood(err):
		thread = &rest.Channel{} // nobody can tell: it is taken for open, and not looked at again
	case err != nil:
		return err
	}
	state, up, next := thread.Thread, b.up(m.Guild), m
	switch {
	case state.Locked && !m.Locked:
		next = match.Lock(m, up)
	case !state.Locked && m.Locked:
		next = match.Unlock(m, up)
	case !m.Locked && m.Deadline != 0 && m.Deadline <= b.overAt(m.Guild):
		return b.expireMatch(ctx, m, up)
	}
	open := !state.Archived
	switch {
	case state.Locked:
		next.ThreadDue = up + lockedEvery
	case state.Archived:
		if open, err = b.bringBack(ctx, m, state); err != nil {
			return err
		}
		next.ThreadDue = b.careAt(m)
	case state.AutoArchive == 0:
		next.ThreadDue = 0
	default:
		next.ThreadDue = up + max(b.untilArchived(thread), 0) + threadSlack
	}
	stored, err := b.storeQuietly(ctx, store.Change{Matches: []store.Match{next}})
	same := next.Locked == m.Locked && !state.Archived && b.tracker.Same(matchRef(m.ID), m.Version+1, m.Drawn)
	if stored && open && !same { // an edit in an archived thread would lead here again
		b.tracker.Redraw(matchRef(m.ID))
	}
	return err
}

// untilArchived returns when Discord archives the thread if nobody writes in it.
func (b threads) untilArchived(thread *rest.Channel) time.Duration {
	idle := discord.SinceEpoch(b.opts.Now()) - max(0, discord.SinceEpoch(thread.Thread.Changed))
	if written, ok := discord.Made(thread.LastMessage); ok {
		idle = min(idle, discord.SinceEpoch(b.opts.Now())-written)
	}
	return time.Duration(thread.Thread.AutoArchive)*time.Minute - idle
}

// bringBack writes a line into an archived thread, which opens it, and reports whether it
// could. Under its nonce the line comes once each time that the thread is archived.
func (b threads) bringBack(ctx context.Context, m store.Match, state rest.ThreadMetadata) (opened bool, _ error) {
	v := b.view(m.Locale)
	v.Names = b.namesIn(ctx, m.Guild, m.Player(match.SideToMove(m)).User) // nobody is notified, so that a mention might show no name
	msg := v.ThreadBack(m, b.linkTo(m.Guild, m.Thread, matchRef(m.ID), m.Message))
	msg.Nonce = "a" + strconv.FormatInt(int64(m.ID), 36) + "-" + strconv.FormatInt(state.Changed.UnixMilli(), 36)
	_, err := b.api.CreateMessage(ctx, string(m.Thread), msg.Create())
	if refusedForGood(err) {
		b.log.Info("archived thread not opened", "error", err)
		return false, nil
	}
	return err == nil, err
}

// archive archives the thread behind its last match, once that is due. While something is
// played there, or somebody waits for a rematch, it stays; the next match that has the thread
// looks after it then.
func (b threads) archive(ctx context.Context, m store.Match) error {
	up := b.up(m.Guild)
	if m.ThreadDue == 0 || m.ThreadDue > up {
		return nil
	}
	running, err := b.playedIn(ctx, m.Thread, m.Channel)
	if err != nil {
		return err
	}
	stays := len(running) > 0 || match.WaitedFor(m) != ""
	if !stays {
		if err := b.api.ArchiveThread(ctx, string(m.Thread)); err != nil && !refusedForGood(err) {
			return err
		}
	}
	next := m
	if next.ThreadDue = 0; stays {
		next.ThreadDue = up + match.ThreadStays
	}
	stored, err := b.storeQuietly(ctx, store.Change{Matches: []store.Match{next}})
	if stored && !b.tracker.Same(matchRef(m.ID), m.Version+1, m.Drawn) {
		b.tracker.Redraw(matchRef(m.ID))
	}
	return err
}

// refusedForGood reports whether Discord has refused a request in a way that it would again.
func refusedForGood(err error) bool {
	var refused *rest.Error
	return errors.As(err, &refused) && refused.Status >= http.StatusBadRequest && refused.Status < http.StatusInternalServerError &&
		refused.Status != http.StatusTooManyRequests && !errors.Is(err, rest.ErrUnauthorized)
}

// Archived brings back the thread of a match that runs. Where an edit is refused again soon
// it leaves that: looking leads to an edit.
func (b shown) Archived(r tracker.Ref) {
	if r.Match == 0 {
		return
	}
	if _, soon := b.cared.LoadOrStore(r, true); soon {
		return
	}
	b.opts.After(careAgain, func() { b.cared.Delete(r) })
	threads(b).see(r.Match)
}
