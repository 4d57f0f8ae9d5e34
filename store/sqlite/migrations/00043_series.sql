-- Series of games between two people: of how many at most, and whether one goes on behind a game.

-- +goose Up
ALTER TABLE matches ADD COLUMN best_of INTEGER NOT NULL DEFAULT 0; -- 0: none
ALTER TABLE matches ADD COLUMN goes_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE challenges ADD COLUMN best_of INTEGER NOT NULL DEFAULT 0;
