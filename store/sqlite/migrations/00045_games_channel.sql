-- Where a guild wants games.

-- +goose Up
ALTER TABLE guilds ADD COLUMN games_channel TEXT NOT NULL DEFAULT ''; -- empty for everywhere
