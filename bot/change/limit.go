package change

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tictactoe/bot/internal/recent"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// StartLimit is how many games and challenges may be started within any minute by
// one person, and in one guild. Zero means no limit.
type StartLimit struct {
	PerUser, PerGuild int
}

// guildStarts is the limit of a guild where only that of a person is set.
const guildStarts = 600

// ErrStartLimit: the text is no start limit.
var ErrStartLimit = errors.New("bot: a start limit is one positive number or two, as in \"20\" or \"20/600\", or \"none\"")

// ParseStartLimit reads "person/guild", "person" or "none", with blanks around.
func ParseStartLimit(s string) (StartLimit, error) {
	text := strings.TrimSpace(s)
	if text == "none" {
		return StartLimit{}, nil
	}
	user, guild, two := strings.Cut(text, "/")
	l := StartLimit{PerUser: positive(user), PerGuild: guildStarts}
	if two {
		l.PerGuild = positive(guild)
	}
	if l.PerUser == 0 || l.PerGuild == 0 {
		return StartLimit{}, fmt.Errorf("%w: %q", ErrStartLimit, s)
	}
	return l, nil
}

// positive returns the number that the digits are, 0 if they are none.
func positive(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || digits[0] == '+' {
		return 0
	}
	return n
}

// startWindow is the time in which starts are counted.
const startWindow = time.Minute

// Limiter knows the starts of the last minute of each person and guild:
// exactly, since at most as many are remembered as are allowed. Who has asked for
// nothing for two minutes is forgotten.
type Limiter struct {
	what   string // is counted; for those that count together
	limit  StartLimit
	Shared store.Limiter // which counts where several processes play on one database; else nil

	mu     sync.Mutex
	starts recent.Map[string, []time.Time]
}

// NewLimiter returns one that counts something, by itself where shared is nil.
func NewLimiter(what string, most StartLimit, shared store.Limiter) *Limiter {
	return &Limiter{what: what, limit: most, Shared: shared}
}

// Limits are those that a start is counted for, in the order in which all processes count.
// People and guilds are numbers of one kind.
func (l *Limiter) Limits(in *kit.Request) (limits []store.Limit) {
	if l.limit.PerUser > 0 {
		limits = append(limits, store.Limit{Key: l.what + " u" + string(in.UserID), Most: l.limit.PerUser, Within: startWindow})
	}
	if l.limit.PerGuild > 0 && in.GuildID != "" {
		limits = append(limits, store.Limit{Key: l.what + " g" + string(in.GuildID), Most: l.limit.PerGuild, Within: startWindow})
	}
	return limits
}

// allow counts one start for all of the limits, or for none. When it is refused, wait is
// until there is room for the next, and else zero.
func (l *Limiter) allow(limits []store.Limit, now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.starts.Turn(now, startWindow, math.MaxInt)
	for _, of := range limits {
		if s := l.recentLocked(of.Key, now); len(s) >= of.Most {
			wait = max(wait, s[len(s)-of.Most].Add(startWindow).Sub(now))
		}
	}
	if wait > 0 {
		return wait
	}
	for _, of := range limits {
		l.starts.Put(of.Key, append(l.recentLocked(of.Key, now), now))
	}
	return 0
}

// refund takes back a start that was counted then and came to nothing.
func (l *Limiter) refund(limits []store.Limit, then time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, of := range limits {
		s, _ := l.starts.Get(of.Key)
		if i := slices.Index(s, then); i >= 0 {
			l.starts.Put(of.Key, slices.Delete(s, i, i+1))
		}
	}
}

// recentLocked returns the starts of the last minute, the oldest first, and drops the
// others. A start that lies ahead was counted before the clock was set back: it is
// taken to be now.
func (l *Limiter) recentLocked(key string, now time.Time) []time.Time {
	s, _ := l.starts.Get(key)
	s = slices.DeleteFunc(s, func(at time.Time) bool { return now.Sub(at) >= startWindow })
	for i := range s {
		if s[i].After(now) {
			s[i] = now
		}
	}
	l.starts.Put(key, s)
	return s
}

// Count refuses a start beyond the limit. An interaction is counted once, however often
// its change is tried.
func (l *Limiter) Count(ctx context.Context, in *kit.Request, now time.Time) error {
	if !in.Counted.IsZero() {
		return nil
	}
	err := l.CountAs(ctx, in, now, match.ErrTooMany)
	if err == nil {
		in.Counted = now
	}
	return err
}

// CountAs counts what cannot be taken back, or returns a refusal for that reason. Where
// processes count together a start is counted under its interaction, so that one which is
// delivered to two of them is one.
func (l *Limiter) CountAs(ctx context.Context, in *kit.Request, now time.Time, reason error) (err error) {
	var wait time.Duration
	if limits := l.Limits(in); l.Shared == nil {
		wait = l.allow(limits, now)
	} else if len(limits) > 0 {
		if wait, err = l.Shared.Count(ctx, in.ID, limits); err != nil {
			return Classify(err)
		}
	}
	if wait > 0 {
		return &kit.Refusal{Reason: reason, Until: now.Add(wait + time.Second - 1)} // shown in whole seconds
	}
	return nil
}

// Uncount takes back what Count has counted.
func (l *Limiter) Uncount(ctx context.Context, in *kit.Request) {
	switch {
	case in.Counted.IsZero():
	case l.Shared != nil:
		_ = l.Shared.Uncount(ctx, in.ID, l.Limits(in)) // else it counts for a minute
	default:
		l.refund(l.Limits(in), in.Counted)
	}
	in.Counted = time.Time{}
}
