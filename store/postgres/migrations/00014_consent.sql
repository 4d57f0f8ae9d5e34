-- Who takes challenges from whom, and which challenges were declined.

-- +goose Up

CREATE TABLE blocks (
	user_id   text   COLLATE "C" NOT NULL CHECK (user_id <> ''),
	from_user text   COLLATE "C" NOT NULL CHECK (from_user <> user_id), -- '': from anybody
	guild     text   COLLATE "C" NOT NULL, -- '': everywhere
	since     bigint NOT NULL, -- in milliseconds since 1970
	PRIMARY KEY (user_id, from_user, guild)
);

CREATE INDEX challenges_declined ON challenges (challenger, opponent, updated) WHERE state = 30;
