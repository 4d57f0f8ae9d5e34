package page_test

import (
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/pagetest"
)

func TestSheetsAreClosedWhole(t *testing.T) {
	srv, browser := browse(t, nil)
	shown := `document.querySelector("#drawer").checkVisibility({visibilityProperty: true})`
	expanded := `document.querySelector("#drawer-toggle").getAttribute("aria-expanded") === "true"`
	inside := `document.querySelector("#drawer").contains(document.activeElement)`
	for _, width := range []int64{360, 800} {
		tab := browser.Open(t, srv.URL(), pagetest.View{Width: width, Height: 740})
		open := func() {
			t.Helper()
			tab.Click("#drawer-toggle")
			tab.WaitText("#drawer", "Cause a fault")
			tab.Wait("the drawer", shown+" && "+expanded)
			if !pagetest.Eval[bool](tab, inside) {
				t.Errorf("%d px: the focus is on %s, not in the drawer", width, tab.Focused())
			}
		}
		closed := func(by string) {
			t.Helper()
			tab.Wait("the drawer to be gone after "+by, "!("+shown+") && !("+expanded+")")
			if got := tab.Focused(); got != "button Developer" {
				t.Errorf("%d px: after %s the focus is on %s", width, by, got)
			}
			if pagetest.Eval[bool](tab, `!!document.querySelector("[inert]")`) {
				t.Errorf("%d px: after %s something is still out of reach", width, by)
			}
		}
		open()
		if line := pagetest.Eval[string](tab, `getComputedStyle(document.querySelector("#drawer")).borderInlineStartWidth`); width < 640 && line != "0px" {
			t.Errorf("%d px: a line of %s stands at the drawer's edge", width, line)
		}
		if !pagetest.Eval[bool](tab, `["topbar", "main", "channels", "people"].every((id) => document.getElementById(id).inert)`) {
			t.Errorf("%d px: what is behind the drawer can be reached", width)
		}
		tab.WantAccessible()
		tab.Press("Shift+Tab")
		last := tab.Focused()
		if !pagetest.Eval[bool](tab, inside) {
			t.Errorf("%d px: before its first button Tab leaves the drawer to %s", width, last)
		}
		tab.Press("Tab")
		if got := tab.Focused(); got != "button Close the developer's drawer" || last == got {
			t.Errorf("%d px: after its last stop Tab goes to %s", width, got)
		}
		tab.Press("Escape")
		closed("Escape")
		open()
		pagetest.Eval[bool](tab, `(document.querySelector("#scrim").click(), true)`)
		closed("a press beside it")
		open()
		tab.Press("Enter")
		closed("its button")
		tab.Close()
	}
}

func TestDrawerGoesWhenThePageBecomesNarrow(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	tab.Click("#drawer-toggle")
	tab.WaitText("#drawer", "Cause a fault")
	tab.Click(".phone-toggle")
	tab.Wait("the drawer to be gone", `document.querySelector("#drawer-toggle").getAttribute("aria-expanded") === "false"`)
	tab.Click("#drawer-toggle")
	tab.Wait("the drawer as a sheet", `document.querySelector("#drawer").contains(document.activeElement) && document.querySelector("#main").inert`)
	pagetest.Eval[bool](tab, `(document.querySelector(".phone-toggle").click(), true)`)
	tab.Wait("a wide page without a sheet", `!document.querySelector("[inert]") && document.querySelector("#scrim").hidden`)
}

func TestDrawerTouchesOnlyWhatChanged(t *testing.T) {
	srv, browser := browse(t, nil)
	srv.AllowUnanswered()
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	tab.Click("#drawer-toggle")
	tab.WaitText("#drawer", "Cause a fault")
	send(tab, "silent")
	expire(t, srv, 1)
	tab.WaitText(".call-state", "failed")
	play := func(channel string) {
		t.Helper()
		srv.User("Ben").Command(t, srv.Guild().Channel(channel), "demo play")
	}
	play("games")
	tab.WaitText(".call-name", "/demo play")
	tab.Click("#only-problems")
	tab.Wait("only the problem", `document.querySelectorAll(".call").length === 1`)
	tab.Click(".call summary")
	tab.WaitText(".json", `"data"`)
	pagetest.Eval[bool](tab, `(window.asked = [], window.realFetch = fetch, window.fetch = (u, o) => { asked.push(u); return realFetch(u, o); },
		window.row = document.querySelector(".call"), row.querySelector("summary").focus(), true)`)
	for range 3 {
		play("games")
	}
	silent(t, srv)
	tab.Wait("the second problem", `document.querySelectorAll(".call").length === 2`)
	if got := pagetest.Eval[[]string](tab, `asked.filter((u) => u.startsWith("/page/interactions/"))`); len(got) != 0 {
		t.Errorf("interactions of others made the page ask again for %q", got)
	}
	if !pagetest.Eval[bool](tab, `row.isConnected && row.open && row.contains(document.activeElement)`) {
		t.Errorf("the open row was replaced; the focus is on %s", tab.Focused())
	}
	tab.Click("#only-problems")
	tab.Wait("all of them, newest first", `document.querySelectorAll(".call").length === 6 && [...document.querySelectorAll(".call")].at(-1) === row && row.open`)
}

// silent sends a command that is never answered and waits until it has failed.
func silent(t *testing.T, srv *sandbox.Server) {
	t.Helper()
	if _, err := srv.User("Ben").Do(sandbox.SlashCommand{Channel: srv.Guild().Channel("games"), Path: "demo silent"}); err != nil {
		t.Fatal(err)
	}
	expire(t, srv, 1)
}
