package main

import (
	"context"
	"os"
)

// Bot is a bot to measure.
type Bot struct {
	// Name is what the report calls it.
	Name string
	// Program is the game's, where it is one.
	Program string
	// Environ is added to the environment of all bots; DISCORD_TOKEN and
	// DISCORD_API_URL are given anyway, and DISCORD_PUBLIC_KEY, DISCORD_GATEWAY and
	// HTTP_ADDR to a bot to which interactions are posted.
	Environ []string
	// Dir is the folder that the bot runs in.
	Dir string
	// Acknowledges says that this bot is this program, and only acknowledges: it
	// offers the command "board" instead of the game.
	Acknowledges bool
	// Stored is how many running games its store was filled with beforehand.
	Stored int
	// Posted says that interactions are posted to it instead of going over the
	// Gateway.
	Posted bool
	// Processes is how many processes of it stand behind a balancer that passes posted
	// interactions to one after the other. Zero means one, without a balancer.
	Processes int
	// Database is the process ID of the server that keeps its games, whose CPU time,
	// with that of its children, is counted apart. Zero means that there is none, or
	// that it is on another machine.
	Database int
	// Beside names the bot that this one is compared with. Without it the first bot is
	// compared with this one.
	Beside string
}

// boardVariable names the variable that makes this program a bot which only
// acknowledges: it has the name of a file with the board, as the data of an
// interaction's answer in JSON.
const boardVariable = "TICTACTOE_LOADTEST_BOARD"

// beBot acknowledges, in answers to what is posted to HTTP_ADDR or else as a session,
// until the context ends.
func beBot(ctx context.Context, file string) error {
	board, err := os.ReadFile(file) //nolint:gosec // named by the command itself, for its own child
	if err != nil {
		return err
	}
	if err := serveProfiles(ctx, os.Getenv("METRICS_ADDR")); err != nil {
		return err
	}
	api, token := os.Getenv("DISCORD_API_URL"), os.Getenv("DISCORD_TOKEN")
	if addr := os.Getenv("HTTP_ADDR"); addr != "" {
		return answer(ctx, api, token, os.Getenv("DISCORD_PUBLIC_KEY"), addr, board)
	}
	return acknowledge(ctx, api, token, board)
}
