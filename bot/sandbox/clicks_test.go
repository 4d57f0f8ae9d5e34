package sandbox_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/rules"
)

// clicked is a message of the bot whose buttons a test changes, and what the bot
// hears of clicks on it.
type clicked struct {
	srv   *sandbox.Server
	clock *clock.Manual
	ada   *sandbox.User
	m     *sandbox.Message
	heard chan string // custom ids, in order
}

func newClicked(t *testing.T, configure ...func(*sandbox.Options)) *clicked {
	t.Helper()
	c := &clicked{clock: clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 250_000_000, time.UTC)), heard: make(chan string, 16)}
	configure = append(configure, func(o *sandbox.Options) { o.World.Clock = c.clock })
	c.srv = sandbox.NewServer(t, configure...)
	c.ada = c.srv.User("Ada")
	connect(t, c.srv, func(s *discordgo.Session, in *discordgo.InteractionCreate) {
		c.heard <- in.MessageComponentData().CustomID
		_ = s.InteractionRespond(in.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredMessageUpdate})
	})
	channel := c.srv.Guild().Channel("general")
	want(t, request(t, c.srv, "POST", "/channels/"+channel.ID()+"/messages", buttonsOf(btn("one"), btn("two"))), 200, 0)
	c.m = channel.LastMessage(nil)
	return c
}

func buttonsOf(buttons ...any) obj { return obj{"content": "x", "components": arr{row(buttons...)}} }

// edit gives the message other buttons after a moment.
func (c *clicked) edit(t *testing.T, after time.Duration, buttons ...any) {
	t.Helper()
	c.clock.Advance(after)
	want(t, request(t, c.srv, "PATCH", "/channels/"+c.m.Channel().ID()+"/messages/"+c.m.ID(), buttonsOf(buttons...)), 200, 0)
}

// message is the message that an interaction carries, with its edited_timestamp.
func (c *clicked) message(t *testing.T, call *sandbox.Call) (id string, edited time.Time) {
	t.Helper()
	if c.srv.World().CallByID(call.ID()) != call {
		t.Fatal("the interaction is not kept")
	}
	m := call.Info().Payload.(obj)["message"].(obj)
	var rows arr
	if err := json.Unmarshal(m["components"].(json.RawMessage), &rows); err != nil {
		t.Fatal(err)
	}
	first := rows[0].(obj)["components"].(arr)[0].(obj)
	if m["edited_timestamp"] != nil {
		var err error
		if edited, err = time.Parse(time.RFC3339Nano, m["edited_timestamp"].(string)); err != nil {
			t.Fatal(err)
		}
	}
	return first["custom_id"].(string), edited
}

// TestDeadClicks taps on what a message showed a moment ago.
func TestDeadClicks(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(t *testing.T, c *clicked)
		refused string // empty for a click that is alive
	}{
		{"nothing happened", func(*testing.T, *clicked) {}, ""},
		{"another picture has it", func(t *testing.T, c *clicked) { c.edit(t, 0, btn("one", obj{"label": "y"})) }, ""},
		{"it is elsewhere now", func(t *testing.T, c *clicked) { c.edit(t, 0, btn("two"), btn("one")) }, ""},
		{"it has another id", func(t *testing.T, c *clicked) { c.edit(t, 0, btn("three")) }, "The message does not have this component now."},
		{"it is disabled", func(t *testing.T, c *clicked) { c.edit(t, 0, btn("one", obj{"disabled": true})) }, "The component is disabled now."},
		{"the message is deleted", func(_ *testing.T, c *clicked) { c.m.Delete() }, "The message is gone."},
		{"the person has left", func(_ *testing.T, c *clicked) { c.ada.Leave(c.srv.Guild()) }, "The message is not there for this person."},
	} {
		for _, mode := range []sandbox.ClickMode{sandbox.ClicksRefused, sandbox.ClicksDelivered} {
			name := c.name + map[sandbox.ClickMode]string{sandbox.ClicksRefused: ", refused", sandbox.ClicksDelivered: ", delivered"}[mode]
			if mode == sandbox.ClicksDelivered && strings.Contains(name, "has left") {
				continue // nobody delivers what a stranger sends
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newClicked(t, func(o *sandbox.Options) { o.World.Clicks = mode })
				tap := w.ada.PrepareClickCell(t, w.m, 0, 0)
				c.change(t, w)
				w.srv.DispatchTogether(tap)
				reply := tap.Wait(t)
				if c.refused == "" || mode == sandbox.ClicksDelivered {
					if got := <-w.heard; got != "one" || !reply.Answered() || reply.Refused != "" || w.srv.World().RefusedClicks() != 0 {
						t.Errorf("the bot heard %q: %+v", got, reply)
					}
					return
				}
				if reply.State != sandbox.CallFailed || reply.Failed != sandbox.FailedComponent || reply.Refused != c.refused {
					t.Errorf("got %+v", reply)
				}
				if got := w.srv.World().RefusedClicks(); got != 1 {
					t.Errorf("%d clicks count as refused", got)
				}
				want(t, callback(t, w.srv, tap, obj{"type": 6}), 404, 10062)
				// What is alive comes after it, and is the first that the bot hears of.
				if !w.m.Deleted() && w.m.Channel().VisibleTo(w.ada) {
					w.edit(t, 0, btn("alive"))
					w.ada.ClickCell(t, w.m, 0, 0)
					if got := <-w.heard; got != "alive" {
						t.Errorf("the bot heard %q", got)
					}
				}
			})
		}
	}
}

// TestDeadSelect chooses in a select that the message has no longer.
func TestDeadSelect(t *testing.T) {
	w := newClicked(t)
	want(t, request(t, w.srv, "PATCH", "/channels/"+w.m.Channel().ID()+"/messages/"+w.m.ID(), choose(options(2))), 200, 0)
	choice := w.ada.MustPrepare(t, sandbox.Selection{Message: w.m, CustomID: "s", Values: []string{"1"}})
	w.edit(t, 0, btn("one"))
	w.srv.DispatchTogether(choice)
	if reply := choice.Wait(t); reply.Refused == "" || reply.Failed != sandbox.FailedComponent {
		t.Errorf("got %+v", reply)
	}
}

// TestTapOnAnOlderPicture taps late: the button is the one that was there, the
// message that the interaction carries is the newest, and both times are
// Discord's.
func TestTapOnAnOlderPicture(t *testing.T) {
	w := newClicked(t, func(o *sandbox.Options) { o.World.Clicks, o.World.LookTime = sandbox.ClicksDelivered, time.Second })
	w.edit(t, 100*time.Millisecond, btn("second"))
	w.edit(t, 100*time.Millisecond, btn("third"))
	edited := w.clock.Now()
	w.clock.Advance(37 * time.Millisecond)
	for _, c := range []struct {
		ago  time.Duration
		want string
	}{
		{37 * time.Millisecond, "third"},
		{38 * time.Millisecond, "second"},
		{137 * time.Millisecond, "second"},
		{138 * time.Millisecond, "one"},
		{time.Hour, "one"},
	} {
		call := w.ada.StartClickCell(t, w.m, 0, 0, sandbox.Ago(c.ago))
		if got := <-w.heard; got != c.want {
			t.Errorf("%v ago: tapped %q, want %q", c.ago, got, c.want)
		}
		shown, at := w.message(t, call)
		if since := rules.SnowflakeTime(call.ID()).Sub(at); shown != "third" || !at.Equal(edited) || since != 37*time.Millisecond {
			t.Errorf("%v ago: the message shows %q, edited %v before the click", c.ago, shown, since)
		}
		call.Wait(t)
	}
	if _, err := w.ada.Do(sandbox.ButtonClick{Message: w.m, Label: "nothing of the kind", Ago: time.Second}); !errors.Is(err, sandbox.ErrNoComponent) {
		t.Errorf("got %v for a button that was never there", err)
	}
}

// TestPeopleLookFirst clicks at once on a new picture.
func TestPeopleLookFirst(t *testing.T) {
	const look = 450 * time.Millisecond
	for _, c := range []struct {
		name  string
		click sandbox.ClickOption
		wait  time.Duration // after the edit
		want  time.Duration // from the edit to the click, as Discord tells it
	}{
		{"at once", func(*sandbox.ButtonClick) {}, 0, look},
		{"after a moment", func(*sandbox.ButtonClick) {}, 100 * time.Millisecond, look},
		{"after a while", func(*sandbox.ButtonClick) {}, time.Second, time.Second},
		{"late", sandbox.Ago(10 * time.Millisecond), 5 * time.Millisecond, 5 * time.Millisecond},
		{"forged", sandbox.Forced, 5 * time.Millisecond, 5 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newClicked(t, func(o *sandbox.Options) { o.World.LookTime = look })
			never := w.ada.StartClick(t, w.m, "x")
			if _, at := w.message(t, never); !at.IsZero() {
				t.Errorf("a message that was never edited says %v", at)
			}
			w.edit(t, 0, btn("one"))
			w.clock.Advance(c.wait)
			call := w.ada.StartClickCell(t, w.m, 0, 0, c.click)
			_, at := w.message(t, call)
			if got := rules.SnowflakeTime(call.ID()).Sub(at); got != c.want {
				t.Errorf("the click comes %v after the edit, want %v", got, c.want)
			}
			if got := w.m.Snapshot().EditedAt; !got.Equal(at) {
				t.Errorf("the message says %v, the interaction %v", got, at)
			}
			never.Wait(t)
			call.Wait(t)
		})
	}
}

// TestPlacesCountFromZero: in what went wrong as in what was asked for.
func TestPlacesCountFromZero(t *testing.T) {
	w := newClicked(t)
	_, err := w.ada.Do(sandbox.ButtonClick{Message: w.m, Row: 3, Column: 2})
	if !errors.Is(err, sandbox.ErrNoComponent) || !strings.Contains(err.Error(), "row 3, column 2, counted from 0") {
		t.Errorf("got %v", err)
	}
}

// TestListsAreNeverNull: programs in other languages go through them without a look.
func TestListsAreNeverNull(t *testing.T) {
	srv := sandbox.NewServer(t)
	m, err := srv.User("Ada").Say(srv.Guild().Channel("general"), "x")
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(m.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"components", "embeds", "attachments", "mentions", "unknown", "pinged", "badged"} {
		if !strings.Contains(string(b), `"`+list+`":[`) {
			t.Errorf("no list of %s in %s", list, b)
		}
	}
}
