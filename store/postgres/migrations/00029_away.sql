-- When nobody could play because the bot was not there.

-- +goose Up

-- Until when people could play, as far as some process has noted it.
CREATE TABLE seen (
	single bigint PRIMARY KEY CHECK (single = 1),
	until  bigint NOT NULL -- milliseconds since 1970, 0 for never
);
INSERT INTO seen (single, until) VALUES (1, 0);

CREATE TABLE away (
	day    bigint PRIMARY KEY, -- since 1970, in UTC
	length bigint NOT NULL CHECK (length >= 0) -- milliseconds
);
