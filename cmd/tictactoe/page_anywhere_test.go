package main

import (
	"fmt"
	"testing"

	"tictactoe/bot/sandbox/pagetest"
)

// TestPageTakesTheAppAlong: Ada has the app herself, and Ben, who has not, plays with her
// where its bot is not: in a server, in a group and in their direct messages.
func TestPageTakesTheAppAlong(t *testing.T) {
	browser, url := openPage(t)
	ada, ben := browser.Open(t, url+"/?as=ada#general", pagetest.Desk), browser.Open(t, url+"/?as=ben#general", pagetest.Desk)
	enter := func(tab *pagetest.Tab, name string) {
		t.Helper()
		tab.Wait("the channel "+name, fmt.Sprintf(`(() => {
			const c = [...document.querySelectorAll("[data-channel]")].find((b) => b.innerText.trim() === %q);
			c?.click();
			return c;
		})()`, name))
	}
	for _, place := range []struct{ ada, ben string }{{"chat", "chat"}, {"Ben, Eva", "Ada, Eva"}, {"Ben", "Ada"}} {
		enter(ada, place.ada)
		enter(ben, place.ben)
		command(ada, "challenge", "user:", "ben")
		ben.WaitText(newest, "challenges you")
		ben.ClickText("Accept")
		move(ada, "Ada", 2, 2)
		move(ben, "Ben", 1, 1)
		ada.WaitText(newest, "@Ada, your move")
	}
	ada.Press("/")
	ada.Wait("no command of admins", `document.querySelector(".suggest-item") && !document.body.innerText.includes("tictactoe-admin")`)
}
