package page_test

import (
	"fmt"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/pagetest"
)

func TestSomebodyElseStartsWithNothing(t *testing.T) {
	srv, browser := browse(t, nil)
	srv.AllowUnanswered()
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	nothing := func(when string) {
		t.Helper()
		for _, s := range []string{".waiting", ".failed", ".sending"} {
			if n := tab.Count(s); n != 0 {
				t.Errorf("%s: Ben sees %d × %s of Ada's", when, n, s)
			}
		}
	}
	send(tab, "gallery")
	tab.WaitText(newest, "A section")
	tab.ClickText("No answer")
	tab.Wait("the spinner", `document.querySelector(".waiting")`)
	send(tab, "silent")
	tab.WaitText(".sending", "/demo silent")
	become(tab, srv.User("Ben"))
	nothing("while Ada waits")
	tab.ClickText("Primary")
	tab.WaitText(".message-private", "Pressed p.")

	become(tab, srv.User("Ada"))
	tab.ClickText("No answer")
	send(tab, "silent")
	expire(t, srv, 4) // the two that she sent before, too
	tab.WaitText(".failed", "This interaction failed")
	tab.WaitText(".sending-failed", "The application did not respond")
	become(tab, srv.User("Ben"))
	nothing("after Ada got no answer")

	become(tab, srv.User("Ada"))
	send(tab, "form")
	tab.WaitText("dialog.form", "A word")
	become(tab, srv.User("Ben"))
	if tab.Count("dialog") != 0 {
		t.Error("Ada's form is open for Ben")
	}
}

func TestRestartKeepsWhoOneIsAndWhatIsTyped(t *testing.T) {
	browser := pagetest.Start(t)
	first := startDemo(t, ownAddress(t))
	text := browser.Open(t, first.URL()+"/#games", pagetest.Desk)
	become(text, first.User("Ben"))
	focus(text, "#composer-input")
	text.Type("half a thought")
	command := browser.Open(t, first.URL()+"/?as=chiyo#games", pagetest.Desk)
	command.Press("/")
	command.Wait("the commands", `document.querySelector(".suggest-item")`)
	command.Type("greet")
	command.Press("Enter")
	command.Type("Be")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	text.WaitText("#banner", "Connecting again")
	command.WaitText("#banner", "Connecting again")
	// Somebody who comes first gets the ids that others had.
	second := startDemo(t, strings.TrimPrefix(first.URL(), "http://"))
	for _, tab := range []*pagetest.Tab{text, command} {
		tab.WaitReady()
		tab.WaitText("#channel-title", "games")
	}
	text.WaitText(".me-text", "Ben")
	if got, want := typed(text), "half a thought"; got != want {
		t.Errorf("typed before the restart: got %q, want %q", got, want)
	}
	command.WaitText(".me-text", "Chiyo")
	command.Wait("the half-typed command", `document.querySelector(".option-input")?.value === "Be"`)
	command.Wait("the focus", `document.activeElement.matches(".option-input")`)
	command.WaitText(".suggest-item", "Ben")
	command.Press("Enter", "Enter")
	command.WaitText(newest, "Hello @Ben")
	if ben := second.User("Ben").ID(); !strings.Contains(payloadOf(t, second, second.World().Calls()[0]), ben) {
		t.Error("the command was sent with somebody of before the restart")
	}
}

func TestPeopleOfOneNameHaveTheirOwnUsernames(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	srv.User("明")
	srv.User("光")
	var state struct {
		People []struct{ Username, Name string }
	}
	ask(t, srv, "GET", "/page/state", nil).Decode(t, &state)
	known := map[string]string{}
	for _, p := range state.People {
		if other, taken := known[p.Username]; taken {
			t.Errorf("%s and %s are both called %q", other, p.Name, p.Username)
		}
		known[p.Username] = p.Name
	}
}

func TestMessagesAreSentOnce(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	focus(tab, "#composer-input")
	release := hold(tab, "say")
	tab.Type("first")
	tab.Press("Enter", "Enter")
	tab.Type("second")
	release()
	tab.WaitText(newest, "first")
	if got, want := typed(tab), "second"; got != want {
		t.Errorf("typed while the first message was on its way: got %q, want %q", got, want)
	}
	release = hold(tab, "say")
	tab.Press("Enter")
	tab.ClickText("games")
	tab.WaitText("#channel-title", "games")
	focus(tab, "#composer-input")
	tab.Type("for games")
	release()
	if got, want := typed(tab), "for games"; got != want {
		t.Errorf("typed elsewhere while a message was on its way: got %q, want %q", got, want)
	}
	tab.ClickText("general")
	tab.Wait("both messages", `document.querySelectorAll(".message").length === 2`)
	tab.WaitText(newest, "second")
	if got := len(srv.Guild().Channel("general").Messages(nil)); got != 2 {
		t.Errorf("there are %d messages, want 2", got)
	}
	if got := typed(tab); got != "" {
		t.Errorf("what was sent is still a draft: %q", got)
	}
}

func TestMessagesThatCannotBeSentComeBack(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	focus(tab, "#composer-input")
	pagetest.Eval[bool](tab, `(window.realFetch = fetch, window.fetch = (u, o) => u.endsWith("/say")
		? new Promise((_, reject) => { window.refuse = () => reject(new TypeError("offline")); }) : realFetch(u, o), true)`)
	tab.Type("one")
	tab.Press("Enter")
	tab.Type("two")
	tab.Press("Enter")
	tab.Type("three")
	pagetest.Eval[bool](tab, `(refuse(), true)`)
	tab.WaitText("#composer-error", "The server does not answer")
	if got, want := typed(tab), "one\ntwo\nthree"; got != want {
		t.Errorf("after the failure: got %q, want %q", got, want)
	}
	if got := tab.Text("#composer-error"); strings.Contains(got, "Trying again") {
		t.Errorf("nothing is tried again, and yet: %s", got)
	}
}

func TestFormsAreSentOnce(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	send(tab, "form")
	tab.WaitText("dialog.form", "A word")
	tab.Type("xyz")
	release := hold(tab, "modal")
	before := len(srv.World().Calls())
	tab.Press("Enter", "Enter", "Enter")
	release()
	tab.WaitText(newest, "You wrote: xyz")
	if got := len(srv.World().Calls()) - before; got != 1 {
		t.Errorf("the form was sent %d times", got)
	}
}

func TestLostConnectionEndsTheWaiting(t *testing.T) {
	srv, browser := browse(t, nil)
	srv.AllowUnanswered()
	form := browser.Open(t, srv.URL(), pagetest.Desk)
	send(form, "silent")
	form.WaitText(".sending", "/demo silent")
	form.Press("/")
	form.Type("find")
	form.Press("Enter")
	form.Type("never")
	times := asked(t, srv, "never")
	form.Wait("its answer from the server", fmt.Sprintf(`performance.getEntriesByType("resource").filter((e) => e.name.includes("/autocomplete?")).length >= %d`, times))
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	form.WaitText("#banner", "Connecting again")
	form.WaitText(".suggest-note", "Loading options failed")
	if got := form.Text(".sending"); got != "" {
		t.Errorf("after the connection was lost: %s", got)
	}
}

func TestSomebodyNew(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL()+"/#games", pagetest.Desk)
	tab.ClickText("Somebody new")
	tab.WaitText("dialog.form", "They join Playground, and this tab becomes theirs.")
	tab.Press("Enter")
	tab.WaitText(".field-error", "This field is required.")
	tab.Type("Zoe")
	tab.WantAccessible()
	tab.ClickText("Join")
	tab.WaitText(".me-text", "Zoe")
	tab.WaitText(".toast-text", "Ada is still here")
	tab.WaitText("#channel-title", "games")
	tab.Wait("the form to be gone", `!document.querySelector("dialog")`)
	if got := pagetest.Eval[string](tab, `location.search`); got != "?as=zoe" {
		t.Errorf("the address says %q", got)
	}
}

// TestLongNamesStayOnTheirCard makes somebody whose name and handle are as long as
// Discord allows.
func TestLongNamesStayOnTheirCard(t *testing.T) {
	srv, browser := browse(t, nil)
	srv.User("Zoë van der Größenwahnsinnigkeit")
	tab := browser.Open(t, srv.URL()+"/?as=zoe_van_der_grossenwahnsinnigkei", pagetest.Desk)
	tab.WaitText(".me-text .muted", "@zoe_van_der_grossenwahnsinnigkei")
	tab.Widen()
	for _, selector := range []string{".me", ".me-text", ".people", ".person-text"} {
		if over := pagetest.Eval[float64](tab, fmt.Sprintf(`Math.max(...[...document.querySelectorAll(%q)].map((el) => {
			const edge = el.getBoundingClientRect().right;
			return Math.max(...[...el.querySelectorAll("*")].map((x) => x.getBoundingClientRect().right - edge));
		}))`, selector)); over > 0 {
			t.Errorf("something leaves %s by %v px", selector, over)
		}
	}
}

// TestAddressOfNobody opens the page as somebody who is not here.
func TestAddressOfNobody(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL()+"/?as=nobody", pagetest.Desk)
	tab.WaitText(".toast-text", "Nobody here has that username. You are Ada.")
	known := browser.Open(t, srv.URL()+"/?as=ben", pagetest.Desk)
	known.WaitText(".me-text", "Ben")
	if n := known.Count(".toast"); n != 0 {
		t.Errorf("%d notices for somebody who is here", n)
	}
}

// TestAddressOfNoChannel opens the page with a channel that is no name at all, and goes on to
// one that is.
func TestAddressOfNoChannel(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL()+"/?as=ben#100%", pagetest.Desk)
	tab.WaitText(".me-text", "Ben")
	tab.WaitText("#channel-title", "general")
	pagetest.Eval[bool](tab, `(location.hash = "#50%", location.hash = "#games", true)`)
	tab.WaitText("#channel-title", "games")
}

// TestPrivateMessagesAreGoneAfterAReload reads a private message, leaves the
// channel and comes back, becomes somebody else and oneself again, and reloads.
func TestPrivateMessagesAreGoneAfterAReload(t *testing.T) {
	srv, browser := browse(t, nil)
	ada, ben := srv.User("Ada"), srv.User("Ben")
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	send(tab, "secret")
	tab.WaitText(".message-private", "Nobody else sees this.")
	tell(t, srv, obj{"content": "For all."})
	tab.WaitText(newest, "For all.")
	tab.ClickText("games")
	tab.WaitText("#channel-title", "games")
	tab.ClickText("general")
	tab.WaitText(".message-private", "Nobody else sees this.")
	become(tab, ben)
	become(tab, ada)
	tab.WaitText(".message-private", "Nobody else sees this.")
	tab.ClickText("Hush")
	tab.WaitText(newest, "Pressed hush.")

	tab.Reload()
	tab.WaitText(newest, "For all.")
	if n := tab.Count(".message-private"); n != 0 {
		t.Errorf("%d private messages are still there", n)
	}
	send(tab, "secret") // and what comes from now on is shown
	tab.WaitText(".message-private", "Nobody else sees this.")
}

func TestWhoIsGoneAfterARestartIsTold(t *testing.T) {
	browser := pagetest.Start(t)
	first := startDemo(t, ownAddress(t))
	first.User("Zoe")
	tab := browser.Open(t, first.URL()+"/?as=zoe#games", pagetest.Desk)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	tab.WaitText("#banner", "Connecting again")
	if got := tab.Text(".presence"); got != "Not connected" {
		t.Errorf("beside the banner the page says %q", got)
	}
	startDemo(t, strings.TrimPrefix(first.URL(), "http://"))
	tab.WaitReady()
	tab.WaitText(".me-text", "Ada")
	tab.WaitText(".toast-text", "Nobody of that name is here any more. You are Ada.")
}

// TestComposerBeforeThePageKnowsAnything types a command and words before the server has told
// who and what is here.
func TestComposerBeforeThePageKnowsAnything(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	withStore(tab, `Object.assign(store, {world: null, current: null, commands: []})`)
	tab.Press("/")
	tab.WaitText(".suggest-note", "Not connected yet")
	tab.Press("Enter", "Backspace")
	tab.Type("words")
	tab.Press("Enter")
	if got, want := typed(tab), "words"; got != want {
		t.Errorf("of what cannot be sent yet is left %q, want %q", got, want)
	}
	tab.Click(`[aria-label="Channel options"]`)
}
