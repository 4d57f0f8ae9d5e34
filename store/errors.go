package store

import "errors"

// What a backend can answer. Errors that it returns wrap one of these where a
// caller can act on it; test for them with errors.Is.
var (
	// ErrNotFound: there is no such record.
	ErrNotFound = errors.New("store: not found")
	// ErrConflict: the record has been changed since it was read, or one that was
	// to be created exists.
	ErrConflict = errors.New("store: changed meanwhile")
	// ErrClaimed: the interaction has had its effect already.
	ErrClaimed = errors.New("store: interaction already handled")
	// ErrPlaceTaken: another match is active in that place of the channel.
	ErrPlaceTaken = errors.New("store: place in the channel is taken")
	// ErrSeatTaken: one of the players is in another active public match of the channel.
	ErrSeatTaken = errors.New("store: user plays in the channel already")
	// ErrPairTaken: the two have an open challenge in that guild, or there is one for the
	// crown already.
	ErrPairTaken = errors.New("store: pair has an open challenge")
	// ErrBlocked: a person takes no challenges from another one.
	ErrBlocked = errors.New("store: takes no challenges")
	// ErrErasing: a person of the change is being erased. It passes.
	ErrErasing = errors.New("store: a person is being erased")
	// ErrImmutable: the change would move a match elsewhere, rewrite its moves, or add to
	// the moves or change the result of an ended one.
	ErrImmutable = errors.New("store: moves and results are never rewritten")
	// ErrInvalid: the record breaks its own rules; nothing was tried.
	ErrInvalid = errors.New("store: invalid record")
	// ErrPending: the context ended while the change was being committed, or the
	// disk failed so late in the commit that it may have been completed. Whether the
	// change is stored will only be known by reading.
	ErrPending = errors.New("store: outcome not known yet")
	// ErrClosed: the store has been closed.
	ErrClosed = errors.New("store: closed")
	// ErrNewerSchema: the database was written by a newer program. It is left
	// untouched.
	ErrNewerSchema = errors.New("store: database is of a newer version")
	// ErrNotDatabase: the file is no database of this program. It is left untouched.
	ErrNotDatabase = errors.New("store: not a database of this program")
	// ErrReadOnly: the database cannot be written.
	ErrReadOnly = errors.New("store: database is read-only")
	// ErrBusy: another program kept the database locked for too long.
	ErrBusy = errors.New("store: database is locked by another program")
	// ErrUnreachable: the server that keeps the database does not answer, or not yet.
	ErrUnreachable = errors.New("store: database cannot be reached")
	// ErrFull: no space is left for the database.
	ErrFull = errors.New("store: no space left for the database")
	// ErrDamaged: the database is damaged, or the disk fails.
	ErrDamaged = errors.New("store: database is damaged or its disk fails")
)
