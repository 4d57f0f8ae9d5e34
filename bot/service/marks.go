package service

import (
	"context"
	"errors"
	"net/http"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
)

// marksLook is how long it takes until the application's emojis are looked up again:
// somebody may have deleted one, and texts would spell out its name.
const marksLook = time.Hour

// uploadMarks has the marks uploaded as emojis, behind everything else: texts have symbols
// until then. Tries come ever more rarely, down to one in each such look, and none follows
// where there is no such address.
func (s *Service) uploadMarks(ctx context.Context, b *bot.Bot) {
	for wait := startBackoff; ; {
		err := b.UploadMarks(ctx)
		pause := marksLook
		refusal, refused := errors.AsType[*rest.Error](err)
		switch {
		case err == nil:
			s.marked.Store(true)
			wait = startBackoff
		case ctx.Err() != nil, errors.Is(err, rest.ErrUnauthorized):
			return
		case refused && refusal.Status == http.StatusNotFound:
			// A stand-in for Discord that does not know them will not learn of them.
			s.log.Info("texts keep symbols for marks: applications have no emojis here", "error", err)
			return
		default:
			if pause = wait; refused {
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
