package store

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Erasure says that everything about a person is to be erased. In what stays, because it
// is about others too, the pseudonym takes the place of the person.
type Erasure struct {
	User      UserID // empty once nothing in the records names them any more
	Pseudonym UserID // see NewPseudonym
	Begun     time.Time
}

// FormerStays is for how long after the day of an erasure it is known by a keyed hash who it
// was: whoever was declined last waits for no longer.
const FormerStays = time.Hour

// erasedBit is set in what stands for somebody who was erased. Snowflakes come to it in
// 2084.
const erasedBit = 1 << 63

// ErasedID returns the id with the bits that stands for somebody who was erased. It can
// stand wherever an id can.
func ErasedID(bits uint64) UserID { return UserID(strconv.FormatUint(bits|erasedBit, 10)) }

// NewPseudonym returns what can stand in the place of a person who is erased: random, so
// that nothing leads back to them.
func NewPseudonym() UserID {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return ErasedID(binary.BigEndian.Uint64(b[:]))
}

// Erased reports whether the id stands for somebody who was erased: a pseudonym, or in a
// [Block] the keyed hash of whom it is from.
func (u UserID) Erased() bool {
	n, err := strconv.ParseUint(string(u), 10, 64)
	return err == nil && n&erasedBit != 0
}

// ErasureStep is how far an erasure has come.
type ErasureStep uint8

// The steps.
const (
	ErasureWaits  ErasureStep = 10 // for matches and challenges of the person to be ended
	ErasureGoesOn ErasureStep = 20
	ErasureDone   ErasureStep = 30
)

// Validate reports as an error that wraps [ErrInvalid] what is wrong with the erasure.
func (e Erasure) Validate() error {
	if e.User == "" || e.User.Erased() || !e.Pseudonym.Erased() {
		return fmt.Errorf("%w: erasure of %q as %q", ErrInvalid, e.User, e.Pseudonym)
	}
	return invalid(texts(string(e.User), string(e.Pseudonym)), "erasure")
}

// Named returns the people for whom the change makes or sets something: what [ErrErasing]
// keeps from those who are being erased.
func (c Change) Named() (users []UserID) {
	for _, m := range c.Matches {
		if m.Version == 0 {
			users = append(users, m.X.User, m.O.User)
		}
	}
	for _, ch := range c.Challenges {
		if ch.Version == 0 || ch.State == Open {
			users = append(users, ch.Challenger, ch.Opponent)
		}
	}
	for _, p := range c.People {
		users = append(users, p.User)
	}
	for _, t := range c.Tries {
		users = append(users, t.User)
	}
	for _, p := range c.Puzzlers {
		users = append(users, p.User)
	}
	for _, crown := range c.Crowns {
		users = append(users, crown.User)
	}
	for _, b := range c.Blocks {
		if !b.Lifted {
			users = append(users, b.User)
		}
	}
	return slices.DeleteFunc(users, func(u UserID) bool { return u == "" })
}
