-- Challenges made in a group of people, of which Discord does not tell who is in it.

-- +goose Up

ALTER TABLE challenges ADD COLUMN in_group boolean NOT NULL DEFAULT false;
