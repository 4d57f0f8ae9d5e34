-- Of as many points, those come first who took fewer games for them.

-- +goose Up
DROP INDEX standings_ranked;
CREATE INDEX standings_ranked ON standings (guild, epoch, period, points DESC, (won + drawn + lost), user_id);
