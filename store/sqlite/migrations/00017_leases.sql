-- Leases of clock domains: one process plays on a file, and has them all.

-- +goose Up
SELECT 1;
