// Package change is how records come to be changed: load, transition, store, and again where
// somebody else was faster. It finds places and seats for matches that begin, asks who may
// play with whom, and counts starts. It knows no feature.
package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// changer loads records, and stores what becomes of them.
type changer struct {
	kit      *kit.Kit
	think    *kit.Thinker
	store    changeStore
	starts   *startLimiter
	observer interface {
		Committed(begun int, ended []store.EndReason)
	}
	endings     endings
	mostPrivate int
	// expire ends a match whose time has come.
	expire func(ctx context.Context, m store.Match, up time.Duration) error
}

type changeStore interface {
	store.Matches
	store.Challenges
	store.People
	Post(ctx context.Context, key string) (store.Post, error)
	Apply(ctx context.Context, c store.Change) error
}

// conflictTries bounds how often a change is tried again over a newer version.
const conflictTries = 5

// change stores what try wants to have stored, under the interaction. try loads a
// record, applies a transition and returns the result. When somebody else was faster
// the store refuses it, and try is asked again, over what is stored by then. This is
// the only such loop: whoever changes a record because of an interaction comes
// through here.
func (b *changer) change(ctx context.Context, in *kit.Request, try func() (store.Change, error)) error {
	for n := 1; ; n++ {
		c, err := try()
		if err != nil {
			return err
		}
		c.Interaction = in.InteractionID
		if err = b.apply(ctx, c); n == conflictTries || !outpaced(err) {
			return classifySave(err)
		}
	}
}

// outpaced reports whether a change was refused because of what somebody else has
// stored, or erased, since its try looked.
func outpaced(err error) bool {
	return errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrPlaceTaken) ||
		errors.Is(err, store.ErrSeatTaken) || errors.Is(err, store.ErrPairTaken) || errors.Is(err, store.ErrBlocked)
}

// changeMatch changes one match. It returns the match before and after.
func (b *changer) changeMatch(ctx context.Context, in *kit.Request, id store.MatchID, transition func(store.Match) (store.Match, error)) (before, after store.Match, _ error) {
	err := b.change(ctx, in, func() (_ store.Change, err error) {
		if before, err = b.dueMatch(ctx, in, id); err == nil {
			after, err = transition(before)
			after.TokenOnly = in.TokenOnly(after)
		}
		return store.Change{Matches: []store.Match{after}}, err
	})
	if err != nil {
		return before, before, err
	}
	after.Version++
	return before, after, nil
}

// opening is a match that is about to begin, and what changes together with it. Each
// may be missing.
type opening struct {
	match     store.Match
	also      store.Match // an earlier match
	resigned  store.Match // the one that the user gives up for it
	challenge store.Challenge
	choice    match.Choice // what can be played privately where the channel is busy
	unlimited bool         // it does not count as a start
	threaded  bool         // it is to be played in a thread
}

// other returns the other person of what is about to begin, or of the wish for it, empty
// where there is none.
func (o opening) other(user store.UserID) store.UserID {
	m := o.match
	if m.ID == 0 {
		m = o.also
	}
	if m.Seat(user) == engine.None {
		return ""
	}
	return m.Player(m.Seat(user).Other()).User
}

// open begins a match: it finds a place in the channel, counts the start, lets the
// program move where it has the first move, and stores all of it, with the matches against
// the program that step aside. prepare is asked again like the try of change.
func (b *changer) open(ctx context.Context, in *kit.Request, prepare func() (opening, error)) (opened store.Match, _ error) {
	var aside []store.Match
	err := b.change(ctx, in, func() (c store.Change, err error) {
		o, err := prepare()
		if err != nil {
			return c, err
		}
		for _, m := range [...]store.Match{o.also, o.resigned} {
			if m.ID != 0 {
				c.Matches = append(c.Matches, m)
			}
		}
		if o.challenge.ID != 0 {
			c.Challenges = append(c.Challenges, o.challenge)
		}
		if other := o.other(in.UserID); other != "" {
			if err := b.willing(ctx, in, other); err != nil {
				return c, err
			}
			c.Consents = both(in.GuildID, in.UserID, other)
		}
		if opened = o.match; opened.ID == 0 {
			return c, nil
		}
		if opened.Place, aside, err = b.place(ctx, in, o); err != nil {
			return c, err
		}
		for _, m := range aside {
			c.Matches = append(c.Matches, match.PutAside(m, opened, b.kit.Up(m.Guild)))
		}
		if !o.unlimited {
			if err := b.starts.count(ctx, in, b.kit.Now()); err != nil {
				return c, err
			}
		}
		choose, err := b.think.Chooser(ctx, opened)
		if err != nil {
			return c, err
		}
		opened.TokenOnly = in.BotAbsent
		opened, err = match.Open(opened, choose, b.kit.Up(opened.Guild))
		c.Matches = append(c.Matches, opened)
		return c, err
	})
	if err == nil {
		for _, m := range aside {
			b.kit.Tracker.Redraw(kit.MatchRef(m.ID))
		}
	}
	opened.Version++
	return opened, err
}

// place returns the place that a match gets in its channel, 0 for a private one, and the
// matches that step aside for it, or the refusal of a match that gets none. It is the one place that knows: where somebody takes
// the place or the seat between this look and the commit, the store refuses the change
// and open looks again.
func (b *changer) place(ctx context.Context, in *kit.Request, o opening) (_ int, aside []store.Match, _ error) {
	if o.match.Private() {
		return 0, nil, b.tooManyPrivate(ctx, match.FirstUser(o.match).User)
	}
	most, err := in.MostPlaces()
	if err != nil {
		return 0, nil, err
	}
	active, err := b.store.ActiveMatches(ctx, o.match.Channel)
	if err != nil {
		return 0, nil, err
	}
	active = slices.DeleteFunc(active, func(m store.Match) bool {
		if match.StepsAside(m, o.match) {
			aside = append(aside, m)
			return true
		}
		return m.ID == o.also.ID || m.ID == o.resigned.ID // they end with this change
	})
	for _, m := range active {
		switch {
		case m.Seat(in.UserID) != engine.None:
			return 0, nil, &kit.Refusal{Reason: match.ErrPlaysHere, Match: m, Choice: o.choice}
		case m.Seat(o.match.X.User) != engine.None, m.Seat(o.match.O.User) != engine.None:
			return 0, nil, &kit.Refusal{Reason: match.ErrOpponentPlays, Match: m, Opponent: o.match.Player(o.match.Seat(in.UserID).Other())}
		}
	}
	free := match.FreePlace(active, most, o.threaded || o.match.Thread != "")
	if free == 0 {
		return 0, nil, &kit.Refusal{Reason: match.ErrBusy, Match: active[0], Games: active, Choice: o.choice}
	}
	return free, aside, nil
}

// tooManyPrivate returns the refusal of somebody who has enough private matches running.
// It leads to the last of them.
func (b *changer) tooManyPrivate(ctx context.Context, user store.UserID) error {
	running, err := b.store.PrivateMatches(ctx, "", user, b.mostPrivate)
	if err != nil || len(running) < b.mostPrivate {
		return err
	}
	return &kit.Refusal{Reason: match.ErrTooManyPrivate, Private: running[0]}
}

// apply stores a change, and with it the moment at which it was made, and
// what matches are worth that it ends.
func (b *changer) apply(ctx context.Context, c store.Change) error {
	now := b.kit.Now()
	for i := range c.Matches {
		b.foldLater(&c.Matches[i])
		stamp(&c.Matches[i].Created, &c.Matches[i].Updated, c.Matches[i].Version, now)
	}
	for _, m := range c.Matches {
		if m.State == store.Ended {
			c.Awards = append(c.Awards, match.Award(m, match.HelpIn(m)))
		}
	}
	for i := range c.Challenges {
		stamp(&c.Challenges[i].Created, &c.Challenges[i].Updated, c.Challenges[i].Version, now)
	}
	defer b.kit.Settings.Forget(c)
	began := b.kit.Clock.Look()
	err := b.store.Apply(ctx, c)
	b.wrote(began, err)
	if err == nil {
		b.committed(c)
	}
	return err
}

// wrote stops the clocks at a write that failed, until the next one that does not. A
// change that the store refuses for what it says has met a store that works.
func (b *changer) wrote(began kit.Moment, err error) {
	failed := classifySave(err)
	b.kit.Clock.Wrote(began, errors.Is(failed, errNotSaved) || errors.Is(failed, store.ErrPending))
}

func stamp(created, updated *time.Time, version int, now time.Time) {
	if *updated = now; version == 0 {
		*created = now
	}
}

func (b *changer) loadMatch(ctx context.Context, id store.MatchID) (store.Match, error) {
	m, err := b.store.Match(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return m, match.ErrUnknownRecord
	}
	return m, err
}

// dueMatch loads a match that is about to change. If its time had come before the click, that
// is stored first. Who is to move may have clicked in time yet while others come too late.
func (b *changer) dueMatch(ctx context.Context, in *kit.Request, id store.MatchID) (store.Match, error) {
	m, err := b.loadMatch(ctx, id)
	if err != nil || m.Deadline == 0 {
		return m, err
	}
	up := b.kit.ClickedAt(in, m.Guild)
	if m.State == store.Active && m.Player(match.SideToMove(m)).User != in.UserID {
		up = b.kit.OverAt(m.Guild)
	}
	if m.Deadline > up {
		return m, nil
	}
	if err := b.expire(ctx, m, up); err != nil {
		return m, classifySave(err)
	}
	return b.loadMatch(ctx, id)
}

func (b *changer) loadChallenge(ctx context.Context, id store.ChallengeID) (store.Challenge, error) {
	c, err := b.store.Challenge(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return c, match.ErrChallengeClosed
	}
	return c, err
}

// errNotSaved marks failures of the store after which nothing was stored.
var errNotSaved = errors.New("bot: not saved")

// classifySave tells failures of a commit after which nothing is stored for certain from
// those that somebody acts on.
func classifySave(err error) error {
	for _, known := range [...]error{
		store.ErrConflict, store.ErrClaimed, store.ErrPlaceTaken, store.ErrSeatTaken, store.ErrPairTaken,
		store.ErrBlocked, store.ErrErasing, store.ErrPending, store.ErrImmutable, store.ErrInvalid,
	} {
		if errors.Is(err, known) {
			return err
		}
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errNotSaved, err)
}
