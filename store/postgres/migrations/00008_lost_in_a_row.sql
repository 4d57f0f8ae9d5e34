-- How many matches in a row a person has lost to the program.

-- +goose Up

ALTER TABLE matches ADD COLUMN lost bigint NOT NULL DEFAULT 0 CHECK (lost >= 0);
