package kit

import (
	"testing"

	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
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
