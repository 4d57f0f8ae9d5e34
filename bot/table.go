package bot

import (
	"context"
	"errors"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// noticeAfter is how long a challenge must have waited for its acceptance to be
// worth a line that notifies the challenger.
const noticeAfter = time.Minute

// handleChallenge offers a match to a member, or to anybody.
func (b *Bot) handleChallenge(ctx context.Context, in *interaction) (response, error) {
	c, err := b.readChallenge(in)
	if err != nil {
		return response{}, err
	}
	if opponent, ok := in.text("user"); ok {
		c.Opponent = store.UserID(opponent)
		if err := checkOpponent(in, c); err != nil {
			return response{}, err
		}
	} else if err := absent(in, "user"); err != nil {
		return response{}, err
	}
	return b.offer(ctx, in, c)
}

// handleChallengeMember is the entry in a member's menu.
func (b *Bot) handleChallengeMember(ctx context.Context, in *interaction) (response, error) {
	c, err := b.readChallenge(in)
	if err != nil {
		return response{}, err
	}
	c.Opponent = in.target
	if err := checkOpponent(in, c); err != nil {
		return response{}, err
	}
	return b.offer(ctx, in, c)
}

// handleOpenTable opens a table with everything as usual.
func (b *Bot) handleOpenTable(ctx context.Context, in *interaction, _ customID) (response, error) {
	c, err := b.readChallenge(in)
	if err != nil {
		return response{}, err
	}
	return b.offer(ctx, in, c)
}

func (b *Bot) readChallenge(in *interaction) (store.Challenge, error) {
	if in.guild == "" {
		return store.Challenge{}, errDirectMessage
	}
	r, err := readBoard(in)
	if err != nil {
		return store.Challenge{}, err
	}
	c := store.Challenge{
		Guild: in.guild, Challenger: in.user, Rules: r, First: store.FirstChallenger,
		Clock: b.opts.DefaultClock, State: store.Open,
	}
	first, ok := in.text("first")
	if !ok {
		return c, absent(in, "first")
	}
	switch first {
	case firstMe:
	case firstThem:
		c.First = store.FirstOpponent
	case firstRandom:
		c.First = store.FirstRandom
	default:
		return c, errBadOption
	}
	return c, nil
}

// checkOpponent refuses whoever cannot be challenged. What Discord resolved for the
// command says whether the user is a bot, is here, and sees the channel.
func checkOpponent(in *interaction, c store.Challenge) error {
	user, known := in.users[string(c.Opponent)]
	switch {
	case c.Opponent == in.user:
		return errChallengeSelf
	case user.Bot:
		return errChallengeBot
	case c.Opponent == "" || !known:
		return errBadOption
	}
	member, here := in.members[string(c.Opponent)]
	if !here || !memberMay(member, permissionViewChannel) {
		return &refusal{reason: errCannotSee, challenge: c}
	}
	return nil
}

// offer stores a challenge and posts it.
func (b *Bot) offer(ctx context.Context, in *interaction, c store.Challenge, also ...store.Challenge) (response, error) {
	pending, err := b.store.OpenChallenge(ctx, c.Guild, c.Challenger, c.Opponent)
	switch {
	case err == nil && !challengeDue(pending, b.uptime.read()):
		return response{}, &refusal{reason: errChallengePending, challenge: pending}
	case err == nil:
		b.expireNow(ctx, pending)
	case !errors.Is(err, store.ErrNotFound):
		return response{}, err
	}
	if err := b.countStart(in); err != nil {
		return response{}, err
	}
	c.ID = store.ChallengeID(b.opts.NewID())
	c.Channel, c.Locale, c.GuildLocale = in.channel, in.locale, in.guildLocale
	c.Deadline = b.uptime.read() + b.opts.ChallengeTTL
	c.Created = b.opts.Now()
	c.Updated = c.Created
	err = b.apply(ctx, store.Change{Interaction: in.id, Challenges: append(also, c)})
	if errors.Is(err, store.ErrPairTaken) {
		pending, err := b.store.OpenChallenge(ctx, c.Guild, c.Challenger, c.Opponent)
		if err != nil {
			return response{}, err
		}
		return response{}, &refusal{reason: errChallengePending, challenge: pending}
	}
	if err != nil {
		return b.alreadyHandled(saving(err))
	}
	c.Version = 1
	r := reply(b.challengeMessage(c))
	r.shows, r.version = surface{challenge: c.ID}, c.Version
	return r, nil
}

// challengeMessage shows the challenge in the challenger's language, the only one
// that is known. An open table is there for everybody: it speaks the guild's.
func (b *Bot) challengeMessage(c store.Challenge) message {
	if c.Opponent == "" && c.GuildLocale != "" {
		return b.view(c.GuildLocale).challenge(c)
	}
	return b.view(c.Locale).challenge(c)
}

func (b *Bot) loadChallenge(ctx context.Context, id store.ChallengeID) (store.Challenge, error) {
	c, err := b.store.Challenge(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return c, errChallengeClosed
	}
	return c, err
}

// handleAccept turns the challenge into the board.
func (b *Bot) handleAccept(ctx context.Context, in *interaction, id customID) (response, error) {
	for try := 1; ; try++ {
		c, err := b.loadChallenge(ctx, id.challenge)
		if err != nil {
			return response{}, err
		}
		r, err := b.accept(ctx, in, c)
		if errors.Is(err, store.ErrConflict) && try < conflictTries {
			continue
		}
		return r, err
	}
}

func (b *Bot) accept(ctx context.Context, in *interaction, c store.Challenge) (response, error) {
	accepted, err := acceptChallenge(c, in.user, store.MatchID(b.opts.NewID()), b.uptime.read())
	if err != nil {
		if challengeDue(c, b.uptime.read()) {
			b.expireNow(ctx, c)
		}
		return response{}, b.notAccepted(ctx, in, c, err)
	}
	if busy, ok, err := b.busyMatch(ctx, in.channel); err != nil {
		return response{}, err
	} else if ok {
		return response{}, b.acceptedOrBusy(ctx, c, busy)
	}
	m := b.matchFor(in, accepted)
	if m, err = openMatch(m, nil, b.uptime.read()); err != nil {
		return response{}, err
	}
	err = b.apply(ctx, store.Change{
		Interaction: in.id, Challenges: []store.Challenge{accepted}, Matches: []store.Match{m},
	})
	if errors.Is(err, store.ErrPlaceTaken) {
		busy, _, _ := b.busyMatch(ctx, in.channel)
		return response{}, b.acceptedOrBusy(ctx, c, busy)
	}
	if err != nil {
		return b.alreadyHandled(saving(err))
	}
	m.Version = 1
	if in.message.ephemeral() {
		return b.boardForChallenge(in, m, accepted)
	}
	r, err := b.redrawn(m)
	if b.opts.Now().Sub(c.Created) > noticeAfter {
		r.then = b.sendNotice(in, m, accepted)
	}
	return r, err
}

// notAccepted says why a challenge cannot be taken. Where the clicked message should
// have become the board already, it does so now.
func (b *Bot) notAccepted(ctx context.Context, in *interaction, c store.Challenge, why error) error {
	r := &refusal{reason: why, challenge: c}
	if c.State == store.Accepted {
		if m, err := b.loadMatch(ctx, c.Match); err == nil && m.Message == in.message.ID {
			r.match, r.stale = m, true
		}
	}
	return r
}

// boardForChallenge answers an acceptance that was made elsewhere than on the
// challenge itself, whose message may be gone: the board is a new message, and what
// is left of the challenge points to it.
func (b *Bot) boardForChallenge(in *interaction, m store.Match, c store.Challenge) (response, error) {
	msg, err := b.view(m.Locale).match(m)
	if err != nil {
		return response{}, err
	}
	r := reply(msg)
	r.shows, r.version = surface{match: m.ID}, m.Version
	old, _ := b.painter.repost(surface{challenge: c.ID}, 0)
	if old.message == "" {
		old.message, old.channel = c.Message, c.Channel
	}
	if old.message != "" {
		r.then = func(ctx context.Context) { b.leavePointer(ctx, old, m) }
	}
	return r, nil
}

// acceptedOrBusy says why a challenge cannot be taken in a channel that has a match:
// it may be the challenge's own, made by the same button an instant before.
func (b *Bot) acceptedOrBusy(ctx context.Context, c store.Challenge, busy store.Match) error {
	if now, err := b.loadChallenge(ctx, c.ID); err == nil && now.State != store.Open {
		return &refusal{reason: errChallengeClosed, challenge: now}
	}
	return &refusal{reason: errBusy, match: busy}
}

// matchFor returns the match of an accepted challenge, not yet opened.
func (b *Bot) matchFor(in *interaction, c store.Challenge) store.Match {
	x, o := store.Player{User: c.Challenger}, store.Player{User: c.Opponent}
	if c.First == store.FirstOpponent || c.First == store.FirstRandom && b.opts.Dice().IntN(2) == 0 {
		x, o = o, x
	}
	now := b.opts.Now()
	board := in.message.ID // the challenge becomes the board
	if in.message.ephemeral() {
		board = ""
	}
	return store.Match{
		Message: board,
		ID:      c.Match, Guild: in.guild, Channel: in.channel, Place: thePlace,
		Rules: c.Rules, X: x, O: o, Clock: c.Clock,
		Locale:  b.texts.sharedLocale(c.Locale, in.locale, in.guildLocale),
		Created: now, Updated: now,
	}
}

// sendNotice tells a challenger who may have looked away that his match begins.
func (b *Bot) sendNotice(in *interaction, m store.Match, c store.Challenge) func(context.Context) {
	return func(ctx context.Context) {
		link := messageLink(m.Guild, m.Channel, in.message.ID)
		sent, err := b.api.FollowUp(ctx, in.token, b.view(m.Locale).notice(m, c, link).create())
		if err != nil {
			b.log.Info("notice not sent", "error", err)
			return
		}
		id := store.MessageID(sent.ID)
		b.store.Note(store.Note{Match: m.ID, Notice: &id})
		b.noted.Store(true)
		if now, err := b.store.Match(ctx, m.ID); err == nil && now.Version > m.Version {
			now.Notice = id
			b.removeNotice(now)(ctx) // the game was faster than the line
		}
	}
}

// handleDecline closes the challenge for the person who was asked.
func (b *Bot) handleDecline(ctx context.Context, in *interaction, id customID) (response, error) {
	return b.closeByClick(ctx, in, id, func(c store.Challenge) (store.Challenge, error) {
		return declineChallenge(c, in.user)
	})
}

// handleCancel takes the challenge back.
func (b *Bot) handleCancel(ctx context.Context, in *interaction, id customID) (response, error) {
	return b.closeByClick(ctx, in, id, func(c store.Challenge) (store.Challenge, error) {
		return cancelChallenge(c, in.user)
	})
}

// challengeRedrawn answers a click on a challenge with the challenge as it is now.
func (b *Bot) challengeRedrawn(c store.Challenge) response {
	r := update(b.challengeMessage(c))
	r.shows, r.version = surface{challenge: c.ID}, c.Version
	return r
}

func (b *Bot) closeByClick(ctx context.Context, in *interaction, id customID, transition func(store.Challenge) (store.Challenge, error)) (response, error) {
	for try := 1; ; try++ {
		c, err := b.loadChallenge(ctx, id.challenge)
		if err != nil {
			return response{}, err
		}
		closed, err := transition(c)
		if err != nil {
			return response{}, &refusal{reason: err, challenge: c}
		}
		closed.Updated = b.opts.Now()
		err = b.apply(ctx, store.Change{Interaction: in.id, Challenges: []store.Challenge{closed}})
		if errors.Is(err, store.ErrConflict) && try < conflictTries {
			continue
		}
		if err != nil {
			return b.alreadyHandled(saving(err))
		}
		closed.Version = c.Version + 1
		if in.message.ephemeral() {
			said := b.view(in.locale).challenge(closed)
			r := b.answerInPlace(in, withPeople(private(said.content), said.people))
			r.redraw = []surface{{challenge: c.ID}}
			return r, nil
		}
		return b.challengeRedrawn(closed), nil
	}
}

// handleChallengeAgain makes an expired challenge anew, as a new message: an
// edited one notifies nobody.
func (b *Bot) handleChallengeAgain(ctx context.Context, in *interaction, id customID) (response, error) {
	c, err := b.loadChallenge(ctx, id.challenge)
	if err != nil {
		return response{}, err
	}
	old, renewed, err := renewChallenge(c, in.user)
	if err != nil {
		return response{}, &refusal{reason: err, challenge: c}
	}
	old.Updated = b.opts.Now()
	r, err := b.offer(ctx, in, renewed, old)
	if errors.Is(err, store.ErrConflict) {
		err = &refusal{reason: errChallengeClosed, challenge: c}
	}
	r.redraw = append(r.redraw, surface{challenge: c.ID})
	return r, err
}

// handlePlayWinner lets a bystander challenge the winner, who still has to accept.
func (b *Bot) handlePlayWinner(ctx context.Context, in *interaction, id customID) (response, error) {
	m, err := b.loadMatch(ctx, id.match)
	if err != nil {
		return response{}, err
	}
	winner := m.Player(m.Winner).User
	switch {
	case m.Seat(in.user) != engine.None:
		return response{}, &refusal{reason: errUseRematch, match: m}
	case m.State != store.Ended || winner == "":
		return response{}, &refusal{reason: errNotOver, match: m}
	case in.guild == "":
		return response{}, errDirectMessage
	}
	return b.offer(ctx, in, store.Challenge{
		Guild: in.guild, Challenger: in.user, Opponent: winner, Rules: m.Rules,
		First: store.FirstChallenger, Clock: b.opts.DefaultClock, State: store.Open,
	})
}
