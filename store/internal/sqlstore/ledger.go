package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tictactoe/store"
)

// results is the table of results, as it is read.
var results = newTable("results", func(r *store.Result, column columns) {
	column("match", key, numberAt(&r.Match))
	column("guild", same, textAt(&r.Guild))
	column("epoch", same, numberAt(&r.Epoch))
	column("ended", same, moment{&r.Ended})
	column("m", same, numberAt(&r.Rules.M))
	column("n", same, numberAt(&r.Rules.N))
	column("k", same, numberAt(&r.Rules.K))
	column("mark_limit", same, numberAt(&r.Rules.Limit))
	column("x_user", same, textAt(&r.X.User))
	column("x_opponent", same, textAt(&r.X.Opponent))
	column("o_user", same, textAt(&r.O.User))
	column("o_opponent", same, textAt(&r.O.Opponent))
	column("winner", same, numberAt(&r.Winner))
	column("end_reason", same, numberAt(&r.EndReason))
	column("plies", same, numberAt(&r.Plies))
	column("hinted", same, bit{&r.Hinted})
	column("from_position", same, bit{&r.FromPosition})
	column("why", same, numberAt(&r.Why))
	column("x_points", same, numberAt(&r.PointsX))
	column("o_points", same, numberAt(&r.PointsO))
	column("x_honours", same, numberAt(&r.HonoursX))
	column("o_honours", same, numberAt(&r.HonoursO))
	column("bot_win", same, bit{&r.BotWin})
})

// alsoWritten are arguments when a result is written, behind its columns: what is made of its
// time, the caps, and the hashes of its people.
var alsoWritten = []string{"day", "month", "seats", "pair", "person", "x_hash", "o_hash"}

// endingArgs returns the arguments of writeResult.
func endingArgs(e store.Ending, k Key) []any {
	return append(results.values(&e.Result), store.DayOf(e.Ended), int64(store.MonthOf(e.Ended)),
		int64(e.Caps.Seats), int64(e.Caps.Pair), int64(e.Caps.Person), k.Hash(e.X.User), k.Hash(e.O.User))
}

// The arguments of a result by name: first in a statement. Its epoch is that of today.
var newResult = func() string {
	var fields []string
	names := slices.Concat(results.Columns, alsoWritten)
	for i, value := range endingArgs(store.Ending{}, "") {
		kind := "bigint"
		if _, ok := value.(string); ok {
			kind = "text"
		}
		if names[i] != "epoch" {
			fields = append(fields, fmt.Sprintf("CAST(%s AS %s) AS %s", arg(i+1), kind, names[i]))
		}
	}
	return "fresh AS (SELECT " + strings.Join(fields, ", ") + "), " + namesOf("x") + ", " + namesOf("o")
}()

// namesOf gives the names under which results of a player of the new result can stand:
// their own, and pseudonyms from before they were erased and came back.
func namesOf(seat string) string {
	return fmt.Sprintf(`%[1]s_names AS (SELECT %[1]s_user AS name FROM fresh
	UNION ALL SELECT f.pseudonym FROM fresh CROSS JOIN former AS f WHERE f.hash = fresh.%[1]s_hash)`, seat)
}

const epochOf = "coalesce((SELECT max(number) FROM epochs WHERE epochs.guild = %s), 0)"

// counted counts what has counted in the guild on the day of the new result.
func counted(players, where string) string {
	return "(SELECT count(*) FROM " + players + " CROSS JOIN results AS r WHERE " + where +
		" AND r.guild = fresh.guild AND r.day = fresh.day AND r.why = 0)"
}

// between counts the results of two players in these seats.
func between(x, o string) string {
	return counted(fmt.Sprintf("%[1]s_names AS px CROSS JOIN %[2]s_names AS po", x, o),
		fmt.Sprintf("r.x_user = px.name AND r.o_user = po.name"+
			" AND r.x_opponent = fresh.%[1]s_opponent AND r.o_opponent = fresh.%[2]s_opponent", x, o))
}

// The caps, and why a result does not count that would be over them.
var (
	theseSeats = between("x", "o")
	otherSeats = between("o", "x")
	gamesOf    = func(seat string) string {
		return counted(seat+"_names AS p", "r.x_user = p.name AND r.o_user <> ''") +
			" + " + counted(seat+"_names AS p", "r.o_user = p.name AND r.x_user <> ''")
	}
	whyOfNew = fmt.Sprintf(`CASE WHEN why <> 0 THEN why
		WHEN seats > 0 AND %[1]s >= seats THEN %[3]d
		WHEN pair > 0 AND %[1]s + %[2]s >= pair THEN %[3]d
		WHEN person > 0 AND x_user <> '' AND %[5]s >= person THEN %[4]d
		WHEN person > 0 AND o_user <> '' AND %[6]s >= person THEN %[4]d
		ELSE 0 END`, theseSeats, otherSeats, store.PairDone, store.PersonDone, gamesOf("x"), gamesOf("o"))
)

// insertResult writes the new result, if there is none and the match has not ended in
// what is stored; with BeforeLedger, if it has. Nobody of it was erased since it was read.
var insertResult = fmt.Sprintf(`INSERT INTO results (match, guild, epoch, ended, day, month, m, n, k, mark_limit,
	x_user, x_opponent, o_user, o_opponent, winner, end_reason, plies, hinted, from_position, why,
	x_points, o_points, x_honours, o_honours, bot_win)
	SELECT match, guild, `+epochOf+`, ended, day, month, m, n, k, mark_limit,
	x_user, x_opponent, o_user, o_opponent, winner, end_reason, plies, hinted, from_position, reason,
	CASE WHEN reason = 0 THEN x_points ELSE 0 END, CASE WHEN reason = 0 THEN o_points ELSE 0 END, x_honours, o_honours, bot_win
	FROM (SELECT fresh.*, %[2]s AS reason FROM fresh) AS weighed
	WHERE EXISTS (SELECT 1 FROM matches WHERE id = weighed.match AND state = %[3]d
		AND x_user = weighed.x_user AND o_user = weighed.o_user) = (why = %[4]d)
	ON CONFLICT (match) DO NOTHING`, "weighed.guild", whyOfNew, store.Ended, store.BeforeLedger)

// sum is a table of sums over the ledger.
type sum struct {
	Name         string
	keys, values []string
	of           string // the rows of keys and values that results give, by their sides
	total        string // the rows as they should be in all
	also         string // how a row that is there changes, where it is not by adding
}

// sidesOf gives a row for each person in a result that counts for statistics.
func sidesOf(results string) string {
	side := func(of, other string, wins, loses int) string {
		return fmt.Sprintf(`SELECT seq, guild, epoch, month, %[1]s_user AS user_id, %[2]s_user AS other, %[2]s_opponent AS opponent,
			m, n, k, mark_limit, %[1]s_points AS points, %[1]s_honours AS honours, why, bot_win,
			CASE WHEN winner = %[3]d THEN 1 ELSE 0 END AS won, CASE WHEN winner = 0 THEN 1 ELSE 0 END AS drawn,
			CASE WHEN winner = %[4]d THEN 1 ELSE 0 END AS lost FROM %[5]s
			WHERE %[1]s_user <> '' AND end_reason <= %[6]d AND from_position = 0`, of, other, wins, loses, results, store.Clock)
	}
	return "sides AS (" + side("x", "o", 1, 2) + " UNION ALL " + side("o", "x", 2, 1) + ")"
}

// bits gives a row for each honour.
var bits = func() string {
	var rows []string
	for i := range store.MostHonours {
		rows = append(rows, fmt.Sprintf("SELECT %d AS honour", 1<<i))
	}
	return "(" + strings.Join(rows, " UNION ALL ") + ")"
}()

// wonInARow gives the games between people that make or end a streak.
const wonInARow = "FROM sides WHERE other <> '' AND why <> 20" // store.BeforeLedger

// sums are the tables of sums.
var sums = []sum{
	{
		Name: "standings", keys: []string{"guild", "epoch", "period", "user_id"}, values: []string{"points", "won", "drawn", "lost"},
		of: fmt.Sprintf(`SELECT guild, epoch, %d AS period, user_id, points, won, drawn, lost FROM sides WHERE why = 0
			UNION ALL SELECT guild, epoch, month, user_id, points, won, drawn, lost FROM sides WHERE why = 0
			UNION ALL SELECT guild, epoch, %d, user_id, 1, won, drawn, lost FROM sides WHERE bot_win = 1 AND won = 1`,
			store.AllTime, store.BotWins),
	},
	{
		Name: "records", keys: []string{"user_id", "opponent", "m", "n", "k", "mark_limit"}, values: []string{"won", "drawn", "lost"},
		of: "SELECT user_id, opponent, m, n, k, mark_limit, won, drawn, lost FROM sides WHERE true",
	},
	{
		Name: "pairs", keys: []string{"user_id", "other", "guild"}, values: []string{"won", "drawn", "lost"},
		of: "SELECT user_id, other, guild, won, drawn, lost FROM sides WHERE other <> ''",
	},
	{
		Name: "honours", keys: []string{"user_id", "honour"}, values: []string{"times"},
		of: "SELECT sides.user_id, bits.honour, 1 AS times FROM sides CROSS JOIN " + bits + " AS bits WHERE (sides.honours & bits.honour) <> 0",
	},
	{
		Name: "streaks", keys: []string{"user_id"}, values: []string{"now", "best"},
		of: "SELECT user_id, won AS now, won AS best " + wonInARow,
		total: `SELECT user_id, max(CASE WHEN run = latest THEN n ELSE 0 END) AS now, max(n) AS best
			FROM (SELECT user_id, run, n, max(run) OVER (PARTITION BY user_id) AS latest
			FROM (SELECT user_id, run, CAST(sum(won) AS bigint) AS n
			FROM (SELECT user_id, won, sum(1 - won) OVER (PARTITION BY user_id ORDER BY seq) AS run ` + wonInARow + `) AS games
			GROUP BY user_id, run) AS runs) AS known GROUP BY user_id`,
		also: `now = CASE WHEN excluded.now = 1 THEN streaks.now + 1 ELSE 0 END,
			best = CASE WHEN excluded.now = 1 AND streaks.now >= streaks.best THEN streaks.now + 1 ELSE streaks.best END`,
	},
}

func (s sum) columns() string { return strings.Join(slices.Concat(s.keys, s.values), ", ") }

// plus is how a row that is there changes by adding.
func (s sum) plus() string {
	var each []string
	for _, v := range s.values {
		each = append(each, fmt.Sprintf("%[1]s = %[2]s.%[1]s + excluded.%[1]s", v, s.Name))
	}
	return strings.Join(each, ", ")
}

// add adds what the sides give.
func (s sum) add() string {
	return fmt.Sprintf("INSERT INTO %s (%s) %s ON CONFLICT (%s) DO UPDATE SET %s", s.Name, s.columns(), s.of, strings.Join(s.keys, ", "), cmp.Or(s.also, s.plus()))
}

// addToSums adds the result of a match to the sums. SQLite cannot do so while it writes the
// result.
var addToSums = func() (all []*Query) {
	for _, s := range sums {
		all = append(all, ForSQLite("WITH one AS (SELECT * FROM results WHERE match = ?1), "+sidesOf("one")+" "+s.add()))
	}
	return all
}()

// writeResult writes the new result. In PostgreSQL it also adds it to the sums, and notes that
// its people are members of the guild.
var writeResult = func() *Query {
	text := "WITH " + newResult + ", one AS (" + insertResult + " RETURNING *), " + sidesOf("one")
	for _, s := range sums {
		text += ", add_" + s.Name + " AS (" + s.add() + ")"
	}
	text += fmt.Sprintf(", back AS (DELETE FROM absences AS a USING one WHERE a.guild = one.guild AND a.user_id IN (one.x_user, one.o_user) AND one.why <> %d)", store.BeforeLedger)
	return queries("WITH "+newResult+" "+insertResult, text+" SELECT count(*) FROM one")
}()

// recounted is what statements of a recount begin with. A streak is that of all results
// of a person, also while only some of them stand under a pseudonym.
func (s sum) recounted() string {
	if s.total != "" {
		as := func(user string) string {
			return fmt.Sprintf("coalesce((SELECT pseudonym FROM erasures WHERE user_id = results.%[1]s AND user_id <> '' AND stage = %[2]d), %[1]s)", user, stageGoesOn)
		}
		return "WITH " + renamed("results", as) + ", " + sidesOf("renamed") + ", counted AS (" + s.total + ") "
	}
	return "WITH " + sidesOf("results") + ", counted AS (" + s.sumsOf(anybody) + ") "
}

// renamed gives results with other names of people.
func renamed(results string, as func(column string) string) string {
	return fmt.Sprintf(`renamed AS (SELECT seq, guild, epoch, month, m, n, k, mark_limit, %[2]s AS x_user, %[3]s AS o_user, x_opponent, o_opponent,
		winner, end_reason, from_position, why, x_points, o_points, x_honours, o_honours, bot_win FROM %[1]s)`, results, as("x_user"), as("o_user"))
}

// recounts are the two statements of a recount for each of the sums. The first removes rows
// that are not in the ledger's sums, the second writes those that are missing. Each affects as
// many rows as are wrong.
var recounts = func() (all [][2]*Query) {
	for _, s := range sums {
		keys, columns := strings.Join(s.keys, ", "), s.columns()
		remove := s.recounted() + fmt.Sprintf("DELETE FROM %[1]s WHERE (%[2]s) IN (SELECT %[2]s FROM (SELECT %[3]s FROM %[1]s EXCEPT SELECT %[3]s FROM counted) AS wrong)", s.Name, keys, columns)
		restore := s.recounted() + fmt.Sprintf("INSERT INTO %[1]s (%[2]s) SELECT %[2]s FROM counted WHERE true EXCEPT SELECT %[2]s FROM %[1]s", s.Name, columns)
		all = append(all, [2]*Query{whole(query(remove)), whole(query(restore))})
	}
	return all
}()

// lockSums keeps everybody else from writing results meanwhile. In SQLite only one writes.
var lockSums = queries("", "LOCK TABLE results, standings, records, pairs, honours, streaks IN SHARE ROW EXCLUSIVE MODE")

// Recount implements [store.Store].
func (s *Store) Recount(ctx context.Context) (int, error) {
	var p Plan
	p.add(lockSums)
	rows := make([][2]int64, len(recounts))
	for i, of := range recounts {
		p.Steps = append(p.Steps, Step{Query: of[0], Rows: &rows[i][0]}, Step{Query: of[1], Rows: &rows[i][1]})
	}
	if err := s.db.Apply(ctx, p); err != nil {
		return 0, err
	}
	var wrong int64
	for _, n := range rows {
		wrong += max(n[0], n[1])
	}
	return int(wrong), nil
}
