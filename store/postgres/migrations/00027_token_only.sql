-- Messages that interaction tokens alone can change: the bot is no member of where they stand.

-- +goose Up

ALTER TABLE matches ADD COLUMN token_only boolean NOT NULL DEFAULT false;
ALTER TABLE challenges ADD COLUMN token_only boolean NOT NULL DEFAULT false;
