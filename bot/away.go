package bot

import (
	"context"
	"time"

	"tictactoe/bot/match"
	"tictactoe/store"
)

// attendance is a time in which people could move without a pause, as far as this process
// has looked.
type attendance struct {
	from, until time.Time
	lasts       bool // up to now
}

// looked takes note of whether people could move at a look. Between two looks further
// apart than a step nobody has looked: the process was frozen, or the whole machine, which
// stops what readings of the clock are compared by; so those are of the calendar.
func (p *attendance) looked(now time.Time, there bool, step time.Duration) {
	now = now.Round(0)
	switch since := now.Sub(p.until); {
	case !there:
		p.lasts = false
	case !p.lasts, since < 0, since > step:
		*p = attendance{from: now, until: now, lasts: true}
	default:
		p.until = now
	}
}

// present returns the last time in which people could move.
func (u *uptime) present() attendance {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.elapsedLocked()
	return u.attendance
}

// away returns when nobody could play because the bot was not there, as streaks forgive
// it: with the time that has just ended, which may not be noted yet.
func (b *Bot) away(ctx context.Context) (store.Away, error) {
	now := b.opts.Now()
	away, err := b.store.Away(ctx, store.DayOf(now)-match.AwayDays)
	if p := b.uptime.present(); p.lasts {
		now = p.from
	}
	return away.Until(now), err
}

// noteSeen notes every now and then that people can play, and what it knows of it when
// they no longer can.
func (u *upkeep) noteSeen(ctx context.Context) error {
	p := u.uptime.present()
	switch {
	case p.until.Equal(u.seen.until) && p.from.Equal(u.seen.from):
		return nil
	case p.lasts && p.from.Equal(u.seen.from) && p.until.Sub(u.seen.until) < u.opts.SeenEvery:
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, u.opts.WorkTime)
	defer cancel()
	began := u.uptime.elapsed()
	err := u.store.Seen(limited, p.from, p.until)
	u.wrote(began, err)
	if err == nil {
		u.seen = p
	}
	return err
}
