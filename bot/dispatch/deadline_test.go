package dispatch

import (
	"testing"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/discord/discordtest"
)

// TestAge: by Discord's clock and the id, to the millisecond, whatever ours shows. What cannot be
// answered any more is late.
func TestAge(t *testing.T) {
	d, clock, stats := newPing(t)
	const whole = discord.AnswerTime - answerMargin
	received := time.Now().Truncate(time.Millisecond)
	for _, ahead := range []time.Duration{0, 40 * time.Millisecond, 10 * time.Second, -7 * time.Minute, 5 * time.Hour, -400 * 24 * time.Hour} {
		clock.ahead = ahead
		for took, want := range map[time.Duration]struct {
			age  time.Duration
			late bool
		}{
			-time.Second:             {0, false}, // the clocks of two servers
			-400 * 24 * time.Hour:    {0, false},
			0:                        {0, false},
			80 * time.Millisecond:    {80 * time.Millisecond, false},
			whole - time.Millisecond: {whole - time.Millisecond, false},
			whole:                    {whole, true},
			time.Minute:              {time.Minute, true},
			time.Hour:                {time.Hour, true},
			48 * time.Hour:           {0, false}, // older than anything that is replayed
		} {
			in := &discord.Interaction{ID: discordtest.MadeAt(received.Add(ahead - took)), Received: received}
			if got := d.age(in); got != want.age {
				t.Errorf("%v behind Discord, %v on the way: %v old, want %v", ahead, took, got, want.age)
			}
			before := stats.Late.Load()
			d.Handle(t.Context(), in, &answers{})
			if late := stats.Late.Load() > before; late != want.late {
				t.Errorf("%v behind Discord, %v on the way: late is %v", ahead, took, late)
			}
		}
		for _, id := range []string{"", "0", "1", "42", "-1", "1.5", "interaction", "99999999999999999999999", "18446744073709551615", " 1", "1100000000000000000"} {
			if got := d.age(&discord.Interaction{ID: id, Received: received}); got != 0 {
				t.Errorf("%v behind Discord, id %q: %v old, want 0", ahead, id, got)
			}
		}
	}
}
