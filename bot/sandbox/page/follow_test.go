package page_test

import (
	"fmt"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/pagetest"
)

const distance = `document.querySelector("#log").scrollHeight - document.querySelector("#log").scrollTop - document.querySelector("#log").clientHeight`

// scrolledUp opens a channel with more messages than fit, read from their beginning.
func scrolledUp(t *testing.T) (*sandbox.Server, *pagetest.Tab) {
	t.Helper()
	srv, browser := browse(t, nil)
	for i := range 30 {
		tell(t, srv, obj{"content": fmt.Sprint("message ", i)})
	}
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	tab.WaitText(newest, "message 29")
	pagetest.Eval[bool](tab, `(document.querySelector("#log").scrollTop = 0, true)`)
	tab.Wait("the beginning", distance+` > 200`)
	return srv, tab
}

// TestWhatOneSendsIsSeen sends while the end of the log is out of sight.
func TestWhatOneSendsIsSeen(t *testing.T) {
	_, tab := scrolledUp(t)
	tab.Press("/")
	tab.Type("greet")
	tab.Press("Enter")
	tab.Type("ben")
	tab.Press("Enter", "Enter")
	tab.WaitText(newest, "Hello @Ben")
	tab.Wait("the answer in sight", distance+` < 2`)
	sent(tab)
	pagetest.Eval[bool](tab, `(document.querySelector("#log").scrollTop = 0, true)`)
	focus(tab, "#composer-input")
	tab.Type("words")
	tab.Press("Enter")
	tab.WaitText(newest, "words")
	tab.Wait("the words in sight", distance+` < 2`)
}

// TestNewMessagesBelow is told of a message that is out of sight, and follows.
func TestNewMessagesBelow(t *testing.T) {
	srv, tab := scrolledUp(t)
	tab.Wait("no cue", `document.querySelector(".news").hidden`)
	tell(t, srv, obj{"content": "another"})
	tab.WaitText(".news", "New messages")
	if got := pagetest.Eval[float64](tab, `document.querySelector("#log").scrollTop`); got != 0 {
		t.Errorf("the reader was moved by %v px", got)
	}
	tab.WantAccessible()
	tab.Click(".news")
	tab.Still() // messages get their height as they come into sight
	tab.Wait("the end", distance+` < 2`)
	tab.Wait("the cue to be gone", `document.querySelector(".news").hidden`)
	tell(t, srv, obj{"content": "in sight"})
	tab.WaitText(newest, "in sight")
	tab.Wait("no cue", `document.querySelector(".news").hidden`)
}

// TestFocusGoesOnToTheNextBoard presses a button that ends its message and begins
// another, by keyboard.
func TestFocusGoesOnToTheNextBoard(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	send(tab, "again")
	tab.WaitText(newest, "Once more?")
	tab.Press("Shift+Tab")
	if got := tab.Focused(); got != "button Again" {
		t.Fatalf("the focus is on %s", got)
	}
	tell(t, srv, obj{"content": "Somebody else's", "components": arr{row(btn("x", obj{"label": "X"}))}})
	tab.WaitText(newest, "Somebody else's")
	if got := tab.Focused(); got != "button Again" {
		t.Errorf("a message that came by itself took the focus to %s", got)
	}
	tab.Press("Enter")
	tab.WaitText(newest, "Board of @Ada")
	tab.Wait("the focus on the new board", `document.activeElement.closest(".message") === document.querySelector(".message:last-of-type")`)
	if got := tab.Focused(); got != "button a1" {
		t.Errorf("the focus is on %s", got)
	}
}

// TestLinksAreSpokenAsTheyAreShown links to a message in words, in a notification
// and in a reply.
func TestLinksAreSpokenAsTheyAreShown(t *testing.T) {
	srv, browser := browse(t, nil)
	general := srv.Guild().Channel("general")
	first := srv.World().MessageByID(tell(t, srv, obj{"content": "first"}))
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	second := tell(t, srv, obj{"content": "Your board: " + first.Link()})
	const words = "Your board: #general › message"
	tab.WaitText(newest, words)
	if got := tab.Spoken(); got != "Tic-tac-toe: "+words {
		t.Errorf("spoken: %q", got)
	}
	want(t, request(t, srv, "POST", "/channels/"+general.ID()+"/messages", obj{
		"content": "reply", "message_reference": obj{"message_id": second}, "allowed_mentions": obj{"parse": arr{}},
	}), 200, 0)
	tab.WaitText(newest, "reply")
	if got := tab.Text(newest + " .origin-link"); got != "Tic-tac-toe "+words {
		t.Errorf("quoted: %q", got)
	}
}

// TestReplyFollowsItsOriginal edits and deletes what a reply answers.
func TestReplyFollowsItsOriginal(t *testing.T) {
	srv, browser := browse(t, nil)
	messages := "/channels/" + srv.Guild().Channel("general").ID() + "/messages"
	original := tell(t, srv, obj{"content": "first"})
	reply := obj{"content": "a reply", "message_reference": obj{"message_id": original}, "allowed_mentions": obj{"parse": arr{}}}
	tell(t, srv, reply)
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	tab.WaitText(newest+" .origin-link", "Tic-tac-toe first")
	want(t, request(t, srv, "PATCH", messages+"/"+original, obj{"content": "second"}), 200, 0)
	tab.WaitText(newest+" .origin-link", "Tic-tac-toe second")

	// Where the original is further up than was read, the line leads to it.
	for range 50 {
		if _, err := srv.User("Ben").Say(srv.Guild().Channel("general"), "more"); err != nil {
			t.Fatal(err)
		}
	}
	tell(t, srv, reply)
	late := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	late.WaitText(newest+" .origin-link", "An older message")
	late.Click(newest + " .origin-link")
	late.WaitText(newest+" .origin-link", "Tic-tac-toe second")
	late.Wait("the original", `document.activeElement === document.querySelector(".message")`)

	want(t, request(t, srv, "DELETE", messages+"/"+original, nil), 204, 0)
	tab.WaitText(newest+" .origin", "Original message was deleted")
	tab.WantAccessible()
	late.WaitText(newest+" .origin", "Original message was deleted")
}
