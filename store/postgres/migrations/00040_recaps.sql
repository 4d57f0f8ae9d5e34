-- What the day's puzzle brought in a guild is told on the next.

-- +goose Up
ALTER TABLE puzzle_tries ADD COLUMN shared boolean NOT NULL DEFAULT false; -- shown in its guild
ALTER TABLE people ADD COLUMN recap bigint NOT NULL DEFAULT 0 CHECK (recap IN (0, 10, 20)); -- not set, on, off
ALTER TABLE guilds ADD COLUMN puzzle_counted bigint NOT NULL DEFAULT 0; -- days since 1970, up to which the next two count
ALTER TABLE guilds ADD COLUMN puzzle_streak bigint NOT NULL DEFAULT 0;
ALTER TABLE guilds ADD COLUMN puzzle_idle bigint NOT NULL DEFAULT 0;
CREATE INDEX puzzle_tries_shared ON puzzle_tries (guild, day, wrong, user_id) WHERE shared;
