package page_test

import (
	"fmt"
	"testing"

	"tictactoe/bot/sandbox/pagetest"
)

// TestRowsWrapOnPhones measures how many lines rows of three, four and five
// buttons take: on a phone five do not fit beside one another.
func TestRowsWrapOnPhones(t *testing.T) {
	srv, browser := browse(t, nil)
	for width := 3; width <= 5; width++ {
		rows := arr{}
		for y := range 3 {
			cells := arr{}
			for x := range width {
				cells = append(cells, btn(fmt.Sprint(x, y), obj{"label": blank}))
			}
			rows = append(rows, row(cells...))
		}
		if width < 5 {
			rows = arr{obj{"type": 17, "accent_color": 1, "components": rows}}
		}
		tell(t, srv, v2(append(arr{obj{"type": 10, "content": fmt.Sprint(width, " wide")}}, rows...)...))
	}
	// How far the rows of each message spread: the lines of their first row.
	lines := func(tab *pagetest.Tab) []int {
		return pagetest.Eval[[]int](tab, `[...document.querySelectorAll(".message")].map((m) =>
			new Set([...m.querySelector(".row").children].map((b) => b.getBoundingClientRect().top)).size)`)
	}
	check := func(name string, tab *pagetest.Tab, five int) {
		t.Helper()
		tab.WaitText(newest, "5 wide")
		tab.Widen()
		if got, want := fmt.Sprint(lines(tab)), fmt.Sprint([]int{1, 1, five}); got != want {
			t.Errorf("%s: rows of three, four and five take %s lines, want %s", name, got, want)
		}
		if over := pagetest.Eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s: the page is %d px too wide", name, over)
		}
	}
	address := srv.URL() + "/#general"
	check("phone", browser.Open(t, address, pagetest.Phone), 2)
	check("small phone", browser.Open(t, address, pagetest.View{Width: 320, Height: 640, Phone: true}), 2)
	desk := browser.Open(t, address, pagetest.Desk)
	check("desk", desk, 1)
	desk.Click(".phone-toggle")
	desk.Wait("the width of a phone", `document.querySelector("#app").clientWidth === 360`)
	check("phone width", desk, 2)
}

// TestDisabledIsHalfTransparent compares a disabled button with one that is not.
func TestDisabledIsHalfTransparent(t *testing.T) {
	srv, browser := browse(t, nil)
	tell(t, srv, obj{"content": "Two", "components": arr{row(
		btn("on", obj{"label": "On", "style": 4}), btn("off", obj{"label": "Off", "style": 4, "disabled": true}),
	)}})
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	tab.WaitText(newest, "Off")
	got := pagetest.Eval[[]string](tab, `[...document.querySelectorAll(".button")].flatMap((b) =>
		[getComputedStyle(b).backgroundColor, getComputedStyle(b).opacity, getComputedStyle(b.firstElementChild).opacity])`)
	want := []string{"rgb(194, 50, 60)", "1", "1", "color(srgb 0.760784 0.196078 0.235294 / 0.5)", "1", "0.5"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
	tab.WantAccessible()
}
