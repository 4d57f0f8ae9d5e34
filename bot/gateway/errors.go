package gateway

import (
	"errors"
	"fmt"
)

// FatalError means that no further attempt can succeed until a person changes
// something. Its text tells an operator what.
type FatalError struct {
	CloseCode int    // Gateway close code
	Advice    string // one sentence for the operator
}

// Error says what happened and what to do about it.
func (e *FatalError) Error() string {
	return fmt.Sprintf("%s (gateway close code %d)", e.Advice, e.CloseCode)
}

// fatalAdvice lists the close codes after which Discord's documentation says not
// to reconnect.
var fatalAdvice = map[int]string{
	4004: "Discord refused the bot token: copy the current one from the application's Bot page (it changes with every reset) and start again",
	4010: "Discord refused the number of shards that the bot opens",
	4011: "the bot is in too many servers for the number of shards that it opens: Discord allows 2,500 on each",
	4012: "Discord no longer supports this version of its Gateway: install a newer version of this program",
	4013: "Discord refused the intents that were asked for: this is a fault of this program, install a newer version",
	4014: "Discord has not allowed this bot an intent that was asked for: enable it on the application's Bot page",
}

var errBadURL = errors.New("gateway address is not a WebSocket URL")
