-- Where and when guilds want the puzzle of each day.

-- +goose Up
ALTER TABLE guilds ADD COLUMN puzzle_channel text COLLATE "C" NOT NULL DEFAULT ''; -- empty for nowhere
ALTER TABLE guilds ADD COLUMN puzzle_hour bigint NOT NULL DEFAULT 0; -- of the day, in UTC
ALTER TABLE guilds ADD COLUMN puzzle_role text COLLATE "C" NOT NULL DEFAULT ''; -- whom it notifies
ALTER TABLE guilds ADD COLUMN puzzle_due bigint NOT NULL DEFAULT 0; -- the next, in seconds since 1970; 0 for never
ALTER TABLE guilds ADD COLUMN puzzle_fault bigint NOT NULL DEFAULT 0 CHECK (puzzle_fault IN (0, 10, 20)); -- none, channel gone, not permitted

CREATE INDEX guilds_puzzle ON guilds (puzzle_due) WHERE puzzle_due > 0;
