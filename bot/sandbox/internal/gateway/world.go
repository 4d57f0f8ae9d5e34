// Package gateway is where bots connect: connections, sessions and shards, what is said on
// them, and what goes wrong with them on purpose. Of the world it knows which applications
// there are and in which guilds their bots are.
package gateway

import (
	"context"
	"log/slog"

	"tictactoe/bot/sandbox/clock"
)

// World is what a Gateway asks of the world and tells it. Its lock, which guards all of a
// Gateway too, is held by whoever calls the methods from App to Tell.
type World interface {
	// Hold takes the lock until the function that it returns is called.
	Hold() (release func())
	Log() *slog.Logger
	Clock() clock.Clock
	// Closing ends when the server begins to close.
	Closing() context.Context
	// App is the application of a bot token, if there is one.
	App(token string) (a App, ok bool)
	// Excuse keeps the bot from being blamed for interactions that nobody hears, and with
	// pending for those that wait for an answer.
	Excuse(pending bool)
	Tell(what Event)
}

// App is an application. Values are equal that are the same one.
type App interface {
	ID() string
	Name() string
	User() any // the object of its bot
	// Intents are the privileged ones that are enabled.
	Intents() int
	// Guilds are the ids of the guilds that its bot is in.
	Guilds() []string
	// Guild is one of them as GUILD_CREATE tells of it.
	Guild(id string) any
	// Member is the object of a member of one of them, nil for who is none.
	Member(guildID, userID string) any
	// Members are those of members whose names begin with a text, up to a limit.
	Members(guildID, begin string, limit int) []any
}

// Event is something that a Gateway tells of itself.
type Event string

// The events of a Gateway.
const (
	Connected     Event = "gateway_connected" // a session became ready or resumed
	Lost          Event = "gateway_lost"      // a session lost its connection
	FaultsChanged Event = "faults_changed"    // armed or used
	Counted       Event = ""                  // a connection began or ended, and counts or does no more
)
