package bot

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"tictactoe/store"
)

// StartLimit is how many games and challenges may be started in a minute by one
// person, and in one guild. Zero means no limit.
type StartLimit struct {
	PerUser, PerGuild int
}

// ErrStartLimit: the text is no start limit.
var ErrStartLimit = errors.New("bot: a start limit is two positive numbers, as in \"20/600\", or \"none\"")

// ParseStartLimit reads "person/guild" or "none".
func ParseStartLimit(s string) (StartLimit, error) {
	if s == "none" {
		return StartLimit{}, nil
	}
	user, guild, _ := strings.Cut(s, "/")
	u, errUser := strconv.Atoi(user)
	g, errGuild := strconv.Atoi(guild)
	if errUser != nil || errGuild != nil || u < 1 || g < 1 {
		return StartLimit{}, fmt.Errorf("%w: %q", ErrStartLimit, s)
	}
	return StartLimit{PerUser: u, PerGuild: g}, nil
}

// startLimiter counts starts in the last minute, in a token bucket for each person
// and guild. Buckets that are full again are dropped, so that it remembers only
// those who have started something within a minute.
type startLimiter struct {
	limit StartLimit

	mu      sync.Mutex
	buckets map[string]*bucket
	swept   time.Time
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newStartLimiter(l StartLimit) *startLimiter {
	return &startLimiter{limit: l, buckets: map[string]*bucket{}}
}

// allow takes one start for the user and the guild, from both or from neither.
func (l *startLimiter) allow(user store.UserID, guild store.GuildID, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > time.Minute {
		l.sweepLocked(now)
	}
	u := l.bucketLocked("u"+string(user), l.limit.PerUser, now)
	g := (*bucket)(nil)
	if guild != "" {
		g = l.bucketLocked("g"+string(guild), l.limit.PerGuild, now)
	}
	if u != nil && u.tokens < 1 || g != nil && g.tokens < 1 {
		return false
	}
	for _, b := range [...]*bucket{u, g} {
		if b != nil {
			b.tokens--
		}
	}
	return true
}

// bucketLocked returns the bucket as it stands now, nil where there is no limit.
func (l *startLimiter) bucketLocked(key string, perMinute int, now time.Time) *bucket {
	if perMinute == 0 {
		return nil
	}
	b := l.buckets[key]
	if b == nil {
		b = &bucket{tokens: float64(perMinute), at: now}
		l.buckets[key] = b
	}
	b.tokens = min(float64(perMinute), b.tokens+max(0, now.Sub(b.at)).Minutes()*float64(perMinute))
	b.at = now
	return b
}

func (l *startLimiter) sweepLocked(now time.Time) {
	l.swept = now
	for key, b := range l.buckets {
		if now.Sub(b.at) >= time.Minute { // it has filled up since
			delete(l.buckets, key)
		}
	}
}
