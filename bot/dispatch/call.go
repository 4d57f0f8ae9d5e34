package dispatch

import (
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
)

// Call is an interaction on its way through the bot, and what becomes of it. It is made
// once and passed down.
type Call struct {
	*discord.Interaction
	Outcome  Outcome
	Incident string        // the number that the person was told
	Name     string        // of the route, for figures: as many as there are routes, whatever is sent
	Stores   bool          // the route would store something
	Age      time.Duration // when it came
	Hidden   bool          // Discord has made a public answer private
	// AnsweredElsewhere says that Discord has taken the answer to another delivery of it.
	AnsweredElsewhere bool
	// Stored returns the time that was spent in the store; nil where nobody counts it.
	Stored func() time.Duration

	Total   time.Duration // from the receipt until the answer was taken
	Waiting time.Duration // from the receipt until the handler began
	Store   time.Duration // spent in the store
	Discord time.Duration // spent on sending the answer
}

// Response is what is to be sent: the one acknowledgement of an interaction.
type Response struct {
	Kind    rest.CallbackType // 0 sends nothing: somebody else does
	Message discord.Message   // for new messages and updates
}
