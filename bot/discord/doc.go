// Package discord is Discord's JSON as values: interactions as they come in,
// messages, components and commands as they go out, ids and permissions.
//
// The types are our own although discordgo has them: discordgo decodes a button
// into a pointer and encodes a value, panics when an interaction is asked for data
// of another kind, and cannot tell an absent content from an empty one.
//
// The package knows no game, no store and no network.
package discord
