-- Who has declined a rematch.

-- +goose Up

ALTER TABLE matches ADD COLUMN rematch_declined bigint NOT NULL DEFAULT 0 CHECK (rematch_declined IN (0, 1, 2)); -- nobody, X, O
