package service

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
)

// marksLook is how long it takes until the application's emojis are looked up again:
// somebody may have deleted one, and texts would spell out its name.
const marksLook = time.Hour

// uploadMarks has the marks uploaded as emojis, behind everything else: texts have symbols
// until then. Tries come ever more rarely, down to one in each such look.
func (s *Service) uploadMarks(ctx context.Context, b *bot.Bot) {
	for wait := startBackoff; ; {
		err := b.UploadMarks(ctx)
		pause := marksLook
		switch {
		case err == nil:
			s.marked.Store(true)
			wait = startBackoff
		case ctx.Err() != nil, errors.Is(err, rest.ErrUnauthorized):
			return
		default:
			var refusal *rest.Error
			if pause = wait; errors.As(err, &refusal) {
				pause = max(pause, refusal.RetryAfter)
			}
			wait = min(2*wait, marksLook)
			s.log.Warn("marks not uploaded, trying again", "in", pause, "error", err)
		}
		if tasks.Sleep(ctx, pause) != nil {
			return
		}
	}
}

// Marked reports whether messages show the application's own marks.
func (s *Service) Marked() bool { return s.marked.Load() }
