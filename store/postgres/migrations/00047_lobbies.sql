-- Which message of a channel is its lobby, and what that shows.

-- +goose Up

CREATE TABLE lobbies (
	channel text   COLLATE "C" NOT NULL PRIMARY KEY,
	guild   text   COLLATE "C" NOT NULL,
	message text   COLLATE "C" NOT NULL,
	locale  text   COLLATE "C" NOT NULL,
	shows   text   COLLATE "C" NOT NULL, -- a hash
	drawn   bigint NOT NULL -- in milliseconds since 1970
);
CREATE INDEX lobbies_guild ON lobbies (guild);
