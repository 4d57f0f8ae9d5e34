package kit

import (
	"cmp"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// Refusal is a reason together with what it is about, and how it is answered.
type Refusal struct {
	Reason    error
	Match     store.Match
	Challenge store.Challenge
	Cell      engine.Cell
	Choice    match.Choice
	Hidden    bool // the choice was to be played privately
	Until     time.Time
	Day       int64         // of a puzzle
	Private   store.Match   // another one that the user plays here
	Games     []store.Match // all that take the places of the channel
	Opponent  store.Player  // whom the match would be against
	Again     customid.ID   // of a button that tries again, or resigns first
	Link      string        // to what stands in the way, where nothing else here tells
	// Stale says that the clicked message shows an older board: it is drawn again.
	Stale bool
	// InPlace answers by turning the clicked message into the refusal.
	InPlace bool
}

func (r *Refusal) Error() string { return r.Reason.Error() }

func (r *Refusal) Unwrap() error { return r.Reason }

// Lacking returns which of the permissions the application lacks where Discord has refused
// something that takes them all: they may have been taken away since the interaction.
func Lacking(in *Request, bits uint64) uint64 { return cmp.Or(in.AppLacks(bits), bits) }
