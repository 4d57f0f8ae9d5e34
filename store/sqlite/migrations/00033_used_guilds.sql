-- Discord is asked of servers that nobody has used for long, and no longer of all. Nobody has
-- counted how long that is so far: it begins now.

-- +goose Up

UPDATE presences SET seen = CAST(unixepoch('subsec') * 1000 AS INTEGER), missed = 0 WHERE gone = 0;
CREATE INDEX presences_seen ON presences (application, seen, guild);
DROP TABLE sweeps;
