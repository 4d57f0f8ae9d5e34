package games

import (
	"context"
	"errors"
	"slices"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// hints tell somebody who plays against the bot a move, once in a match.
type hints struct{ tools }

// ask is the command: it says that a match with a hint does not count.
func (b hints) ask(ctx context.Context, in *kit.Request, here here) (kit.Response, error) {
	played := slices.DeleteFunc([]store.Match{here.mine, here.private}, func(m store.Match) bool { return m.ID == 0 })
	return b.offer(ctx, in, played, &kit.Refusal{Reason: match.ErrNotInGame, Match: here.other()})
}

// askAbout is the button under a board, which does the same for its match.
func (b hints) askAbout(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	return b.offer(ctx, in, []store.Match{m}, nil)
}

// offer asks in which of the matches somebody wants a hint. The move that was told for the position
// it tells again. Where none can be told it returns the refusal, or why the last of them has none.
func (b hints) offer(ctx context.Context, in *kit.Request, matches []store.Match, refused error) (kit.Response, error) {
	var against []store.Match
	for _, m := range matches {
		if _, why := b.hinted(ctx, m, in.UserID); why != nil && !match.HintStands(m, in.UserID) {
			refused = &kit.Refusal{Reason: why, Match: m}
			continue
		}
		against = append(against, m)
	}
	switch {
	case len(against) == 0:
		return kit.Response{}, refused
	case len(against) == 1 && match.HintStands(against[0], in.UserID):
		return b.again(ctx, in, against[0], kit.Reply)
	}
	return kit.Reply(b.kit.View(in.Language()).Reviews().HintQuestion(against, len(matches) > 1)), nil
}

// again tells the move that was told for the position.
func (b hints) again(ctx context.Context, in *kit.Request, m store.Match, as func(discord.Message) kit.Response) (kit.Response, error) {
	best, err := b.best(ctx, m)
	if err != nil {
		return kit.Response{}, b.refused(in, m, err)
	}
	return as(b.kit.View(in.Language()).Reviews().Hint(m, best)), nil
}

// refused says why no move is told: where there was no room to think, with a button that
// tries again. It stands in the place of the question, and of no board.
func (hints) refused(in *kit.Request, m store.Match, err error) error {
	r := &kit.Refusal{Reason: err, Match: m, InPlace: in.Button.Action == customid.HintConfirm}
	if errors.Is(err, match.ErrStillJudging) {
		r.Again = customid.ID{Action: customid.HintConfirm, Match: m.ID}
	}
	return r
}

// tell is the button that does.
func (b hints) tell(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if m, err := b.change.LoadMatch(ctx, in.Button.Match); err == nil && match.HintStands(m, in.UserID) {
		return b.again(ctx, in, m, in.InPlace)
	}
	var best coach.Move
	before, m, err := b.change.Match(ctx, in, in.Button.Match, func(m store.Match) (store.Match, error) {
		next, err := b.hinted(ctx, m, in.UserID)
		if err != nil {
			return m, err
		}
		best, err = b.best(ctx, m)
		return next, err
	})
	if err != nil {
		return kit.Response{}, b.refused(in, before, err)
	}
	said := b.kit.View(in.Language()).Reviews().Hint(m, best)
	return in.InPlace(said).AndRedraw(kit.MatchRef(m.ID)), nil // the board says that the match does not count
}

// hinted returns the match in which the user is told a move, or why they are told none: one that
// was begun where its guild gives no hints stays without.
func (b hints) hinted(ctx context.Context, m store.Match, user store.UserID) (store.Match, error) {
	told, err := match.Hint(m, user)
	if err != nil {
		return m, err
	}
	s, err := b.kit.Settings.Guild(ctx, m.Guild)
	if err != nil {
		return m, err
	}
	return told, match.HintsGiven(m, s.NoHintsSince)
}

// best returns the best move in a match.
func (b hints) best(ctx context.Context, m store.Match) (coach.Move, error) {
	g, err := match.Position(m)
	if err != nil {
		return coach.Move{}, err
	}
	return kit.Judging(ctx, b.kit.Think, m.Rules, func() (coach.Move, error) { return coach.Best(ctx, g) })
}
