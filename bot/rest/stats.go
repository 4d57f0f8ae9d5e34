package rest

import "sync/atomic"

// Stats are running totals since New, and the state of the limiter.
type Stats struct {
	Requests            int64 // tries sent
	Repeats             int64 // tries after the first
	Failures            int64 // tries that got no answer
	ServerErrors        int64 // 5xx
	RateLimited         int64 // 429
	Refused             int64 // calls given up by the limiter, unsent
	AlreadyAcknowledged int64 // 40060
	UnknownInteraction  int64 // 10062
	Invalid             int   // 401, 403 and unshared 429 within the last ten minutes
	Buckets             int   // rate limit buckets remembered
	Waiting             int   // bot route calls waiting now
}

type counters struct {
	requests, repeats, failures, serverErrors, rateLimited, refused, acknowledged, unknown atomic.Int64
}

// Stats returns a snapshot. Safe for concurrent use.
func (c *Client) Stats() Stats {
	buckets, waiting := c.limits.size()
	return Stats{
		Requests:            c.stats.requests.Load(),
		Repeats:             c.stats.repeats.Load(),
		Failures:            c.stats.failures.Load(),
		ServerErrors:        c.stats.serverErrors.Load(),
		RateLimited:         c.stats.rateLimited.Load(),
		Refused:             c.stats.refused.Load(),
		AlreadyAcknowledged: c.stats.acknowledged.Load(),
		UnknownInteraction:  c.stats.unknown.Load(),
		Invalid:             c.invalid.count(),
		Buckets:             buckets,
		Waiting:             waiting,
	}
}
