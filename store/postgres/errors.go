package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store"
)

// Codes of errors, and classes of them (PostgreSQL's documentation, appendix A).
const (
	uniqueViolation      = "23505"
	readOnlyTransaction  = "25006"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	lockNotAvailable     = "55P03"
	queryCanceled        = "57014"
	insufficientRights   = "42501"
	undefinedTable       = "42P01"
	duplicateTable       = "42P07"
	undefinedDatabase    = "3D000"
	diskFull             = "53100"
	tooManyConnections   = "53300"
	dataCorrupted        = "XX001"
	indexCorrupted       = "XX002"

	connectionClass   = "08"
	interventionClass = "57" // by an operator: shut down, still starting
	authClass         = "28"
)

// code returns the code of an error that the server reported, empty for others.
func code(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// class returns the first two characters of the code.
func class(err error) string {
	c := code(err)
	return c[:min(2, len(c))]
}

// sentinel wraps the error in the sentinel that says what callers can do about it. Those
// of package store, and those without a sentinel, stay as they are.
func sentinel(err error) error {
	var is error
	switch code(err) {
	case readOnlyTransaction, insufficientRights:
		is = store.ErrReadOnly
	case serializationFailure, deadlockDetected, lockNotAvailable, queryCanceled:
		is = store.ErrBusy
	case diskFull:
		is = store.ErrFull
	case undefinedTable, undefinedDatabase, dataCorrupted, indexCorrupted:
		is = store.ErrDamaged
	default:
		if !isLost(err) && class(err) != authClass {
			return err
		}
		is = store.ErrUnreachable
	}
	return fmt.Errorf("%w: %w", is, err)
}

// isLost reports whether the error is about the connection and not about what was sent
// over it.
func isLost(err error) bool {
	switch class(err) {
	case connectionClass, interventionClass:
		return code(err) != queryCanceled
	case "":
		var network net.Error
		var connecting *pgconn.ConnectError
		return pgconn.SafeToRetry(err) || pgconn.Timeout(err) || errors.As(err, &network) || errors.As(err, &connecting) ||
			errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	default:
		return code(err) == tooManyConnections
	}
}

// isPassing reports whether the same transaction may succeed when it is tried again at
// once.
func isPassing(err error) bool {
	return isContention(err) && code(err) != lockNotAvailable || isLost(err) && !errors.Is(err, context.DeadlineExceeded)
}

// isContention reports whether the transaction met others, and nothing else is wrong. A key
// that nobody can be refused for was counted by two at once.
func isContention(err error) bool {
	return slices.Contains([]string{serializationFailure, deadlockDetected, lockNotAvailable, uniqueViolation}, code(err))
}
