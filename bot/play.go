package bot

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

// Who has the first move, as the values of the option "first".
const (
	firstMe     = "me"
	firstBot    = "bot"
	firstThem   = "them"
	firstRandom = "random"
)

// defaultChoice is what "play" means without options.
var defaultChoice = choice{opponent: "medium", rules: engine.Standard, first: firstMe}

// boards are the boards on offer, in the order in which they are offered. On the
// last three the first player can force a win.
var boards = []engine.Rules{
	{M: 3, N: 3, K: 3},
	{M: 4, N: 4, K: 4},
	{M: 4, N: 5, K: 4},
	{M: 5, N: 5, K: 4},
	{M: 5, N: 5, K: 5},
	{M: 3, N: 5, K: 3},
	{M: 4, N: 4, K: 3},
	{M: 5, N: 5, K: 3},
}

// offered reports whether the board is one of them: custom IDs come from outside.
func offered(r engine.Rules) bool { return slices.Contains(boards, r) }

// firstPlayerWins says which of the boards on offer are won by force.
func firstPlayerWins(r engine.Rules) bool { return r.K == 3 && r != engine.Standard }

// thePlace is the place that a public match takes in its channel: there is one.
const thePlace = 1

// opponentFor returns the opponent of that name if it plays these boards.
func opponentFor(name string, r engine.Rules) (strategy.Opponent, error) {
	o, ok := strategy.ByName(name)
	if !ok {
		return strategy.Opponent{}, errBadOption
	}
	if !o.Plays(r) {
		return strategy.Opponent{}, &refusal{reason: errNotOffered, choice: choice{opponent: name, rules: r}}
	}
	return o, nil
}

// readBoard reads the option "board".
func readBoard(in *interaction) (engine.Rules, error) {
	text, ok := in.text("board")
	if !ok {
		return engine.Standard, absent(in, "board")
	}
	for _, r := range boards {
		if r.String() == text {
			return r, nil
		}
	}
	return engine.Rules{}, errBadOption
}

// absent is nil when the option was left out, and an error when it was given in a
// form that cannot be read. Discord checks options only in its client.
func absent(in *interaction, option string) error {
	if _, given := in.options[option]; given {
		return errBadOption
	}
	return nil
}

func readChoice(in *interaction) (choice, error) {
	c := defaultChoice
	var err error
	if c.rules, err = readBoard(in); err != nil {
		return c, err
	}
	for option, into := range map[string]*string{"difficulty": &c.opponent, "first": &c.first} {
		text, ok := in.text(option)
		if ok {
			*into = text
		} else if err := absent(in, option); err != nil {
			return c, err
		}
	}
	return c, nil
}

// handlePlay starts a match against the program.
func (b *Bot) handlePlay(ctx context.Context, in *interaction) (response, error) {
	c, err := readChoice(in)
	if err != nil {
		return response{}, err
	}
	private, err := in.flag("private")
	if err != nil {
		return response{}, err
	}
	m, err := b.againstProgram(in, c)
	if err != nil {
		return response{}, err
	}
	if private {
		m.Place = 0
	}
	return b.startAgainstBot(ctx, in, m, c)
}

// handlePlayPrivately is the door out of a busy channel. Pressed twice, or again
// because nothing seemed to happen, it leads to the one match that it has made.
func (b *Bot) handlePlayPrivately(ctx context.Context, in *interaction, id customID) (response, error) {
	m, err := b.againstProgram(in, id.choice)
	if err != nil {
		return response{}, err
	}
	m.ID, m.Place = matchBehind(in), 0
	made, err := b.store.Match(ctx, m.ID)
	switch {
	case err == nil && made.State == store.Active:
		return b.newBoard(in, made)
	case err == nil:
		m.ID = store.MatchID(b.opts.NewID()) // that one is over
	case !errors.Is(err, store.ErrNotFound):
		return response{}, err
	}
	r, err := b.startAgainstBot(ctx, in, m, id.choice)
	if errors.Is(err, store.ErrConflict) {
		if made, err = b.loadMatch(ctx, m.ID); err == nil {
			return b.newBoard(in, made)
		}
	}
	return r, err
}

// matchBehind returns the id of the match that a button of the clicked message makes
// for its user.
func matchBehind(in *interaction) store.MatchID {
	sum := sha256.Sum256([]byte("match behind " + string(in.message.ID) + " for " + string(in.user)))
	return store.MatchID(binary.LittleEndian.Uint64(sum[:])>>1 | 1) //nolint:gosec // 63 bits
}

func (b *Bot) startAgainstBot(ctx context.Context, in *interaction, m store.Match, c choice) (response, error) {
	if !m.Private() {
		if busy, ok, err := b.busyMatch(ctx, in.channel); err != nil {
			return response{}, err
		} else if ok {
			return response{}, &refusal{reason: errBusy, match: busy, choice: c}
		}
	}
	if err := b.countStart(in); err != nil {
		return response{}, err
	}
	m, err := b.createMatch(ctx, in, m)
	if errors.Is(err, store.ErrPlaceTaken) {
		busy, _, _ := b.busyMatch(ctx, in.channel)
		return response{}, &refusal{reason: errBusy, match: busy, choice: c}
	}
	if err != nil {
		return b.alreadyHandled(err)
	}
	return b.newBoard(in, m)
}

// againstProgram returns the match that somebody chose, not yet opened.
func (b *Bot) againstProgram(in *interaction, c choice) (store.Match, error) {
	if !offered(c.rules) {
		return store.Match{}, errBadOption
	}
	if _, err := opponentFor(c.opponent, c.rules); err != nil {
		return store.Match{}, err
	}
	m := store.Match{
		ID: store.MatchID(b.opts.NewID()), Guild: in.guild, Channel: in.channel, Place: thePlace,
		Rules: c.rules, Clock: b.opts.DefaultClock, Locale: in.locale,
		X: store.Player{User: in.user}, O: store.Player{Opponent: c.opponent},
	}
	switch c.first {
	case firstMe:
	case firstBot:
		m.X, m.O = m.O, m.X
	case firstRandom:
		if b.opts.Dice().IntN(2) == 0 {
			m.X, m.O = m.O, m.X
		}
	default:
		return m, errBadOption
	}
	return m, nil
}

// createMatch opens the match and stores it, with further records that change
// together with it. The caller has counted the start.
func (b *Bot) createMatch(ctx context.Context, in *interaction, m store.Match, also ...store.Match) (store.Match, error) {
	choose, err := b.chooser(ctx, m)
	if err != nil {
		return m, err
	}
	if m, err = openMatch(m, choose, b.uptime.read()); err != nil {
		return m, err
	}
	m.Created = b.opts.Now()
	m.Updated = m.Created
	err = b.apply(ctx, store.Change{Interaction: in.id, Matches: append(also, m)})
	if errors.Is(err, store.ErrPlaceTaken) || errors.Is(err, store.ErrConflict) {
		b.uncount(in) // somebody was faster
	}
	if err != nil {
		return m, saving(err)
	}
	m.Version = 1
	return m, nil
}

// newBoard answers with the board of a match as a new message.
func (b *Bot) newBoard(in *interaction, m store.Match) (response, error) {
	msg, err := b.view(m.Locale).match(m)
	if err != nil {
		return response{}, err
	}
	r := reply(msg)
	if in.kind == kindComponent && in.message.ephemeral() && m.Private() {
		r = update(msg) // the private question becomes the private board
	}
	r.shows, r.version = surface{match: m.ID}, m.Version
	return r, nil
}

// busyMatch returns the match that has the channel's place.
func (b *Bot) busyMatch(ctx context.Context, channel store.ChannelID) (store.Match, bool, error) {
	active, err := b.store.ActiveMatches(ctx, channel)
	if err != nil || len(active) == 0 {
		return store.Match{}, false, err
	}
	return active[0], true, nil
}

// countStart refuses who starts too much. An interaction is counted once, however
// often its change is tried.
func (b *Bot) countStart(in *interaction) error {
	if !in.counted.IsZero() {
		return nil
	}
	now := b.opts.Now()
	if again, ok := b.starts.allow(in.user, in.guild, now); !ok {
		return &refusal{reason: errTooMany, until: again.Add(time.Second - 1)} // shown in whole seconds
	}
	in.counted = now
	return nil
}

// uncount takes back what countStart has counted.
func (b *Bot) uncount(in *interaction) {
	if !in.counted.IsZero() {
		b.starts.refund(in.user, in.guild, in.counted)
		in.counted = time.Time{}
	}
}

// alreadyHandled gives no answer to an interaction that another delivery of it is
// being answered for: a second one would take the first one's place.
func (b *Bot) alreadyHandled(err error) (response, error) {
	if errors.Is(err, store.ErrClaimed) {
		b.stats.duplicates.Add(1)
		return ignore(), nil
	}
	return response{}, err
}
