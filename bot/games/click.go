package games

import (
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/store"
)

const (
	// lookTime is what a person needs at least to look at a new picture and to tap on
	// what they saw. A tap that comes sooner was meant for the picture before.
	lookTime = 400 * time.Millisecond
	// clockSlack is by how much the clocks of Discord's servers may differ that date a
	// click and an edit. An id that is older than the edit by more holds no time.
	clockSlack = 100 * time.Millisecond
)

// aim says which position a click on a cell was meant for, as the click itself tells:
// no memory of this process is needed.
type aim struct {
	shown int // the ply of the position that stood on the message
	ply   int // the ply of the position that the click was meant for
}

// aimOf reads the aim of a click on a cell of the match. The message comes along as
// Discord had it when it took the click, and its marker tells the position. Messages of
// older versions have the ply in the button's ID, or no marker: then the click is
// taken to be meant for what is stored.
func aimOf(in *discord.Interaction, id customid.ID, m store.Match) aim {
	if id.Action == customid.CellAtPly {
		return aim{shown: id.Ply, ply: id.Ply}
	}
	shown, ok := customid.PlyOf(in.Message.Marker)
	if !ok || in.Message.Lacks && in.Message.ID != string(m.Message) { // nobody's marker, or another match's
		return aim{shown: len(m.Moves), ply: len(m.Moves)}
	}
	if !customid.Again(in.Message.Marker) && Soon(in) {
		return aim{shown: shown, ply: shown - 1}
	}
	return aim{shown: shown, ply: shown}
}

// Soon reports whether the click came too soon after the last edit of its message to
// be meant for what that shows. Both times are Discord's: a wrong clock of this
// machine changes nothing. A click whose id holds no time is not soon.
func Soon(in *discord.Interaction) bool {
	clicked, ok := discord.Made(in.ID)
	if !ok || in.Message.Edited.IsZero() {
		return false
	}
	since := clicked - discord.SinceEpoch(in.Message.Edited)
	return -clockSlack <= since && since < lookTime
}
