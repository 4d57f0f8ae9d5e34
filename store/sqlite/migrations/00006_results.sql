-- The ledger of results, the sums that are kept of it, and whose standings began anew.

-- +goose Up

-- One row for each match that has ended. No row is ever changed.
CREATE TABLE results (
	seq           INTEGER PRIMARY KEY, -- in which they were written
	match         INTEGER NOT NULL UNIQUE,
	guild         TEXT    NOT NULL,
	epoch         INTEGER NOT NULL,
	ended         INTEGER NOT NULL,
	day           INTEGER NOT NULL, -- since 1970, in UTC
	month         INTEGER NOT NULL, -- such as 202402, in UTC
	m             INTEGER NOT NULL,
	n             INTEGER NOT NULL,
	k             INTEGER NOT NULL,
	mark_limit    INTEGER NOT NULL,
	x_user        TEXT    NOT NULL,
	x_opponent    TEXT    NOT NULL,
	o_user        TEXT    NOT NULL,
	o_opponent    TEXT    NOT NULL,
	winner        INTEGER NOT NULL CHECK (winner IN (0, 1, 2)),
	end_reason    INTEGER NOT NULL,
	plies         INTEGER NOT NULL,
	hinted        INTEGER NOT NULL CHECK (hinted IN (0, 1)),
	from_position INTEGER NOT NULL CHECK (from_position IN (0, 1)),
	why           INTEGER NOT NULL, -- it gives no points; 0: it does
	x_points      INTEGER NOT NULL CHECK (x_points >= 0 AND (why = 0 OR x_points = 0)),
	o_points      INTEGER NOT NULL CHECK (o_points >= 0 AND (why = 0 OR o_points = 0)),
	x_honours     INTEGER NOT NULL,
	o_honours     INTEGER NOT NULL,
	bot_win       INTEGER NOT NULL CHECK (bot_win IN (0, 1))
) STRICT;

-- What has counted on a day, by seat.
CREATE INDEX results_counted_x ON results (guild, day, x_user, o_user) WHERE why = 0;
CREATE INDEX results_counted_o ON results (guild, day, o_user) WHERE why = 0;

-- How often the standings of a guild began anew.
CREATE TABLE epochs (
	guild   TEXT    NOT NULL,
	number  INTEGER NOT NULL CHECK (number > 0),
	since   INTEGER NOT NULL,
	by_user TEXT    NOT NULL,
	PRIMARY KEY (guild, number)
) STRICT, WITHOUT ROWID;

-- The sums. A period is a month such as 202402, 0 for all time, or 1 for wins against
-- the program, which are its points.
CREATE TABLE standings (
	guild   TEXT    NOT NULL,
	epoch   INTEGER NOT NULL,
	period  INTEGER NOT NULL,
	user_id TEXT    NOT NULL,
	points  INTEGER NOT NULL,
	won     INTEGER NOT NULL,
	drawn   INTEGER NOT NULL,
	lost    INTEGER NOT NULL,
	PRIMARY KEY (guild, epoch, period, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX standings_ranked ON standings (guild, epoch, period, points DESC, won DESC, user_id);

CREATE TABLE records (
	user_id    TEXT    NOT NULL,
	opponent   TEXT    NOT NULL, -- of the program; '' for people
	m          INTEGER NOT NULL,
	n          INTEGER NOT NULL,
	k          INTEGER NOT NULL,
	mark_limit INTEGER NOT NULL,
	won        INTEGER NOT NULL,
	drawn      INTEGER NOT NULL,
	lost       INTEGER NOT NULL,
	PRIMARY KEY (user_id, opponent, m, n, k, mark_limit)
) STRICT, WITHOUT ROWID;

CREATE TABLE pairs (
	user_id TEXT    NOT NULL,
	other   TEXT    NOT NULL,
	guild   TEXT    NOT NULL,
	won     INTEGER NOT NULL,
	drawn   INTEGER NOT NULL,
	lost    INTEGER NOT NULL,
	PRIMARY KEY (user_id, other, guild)
) STRICT, WITHOUT ROWID;

CREATE INDEX pairs_toughest ON pairs (user_id, guild, (lost - won) DESC, other);

CREATE TABLE honours (
	user_id TEXT    NOT NULL,
	honour  INTEGER NOT NULL, -- a bit
	times   INTEGER NOT NULL,
	PRIMARY KEY (user_id, honour)
) STRICT, WITHOUT ROWID;

-- Wins against people, one after the other.
CREATE TABLE streaks (
	user_id TEXT    NOT NULL PRIMARY KEY,
	now     INTEGER NOT NULL,
	best    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who is no member of a guild any more.
CREATE TABLE absences (
	guild   TEXT NOT NULL,
	user_id TEXT NOT NULL,
	PRIMARY KEY (guild, user_id)
) STRICT, WITHOUT ROWID;

-- One row: up to which id the matches that had ended before have their results.
CREATE TABLE ledger (
	single INTEGER PRIMARY KEY CHECK (single = 1),
	past   INTEGER NOT NULL
) STRICT;

INSERT INTO ledger (single, past)
SELECT 1, CASE WHEN EXISTS (SELECT 1 FROM matches) THEN 0 ELSE 9223372036854775807 END;
