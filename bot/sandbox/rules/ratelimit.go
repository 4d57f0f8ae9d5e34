package rules

import (
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"strconv"
	"time"
)

// RateLimits counts requests in windows of real time, as specified by Discord's
// documentation: a bucket per route and top-level resource, one over all routes
// that an interaction token does not authorise, and one for invalid requests.
// The caller keeps its methods from running at once.
type RateLimits struct {
	perBucket    int
	bucketWindow time.Duration
	overall      int // over all routes, in globalWindow; none for less than 1
	globalWindow time.Duration
	buckets      map[string]*Window
	sweepAt      int // number of buckets at which old ones are thrown out
	global       Window
	refused      Window
}

// Window counts uses up to a moment.
type Window struct {
	Used  int
	Reset time.Time
}

// NewRateLimits returns limits of that many requests in each bucket's window, and
// of overall requests in the window that all routes share.
func NewRateLimits(perBucket int, bucketWindow time.Duration, overall int, globalWindow time.Duration) *RateLimits {
	return &RateLimits{
		perBucket: perBucket, bucketWindow: bucketWindow, overall: overall, globalWindow: globalWindow, buckets: map[string]*Window{}, sweepAt: 1024,
	}
}

// Take counts a request for a route ("METHOD template") and the top-level
// resource in its path, and sets its rate-limit headers. A request that an
// interaction token authorises does not count over all routes. It returns the body of a
// 429 when there were too many.
func (l *RateLimits) Take(route, resource string, byToken bool, header http.Header) map[string]any {
	now := time.Now()
	if !byToken && l.overall > 0 {
		if wait := l.global.Take(now, l.overall, l.globalWindow); wait > 0 {
			return TooMany(header, wait, ScopeGlobal)
		}
	}
	bucket := bucketID(route)
	w := l.window(bucket+" "+resource, now)
	wait := w.Take(now, l.perBucket, l.bucketWindow)
	TellLimit(header, l.perBucket, l.perBucket-w.Used, w.Reset, w.Reset.Sub(now), bucket)
	if wait > 0 {
		return TooMany(header, wait, ScopeUser)
	}
	return nil
}

// TakeOldEdit counts an edit of an old message in a channel and reports how long
// to wait when there were more than limit in a window of that length; 0 allows it.
func (l *RateLimits) TakeOldEdit(channelID string, limit int, length time.Duration) (wait time.Duration) {
	now := time.Now()
	return l.window("old edits "+channelID, now).Take(now, limit, length)
}

// window returns the bucket of that key, throwing out those whose time is over
// when there are many.
func (l *RateLimits) window(key string, now time.Time) *Window {
	w := l.buckets[key]
	if w != nil {
		return w
	}
	if len(l.buckets) >= l.sweepAt {
		maps.DeleteFunc(l.buckets, func(_ string, old *Window) bool { return now.After(old.Reset) })
		l.sweepAt = 2*len(l.buckets) + 1024
	}
	w = &Window{}
	l.buckets[key] = w
	return w
}

// Roll begins a new window of that length if this one is over.
func (w *Window) Roll(now time.Time, length time.Duration) {
	if !now.Before(w.Reset) {
		w.Used, w.Reset = 0, now.Add(length)
	}
}

// Take counts a use in a window of that length, or returns how long to wait where there
// were limit of them.
func (w *Window) Take(now time.Time, limit int, length time.Duration) (wait time.Duration) {
	w.Roll(now, length)
	if w.Used >= limit {
		return w.Reset.Sub(now)
	}
	w.Used++
	return 0
}

// Invalid counts an answer of 401, 403 or 429.
func (l *RateLimits) Invalid() {
	l.refused.Roll(time.Now(), 10*time.Minute)
	l.refused.Used++
}

// InvalidRequests is how many requests of the last ten minutes were invalid.
func (l *RateLimits) InvalidRequests() int { return l.refused.Used }

// Banned reports whether there were so many invalid requests that Discord's
// front door would refuse everything.
func (l *RateLimits) Banned() bool {
	return l.refused.Used >= invalidLimit && time.Now().Before(l.refused.Reset)
}

// bucketID is an opaque name for the limit that a route shares.
func bucketID(route string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(route))
	return fmt.Sprintf("%016x", h.Sum64())
}

// Scope says whose rate limit a 429 reports.
type Scope string

// The scopes of Discord, and HTML for the page that Cloudflare answers with
// before Discord sees a request.
const (
	ScopeUser   Scope = "user"
	ScopeShared Scope = "shared"
	ScopeGlobal Scope = "global"
	ScopeHTML   Scope = "html"
)

// TooMany is the body of a 429. Only a bucket's own limit says when it resets: the global
// one gives no Reset-After, and a shared one may last longer.
func TooMany(header http.Header, wait time.Duration, scope Scope) map[string]any {
	wait = max(wait, time.Millisecond)
	header.Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	header.Set("X-RateLimit-Scope", string(scope))
	if scope == ScopeGlobal {
		header.Set("X-RateLimit-Global", "true")
	}
	return map[string]any{"message": "You are being rate limited.", "retry_after": wait.Seconds(), "global": scope == ScopeGlobal}
}

// TellLimit sets the headers that tell of a bucket.
func TellLimit(header http.Header, limit, remaining int, reset time.Time, after time.Duration, bucket string) {
	seconds := func(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }
	header.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	header.Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
	header.Set("X-RateLimit-Reset", seconds(float64(reset.UnixMilli())/1000))
	header.Set("X-RateLimit-Reset-After", seconds(after.Seconds()))
	header.Set("X-RateLimit-Bucket", bucket)
}
