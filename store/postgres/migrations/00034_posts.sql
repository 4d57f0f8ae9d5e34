-- What people have posted in a channel is not posted there again for a while.

-- +goose Up

CREATE TABLE posts (
	id      text   COLLATE "C" NOT NULL PRIMARY KEY,
	made    bigint NOT NULL, -- in milliseconds since 1970
	message text   COLLATE "C" NOT NULL,
	version bigint NOT NULL
);
CREATE INDEX posts_made ON posts (made);
