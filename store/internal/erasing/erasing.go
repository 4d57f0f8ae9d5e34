// Package erasing carries out erasures of people, a short step at a time, on any database
// that runs the statements of package sqlstore.
package erasing

import (
	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// DB is the transaction of a step. Arguments are written as SQLite does.
type DB interface {
	// Exec runs a statement and returns how many rows it affected.
	Exec(text string, args ...any) (rows int64, err error)
	// Row scans the one row of a statement and reports whether there is one.
	Row(text string, args []any, into ...any) (found bool, err error)
}

// Cleans is the step of an erasure of which only the files are left to be cleaned, and
// then the end.
const Cleans store.ErasureStep = 25

// Begin stores an erasure, unless the person has one.
func Begin(db DB, k sqlstore.Key, e store.Erasure) error {
	if _, err := db.Exec(sqlstore.BeginErasure, string(e.User), string(e.Pseudonym), e.Begun.UnixMilli()); err != nil {
		return err
	}
	_, err := db.Exec(sqlstore.Remember, k.Hash(e.User), string(e.Pseudonym), store.DayOf(e.Begun))
	return err
}

// Step goes on with the erasure and touches about limit rows. When no row names the person
// any more it calls last, at each step until that reports true: the backend's own part.
func Step(db DB, k sqlstore.Key, e store.Erasure, limit int, last func(user string) (done bool, err error)) (store.ErasureStep, error) {
	var user string
	var stage int64
	found, err := db.Row(sqlstore.ErasureOf, []any{string(e.Pseudonym)}, &user, &stage)
	switch {
	case err != nil:
		return 0, err
	case !found:
		return store.ErasureDone, nil
	case stage == sqlstore.StageCleans:
		return Cleans, nil
	}
	var one int64
	if open, err := db.Row(sqlstore.IsOpen, []any{user}, &one); err != nil || open {
		return store.ErasureWaits, err
	}
	if stage == sqlstore.StageWaits {
		if err := setStage(db, e, sqlstore.StageGoesOn); err != nil {
			return 0, err
		}
		if _, err := db.Exec(sqlstore.TakeStreak, user, string(e.Pseudonym)); err != nil {
			return 0, err
		}
	}
	left, err := deal(db, sqlstore.Parts(), []any{user, string(e.Pseudonym), 0, k.Hash(store.UserID(user))}, limit)
	if err != nil || left <= 0 {
		return store.ErasureGoesOn, err
	}
	if done, err := last(user); err != nil || !done {
		return store.ErasureGoesOn, err
	}
	return store.ErasureGoesOn, setStage(db, e, sqlstore.StageCleans)
}

// GuildStep goes on with the erasure of what is kept about a guild and touches about limit
// rows. alone makes sure that nobody else writes results meanwhile.
func GuildStep(db DB, d store.Departure, limit int, alone func() error) (store.ErasureStep, error) {
	app, guild := string(d.Application), string(d.Guild)
	switch n, err := db.Exec(sqlstore.HoldDeparture, app, guild, d.Gone.UnixMilli()); {
	case err != nil:
		return 0, err
	case n == 0:
		return store.ErasureDone, nil
	}
	var one int64
	if open, err := db.Row(sqlstore.GuildIsOpen, []any{guild}, &one); err != nil || open {
		return store.ErasureWaits, err
	}
	if err := alone(); err != nil {
		return 0, err
	}
	left, err := deal(db, sqlstore.GuildParts(), []any{guild, "", 0}, limit)
	if err != nil || left <= 0 {
		return store.ErasureGoesOn, err
	}
	_, err = db.Exec(sqlstore.EndDeparture, app, guild)
	return store.ErasureDone, err
}

// deal deals with about limit rows of the parts, and returns how many more it could have
// dealt with. Their number is the third of the arguments.
func deal(db DB, parts []sqlstore.Part, args []any, limit int) (left int64, err error) {
	left = int64(max(limit, 1))
	var one int64
	for _, part := range parts {
		if some, err := db.Row(part.Some(), args[:1], &one); err != nil {
			return 0, err
		} else if !some {
			continue
		}
		args[2] = left
		var rows int64
		for _, text := range part.Texts {
			if rows, err = db.Exec(text, args...); err != nil {
				return 0, err
			}
		}
		if left -= rows; left <= 0 {
			return left, nil
		}
	}
	return left, nil
}

// End forgets the erasure.
func End(db DB, e store.Erasure) error {
	_, err := db.Exec(sqlstore.EndErasure, string(e.Pseudonym))
	return err
}

func setStage(db DB, e store.Erasure, stage int64) error {
	_, err := db.Exec(sqlstore.SetStage, string(e.Pseudonym), stage)
	return err
}
