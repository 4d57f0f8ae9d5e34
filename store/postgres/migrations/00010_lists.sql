-- Boards that are text and a list of their cells.

-- +goose Up
ALTER TABLE matches ADD COLUMN as_list boolean NOT NULL DEFAULT false;
