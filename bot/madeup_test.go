package bot

import (
	"fmt"
	"strings"
	"testing"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
)

// TestEveryOptionMadeUp: an option of each command that has a value which nobody offers, or one of
// another type, is refused in words, and what it stands in is not begun.
func TestEveryOptionMadeUp(t *testing.T) {
	t.Parallel()
	b := newLoneBot(t)
	for _, command := range view.Load().Commands() {
		try := func(option discord.CommandOption, around string) {
			for _, value := range []string{`[]`, `{}`, `"nothing"`, `7`, `true`} {
				if option.Type == discord.OptionBoolean && value == `true` {
					continue
				}
				given := fmt.Sprintf(around, fmt.Sprintf(`[{"name": "%s", "type": %d, "value": %s}]`, option.Name, option.Type, value))
				before := b.kit.Stats.Refused.Load()
				said := b.answer(t, discord.KindCommand, fmt.Sprintf(`"data": {"name": "%s", "type": %d, "options": %s}`, command.Name, command.Type, given), rest.CallbackMessage)
				if b.kit.Stats.Refused.Load() != before+1 || strings.Contains(said, "went wrong") {
					t.Errorf("%s %s: answered %s", command.Name, given, said)
				}
			}
		}
		for _, sub := range command.Options {
			if sub.Type != discord.OptionSubcommand {
				try(sub, "%s")
			}
			for _, option := range sub.Options {
				try(option, `[{"name": "`+sub.Name+`", "type": 1, "options": %s}]`)
			}
		}
	}
	if matches, err := b.store.ActiveMatches(t.Context(), "301"); err != nil || len(matches) > 0 {
		t.Errorf("%d matches have begun, %v", len(matches), err)
	}
}
