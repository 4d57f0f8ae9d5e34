package bot

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
)

// While as many opponents think as may, whoever waits for another one is told so in time.
func TestNoTurnToThink(t *testing.T) {
	t.Parallel()
	b := newLoneBot(t, func(o *Options) { o.WorkTime = waittest.Limit(300 * time.Millisecond) })
	b.noRoomToThink(t)
	command := `"data": {"name": "tictactoe", "type": 1, "options": [{"name": "play", "type": 1, "options": [
		{"name": "board", "type": 3, "value": "4x4"}, {"name": "first", "type": 3, "value": "bot"}]}]}`
	if said := b.answer(t, discord.KindCommand, command, rest.CallbackMessage); !strings.Contains(said, "too many games at once") {
		t.Errorf("answered %s", said)
	}
}
