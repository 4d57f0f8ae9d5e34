package sandbox

import "errors"

// Errors of what a person tries to do; the actor methods that return an error
// wrap one of these.
var (
	// ErrNotLoopback refuses an Options.Addr that other machines could reach.
	ErrNotLoopback = errors.New("sandbox: address is not on loopback")
	// ErrClosed is returned once the server was closed.
	ErrClosed = errors.New("sandbox: server is closed")
	// ErrUnknownCommand means that no such command is registered where the person is.
	ErrUnknownCommand = errors.New("sandbox: no such command here")
	// ErrBadOption means that the client would not have let the person send
	// these options: unknown, missing, of the wrong type or out of range.
	ErrBadOption = errors.New("sandbox: the command does not take that")
	// ErrForbidden means that the person lacks the permission, or is not in the guild.
	ErrForbidden = errors.New("sandbox: not permitted")
	// ErrNotVisible means that the person cannot see the message or channel.
	ErrNotVisible = errors.New("sandbox: not visible to this person")
	// ErrNoComponent means that the message shows no such component.
	ErrNoComponent = errors.New("sandbox: no such component on the message")
	// ErrDisabled means that the component is disabled.
	ErrDisabled = errors.New("sandbox: component is disabled")
	// ErrNoModal means that the call was not answered with a modal.
	ErrNoModal = errors.New("sandbox: no modal is open")
	// ErrUnknownFault means that no fault has that name or that its arguments make no sense.
	ErrUnknownFault = errors.New("sandbox: no such fault")
	// ErrGone means that the message, channel or person no longer exists.
	ErrGone = errors.New("sandbox: gone")
)
