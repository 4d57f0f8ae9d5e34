package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
	"tictactoe/store/internal/steps"
)

// recognise returns an error unless the schema in which tables are made is empty, or
// ours and not newer than this program, and the number of the last step that was applied.
// It changes nothing.
func recognise(ctx context.Context, conn *pgx.Conn) (version int64, err error) {
	var schema *string
	if err := conn.QueryRow(ctx, "SELECT current_schema()::text").Scan(&schema); err != nil {
		return 0, err
	}
	if schema == nil {
		return 0, fmt.Errorf("%w: none of the schemas in search_path exists", store.ErrNotDatabase)
	}
	rows, err := conn.Query(ctx, `SELECT table_name::text FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`)
	if err != nil {
		return 0, err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	switch {
	case err != nil:
		return 0, err
	case len(tables) == 0:
		return 0, nil
	case !slices.Contains(tables, versionTable):
		return 0, fmt.Errorf("%w: its schema %s has tables of another program (%s); give this one a database of its own",
			store.ErrNotDatabase, *schema, some(tables))
	}
	if err := conn.QueryRow(ctx, "SELECT coalesce(max(version_id), 0) FROM "+versionTable).Scan(&version); err != nil {
		return 0, err
	}
	return version, steps.Known(version, migrations)
}

// some returns the first names.
func some(names []string) string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
