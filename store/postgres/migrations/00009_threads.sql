-- Matches that are played in a thread of their channel.

-- +goose Up

ALTER TABLE matches ADD COLUMN thread text COLLATE "C" NOT NULL DEFAULT ''; -- empty for the channel itself
