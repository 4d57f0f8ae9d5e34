-- A thread is looked at when a match in it falls due, and no more at times of its own.

-- +goose Up

DROP INDEX matches_thread_due;
ALTER TABLE matches DROP COLUMN thread_due;
ALTER TABLE matches DROP COLUMN locked;
