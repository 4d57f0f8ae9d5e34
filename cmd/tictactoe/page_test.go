package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tictactoe/bot/sandbox/pagetest"
)

// These tests are the whole program as somebody meets it: the binary's sandbox
// command, and its page in a browser.

// newest selects in the newest message of a channel.
const newest = ".message:last-of-type"

// openPage starts the program and a browser.
func openPage(t *testing.T) (*pagetest.Browser, string) {
	t.Helper()
	browser := pagetest.Start(t)
	_, page := sandboxAt(t, "")
	return browser, page.url
}

// command types a slash command and sends it: the subcommand, then options as
// "name:" and what to type for the value.
func command(tab *pagetest.Tab, subcommand string, options ...string) {
	compose(tab, subcommand, options...)
	tab.Press("Enter")
	tab.Wait("the command to be gone", `!document.querySelector(".command-name")`)
}

// compose is command without sending it.
func compose(tab *pagetest.Tab, subcommand string, options ...string) {
	tab.Press("/")
	tab.Wait("the commands", `document.querySelector(".suggest-item")`)
	tab.Type(subcommand)
	tab.Press("Enter")
	tab.Wait("the command", `document.querySelector(".command-name")`)
	for i := 0; i+1 < len(options); i += 2 {
		tab.Type(options[i])
		tab.Type(options[i+1])
		tab.Press("Enter")
	}
}

// cell selects the button at a row and column, both from 1, whatever it shows.
func cell(row, column int) string {
	return fmt.Sprintf(`.rows-board .row:nth-child(%d) .cell:nth-child(%d)`, row, column)
}

// emptyCell is how an empty cell is said: by its name alone.
var emptyCell = regexp.MustCompile(`^button [a-e][1-5]$`)

// over is whether a game is over: its cells stay as they are, and offer the next.
const over = `[...document.querySelectorAll(".button-label")].some((b) => b.textContent === "Rematch")`

// look waits until a person has had the time to see the board as it is, and their press
// before is over: the bot takes a tap sooner than that for one on the board before.
func look(tab *pagetest.Tab) {
	tab.Wait("a look at the board", `!document.querySelector(".message-waiting") && `+
		`[...document.querySelectorAll(".message:has(.rows-board, .select)")].every((m) => Date.now() - new Date(m.dataset.edited || 0) > 500)`)
}

// move presses a cell once it is that person's turn, and waits for the mark.
func move(tab *pagetest.Tab, name string, row, column int) {
	tab.WaitText(".markdown", "@"+name+", your move")
	look(tab)
	tab.Click(cell(row, column))
	tab.Wait("a mark", fmt.Sprintf(`/^[XO]/.test(document.querySelector(%q).innerText)`, cell(row, column)))
}

// ownList has a running board give somebody a list of their own beside its grid.
func ownList(tab *pagetest.Tab) {
	tab.ClickText("⋯ More")
	tab.Wait("what else there is to do", `[...document.querySelectorAll(".button")].some((b) => b.innerText === "My list")`)
	tab.ClickText("My list")
	tab.Wait("a list beside the grid", `document.querySelector(".message .select") && document.querySelector(".cell")`)
}

func TestPageWholeGameByKeyboard(t *testing.T) {
	browser, url := openPage(t)
	tab := browser.Open(t, url, pagetest.Desk)
	command(tab, "play", "difficulty:", "easy")
	tab.WaitText(newest, "@Ada, your move")
	tab.Press("Shift+Tab") // from the composer into the board
	if got, want := tab.Focused(), "button a1"; got != want {
		t.Fatalf("the focus is on %q, want %q", got, want)
	}
	for range 9 {
		if pagetest.Eval[bool](tab, over) {
			break
		}
		// To the first empty cell in reading order, by arrows alone.
		tab.Press("Home", "ArrowUp", "ArrowUp")
		for !emptyCell.MatchString(tab.Focused()) {
			tab.Press("ArrowRight")
		}
		place := strings.TrimPrefix(tab.Focused(), "button ")
		look(tab)
		tab.Press("Enter")
		tab.Wait("an answer to "+place, `/^[XO]/.test(document.activeElement.textContent) || `+over)
		if got := tab.Focused(); !strings.HasSuffix(got, place) {
			t.Errorf("after the move the focus went from %s to %s", place, got)
		}
	}
	tab.Wait("the end of the game", over)
	tab.WantAccessible()
	if got := tab.Spoken(); got == "" {
		t.Error("the end is not spoken")
	}
	tab.Press("ArrowDown", "ArrowDown", "ArrowDown", "Home")
	if got := tab.Focused(); !strings.HasPrefix(got, "button Rematch") {
		t.Fatalf("below the board is %q, want a way on", got)
	}
	tab.Press("Enter")
	tab.Wait("the next game", `document.querySelector(".rows-board") && !`+over)
}

func TestPageTwoPeopleFromChallengeToWinningLine(t *testing.T) {
	browser, url := openPage(t)
	ada := browser.Open(t, url+"/?as=ada#general", pagetest.Desk)
	ben := browser.Open(t, url+"/?as=ben#games", pagetest.Desk)
	command(ada, "challenge", "user:", "ben")
	ben.WaitText(".toast-text", "@Ben, @Ada challenges you to tic-tac-toe")
	ben.Click(".toast-body")
	ben.WaitText(newest, "challenges you")
	ben.ClickText("Accept")
	for i, m := range []struct {
		tab  *pagetest.Tab
		name string
		row  int
		col  int
	}{{ada, "Ada", 2, 2}, {ben, "Ben", 1, 1}, {ada, "Ada", 2, 1}, {ben, "Ben", 1, 2}, {ada, "Ada", 2, 3}} {
		move(m.tab, m.name, m.row, m.col)
		if i == 0 { // Ada is not to move, and is told so in words that only she sees
			look(ada)
			ada.Click(cell(3, 3))
			ada.WaitText(".message-private", "Not yet: it's @Ben's turn.")
			if ben.Count(".message-private") != 0 {
				t.Error("Ben sees what only Ada should")
			}
			ada.ClickText("Dismiss message")
		}
	}
	for _, tab := range []*pagetest.Tab{ada, ben} {
		tab.WaitText(".markdown", "@Ada wins")
		tab.Wait("the winning line", `document.querySelectorAll(".cell.button-success").length === 3`)
	}
	if got := ada.Count(".mention-unknown") + ben.Count(".mention-unknown"); got != 0 {
		t.Errorf("%d mentions would be @unknown-user", got)
	}
}

func TestPagePrivateGame(t *testing.T) {
	browser, url := openPage(t)
	ada := browser.Open(t, url+"/?as=ada#general", pagetest.Desk)
	ben := browser.Open(t, url+"/?as=ben#general", pagetest.Desk)
	command(ada, "play", "private:", "true")
	ada.WaitText(".message-private", "Only you can see this")
	move(ada, "Ada", 1, 1)
	command(ben, "play") // the channel is free for others
	ben.WaitText(newest, "@Ben, your move")
	if got := ben.Text(".log"); strings.Contains(got, "@Ada") {
		t.Errorf("Ben sees the private game: %s", got)
	}
	ada.WaitText(newest, "@Ben, your move")
	ada.WantAccessible()
}

func TestPageFiveByFiveOnAPhone(t *testing.T) {
	browser, url := openPage(t)
	tab := browser.Open(t, url, pagetest.Phone)
	tab.Widen()
	command(tab, "play", "board:", "5x5-4")
	tab.WaitText(newest, "@Ada, your move")
	move(tab, "Ada", 3, 3)
	tops := pagetest.Eval[[]int](tab, `[...document.querySelectorAll(".rows-board .row:has(.cell)")].map((r) => new Set([...r.querySelectorAll(".cell")].map((c) => c.offsetTop)).size)`)
	if len(tops) != 5 {
		t.Fatalf("got %d rows, want 5", len(tops))
	}
	for i, n := range tops { // as on Discord
		if n != 2 {
			t.Errorf("row %d takes %d lines, want 2", i+1, n)
		}
	}
	if got := pagetest.Eval[int](tab, `document.documentElement.scrollWidth`); got > 360 {
		t.Errorf("the page is %d px wide", got)
	}
	ownList(tab)
	tab.WantAccessible()
}

// TestPageAsPeopleSetTheirSystems plays a game to its end with the page at four
// times the size, in the system's own colours, and without motion.
func TestPageAsPeopleSetTheirSystems(t *testing.T) {
	browser := pagetest.Start(t)
	views := map[string]pagetest.View{"zoomed": pagetest.Zoomed, "forced colours": pagetest.Contrast, "reduced motion": pagetest.Calm}
	for name, view := range views {
		t.Run(name, func(t *testing.T) {
			_, page := sandboxAt(t, "")
			tab := browser.Open(t, page.url, view)
			tab.Widen()
			// Nothing that moves may go on for longer than somebody notices, and nothing fades: of a
			// colour that is inherited each element would begin where the one around it ends.
			pagetest.Eval[bool](tab, `(window.moved = [], addEventListener("transitionrun", (e) => moved.push(e.propertyName)), setInterval(() =>
				moved.push(...document.getAnimations().filter((a) => a.effect.getComputedTiming().activeDuration > 10).map((a) => a.animationName)), 10), true)`)
			command(tab, "play", "difficulty:", "random", "first:", "me")
			tab.WaitText(newest, "@Ada, your move")
			if got := pagetest.Eval[int](tab, `document.documentElement.scrollWidth`); int64(got) > view.Width {
				t.Errorf("the page is %d px wide, the screen %d", got, view.Width)
			}
			for i := range 9 {
				if pagetest.Eval[bool](tab, over) {
					break
				}
				at := cell(i/3+1, i%3+1)
				marked := fmt.Sprintf(`/^[XO]/.test(document.querySelector(%q).innerText)`, at)
				if pagetest.Eval[bool](tab, marked) {
					continue
				}
				look(tab)
				tab.Click(at)
				tab.Wait("a mark", marked)
				tab.Wait("the turn or the end", over+` || /your move/.test(document.querySelector(".messages").innerText)`)
			}
			tab.Wait("the end", over)
			tab.WantAccessible()
			tab.Shot() // once nothing changes its colour any more
			looks := func(of string) int {
				return pagetest.Eval[int](tab, fmt.Sprintf(`new Set([...document.querySelectorAll(".cell")].map((c) => %s)).size`, of))
			}
			if looks(`getComputedStyle(c).border + getComputedStyle(c).backgroundColor`) < looks(`c.classList.contains("button-success")`) {
				t.Error("the winning line looks as the other cells do")
			}
			if moved := pagetest.Eval[[]string](tab, "[...new Set(moved)]"); name == "reduced motion" && len(moved) > 0 {
				t.Errorf("these move: %v", moved)
			}
		})
	}
}

func TestPageSurvivesARestart(t *testing.T) {
	browser := pagetest.Start(t)
	dir := t.TempDir()
	p, page := sandboxAt(t, dir, "--data", "kept")
	tab := browser.Open(t, page.url+"/?as=ben#games", pagetest.Desk)
	command(tab, "play", "difficulty:", "easy")
	tab.WaitText(newest, "@Ben, your move")
	move(tab, "Ben", 2, 2)
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, output := p.wait(t); code != 0 {
		t.Fatalf("got exit code %d: %s", code, output)
	}
	tab.WaitText("#banner", "Connecting again")
	sandboxAgain(t, dir, page, "--data", "kept")
	tab.WaitReady()
	tab.WaitText(".presence", "Tic-tac-toe online")
	tab.WaitText("#channel-title", "games")
	tab.Wait("the move that was made", fmt.Sprintf(`document.querySelector(%q)?.innerText === "X"`, cell(2, 2)))
	free := pagetest.Eval[[]int](tab, `(() => { for (const r of [1, 2, 3]) for (const c of [1, 2, 3]) if (document.querySelector(".rows-board .row:nth-child(" + r + ") .cell:nth-child(" + c + ")").innerText === "\u200b") return [r, c]; })()`)
	move(tab, "Ben", free[0], free[1])
}

// faultButtons are all buttons of the drawer that cause a fault a bot comes back
// from, in groups that take about as long as one another: a half-open link is
// noticed by its silence, which takes more than a heartbeat.
var faultButtons = [][]string{
	{"NoAcks", "Drop the Gateway", "Answer 500 next", "Be slow next", "Rate-limit next", "FailNext", "RefuseNext"},
	{"SilentGateway", "Restart the bot's session", "CloseGateway", "DropGateway", "ApplyThenFailNext", "SlowNext", "HangNext"},
	{"NoHello", "NoReady", "ReconnectOp7", "InvalidSession", "RedeliverNext", "ResetNext", "RateLimitNext", "ExpireTokens", "OldEditsNext", "ResourceLimitNext"},
	{
		"FirstPacketAfterHello", "FirstPacketAfterIdentify", "FirstPacketAfterResume", "RefuseResume", "RefuseUpgrade",
		"GatewayBotFails", "DelayDelivery", "CompressedFrames", "UnknownEvents",
	},
}

// TestPageFaultButtons presses every fault's button and then asks the bot for help
// until it answers, as it must.
func TestPageFaultButtons(t *testing.T) {
	browser := pagetest.Start(t)
	for i, group := range faultButtons {
		t.Run(group[0], func(t *testing.T) {
			t.Parallel()
			_, page := sandboxAt(t, "")
			tab := browser.Open(t, page.url, pagetest.Desk)
			tab.Click("#drawer-toggle")
			tab.Click(".all-faults summary")
			for _, name := range group {
				cause(t, tab, name)
			}
			if i > 0 {
				return
			}
			known := strings.Join(slices.Concat(faultButtons...), " ") + " RevokeToken"
			for _, name := range pagetest.Eval[[]string](tab, `[...document.querySelectorAll(".fault-name, .fault")].map((b) => b.innerText)`) {
				if !strings.Contains(known, name) {
					t.Errorf("the button %s is not pressed by any test", name)
				}
			}
			tab.ClickText("RevokeToken") // from which no bot comes back
			tab.Wait("the bot to be gone", `document.querySelector(".presence-off, #banner:not([hidden])")`)
		})
	}
}

// mostTries is how often somebody asks for help after a fault: what the fault met may be lost,
// and what came while the session was replaced, and some for a slow machine.
const mostTries = 5

// cause presses a fault's button and asks for help until the bot answers.
func cause(t *testing.T, tab *pagetest.Tab, name string) {
	t.Helper()
	start := time.Now()
	tab.ClickText(name)
	tab.Wait("a notice of "+name, `document.querySelector(".toast")`)
	for tries := 1; ; tries++ {
		tab.WaitText(".presence", "Tic-tac-toe online")
		command(tab, "help")
		tab.Wait("an answer or its absence after "+name, `document.querySelector(".message-private, .sending-failed")`)
		answered := tab.Count(".message-private") > 0
		for n := tab.Count(".private-note"); n > 0; n = tab.Count(".private-note") {
			tab.ClickText("Dismiss message")
			tab.Wait("one private message less", fmt.Sprintf(`document.querySelectorAll(".private-note").length < %d`, n))
		}
		if answered {
			t.Logf("%s: answered at try %d, after %v", name, tries, time.Since(start).Round(time.Millisecond))
			break
		}
		if tries == mostTries {
			t.Fatalf("%s: no answer to %d commands in %v", name, tries, time.Since(start))
		}
	}
	// What an answer does not meet stays armed. The page may not have been told yet that
	// a fault has struck, so that the button can go before it is pressed.
	pagetest.Eval[bool](tab, `(document.querySelector(".armed button")?.click(), true)`)
	tab.Wait("nothing armed", `!document.querySelector(".armed")`)
	tab.Wait("no notices", `(document.querySelectorAll(".toast .icon-button").forEach((b) => b.click()), !document.querySelector(".toast"))`)
}

// TestPagePictures takes the pictures of the page that people judge it by, with
// -update. Without, it sees that what they show can be reached on a phone, and that all of them
// are there.
func TestPagePictures(t *testing.T) {
	browser, url := openPage(t)
	widths := []pagetest.View{pagetest.Phone, {Width: 1280, Height: 720}}
	folder := filepath.Join("..", "..", "bot", "sandbox", "page", "testdata")
	picture := func(name, address string, prepare func(*pagetest.Tab)) {
		t.Helper()
		for i, view := range widths {
			path := filepath.Join(folder, fmt.Sprintf("page-%s-%d.png", name, view.Width))
			if i > 0 && !*update {
				pictureStands(t, path)
				continue
			}
			tab := browser.Open(t, url+address, view)
			prepare(tab)
			takePicture(t, tab, path)
			tab.Close()
		}
	}
	person := func(address string) *pagetest.Tab { return browser.Open(t, url+address, pagetest.Desk) }
	blur := func(tab *pagetest.Tab) { pagetest.Eval[bool](tab, `(document.activeElement.blur(), true)`) }

	picture("first-visit", "/?as=ada#general", func(tab *pagetest.Tab) { tab.WaitText(".invite", "You are Ada") })
	picture("composer", "/?as=ada#general", func(tab *pagetest.Tab) {
		tab.Press("/")
		tab.Wait("the commands", `document.querySelectorAll(".suggest-item").length > 4`)
	})

	ada, ben := person("/?as=ada#general"), person("/?as=ben#games")
	command(ada, "challenge", "user:", "ben")
	ben.WaitText(".toast-text", "challenges you")
	ben.Click(".toast-body")
	picture("challenge", "/?as=ben#general", func(tab *pagetest.Tab) { tab.WaitText(newest, "challenges you") })

	ben.ClickText("Accept")
	move(ada, "Ada", 2, 2)
	move(ben, "Ben", 1, 1)
	move(ada, "Ada", 1, 3)
	picture("running", "/?as=ben#general", func(tab *pagetest.Tab) { tab.WaitText(newest, "@Ben, your move") })

	move(ben, "Ben", 2, 1)
	move(ada, "Ada", 3, 1)
	picture("finished", "/?as=ada#general", func(tab *pagetest.Tab) { tab.WaitText(".markdown", "@Ada wins") })

	picture("review", "/?as=ben#general", func(tab *pagetest.Tab) {
		tab.WaitText(newest, "Review")
		tab.ClickText("Review")
		tab.WaitText(newest, "Gave away")
		blur(tab)
	})

	picture("leaderboard", "/?as=ben#general", func(tab *pagetest.Tab) {
		command(tab, "leaderboard")
		tab.WaitText(newest, "This month")
		blur(tab)
	})
	picture("puzzle", "/?as=ada#games", func(tab *pagetest.Tab) {
		command(tab, "puzzle")
		tab.WaitText(newest, "Puzzle")
		blur(tab)
	})

	games := person("/?as=ada#games")
	command(games, "play")
	move(games, "Ada", 2, 2)
	picture("refusal", "/?as=ben#games", func(tab *pagetest.Tab) {
		tab.WaitText(".markdown", "@Ada, your move")
		look(tab)
		tab.Click(cell(3, 2))
		tab.WaitText(".message-private", "This is @Ada's game.")
		blur(tab)
	})

	// Ada to move: her oldest mark goes with it, and Ben's with his answer.
	ada.Close()
	ben.Close()
	ada, ben = person("/?as=ada#back-room"), person("/?as=ben#back-room")
	command(ada, "challenge", "user:", "ben", "board:", "vanishing")
	ben.WaitText(newest, "challenges you")
	ben.ClickText("Accept")
	for i, m := range [][2]int{{2, 1}, {2, 2}, {1, 1}, {3, 1}, {1, 3}, {1, 2}} {
		move([]*pagetest.Tab{ada, ben}[i%2], []string{"Ada", "Ben"}[i%2], m[0], m[1])
	}
	picture("vanishing", "/?as=ada#back-room", func(tab *pagetest.Tab) { tab.WaitText(newest, "a2 will vanish") })

	large := person("/?as=ada#@me")
	command(large, "play", "board:", "5x5-4", "difficulty:", "easy")
	// With three marks nobody has won yet, however lucky they are.
	for _, m := range [][2]int{{3, 3}, {2, 4}, {4, 2}} {
		if pagetest.Eval[string](large, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? "\u200b"`, cell(m[0], m[1]))) == "\u200b" {
			move(large, "Ada", m[0], m[1])
		}
	}
	widths[0].Height = 860 // a row of five takes two lines there
	picture("5x5", "/?as=ada#@me", func(tab *pagetest.Tab) { tab.WaitText(".markdown", "@Ada, your move") })

	picture("list", "/?as=ada#@me", func(tab *pagetest.Tab) {
		tab.WaitText(".markdown", "@Ada, your move")
		ownList(tab)
		blur(tab)
	})

	widths[0].Height = pagetest.Phone.Height
	chiyo := person("/?as=chiyo#@me")
	command(chiyo, "play")
	chiyo.Wait("a board", `document.querySelector(".cell")`)
	look(chiyo)
	chiyo.Click(cell(2, 2))
	chiyo.Wait("an answer", `document.querySelector(".cell.button-danger")`)
	widths[1].Height = 780 // so that the line with the date is not cut
	picture("japanese", "/?as=chiyo#@me", func(tab *pagetest.Tab) {
		tab.Wait("the board", `document.querySelector(".cell.button-danger")`)
		command(tab, "help")
		tab.Wait("help", `document.querySelector(".message-private")`)
		blur(tab)
		pagetest.Eval[bool](tab, `(document.querySelector("#log").scrollTop = 0, true)`) // the board rather than the end
	})
}
