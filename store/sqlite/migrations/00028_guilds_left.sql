-- Where the bot is and where it is no more, and what finds all that is kept about a server.

-- +goose Up

-- Servers that the bot of an application was in, as far as it was seen there since this is known.
CREATE TABLE presences (
	application TEXT    NOT NULL,
	guild       TEXT    NOT NULL,
	seen        INTEGER NOT NULL, -- last, in milliseconds since 1970
	missed      INTEGER NOT NULL, -- by which sweep first, since then; 0 for none
	gone        INTEGER NOT NULL, -- by which it counts as gone; 0 while it does not
	PRIMARY KEY (application, guild)
) STRICT, WITHOUT ROWID;

-- When the last complete sweep of an application began.
CREATE TABLE sweeps (
	application TEXT    NOT NULL PRIMARY KEY,
	begun       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX matches_of_guild ON matches (guild, id) WHERE NOT token_only;
CREATE INDEX results_of_guild ON results (guild, seq);

-- For all tries instead of those that were solved.
DROP INDEX puzzle_tries_solved;
CREATE INDEX puzzle_tries_guild ON puzzle_tries (guild, state, day);
