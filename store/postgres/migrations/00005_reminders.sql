-- When somebody is reminded that they are waited for, and who wants to be.

-- +goose Up

ALTER TABLE matches ADD COLUMN remind bigint NOT NULL DEFAULT 0; -- in the up-time of the domain
ALTER TABLE matches ADD COLUMN rematch_told boolean NOT NULL DEFAULT false; -- of an offer, in this series
CREATE INDEX matches_remind ON matches (domain, remind) WHERE remind > 0;

ALTER TABLE people ADD COLUMN reminders bigint NOT NULL DEFAULT 0 CHECK (reminders IN (0, 10, 20)); -- not set, on, off
