//go:build unix

package sqlite_test

import "fmt"

// A large ledger is the rows of a database that has seen very many matches, to look at plans and
// to measure.

// ledgerSize says how much there is, all of it in one guild.
type ledgerSize struct {
	Results int // matches that have ended; the last tenth of them is kept
	People  int // who have played
	Solvers int // who have solved puzzles in the last days, most of them on each
}

// ledgerSizeOf returns the size of a ledger with so many results.
func ledgerSizeOf(results int) ledgerSize {
	return ledgerSize{Results: results, People: max(results/34, 100), Solvers: max(results/66, 50)}
}

const (
	ledgerGuild = "100000000000000001"
	// ledgerMonths is over how many months results are spread, up to lastMonth.
	ledgerMonths = 24
	lastMonth    = 202412
	// ledgerToday is the last day on which puzzles were solved, and ledgerDays on how many days up to it.
	ledgerToday = 20000
	ledgerDays  = 10
	// regulars have played every fifth match between them.
	regulars = 500
	// goneRegulars is of how many regulars, the first ones, hardly any match is kept.
	goneRegulars = 10
)

// ledgerPerson returns the id of a person, counted from 0.
func ledgerPerson(i int) string { return fmt.Sprint(firstPerson + i) }

const firstPerson = 200000000000000000

// ledgerTables are those that are filled.
var ledgerTables = []string{"results", "matches", "standings", "records", "pairs", "streaks", "honours", "puzzle_tries", "puzzlers", "puzzle_standings"}

// ledgerSteps returns the statements that fill empty tables.
func ledgerSteps(s ledgerSize) (texts []string) {
	person := func(of string) string { return fmt.Sprintf("CAST(%d + %s AS TEXT)", firstPerson, of) }
	add := func(format string, args ...any) { texts = append(texts, fmt.Sprintf(format, args...)) }
	// each returns so many numbers from the first on, as rows of i.
	each := func(first, n int) string {
		return fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT %[1]d UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %[1]d + %[2]d) ", first, n)
	}
	x := person(fmt.Sprintf("(CASE WHEN i %% 5 = 0 THEN i / 5 %% %d ELSE i * 7919 %% %d END)", min(regulars, s.People), s.People))
	o := person(fmt.Sprintf("(i * 104729 + 1) %% %d", s.People))
	for first := 0; first < s.Results; first += 500_000 {
		n := min(500_000, s.Results-first)
		add(`%s INSERT INTO results (match, guild, epoch, ended, day, month, m, n, k, mark_limit, x_user, x_opponent, o_user, o_opponent,
			winner, end_reason, plies, hinted, from_position, why, x_points, o_points, x_honours, o_honours, bot_win)
			SELECT i + 1, '%s', 0, i * 1000, i * %d / %d, (SELECT %d + (m / 12) * 100 + m %% 12 FROM (SELECT i * %d / %d AS m) AS months), 3, 3, 3, 0,
			%s, '', CASE WHEN i %% 3 = 0 THEN '' ELSE %s END, CASE WHEN i %% 3 = 0 THEN 'hard' ELSE '' END,
			i %% 3, 10, 7, 0, 0, 0, 3, 0, 0, 0, 0 FROM n`,
			each(first, n), ledgerGuild, ledgerMonths*30, s.Results, lastMonth-111, ledgerMonths, s.Results, x, o)
	}
	kept := s.Results / 10
	add(`%s INSERT INTO matches (id, guild, domain, channel, place, message, drawn, notice, ended_by, series_x, series_o, series_d, rematch_x, rematch_o, next, mark_limit, verdict, verdict_ply, verdict_cell, m, n, k, x_user, x_opponent, o_user, o_opponent, moves, state,
		end_reason, winner, clock, deadline, locale, version, created, updated)
		SELECT i + 1, '%s', 0, CAST(300000000000000000 + i %% 50 AS TEXT), 1, CAST(400000000000000000 + i AS TEXT), 7, '', '', 0, 0, 0, false, false, 0, 0, 0, 0, 0, 3, 3, 3,
		%s, '', CASE WHEN i %% 3 = 0 THEN '' ELSE %s END, CASE WHEN i %% 3 = 0 THEN 'hard' ELSE '' END,
		%s, 20, 10, i %% 3, 0, 0, 'en-US', 7, i * 1000, i * 1000 FROM n WHERE (i %% 5 > 0 OR i / 5 %% %d >= %d) AND (i %% 3 = 0 OR %s <> %s)`, each(s.Results-kept, kept), ledgerGuild, x, o, "x''", regulars, goneRegulars, x, o)
	// Points of a month and of all time: few have many, and many as few.
	points := func(most int) string {
		return fmt.Sprintf("1 + i * 7919 %% 1000 * (i * 104729 %% 1000) / 1000 * (i * 15485863 %% 1000) / 1000 * %d / 1000", most)
	}
	for m := range ledgerMonths {
		add(`%s INSERT INTO standings (guild, epoch, period, user_id, points, won, drawn, lost)
			SELECT '%s', 0, %d, %s, %s, i %% 30, 1, 2 FROM n WHERE (i + %d) %% 4 > 0`,
			each(0, s.People), ledgerGuild, lastMonth-111+m/12*100+m%12, person("i"), points(300), m)
	}
	for period, most := range []int{4000, 400} { // all time, and wins against the program
		add(`%s INSERT INTO standings (guild, epoch, period, user_id, points, won, drawn, lost)
			SELECT '%s', 0, %d, %s, %s, i %% 30, 1, 2 FROM n`, each(0, s.People), ledgerGuild, period, person("i"), points(most))
	}
	add(`%s INSERT INTO records (user_id, opponent, m, n, k, mark_limit, won, drawn, lost) SELECT %s, CASE WHEN j = 0 THEN '' ELSE CAST(j AS TEXT) END, 3, 3, 3, 0, j, 1, 2
		FROM n CROSS JOIN (SELECT 0 AS j UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) AS opponents`, each(0, s.People), person("i"))
	add(`%s INSERT INTO pairs (user_id, other, guild, won, drawn, lost) SELECT %s, %s, '%s', (i * 31 + j * 17) %% 9, 1, (i * 13 + j * 7) %% 9
		FROM n CROSS JOIN (SELECT 0 AS j UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7) AS others`,
		each(0, s.People), person("i"), person(fmt.Sprintf("(i + j * 37 + 1) %% %d", s.People)), ledgerGuild)
	add("%s INSERT INTO streaks (user_id, now, best) SELECT %s, i %% 3, i %% 30 FROM n", each(0, s.People), person("i"))
	add("%s INSERT INTO honours (user_id, honour, times) SELECT %s, 1, i %% 30 FROM n", each(0, s.People), person("i"))
	// Most solve on most days. Those who have not solved on the last three have no streak.
	for day := range ledgerDays {
		add(`%s INSERT INTO puzzle_tries (user_id, day, guild, state, wrong, moves, lost, cell_names, as_list, version)
			SELECT %s, %d, '%s', 20, i %% 3, %s, false, false, false, 1 FROM n WHERE (i * 7 + %d) %% 5 > 0 AND (i %% 4 > 0 OR %d < 5)`,
			each(0, s.Solvers), person("i"), ledgerToday-ledgerDays+1+day, ledgerGuild, "x''", day, day)
	}
	add(`INSERT INTO puzzlers (user_id, solved, streak, tries, best, last, excused, version)
		SELECT user_id, 1000, streak, streak + streak * (streak %% 7) / 5, 1000, last, CASE WHEN last %% 2 = 0 THEN 0 ELSE last - streak %% 9 END, 1
		FROM (SELECT user_id, max(day) AS last, 1 + CAST(user_id AS bigint) %% 400 * 7919 %% 400 AS streak FROM puzzle_tries GROUP BY user_id) AS known`)
	add(`INSERT INTO puzzle_standings (guild, user_id, day, last, excused, streak, tries)
		SELECT t.guild, p.user_id, max(t.day), max(p.last), max(p.excused), max(p.streak), max(p.tries)
		FROM puzzlers AS p CROSS JOIN puzzle_tries AS t WHERE t.user_id = p.user_id GROUP BY t.guild, p.user_id`)
	return texts
}
