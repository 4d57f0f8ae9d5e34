-- The match that a message shows.

-- +goose Up
CREATE INDEX matches_message ON matches (message, created, id) WHERE message <> '';
