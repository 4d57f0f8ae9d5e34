package games

import (
	"cmp"
	"context"
	"errors"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// readChoice reads the options of a match, whoever it is against. What is left out is as usual
// in the guild, as far as that goes with what was chosen.
func readChoice(in *kit.Request) (match.Choice, error) {
	c := in.UsualChoice()
	board, series := c.Rules.String(), "1"
	for option, into := range map[string]*string{"difficulty": &c.Opponent, "board": &board, "first": &c.First, "clock": &c.Clock, "series": &series} {
		text, err := in.Option(option)
		if err != nil {
			return c, err
		}
		*into = cmp.Or(text, *into)
	}
	var err error
	if c.Rules, err = engine.ParseRules(board); err != nil || !match.EverOffered(c.Rules) || c.Rules.String() != board {
		return c, match.ErrBadOption
	}
	if opponent := in.Gives("difficulty"); !opponent || !in.Gives("board") {
		c = match.Fitting(c, opponent)
	}
	c.BestOf, err = match.SeriesLength(series)
	return c, err
}

// newMatch returns the match that somebody chose, not yet opened.
func (t tools) newMatch(in *kit.Request, c match.Choice) (store.Match, error) {
	m := store.Match{
		ID: store.MatchID(t.kit.NewID()), Guild: in.GuildID, Channel: in.ChannelID, Place: match.FirstPlace,
		Rules: c.Rules, Locale: in.BoardLanguage(), Marks: in.Settings.Marks,
		X: store.Player{User: in.UserID}, O: store.Player{Opponent: c.Opponent},
	}
	if err := match.Fits(m, c); err != nil {
		return m, &kit.Refusal{Reason: err, Choice: c}
	}
	var err error
	m.Clock, err = in.ClockFor(c.Clock)
	return match.WithChoice(m, t.decided(c)), err
}

// decided returns the choice with the dice rolled for who begins, where that is left to them.
func (t tools) decided(c match.Choice) match.Choice {
	if c.First == match.FirstRandom {
		c.First = [...]string{match.FirstBot, match.FirstMe}[t.kit.Dice().IntN(2)]
	}
	return c
}

// choice shows the choice that older lobbies led to as one of its selects has made it.
func (b plays) choice(_ context.Context, in *kit.Request, c match.Choice) (kit.Response, error) {
	return in.InPlace(b.kit.View(in.Language()).Games().Choose(0, c)), nil
}

// choose reads a select that changes the choice of a match against the program.
func choose(_ context.Context, in *kit.Request) (match.Choice, error) {
	return chosenFor(in, store.Match{})
}

// chosenFor returns the choice that the ID of a select carries with what was chosen there, for the
// match or one that follows on it.
func chosenFor(in *kit.Request, m store.Match) (c match.Choice, err error) {
	c = in.Button.Choice
	switch value := in.Value(); in.Button.Action {
	case customid.LobbyLevel, customid.ChangeLevel, customid.MoreLevel:
		c.Opponent = value
	case customid.LobbyBoard, customid.ChangeBoard, customid.MoreBoard:
		c.Rules, err = engine.ParseRules(value)
		c = match.Fitting(c, false)
	case customid.MoreSeries:
		c.BestOf, err = match.SeriesLength(value)
	default:
		c.First = value
	}
	if err != nil || match.Fits(m, c) != nil {
		err = match.ErrBadOption
	}
	return c, err
}

// another is the button of a private match that nobody has moved in: it puts a choice of another
// one in its place. The selects there change the choice.
func (b plays) another(ctx context.Context, in *kit.Request) (kit.Response, error) {
	m, err := b.unmoved(ctx, in)
	c := choiceIn(m)
	if err == nil && in.Button.Action != customid.Change {
		c, err = choose(ctx, in)
	}
	switch {
	case errors.Is(err, errMoved):
		return b.kit.ShowMatch(m, in.InPlace)
	case err != nil:
		return kit.Response{}, err
	}
	return in.InPlace(b.kit.View(in.Language()).Games().Choose(m.ID, c)), nil
}

// errMoved: somebody has moved in a match that was to be changed.
var errMoved = errors.New("bot: the match goes on")

// unmoved returns the match that was clicked, with [errMoved] where it is too late to change it.
func (b plays) unmoved(ctx context.Context, in *kit.Request) (store.Match, error) {
	m, err := b.change.DueMatch(ctx, in, in.Button.Match)
	switch {
	case err != nil:
		return m, err
	case m.Seat(in.UserID) == engine.None || !m.Private():
		return m, match.ErrUnknownRecord // made up: only its player sees the board
	case m.State != store.Active:
		return m, &kit.Refusal{Reason: match.WhyOver(m), Match: m}
	case !match.Unmoved(m):
		return m, errMoved
	}
	return m, nil
}

// choiceIn is what was chosen for a match against the program.
func choiceIn(m store.Match) match.Choice {
	c := match.ChoiceOf(m)
	if match.ProgramMark(m) == engine.X {
		c.First = match.FirstBot
	}
	return c
}

// playChanged plays what was chosen in the place of the match, which ends without a result. Where
// nothing else was chosen that match goes on.
func (b plays) playChanged(ctx context.Context, in *kit.Request, next store.Match) (kit.Response, error) {
	next.Place = 0
	var m store.Match
	next, err := b.change.Open(ctx, in, func() (_ change.Opening, err error) {
		if m, err = b.unmoved(ctx, in); err == nil && in.Button.Choice == choiceIn(m) {
			err = errMoved
		}
		if err != nil {
			return change.Opening{}, err
		}
		before, err := match.Stop(m, in.UserID)
		before.Next, next.Clock = next.ID, m.Clock
		return change.Opening{Match: next, Also: before, Unlimited: true}, err
	})
	switch {
	case errors.Is(err, errMoved):
		return b.kit.ShowMatch(m, in.InPlace)
	case err != nil:
		return kit.Response{}, err
	}
	r, err := b.kit.ShowMatch(next, in.InPlace)
	r.Shows.Instead = kit.MatchRef(m.ID)
	return r, err
}
