package sqlite

import (
	"context"
	"database/sql"
	"os"
	"time"

	"tictactoe/store/internal/sqlstore"
)

// An operator can put a copy of the database in the place of the file, as a way back to
// what it held. The clocks of the copy stand where they stood when it was made, and the
// boards on Discord show what came later: whoever is to move by the copy does not know, and
// could lose by a clock that had some seconds left. So a file notes which one it is, and
// when it was last written. In a copy every clock begins anew, and every board that is being
// played on is drawn again.

// copySlack is by how much later than its last commit a file can have been written by
// this program: by moving the log into it, on a slow disk, and since the time of a
// commit is not stored each time.
const copySlack = time.Minute

// takeUp finds out whether the file is a copy that was put there since it was last
// written, and winds its clocks up then. info is of the file before it was opened.
func takeUp(ctx context.Context, db *sql.DB, info os.FileInfo) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	var inode, written int64
	if err := tx.QueryRowContext(ctx, "SELECT inode, written FROM file").Scan(&inode, &written); err != nil {
		return err
	}
	number := inodeOf(info)
	if inode != number || info.ModTime().Sub(time.UnixMilli(written)) > copySlack {
		if err := sqlstore.WindUp(&transaction{prepared: prepared{on: tx}}); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "UPDATE file SET inode = ?, written = ?", number, time.Now().UnixMilli()); err != nil {
		return err
	}
	return tx.Commit()
}
