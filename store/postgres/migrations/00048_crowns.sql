-- Who wears the crown of a channel, and who is challenged for it.

-- +goose Up

CREATE TABLE crowns (
	channel text   COLLATE "C" NOT NULL PRIMARY KEY,
	guild   text   COLLATE "C" NOT NULL,
	user_id text   COLLATE "C" NOT NULL, -- empty while it is free
	match   bigint NOT NULL, -- whose message shows it
	wins    bigint NOT NULL CHECK (wins >= 0), -- in a row
	since   bigint NOT NULL, -- in milliseconds since 1970, as is the next
	last    bigint NOT NULL,
	version bigint NOT NULL
);
CREATE INDEX crowns_guild ON crowns (guild);
CREATE INDEX crowns_user ON crowns (user_id, channel) WHERE user_id <> '';

ALTER TABLE challenges ADD COLUMN crown text COLLATE "C" NOT NULL DEFAULT ''; -- the channel whose king is asked; empty for no king
ALTER TABLE challenges ADD COLUMN quiet boolean NOT NULL DEFAULT false; -- notifies nobody
CREATE UNIQUE INDEX challenges_one_for_crown ON challenges (crown) WHERE crown <> '' AND state = 10;
CREATE INDEX challenges_for_crown ON challenges (crown, created) WHERE crown <> '';

ALTER TABLE matches ADD COLUMN gain_crown bigint NOT NULL DEFAULT 0; -- games won in a row by the king
ALTER TABLE matches ADD COLUMN gain_throne bigint NOT NULL DEFAULT 0; -- its message offers to challenge the king
ALTER TABLE guilds ADD COLUMN crowns bigint NOT NULL DEFAULT 0 CHECK (crowns IN (0, 10, 20)); -- not set, on, off
ALTER TABLE people ADD COLUMN crown_calls bigint NOT NULL DEFAULT 0 CHECK (crown_calls IN (0, 10, 20));
