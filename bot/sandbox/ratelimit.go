package sandbox

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"time"
)

// rateLimits counts requests in windows of real time, as specified by Discord's
// documentation: a bucket per route and top-level resource, one over all routes
// that an interaction token does not authorise, and one for invalid requests.
// The Server's lock guards it.
type rateLimits struct {
	buckets map[string]*window
	sweepAt int // number of buckets at which old ones are thrown out
	global  window
	refused window
}

type window struct {
	used  int
	reset time.Time
}

type limited struct {
	status int
	body   any
}

func (s *Server) initLimits() {
	s.limits.buckets = map[string]*window{}
	s.limits.sweepAt = 1024
}

// take counts a request and sets its rate-limit headers. It returns the 429
// when there were too many.
func (l *rateLimits) take(x *exchange, o Options, header http.Header) *limited {
	now := time.Now()
	if x.route.auth != authToken && o.GlobalLimit > 0 {
		l.global.roll(now, time.Second)
		if l.global.used >= o.GlobalLimit {
			return tooMany(header, l.global.reset.Sub(now), ScopeGlobal)
		}
		l.global.used++
	}
	bucket := bucketID(x.route)
	w := l.window(bucket+" "+x.resource(), now)
	w.roll(now, o.BucketWindow)
	over := w.used >= o.BucketLimit
	if !over {
		w.used++
	}
	wait := w.reset.Sub(now)
	header.Set("X-RateLimit-Limit", strconv.Itoa(o.BucketLimit))
	header.Set("X-RateLimit-Remaining", strconv.Itoa(o.BucketLimit-w.used))
	header.Set("X-RateLimit-Reset", decimals(float64(w.reset.UnixMilli())/1000))
	header.Set("X-RateLimit-Reset-After", decimals(wait.Seconds()))
	header.Set("X-RateLimit-Bucket", bucket)
	if over {
		return tooMany(header, wait, ScopeUser)
	}
	return nil
}

// window returns the bucket of that key, throwing out those whose time is over
// when there are many.
func (l *rateLimits) window(key string, now time.Time) *window {
	w := l.buckets[key]
	if w != nil {
		return w
	}
	if len(l.buckets) >= l.sweepAt {
		for k, old := range l.buckets {
			if now.After(old.reset) {
				delete(l.buckets, k)
			}
		}
		l.sweepAt = 2*len(l.buckets) + 1024
	}
	w = &window{}
	l.buckets[key] = w
	return w
}

func (w *window) roll(now time.Time, length time.Duration) {
	if !now.Before(w.reset) {
		w.used, w.reset = 0, now.Add(length)
	}
}

// invalid counts an answer of 401, 403 or 429.
func (l *rateLimits) invalid() {
	l.refused.roll(time.Now(), 10*time.Minute)
	l.refused.used++
}

// banned reports whether there were so many invalid requests that Discord's
// front door would refuse everything.
func (l *rateLimits) banned() bool {
	return l.refused.used > invalidLimit && time.Now().Before(l.refused.reset)
}

// InvalidRequests is the number of requests of the last ten minutes that were
// answered 401, 403 or 429. From 10,000 on Discord bans the address.
func (s *Server) InvalidRequests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limits.refused.used
}

// resource is the top-level resource that a bucket is for.
func (x *exchange) resource() string {
	for _, key := range []string{"channel_id", "guild_id", "webhook_token", "interaction_token"} {
		if v := x.params[key]; v != "" {
			return v
		}
	}
	return ""
}

// bucketID is an opaque name for the limit that a route shares.
func bucketID(e *endpoint) string {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, e.method, e.template)
	return fmt.Sprintf("%016x", h.Sum64())
}

// tooMany is a 429. Only a bucket's own limit says when it resets: the global
// one gives no Reset-After, and a shared one may last longer.
func tooMany(header http.Header, wait time.Duration, scope Scope) *limited {
	wait = max(wait, time.Millisecond)
	header.Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	header.Set("X-RateLimit-Scope", string(scope))
	if scope == ScopeGlobal {
		header.Set("X-RateLimit-Global", "true")
	}
	return &limited{http.StatusTooManyRequests, map[string]any{
		"message": "You are being rate limited.", "retry_after": wait.Seconds(), "global": scope == ScopeGlobal,
	}}
}

func decimals(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }
