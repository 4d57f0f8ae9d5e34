-- When somebody looks after the thread that a match is played in, and whether it is locked.

-- +goose Up

ALTER TABLE matches ADD COLUMN thread_due bigint NOT NULL DEFAULT 0; -- in the up-time of the domain
ALTER TABLE matches ADD COLUMN locked boolean NOT NULL DEFAULT false;
CREATE INDEX matches_thread_due ON matches (domain, thread_due) WHERE thread_due > 0;
UPDATE matches SET thread_due = 1 WHERE thread <> '' AND state = 10; -- those that are played are looked at soon
