package kit

import (
	"testing"

	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/store"
)

// TestValue: one value is chosen in a select, and several where they are made up are none.
func TestValue(t *testing.T) {
	for _, test := range []struct {
		values []string
		want   string
	}{{nil, ""}, {[]string{"star"}, "star"}, {[]string{"star", "cat"}, ""}} {
		in := &Request{Call: &dispatch.Call{Interaction: &discord.Interaction{Values: test.values}}}
		if got := in.Value(); got != test.want {
			t.Errorf("%q make %q, want %q", test.values, got, test.want)
		}
	}
}

// TestTokenOnly: whether the bot's own token reaches a match's message is told by what comes from
// its channel, and by nothing that comes from elsewhere.
func TestTokenOnly(t *testing.T) {
	for _, test := range []struct {
		channel       store.ChannelID
		absent, known bool
		want          bool
	}{{"301", true, false, true}, {"301", false, true, false}, {"302", true, false, false}, {"302", false, true, true}} {
		in := &Request{Call: &dispatch.Call{Interaction: &discord.Interaction{BotAbsent: test.absent}}, ChannelID: test.channel}
		if got := in.TokenOnly(store.Match{Channel: "301", TokenOnly: test.known}); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
