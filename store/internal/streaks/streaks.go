// Package streaks finds the best streaks of puzzles in a guild, for every backend: what the
// statements of package sqlstore read of single days it puts together.
package streaks

import (
	"cmp"
	"context"
	"slices"

	"tictactoe/store"
)

// Days are people whose last puzzle in the guild is of the day, and of whose streaks
// something is known.
type Days struct {
	Guild store.GuildID
	Day   int64
	store.Lasting
}

// Args returns the arguments with which statements about them begin.
func (d Days) Args() []any { return []any{string(d.Guild), d.Day, d.First, d.Last, d.Excused} }

// Here is how somebody stands in a guild.
type Here struct {
	Day           int64 // of their last puzzle there
	Last, Excused int64 // as in [store.Puzzler]
	Streak, Tries int
}

// Reader reads from a database.
type Reader interface {
	// Best returns up to limit rows, the best first, without ranks.
	Best(ctx context.Context, d Days, limit int) ([]store.StreakStanding, error)
	// Better counts who is better than somebody with so many days and tries; beyond the limit
	// it may stop.
	Better(ctx context.Context, d Days, streak, tries, limit int) (int, error)
	// Here returns how the user stands, or [store.ErrNotFound].
	Here(ctx context.Context, guild store.GuildID, user store.UserID) (Here, error)
}

// daysOf returns all who are meant, by day. Somebody can move to a later day between two
// reads, so that earlier ones come first.
func daysOf(guild store.GuildID, on []store.Lasting) (all []Days) {
	if len(on) == 0 {
		return nil
	}
	first, last := on[0].First, on[0].Last
	for _, l := range on {
		first, last = min(first, l.First), max(last, l.Last)
	}
	for day := first; day <= last; day++ {
		for _, l := range on {
			if l.First = max(l.First, day); l.First <= l.Last { // whoever has solved one here has solved it at all
				all = append(all, Days{guild, day, l})
			}
		}
	}
	return all
}

// Page is [store.Puzzles.PuzzleStreaks].
func Page(ctx context.Context, r Reader, guild store.GuildID, on []store.Lasting, offset, limit int) (rows []store.StreakStanding, total int, err error) {
	offset = min(max(offset, 0), store.MostListed)
	end := offset + min(max(limit, 0), store.MostListed-offset)
	for _, d := range daysOf(guild, on) {
		best, err := r.Best(ctx, d, end)
		if err != nil {
			return nil, 0, err
		}
		n := len(best)
		if n == end && total <= store.MostListed { // there may be more
			if n, err = r.Better(ctx, d, 0, 0, store.MostListed+1); err != nil {
				return nil, 0, err
			}
		}
		total = min(total+n, store.MostListed+1)
		rows = append(rows, best...)
	}
	rows = ranked(rows)
	rows = rows[min(offset, len(rows)):min(end, len(rows))]
	if len(rows) == 0 {
		return nil, total, nil
	}
	return rows, total, nil
}

// ranked puts rows in order and gives them ranks. Who has moved between two reads counts
// once, as read last.
func ranked(rows []store.StreakStanding) []store.StreakStanding {
	there := map[store.UserID]bool{}
	for i, row := range slices.Backward(rows) {
		if there[row.User] {
			rows = slices.Delete(rows, i, i+1)
		}
		there[row.User] = true
	}
	slices.SortFunc(rows, func(a, b store.StreakStanding) int {
		return cmp.Or(b.Streak-a.Streak, a.Tries-b.Tries, cmp.Compare(a.User, b.User))
	})
	for i := range rows {
		if rows[i].Rank = i + 1; i > 0 && rows[i].Streak == rows[i-1].Streak && rows[i].Tries == rows[i-1].Tries {
			rows[i].Rank = rows[i-1].Rank
		}
	}
	return rows
}

// Of is [store.Puzzles.PuzzleStreak].
func Of(ctx context.Context, r Reader, guild store.GuildID, on []store.Lasting, user store.UserID) (store.StreakStanding, error) {
	here, err := r.Here(ctx, guild, user)
	if err != nil {
		return store.StreakStanding{}, err
	}
	days, above := daysOf(guild, on), 0
	if here.Streak == 0 || !slices.ContainsFunc(days, func(d Days) bool {
		return d.Day == here.Day && d.Covers(store.Puzzler{Last: here.Last, Excused: here.Excused})
	}) {
		return store.StreakStanding{}, store.ErrNotFound
	}
	for _, d := range days {
		if above < store.MostRanked {
			n, err := r.Better(ctx, d, here.Streak, here.Tries, store.MostRanked-above)
			if err != nil {
				return store.StreakStanding{}, err
			}
			above = min(above+n, store.MostRanked)
		}
	}
	return store.StreakStanding{User: user, Rank: above + 1, Streak: here.Streak, Tries: here.Tries}, nil
}
