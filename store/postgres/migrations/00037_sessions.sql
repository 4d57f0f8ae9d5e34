-- A shard is one process's: whoever hands it over keeps the session for the next one.

-- +goose Up

CREATE TABLE sessions (
	application text   COLLATE "C" NOT NULL,
	shard       bigint             NOT NULL CHECK (shard >= 0 AND shard < count),
	count       bigint             NOT NULL,
	token       text   COLLATE "C" NOT NULL, -- a hash of it
	id          text   COLLATE "C" NOT NULL,
	url         text   COLLATE "C" NOT NULL,
	sequence    bigint             NOT NULL,
	kept        bigint             NOT NULL, -- when, in milliseconds
	PRIMARY KEY (application, shard, count)
);

DROP TABLE shards;

ALTER TABLE leases ADD COLUMN wanted bigint NOT NULL DEFAULT 0; -- clock domains, a bit for each
