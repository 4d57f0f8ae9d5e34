-- Where a guild wants games.

-- +goose Up
ALTER TABLE guilds ADD COLUMN games_channel text COLLATE "C" NOT NULL DEFAULT ''; -- empty for everywhere
