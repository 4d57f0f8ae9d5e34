-- How people stand with the puzzle of each day, and how they solve puzzles.

-- +goose Up
CREATE TABLE puzzle_tries (
	user_id    text    COLLATE "C" NOT NULL,
	day        bigint  NOT NULL CHECK (day >= 0), -- since 1970, in UTC
	guild      text    COLLATE "C" NOT NULL, -- empty in direct messages
	state      bigint  NOT NULL CHECK (state IN (10, 20, 30)), -- open, solved, failed
	wrong      bigint  NOT NULL CHECK (wrong >= 0),
	moves      bytea   NOT NULL CHECK (length(moves) <= 25), -- one byte for each cell index
	lost       boolean NOT NULL,
	cell_names boolean NOT NULL,
	as_list    boolean NOT NULL,
	version    bigint  NOT NULL CHECK (version > 0),
	PRIMARY KEY (user_id, day)
);

CREATE INDEX puzzle_tries_solved ON puzzle_tries (guild, day) WHERE state = 20;

CREATE TABLE puzzlers (
	user_id text   COLLATE "C" PRIMARY KEY,
	solved  bigint NOT NULL,
	streak  bigint NOT NULL,
	best    bigint NOT NULL,
	last    bigint NOT NULL, -- the last day that was solved
	excused bigint NOT NULL, -- the last day that was missed and forgiven, 0 for none
	version bigint NOT NULL CHECK (version > 0)
);
