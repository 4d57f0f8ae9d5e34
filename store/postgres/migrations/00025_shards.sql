-- How several processes share Discord's Gateway.

-- +goose Up

-- The shards that processes have connected: until when, unless they say so again.
CREATE TABLE shards (
	process text        COLLATE "C" NOT NULL,
	count   bigint      NOT NULL CHECK (count > 0), -- of so many
	shard   bigint      NOT NULL CHECK (shard >= 0 AND shard < count),
	ends    timestamptz NOT NULL,
	PRIMARY KEY (process, count, shard)
);

-- How many shards they have agreed on.
CREATE TABLE sharding (
	one        bigint PRIMARY KEY CHECK (one = 1),
	generation bigint NOT NULL CHECK (generation > 0),
	count      bigint NOT NULL CHECK (count > 0)
);

-- Whose turn it is to start a session, of each bucket that Discord has: until when.
CREATE TABLE turns (
	bucket bigint      PRIMARY KEY,
	owner  text        COLLATE "C" NOT NULL,
	ends   timestamptz NOT NULL
);
