package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"tictactoe/store"
)

var (
	tryOfDay   = query(tries.selectWhere("user_id = ?1 AND day = ?2"))
	puzzlerOf  = query(puzzlers.selectWhere("user_id = ?1"))
	duePuzzles = merged(" ORDER BY puzzle_due LIMIT ?3", guilds.selectWhere("puzzle_due > 0 AND puzzle_due <= ?1"), guilds.selectWhere("puzzle_due > 0 AND puzzle_due > ?2"))
	// Whether somebody has looked at the puzzle of a day in a guild, and how many have solved it.
	puzzleDay = query("SELECT EXISTS (SELECT 1 FROM puzzle_tries WHERE guild = ?1 AND state IN (10, 20, 30) AND day = ?2)," +
		" (SELECT count(*) FROM puzzle_tries WHERE " + solvedPuzzle + " AND guild = ?1 AND day = ?2)")
	puzzleNamed = query("SELECT user_id, wrong FROM puzzle_tries JOIN people ON people.id = user_id WHERE " + solvedPuzzle +
		fmt.Sprintf(" AND guild = ?1 AND day = ?2 AND shared AND recap = %d", store.On) + members + " ORDER BY wrong, user_id LIMIT ?3")

	// Who has solved puzzles in a guild stands in a row for each guild, with a copy of how their
	// streak stands: the table of puzzlers has no guilds, and the index of this one the order of
	// the leaderboard.

	// The first of those who go on.
	bestStreaks = query("SELECT user_id, streak, tries FROM puzzle_standings WHERE " + solvers + " AND streak > 0 ORDER BY streak DESC, tries, user_id LIMIT ?6")
	// How many of them have more days, and as many and fewer tries, each up to a limit.
	betterStreaks = query("SELECT (SELECT count(*) FROM (SELECT 1 FROM puzzle_standings WHERE " + solvers + " AND streak > ?6 LIMIT ?8) AS longer)" +
		" + (SELECT count(*) FROM (SELECT 1 FROM puzzle_standings WHERE " + solvers + " AND streak = ?6 AND tries < ?7 LIMIT ?8) AS quicker)")
	// A day that lies more than one behind that of the puzzle was stored by a clock that was
	// wrong.
	placeSolver = query(`INSERT INTO puzzle_standings (guild, user_id, day, last, excused, streak, tries)
		SELECT CAST(?1 AS text), CAST(?2 AS text), CAST(?3 AS bigint), coalesce(max(last), 0), coalesce(max(excused), 0), coalesce(max(streak), 0), coalesce(max(tries), 0)
		FROM puzzlers WHERE user_id = ?2
		ON CONFLICT (guild, user_id) DO UPDATE SET day = excluded.day WHERE puzzle_standings.day NOT BETWEEN excluded.day AND excluded.day + 1`)
	// The rows of somebody are brought up to date.
	moveSolver = query("UPDATE puzzle_standings SET last = ?2, excused = ?3, streak = ?4, tries = ?5 WHERE user_id = ?1")

	streakHere = query("SELECT day, last, excused, streak, tries FROM puzzle_standings WHERE guild = ?1 AND user_id = ?2" + members)
)

const (
	// Those of whom the last puzzle in the guild is of the day, with streaks that go on, and
	// who are still members.
	solvers = "guild = ?1 AND day = ?2 AND last BETWEEN ?3 AND ?4 AND excused <= ?5" + members
	members = " AND user_id NOT IN (SELECT user_id FROM absences WHERE guild = ?1)"
)

// PuzzleTry implements [store.Store].
func (s *Store) PuzzleTry(ctx context.Context, user store.UserID, day int64) (store.PuzzleTry, error) {
	none := store.PuzzleTry{User: user, Day: day, State: store.PuzzleOpen}
	return readOr(ctx, s, tries, none, tryOfDay, string(user), day)
}

// Puzzler implements [store.Store].
func (s *Store) Puzzler(ctx context.Context, user store.UserID) (store.Puzzler, error) {
	return readOr(ctx, s, puzzlers, store.Puzzler{User: user}, puzzlerOf, string(user))
}

// PuzzleDay implements [store.Store].
func (s *Store) PuzzleDay(ctx context.Context, guild store.GuildID, day int64) (d store.PuzzleDay, err error) {
	if err := s.readRow(ctx, puzzleDay, []any{string(guild), day}, truth{&d.Tried}, &d.Solved); err != nil || d.Solved == 0 {
		return d, err
	}
	d.Named, err = readAll(ctx, s, rowOf(func(who *store.PuzzleSolver) []any {
		return []any{textAt(&who.User), numberAt(&who.Wrong)}
	}), puzzleNamed, string(guild), day, store.MostNamed)
	return d, err
}

// DuePuzzles implements [store.Store].
func (s *Store) DuePuzzles(ctx context.Context, now time.Time, limit int) ([]store.GuildSettings, error) {
	return readAll(ctx, s, guilds.scan, duePuzzles, now.Unix(), now.Add(store.PostsAhead).Unix(), max(limit, 0))
}

// solversOfDay are people whose last puzzle in the guild is of the day, and of whose streaks
// something is known.
type solversOfDay struct {
	guild store.GuildID
	day   int64
	store.Lasting
}

// args returns the arguments with which statements about them begin.
func (d solversOfDay) args() []any { return []any{string(d.guild), d.day, d.First, d.Last, d.Excused} }

// best returns up to limit rows, the best first, without ranks.
func (s *Store) best(ctx context.Context, d solversOfDay, limit int) ([]store.Standing, error) {
	return readAll(ctx, s, rowOf(func(row *store.Standing) []any {
		return []any{textAt(&row.User), numberAt(&row.Points), numberAt(&row.Tries)}
	}), bestStreaks, append(d.args(), limit)...)
}

// better counts who is better than somebody with so many days and tries; beyond the limit it
// may stop.
func (s *Store) better(ctx context.Context, d solversOfDay, streak, tries, limit int) (n int, err error) {
	err = s.readRow(ctx, betterStreaks, append(d.args(), streak, tries, limit), &n)
	return n, err
}

// daysOf returns all who are meant, by day. Somebody can move to a later day between two
// reads, so that earlier ones come first.
func daysOf(guild store.GuildID, on []store.Lasting) (all []solversOfDay) {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, l := range on {
		first, last = min(first, l.First), max(last, l.Last)
	}
	for day := first; day <= last; day++ {
		for _, l := range on {
			if l.First = max(l.First, day); l.First <= l.Last { // whoever has solved one here has solved it at all
				all = append(all, solversOfDay{guild, day, l})
			}
		}
	}
	return all
}

// PuzzleStreaks implements [store.Store].
func (s *Store) PuzzleStreaks(ctx context.Context, guild store.GuildID, on []store.Lasting, offset, limit int) (rows []store.Standing, total int, err error) {
	offset = min(max(offset, 0), store.MostListed)
	end := offset + min(max(limit, 0), store.MostListed-offset)
	for _, d := range daysOf(guild, on) {
		best, err := s.best(ctx, d, end)
		if err != nil {
			return nil, 0, err
		}
		n := len(best)
		if n == end && total <= store.MostListed { // there may be more
			if n, err = s.better(ctx, d, 0, 0, store.MostListed+1); err != nil {
				return nil, 0, err
			}
		}
		total = min(total+n, store.MostListed+1)
		rows = append(rows, best...)
	}
	rows = rankStreaks(rows)
	rows = rows[min(offset, len(rows)):min(end, len(rows))]
	if len(rows) == 0 {
		return nil, total, nil
	}
	return rows, total, nil
}

// rankStreaks puts rows in order and gives them ranks. Who has moved between two reads counts
// once, as read last.
func rankStreaks(rows []store.Standing) []store.Standing {
	there := map[store.UserID]bool{}
	for i, row := range slices.Backward(rows) {
		if there[row.User] {
			rows = slices.Delete(rows, i, i+1)
		}
		there[row.User] = true
	}
	slices.SortFunc(rows, func(a, b store.Standing) int {
		return cmp.Or(b.Points-a.Points, a.Tries-b.Tries, cmp.Compare(a.User, b.User))
	})
	for i := range rows {
		if rows[i].Rank = i + 1; i > 0 && rows[i].Points == rows[i-1].Points && rows[i].Tries == rows[i-1].Tries {
			rows[i].Rank = rows[i-1].Rank
		}
	}
	return rows
}

// PuzzleStreak implements [store.Store].
func (s *Store) PuzzleStreak(ctx context.Context, guild store.GuildID, on []store.Lasting, user store.UserID) (store.Standing, error) {
	var here store.Puzzler
	var lastHere int64
	err := s.readRow(ctx, streakHere, []any{string(guild), string(user)}, &lastHere, &here.Last, &here.Excused, &here.Streak, &here.Tries)
	if err != nil {
		return store.Standing{}, err
	}
	days, above := daysOf(guild, on), 0
	if here.Streak == 0 || !slices.ContainsFunc(days, func(d solversOfDay) bool { return d.day == lastHere && d.Covers(here) }) {
		return store.Standing{}, store.ErrNotFound
	}
	for _, d := range days {
		if above < store.MostRanked {
			n, err := s.better(ctx, d, here.Streak, here.Tries, store.MostRanked-above)
			if err != nil {
				return store.Standing{}, err
			}
			above = min(above+n, store.MostRanked)
		}
	}
	return store.Standing{User: user, Rank: above + 1, Points: here.Streak, Tries: here.Tries}, nil
}
