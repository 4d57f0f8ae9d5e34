package games

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// plays starts matches against the program.
type plays struct {
	tools
	matches store.Matches
	threads *Threads
	resign  resignations
}

// routes are what begins matches against the program, and changes them before the first move.
func (b plays) routes() kit.Routes {
	return kit.Routes{
		kit.Command("play"):                {Handle: b.start, Stores: true},
		kit.Button(customid.PlayPrivately): {Handle: b.startPrivately, Stores: true},
		kit.Button(customid.PlayHere):      {Handle: b.startHere, Stores: true},
		kit.Button(customid.PlayInstead):   {Handle: given(b.chosen, b.startInstead), Stores: true},
		kit.Button(customid.PlayInThread):  {Handle: given(b.chosen, b.inThread), Stores: true},
		kit.Button(customid.LobbyPlay):     {Handle: b.lobby, Stores: true},
		kit.Button(customid.LobbyLevel):    {Handle: given(choose, b.choice)},
		kit.Button(customid.LobbyBoard):    {Handle: given(choose, b.choice)},
		kit.Button(customid.Change):        {Handle: b.another},
		kit.Button(customid.ChangeLevel):   {Handle: b.another},
		kit.Button(customid.ChangeBoard):   {Handle: b.another},
		kit.Button(customid.ChangePlay):    {Handle: given(b.chosen, b.playChanged), Stores: true},
	}
}

// start is the command.
func (b plays) start(ctx context.Context, in *kit.Request) (kit.Response, error) {
	c, err := readChoice(in)
	if err != nil {
		return kit.Response{}, err
	}
	private, ok := in.Flag("private")
	if !ok {
		return kit.Response{}, match.ErrBadOption
	}
	return b.begin(ctx, in, c, private)
}

// startHere is the button of a choice that can be played, on the refusal of one that
// cannot.
func (b plays) startHere(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.begin(ctx, in, in.Button.Choice, false)
}

// begin starts the match that somebody chose.
func (b plays) begin(ctx context.Context, in *kit.Request, c match.Choice, private bool) (kit.Response, error) {
	m, err := b.newMatch(in, c)
	if r := (*kit.Refusal)(nil); errors.As(err, &r) {
		r.Hidden = private
	}
	if err != nil {
		return kit.Response{}, err
	}
	private = private || in.KeptPrivate() // nobody else would see it, and it would take a place
	if private {
		m.Place = 0
	}
	begun, err := b.threads.openByRule(ctx, in, func() (change.Opening, error) {
		return change.Opening{Match: m, Choice: c, Aside: true}, nil
	})
	if err != nil {
		return kit.Response{}, err
	}
	r, err := b.threads.showBegun(in, begun)
	switch v := b.kit.View(in.Language()).Games(); {
	case private || !begun.Private():
	case in.GamesElsewhere():
		r = b.kit.AlsoSay(in, r, v.Elsewhere(in.Settings.Games)).AndThen(b.threads.LookForGames(in))
	default:
		r = b.kit.AlsoSay(in, r, v.Full())
	}
	return r, err
}

// startPrivately is the button that leads out of a busy channel. The private question becomes
// the private board.
func (b plays) startPrivately(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.privately(ctx, in, in.Button.Choice, in.InPlace)
}

// lobby is the lobby's button that starts the usual match at once, privately.
func (b plays) lobby(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.privately(ctx, in, in.UsualChoice(), kit.Reply)
}

// privately starts a private match by a button. Pressed twice, or again because nothing seemed
// to happen, that leads to the one match that it has made, for as long as it runs.
func (b plays) privately(ctx context.Context, in *kit.Request, c match.Choice, as func(discord.Message) kit.Response) (kit.Response, error) {
	m, err := b.newMatch(in, c)
	if err != nil {
		return kit.Response{}, err
	}
	m.Place = 0
	if m, _, err = b.openBehind(ctx, in, m, b.change.Open); err != nil {
		return kit.Response{}, err
	}
	return b.kit.ShowMatch(m, as)
}

// openBehind opens a match that a button of the clicked message makes, once: pressed again it
// leads to the one that is there.
func (b plays) openBehind(ctx context.Context, in *kit.Request, m store.Match, open opener) (_ store.Match, again bool, _ error) {
	fresh := m.ID
	opened, err := open(ctx, in, func() (change.Opening, error) {
		m.ID = matchBehind(in)
		made, err := b.matches.Match(ctx, m.ID)
		switch {
		case err == nil && made.State == store.Active:
			m = made
			return change.Opening{}, errMadeAlready
		case err == nil:
			m.ID = fresh // that one is over
		case !errors.Is(err, store.ErrNotFound):
			return change.Opening{}, err
		}
		return change.Opening{Match: m, Choice: in.Button.Choice}, nil
	})
	if errors.Is(err, errMadeAlready) {
		b.change.Starts.Uncount(ctx, in)
		return m, true, nil
	}
	return opened, false, err
}

// opener begins a match, in a thread or in the channel.
type opener func(ctx context.Context, in *kit.Request, prepare func() (change.Opening, error)) (store.Match, error)

// startInstead is the button that leads out of a match which its user plays here
// already: they resign that one and start the other in the same change.
func (b plays) startInstead(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	var before, resigned store.Match
	m, err := b.threads.openByRule(ctx, in, func() (_ change.Opening, err error) {
		o := change.Opening{Match: m, Choice: in.Button.Choice}
		before, resigned, err = b.resign.instead(ctx, in, in.Button.Match)
		o.Resigned = resigned
		return o, err
	})
	if err != nil {
		return kit.Response{}, err
	}
	r, err := b.threads.showBegun(in, m)
	return b.resign.follow(r, before, resigned), err
}

// inThread is the button that leads out of a channel whose places are taken. Pressed again it
// leads to the one match that it has made.
func (b plays) inThread(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	m, again, err := b.openBehind(ctx, in, m, b.threads.open)
	switch {
	case err != nil:
		return kit.Response{}, err
	case again:
		return in.InPlace(b.kit.View(in.Language()).Games().ThreadBegun(discord.MessageLink(m.Guild, m.Thread, ""))), nil
	}
	return b.threads.showBegun(in, m)
}

// errMadeAlready: the match that a button makes is there.
var errMadeAlready = errors.New("bot: the match has been made already")

// matchBehind returns the id of the match that a button of the clicked message makes
// for its user.
func matchBehind(in *kit.Request) store.MatchID {
	sum := sha256.Sum256([]byte("match behind " + in.Message.ID + " for " + in.User))
	return store.MatchID(binary.LittleEndian.Uint64(sum[:])>>1 | 1) //nolint:gosec // 63 bits
}

// chosen returns the match of the choice in a button, not yet opened.
func (b plays) chosen(_ context.Context, in *kit.Request) (store.Match, error) {
	return b.newMatch(in, in.Button.Choice)
}
