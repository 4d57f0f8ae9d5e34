package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// reviews walk through matches that are over, with the verdict on each move.
type reviews struct{ *games }

// show is the command: it begins the review of the match that a link leads to, or lists
// one's own without one.
func (b reviews) show(ctx context.Context, in *request) (response, error) {
	if _, given := in.Options["game"]; !given {
		return b.list(ctx, in)
	}
	link, _ := in.Text("game")
	m, err := b.linked(ctx, in, link)
	if err != nil {
		return response{}, err
	}
	return b.begin(ctx, in, m, reply)
}

// linked returns the match that a link to a message leads to, if whoever asks may review
// it. To others a private match looks as if there were none.
func (b reviews) linked(ctx context.Context, in *request, link string) (store.Match, error) {
	guild, channel, message, ok := discord.ParseMessageLink(link)
	if !ok {
		return store.Match{}, match.ErrNoGameThere
	}
	m, err := b.store.MessageMatch(ctx, store.MessageID(message))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return m, match.ErrNoGameThere
	case err != nil:
		return m, err
	case guild != "" && store.GuildID(guild) != m.Guild, channel != "" && store.ChannelID(channel) != m.Where():
		return m, match.ErrNoGameThere
	}
	if m, err = b.may(in, m); errors.Is(err, match.ErrUnknownRecord) {
		err = match.ErrNoGameThere
	}
	return m, err
}

// list is a button of statistics: it lists the last matches of whoever asks, wherever they
// were played.
func (b reviews) list(ctx context.Context, in *request) (response, error) {
	results, err := b.store.LastResults(ctx, in.user, view.MostListed)
	if err != nil {
		return response{}, err
	}
	return reply(b.kit.view(in.locale()).Reviews().LastGames(in.user, results)), nil
}

// open is the button that begins a review, at the first mistake of whoever asks.
func (b reviews) open(ctx context.Context, in *request) (response, error) {
	m, err := b.match(ctx, in)
	if err != nil {
		return response{}, err
	}
	as := reply // a private board stays where it is
	if in.button.Action == customid.ReviewAgain {
		as = in.inPlace
	}
	return b.begin(ctx, in, m, as)
}

// begin shows the first moment of a review.
func (b reviews) begin(ctx context.Context, in *request, m store.Match, as func(discord.Message) response) (response, error) {
	verdicts, err := b.verdicts(ctx, m)
	if err != nil {
		return response{}, b.stillJudging(in, m, err)
	}
	return b.moment(in, as, view.Review{Match: m, Verdicts: verdicts, Ply: view.ReviewFrom(m, verdicts, in.user)})
}

// turn is a button that leads to another moment.
func (b reviews) turn(ctx context.Context, in *request) (response, error) {
	m, verdicts, err := b.load(ctx, in)
	if err != nil {
		return response{}, err
	}
	return b.moment(in, in.inPlace, view.Review{Match: m, Verdicts: verdicts, Ply: in.button.Ply})
}

// share is the button that posts a moment where everybody in the channel sees it. It
// notifies nobody.
func (b reviews) share(ctx context.Context, in *request) (response, error) {
	m, verdicts, err := b.load(ctx, in)
	if err != nil {
		return response{}, err
	}
	v := b.kit.view(in.boardLocale())
	v.Names = b.kit.namesOf(ctx, in.memberOf(), m)
	msg, err := v.Reviews().Review(view.Review{Match: m, Verdicts: verdicts, Ply: in.button.Ply, Shown: true})
	if err != nil {
		return response{}, err
	}
	return b.change.once(ctx, in, msg, "review", strconv.FormatInt(int64(m.ID), 10))
}

// playOn is the button that begins a private match with the position that is shown.
func (b reviews) playOn(ctx context.Context, in *request) (response, error) {
	m, err := b.match(ctx, in)
	if err != nil {
		return response{}, err
	}
	next, err := match.PlayOn(m, in.button.Ply, in.user, in.usualChoice())
	if err != nil {
		return response{}, err
	}
	if next.Clock, err = in.clock(""); err != nil {
		return response{}, err
	}
	next.ID, next.Guild, next.Channel, next.Locale = store.MatchID(b.kit.newID()), in.guild, in.channel, in.boardLocale()
	next.Marks = in.settings.Marks
	next, err = b.change.open(ctx, in, func() (opening, error) { return opening{match: next, choice: match.ChoiceOf(next)}, nil })
	if err != nil {
		return response{}, err
	}
	return b.kit.showMatch(next, reply)
}

func (b reviews) moment(in *request, as func(discord.Message) response, r view.Review) (response, error) {
	msg, err := b.kit.view(in.locale()).Reviews().Review(r)
	if err != nil {
		return response{}, err
	}
	return as(msg), nil
}

// match returns the match of the clicked button, if whoever clicked may review it.
func (b reviews) match(ctx context.Context, in *request) (store.Match, error) {
	m, err := b.change.loadMatch(ctx, in.button.Match)
	if err != nil {
		return m, err
	}
	return b.may(in, m)
}

// may returns the match if whoever asks may review it. Players may wherever they are,
// others in the guild in which it was played: they came by its board, or by a link to it.
// A private match is nobody else's business.
func (reviews) may(in *request, m store.Match) (store.Match, error) {
	switch {
	case m.Seat(in.user) == engine.None && (m.Private() || m.Guild == "" || m.Guild != in.guild):
		return m, match.ErrUnknownRecord
	case m.State != store.Ended:
		return m, &refusal{reason: match.ErrNotOver, match: m}
	case errors.Is(match.WhyOver(m), match.ErrPaused), errors.Is(match.WhyOver(m), match.ErrGoneOn): // it would be told the best moves
		return m, &refusal{reason: match.WhyOver(m), match: m}
	case len(m.Moves) == 0:
		return m, match.ErrUnknownRecord
	}
	return m, nil
}

// load returns that match, and what its moves were worth.
func (b reviews) load(ctx context.Context, in *request) (store.Match, []coach.Verdict, error) {
	m, err := b.match(ctx, in)
	if err != nil {
		return m, nil, err
	}
	verdicts, err := b.verdicts(ctx, m)
	if err != nil {
		return m, nil, b.stillJudging(in, m, err)
	}
	return m, verdicts, nil
}

// stillJudging says that the click could not be answered now, with a button that tries
// again and leads to the same.
func (b reviews) stillJudging(in *request, m store.Match, err error) error {
	why := &refusal{reason: err, match: m}
	if in.button.Match != 0 && in.button.Action != customid.Review {
		why.again, why.inPlace = in.button, true
	}
	return why
}

// verdicts returns what the moves of an ended match were worth. On larger boards that
// takes as long as some moves of a strong opponent, and counts as one that thinks. When
// there is no time for all of it, what has been found is kept, and the next try goes on
// from there.
func (b *games) verdicts(ctx context.Context, m store.Match) ([]coach.Verdict, error) {
	known := b.judged.of(m.ID)
	if len(known) >= len(m.Moves) {
		return known, nil
	}
	done, err := b.think.mayThink(ctx, m.Rules)
	if err != nil {
		return nil, err
	}
	defer done()
	verdicts, err := coach.Game(ctx, m.Rules, m.Moves, known)
	b.judged.keep(m.ID, verdicts)
	if err != nil && ctx.Err() != nil {
		return nil, match.ErrStillJudging
	}
	return verdicts, err
}

// mayThink waits for room to think about a position, for half of the time that is left:
// then it is time to say that there is none. Whoever gets it calls done.
func (b *thinker) mayThink(ctx context.Context, r engine.Rules) (done func(), _ error) {
	if cheap(r) {
		return func() {}, nil
	}
	wait, cancel := withHalf(ctx)
	defer cancel()
	select {
	case b.slots <- struct{}{}:
		return func() { <-b.slots }, nil
	case <-wait.Done():
		return nil, match.ErrStillJudging
	}
}

// withHalf returns a context for half of the time that is left.
func withHalf(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// judged remembers what the moves of matches were worth, of those that were asked for
// last. The zero value is ready; its methods may be called concurrently.
type judged struct {
	mu    sync.Mutex
	known map[store.MatchID][]coach.Verdict
	used  []store.MatchID // the one that was asked for last stands at the end
}

// judgedMost is how many matches are remembered: a few KiB each.
const judgedMost = 500

// of returns the verdicts on a match, as far as they are known.
func (j *judged) of(id store.MatchID) []coach.Verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, ok := j.known[id]; ok {
		j.touch(id)
	}
	return j.known[id]
}

// keep remembers verdicts, unless more are known. They must not be changed afterwards.
func (j *judged) keep(id store.MatchID, verdicts []coach.Verdict) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(verdicts) <= len(j.known[id]) {
		return
	}
	if j.known == nil {
		j.known = map[store.MatchID][]coach.Verdict{}
	}
	j.known[id] = verdicts
	if j.touch(id); len(j.used) > judgedMost {
		delete(j.known, j.used[0])
		j.used = j.used[1:]
	}
}

// touch moves the match to the end of those that are forgotten.
func (j *judged) touch(id store.MatchID) {
	if i := slices.Index(j.used, id); i >= 0 {
		j.used = slices.Delete(j.used, i, i+1)
	}
	j.used = append(j.used, id)
}
