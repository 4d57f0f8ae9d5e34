-- Who has solved puzzles in a guild, in the order of the leaderboard.

-- +goose Up

-- Day is that of the last puzzle solved there; the rest is as in puzzlers.
CREATE TABLE puzzle_standings (
	guild   TEXT    NOT NULL,
	user_id TEXT    NOT NULL,
	day     INTEGER NOT NULL,
	last    INTEGER NOT NULL,
	excused INTEGER NOT NULL,
	streak  INTEGER NOT NULL,
	tries   INTEGER NOT NULL,
	PRIMARY KEY (guild, user_id)
) STRICT, WITHOUT ROWID;

-- Of before, those whose streak may go on: they have solved in the last days before the last
-- on which anybody has. Further back lie only days on which the bot was away, and one in
-- seven beside them.
INSERT INTO puzzle_standings (guild, user_id, day, last, excused, streak, tries)
SELECT t.guild, p.user_id, max(t.day), max(p.last), max(p.excused), max(p.streak), max(p.tries)
FROM (SELECT until - 3 - 2 * (SELECT count(*) FROM away WHERE day >= until - 400 AND length > 7200000) AS since FROM (SELECT max(last) AS until FROM puzzlers) AS latest) AS lately
CROSS JOIN puzzlers AS p CROSS JOIN puzzle_tries AS t
WHERE p.last >= lately.since AND t.user_id = p.user_id AND t.day >= lately.since AND t.state = 20 AND t.guild <> ''
GROUP BY t.guild, p.user_id;

-- All that is looked at: streaks whose end has come are passed over without their rows.
CREATE INDEX puzzle_standings_ranked ON puzzle_standings (guild, day, streak DESC, tries, user_id, last, excused);
CREATE INDEX puzzle_standings_user ON puzzle_standings (user_id);
