-- Numbers and step names are shared by all backends. Times are milliseconds since
-- 1970 in UTC, durations nanoseconds, enumerations the numbers of package store. Texts
-- are compared byte by byte, so that no update of the system's collations can upset an
-- index.

-- +goose Up
CREATE TABLE matches (
	id         bigint  PRIMARY KEY,
	guild      text    COLLATE "C" NOT NULL,
	channel    text    COLLATE "C" NOT NULL,
	place      bigint  NOT NULL CHECK (place >= 0),
	message    text    COLLATE "C" NOT NULL,
	drawn      bigint  NOT NULL,
	notice     text    COLLATE "C" NOT NULL,
	m          bigint  NOT NULL,
	n          bigint  NOT NULL,
	k          bigint  NOT NULL,
	x_user     text    COLLATE "C" NOT NULL,
	x_opponent text    COLLATE "C" NOT NULL,
	o_user     text    COLLATE "C" NOT NULL,
	o_opponent text    COLLATE "C" NOT NULL,
	moves      bytea   NOT NULL, -- one byte for each cell index
	state      bigint  NOT NULL CHECK (state IN (10, 20)), -- active, ended
	end_reason bigint  NOT NULL,
	winner     bigint  NOT NULL CHECK (winner IN (0, 1, 2)),
	ended_by   text    COLLATE "C" NOT NULL,
	clock      bigint  NOT NULL,
	deadline   bigint  NOT NULL,
	cell_names boolean NOT NULL,
	locale     text    COLLATE "C" NOT NULL,
	series_x   bigint  NOT NULL,
	series_o   bigint  NOT NULL,
	series_d   bigint  NOT NULL,
	rematch_x  boolean NOT NULL,
	rematch_o  boolean NOT NULL,
	next       bigint  NOT NULL,
	version    bigint  NOT NULL CHECK (version > 0),
	created    bigint  NOT NULL,
	updated    bigint  NOT NULL,
	CHECK ((state = 10) = (end_reason = 0)),
	CHECK ((x_user = '') <> (x_opponent = '')),
	CHECK ((o_user = '') <> (o_opponent = '')),
	CHECK (x_user <> o_user)
);

-- A place in a channel has at most one active match.
CREATE UNIQUE INDEX matches_place ON matches (channel, place) WHERE state = 10 AND place > 0;

CREATE INDEX matches_guild ON matches (guild, id) WHERE state = 10;

CREATE TABLE challenges (
	id           bigint PRIMARY KEY,
	guild        text   COLLATE "C" NOT NULL,
	channel      text   COLLATE "C" NOT NULL,
	message      text   COLLATE "C" NOT NULL,
	challenger   text   COLLATE "C" NOT NULL,
	opponent     text   COLLATE "C" NOT NULL,
	low_user     text   COLLATE "C" NOT NULL, -- the pair in order; an open table has '' and its owner
	high_user    text   COLLATE "C" NOT NULL,
	m            bigint NOT NULL,
	n            bigint NOT NULL,
	k            bigint NOT NULL,
	first        bigint NOT NULL,
	clock        bigint NOT NULL,
	locale       text   COLLATE "C" NOT NULL,
	guild_locale text   COLLATE "C" NOT NULL,
	state        bigint NOT NULL,
	match        bigint NOT NULL,
	deadline     bigint NOT NULL,
	version      bigint NOT NULL CHECK (version > 0),
	created      bigint NOT NULL,
	updated      bigint NOT NULL,
	CHECK (low_user < high_user)
);

-- Two people have at most one open challenge in a guild.
CREATE UNIQUE INDEX challenges_pair ON challenges (guild, low_user, high_user) WHERE state = 10;

CREATE INDEX challenges_open ON challenges (id) WHERE state = 10;
CREATE INDEX challenges_guild ON challenges (guild, id) WHERE state = 10;
CREATE INDEX challenges_closed ON challenges (updated) WHERE state <> 10;

-- Interactions that have had their effect.
CREATE TABLE claims (
	interaction text   COLLATE "C" PRIMARY KEY,
	claimed     bigint NOT NULL
);

CREATE INDEX claims_claimed ON claims (claimed);

-- +goose Down
DROP TABLE claims;
DROP TABLE challenges;
DROP TABLE matches;
