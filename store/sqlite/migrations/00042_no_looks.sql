-- How a board looks is what its people wish, and no game has looks of its own.

-- +goose Up
ALTER TABLE matches DROP COLUMN cell_names;
ALTER TABLE matches DROP COLUMN as_list;
