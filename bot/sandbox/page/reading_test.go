package page_test

import (
	"fmt"
	"testing"

	"tictactoe/bot/sandbox/pagetest"
)

func TestFocusOutlivesRedrawing(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	send(tab, "secret")
	tab.WaitText(".message-private", "Nobody else")
	games := "<#" + srv.Guild().Channel("games").ID() + ">"
	id := tell(t, srv, obj{"content": "see " + games + " first", "components": arr{row(btn("a", obj{"label": "Press"}))}})
	tab.WaitText(newest, "first")

	stays := func(selector, when string, change func()) {
		t.Helper()
		focus(tab, selector)
		before := tab.Focused()
		change()
		if got := tab.Focused(); got != before {
			t.Errorf("%s the focus went from %s to %s", when, before, got)
		}
	}
	arrives := func(name string) func() {
		return func() {
			srv.User(name)
			tab.WaitText("#people", name)
		}
	}
	stays(".mention-press", "after an edit", func() {
		edit := obj{"content": "now " + srv.User("Ben").Name() + ", " + games + " second"}
		want(t, request(t, srv, "PATCH", "/channels/"+srv.Guild().Channel("general").ID()+"/messages/"+id, edit), 200, 0)
		tab.WaitText(newest, "second")
	})
	pagetest.Eval[bool](tab, `(window.kept = document.querySelector(".message-private .body").firstChild, true)`)
	stays(".mention-press", "after somebody came", arrives("Zoe"))
	stays(".message-private .text-button", "after somebody came", arrives("Yan"))
	if !pagetest.Eval[bool](tab, `kept.isConnected`) {
		t.Error("a message in which nobody new is named was drawn again")
	}
	stays(".add-person", "after somebody came", arrives("Xia"))
	stays(".message-private .text-button", "after the language changed", func() {
		want(t, ask(t, srv, "PATCH", inWorld(srv, "people"), obj{"name": srv.User("Ada").ID(), "locale": "de"}), 200, 0)
		tab.Wait("the German page", `document.querySelector(".message-private .body").lang === "de"`)
	})
	tab.Click("#drawer-toggle")
	tab.WaitText("#drawer", "All ")
	stays(".all-faults summary", "after somebody came", arrives("Wim"))
}

func TestReaderStaysWhereTheyRead(t *testing.T) {
	srv, browser := browse(t, nil)
	general := srv.Guild().Channel("general")
	say := func(text string) {
		t.Helper()
		if _, err := srv.User("Ben").Say(general, text); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 120 {
		say(fmt.Sprint("line ", i, "."))
	}
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	for _, line := range []string{"line 20.", "line 0."} {
		tab.Click(".older")
		tab.WaitText(".messages", line)
	}
	where := func() float64 {
		t.Helper()
		return pagetest.Eval[float64](tab, `[...document.querySelectorAll(".message")].find((m) => m.textContent.includes("line 10.")).getBoundingClientRect().top`)
	}
	pagetest.Eval[bool](tab, `([...document.querySelectorAll(".message")].find((m) => m.textContent.includes("line 10.")).scrollIntoView(), document.querySelector("#log").scrollTop -= 100, true)`)
	// Messages that come into sight get their height with the next frame.
	pagetest.Eval[bool](tab, `new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))`)
	before := where()
	same := func(after string) {
		t.Helper()
		if got := where(); got < before-1 || got > before+1 {
			t.Errorf("after %s line 10 is at %v, was at %v", after, got, before)
		}
	}
	say("one more")
	tab.WaitText(newest, "one more")
	same("a message")
	again := func() {
		withStore(tab, `window.read = false; store.on("history", () => { window.read = true; })`)
		pagetest.Eval[bool](tab, `import("/assets/js/store.js").then(({store}) => { store.stream.open(store.me.username); return true; })`)
		tab.Wait("the messages to be read again", `window.read`)
	}
	again()
	same("a broken connection")
	if got := tab.Count(".message"); got != 121 {
		t.Errorf("after a broken connection %d messages are shown, want 121", got)
	}
	// What went or came meanwhile is seen, and who reads the end stays there.
	pagetest.Eval[bool](tab, `(document.querySelector("#log").scrollTop = 1e6, true)`)
	general.Messages(srv.User("Ada"))[5].Delete()
	tab.Wait("the message to be gone", `document.querySelectorAll(".message").length === 120`)
	again()
	if got := pagetest.Eval[float64](tab, `(({scrollHeight, scrollTop, clientHeight}) => scrollHeight - scrollTop - clientHeight)(document.querySelector("#log"))`); got > 1 {
		t.Errorf("who read the end is %v px away from it", got)
	}
}
