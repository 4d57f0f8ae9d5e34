-- Which message of a channel is its lobby, and what that shows.

-- +goose Up

CREATE TABLE lobbies (
	channel TEXT NOT NULL PRIMARY KEY,
	guild   TEXT NOT NULL,
	message TEXT NOT NULL,
	locale  TEXT NOT NULL,
	shows   TEXT NOT NULL, -- a hash
	drawn   INTEGER NOT NULL -- in milliseconds since 1970
) STRICT;
CREATE INDEX lobbies_guild ON lobbies (guild);
