-- Matches that began with a position, and those in which somebody was told a move.

-- +goose Up
ALTER TABLE matches ADD COLUMN given bigint NOT NULL DEFAULT 0; -- how many of the moves
ALTER TABLE matches ADD COLUMN hinted boolean NOT NULL DEFAULT false;
