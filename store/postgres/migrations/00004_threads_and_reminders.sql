-- Whether a guild has games in threads, and people reminded of their turn.

-- +goose Up

ALTER TABLE guilds ADD COLUMN threads bigint NOT NULL DEFAULT 0 CHECK (threads IN (0, 10, 20, 30)); -- not set, never, offered, the rule
ALTER TABLE guilds ADD COLUMN reminders bigint NOT NULL DEFAULT 0 CHECK (reminders IN (0, 10, 20)); -- not set, on, off
