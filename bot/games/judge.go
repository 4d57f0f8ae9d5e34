package games

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/internal/recent"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// judgeTime is how long one match may be judged for.
const judgeTime = 5 * time.Second

// Judge finds out what ended matches have given, and what their moves were worth.
type Judge struct {
	tools
	results store.Results
	judged  recent.Shared[store.MatchID, []coach.Verdict]
}

// weigh returns what finds out and stores what an ended match has given somebody, and whether
// it was flawless; nil where there is nothing to find. It is done behind the answer.
func (j *Judge) weigh(m store.Match) func(context.Context) {
	if m.State != store.Ended || !mayGain(m) && !mayBeFlawless(m) {
		return nil
	}
	return func(ctx context.Context) {
		if j.weighed(ctx, m, mayBeFlawless(m)).Version > m.Version {
			j.kit.Tracker.Redraw(kit.MatchRef(m.ID))
		}
	}
}

func mayGain(m store.Match) bool { return m.Gain == store.Gain{} && match.MayGain(m) }

func mayBeFlawless(m store.Match) bool {
	return m.Verdict.Kind == store.NotJudged && match.MayBeFlawless(m)
}

// weighed returns the match with what it has given and, if that is wanted, the verdict on it,
// as far as they were found out and stored.
func (j *Judge) weighed(ctx context.Context, m store.Match, judge bool) store.Match {
	gain, verdict, x, o := m.Gain, m.Verdict, m.X, m.O
	var gaining, judging error
	if mayGain(m) {
		gain, gaining = j.gain(ctx, m)
	}
	if judge {
		verdict, judging = j.judge(ctx, m)
	}
	told, err := j.change.Amend(ctx, m.ID, func(m *store.Match) bool {
		before := *m
		if m.Gain == (store.Gain{}) && m.X == x && m.O == o { // nobody was erased meanwhile
			m.Gain = gain
		}
		if m.Verdict.Kind == store.NotJudged {
			m.Verdict = verdict
		}
		return m.Gain != before.Gain || m.Verdict != before.Verdict
	})
	if err == nil {
		m = told
	}
	if err = errors.Join(gaining, judging, err); err != nil {
		j.kit.Log.Info("match not weighed", "error", err)
	}
	return m
}

// gain returns what the match has given. Where nobody can look at the standings, neither
// points nor places are told.
func (j *Judge) gain(ctx context.Context, m store.Match) (store.Gain, error) {
	r, err := j.results.Result(ctx, m.ID)
	if err != nil {
		return store.Gain{}, err
	}
	user := m.Player(match.Gainer(m)).User
	profile, err := j.results.Profile(ctx, user, "", m.Guild)
	if err != nil {
		return store.Gain{}, err
	}
	settings, err := j.kit.Settings.Guild(ctx, m.Guild)
	if err != nil {
		return store.Gain{}, err
	}
	if !settings.Leaderboard.Or(true) {
		r.PointsX, r.PointsO = 0, 0
	}
	place := 0
	if month := store.MonthOf(r.Ended); r.PointsX+r.PointsO > 0 && m.Winner != engine.None && month == store.MonthOf(j.kit.Now()) {
		standing, err := j.results.Standing(ctx, m.Guild, month, user)
		if err != nil && !errors.Is(err, store.ErrNotFound) { // who has left has no place
			return store.Gain{}, err
		}
		place = standing.Rank
	}
	g := match.Gain(m, r, profile, place)
	if g.Crown, g.Throne, err = j.change.CrownBy(ctx, m, r); err != nil {
		return store.Gain{}, err // half of it would be told as all there is
	}
	return g, nil
}

// judge returns the last mistake of the match.
func (j *Judge) judge(ctx context.Context, m store.Match) (store.Verdict, error) {
	return kit.Searching(ctx, j.kit.Think.Behind, func() (store.Verdict, error) {
		ctx, cancel := context.WithTimeout(ctx, judgeTime)
		defer cancel()
		verdicts, err := j.judgeMoves(ctx, m)
		if err != nil {
			return store.Verdict{}, err
		}
		return match.Verdict(verdicts), nil
	})
}

// Verdicts returns what the moves of an ended match were worth. On larger boards that
// takes as long as some moves of a strong opponent, and counts as one that thinks. When
// there is no time for all of it, what has been found is kept, and the next try goes on
// from there.
func (j *Judge) Verdicts(ctx context.Context, m store.Match) ([]coach.Verdict, error) {
	if known, _ := j.judged.Get(m.ID); len(known) >= len(m.Moves) {
		return known, nil
	}
	return kit.Judging(ctx, j.kit.Think, m.Rules, func() ([]coach.Verdict, error) { return j.judgeMoves(ctx, m) })
}

const (
	// judgedTurn is half of the time for which it is remembered at most what the moves of a match
	// were worth, and judgedMost half of the number of matches: a few KiB each.
	judgedTurn = time.Hour
	judgedMost = 250
)

// judgeMoves judges the moves of a match that were not judged lately, and remembers all that is
// known then, also where it has not come to the last.
func (j *Judge) judgeMoves(ctx context.Context, m store.Match) ([]coach.Verdict, error) {
	known, _ := j.judged.Get(m.ID)
	verdicts, err := coach.Game(ctx, m.Rules, m.Moves, known)
	if len(verdicts) > len(known) {
		j.judged.Put(m.ID, verdicts, j.kit.Now(), judgedTurn, judgedMost)
	}
	return verdicts, err
}
