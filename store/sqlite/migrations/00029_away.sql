-- When nobody could play because the bot was not there.

-- +goose Up

-- Until when people could play, as far as some process has noted it.
CREATE TABLE seen (
	single INTEGER NOT NULL PRIMARY KEY CHECK (single = 1),
	until  INTEGER NOT NULL -- milliseconds since 1970, 0 for never
) STRICT;
INSERT INTO seen (single, until) VALUES (1, 0);

CREATE TABLE away (
	day    INTEGER NOT NULL PRIMARY KEY, -- since 1970, in UTC
	length INTEGER NOT NULL CHECK (length >= 0) -- milliseconds
) STRICT;
