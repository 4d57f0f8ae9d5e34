package bot

import (
	"log/slog"
	"time"
)

// Counts are what a Bot has counted since it was made, for the log and for tests
// that look from outside.
type Counts struct {
	Answered   int64 // interactions that Discord has an answer to
	Refused    int64 // those of them that were refused in words
	Failed     int64 // answers that did not reach Discord
	Unsaved    int64 // changes that the store did not take, as people were told
	Duplicates int64 // interactions delivered again, which have no effect
	Late       int64 // interactions that came too late to be answered, which have none either
	Undrawn    int64 // messages whose redraw was given up; the next click makes it good
	Left       int64 // messages that Discord does not let the app edit
	Redraws    int64 // edits of messages to show what is stored
	Redrawn    int64 // those of them that Discord took
	Panics     int64
}

// LogValue implements slog.LogValuer.
func (c Counts) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int64("answered", c.Answered), slog.Int64("refused", c.Refused), slog.Int64("failed", c.Failed),
		slog.Int64("unsaved", c.Unsaved), slog.Int64("duplicates", c.Duplicates), slog.Int64("late", c.Late),
		slog.Int64("undrawn", c.Undrawn), slog.Int64("left", c.Left), slog.Int64("panics", c.Panics),
	)
}

// Counts returns what has been counted so far. It may be called at any time.
func (b *Bot) Counts() Counts {
	undrawn, left := b.kit.Tracker.Counts()
	redraws, redrawn := b.kit.Tracker.Redraws()
	return Counts{
		Undrawn: undrawn, Left: left, Redraws: redraws, Redrawn: redrawn,
		Answered: b.kit.Stats.Answered.Load(), Refused: b.kit.Stats.Refused.Load(), Failed: b.kit.Stats.Failed.Load(),
		Unsaved: b.kit.Stats.Unsaved.Load(), Duplicates: b.kit.Stats.Duplicates.Load(), Late: b.kit.Stats.Late.Load(),
		Panics: b.kit.Work.Panics(),
	}
}

// Uptime returns the bot's own time since it was made, which stands still while people
// cannot play. It may be called at any time.
func (b *Bot) Uptime() time.Duration { return b.kit.Clock.Look().Total }
