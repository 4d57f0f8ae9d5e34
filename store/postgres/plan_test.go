package postgres_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// TestPlansOfALargeLedger has PostgreSQL say how it carries out what statistics,
// leaderboards, streaks and reviews read, once it knows that there are 100,000 results of a
// few thousand people, most of them in one guild: it may read none of the large tables whole.
func TestPlansOfALargeLedger(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	openAt(t, address)
	for _, text := range []string{
		`INSERT INTO results (match, guild, epoch, ended, day, month, m, n, k, mark_limit, x_user, x_opponent, o_user, o_opponent,
			winner, end_reason, plies, hinted, from_position, why, x_points, o_points, x_honours, o_honours, bot_win)
		SELECT i, CASE WHEN i % 3 > 0 THEN '1' ELSE (i % 400)::text END, 0, i * 1000000, i / 86, 202401 + i / 10000, 3, 3, 3, 0,
			(i % 5003)::text, '', CASE WHEN i % 2 = 0 THEN (i % 4999)::text ELSE '' END, CASE WHEN i % 2 = 0 THEN '' ELSE 'easy' END,
			i % 3, 10, 5, 0, 0, 0, 3, 1, 0, 0, i % 2 FROM generate_series(1, 100000::bigint) AS i`,
		`INSERT INTO standings SELECT guild, 0, month, x_user, sum(x_points), count(*), 0, 0 FROM results GROUP BY guild, month, x_user`,
		`INSERT INTO standings SELECT guild, 0, 0, user_id, sum(points), sum(won), 0, 0 FROM standings GROUP BY guild, user_id`,
		`INSERT INTO records SELECT x_user, o_opponent, 3, 3, 3, 0, count(*), 0, 0 FROM results GROUP BY x_user, o_opponent`,
		`INSERT INTO pairs SELECT x_user, o_user, guild, count(*), 0, 0 FROM results WHERE o_user <> '' GROUP BY x_user, o_user, guild`,
		`INSERT INTO streaks SELECT x_user, 1, 3 FROM results GROUP BY x_user`,
		`INSERT INTO honours SELECT x_user, 1, 3 FROM results GROUP BY x_user`,
		`INSERT INTO puzzle_tries (user_id, day, guild, state, wrong, moves, lost, cell_names, as_list, version) SELECT i::text, 20000 + i % 60, CASE WHEN i % 3 > 0 THEN '1' ELSE (i % 400)::text END, 20, 0, '', false, false, false, 1
			FROM generate_series(1, 100000) AS i`,
		`INSERT INTO puzzlers (user_id, solved, streak, tries, best, last, excused, version) SELECT user_id, 1, 1, 1, 1, day, 0, 1 FROM puzzle_tries`,
		`INSERT INTO puzzle_standings (guild, user_id, day, last, excused, streak, tries) SELECT guild, user_id, day, day, 0, 1, 1 FROM puzzle_tries`,
		`ANALYZE`,
	} {
		postgrestest.Exec(t, address, text)
	}
	postgrestest.Conn(t, address, func(ctx context.Context, conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "SET plan_cache_mode = force_generic_plan"); err != nil {
			return err
		}
		for _, text := range postgres.Reads() {
			steps, err := planOf(ctx, conn, text)
			if err != nil {
				return err
			}
			for _, name := range []string{"results", "standings", "records", "pairs", "streaks", "honours", "puzzle_tries", "puzzlers", "puzzle_standings"} {
				if strings.Contains(steps, "Seq Scan on "+name) {
					t.Errorf("%s\nreads all of %s:\n%s", text, name, steps)
				}
			}
		}
		return nil
	})
}

// planOf returns how the statement is carried out whatever its arguments are.
func planOf(ctx context.Context, conn *pgx.Conn, text string) (string, error) {
	st, err := conn.Prepare(ctx, "read", text)
	if err != nil {
		return "", err
	}
	nulls := strings.TrimSuffix(strings.Repeat("NULL, ", len(st.ParamOIDs)), ", ")
	if nulls != "" {
		nulls = "(" + nulls + ")"
	}
	rows, err := conn.Query(ctx, "EXPLAIN EXECUTE read"+nulls, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return "", err
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "", err
	}
	return strings.Join(plan, "\n"), conn.DeallocateAll(ctx)
}
