-- A challenge is in the language that who is asked has chosen, and once it has expired it points to
-- the one that was made in its place.

-- +goose Up
ALTER TABLE challenges ADD COLUMN opponent_locale TEXT NOT NULL DEFAULT ''; -- empty where they have chosen none
ALTER TABLE challenges ADD COLUMN next INTEGER NOT NULL DEFAULT 0;
