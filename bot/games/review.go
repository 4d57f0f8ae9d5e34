package games

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// reviews walk through matches that are over, with the verdict on each move.
type reviews struct {
	tools
	matches store.Matches
	results store.Results
	judge   *Judge
}

// routes are what happens when somebody looks at games that are over.
func (b reviews) routes() kit.Routes {
	return kit.Routes{
		kit.Command("review"): {Handle: b.show},

		kit.Button(customid.LastGames):     {Handle: b.list},
		kit.Button(customid.Review):        {Handle: given(b.match, b.open)},
		kit.Button(customid.ReviewAgain):   {Handle: given(b.match, b.open)},
		kit.Button(customid.ReviewFirst):   {Handle: given(b.load, b.turn)},
		kit.Button(customid.ReviewBack):    {Handle: given(b.load, b.turn)},
		kit.Button(customid.ReviewOn):      {Handle: given(b.load, b.turn)},
		kit.Button(customid.ReviewLast):    {Handle: given(b.load, b.turn)},
		kit.Button(customid.ReviewMistake): {Handle: given(b.load, b.turn)},
		kit.Button(customid.ReviewTell):    {Handle: given(b.load, b.turn)},
		kit.Button(customid.ReviewCopy):    {Handle: given(b.match, b.copy)},
		kit.Button(customid.ReviewShare):   {Handle: given(b.load, b.share), Stores: true},
		kit.Button(customid.PlayOn):        {Handle: given(b.match, b.playOn), Stores: true},

		kit.Button(customid.ReviewFind): {Handle: given(b.mistake, b.find)},
		kit.Button(customid.ReviewTry):  {Handle: given(b.mistake, b.try)},

		kit.Button(customid.ReviewTryNext): {Handle: given(b.mistake, b.try)},
	}
}

// show is the command: it begins the review of the match that a link leads to, or lists
// one's own without one.
func (b reviews) show(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if !in.Gives("game") {
		return b.list(ctx, in)
	}
	link, _ := in.Text("game")
	m, err := b.linked(ctx, in, link)
	if err != nil {
		return kit.Response{}, err
	}
	return b.open(ctx, in, m)
}

// linked returns the match that a link to a message leads to, if whoever asks may review
// it. To others a private match looks as if there were none.
func (b reviews) linked(ctx context.Context, in *kit.Request, link string) (store.Match, error) {
	guild, channel, message, ok := discord.ParseMessageLink(link)
	if !ok {
		return store.Match{}, match.ErrNoGameThere
	}
	m, err := b.matches.MessageMatch(ctx, store.MessageID(message))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return m, match.ErrNoGameThere
	case err != nil:
		return m, err
	case guild != "" && store.GuildID(guild) != m.Guild, channel != "" && store.ChannelID(channel) != m.Where(), !comesBy(in, m):
		return m, match.ErrNoGameThere
	}
	if m, err = reviewable(m); errors.Is(err, match.ErrUnknownRecord) {
		err = match.ErrNoGameThere
	}
	return m, err
}

// list is a button of statistics: it lists the last matches of whoever asks, wherever they
// were played.
func (b reviews) list(ctx context.Context, in *kit.Request) (kit.Response, error) {
	results, err := b.results.LastResults(ctx, in.UserID, view.MostListed)
	if err != nil {
		return kit.Response{}, err
	}
	return kit.Reply(b.kit.View(in.Language()).Reviews().LastGames(in.UserID, results)), nil
}

// open begins a review, at the first mistake of whoever asks.
func (b reviews) open(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	verdicts, err := b.judge.Verdicts(ctx, m)
	if err != nil {
		return kit.Response{}, b.stillJudging(in, m, err)
	}
	as := kit.Reply // a private board stays where it is
	if in.Button.Action == customid.ReviewAgain {
		as = in.InPlace
	}
	return b.moment(in, as, view.Review{Match: m, Verdicts: verdicts, Ply: view.ReviewFrom(m, verdicts, in.UserID)})
}

// turn is a button that leads to another moment.
func (b reviews) turn(_ context.Context, in *kit.Request, r view.Review) (kit.Response, error) {
	r.Told = in.Button.Action == customid.ReviewTell
	return b.moment(in, in.InPlace, r)
}

// copy is the button that tells the moment as it is written down, so that it can be copied.
func (b reviews) copy(_ context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	msg, err := b.kit.View(in.Language()).Reviews().Notation(m, in.Button.Ply)
	return kit.Reply(msg), err
}

// share is the button that posts a moment where everybody in the channel sees it. It
// notifies nobody.
func (b reviews) share(ctx context.Context, in *kit.Request, r view.Review) (kit.Response, error) {
	m, v := r.Match, b.kit.View(in.BoardLanguage())
	v.Names = b.kit.NamesIn(ctx, in.MemberOf(), m.X.User, m.O.User, in.UserID)
	r.Shown, r.By, r.Open = true, in.UserID, stood(in, m)
	msg, err := v.Reviews().Review(r)
	if err != nil {
		return kit.Response{}, err
	}
	return b.change.Once(ctx, in, msg, nil, "review", strconv.FormatInt(int64(m.ID), 10))
}

// playOn is the button that begins a private match with the position that is shown.
func (b reviews) playOn(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	ply := in.Button.Ply
	c, err := match.PlayOn(m, ply, in.UserID, in.UsualChoice())
	if err != nil {
		return kit.Response{}, err
	}
	next, err := b.newMatch(in, c)
	if err != nil {
		return kit.Response{}, err
	}
	next.Place, next.Moves, next.Given = 0, m.Moves[:ply], ply
	next, err = b.change.Open(ctx, in, func() (change.Opening, error) { return change.Opening{Match: next, Choice: match.ChoiceOf(next)}, nil })
	if err != nil {
		return kit.Response{}, err
	}
	return b.kit.ShowMatch(next, kit.Reply)
}

func (b reviews) moment(in *kit.Request, as func(discord.Message) kit.Response, r view.Review) (kit.Response, error) {
	msg, err := b.kit.View(in.Language()).Reviews().Review(r)
	return as(msg), err
}

// match returns the match of the clicked button, if it can be reviewed.
func (b reviews) match(ctx context.Context, in *kit.Request) (store.Match, error) {
	m, err := b.clicked(ctx, in)
	if err != nil {
		return m, err
	}
	return reviewable(m)
}

// reviewable returns the match if it can be reviewed.
func reviewable(m store.Match) (store.Match, error) {
	switch {
	case m.State != store.Ended:
		return m, &kit.Refusal{Reason: match.ErrNotOver, Match: m}
	case errors.Is(match.WhyOver(m), match.ErrPaused), errors.Is(match.WhyOver(m), match.ErrGoneOn): // it would be told the best moves
		return m, &kit.Refusal{Reason: match.WhyOver(m), Match: m}
	case len(m.Moves) == 0:
		return m, match.ErrUnknownRecord
	}
	return m, nil
}

// load returns that match at the moment of the button, with what its moves were worth.
func (b reviews) load(ctx context.Context, in *kit.Request) (r view.Review, err error) {
	r.Ply = in.Button.Ply
	if r.Match, err = b.match(ctx, in); err != nil {
		return r, err
	}
	if r.Verdicts, err = b.judge.Verdicts(ctx, r.Match); err != nil {
		err = b.stillJudging(in, r.Match, err)
	}
	return r, err
}

// stillJudging says that the click could not be answered now, with a button that tries
// again and leads to the same.
func (b reviews) stillJudging(in *kit.Request, m store.Match, err error) error {
	why := &kit.Refusal{Reason: err, Match: m}
	if in.Button.Match != 0 && in.Button.Action != customid.Review {
		why.Again, why.InPlace = in.Button, true
	}
	return why
}

// try is a cell of the board that [reviews.find] shows. One that was tried before is no other try.
func (b reviews) try(ctx context.Context, in *kit.Request, f view.Find) (kit.Response, error) {
	f.Cell, f.Tries = in.Button.Cell, in.Button.Tries+1
	if in.Button.Action == customid.ReviewTryNext && in.Button.Wrong != f.Cell {
		f.Tries++
	}
	after, err := engine.Replay(f.Match.Rules, append(slices.Clip(f.Match.Moves[:f.Ply]), f.Cell))
	if err != nil {
		return kit.Response{}, &kit.Refusal{Reason: match.ErrTaken, Match: f.Match, Cell: f.Cell}
	}
	if f.Right = slices.Contains(f.Verdict().Better, f.Cell); !f.Right {
		answer, err := kit.Judging(ctx, b.kit.Think, f.Match.Rules, func() (coach.Move, error) { return coach.Best(ctx, after) })
		if err != nil {
			return kit.Response{}, b.stillJudging(in, f.Match, err)
		}
		f.Answer, f.After = answer.Cell, answer.Standing
	}
	return b.find(ctx, in, f)
}

// find shows the position before a mistake as a board to press, with what came of the last try, or
// behind that the review, which tells all.
func (b reviews) find(_ context.Context, in *kit.Request, f view.Find) (kit.Response, error) {
	if f.Done() {
		return b.moment(in, in.InPlace, view.Review{Match: f.Match, Verdicts: f.Verdicts, Ply: f.Ply + 1, Told: true, Tried: &f})
	}
	msg, err := b.kit.View(in.Language()).Reviews().Find(f)
	return in.InPlace(msg), err
}

// mistake returns the position before the mistake that the clicked button is about.
func (b reviews) mistake(ctx context.Context, in *kit.Request) (view.Find, error) {
	r, err := b.load(ctx, in)
	is := r.Ply < len(r.Verdicts) && r.Verdicts[r.Ply].Kind.Mistake() && r.Match.Rules.Contains(in.Button.Cell)
	return view.Find{Match: r.Match, Ply: r.Ply, Verdicts: r.Verdicts}, ours(err, is)
}
