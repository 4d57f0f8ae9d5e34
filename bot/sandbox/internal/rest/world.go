// Package rest is how requests for Discord's REST API are taken: routed, authorised, counted
// against the rate limits, met by faults, answered, recorded and logged. What they are about
// is for the endpoints that it is given.
package rest

import (
	"context"
	"log/slog"
	"strconv"

	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/internal/depart"
	"tictactoe/bot/sandbox/rules"
)

// World is what the API asks of the world and tells it. Its lock, which guards all of an API
// too, is held by whoever calls the methods from First to FaultsChanged.
type World interface {
	// Hold takes the lock until the function that it returns is called.
	Hold() (release func())
	Log() *slog.Logger
	Clock() clock.Clock
	// Closing ends when the server begins to close.
	Closing() context.Context
	// Activity notes that a request begins or ends.
	Activity(n int)
	// First is the first application, App that of a bot token, if there is one.
	First() App
	App(token string) (a App, ok bool)
	// AppOf is the application that a route with an interaction token is for, unless the
	// token is another one.
	AppOf(params map[string]string) (a App, ok bool)
	// CallOf is the interaction whose token a route carries, if there is one.
	CallOf(params map[string]string) (c Call, ok bool)
	// Changed wakes those who wait.
	Changed()
	FaultsChanged()
	// Departures are what is to be otherwise than at Discord.
	Departures() depart.List
}

// App is an application; values are equal that are the same one.
type App any

// Call is an interaction. The world's lock is held by who calls what changes it.
type Call interface {
	ID() string
	Excuse()                // it need not be answered
	Refused(problem string) // a request for it was
	Fail(problem string)    // it is not answered
}

// Limit is the query parameter of that name. What is wrong with it is noted in the form.
func (x *Exchange) Limit(standard, highest int) int {
	q := x.Query.Get("limit")
	if q == "" {
		return standard
	}
	n, err := strconv.Atoi(q)
	if err != nil || n < 1 || n > highest {
		x.Form.At("limit").Fail("NUMBER_TYPE_MAX", "int value should be between 1 and %d.", highest)
	}
	return n
}

// Anchor is a query parameter that is a snowflake, empty without it. Another one is noted in the form.
func (x *Exchange) Anchor(name string) string {
	q := x.Query.Get(name)
	if q != "" && q != "0" && !rules.IsSnowflake(q) {
		x.Form.At(name).Fail("NUMBER_TYPE_COERCE", `Value "%s" is not snowflake.`, q)
	}
	return q
}
