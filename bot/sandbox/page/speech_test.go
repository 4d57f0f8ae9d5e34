package page_test

import (
	"fmt"
	"strings"
	"testing"

	"tictactoe/bot/sandbox/pagetest"
)

func TestEverythingIsSaid(t *testing.T) {
	srv, browser := browse(t, nil)
	srv.AllowUnanswered()
	tab := browser.Open(t, srv.URL()+"/?as=ben", pagetest.Desk)
	// What a reader is told: every line that is added to a live region.
	pagetest.Eval[bool](tab, `(window.said = [], ["polite", "assertive"].forEach((id) => new MutationObserver((all) => all.forEach((m) => m.addedNodes.forEach((n) => said.push(id + " " + n.textContent))))
		.observe(document.getElementById(id), {childList: true})), true)`)
	said := func(line string) {
		t.Helper()
		tab.Wait(fmt.Sprintf("%q to be said", line), fmt.Sprintf(`said.includes(%q)`, line))
	}
	for i := range 3 {
		tell(t, srv, obj{"content": fmt.Sprint("message ", i)})
	}
	for i := range 3 {
		said(fmt.Sprint("polite Tic-tac-toe: message ", i))
	}
	if got := pagetest.Eval[string](tab, `document.querySelector("#polite").textContent`); !strings.Contains(got, "message 0") || !strings.Contains(got, "message 1") {
		t.Errorf("the last message hides those before: %q", got)
	}

	// A notification from another channel.
	games := srv.Guild().Channel("games").ID()
	ben := srv.User("Ben").ID()
	want(t, request(t, srv, "POST", "/channels/"+games+"/messages", obj{"content": "hey <@" + ben + ">", "allowed_mentions": obj{"users": arr{ben}}}), 200, 0)
	said("polite Tic-tac-toe (#games, Playground): hey @Ben")

	// A press that could not be sent.
	tell(t, srv, obj{"content": "gone soon", "components": arr{row(btn("a", obj{"label": "Press"}))}})
	tab.WaitText(newest, "gone soon")
	pagetest.Eval[bool](tab, `(window.realFetch = fetch, window.fetch = (u, o) => u.includes("/click?")
		? Promise.resolve(new Response(JSON.stringify({error: {code: "gone", message: "That message is gone."}}), {status: 404})) : realFetch(u, o), true)`)
	tab.ClickText("Press")
	said("assertive Not sent: That message is gone.")

	// What is wrong with an option, and with what was typed.
	tab.Press("/")
	tab.Type("zzz")
	said("polite No command matches")
	tab.Press("Backspace", "Backspace", "Backspace")
	tab.Type("play")
	tab.Press("Tab")
	tab.Type("level:")
	tab.Type("12")
	tab.Press("Enter")
	said("assertive level: The largest is 9.")
	tab.Press("Escape", "Escape", "Escape", "Escape")
	tab.Press("/")
	tab.Type("find")
	tab.Press("Enter")
	tab.Type("zzz")
	said("polite No options match your search")
	tab.Press("Backspace", "Backspace", "Backspace")
	tab.Type("never")
	asked(t, srv, "never")
	expire(t, srv, 1)
	said("assertive Loading options failed")

	if !pagetest.Eval[bool](tab, `document.querySelector(".presence").role === "status"`) {
		t.Error("nobody is told that the app went offline")
	}
}

func TestLanguagesByTheirOwnNames(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	scripts := pagetest.Eval[[]string](tab, `import("/assets/js/locales.js").then(({LOCALES}) =>
		Object.values(LOCALES).filter((name) => /\p{Script=Cyrillic}/u.test(name) && /\p{Script=Latin}/u.test(name)))`)
	if len(scripts) != 0 {
		t.Errorf("these names mix two scripts: %s", strings.Join(scripts, ", "))
	}
}
