-- How people stand with the puzzle of each day, and how they solve puzzles.

-- +goose Up
CREATE TABLE puzzle_tries (
	user_id    TEXT    NOT NULL,
	day        INTEGER NOT NULL CHECK (day >= 0), -- since 1970, in UTC
	guild      TEXT    NOT NULL, -- empty in direct messages
	state      INTEGER NOT NULL CHECK (state IN (10, 20, 30)), -- open, solved, failed
	wrong      INTEGER NOT NULL CHECK (wrong >= 0),
	moves      BLOB    NOT NULL CHECK (length(moves) <= 25), -- one byte for each cell index
	lost       INTEGER NOT NULL,
	cell_names INTEGER NOT NULL,
	as_list    INTEGER NOT NULL,
	version    INTEGER NOT NULL CHECK (version > 0),
	PRIMARY KEY (user_id, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX puzzle_tries_solved ON puzzle_tries (guild, day) WHERE state = 20;

CREATE TABLE puzzlers (
	user_id TEXT    NOT NULL PRIMARY KEY,
	solved  INTEGER NOT NULL,
	streak  INTEGER NOT NULL,
	best    INTEGER NOT NULL,
	last    INTEGER NOT NULL, -- the last day that was solved
	excused INTEGER NOT NULL, -- the last day that was missed and forgiven, 0 for none
	version INTEGER NOT NULL CHECK (version > 0)
) STRICT, WITHOUT ROWID;
