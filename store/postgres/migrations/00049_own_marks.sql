-- With which mark texts show somebody: X or O, whichever they play, one of 24, or X and O on
-- every board on which they play.

-- +goose Up
ALTER TABLE people ADD COLUMN mark bigint NOT NULL DEFAULT 0 CHECK (mark BETWEEN 0 AND 24 OR mark = 100);
