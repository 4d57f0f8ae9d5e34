package sqlstore

import (
	"context"
	"fmt"
	"strings"

	"tictactoe/store"
)

var (
	erasing  = query("SELECT begun FROM erasures WHERE user_id = ?1 AND user_id <> ''")
	erasures = query("SELECT user_id, pseudonym, begun FROM erasures ORDER BY begun, pseudonym LIMIT ?1")

	// Public matches are found by seats: a person has few of those, whatever they have played.
	openMatches = query("SELECT * FROM (" + matches.selectWhere("id IN (SELECT match FROM seats WHERE "+seated+")") + " UNION ALL " +
		matches.selectWhere(privateX) + " UNION ALL " + matches.selectWhere(privateO) + ") AS theirs LIMIT ?2")
	challengesOf = query("SELECT * FROM (" + challenges.selectWhere(pending+" AND challenger = ?1") + " UNION ALL " +
		challenges.selectWhere(pending+" AND opponent = ?1 AND opponent <> ''") + ") AS theirs LIMIT ?2")
	// Whether somebody has an active match or an open challenge.
	isOpen = query("SELECT 1 WHERE EXISTS (SELECT 1 FROM seats WHERE " + seated + ")" +
		" OR EXISTS (SELECT 1 FROM matches WHERE " + privateX + ")" +
		" OR EXISTS (SELECT 1 FROM matches WHERE " + privateO + ")" +
		" OR EXISTS (SELECT 1 FROM challenges WHERE challenger = ?1 AND " + pending + ")" +
		" OR EXISTS (SELECT 1 FROM challenges WHERE opponent = ?1 AND opponent <> '' AND " + pending + ")")

	erasureOf  = query("SELECT user_id, stage FROM erasures WHERE pseudonym = ?1")
	setStage   = query("UPDATE erasures SET stage = CAST(?2 AS bigint), user_id = CASE WHEN CAST(?2 AS bigint) = 30 THEN '' ELSE user_id END WHERE pseudonym = ?1")
	takeStreak = query("UPDATE streaks SET user_id = ?2 WHERE user_id = ?1")
	endErasure = query("DELETE FROM erasures WHERE pseudonym = ?1")
	// What was counted lately for a person has a key that ends with a u and their id. SQLite
	// counts nothing.
	forgetLimits = queries("", "DELETE FROM limits WHERE right(key, length(?1) + 2) = ' u' || ?1")
)

// Where somebody plays.
var (
	seated   = "user_id = ?1 AND user_id <> ''"
	privateX = activeMatch + " AND place = 0 AND x_user = ?1 AND x_user <> ''"
	privateO = activeMatch + " AND place = 0 AND o_user = ?1 AND o_user <> ''"
)

// Erasures implements [store.Store].
func (s *Store) Erasures(ctx context.Context, limit int) ([]store.Erasure, error) {
	return readAll(ctx, s, rowOf(func(e *store.Erasure) []any {
		return []any{textAt(&e.User), textAt(&e.Pseudonym), moment{&e.Begun}}
	}), erasures, max(limit, 0))
}

// Erasing implements [store.Store].
func (s *Store) Erasing(ctx context.Context, user store.UserID) (bool, error) {
	return s.exists(ctx, erasing, []any{string(user)}, new(int64))
}

// OpenMatches implements [store.Store].
func (s *Store) OpenMatches(ctx context.Context, user store.UserID, limit int) ([]store.Match, error) {
	return readAll(ctx, s, matches.scan, openMatches, string(user), max(limit, 0))
}

// ChallengesOf implements [store.Store].
func (s *Store) ChallengesOf(ctx context.Context, user store.UserID, limit int) ([]store.Challenge, error) {
	return readAll(ctx, s, challenges.scan, challengesOf, string(user), max(limit, 0))
}

// Erase implements [store.Store] for a database whose files are somebody else's affair.
func (s *Store) Erase(ctx context.Context, e store.Erasure, limit int) (store.ErasureStep, error) {
	return StepOf(ctx, s.db, func(tx Tx) (store.ErasureStep, error) {
		none := func(string) (bool, error) { return true, nil }
		step, err := EraseStep(tx, s.key, e, limit, none)
		if err == nil && step == Cleans {
			step, err = store.ErasureDone, EndErasure(tx, e)
		}
		return step, err
	}, e.User)
}

// StepOf has run called in a transaction, see [DB.Write], and returns the step of an erasure to
// which it has come.
func StepOf(ctx context.Context, db DB, run func(Tx) (store.ErasureStep, error), people ...store.UserID) (store.ErasureStep, error) {
	var step store.ErasureStep // read only when the outcome is known
	err := db.Write(ctx, func(tx Tx) (err error) {
		step, err = run(tx)
		return err
	}, people...)
	if err != nil {
		return 0, err
	}
	return step, nil
}

// Cleans is the step of an erasure of which only the files are left to be cleaned, and
// then the end.
const Cleans store.ErasureStep = 25

// EraseStep goes on with the erasure and touches about limit rows. When no row names the person
// any more it calls last, at each step until that reports true: the backend's own part.
func EraseStep(tx Tx, k Key, e store.Erasure, limit int, last func(user string) (done bool, err error)) (store.ErasureStep, error) {
	var user string
	var stage int64
	found, err := tx.Row(erasureOf, []any{string(e.Pseudonym)}, &user, &stage)
	switch {
	case err != nil:
		return 0, err
	case !found:
		return store.ErasureDone, nil
	case stage == stageCleans:
		return Cleans, nil
	}
	if open, err := tx.Row(isOpen, []any{user}, new(int64)); err != nil || open {
		return store.ErasureWaits, err
	}
	if stage == stageWaits {
		if _, err := tx.Exec(setStage, string(e.Pseudonym), stageGoesOn); err != nil {
			return 0, err
		}
		if _, err := tx.Exec(takeStreak, user, string(e.Pseudonym)); err != nil {
			return 0, err
		}
	}
	left, err := deal(tx, PersonParts, []any{user, string(e.Pseudonym), 0, k.Hash(store.UserID(user))}, limit)
	if err != nil || left <= 0 {
		return store.ErasureGoesOn, err
	}
	if done, err := last(user); err != nil || !done {
		return store.ErasureGoesOn, err
	}
	if _, err := tx.Exec(forgetLimits, user); err != nil {
		return 0, err
	}
	_, err = tx.Exec(setStage, string(e.Pseudonym), stageCleans)
	return store.ErasureGoesOn, err
}

// EndErasure forgets the erasure.
func EndErasure(tx Tx, e store.Erasure) error {
	_, err := tx.Exec(endErasure, string(e.Pseudonym))
	return err
}

// deal deals with about limit rows of the parts, and returns how many more it could have
// dealt with. Their number is the third of the arguments.
func deal(tx Tx, parts []Part, args []any, limit int) (left int64, err error) {
	left = int64(max(limit, 1))
	for _, part := range parts {
		if some, err := tx.Row(part.Some, args[:1], new(int64)); err != nil {
			return 0, err
		} else if !some {
			continue
		}
		args[2] = left
		var rows int64
		for _, q := range part.Queries {
			if rows, err = tx.Exec(q, args...); err != nil {
				return 0, err
			}
		}
		if left -= rows; left <= 0 {
			return left, nil
		}
	}
	return left, nil
}

// For each of [store.KeptParts] its first rows, and those behind a place, whose parts are
// further arguments: the first two are the person and how many.
var keptFirst, keptNext = func() (first, next []*Query) {
	for _, k := range store.KeptParts {
		key := strings.Join(k.Key, ", ")
		theirs := fmt.Sprintf("SELECT %[1]s FROM %[2]s WHERE %[3]s = ?1 AND %[3]s <> ''", strings.Join(k.Columns, ", "), k.Table, k.Person)
		behind := fmt.Sprintf(" AND (%s) > (%s)", key, arguments(3, len(k.Key)))
		inOrder := " ORDER BY " + key + " LIMIT ?2"
		first, next = append(first, query(theirs+inOrder)), append(next, query(theirs+behind+inOrder))
	}
	return first, next
}()

// Kept implements [store.Store].
func (s *Store) Kept(ctx context.Context, user store.UserID, part int, after []any, limit int) ([][]any, error) {
	q := keptFirst[part]
	if after != nil {
		q = keptNext[part]
	}
	columns := len(store.KeptParts[part].Columns)
	return readAll(ctx, s, func(r Row) ([]any, error) {
		row, into := make([]any, columns), make([]any, columns)
		for i := range row {
			into[i] = &row[i]
		}
		return row, r.Scan(into...)
	}, q, append([]any{string(user), max(limit, 0)}, after...)...)
}
