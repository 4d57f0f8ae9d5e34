package rules

import (
	"fmt"
	"net/http"
	"time"
)

// Error is an answer of Discord's that says no.
type Error struct {
	Status  int
	Code    int
	Message string
	Errors  map[string]any // nested by field, only with 50035
	// RetryAfter is how long to wait, only with status 429.
	RetryAfter time.Duration
}

// Error is the error in a line, for logs.
func (e *Error) Error() string { return fmt.Sprintf("%d %s (code %d)", e.Status, e.Message, e.Code) }

// Body is the JSON that Discord answers with.
func (e *Error) Body() map[string]any {
	b := map[string]any{"message": e.Message, "code": e.Code}
	if len(e.Errors) > 0 {
		b["errors"] = e.Errors
	}
	if e.RetryAfter > 0 {
		b["retry_after"], b["global"] = e.RetryAfter.Seconds(), false
	}
	return b
}

// Discord's errors by name. They are shared and never changed.
var (
	ErrNotFound           = &Error{Status: http.StatusNotFound, Message: "404: Not Found"}
	ErrVersion            = &Error{Status: http.StatusBadRequest, Code: 50041, Message: "Invalid API version specified"}
	ErrMethod             = &Error{Status: http.StatusMethodNotAllowed, Message: "405: Method Not Allowed"}
	ErrUnauthorized       = &Error{Status: http.StatusUnauthorized, Message: "401: Unauthorized"}
	ErrUserAgent          = &Error{Status: http.StatusForbidden, Code: 40333, Message: "internal network error"}
	ErrTooLarge           = &Error{Status: http.StatusRequestEntityTooLarge, Code: 40005, Message: "Request entity too large"}
	ErrBadJSON            = &Error{Status: http.StatusBadRequest, Code: 50109, Message: "The request body contains invalid JSON."}
	ErrUnknownChannel     = &Error{Status: http.StatusNotFound, Code: 10003, Message: "Unknown Channel"}
	ErrUnknownGuild       = &Error{Status: http.StatusNotFound, Code: 10004, Message: "Unknown Guild"}
	ErrUnknownMember      = &Error{Status: http.StatusNotFound, Code: 10007, Message: "Unknown Member"}
	ErrUnknownMessage     = &Error{Status: http.StatusNotFound, Code: 10008, Message: "Unknown Message"}
	ErrUnknownUser        = &Error{Status: http.StatusNotFound, Code: 10013, Message: "Unknown User"}
	ErrUnknownWebhook     = &Error{Status: http.StatusNotFound, Code: 10015, Message: "Unknown Webhook"}
	ErrUnknownOverwrite   = &Error{Status: http.StatusNotFound, Code: 10009, Message: "Unknown permission overwrite"}
	ErrUnknownRole        = &Error{Status: http.StatusNotFound, Code: 10011, Message: "Unknown Role"}
	ErrUnknownEmoji       = &Error{Status: http.StatusBadRequest, Code: 10014, Message: "Unknown Emoji"}
	ErrUnknownBan         = &Error{Status: http.StatusNotFound, Code: 10026, Message: "Unknown Ban"}
	ErrMaxPins            = &Error{Status: http.StatusBadRequest, Code: 30003, Message: "Maximum number of pins reached for the channel"}
	ErrMaxReactions       = &Error{Status: http.StatusBadRequest, Code: 30010, Message: "Maximum number of reactions reached (20)"}
	ErrChannelType        = &Error{Status: http.StatusBadRequest, Code: 50024, Message: "Cannot execute action on this channel type"}
	ErrInvalidRole        = &Error{Status: http.StatusBadRequest, Code: 50028, Message: "Invalid Role"}
	ErrOldMessages        = &Error{Status: http.StatusBadRequest, Code: 50034, Message: "You can only bulk delete messages that are under 14 days old."}
	ErrMaxWebhooks        = &Error{Status: http.StatusBadRequest, Code: 30007, Message: "Maximum number of webhooks reached (15)"}
	ErrMaxEmojis          = &Error{Status: http.StatusBadRequest, Code: 30008, Message: "Maximum number of emojis reached (2000)"}
	ErrNoEmoji            = &Error{Status: http.StatusNotFound, Code: 10014, Message: "Unknown Emoji"}
	ErrThreadExists       = &Error{Status: http.StatusBadRequest, Code: 160004, Message: "A thread has already been created for this message"}
	ErrUnknownInteraction = &Error{Status: http.StatusNotFound, Code: 10062, Message: "Unknown interaction"}
	ErrUnknownCommand     = &Error{Status: http.StatusNotFound, Code: 10063, Message: "Unknown application command"}
	ErrCommandCreates     = &Error{Status: http.StatusBadRequest, Code: 30034, Message: "Max number of daily application command creates has been reached (200)"}
	ErrAcknowledged       = &Error{Status: http.StatusBadRequest, Code: 40060, Message: "Interaction has already been acknowledged."}
	ErrFollowUps          = &Error{Status: http.StatusBadRequest, Code: 40094, Message: "Maximum number of follow up messages reached for this interaction"}
	ErrMissingAccess      = &Error{Status: http.StatusForbidden, Code: 50001, Message: "Missing Access"}
	ErrNotAuthor          = &Error{Status: http.StatusForbidden, Code: 50005, Message: "Cannot edit a message authored by another user"}
	ErrEmptyMessage       = &Error{Status: http.StatusBadRequest, Code: 50006, Message: "Cannot send an empty message"}
	ErrClosedDMs          = &Error{Status: http.StatusForbidden, Code: 50007, Message: "Cannot send messages to this user"}
	ErrNotText            = &Error{Status: http.StatusBadRequest, Code: 50008, Message: "Cannot send messages in a non-text channel"}
	ErrMissingPermissions = &Error{Status: http.StatusForbidden, Code: 50013, Message: "Missing Permissions"}
	ErrSystemMessage      = &Error{Status: http.StatusForbidden, Code: 50021, Message: "Cannot execute action on a system message"}
	ErrWebhookToken       = &Error{Status: http.StatusUnauthorized, Code: 50027, Message: "Invalid Webhook Token"}
	ErrArchived           = &Error{Status: http.StatusBadRequest, Code: 50083, Message: "Thread is archived"}
	ErrLocked             = &Error{Status: http.StatusBadRequest, Code: 160005, Message: "Thread is locked"}
	// ErrLockedToToken is ErrArchived as a locked thread answers an interaction token: callbacks
	// have it with this status (discord/discord-api-docs#5517 and #7707), and for the routes
	// of webhooks nothing else is known.
	ErrLockedToToken = &Error{Status: http.StatusForbidden, Code: 50083, Message: "Thread is archived"}
	ErrServer        = &Error{Status: http.StatusInternalServerError, Message: "500: Internal Server Error"}
)

// TooManyOldEdits refuses an edit of a message older than OldMessage, with the status that
// a log of aikaterna-cogs shows (its issue 302).
func TooManyOldEdits(wait time.Duration) *Error {
	return &Error{
		Status: http.StatusTooManyRequests, Code: 30046, RetryAfter: max(wait, time.Millisecond),
		Message: "Maximum number of edits to messages older than 1 hour reached. Try again later.",
	}
}

// ResourceLimited refuses a request for something that many applications share;
// discord/discord-api-docs#5574 shows its body.
func ResourceLimited(wait time.Duration) *Error {
	return &Error{
		Status: http.StatusTooManyRequests, Code: 40062, RetryAfter: max(wait, time.Millisecond),
		Message: "Service resource is being rate limited.",
	}
}

// NotOffered refuses what Discord has and the sandbox has not, instead of taking it
// for something else. Libraries show the sentence of a status of the four hundreds, and take
// those of five hundred for an outage.
func NotOffered(what string) *Error {
	return &Error{Status: http.StatusBadRequest, Message: "sandbox: " + what + " is part of Discord's API but not offered here"}
}
