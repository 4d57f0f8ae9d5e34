-- Clock domains, verdicts, longer games, settings, and where challenges are drawn.

-- +goose Up

CREATE TABLE next_matches (
	id           INTEGER PRIMARY KEY,
	guild        TEXT    NOT NULL,
	domain       INTEGER NOT NULL CHECK (domain BETWEEN 0 AND 63), -- (guild >> 22) % 64
	channel      TEXT    NOT NULL,
	place        INTEGER NOT NULL CHECK (place >= 0),
	message      TEXT    NOT NULL,
	drawn        INTEGER NOT NULL,
	notice       TEXT    NOT NULL,
	m            INTEGER NOT NULL,
	n            INTEGER NOT NULL,
	k            INTEGER NOT NULL,
	mark_limit   INTEGER NOT NULL, -- marks that a side may have; 0 for any number
	x_user       TEXT    NOT NULL,
	x_opponent   TEXT    NOT NULL,
	o_user       TEXT    NOT NULL,
	o_opponent   TEXT    NOT NULL,
	moves        BLOB    NOT NULL, -- one byte for each cell index
	state        INTEGER NOT NULL CHECK (state IN (10, 20)), -- active, ended
	end_reason   INTEGER NOT NULL CHECK ((state = 10) = (end_reason = 0)),
	winner       INTEGER NOT NULL CHECK (winner IN (0, 1, 2)),
	ended_by     TEXT    NOT NULL,
	verdict      INTEGER NOT NULL CHECK (state = 20 OR verdict = 0), -- 0: not known yet
	verdict_ply  INTEGER NOT NULL,
	verdict_cell INTEGER NOT NULL,
	clock        INTEGER NOT NULL,
	deadline     INTEGER NOT NULL, -- in the up-time of the domain
	cell_names   INTEGER NOT NULL,
	locale       TEXT    NOT NULL,
	series_x     INTEGER NOT NULL,
	series_o     INTEGER NOT NULL,
	series_d     INTEGER NOT NULL,
	rematch_x    INTEGER NOT NULL,
	rematch_o    INTEGER NOT NULL,
	next         INTEGER NOT NULL,
	version      INTEGER NOT NULL CHECK (version > 0),
	created      INTEGER NOT NULL,
	updated      INTEGER NOT NULL,
	CHECK ((x_user = '') <> (x_opponent = '')),
	CHECK ((o_user = '') <> (o_opponent = '')),
	CHECK (x_user <> o_user),
	CHECK (length(moves) <= 1000)
) STRICT;

INSERT INTO next_matches (id, guild, domain, channel, place, message, drawn, notice, m, n, k, mark_limit,
	x_user, x_opponent, o_user, o_opponent, moves, state, end_reason, winner, ended_by,
	verdict, verdict_ply, verdict_cell, clock, deadline, cell_names, locale,
	series_x, series_o, series_d, rematch_x, rematch_o, next, version, created, updated)
SELECT id, guild, (CAST(guild AS INTEGER) >> 22) % 64, channel, place, message, drawn, notice, m, n, k, 0,
	x_user, x_opponent, o_user, o_opponent, moves, state, end_reason, winner, ended_by,
	0, 0, 0, clock, deadline, cell_names, locale,
	series_x, series_o, series_d, rematch_x, rematch_o, next, version, created, updated
FROM matches;

DROP TABLE matches;
ALTER TABLE next_matches RENAME TO matches;

-- A place in a channel has at most one active match.
CREATE UNIQUE INDEX matches_place ON matches (channel, place) WHERE state = 10 AND place > 0;

CREATE INDEX matches_private_x ON matches (x_user, created, id) WHERE state = 10 AND place = 0;
CREATE INDEX matches_private_o ON matches (o_user, created, id) WHERE state = 10 AND place = 0;
CREATE INDEX matches_private_x_in ON matches (x_user, channel, created, id) WHERE state = 10 AND place = 0;
CREATE INDEX matches_private_o_in ON matches (o_user, channel, created, id) WHERE state = 10 AND place = 0;
CREATE INDEX matches_guild ON matches (guild, id) WHERE state = 10;
CREATE INDEX matches_due ON matches (domain, deadline) WHERE deadline > 0;
CREATE INDEX matches_undrawn ON matches (updated, id) WHERE drawn < version AND message <> '';
CREATE INDEX matches_clocked ON matches (updated, id) WHERE state = 10 AND clock > 0 AND x_user <> '' AND o_user <> '';

ALTER TABLE challenges ADD COLUMN domain INTEGER NOT NULL DEFAULT 0 CHECK (domain BETWEEN 0 AND 63);
ALTER TABLE challenges ADD COLUMN drawn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE challenges ADD COLUMN mark_limit INTEGER NOT NULL DEFAULT 0;
UPDATE challenges SET domain = (CAST(guild AS INTEGER) >> 22) % 64;

DROP INDEX challenges_due;
CREATE INDEX challenges_due ON challenges (domain, deadline) WHERE state = 10 AND deadline > 0;

-- How long the bot has been up in all, for each clock domain.
ALTER TABLE uptime RENAME TO old_uptime;

CREATE TABLE uptime (
	domain  INTEGER PRIMARY KEY CHECK (domain BETWEEN 0 AND 63),
	elapsed INTEGER NOT NULL
) STRICT;

WITH RECURSIVE domains (domain) AS (VALUES (0) UNION ALL SELECT domain + 1 FROM domains WHERE domain < 63)
INSERT INTO uptime (domain, elapsed)
SELECT domain, (SELECT elapsed FROM old_uptime) FROM domains;

DROP TABLE old_uptime;

-- One row, by which a copy of the file can be told: the number that the file system
-- gave the file, 0 for none, and about when it was last written.
CREATE TABLE file (
	only    INTEGER PRIMARY KEY CHECK (only = 1),
	inode   INTEGER NOT NULL,
	written INTEGER NOT NULL
) STRICT;

INSERT INTO file (only, inode, written) VALUES (1, 0, 0);

-- What guilds and people have set; a clock that is not set is null.
CREATE TABLE guilds (
	id      TEXT    NOT NULL PRIMARY KEY,
	clock   INTEGER,
	locale  TEXT    NOT NULL,
	version INTEGER NOT NULL CHECK (version > 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE people (
	id      TEXT    NOT NULL PRIMARY KEY,
	clock   INTEGER,
	locale  TEXT    NOT NULL,
	version INTEGER NOT NULL CHECK (version > 0)
) STRICT, WITHOUT ROWID;
