package bot

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/discord/discordtest"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
)

const (
	playCommand = `"data": {"name": "tictactoe", "type": 1, "options": [{"name": "play", "type": 1, "options": []}]}`
	clickOn     = `"message": {"id": "401", "flags": 32768}, "data": {"component_type": 2, "custom_id": "%s"}`
)

var cellID = regexp.MustCompile(`"custom_id":"(1:k:[^"]+)"`)

// The bot is a function from an interaction to its answer: it needs a store, and
// nobody who delivers.
func TestHandleWithoutADiscord(t *testing.T) {
	b := newLoneBot(t)
	board := b.answer(t, discord.KindCommand, playCommand, rest.CallbackMessage)
	ids := cellID.FindAllStringSubmatch(board, -1)
	if len(ids) != 9 {
		t.Fatalf("%d cells in %s", len(ids), board)
	}
	moved := b.answer(t, discord.KindComponent, fmt.Sprintf(clickOn, ids[4][1]), rest.CallbackUpdate)
	if !strings.Contains(moved, `"label":"X"`) || !strings.Contains(moved, `"label":"O•"`) {
		t.Errorf("a move and its reply: got %s", moved)
	}
	taken := b.answer(t, discord.KindComponent, fmt.Sprintf(clickOn, ids[4][1]), rest.CallbackMessage)
	if !strings.Contains(taken, "taken") || !strings.Contains(taken, `"flags":64`) {
		t.Errorf("a taken cell: got %s", taken)
	}
	for members, want := range map[string]string{
		`"data": {"name": "tictactoe", "type": 1, "options": [{"name": "dance", "type": 1}]}`:       "help",
		`"data": {"name": "tictactoe", "type": 1, "options": [{"name": "suggestions", "type": 1}]}`: "help",
		`"data": {"name": 5}`: "help",
		`"entitlements": []`:  "help",
	} {
		if got := b.answer(t, discord.KindCommand, members, rest.CallbackMessage); !strings.Contains(got, want) {
			t.Errorf("%s: got %s", members, got)
		}
	}
	if got := b.answer(t, discord.KindComponent, fmt.Sprintf(clickOn, "2:from:elsewhere"), rest.CallbackMessage); !strings.Contains(got, "board") {
		t.Errorf("a button of another version: got %s", got)
	}
	b.answer(t, discord.KindAutocomplete, playCommand, rest.CallbackAutocomplete)
}

// What is delivered again gets no second answer.
func TestHandleTwice(t *testing.T) {
	b := newLoneBot(t)
	if got := b.ask(t, 7, discord.KindCommand, playCommand); len(got) != 1 {
		t.Fatalf("got %d answers, want one", len(got))
	}
	if got := b.ask(t, 7, discord.KindCommand, playCommand); len(got) != 0 {
		t.Errorf("the second delivery got the answers %v", got)
	}
	if got := b.Counts().Duplicates; got != 1 {
		t.Errorf("%d duplicates were counted, want 1", got)
	}
}

// Who comes so late that hardly any time is left for an answer is served in a part of it.
func TestHandleWithLittleTimeLeft(t *testing.T) {
	b := newLoneBot(t)
	made := func(before time.Duration) int {
		id, _ := strconv.Atoi(discordtest.MadeAt(time.Now().Add(-before)))
		return id
	}
	got := b.ask(t, made(waittest.Limit(2500*time.Millisecond)), discord.KindCommand, playCommand)
	if len(got) != 1 || !cellID.MatchString(string(got[0].Data.(json.RawMessage))) {
		t.Errorf("got %v", got)
	}
}

// TestATapThatChangesNothingIsRefusedOnce: the same words are not said again and again below
// a board that says as much, and are once somebody has forgotten them. A button that asks for
// words always gets them.
func TestATapThatChangesNothingIsRefusedOnce(t *testing.T) {
	clock := &testClock{now: time.Now()}
	b := newLoneBot(t, func(o *Options) { o.Now = clock.Now })
	m := b.standing(t, 1, func(int) time.Duration { return time.Hour })[0]
	press := func(what string, id customid.ID, want rest.CallbackType, words string) {
		t.Helper()
		clicked := fmt.Sprintf(`"message": {"id": "4000", "flags": 32768}, "data": {"component_type": 2, "custom_id": "%s"}`, id)
		if got := b.answer(t, discord.KindComponent, clicked, want); !strings.Contains(got, words) {
			t.Errorf("%s: got %s", what, got)
		}
	}
	tap := func(what string, cell engine.Cell, words string) {
		t.Helper()
		id := customid.ID{Action: customid.Cell, Match: m.ID, Cell: cell}
		press(what, id, rest.CallbackMessage, words)
		press(what+", again", id, rest.CallbackDeferUpdate, "")
		clock.advance(2 * hushTime)
		press(what+", later", id, rest.CallbackMessage, words)
	}
	m.Version, m.Moves = 1, []engine.Cell{0}
	if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
		t.Fatal(err)
	}
	shows := func(version int) {
		t.Helper()
		b.store.Deliver(store.Delivery{Match: m.ID, Message: m.Message, Drawn: version})
		if err := b.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	shows(2)
	tap("the other's turn", 4, "turn")
	m.Version = 2
	if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{match.End(m, store.Resignation, engine.X)}}); err != nil {
		t.Fatal(err)
	}
	shows(3)
	tap("a game that is over", 4, "over")
	for range 2 {
		press("resigning from it", customid.ID{Action: customid.Resign, Match: m.ID}, rest.CallbackMessage, "over")
	}
}

// People are what a panel blocks. Discord checks what was chosen only in its clients, and
// nobody at all would be everybody.
func TestOnlyPeopleAreBlocked(t *testing.T) {
	b := newLoneBot(t)
	for _, values := range []string{`[""]`, `["everyone"]`, `["<@102>"]`, `["-1"]`, `[]`, `["102", "103"]`} {
		got := b.answer(t, discord.KindComponent, `"message": {"id": "401", "flags": 64}, "data": {"component_type": 5, "custom_id": "1:bc", "values": `+values+`}`, rest.CallbackMessage)
		if !strings.Contains(got, "out of date") {
			t.Errorf("%s: got %s", values, got)
		}
	}
	if blocks, err := b.store.Blocks(t.Context(), "101"); err != nil || len(blocks) > 0 {
		t.Errorf("blocked are %v (%v)", blocks, err)
	}
}
