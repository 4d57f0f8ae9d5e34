-- Who takes challenges from whom, and which challenges were declined.

-- +goose Up

CREATE TABLE blocks (
	user_id   TEXT    NOT NULL CHECK (user_id <> ''),
	from_user TEXT    NOT NULL CHECK (from_user <> user_id), -- '': from anybody
	guild     TEXT    NOT NULL, -- '': everywhere
	since     INTEGER NOT NULL, -- in milliseconds since 1970
	PRIMARY KEY (user_id, from_user, guild)
) STRICT, WITHOUT ROWID;

CREATE INDEX challenges_declined ON challenges (challenger, opponent, updated) WHERE state = 30;
