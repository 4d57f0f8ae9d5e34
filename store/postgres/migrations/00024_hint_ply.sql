-- After how many moves somebody was told one. Where that was before this is known, 0: it was
-- at the first move, or is over.

-- +goose Up
ALTER TABLE matches ADD COLUMN hint_ply bigint NOT NULL DEFAULT 0;
