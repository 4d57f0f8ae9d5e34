-- Leases of clock domains, and what several processes count together.

-- +goose Up
ALTER TABLE uptime ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT ''; -- the store whose the clock is
ALTER TABLE uptime ADD COLUMN ends  timestamptz NOT NULL DEFAULT '-infinity'; -- unless the owner says so again before
ALTER TABLE uptime ADD COLUMN saved timestamptz NOT NULL DEFAULT '-infinity'; -- when the owner last said so

-- What was done lately under each key: when, in milliseconds, by the name of what it was.
CREATE TABLE limits (
	key     text COLLATE "C" PRIMARY KEY,
	counted jsonb       NOT NULL,
	until   timestamptz NOT NULL -- nothing of it counts any more
);

CREATE INDEX limits_until ON limits (until);
