-- One process plays on a file.

-- +goose Up
SELECT 1;
