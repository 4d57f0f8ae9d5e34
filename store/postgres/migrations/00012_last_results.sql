-- The results of a person, by when their matches ended.

-- +goose Up
CREATE INDEX results_last_x ON results (x_user, ended, match) WHERE x_user <> '' AND plies > 0;
CREATE INDEX results_last_o ON results (o_user, ended, match) WHERE o_user <> '' AND plies > 0;
