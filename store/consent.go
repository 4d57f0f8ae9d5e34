package store

import (
	"fmt"
	"time"
)

// Block says that a person takes no challenges: from one other person or from anybody,
// in one guild or everywhere.
type Block struct {
	User  UserID
	From  UserID  // empty for anybody
	Guild GuildID // empty for everywhere
	Since time.Time
	// Lifted says of a block in a change that it ends. What is read is never lifted.
	Lifted bool
}

// MostBlocks is how many blocks of a person are read at once.
const MostBlocks = 500

// Consent is what a change needs: that To takes challenges from By in the guild. Where By
// is blocked the change is refused with [ErrBlocked].
type Consent struct {
	Guild  GuildID
	By, To UserID
	// Unasked says that To has not asked for anything: a block of anybody counts, too.
	Unasked bool
}

// Blocks reports whether the block stands in the way of the consent.
func (b Block) Blocks(c Consent) bool {
	return !b.Lifted && b.User == c.To && (b.From == c.By || b.From == "" && c.Unasked) && (b.Guild == "" || b.Guild == c.Guild)
}

// Validate reports as an error that wraps [ErrInvalid] what is wrong with the block.
func (b Block) Validate() error {
	switch b.User {
	case "":
		return fmt.Errorf("%w: nobody blocks %q", ErrInvalid, b.From)
	case b.From:
		return fmt.Errorf("%w: %s blocks themselves", ErrInvalid, b.User)
	}
	return invalid(texts(string(b.User), string(b.From), string(b.Guild)), "block")
}

// Validate is for a consent what [Block.Validate] is for a block.
func (c Consent) Validate() error {
	if c.By == "" || c.To == "" || c.By == c.To {
		return fmt.Errorf("%w: consent of %q to %q", ErrInvalid, c.To, c.By)
	}
	return invalid(texts(string(c.Guild), string(c.By), string(c.To)), "consent")
}
