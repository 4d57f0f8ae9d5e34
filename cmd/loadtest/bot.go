package main

import (
	"context"
	"os"
)

// Bot is a bot to measure.
type Bot struct {
	// BotReport is what the report says of it: what it is called and what it is from the
	// first, and what was measured as soon as that is known.
	BotReport
	// Program is the game's, where it is one. A bot that only acknowledges is this program:
	// it offers the command "board" instead of the game.
	Program string
	// Store is where the game is kept, as DATABASE_URL has it; newDatabase for one that is
	// still to be made.
	Store string
	// Dir is the folder that the bot runs in.
	Dir string
	// Balanced says that its processes stand behind a balancer that passes posted
	// interactions to one after the other.
	Balanced bool
	// Database is the process ID of the server that keeps its games, whose CPU time,
	// with that of its children, is counted apart. Zero means that there is none, or
	// that it is on another machine.
	Database int
}

// boardVariable names the variable that makes this program a bot which only
// acknowledges: it has the board, as the data of an interaction's answer in JSON.
const boardVariable = "TICTACTOE_LOADTEST_BOARD"

// beBot acknowledges, in answers to what is posted to HTTP_ADDR or else as a session,
// until the context ends.
func beBot(ctx context.Context, data string) error {
	board, err := decodeBoard([]byte(data))
	if err != nil {
		return err
	}
	s, err := restSession(os.Getenv("DISCORD_API_URL"), os.Getenv("DISCORD_TOKEN"))
	if err != nil {
		return err
	}
	if addr := os.Getenv("HTTP_ADDR"); addr != "" {
		return answer(ctx, os.Getenv("DISCORD_PUBLIC_KEY"), addr, board)
	}
	return acknowledge(ctx, s, board)
}
