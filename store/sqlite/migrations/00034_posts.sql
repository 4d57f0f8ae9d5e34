-- What people have posted in a channel is not posted there again for a while.

-- +goose Up

CREATE TABLE posts (
	id      TEXT NOT NULL PRIMARY KEY,
	made    INTEGER NOT NULL, -- in milliseconds since 1970
	message TEXT NOT NULL,
	version INTEGER NOT NULL
) STRICT;
CREATE INDEX posts_made ON posts (made);
