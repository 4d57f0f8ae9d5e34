package table

import (
	"fmt"
	"time"

	"tictactoe/store"
)

// The statements of [store.Store.Seen], one after the other: the first is told since when
// people can play, the second until when.
var (
	// A row for each day of the time since the last note.
	AddAway = fmt.Sprintf(`INSERT INTO away (day, length)
		WITH RECURSIVE gap (day, began, ends) AS (
			SELECT until / %[1]d, until, CAST(?1 AS bigint) FROM seen
				WHERE single = 1 AND until > 0 AND CAST(?1 AS bigint) - until BETWEEN %[2]d AND %[3]d
			UNION ALL SELECT day + 1, (day + 1) * %[1]d, ends FROM gap WHERE (day + 1) * %[1]d < ends)
		SELECT day, CASE WHEN ends < (day + 1) * %[1]d THEN ends ELSE (day + 1) * %[1]d END - began FROM gap WHERE true
		ON CONFLICT (day) DO UPDATE SET length = away.length + excluded.length`,
		24*time.Hour/time.Millisecond, store.AwayFrom/time.Millisecond, store.AwayMost/time.Millisecond)
	NoteSeen = fmt.Sprintf("UPDATE seen SET until = ?1 WHERE single = 1 AND (until < ?1 OR until > ?1 + %d)", store.AwayFrom/time.Millisecond)

	// Away gives the last note as day -1.
	Away = `SELECT -1, until FROM seen WHERE single = 1 AND until > 0
		UNION ALL SELECT day, length FROM away WHERE day >= ?1`
)

// ScanAway takes a row of Away into what it belongs to.
func ScanAway(r Row, into *store.Away) error {
	var day, length int64
	if err := r.Scan(&day, &length); err != nil {
		return err
	}
	if day < 0 {
		into.Seen = time.UnixMilli(length).UTC()
		return nil
	}
	into.Days[day] = time.Duration(length) * time.Millisecond
	return nil
}
