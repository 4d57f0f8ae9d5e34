package bot

import (
	"context"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/kit"
	"tictactoe/store"
)

// remindIn sends the reminders of the domain that are due.
func (u *upkeep) remindIn(ctx context.Context, d store.Domain, up time.Duration) error {
	due, err := u.store.DueReminders(ctx, d, up, kit.Batch)
	if err != nil {
		return err
	}
	var failed error
	for _, m := range due {
		if err := u.games.Remind(ctx, m, up); err != nil {
			if failed = err; change.Unavailable(err) || ctx.Err() != nil {
				return err
			}
		}
	}
	return failed
}
