package bot

import (
	"context"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// deleting is a Discord that takes a message away, and has something else happen meanwhile.
type deleting struct {
	*noDiscord
	meanwhile func()
	gone      []string
}

func (d *deleting) DeleteMessage(_ context.Context, _, messageID string) error {
	d.meanwhile()
	d.gone = append(d.gone, messageID)
	return nil
}

// TestANoticeThatGoesLeavesANewerOne: while a notice is being deleted another one is sent to
// the match, which stays known: else nobody could take that away.
func TestANoticeThatGoesLeavesANewerOne(t *testing.T) {
	for what, newer := range map[string]store.MessageID{"another is sent": "5002", "none is": ""} {
		d := &deleting{noDiscord: &noDiscord{}}
		b := newLoneBot(t, func(o *Options) { o.API = d })
		m := b.standing(t, 1, func(int) time.Duration { return time.Hour })[0]
		deliver := func(notice store.MessageID) {
			b.store.Deliver(store.Delivery{Match: m.ID, Notice: notice})
			if err := b.Settle(t.Context()); err != nil {
				t.Error(err)
			}
		}
		deliver("5001")
		d.meanwhile = func() {
			if newer != "" {
				deliver(newer)
			}
		}
		if _, err := b.games.EndAllOf(t.Context(), "101"); err != nil {
			t.Fatal(err)
		}
		if err := b.kit.Work.Wait(waittest.Within(t, 10*time.Second)); err != nil {
			t.Fatal(err)
		}
		if err := b.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if shown, err := b.store.MatchVersion(t.Context(), m.ID); err != nil || shown.Notice != newer || len(d.gone) != 1 || d.gone[0] != "5001" {
			t.Errorf("%s: the match's notice is %q (%v), want %q; deleted were %v", what, shown.Notice, err, newer, d.gone)
		}
	}
}
