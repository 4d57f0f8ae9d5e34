package kit

import (
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/quirks"
)

// Stale reports whether a click on a message that carries the version of what it shows was made
// on another version than that. Where Discord changes numbers and the message is of before that
// was known, nothing tells: then the click is taken to be meant for what is stored.
func (b *Kit) Stale(in *Request, version int) bool {
	shown, ok := customid.PlyOf(in.Message.Marker)
	if !ok {
		b.LookAtNumbers(in)
		return !b.Quirks.Has(quirks.ChangedNumbers)
	}
	return shown != version
}

// LookAtNumbers looks whether a message that was clicked lacks the number that it was given.
// Those of old versions have none, so only what was posted or edited since the start counts.
func (b *Kit) LookAtNumbers(in *Request) {
	if in.Message.Lacks || in.Message.Text == "" {
		return // it does not tell, or is another's
	}
	if _, ok := customid.PlyOf(in.Message.Marker); ok {
		return
	}
	shown, _ := discord.Made(in.Message.ID)
	if !in.Message.Edited.IsZero() {
		shown = discord.SinceEpoch(in.Message.Edited)
	}
	if shown > discord.SinceEpoch(b.Since) {
		b.Quirks.Find(quirks.ChangedNumbers)
	}
}
