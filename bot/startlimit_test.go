package bot

import (
	"testing"

	"tictactoe/bot/change"
	"tictactoe/bot/kit"
)

// Where processes count together what is counted for one thing leaves room for another.
func TestCountedTogetherByThemselves(t *testing.T) {
	b := newLoneBot(t, func(o *Options) { o.StartLimit = change.StartLimit{PerUser: 1, PerGuild: 1} })
	in := &kit.Request{UserID: "101", GuildID: "201"}
	for _, start := range b.change.Starts.Limits(in) {
		for _, export := range b.people.Exports.Limits(in) {
			if start.Key == export.Key {
				t.Errorf("both count for %q", start.Key)
			}
		}
	}
}
