-- A shard is one process's: whoever hands it over keeps the session for the next one.

-- +goose Up

CREATE TABLE sessions (
	application TEXT    NOT NULL,
	shard       INTEGER NOT NULL CHECK (shard >= 0 AND shard < count),
	count       INTEGER NOT NULL,
	token       TEXT    NOT NULL, -- a hash of it
	id          TEXT    NOT NULL,
	url         TEXT    NOT NULL,
	sequence    INTEGER NOT NULL,
	kept        INTEGER NOT NULL, -- when, in milliseconds
	PRIMARY KEY (application, shard, count)
) STRICT, WITHOUT ROWID;
