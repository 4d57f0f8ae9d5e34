// Package change is how records come to be changed: load, transition, store, and again where
// somebody else was faster. It finds places and seats for matches that begin, asks who may
// play with whom, and counts starts. It knows no feature.
package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tictactoe/bot/internal/recent"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// Changer loads records, and stores what becomes of them.
type Changer struct {
	Kit      *kit.Kit
	Store    changeStore
	Starts   *Limiter
	Observer interface {
		Committed(begun int, ended []store.EndReason)
	}
	endings     recent.Lately[store.MatchID]
	MostPrivate int
	// Expire ends a match whose time has come.
	Expire func(ctx context.Context, m store.Match, up time.Duration) error
}

type changeStore interface {
	store.Matches
	store.Challenges
	store.People
	store.Crowns
	Post(ctx context.Context, key string) (store.Post, error)
	Apply(ctx context.Context, c store.Change) error
}

// ConflictTries bounds how often a change is tried again over a newer version.
const ConflictTries = 5

// Do stores what try wants to have stored, under the interaction. try loads a
// record, applies a transition and returns the result. When somebody else was faster
// the store refuses it, and try is asked again, over what is stored by then. Whoever
// changes a record because of an interaction comes through here.
func (b *Changer) Do(ctx context.Context, in *kit.Request, try func() (store.Change, error)) error {
	for n := 1; ; n++ {
		c, err := try()
		if err != nil {
			return err
		}
		c.Interaction = in.InteractionID
		if err = b.Apply(ctx, c); n == ConflictTries || !outpaced(err) {
			return Classify(err)
		}
	}
}

// outpaced reports whether a change was refused because of what somebody else has
// stored, or erased, since its try looked.
func outpaced(err error) bool {
	return isOneOf(err, store.ErrConflict, store.ErrNotFound, store.ErrPlaceTaken, store.ErrSeatTaken, store.ErrPairTaken, store.ErrBlocked)
}

// again makes a change that no interaction asks for, as often as somebody else was faster.
func again(change func() error) error {
	for n := 1; ; n++ {
		if err := change(); n == ConflictTries || !outpaced(err) {
			return err
		}
	}
}

func isOneOf(err error, known ...error) bool {
	return slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) })
}

// Match changes one match. It returns the match before and after.
func (b *Changer) Match(ctx context.Context, in *kit.Request, id store.MatchID, transition func(store.Match) (store.Match, error)) (before, after store.Match, _ error) {
	err := b.Do(ctx, in, func() (_ store.Change, err error) {
		if before, err = b.DueMatch(ctx, in, id); err == nil {
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

// Opening is a match that is about to begin, and what changes together with it. Each
// may be missing.
type Opening struct {
	Match     store.Match
	Also      store.Match // an earlier match
	Resigned  store.Match // the one that the user gives up for it
	Challenge store.Challenge
	Choice    match.Choice // what can be played privately where the channel is busy
	Aside     bool         // it is private where the channel has no room for it
	Unlimited bool         // it does not count as a start
	Threaded  bool         // it is to be played in a thread
}

// Other returns the other person of what is about to begin, or of the wish for it, empty
// where there is none.
func (o Opening) Other(user store.UserID) store.UserID {
	m := o.Match
	if m.ID == 0 {
		m = o.Also
	}
	return m.Player(m.Seat(user).Other()).User
}

// Open begins a match: it finds a place in the channel, counts the start, lets the
// program move where it has the first move, and stores all of it, with the matches against
// the program that step aside. prepare is asked again like the try of [Changer.Do].
func (b *Changer) Open(ctx context.Context, in *kit.Request, prepare func() (Opening, error)) (opened store.Match, _ error) {
	var aside []store.Match
	err := b.Do(ctx, in, func() (c store.Change, err error) {
		o, err := prepare()
		if err != nil {
			return c, err
		}
		for _, m := range [...]store.Match{o.Also, o.Resigned} {
			if m.ID != 0 {
				c.Matches = append(c.Matches, m)
			}
		}
		if o.Challenge.ID != 0 {
			c.Challenges = append(c.Challenges, o.Challenge)
		}
		if other := o.Other(in.UserID); other != "" {
			c.Consents = both(in.GuildID, in.UserID, other)
		}
		opened = o.Match
		if opened.Place, aside, err = b.MayOpen(ctx, in, o, prepare); err != nil || opened.ID == 0 {
			return c, err
		}
		for _, m := range aside {
			c.Matches = append(c.Matches, match.PutAside(m, opened, b.Kit.Up(m.Guild)))
		}
		choose, err := b.Kit.Think.Chooser(ctx, opened)
		if err != nil {
			return c, err
		}
		opened.Created = b.Kit.Now()
		if opened.TokenOnly = in.BotAbsent; opened.Private() {
			opened.Locale = in.PrivateLanguage()
		}
		opened, err = match.Open(opened, choose, b.Kit.Times.ChallengeTTL, b.Kit.Up(opened.Guild))
		c.Matches = append(c.Matches, opened)
		return c, err
	})
	if err == nil {
		for _, m := range aside {
			b.Kit.Tracker.Redraw(kit.MatchRef(m.ID))
		}
	}
	opened.Version++
	return opened, err
}

// MayOpen returns the place that a match gets in its channel, 0 for a private one, and the
// matches that step aside for it, or why it cannot begin. It counts as a start then. What stands in
// the way of a place may be what the same button has made an instant before: then prepare, asked
// again, knows better why there is no other one. A wish for a match needs no place.
func (b *Changer) MayOpen(ctx context.Context, in *kit.Request, o Opening, prepare func() (Opening, error)) (place int, aside []store.Match, err error) {
	if other := o.Other(in.UserID); other != "" {
		err = b.willing(ctx, in, other)
	}
	if err != nil || o.Match.ID == 0 {
		return 0, nil, err
	}
	place, aside, err = b.place(ctx, in, o)
	switch {
	case err == nil:
	case o.Aside && (errors.Is(err, match.ErrBusy) || errors.Is(err, match.ErrGamesElsewhere)):
		o.Match.Place = 0
		place, aside, err = b.place(ctx, in, o)
	default:
		if _, made := prepare(); made != nil {
			err = made
		}
	}
	if err == nil && !o.Unlimited {
		err = b.Starts.Count(ctx, in, b.Kit.Now())
	}
	return place, aside, err
}

// place is the one place that knows: where somebody takes the place or the seat between this look
// and the commit, the store refuses the change and [Changer.Do] has the try look again.
func (b *Changer) place(ctx context.Context, in *kit.Request, o Opening) (_ int, aside []store.Match, _ error) {
	if match.HandedOn(o.Also) { // which keeps its place for the next game of the series
		return o.Match.Place, nil, nil
	}
	if o.Match.Private() {
		return 0, nil, b.tooManyPrivate(ctx, match.FirstUser(o.Match).User, o.Also.ID)
	}
	if in.GamesElsewhere() && o.Also.ID == 0 && o.Challenge.ID == 0 { // what is under way goes on
		return 0, nil, match.ErrGamesElsewhere
	}
	most, err := in.MostPlaces()
	if err != nil {
		return 0, nil, err
	}
	active, err := b.Store.ActiveMatches(ctx, o.Match.Channel)
	if err != nil {
		return 0, nil, err
	}
	active = slices.DeleteFunc(active, func(m store.Match) bool {
		if match.StepsAside(m, o.Match) {
			aside = append(aside, m)
			return true
		}
		return m.ID == o.Also.ID || m.ID == o.Resigned.ID // they end with this change
	})
	for _, m := range active {
		switch {
		case m.Seat(in.UserID) != engine.None:
			return 0, nil, &kit.Refusal{Reason: match.ErrPlaysHere, Match: m, Choice: o.Choice}
		case m.Seat(o.Match.X.User) != engine.None, m.Seat(o.Match.O.User) != engine.None:
			return 0, nil, &kit.Refusal{Reason: match.ErrOpponentPlays, Match: m, Opponent: o.Match.Player(o.Match.Seat(in.UserID).Other())}
		}
	}
	free := match.FreePlace(active, most, o.Threaded || o.Match.Thread != "")
	if free == 0 {
		return 0, nil, &kit.Refusal{Reason: match.ErrBusy, Match: active[0], Games: b.Kit.Listed(active), Choice: o.Choice}
	}
	return free, aside, nil
}

// tooManyPrivate returns the refusal of somebody who has enough private matches running, beside
// one that ends. It leads to the last of them.
func (b *Changer) tooManyPrivate(ctx context.Context, user store.UserID, ends store.MatchID) error {
	running, err := b.Store.PrivateMatches(ctx, "", user, b.MostPrivate)
	if err != nil || len(running) < b.MostPrivate || slices.ContainsFunc(running, func(m store.Match) bool { return m.ID == ends }) {
		return err
	}
	return &kit.Refusal{Reason: match.ErrTooManyPrivate, Private: running[0]}
}

// Apply stores a change, and with it the moment at which it was made, and
// what matches are worth that it ends. The caller's records stay as they are.
func (b *Changer) Apply(ctx context.Context, c store.Change) error {
	now := b.Kit.Now()
	c.Matches, c.Challenges = slices.Clone(c.Matches), slices.Clone(c.Challenges)
	for i := range c.Matches {
		m := &c.Matches[i]
		stamp(&m.Created, &m.Updated, m.Version, now)
		if m.State == store.Ended {
			// The buttons of a board go a little after the end. A private board keeps them until
			// the next click: later nobody may edit it.
			if m.GridStands && m.Deadline == 0 && !m.Private() {
				m.Deadline = b.Kit.Up(m.Guild) + b.Kit.Times.GridTime
			}
			c.Awards = append(c.Awards, match.Award(*m))
		}
	}
	for i := range c.Challenges {
		stamp(&c.Challenges[i].Created, &c.Challenges[i].Updated, c.Challenges[i].Version, now)
	}
	defer b.Kit.Settings.Forget(c)
	began := b.Kit.Clock.Look()
	err := b.Store.Apply(ctx, c)
	b.Wrote(began, err)
	if err == nil {
		b.committed(c)
	}
	return err
}

// Wrote stops the clocks at a write that failed, until the next one that does not. A
// change that the store refuses for what it says has met a store that works.
func (b *Changer) Wrote(began kit.Moment, err error) {
	failed := Classify(err)
	b.Kit.Clock.Wrote(began, errors.Is(failed, ErrNotSaved) || errors.Is(failed, store.ErrPending))
}

func stamp(created, updated *time.Time, version int, now time.Time) {
	if *updated = now; version == 0 {
		*created = now
	}
}

func (b *Changer) LoadMatch(ctx context.Context, id store.MatchID) (store.Match, error) {
	m, err := b.Store.Match(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return m, match.ErrUnknownRecord
	}
	return m, err
}

// DueMatch loads a match that is about to change. If its time had come before the click, that
// is stored first. Who is to move may have clicked in time yet while others come too late.
func (b *Changer) DueMatch(ctx context.Context, in *kit.Request, id store.MatchID) (store.Match, error) {
	m, err := b.LoadMatch(ctx, id)
	if err != nil || m.Deadline == 0 {
		return m, err
	}
	up := b.Kit.ClickedAt(in, m.Guild)
	if m.State == store.Active && m.Player(match.SideToMove(m)).User != in.UserID {
		up = b.Kit.OverAt(m.Guild)
	}
	if m.Deadline > up {
		return m, nil
	}
	if err := b.Expire(ctx, m, up); err != nil {
		return m, Classify(err)
	}
	return b.LoadMatch(ctx, id)
}

func (b *Changer) LoadChallenge(ctx context.Context, id store.ChallengeID) (store.Challenge, error) {
	c, err := b.Store.Challenge(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return c, match.ErrChallengeClosed
	}
	return c, err
}

// ErrNotSaved marks failures of the store after which nothing was stored.
var ErrNotSaved = errors.New("bot: not saved")

// Classify tells failures of a commit after which nothing is stored for certain from
// those that somebody acts on.
func Classify(err error) error {
	if err == nil || isOneOf(err, store.ErrConflict, store.ErrClaimed, store.ErrPlaceTaken, store.ErrSeatTaken, store.ErrPairTaken,
		store.ErrBlocked, store.ErrErasing, store.ErrPending, store.ErrImmutable, store.ErrInvalid) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrNotSaved, err)
}

// Quietly stores a change that no person waits for, and reports whether it
// did. When somebody was faster there is nothing to do any more, and no error.
func (b *Changer) Quietly(ctx context.Context, c store.Change) (stored bool, _ error) {
	err := b.Apply(ctx, c)
	if errors.Is(err, store.ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

// Amend changes a match by nobody's click, and returns it as it is stored then. amend reports
// whether there is something to change, and is asked again where somebody else was faster.
func (b *Changer) Amend(ctx context.Context, id store.MatchID, amend func(*store.Match) bool) (m store.Match, _ error) {
	err := again(func() (err error) {
		if m, err = b.LoadMatch(ctx, id); err != nil || !amend(&m) {
			return err
		}
		err = b.Apply(ctx, store.Change{Matches: []store.Match{m}})
		m.Version++
		return err
	})
	return m, err
}

// Unavailable reports whether an error concerns the whole store, and not one record or
// one change.
func Unavailable(err error) bool {
	return isOneOf(err, store.ErrBusy, store.ErrUnreachable, store.ErrFull, store.ErrReadOnly, store.ErrDamaged, store.ErrClosed)
}

// committed tells of a change that was stored.
func (b *Changer) committed(c store.Change) {
	if b.Observer == nil {
		return
	}
	begun := 0
	var ended []store.EndReason
	for _, m := range c.Matches {
		if m.Version == 0 {
			begun++
		}
		if m.State == store.Ended && b.endsFirst(m) {
			ended = append(ended, m.EndReason)
		}
	}
	if begun > 0 || len(ended) > 0 {
		b.Observer.Committed(begun, ended)
	}
}

const (
	endingsTurn = 2 * time.Hour
	endingsMost = 50_000
)

// endsFirst reports whether the ended match has ended with this change, as far as that is
// remembered: its record changes once more when a rematch is offered, made, or lapses, and one
// whose rematch lapses behind a restart is counted again. What a match has given is stored
// behind its end.
func (b *Changer) endsFirst(m store.Match) bool {
	return !m.RematchX && !m.RematchO && m.Next == 0 && m.Gain == (store.Gain{}) &&
		!b.endings.Again(m.ID, m.Updated, endingsTurn, endingsMost)
}
