package discord_test

import (
	_ "embed"
	"encoding/json"
	"testing"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/discord/discordtest"
)

// Bodies that Discord itself has sent, with other names, texts and ids.
var (
	// recordedClick is a click on a button in a thread, of 2026-02, as far as vercel/chat has
	// kept it (packages/integration-tests/fixtures/replay/channel/discord.json, commit
	// 6a986dff): its thread has neither metadata nor a member, its message only an id.
	//
	//go:embed testdata/click-in-thread-2026-02.json
	recordedClick []byte

	// recordedCommand is the answer to the creation of a command by
	// POST /applications/{application}/commands, of 2026-01, from the README of a bot for
	// giveaways.
	//
	//go:embed testdata/registration-2026-01.json
	recordedCommand []byte
)

// TestReadsWhatDiscordSigned decodes slash commands as Discord's own bytes have them.
func TestReadsWhatDiscordSigned(t *testing.T) {
	t.Parallel()
	for _, s := range discordtest.SignedByDiscord() {
		in, err := discord.DecodeInteraction(s.Body, time.Now())
		if err != nil || in.Malformed != nil {
			t.Fatalf("%s: %v, %+v", s.ID, err, in)
		}
		if in.ID != s.ID || in.Application != s.Application || in.Guild != s.Guild || in.Channel != s.Channel || in.User != s.User || in.Root != s.Command {
			t.Errorf("%s: got %+v", s.ID, in)
		}
		if in.Permissions != s.Permissions || in.App != s.App || in.Locale != "en-US" || in.GuildLocale != "en-US" || in.BotAbsent || !in.TextChannel {
			t.Errorf("%s: got %+v", s.ID, in)
		}
	}
}

// TestReadsARecordedClickInAThread decodes a click that was kept without all that a click has.
func TestReadsARecordedClickInAThread(t *testing.T) {
	t.Parallel()
	in, err := discord.DecodeInteraction(recordedClick, time.Now())
	if err != nil || in.Malformed != nil {
		t.Fatalf("%v, %+v", err, in)
	}
	if in.Kind != discord.KindComponent || in.Channel != "311" || in.Parent != "301" || in.TextChannel || in.CustomID != "channel-post" ||
		in.User != "101" || in.Message.ID != "1473118771026727144" {
		t.Errorf("got %+v", in)
	}
}

// TestARecordedRegistrationIsWhatWasSent: a command that was registered as it is needs no
// other registration when the bot starts again.
func TestARecordedRegistrationIsWhatWasSent(t *testing.T) {
	t.Parallel()
	sent := []discord.Command{{
		Name: "connect", Description: "Connect this Discord server to a service", Type: discord.CommandChat, IntegrationTypes: []int{0, 1},
		Options: []discord.CommandOption{{Type: 3, Name: "key", Description: "Your connection key", Required: true}},
	}}
	registered := []json.RawMessage{recordedCommand}
	if !discord.SameCommands(registered, sent, false) {
		t.Error("what Discord answered is taken for another command")
	}
	sent[0].Options[0].Required = false
	if discord.SameCommands(registered, sent, false) {
		t.Error("a changed option goes unnoticed")
	}
}
