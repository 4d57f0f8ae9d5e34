-- One missed day in seven is forgiven, whoever's fault it was.

-- +goose Up

DROP TABLE away;
DROP TABLE seen;
