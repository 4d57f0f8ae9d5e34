-- Clock domains, verdicts, longer games, settings, and where challenges are drawn.

-- +goose Up
ALTER TABLE matches ADD COLUMN domain bigint NOT NULL CHECK (domain BETWEEN 0 AND 63); -- (guild >> 22) % 64
ALTER TABLE matches ADD COLUMN mark_limit bigint NOT NULL; -- marks that a side may have; 0 for any number
ALTER TABLE matches ADD COLUMN verdict bigint NOT NULL CHECK (state = 20 OR verdict = 0); -- 0: not known yet
ALTER TABLE matches ADD COLUMN verdict_ply bigint NOT NULL;
ALTER TABLE matches ADD COLUMN verdict_cell bigint NOT NULL;
ALTER TABLE matches ADD CHECK (length(moves) <= 1000);

CREATE INDEX matches_private_x ON matches (x_user, created, id) WHERE state = 10 AND place = 0;
CREATE INDEX matches_private_o ON matches (o_user, created, id) WHERE state = 10 AND place = 0;
CREATE INDEX matches_private_x_in ON matches (x_user, channel, created, id) WHERE state = 10 AND place = 0;
CREATE INDEX matches_private_o_in ON matches (o_user, channel, created, id) WHERE state = 10 AND place = 0;
CREATE INDEX matches_due ON matches (domain, deadline) WHERE deadline > 0;
CREATE INDEX matches_undrawn ON matches (updated, id) WHERE drawn < version AND message <> '';
CREATE INDEX matches_clocked ON matches (updated, id) WHERE state = 10 AND clock > 0 AND x_user <> '' AND o_user <> '';

ALTER TABLE challenges ADD COLUMN domain bigint NOT NULL CHECK (domain BETWEEN 0 AND 63);
ALTER TABLE challenges ADD COLUMN drawn bigint NOT NULL;
ALTER TABLE challenges ADD COLUMN mark_limit bigint NOT NULL;

CREATE INDEX challenges_due ON challenges (domain, deadline) WHERE state = 10 AND deadline > 0;

-- How long the bot has been up in all, for each clock domain.
CREATE TABLE uptime (
	domain  bigint PRIMARY KEY CHECK (domain BETWEEN 0 AND 63),
	elapsed bigint NOT NULL
);

WITH RECURSIVE domains (domain) AS (SELECT 0 UNION ALL SELECT domain + 1 FROM domains WHERE domain < 63)
INSERT INTO uptime (domain, elapsed) SELECT domain, 0 FROM domains;

-- Each store that has the database open, with the number of its last commit: whoever
-- loses the answer to a commit finds here whether it came through.
CREATE TABLE writers (
	id      bigint      PRIMARY KEY,
	commits bigint      NOT NULL,
	seen    timestamptz NOT NULL
);

-- What only one process may do at a time: who does it, and until when, by the
-- database's clock, if they do not say so again.
CREATE TABLE leases (
	name  text        COLLATE "C" PRIMARY KEY,
	owner text        COLLATE "C" NOT NULL,
	ends  timestamptz NOT NULL
);

-- What guilds and people have set; a clock that is not set is null.
CREATE TABLE guilds (
	id      text   COLLATE "C" PRIMARY KEY,
	clock   bigint,
	locale  text   COLLATE "C" NOT NULL,
	version bigint NOT NULL CHECK (version > 0)
);

CREATE TABLE people (
	id      text   COLLATE "C" PRIMARY KEY,
	clock   bigint,
	locale  text   COLLATE "C" NOT NULL,
	version bigint NOT NULL CHECK (version > 0)
);
