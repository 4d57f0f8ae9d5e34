-- How many shards there are is the operator's to say where several processes play.

-- +goose Up

DROP TABLE sharding;
