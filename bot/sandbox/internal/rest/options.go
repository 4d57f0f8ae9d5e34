package rest

import (
	"cmp"
	"time"
)

// Options configure a REST API. Every zero field means the default that its comment
// names.
type Options struct {
	// BucketLimit is how many requests a REST bucket takes in BucketWindow;
	// 50 in 1 s of real time. An interaction token is a bucket of its own.
	BucketLimit  int
	BucketWindow time.Duration
	// GlobalLimit is how many requests the bot may make in GlobalWindow (1 s of real
	// time by default) over all routes except those of interactions; 50. Negative
	// turns it off.
	GlobalLimit  int
	GlobalWindow time.Duration
	// OldEdits is how many edits of messages older than an hour a channel takes by
	// the channel route in OldEditWindow; 3 in 6 s of real time, negative turns it off.
	// Discord has such a limit (error 30046) and does not document its size: this is what
	// discord-userdoccers found (its page Message, and its issue 551). No header tells of it
	// (discord/discord-api-docs#4413), and whether interaction tokens count is not known.
	OldEdits      int
	OldEditWindow time.Duration
	// CommandCreates is how many commands may be created per scope and day; 200.
	CommandCreates int
	// KeepRequests bounds the recorded requests, and 64 KiB of a request's body are kept.
	// Zero keeps all.
	KeepRequests int
}

func (o Options) withDefaults() Options {
	o.BucketWindow = cmp.Or(max(o.BucketWindow, 0), time.Second)
	o.GlobalWindow = cmp.Or(max(o.GlobalWindow, 0), time.Second)
	o.OldEditWindow = cmp.Or(max(o.OldEditWindow, 0), 6*time.Second)
	o.BucketLimit = cmp.Or(o.BucketLimit, 50)
	o.GlobalLimit = cmp.Or(o.GlobalLimit, 50)
	o.OldEdits = cmp.Or(o.OldEdits, 3)
	o.CommandCreates = cmp.Or(o.CommandCreates, 200)
	return o
}
