-- Who wears the crown of a channel, and who is challenged for it.

-- +goose Up

CREATE TABLE crowns (
	channel TEXT NOT NULL PRIMARY KEY,
	guild   TEXT NOT NULL,
	user_id TEXT NOT NULL, -- empty while it is free
	match   INTEGER NOT NULL, -- whose message shows it
	wins    INTEGER NOT NULL CHECK (wins >= 0), -- in a row
	since   INTEGER NOT NULL, -- in milliseconds since 1970, as is the next
	last    INTEGER NOT NULL,
	version INTEGER NOT NULL
) STRICT;
CREATE INDEX crowns_guild ON crowns (guild);
CREATE INDEX crowns_user ON crowns (user_id, channel) WHERE user_id <> '';

ALTER TABLE challenges ADD COLUMN crown TEXT NOT NULL DEFAULT ''; -- the channel whose king is asked; empty for no king
ALTER TABLE challenges ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0; -- notifies nobody
CREATE UNIQUE INDEX challenges_one_for_crown ON challenges (crown) WHERE crown <> '' AND state = 10;
CREATE INDEX challenges_for_crown ON challenges (crown, created) WHERE crown <> '';

ALTER TABLE matches ADD COLUMN gain_crown INTEGER NOT NULL DEFAULT 0; -- games won in a row by the king
ALTER TABLE matches ADD COLUMN gain_throne INTEGER NOT NULL DEFAULT 0; -- its message offers to challenge the king
ALTER TABLE guilds ADD COLUMN crowns INTEGER NOT NULL DEFAULT 0 CHECK (crowns IN (0, 10, 20)); -- not set, on, off
ALTER TABLE people ADD COLUMN crown_calls INTEGER NOT NULL DEFAULT 0 CHECK (crown_calls IN (0, 10, 20));
