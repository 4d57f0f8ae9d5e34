-- Matches that began with a position, and those in which somebody was told a move.

-- +goose Up
ALTER TABLE matches ADD COLUMN given INTEGER NOT NULL DEFAULT 0; -- how many of the moves
ALTER TABLE matches ADD COLUMN hinted INTEGER NOT NULL DEFAULT 0;
