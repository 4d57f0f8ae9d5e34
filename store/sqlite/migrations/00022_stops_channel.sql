-- Where guilds want to be told that a moderator has stopped a match.

-- +goose Up
ALTER TABLE guilds ADD COLUMN stops_channel TEXT NOT NULL DEFAULT ''; -- empty for nowhere
ALTER TABLE guilds ADD COLUMN stops_fault INTEGER NOT NULL DEFAULT 0 CHECK (stops_fault IN (0, 10, 20)); -- none, channel gone, not permitted
