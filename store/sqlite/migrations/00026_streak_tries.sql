-- How many tries the days of a streak took.

-- +goose Up
ALTER TABLE puzzlers ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
UPDATE puzzlers SET tries = coalesce((
	SELECT sum(days.wrong + 1)
	FROM (
		SELECT t.wrong, row_number() OVER (ORDER BY t.day DESC) AS n
		FROM puzzle_tries AS t
		WHERE t.user_id = puzzlers.user_id AND t.state = 20 AND t.day <= puzzlers.last
	) AS days
	WHERE days.n <= puzzlers.streak
), 0);
