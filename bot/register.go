package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// CommandsAPI is how commands are registered.
type CommandsAPI interface {
	Commands(ctx context.Context, guildID string) ([]json.RawMessage, error)
	OverwriteCommands(ctx context.Context, guildID string, commands any) ([]json.RawMessage, error)
}

// Register is the function of that name for a bot, which then knows the ids of its commands.
func (b *Bot) Register(ctx context.Context) (written bool, err error) {
	registered, written, err := Register(ctx, b.kit.Log, b.opts.API, b.opts.CommandGuild)
	if err != nil {
		return false, err
	}
	ids := map[string]string{}
	for _, raw := range registered {
		var c struct{ ID, Name string }
		if json.Unmarshal(raw, &c) == nil {
			ids[c.Name] = c.ID
		}
	}
	b.kit.CommandIDs.Store(&ids)
	return written, nil
}

// adviceUserInstall is for an application that people cannot take along.
const adviceUserInstall = "people cannot take the commands along: tick User Install on the application's Installation page (https://discord.com/developers/applications), then start again; until then the commands are where the bot is a member, and in its direct messages"

// Register writes the application's commands, in a guild or with an empty one everywhere, if
// they differ from what is registered. It returns what is registered then, and whether it has
// written. An application that people cannot install has them refused as a whole: it gets them
// for guilds alone, which beats none, and at every start the other ones are tried first, since
// what is ticked may have changed.
func Register(ctx context.Context, log *slog.Logger, client CommandsAPI, guild store.GuildID) (_ []json.RawMessage, written bool, _ error) {
	registered, err := client.Commands(ctx, string(guild))
	if err != nil {
		return nil, false, fmt.Errorf("read commands: %w", err)
	}
	want := view.Load().Commands()
	for narrowed := false; ; narrowed = true {
		if discord.SameCommands(registered, want, guild != "") {
			return registered, false, nil
		}
		now, err := client.OverwriteCommands(ctx, string(guild), want)
		switch {
		case err == nil:
			return now, true, nil
		case narrowed || !refusesUserInstall(err):
			return nil, false, fmt.Errorf("register commands: %w", err)
		}
		log.Warn(adviceUserInstall)
		want = discord.ForGuilds(want)
	}
}

// refusesUserInstall reports whether Discord has refused who may install a command, or where
// it is there, and nothing else.
func refusesUserInstall(err error) bool {
	var refused *rest.Error
	if !errors.As(err, &refused) || !errors.Is(err, rest.ErrInvalidForm) || refused.Details == "" {
		return false
	}
	for part := range strings.SplitSeq(refused.Details, "; ") {
		if !strings.Contains(part, "integration_types") && !strings.Contains(part, "contexts") {
			return false
		}
	}
	return true
}
