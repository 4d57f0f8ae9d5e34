-- Whether the buttons of a board still stand though its match has ended.

-- +goose Up

ALTER TABLE matches ADD COLUMN grid_stands boolean NOT NULL DEFAULT false; -- older ended matches lose them when they are drawn again
