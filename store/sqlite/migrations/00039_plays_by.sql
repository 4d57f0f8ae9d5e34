-- How somebody wants to play: not set, by buttons with names, by a list.

-- +goose Up
ALTER TABLE people ADD COLUMN plays_by INTEGER NOT NULL DEFAULT 0 CHECK (plays_by IN (0, 10, 20));
