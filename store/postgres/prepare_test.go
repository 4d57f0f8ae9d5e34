package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/postgres/postgrestest"
)

// TestEveryStatement has PostgreSQL prepare every statement, those too that are seldom run: it
// knows what each names and of which type each argument is.
func TestEveryStatement(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	openAt(t, address)
	postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		for _, q := range sqlstore.Queries {
			if text, _ := q.Postgres(make([]any, 100)); text != "" { // more than any has
				if _, err := conn.Prepare(ctx, "", text); err != nil {
					t.Errorf("%s: %v", text, err)
				}
			}
		}
		return nil
	})
}
