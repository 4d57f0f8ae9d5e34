package page_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/pagetest"
	"tictactoe/bot/sandbox/rules"
)

// browse starts a server with the demo application and a browser.
func browse(t *testing.T, restart func() error) (*sandbox.Server, *pagetest.Browser) {
	t.Helper()
	browser := pagetest.Start(t)
	return demonstrate(t, restart), browser
}

// demonstrate starts a server with the demo application.
func demonstrate(t *testing.T, restart func() error) *sandbox.Server {
	t.Helper()
	srv := sandbox.NewServer(t, pageWith(restart), func(o *sandbox.Options) { o.World.Clock, o.World.Deadline = clock.NewMovable(), deadline })
	registerDemo(t, srv)
	connectDemo(t, srv)
	return srv
}

// deadline is how long the demo application has for an answer: until expire ends it,
// and no test is as slow.
const deadline = time.Hour

// expire waits for as many interactions that nobody answers, and ends their time.
func expire(t *testing.T, srv *sandbox.Server, unanswered int) {
	t.Helper()
	srv.WaitFor(t, "what nobody answers", func() bool {
		n := 0
		for _, i := range srv.World().Interactions() {
			if i.State == sandbox.CallPending {
				n++
			}
		}
		return n == unanswered
	})
	srv.Advance(deadline)
}

// asked waits until the application is asked for suggestions for what was typed, and
// returns how often it was. Who types slowly asks for what begins it, too.
func asked(t *testing.T, srv *sandbox.Server, typed string) (times int) {
	t.Helper()
	srv.WaitFor(t, "the question for suggestions", func() bool {
		times = 0
		last := ""
		for _, c := range srv.World().Calls() {
			if c.Kind() == sandbox.InteractionAutocomplete {
				times, last = times+1, payloadOf(t, srv, c)
			}
		}
		return strings.Contains(last, `"`+typed+`"`)
	})
	return times
}

// newest selects in the newest message.
const newest = ".message:last-of-type"

// send types a command as a person does and sends it. Enter or Tab takes what is
// offered; the last Enter sends.
func send(tab *pagetest.Tab, typed string) {
	tab.Press("/")
	tab.Wait("the commands", `document.querySelector(".suggest-item")`)
	tab.Type(typed)
	tab.Press("Enter")
	tab.Wait("the command", `document.querySelector(".command-name")`)
	tab.Press("Enter")
	sent(tab)
}

// rested waits until the next press will be sent: one at a time, and a message shows
// what its press has changed before that is over.
func rested(tab *pagetest.Tab) {
	tab.Wait("the press to be over", `!document.querySelector(".message-waiting")`)
}

// sent waits until the composer takes the next command.
func sent(tab *pagetest.Tab) {
	tab.Wait("the command to be gone", `!document.querySelector(".command-name")`)
}

func TestFirstVisit(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	tab.WaitText(".invite", "You are Ada. Press here or type / to play")
	tab.WantAccessible()
	if got := pagetest.Eval[int](tab, "document.documentElement.scrollHeight - innerHeight"); got != 0 {
		t.Errorf("the page is %d px higher than its window, and gets a bar to scroll by", got)
	}
	tab.Click(".invite")
	tab.WaitText(".command-name", "/demo play")
	tab.WantAccessible()
	tab.Press("Enter")
	tab.WaitText(newest, "Board of @Ada")
	tab.WantAccessible()
}

func TestComposerByKeyboard(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)

	// An option by its list, one by typing, one that is wrong at first.
	tab.Press("/")
	tab.Wait("the commands", `document.querySelectorAll(".suggest-item").length === 10`)
	tab.Type("play")
	tab.Press("Tab")
	tab.WaitText(".suggest-item", "board")
	tab.Press("ArrowDown", "Enter") // board
	tab.Type("four")
	tab.Press("Enter")
	tab.Type("level:")
	tab.Type("12")
	tab.Press("Enter")
	tab.WaitText(".option-error", "The largest is 9.")
	if got := tab.Focused(); !strings.HasPrefix(got, "combobox") && !strings.HasPrefix(got, "input") {
		t.Errorf("after the error the focus is on %s, want the option", got)
	}
	tab.WantAccessible()
	tab.Press("Backspace", "Enter", "Enter")
	tab.WaitText(newest, "board=4x4 level=1")
	sent(tab)

	// A person who has to be picked.
	tab.Press("/")
	tab.Type("greet")
	tab.Press("Enter")
	tab.WaitText(".suggest-item", "Ben")
	tab.Press("Enter") // takes nobody in particular: the first of the list
	tab.Press("Backspace")
	tab.Press("Backspace", "Backspace", "Backspace")
	tab.Press("Escape", "Enter")
	tab.WaitText(".option-error", "required")
	tab.Type("chi")
	tab.Press("Enter", "Enter")
	tab.WaitText(newest, "Hello @Chiyo, welcome.")
	sent(tab)

	// Suggestions of the application, and those that never come.
	tab.Press("/")
	tab.Type("find")
	tab.Press("Enter")
	tab.Type("ap")
	tab.WaitText(".suggest-item", "apricot")
	tab.Press("ArrowDown", "Enter", "Enter")
	tab.WaitText(newest, "Found apricot.")
	sent(tab)
	tab.Press("/")
	tab.Type("find")
	tab.Press("Enter")
	tab.Type("zzz")
	tab.WaitText(".suggest-note", "No options match your search")
	srv.AllowUnanswered()
	tab.Press("Backspace", "Backspace", "Backspace")
	tab.Type("never")
	asked(t, srv, "never")
	expire(t, srv, 1)
	tab.WaitText(".suggest-note", "Loading options failed")

	// Escape leads out step by step, and Backspace too.
	tab.Press("Escape", "Escape", "Escape")
	tab.Wait("plain text", `!document.querySelector(".command-name") && document.activeElement.id === "composer-input"`)
	tab.Type("just *words*")
	tab.Press("Enter")
	tab.WaitText(newest+" em", "words")
}

func TestBoardByKeyboard(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	send(tab, "play")
	tab.WaitText(newest, "Board of @Ada")
	tab.Press("Shift+Tab")
	focus := func(want string) {
		t.Helper()
		if got := tab.Focused(); got != want {
			t.Errorf("the focus is on %q, want %q", got, want)
		}
	}
	focus("button a1")
	tab.Press("ArrowRight", "ArrowDown")
	focus("button b2")
	tab.Press("End")
	focus("button c2")
	tab.Press("Home", "ArrowUp")
	focus("button a1")
	tab.Press("ArrowDown", "ArrowRight", "Enter")
	tab.WaitText(newest, "last :cell:11")
	rested(tab)
	focus("button X, b2")
	if got, want := tab.Spoken(), "Board of @Ada · last :cell:11"; got != want {
		t.Errorf("spoken: got %q, want %q", got, want)
	}
	tab.Press("ArrowRight", "Space")
	tab.WaitText(newest, "last :cell:21")
	rested(tab)
	focus("button O, c2")
	tab.Press("ArrowDown", "Enter")
	tab.WaitText(newest, "Over")
	focus("button X, c3")
	before := len(srv.World().Calls())
	tab.Press("ArrowLeft", "Enter") // disabled, and still within reach
	focus("button b3")
	tab.Press("ArrowDown")
	focus("button Resign")
	tab.Press("Tab")
	focus("textarea Message to #general")
	if got := len(srv.World().Calls()); got != before {
		t.Errorf("a disabled button sent %d interactions", got-before)
	}
	if got := tab.Text("#toasts"); strings.Contains(got, "Not sent") {
		t.Errorf("a disabled button was tried nevertheless: %s", got)
	}

	// F6 goes round the regions, Shift+F10 opens a person's menu.
	tab.Press("F6")
	if got := tab.Focused(); !strings.HasPrefix(got, "button Ada") {
		t.Errorf("after the composer F6 goes to %q, want the people", got)
	}
	tab.Press("ArrowDown", "Shift+F10")
	tab.Wait("the menu", `document.activeElement.role === "menuitem"`)
	focus("menuitem Wave")
	tab.WantAccessible()
	tab.Press("Enter")
	tab.WaitText(newest, "👋 @Ben")
}

func TestTwoPeopleInTwoTabs(t *testing.T) {
	srv, browser := browse(t, nil)
	ada := browser.Open(t, srv.URL()+"/?as=ada#general", pagetest.Desk)
	ben := browser.Open(t, srv.URL()+"/?as=ben#games", pagetest.Desk)
	ada.Press("/")
	ada.Type("greet")
	ada.Press("Enter")
	ada.Type("ben")
	ada.Press("Enter", "Enter")
	ben.WaitText(".toast-title", "Tic-tac-toe (#general, Playground)")
	ben.WaitText(".toast-text", "Hello @Ben, welcome.")
	ben.WaitText(".channel.unread", "general")
	if got, want := ben.Text(".channel.unread .spoken"), "1 mention"; got != want {
		t.Errorf("beside the channel is said %q, want %q", got, want)
	}
	ben.Click(".toast-body")
	ben.WaitText(".body", "Hello @Ben")
	ben.WaitText(".byline", "Tic-tac-toe")
	ben.ClickText("Say hi")
	ben.WaitText(".message-private", "Only you can see this")
	ada.WaitReady()
	if ada.Count(".message-private") != 0 {
		t.Error("Ada sees what only Ben should")
	}
	ben.ClickText("Dismiss message")
	ben.Wait("the message to be gone", `!document.querySelector(".message-private")`)

	// The same tab as somebody else, in another language.
	ben.Click(".me-who")
	ben.ClickText("Be Deniz")
	ben.WaitText(".me-text", "Deniz")
	if got := pagetest.Eval[string](ben, `location.search`); got != "?as=deniz" {
		t.Errorf("the address says %q", got)
	}
}

func TestEveryComponent(t *testing.T) {
	srv, browser := browse(t, nil)
	srv.AllowUnanswered()
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	send(tab, "gallery")
	tab.WaitText(newest, "A section")
	for selector, want := range map[string]int{
		".section": 2, ".thumbnail": 1, ".gallery .picture": 2, ".separator-wide": 1, "a.button-link": 1,
		".button-primary": 1, ".button-danger": 1, ".select": 2, ".covered": 1, `.button[aria-disabled="true"]`: 1,
	} {
		if got := tab.Count(newest + " " + selector); got != want {
			t.Errorf("%s: got %d, want %d", selector, got, want)
		}
	}
	if got := pagetest.Eval[string](tab, `document.querySelector(".thumbnail").getAttribute("aria-label")`); got != "A cat asleep" {
		t.Errorf("the thumbnail's text: got %q", got)
	}
	tab.WantAccessible()

	// However slowly it is typed here, it is one word.
	pagetest.Eval[bool](tab, `(window.setTimeout = ((real) => (f, ms) => real(f, ms === 700 ? 1e6 : ms))(setTimeout), true)`)
	tab.ClickText("Pick fruit")
	tab.Wait("the list", `document.activeElement.role === "option"`)
	tab.Press("Enter")
	tab.Type("pl")
	tab.Press("Space")
	tab.WantAccessible()
	tab.ClickText("Done")
	tab.WaitText(".message-private", "Chosen: apple and plum")
	rested(tab)

	tab.ClickText("No answer")
	tab.Wait("the spinner", `document.querySelector(".waiting")`)
	expire(t, srv, 1)
	tab.WaitText(".failed", "This interaction failed")
	tab.WaitText("#assertive", "This interaction failed")

	send(tab, "silent")
	tab.WaitText(".sending", "/demo silent")
	expire(t, srv, 1)
	tab.WaitText(".sending-failed", "The application did not respond")

	send(tab, "later")
	tab.WaitText(".thinking", "Tic-tac-toe is thinking")
}

func TestEveryMarkup(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	send(tab, "texts")
	tab.WaitText(newest, "Title")
	for selector, want := range map[string]string{
		".heading-1": "Title", "strong": "bold", "em": "slanted", "u": "under", "s": "gone", "p code": "code", ".spoiler": "hidden",
		".small": "small print", "blockquote": "quoted", "ul li:last-child": "two", "pre": "block",
		".mention-me": "@Ada", ".mention-unknown": "@unknown-user", `time[data-style="D"]`: "January 1, 1970", `time[data-style="R"]`: "in 3 days",
		`a[href="https://example.org/x"]`: "masked", "p:last-of-type": "*plain* 1 < 2 <script>alert(1)</script> <b>not bold</b>",
	} {
		tab.WaitText(newest+" .markdown "+selector, want)
	}
	// Ben is known here and not mentioned: others would not see who he is.
	if got := tab.Count(newest + " .mention-unknown"); got != 2 {
		t.Errorf("%d people are @unknown-user, want 2", got)
	}
	if got := tab.Count(newest + " b, " + newest + " script"); got != 0 {
		t.Error("text became markup")
	}
	tab.ClickText("/demo play")
	tab.WaitText(".command-name", "/demo play")
	tab.Press("Escape", "Escape")
	tab.ClickText("#games")
	tab.WaitText("#channel-title", "games")
}

func TestModal(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	send(tab, "form")
	tab.WaitText("dialog.form", "A word")
	tab.WantAccessible()
	tab.Press("Enter")
	tab.WaitText(".field-error", "This field is required.")
	tab.Type("x")
	tab.Press("Enter")
	tab.WaitText(".field-error", "At least 2 characters.")
	tab.Type("yz")
	tab.Press("Enter")
	tab.WaitText(newest, "You wrote: xyz")
}

func TestContextMenuOfAMessage(t *testing.T) {
	srv, browser := browse(t, nil)
	if _, err := srv.User("Ben").Say(srv.Guild().Channel("general"), "wise words"); err != nil {
		t.Fatal(err)
	}
	tab := browser.Open(t, srv.URL()+"/?as=eva", pagetest.Desk)
	tab.WaitText(newest, "wise words")
	open := func() {
		pagetest.Eval[bool](tab, `document.querySelector(".body").dispatchEvent(new MouseEvent("contextmenu", {bubbles: true, cancelable: true, clientX: 300, clientY: 300}))`)
		tab.Wait("the menu", `document.activeElement.role === "menuitem"`)
	}
	open()
	tab.ClickText("Quote")
	tab.WaitText("blockquote", "wise words")
	open()
	tab.ClickText("Delete message") // Eva is a moderator
	tab.Wait("the message to be gone", `document.querySelectorAll(".message").length === 1`)
}

func TestLanguagePickers(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	if got, want := tab.Count(".me .language option"), len(rules.Locales()); got != want {
		t.Errorf("the page offers %d languages, want %d", got, want)
	}
	choose := func(selector, locale string) {
		pagetest.Eval[bool](tab, fmt.Sprintf(`(() => { const s = document.querySelector(%q); s.value = %q; return s.dispatchEvent(new Event("change")); })()`, selector, locale))
	}
	choose(".me .language", "de")
	srv.WaitFor(t, "Ada's language", func() bool { return srv.User("Ada").Locale() == "de" })
	choose(".guild .language", "ja")
	srv.WaitFor(t, "the guild's language", func() bool { return srv.Guild().Locale() == "ja" })
	tab.Press("/")
	tab.WaitText(".suggest-item", "/vorführung spielen")
}

func TestPhone(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Phone)
	tab.Click(".channels-toggle")
	tab.Wait("the sheet", `document.querySelector("#channels").checkVisibility({visibilityProperty: true})`)
	tab.WantAccessible()
	tab.ClickText("games")
	tab.WaitText("#channel-title", "games")
	tab.Wait("the sheet to be gone", `document.querySelector("#scrim").hidden`)
	tab.Click(".invite")
	tab.WaitText(".command-name", "/demo play")
	tab.Click(".send")
	tab.WaitText(newest, "Board of @Ada")
	tab.WantAccessible()
	size := pagetest.Eval[[]float64](tab, `(() => { const r = document.querySelector(".cell").getBoundingClientRect(); return [r.width, r.height]; })()`)
	if size[0] < 48 || size[1] < 44 {
		t.Errorf("a cell is %v×%v, want at least 48×44 for fingers", size[0], size[1])
	}
	for _, width := range []int64{320, 360} {
		tab := browser.Open(t, srv.URL()+"/#games", pagetest.View{Width: width, Height: 640, Phone: true})
		tab.Widen()
		if got := pagetest.Eval[float64](tab, `document.documentElement.scrollWidth`); got > float64(width) {
			t.Errorf("at %d px the page is %v px wide", width, got)
		}
	}
}

func TestPhoneWidthSwitch(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	send(tab, "play")
	tab.WaitText(newest, "Board")
	tab.Click(".phone-toggle")
	tab.Wait("the width of a phone", `document.querySelector(".frame").clientWidth === 360`)
	tab.Wait("higher cells of the same width", `(({width, height}) => width === 60 && height === 44)(document.querySelector(".cell").getBoundingClientRect())`)
}

func TestServerRestartsUnderAnOpenPage(t *testing.T) {
	browser := pagetest.Start(t)
	start := func(addr string) *sandbox.Server {
		t.Helper()
		o := sandbox.Options{Addr: addr}
		withPage(&o)
		srv, err := sandbox.Start(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = srv.Close() })
		return srv
	}
	first := start(ownAddress(t))
	tab := browser.Open(t, first.URL()+"/?as=ben#games", pagetest.Desk)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	tab.WaitText("#banner", "Connecting again")
	second := start(strings.TrimPrefix(first.URL(), "http://"))
	registerDemo(t, second)
	connectDemo(t, second)
	tab.WaitReady()
	tab.WaitText("#channel-title", "games")
	tab.WaitText(".me-text", "Ben")
	tab.Wait("the commands", `document.querySelector(".invite")`)
	send(tab, "play")
	tab.WaitText(newest, "Board of @Ben")
}

func TestDrawer(t *testing.T) {
	restarted := make(chan struct{}, 1)
	srv, browser := browse(t, func() error {
		restarted <- struct{}{}
		return nil
	})
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	tab.Click("#drawer-toggle")
	tab.WaitText("#drawer", "Cause a fault")
	send(tab, "play")
	tab.WaitText(".call-name", "/demo play")
	tab.WaitText(".call-state", "message")
	tab.Click(".call summary")
	tab.WaitText(".json", `"custom_id"`)
	tab.WantAccessible()
	if got := tab.Text("#drawer"); strings.Contains(got, srv.World().Calls()[0].InteractionToken()) {
		t.Error("the drawer shows an interaction's token")
	}
	tab.ClickText("Restart the bot's session")
	<-restarted
	tab.ClickText("Answer 500 next")
	tab.WaitText(".armed", "FailNext")
	tab.ClickText("Disarm")
	tab.Wait("nothing armed", `!document.querySelector(".armed")`)
	tab.ClickText("All " + fmt.Sprint(len(srv.Faults().List())) + " faults")
	if got, want := tab.Count(".fault-name"), len(srv.Faults().List()); got != want {
		t.Errorf("%d faults are offered, want %d", got, want)
	}
}
