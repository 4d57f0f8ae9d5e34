-- Whether anybody can look at a guild's standings.

-- +goose Up
ALTER TABLE guilds ADD COLUMN leaderboard bigint NOT NULL DEFAULT 0 CHECK (leaderboard IN (0, 10, 20)); -- not set, on, off
