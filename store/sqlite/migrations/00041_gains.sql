-- What an ended match has given the one whom it has given most.

-- +goose Up

ALTER TABLE matches ADD COLUMN gain_points INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN gain_place INTEGER NOT NULL DEFAULT 0; -- in the standings of its month
ALTER TABLE matches ADD COLUMN gain_streak INTEGER NOT NULL DEFAULT 0; -- games won in a row
ALTER TABLE matches ADD COLUMN gain_honours INTEGER NOT NULL DEFAULT 0; -- that were new
