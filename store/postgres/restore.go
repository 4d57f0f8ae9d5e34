package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/internal/sqlstore"
)

// An operator can go back to a dump. The clocks of the dump stand where they stood when it
// was made, and the boards on Discord show what came later: whoever is to move by the dump
// does not know, and could lose by a clock that had some seconds left. So in tables that
// were restored every clock begins anew, and every board that is being played on is drawn
// again. Such tables have another number than the one that was noted in them.

// tablesLease names the row that notes the number of the tables.
const tablesLease = "tables"

const (
	tablesText = "SELECT 'matches'::regclass::oid::bigint::text, (SELECT owner FROM leases WHERE name = $1)"
	noteText   = `INSERT INTO leases (name, owner, ends) VALUES ($1, $2, now())
		ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, ends = excluded.ends`
)

// takeUp winds the clocks up where the tables were restored since they were last opened.
func takeUp(ctx context.Context, conn *pgx.Conn) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if err := beAlone(ctx, tx); err != nil {
			return err
		}
		var number string
		var noted *string
		if err := tx.QueryRow(ctx, tablesText, tablesLease).Scan(&number, &noted); err != nil {
			return err
		}
		if noted != nil && *noted == number {
			return nil
		}
		if noted != nil {
			if err := sqlstore.WindUp(transaction{ctx, tx}); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, noteText, tablesLease, number)
		return err
	})
}
