-- How several processes share Discord's Gateway: one process plays on a file, and has it all.

-- +goose Up
SELECT 1;
