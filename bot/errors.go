package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// Why a command is refused. With those of match.go and challenge.go these are all
// the reasons that people can meet; explain says each in words.
var (
	errUnknownCommand   = errors.New("bot: no such command")
	errUnknownRecord    = errors.New("bot: the record of this button is gone")
	errBusy             = errors.New("bot: the channel has an active match")
	errNotOffered       = errors.New("bot: the opponent does not play this board")
	errBadOption        = errors.New("bot: an option has a value that was not offered")
	errDirectMessage    = errors.New("bot: only in a guild")
	errChallengeSelf    = errors.New("bot: challenged himself")
	errChallengeBot     = errors.New("bot: challenged a bot")
	errCannotSee        = errors.New("bot: the opponent cannot see the channel")
	errChallengePending = errors.New("bot: the pair has an open challenge")
	errUseRematch       = errors.New("bot: players of the match have the rematch")
	errNoBoard          = errors.New("bot: nothing is being played here")
	errNotInGame        = errors.New("bot: the user plays no match here")
	errJustPosted       = errors.New("bot: the board was posted a moment ago")
	errTooMany          = errors.New("bot: too many games started")
	errNotModerator     = errors.New("bot: may not stop other people's matches")
	errResignTooLate    = errors.New("bot: the match ended before it was resigned")
)

// refusal is a reason together with what it is about, for the words and the doors.
type refusal struct {
	reason    error
	match     store.Match
	challenge store.Challenge
	cell      engine.Cell
	choice    choice
	until     time.Time
	private   store.Match // another one that the user plays here
	// stale says that the clicked message shows an older board: it is drawn again.
	stale bool
	// inPlace answers by turning the clicked message into the refusal.
	inPlace bool
}

func (r *refusal) Error() string { return r.reason.Error() }
func (r *refusal) Unwrap() error { return r.reason }

// explain is the one place where errors become words. Every answer is private and
// has, where it helps, a way on.
func (b *Bot) explain(in *interaction, err error) response {
	v := b.view(in.locale)
	r := &refusal{reason: err}
	errors.As(err, &r)
	msg, known := b.refusalWords(v, in, r, err)
	if !known {
		return b.unexpected(v, in, err)
	}
	b.stats.refused.Add(1)
	if resp, ok := b.repair(in, r, msg); ok {
		return resp
	}
	resp := reply(msg)
	if r.inPlace && in.kind == kindComponent && in.message.ephemeral() {
		resp = update(msg)
	}
	return resp
}

// repair answers a click on a picture that nobody else is about to replace with what
// should stand there, and says the words behind it. Where the bot may not edit,
// clicks are the only way to do so.
func (b *Bot) repair(in *interaction, r *refusal, words message) (resp response, ok bool) {
	if in.kind != kindComponent || in.message.ephemeral() && !r.match.Private() {
		return response{}, false
	}
	m, c := r.match, r.challenge
	switch {
	case r.stale && m.ID != 0 && !b.isOldCopy(in, m) &&
		!b.painter.inStep(surface{match: m.ID}, in.message.ID, m.Version, m.Drawn):
		var err error
		if resp, err = b.redrawn(m); err != nil {
			return response{}, false
		}
	case errors.Is(r.reason, errChallengeClosed) && c.ID != 0 && c.State != store.Open && c.State != store.Accepted &&
		!b.painter.inStep(surface{challenge: c.ID}, in.message.ID, c.Version, 0):
		resp = b.challengeRedrawn(c)
	default:
		return response{}, false
	}
	return b.alsoSay(in, resp, words), true
}

func (b *Bot) refusalWords(v view, in *interaction, r *refusal, err error) (_ message, known bool) {
	m, c := r.match, r.challenge
	say := func(key string, a args, doors ...component) (message, bool) {
		msg := private(v.say(key, a), doors...)
		switch {
		case m.ID != 0:
			msg.people = people(m)
		case c.Challenger != "": // it need not have been made
			msg.people = challengePeople(c)
		}
		return msg, true
	}
	switch {
	case errors.Is(err, errNotYourTurn):
		return say("refused.not_your_turn", args{"Player": v.player(m.Player(sideToMove(m)))})
	case errors.Is(err, errNotYourGame):
		key := "refused.not_your_game"
		if againstBot(m) {
			key = "refused.not_your_game_bot"
		}
		return say(key, args{"Player": v.player(firstUser(m)), "X": v.player(m.X), "O": v.player(m.O)},
			v.playPrivatelyButton(defaultChoice))
	case errors.Is(err, errTaken):
		return say("refused.taken", args{"Cell": m.Rules.CellName(r.cell)})
	case errors.Is(err, errStale), errors.Is(err, store.ErrConflict):
		return say("refused.stale", nil)
	case errors.Is(err, errMatchOver) && m.Next == 0:
		return say("refused.over", nil, v.playPrivatelyButton(choiceOf(m)))
	case errors.Is(err, errResignTooLate):
		return say("refused.resign_late", nil)
	case errors.Is(err, errAlreadyOffered):
		return say("refused.rematch_offered", args{"Opponent": v.player(m.Player(m.Seat(in.user).Other()))})
	case (errors.Is(err, errNoRematch) || errors.Is(err, errMatchOver)) && m.Private(): // no link leads to what is private
		return say("refused.rematch_made_private", nil, v.showBoardButton(m.Next))
	case errors.Is(err, errNoRematch), errors.Is(err, errMatchOver):
		return say("refused.rematch_made", args{"Link": b.linkTo(m.Guild, m.Channel, surface{match: m.Next}, "")},
			v.showBoardButton(m.Next))
	case errors.Is(err, errNotOver):
		return say("refused.not_over", nil, v.showBoardButton(m.ID))
	case errors.Is(err, errUseRematch):
		return say("refused.use_rematch", nil)
	case errors.Is(err, errChallengeClosed):
		if c.State == store.Expired && c.Challenger == in.user {
			return say("refused.challenge_closed", args{"Command": v.command("challenge")}, v.challengeAgainButton(c))
		}
		return say("refused.challenge_closed", args{"Command": v.command("challenge")})
	case errors.Is(err, errNotChallenged):
		return say("refused.not_challenged", args{"Opponent": mention(c.Opponent)})
	case errors.Is(err, errNotChallenger):
		return say("refused.not_challenger", args{"Challenger": mention(c.Challenger)})
	case errors.Is(err, errOwnTable):
		return say("refused.own_table", nil)
	case errors.Is(err, errChallengeSelf), errors.Is(err, errChallengeBot):
		return say("refused.challenge_self_or_bot", args{"Command": v.command("play")},
			v.playPrivatelyButton(defaultChoice))
	case errors.Is(err, errCannotSee):
		return say("refused.cannot_see", args{"Opponent": mention(c.Opponent)}, v.playPrivatelyButton(defaultChoice))
	case errors.Is(err, errChallengePending):
		link := b.linkTo(c.Guild, c.Channel, surface{challenge: c.ID}, c.Message)
		// The buttons of the challenge itself: its message may be gone.
		buttons := v.challengeButtons(c)
		switch {
		case c.Opponent == "":
			return say("refused.table_pending", args{"Link": link}, buttons[1])
		case c.Challenger == in.user:
			return say("refused.challenge_pending", args{"Opponent": mention(c.Opponent), "Link": link}, buttons[2])
		default:
			return say("refused.challenged_already", args{"Challenger": mention(c.Challenger), "Link": link}, buttons[:2]...)
		}
	case errors.Is(err, errBusy), errors.Is(err, store.ErrPlaceTaken):
		ch := r.choice
		if ch == (choice{}) {
			ch = defaultChoice
		}
		if m.ID == 0 {
			return say("refused.busy_unknown", nil, v.playPrivatelyButton(ch))
		}
		return say("refused.busy", args{"Link": b.linkTo(m.Guild, m.Channel, surface{match: m.ID}, m.Message)},
			v.playPrivatelyButton(ch), v.showBoardButton(m.ID))
	case errors.Is(err, errNotOffered):
		return say("refused.not_offered", args{
			"Opponent": v.opponent(r.choice.opponent), "Board": v.boardName(r.choice.rules),
		})
	case errors.Is(err, errBadOption):
		return say("refused.bad_option", args{"Command": v.command("help")})
	case errors.Is(err, errDirectMessage):
		return say("refused.direct_message", args{"Command": v.command("play")}, v.playPrivatelyButton(defaultChoice))
	case errors.Is(err, errNoBoard):
		return say("refused.no_board", args{"Command": v.command("play")}, v.playPrivatelyButton(defaultChoice))
	case errors.Is(err, errNotInGame):
		if m.ID != 0 {
			return say("refused.not_in_game", nil, v.showBoardButton(m.ID))
		}
		return say("refused.not_in_game", nil, v.playPrivatelyButton(defaultChoice))
	case errors.Is(err, errJustPosted):
		doors := []component{v.showBoardButton(m.ID)}
		if r.private.ID != 0 {
			doors = append(doors, v.showPrivateButton(r.private.ID))
		}
		return say("refused.just_posted", args{
			"Link": b.linkTo(m.Guild, m.Channel, surface{match: m.ID}, m.Message), "Time": timestamp(r.until, 'R'),
		}, doors...)
	case errors.Is(err, errTooMany):
		return say("refused.too_many", args{"Time": timestamp(r.until, 'R')})
	case errors.Is(err, errTooBusy):
		return say("refused.too_busy", nil)
	case errors.Is(err, errNotModerator):
		return say("refused.not_moderator", nil)
	case errors.Is(err, errCustomID), errors.Is(err, errUnknownRecord), errors.Is(err, engine.ErrOffBoard):
		return say("refused.old_button", args{"Command": v.command("board")})
	case errors.Is(err, errUnknownCommand):
		return say("refused.unknown_command", args{"Command": v.command("help")})
	default:
		return message{}, false
	}
}

// unexpected answers a failure of ours. Whether anything was saved is said only
// where it is known.
func (b *Bot) unexpected(v view, in *interaction, err error) response {
	switch {
	case errors.Is(err, store.ErrPending):
		b.log.Error("commit still pending", "interaction", in.id, "error", err)
		resp := reply(private(v.say("error.pending", nil)))
		resp.then = b.redrawWhenKnown(in)
		return resp
	case errors.Is(err, errNotSaved), errors.Is(err, context.DeadlineExceeded), storeFailed(err) && in.changes():
		b.stats.unsaved.Add(1)
		b.log.Error("not saved", "interaction", in.id, "error", err)
		return reply(private(v.say("error.not_saved", nil)))
	default:
		return b.incident(in, err, nil)
	}
}

// storeFailed reports whether the error is the store's, about all of it and not about
// one change. A handler that ends with it unmarked was reading, and has stored nothing:
// what it has done with a change it says at once, by saving or store.ErrPending.
func storeFailed(err error) bool {
	return errors.Is(err, store.ErrDamaged) || storeDown(err) && !errors.Is(err, context.Canceled)
}

// changes reports whether the interaction is one that would store something. The
// others only look, or ask.
func (in *interaction) changes() bool {
	switch in.kind {
	case kindCommand:
		return in.command == "play" || in.command == "challenge" || in.command == userCommandName
	case kindComponent:
		id, err := parseCustomID(in.customID)
		return err == nil && id.action != actShowBoard && id.action != actResign && id.action != actKeepPlaying
	default:
		return false
	}
}

// errNotSaved marks failures of the store after which nothing was stored.
var errNotSaved = errors.New("bot: not saved")

// saving tells failures of a commit that happened for certain from those that a
// caller acts on.
func saving(err error) error {
	for _, known := range [...]error{
		store.ErrConflict, store.ErrClaimed, store.ErrPlaceTaken, store.ErrPairTaken,
		store.ErrPending, store.ErrImmutable, store.ErrInvalid,
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

// redrawWhenKnown looks again, a few times, whether a commit that was pending came
// through, and redraws the message that was clicked.
func (b *Bot) redrawWhenKnown(in *interaction) func(context.Context) {
	id, err := parseCustomID(in.customID)
	if err != nil || id.match == 0 && id.challenge == 0 {
		return nil
	}
	look := func(ctx context.Context) {
		s := surface{match: id.match, challenge: id.challenge}
		if c, err := b.store.Challenge(ctx, id.challenge); err == nil && c.State == store.Accepted {
			s = surface{match: c.Match} // its message is the board's now
		}
		b.painter.want(s)
	}
	return func(context.Context) {
		for _, wait := range retryAfter {
			b.opts.After(wait, func() { b.background(look) })
		}
	}
}
