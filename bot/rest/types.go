package rest

import (
	"encoding/json"
	"fmt"
)

// CallbackType is the kind of a first answer to an interaction, as numbered in
// Discord's documentation ("Interaction Callback Type").
type CallbackType int

// The kinds of first answers that this bot has a use for.
const (
	CallbackMessage      CallbackType = 4 // a new message
	CallbackDeferUpdate  CallbackType = 6 // acknowledge a component silently
	CallbackUpdate       CallbackType = 7 // edit the component's own message
	CallbackAutocomplete CallbackType = 8
)

// Callback is the first answer to an interaction. Data is encoded as JSON unless
// it is a json.RawMessage already; nil leaves the field out.
type Callback struct {
	Type CallbackType `json:"type"`
	Data any          `json:"data,omitempty"`
}

// JSON returns the answer as it is sent. Data that is JSON already is not looked at again: a
// board takes long.
func (cb Callback) JSON() (json.RawMessage, error) {
	if data, ok := cb.Data.(json.RawMessage); ok && len(data) > 0 {
		return fmt.Appendf(make([]byte, 0, len(data)+32), `{"type":%d,"data":%s}`, cb.Type, data), nil
	}
	return json.Marshal(cb)
}

// Message is what the bot needs to know of a message that it wrote. Discord's
// object has far more.
type Message struct {
	ID    string `json:"id"`
	Flags int64  `json:"flags"`
}

// FlagEphemeral is the flag of a message that one person alone sees (Discord's documentation,
// Message Flags).
const FlagEphemeral = 64

// Channel is what the bot needs to know of a channel that it made.
type Channel struct {
	ID string `json:"id"`
	// Thread says what became of a thread (Discord's documentation, Thread Metadata).
	Thread struct {
		Locked bool `json:"locked"` // only who manages threads can open it again
	} `json:"thread_metadata"`
}

// Application is the Discord application that the bot token belongs to.
type Application struct {
	ID        string `json:"id"`
	VerifyKey string `json:"verify_key"` // Ed25519 public key, in hexadecimal
	// Endpoint is where Discord posts interactions; empty if they come over the Gateway.
	Endpoint string `json:"interactions_endpoint_url"`
}

// GatewayInfo is the answer of /gateway/bot.
type GatewayInfo struct {
	URL    string `json:"url"`    // where to connect, without query
	Shards int    `json:"shards"` // how many shards Discord recommends
	Limit  struct {
		Total          int   `json:"total"`           // identifies per day
		Remaining      int   `json:"remaining"`       // identifies left
		ResetAfter     int64 `json:"reset_after"`     // milliseconds until Remaining is Total again
		MaxConcurrency int   `json:"max_concurrency"` // identifies per 5 s
	} `json:"session_start_limit"`
}
