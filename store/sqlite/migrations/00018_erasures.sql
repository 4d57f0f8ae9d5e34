-- Whom everything is erased about, and what finds all that is kept about a person.

-- +goose Up

-- Erasures that are not done.
CREATE TABLE erasures (
	pseudonym TEXT    NOT NULL PRIMARY KEY,
	user_id   TEXT    NOT NULL, -- '' once only the files are left to be cleaned
	stage     INTEGER NOT NULL CHECK (stage IN (10, 20, 30)), -- waits, goes on, cleans
	begun     INTEGER NOT NULL  -- in milliseconds since 1970
) STRICT, WITHOUT ROWID;

CREATE INDEX erasures_begun ON erasures (begun, pseudonym);
CREATE UNIQUE INDEX erasures_user ON erasures (user_id) WHERE user_id <> '';

-- Under which pseudonym the results of this day stand of somebody who was erased, so that
-- the caps of the day hold if they come back.
CREATE TABLE former (
	hash      TEXT    NOT NULL, -- of the id, keyed
	pseudonym TEXT    NOT NULL,
	day       INTEGER NOT NULL, -- on which it was begun, since 1970, in UTC
	PRIMARY KEY (hash, pseudonym)
) STRICT, WITHOUT ROWID;

CREATE INDEX former_day ON former (day);

-- The key of the hashes, made when the database is first opened.
CREATE TABLE secrets (
	name  TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX matches_x ON matches (x_user, id) WHERE x_user <> '';
CREATE INDEX matches_o ON matches (o_user, id) WHERE o_user <> '';
CREATE INDEX matches_stopped ON matches (ended_by, id) WHERE ended_by <> '';
CREATE INDEX challenges_by ON challenges (challenger, id);
CREATE INDEX challenges_to ON challenges (opponent, id) WHERE opponent <> '';
CREATE INDEX blocks_from ON blocks (from_user) WHERE from_user <> '';
CREATE INDEX epochs_by ON epochs (by_user);
CREATE INDEX absences_user ON absences (user_id);
CREATE INDEX standings_user ON standings (user_id);
CREATE INDEX pairs_other ON pairs (other);
CREATE INDEX seats_person ON seats (user_id);

DROP INDEX results_last_x;
DROP INDEX results_last_o;
CREATE INDEX results_last_x ON results (x_user, ended, match) WHERE x_user <> '';
CREATE INDEX results_last_o ON results (o_user, ended, match) WHERE o_user <> '';

-- With all that is looked at, so that SQLite looks at one person's only.
DROP INDEX results_counted_o;
CREATE INDEX results_counted_o ON results (guild, day, o_user, x_user) WHERE why = 0;
