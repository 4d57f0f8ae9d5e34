package dispatch

import (
	"time"

	"tictactoe/bot/discord"
)

const (
	// answerMargin is kept for the way back.
	answerMargin = 150 * time.Millisecond
	// answerReserve is the part of the time for an answer that handlers do not get: it
	// is for sending. Where hardly more is left they get half.
	answerReserve = 700 * time.Millisecond
	// mostAge is how old an interaction can be: Discord replays minutes. An id that says
	// more holds no time.
	mostAge = time.Hour
)

// age returns how old an interaction was when it came: from the time in its id to the
// receipt, both by Discord's clock, so that a wrong one of ours silences nobody.
func (d *Dispatcher[K, R, P]) age(in *discord.Interaction) time.Duration {
	made, ok := discord.Made(in.ID)
	age := discord.SinceEpoch(d.opts.API.DiscordTime(in.Received)) - made
	if !ok || age > mostAge {
		return 0
	}
	return max(0, age)
}
