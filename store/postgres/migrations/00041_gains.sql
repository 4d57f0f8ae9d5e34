-- What an ended match has given the one whom it has given most.

-- +goose Up

ALTER TABLE matches ADD COLUMN gain_points bigint NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN gain_place bigint NOT NULL DEFAULT 0; -- in the standings of its month
ALTER TABLE matches ADD COLUMN gain_streak bigint NOT NULL DEFAULT 0; -- games won in a row
ALTER TABLE matches ADD COLUMN gain_honours bigint NOT NULL DEFAULT 0; -- that were new
