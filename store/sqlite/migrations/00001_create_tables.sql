-- Numbers and step names are shared by all backends. Times are milliseconds since
-- 1970 in UTC, durations nanoseconds, enumerations the numbers of package store.

-- +goose Up
PRAGMA application_id = 1953063796; -- "tict": the file is ours

CREATE TABLE matches (
	id         INTEGER PRIMARY KEY,
	guild      TEXT    NOT NULL,
	channel    TEXT    NOT NULL,
	place      INTEGER NOT NULL CHECK (place >= 0),
	message    TEXT    NOT NULL,
	drawn      INTEGER NOT NULL,
	notice     TEXT    NOT NULL,
	m          INTEGER NOT NULL,
	n          INTEGER NOT NULL,
	k          INTEGER NOT NULL,
	x_user     TEXT    NOT NULL,
	x_opponent TEXT    NOT NULL,
	o_user     TEXT    NOT NULL,
	o_opponent TEXT    NOT NULL,
	moves      BLOB    NOT NULL, -- one byte for each cell index
	state      INTEGER NOT NULL CHECK (state IN (10, 20)),
	end_reason INTEGER NOT NULL CHECK ((state = 10) = (end_reason = 0)),
	winner     INTEGER NOT NULL CHECK (winner IN (0, 1, 2)),
	ended_by   TEXT    NOT NULL,
	clock      INTEGER NOT NULL,
	deadline   INTEGER NOT NULL,
	cell_names INTEGER NOT NULL,
	locale     TEXT    NOT NULL,
	series_x   INTEGER NOT NULL,
	series_o   INTEGER NOT NULL,
	series_d   INTEGER NOT NULL,
	rematch_x  INTEGER NOT NULL,
	rematch_o  INTEGER NOT NULL,
	next       INTEGER NOT NULL,
	version    INTEGER NOT NULL CHECK (version > 0),
	created    INTEGER NOT NULL,
	updated    INTEGER NOT NULL,
	CHECK ((x_user = '') <> (x_opponent = '')),
	CHECK ((o_user = '') <> (o_opponent = '')),
	CHECK (x_user <> o_user),
	CHECK (length(moves) <= 25)
) STRICT;

-- A place in a channel has at most one active match.
CREATE UNIQUE INDEX matches_place ON matches (channel, place) WHERE state = 10 AND place > 0;

CREATE INDEX matches_private_x ON matches (channel, x_user) WHERE state = 10 AND place = 0;
CREATE INDEX matches_private_o ON matches (channel, o_user) WHERE state = 10 AND place = 0;
CREATE INDEX matches_guild ON matches (guild, id) WHERE state = 10;
CREATE INDEX matches_due ON matches (deadline) WHERE deadline > 0;
CREATE INDEX matches_undrawn ON matches (id, updated) WHERE drawn < version;
CREATE INDEX matches_clocked ON matches (id) WHERE state = 10 AND clock > 0 AND x_user <> '' AND o_user <> '';

CREATE TABLE challenges (
	id           INTEGER PRIMARY KEY,
	guild        TEXT    NOT NULL,
	channel      TEXT    NOT NULL,
	message      TEXT    NOT NULL,
	challenger   TEXT    NOT NULL,
	opponent     TEXT    NOT NULL,
	low_user     TEXT    NOT NULL, -- the pair in order; an open table has '' and its owner
	high_user    TEXT    NOT NULL,
	m            INTEGER NOT NULL,
	n            INTEGER NOT NULL,
	k            INTEGER NOT NULL,
	first        INTEGER NOT NULL,
	clock        INTEGER NOT NULL,
	locale       TEXT    NOT NULL,
	guild_locale TEXT    NOT NULL,
	state        INTEGER NOT NULL,
	match        INTEGER NOT NULL,
	deadline     INTEGER NOT NULL,
	version      INTEGER NOT NULL CHECK (version > 0),
	created      INTEGER NOT NULL,
	updated      INTEGER NOT NULL,
	CHECK (low_user < high_user)
) STRICT;

-- Two people have at most one open challenge in a guild.
CREATE UNIQUE INDEX challenges_pair ON challenges (guild, low_user, high_user) WHERE state = 10;

CREATE INDEX challenges_open ON challenges (id) WHERE state = 10;
CREATE INDEX challenges_guild ON challenges (guild, id) WHERE state = 10;
CREATE INDEX challenges_due ON challenges (deadline) WHERE state = 10 AND deadline > 0;
CREATE INDEX challenges_closed ON challenges (updated) WHERE state <> 10;

-- Interactions that have had their effect.
CREATE TABLE claims (
	interaction TEXT    NOT NULL PRIMARY KEY,
	claimed     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX claims_claimed ON claims (claimed);

-- One row: how long the bot has been up, and a counter that proves a write.
CREATE TABLE uptime (
	only    INTEGER PRIMARY KEY CHECK (only = 1),
	elapsed INTEGER NOT NULL,
	checks  INTEGER NOT NULL
) STRICT;

INSERT INTO uptime (only, elapsed, checks) VALUES (1, 0, 0);

-- +goose Down
DROP TABLE uptime;
DROP TABLE claims;
DROP TABLE challenges;
DROP TABLE matches;
PRAGMA application_id = 0;
