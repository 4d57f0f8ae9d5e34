package rest

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Errors that callers act on. Each stands for Discord's JSON error codes named
// beside it, and is found with errors.Is in what the methods of Client return. On
// routes that name a message 401, 403 and 404 mean something without a code as well:
// ErrTokenDead by an interaction token, else ErrMissingAccess (403) or
// ErrUnknownMessage (404).
var (
	// ErrUnknownInteraction (10062): answered too late, or the id or token is
	// wrong. The answer had no effect; do not repeat it.
	ErrUnknownInteraction = errors.New("unknown interaction")
	// ErrAlreadyAcknowledged (40060): the interaction has its first answer. After
	// a try whose outcome was unknown it means that the try succeeded.
	ErrAlreadyAcknowledged = errors.New("interaction already acknowledged")
	// ErrAnsweredElsewhere is an ErrAlreadyAcknowledged of a call none of whose tries can
	// have been what Discord took.
	ErrAnsweredElsewhere = fmt.Errorf("by another answer: %w", ErrAlreadyAcknowledged)
	// ErrTokenDead (50027, 10015): the interaction token no longer works, or never
	// had a valid first answer. It says nothing about the bot token.
	ErrTokenDead = errors.New("interaction token dead")
	// ErrUnknownMessage (10008): deleted, or ephemeral and out of reach by channel.
	ErrUnknownMessage = errors.New("unknown message")
	// ErrUnknownChannel (10003): the channel is gone.
	ErrUnknownChannel = errors.New("unknown channel")
	// ErrUnknownMember (10007, 10013): the user is not in the guild, or there is none.
	ErrUnknownMember = errors.New("unknown member")
	// ErrUnknownGuild (10004): the guild is gone, or the bot is no longer in it.
	ErrUnknownGuild = errors.New("unknown guild")
	// ErrMissingAccess (50001): the bot cannot see the channel.
	ErrMissingAccess = errors.New("missing access")
	// ErrMissingPermissions (50013): the bot sees the channel but may not do this.
	ErrMissingPermissions = errors.New("missing permissions")
	// ErrInvalidForm (50035): Discord refused the body; Error.Details says where.
	ErrInvalidForm = errors.New("invalid form body")
	// ErrArchived (50083, 160005): the thread is archived, or locked.
	ErrArchived = errors.New("thread is archived")
	// ErrUnauthorized: HTTP 401 on a route that carries the bot token. The token
	// is wrong or was reset; no request will succeed again.
	ErrUnauthorized = errors.New("bot token refused")
	// ErrRateLimited: Discord answered 429 and the wait does not fit, or too many
	// requests wait already and this one was not sent.
	ErrRateLimited = errors.New("rate limited")
	// ErrNoApplication: an application id is needed and none is known yet.
	ErrNoApplication = errors.New("application id not known")
	// ErrTooLarge: the answer's body is larger than the client reads.
	ErrTooLarge = errors.New("response body too large")
	// ErrBadArgument: an id or token that cannot stand in a path. Nothing was sent.
	ErrBadArgument = errors.New("argument cannot be part of a path")
)

var sentinelByCode = map[int]error{
	10062:  ErrUnknownInteraction,
	40060:  ErrAlreadyAcknowledged,
	50027:  ErrTokenDead,
	10015:  ErrTokenDead,
	10008:  ErrUnknownMessage,
	10003:  ErrUnknownChannel,
	10004:  ErrUnknownGuild,
	10007:  ErrUnknownMember,
	10013:  ErrUnknownMember,
	50001:  ErrMissingAccess,
	50013:  ErrMissingPermissions,
	50035:  ErrInvalidForm,
	50083:  ErrArchived,
	160005: ErrArchived,
}

// Error is an answer from Discord that was not a success, or a refusal of the
// client's own limiter (Status 0).
type Error struct {
	Status  int    // HTTP status; 0 when the request was not sent
	Code    int    // Discord's JSON error code; 0 when the body had none
	Message string // Discord's message, shortened
	Route   string // method and route template, such as "PATCH /channels/{channel}/messages/{message}"

	// Details lists the nested errors of code 50035 as "path: CODE message" joined
	// by "; ". It is for the log, never for people.
	Details string

	// RetryAfter is how long Discord, or the limiter, asks to wait; 0 if not said.
	RetryAfter time.Duration

	botToken bool // the request carried the bot token
	shared   bool // a 429 of shared scope, which does not count as invalid
	global   bool // its body speaks of all routes, or is none of Discord's
	unsure   bool // an earlier try of the same call may have been taken
}

// Error names the route, status, code and message, never a token.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Route)
	b.WriteString(": ")
	if e.Status == 0 {
		b.WriteString("not sent")
	} else {
		fmt.Fprintf(&b, "HTTP %d", e.Status)
	}
	if e.Code != 0 {
		fmt.Fprintf(&b, ", code %d", e.Code)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.Details != "" {
		b.WriteString(" (" + e.Details + ")")
	}
	if e.RetryAfter > 0 {
		b.WriteString(", retry after " + e.RetryAfter.String())
	}
	return b.String()
}

// Is reports whether e stands for target, one of this package's sentinels.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrRateLimited:
		return e.Status == http.StatusTooManyRequests || e.Status == 0
	case ErrUnauthorized:
		return e.Status == http.StatusUnauthorized && e.botToken && e.Code != 50027
	case ErrAnsweredElsewhere:
		return sentinelByCode[e.Code] == ErrAlreadyAcknowledged && !e.unsure
	}
	known, ok := sentinelByCode[e.Code]
	if !ok {
		known = e.byStatus()
	}
	return known != nil && known == target
}

// byStatus says what a refused request on a message means where no known code does:
// a proxy answers in HTML, and not every refusal has a code.
func (e *Error) byStatus() error {
	refused := e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden || e.Status == http.StatusNotFound
	switch {
	case !refused || !strings.HasSuffix(e.Route, messageRoute):
		return nil
	case !e.botToken:
		return ErrTokenDead // the bot's own token may do better
	case e.Status == http.StatusForbidden:
		return ErrMissingAccess
	case e.Status == http.StatusNotFound:
		return ErrUnknownMessage
	}
	return nil
}

// messageRoute is how the template of a route ends that names a message.
const messageRoute = "/messages/{message}"

// Gone reports whether err says that a message, channel or guild no longer exists.
func Gone(err error) bool {
	return errors.Is(err, ErrUnknownMessage) || errors.Is(err, ErrUnknownChannel) || errors.Is(err, ErrUnknownGuild)
}

// Forbidden reports whether err says that the bot may not act there: it lacks
// access or a permission, or the thread is archived.
func Forbidden(err error) bool {
	return errors.Is(err, ErrMissingAccess) || errors.Is(err, ErrMissingPermissions) || errors.Is(err, ErrArchived)
}

// Refused reports whether Discord has refused what was asked, as it would another time.
func Refused(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status >= 400 && e.Status < 500 && e.Status != http.StatusTooManyRequests
}

// connError is a request that got no answer.
type connError struct {
	op  string // method, or method and route
	err error

	secrets []string // of the request; the server's own words may quote it
}

func (e *connError) Error() string { return e.op + ": " + hide(e.err.Error(), e.secrets) }
func (e *connError) Unwrap() error { return e.err }
