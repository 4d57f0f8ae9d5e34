package rest

import "encoding/json"

// CallbackType is the kind of a first answer to an interaction, as numbered in
// Discord's documentation ("Interaction Callback Type").
type CallbackType int

// The kinds of first answers that this bot has a use for.
const (
	CallbackPong           CallbackType = 1 // to a PING, over HTTP only
	CallbackMessage        CallbackType = 4 // a new message
	CallbackDeferMessage   CallbackType = 5 // "is thinking", the message follows
	CallbackDeferUpdate    CallbackType = 6 // acknowledge a component silently
	CallbackUpdate         CallbackType = 7 // edit the component's own message
	CallbackAutocomplete   CallbackType = 8
	CallbackModal          CallbackType = 9
	flagEphemeral                       = 1 << 6
	interactionHasResource              = "?with_response=true"
)

// Callback is the first answer to an interaction. Data is encoded as JSON unless
// it is a json.RawMessage already; nil leaves the field out.
type Callback struct {
	Type CallbackType `json:"type"`
	Data any          `json:"data,omitempty"`
}

// Message is what the bot needs to know of a message that it wrote. Discord's
// object has far more; Raw keeps all of it.
type Message struct {
	ID        string          `json:"id"`
	ChannelID string          `json:"channel_id"`
	Flags     int64           `json:"flags"`
	Raw       json.RawMessage `json:"-"`

	ephemeral bool // said by the callback's own answer
}

// Ephemeral reports whether only the person who caused the message sees it. It
// may be true although a public message was asked for: Discord decides so where
// a guild does not let installed apps speak in public.
func (m *Message) Ephemeral() bool { return m.ephemeral || m.Flags&flagEphemeral != 0 }

// User is a Discord account.
type User struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	Bot      bool   `json:"bot"`
}

// Application is the Discord application that the bot token belongs to.
type Application struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	BotPublic bool   `json:"bot_public"`
	VerifyKey string `json:"verify_key"` // Ed25519 public key, in hexadecimal
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
