package bot_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/view"
)

// command is one to send.
type command struct {
	path string
	says string // a part of the answer
	args []sandbox.Arg
}

// chatCommands returns the commands of everybody that are registered, with their subcommands.
func chatCommands(w *bottest.World) (paths []string) {
	for _, c := range w.Discord.App().Commands("") {
		switch c.Name {
		case view.ShortCommand:
			paths = append(paths, c.Name)
			continue
		case view.ChatCommand:
		default:
			continue
		}
		for _, sub := range c.Options {
			paths = append(paths, c.Name+" "+sub.Name)
		}
	}
	return paths
}

// TestEveryCommandAnywhere sends every command from everywhere: it works or is refused in
// words, never as a mistake of ours, and is offered where it is meant to be and nowhere else.
func TestEveryCommandAnywhere(t *testing.T) {
	t.Parallel()
	places := map[string]func(*bottest.World) *sandbox.Channel{
		"a server with the bot":     func(w *bottest.World) *sandbox.Channel { return w.Channel },
		"the bot's direct messages": func(w *bottest.World) *sandbox.Channel { return w.Ada.DM() },
	}
	for name, place := range away {
		places[name] = place
	}
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := brought(t, place)
			w.Ada.Set(sandbox.Permissions(permission.Administrator))
			asked, table, leaderboard := w.Bob.Mention()+", "+w.Ada.Mention()+" challenges you", w.Ada.Mention()+" is looking for an opponent", "Leaderboards are only on servers."
			switch name {
			case "a server with the bot":
				leaderboard = "This month"
			case "a server":
				leaderboard = "This server shows no leaderboard."
			case "a server with the commands only":
				leaderboard = "can add me: https://"
			case "the bot's direct messages":
				asked, table = "there's nobody to challenge.", "there's nobody to challenge."
			}
			commands := []command{
				{path: "play", says: "your move"},
				{path: "board", says: "your move"},
				{path: "hint", says: "hint"},
				{path: "resign", says: "Resign"},
				{path: "challenge", says: asked, args: []sandbox.Arg{sandbox.OptUser("user", w.Bob)}},
				{path: "challenge", says: table},
				{path: "puzzle", says: "Puzzle"},
				{path: "stats", says: "\nNo finished games yet."},
				{path: "stats", says: "\nNo finished games yet.", args: []sandbox.Arg{sandbox.OptUser("user", w.Bob)}},
				{path: "leaderboard", says: leaderboard},
				{path: "review", says: "You haven't finished a game yet."},
				{path: "help", says: "from 🎲 Random to 💀 Perfect"},
				{path: "preferences", says: "hallenges"},
				{path: view.ShortCommand, says: "your move"},
			}
			for _, path := range chatCommands(w) {
				if !slices.ContainsFunc(commands, func(c command) bool { return "tictactoe "+c.path == path || c.path == path }) {
					t.Errorf("/%s is not tried", path)
				}
			}
			for _, command := range commands {
				path := command.path
				if path != view.ShortCommand {
					path = "tictactoe " + path
				}
				r := w.Ada.Command(t, w.Channel, path, command.args...)
				text := w.Answer(t, r).Text()
				if text == "" || strings.Contains(text, "went wrong") || !strings.Contains(text, command.says) {
					t.Errorf("%s: %q, want %q in it", command.path, text, command.says)
				}
			}
			_, err := w.Ada.Prepare(sandbox.UserCommand{Channel: w.Channel, Name: "Challenge to tic-tac-toe", Target: w.Bob})
			if alone := name == "the bot's direct messages"; alone != errors.Is(err, sandbox.ErrUnknownCommand) {
				t.Errorf("the entry in a member's menu: %v", err)
			}
			_, err = w.Ada.Prepare(sandbox.SlashCommand{Channel: w.Channel, Path: "tictactoe-admin check"})
			if home := strings.HasPrefix(name, "a server with the "); home != (err == nil) {
				t.Errorf("the admins' command: %v", err)
			}
			if strings.Contains(w.Log.String(), "interaction failed") {
				t.Error("a command met a mistake of ours")
			}
		})
	}
}
