-- Nobody reads all games with a clock or all open challenges any more.

-- +goose Up

DROP INDEX matches_clocked;
DROP INDEX challenges_open;
