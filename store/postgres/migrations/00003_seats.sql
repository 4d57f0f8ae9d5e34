-- Who plays where, and how many public matches a channel may have.

-- +goose Up

-- A person plays at most one active public match in a channel.
CREATE TABLE seats (
	channel text   COLLATE "C" NOT NULL,
	user_id text   COLLATE "C" NOT NULL,
	guild   text   COLLATE "C" NOT NULL,
	match   bigint NOT NULL,
	CONSTRAINT seats_taken PRIMARY KEY (channel, user_id)
);

CREATE INDEX seats_user ON seats (guild, user_id, match);
CREATE INDEX seats_match ON seats (match);

-- A channel had one place: nobody had two seats there.
INSERT INTO seats (channel, user_id, guild, match)
SELECT channel, x_user, guild, id FROM matches WHERE state = 10 AND place > 0 AND x_user <> ''
UNION ALL
SELECT channel, o_user, guild, id FROM matches WHERE state = 10 AND place > 0 AND o_user <> '';

ALTER TABLE guilds ADD COLUMN places bigint NOT NULL DEFAULT 0 CHECK (places BETWEEN 0 AND 25); -- 0: not set
