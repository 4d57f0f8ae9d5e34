package page_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/sandbox/pagetest"
)

// colours counts the colours of what the tab shows of an element and the margin
// around it.
func colours(t *testing.T, tab *pagetest.Tab, selector string, margin int) int {
	t.Helper()
	tab.Wait(selector, fmt.Sprintf("document.querySelector(%q)", selector))
	pagetest.Eval[bool](tab, fmt.Sprintf(`(document.querySelector(%q).scrollIntoView({block: "center"}), true)`, selector))
	tab.Still()
	box := pagetest.Eval[[]float64](tab, fmt.Sprintf(`((el) => {
		const r = el.getBoundingClientRect();
		return [r.left, r.top, r.right, r.bottom];
	})(document.querySelector(%q))`, selector))
	shot, err := png.Decode(bytes.NewReader(tab.Shot()))
	if err != nil {
		t.Fatal(err)
	}
	area := image.Rect(int(box[0]), int(box[1]), int(box[2]), int(box[3])+1).Inset(-margin).Intersect(shot.Bounds())
	seen := map[color.Color]bool{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			seen[shot.At(x, y)] = true
		}
	}
	return len(seen)
}

// TestForcedColours looks at what is drawn with grounds alone, which the system's
// own colours replace.
func TestForcedColours(t *testing.T) {
	srv, browser := browse(t, nil)
	for _, scheme := range []string{"dark", "light"} {
		view := pagetest.Contrast
		view.Features = maps.Clone(view.Features)
		view.Features["prefers-color-scheme"] = scheme
		tab := browser.Open(t, srv.URL()+"/#games", view)
		tab.Wait("an empty channel", `document.querySelector(".invite") || document.querySelector(".message")`)
		if tab.Count(newest) == 0 {
			send(tab, "gallery")
			tab.WaitText(newest, "A section")
			send(tab, "texts")
			tab.WaitText(newest, "Title")
		}
		for selector, margin := range map[string]int{
			".separator-wide": 2, ".day": 0, ".gutter .glyph": 0, ".person .glyph": 0, ".markdown .spoiler": 1, ".covered .cover": 1,
		} {
			if got := colours(t, tab, selector, margin); got < 2 {
				t.Errorf("%s scheme: %s cannot be seen", scheme, selector)
			}
		}
		// The label of a day has colours too: the lines beside it are looked at alone.
		pagetest.Eval[bool](tab, `(document.querySelector(".day").replaceChildren(), true)`)
		if got := colours(t, tab, ".day", 1); got < 2 {
			t.Errorf("%s scheme: the lines of a day cannot be seen", scheme)
		}
		tab.Close()
	}
}

// TestLargeLetters doubles the size of all letters, as some set their browser, and
// looks for controls that are too low for theirs.
func TestLargeLetters(t *testing.T) {
	srv, browser := browse(t, nil)
	for _, view := range []pagetest.View{pagetest.Desk, pagetest.Phone} {
		tab := browser.Open(t, srv.URL()+"/#games", view)
		pagetest.Eval[bool](tab, `(document.documentElement.style.fontSize = "200%", true)`)
		cut := func() {
			t.Helper()
			got := pagetest.Eval[[]string](tab, `[...document.querySelectorAll("button, select, input:not([type=checkbox]), textarea, .command-name, .option-name, .guild-name, .title, .count")]
				.filter((el) => el.checkVisibility({visibilityProperty: true}) && (el.textContent.trim() || el.matches("select, input, textarea")))
				.filter((el) => {
					const s = getComputedStyle(el);
					const line = s.lineHeight === "normal" ? 1.15 * parseFloat(s.fontSize) : Math.min(parseFloat(s.lineHeight), 1.3 * parseFloat(s.fontSize));
					const room = el.clientHeight - (el.matches("input, textarea, select") ? parseFloat(s.paddingTop) + parseFloat(s.paddingBottom) : 0);
					return el.clientHeight > 0 && room + 1 < line;
				}).map((el) => el.className + " " + el.clientHeight + "px: " + (el.value ?? el.textContent).slice(0, 20))`)
			for _, c := range got {
				t.Errorf("%d px wide: cut off: %s", view.Width, c)
			}
		}
		cut()
		if view.Phone {
			tab.Click(".channels-toggle")
			tab.Wait("the sheet", `document.querySelector("#channels").checkVisibility({visibilityProperty: true})`)
			cut()
			tab.Press("Escape")
			tab.Wait("the sheet to be gone", `document.querySelector("#scrim").hidden`)
		}
		tab.Click("#composer-input")
		tab.Type("gypsy")
		cut()
		tab.Press("Backspace", "Backspace", "Backspace", "Backspace", "Backspace")
		tab.Press("/")
		tab.Wait("the commands", `document.querySelector(".suggest-item")`)
		tab.Type("play")
		tab.Press("Enter")
		tab.WaitText(".command-name", "/demo play")
		tab.Type("level:")
		cut()
		tab.Type("5")
		tab.Press("Enter", "Enter")
		sent(tab)
		tab.WaitText(newest, "Board of @Ada")
		cut()
		if got := pagetest.Eval[int64](tab, `document.documentElement.scrollWidth`); got > view.Width {
			t.Errorf("the page is %d px wide, the screen %d", got, view.Width)
		}
		tab.Close()
	}
}

// TestSmallThings looks at what is a few pixels off, or there twice.
func TestSmallThings(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL()+"/#games", pagetest.Desk)
	slash := `document.querySelector(".slash").checkVisibility()`
	if !pagetest.Eval[bool](tab, slash) {
		t.Error("there is no button for the commands")
	}
	tab.Press("/")
	tab.Wait("the commands", `document.querySelector(".suggest-item")`)
	if pagetest.Eval[bool](tab, slash) {
		t.Error("beside the slash that was typed stands another one")
	}
	tab.Press("Backspace")
	tab.Wait("the button again", slash)
	send(tab, "gallery")
	tab.WaitText(newest, "A section")
	off := pagetest.Eval[float64](tab, `(() => {
		const middle = (el) => { const r = el.getBoundingClientRect(); return r.left + r.width / 2; };
		const emoji = [...document.querySelectorAll(".button-emoji")].find((el) => el.textContent === "🎲");
		return middle(emoji) - middle(emoji.closest("button"));
	})()`)
	if off < -0.5 || off > 0.5 {
		t.Errorf("an emoji alone stands %v px from the middle of its button", off)
	}
}

// TestBarStandsOnOneLine opens a channel of which the bar says something beside its name.
func TestBarStandsOnOneLine(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL()+"/#rainy-day-cup", pagetest.Desk)
	tab.WaitText(".about", "Thread in #general")
	off := pagetest.Eval[float64](tab, `(() => {
		const baseline = (el) => {
			const mark = document.createElement("span");
			mark.style.display = "inline-block";
			el.append(mark);
			const {bottom} = mark.getBoundingClientRect();
			mark.remove();
			return bottom;
		};
		return baseline(document.querySelector(".title-text")) - baseline(document.querySelector(".about"));
	})()`)
	if off < -0.5 || off > 0.5 {
		t.Errorf("the name stands %v px below what is said beside it", off)
	}
}

// TestGutterHoldsItsTime points at a message under another of the same author, of another
// day and in every language: its time stands between the edge and the text.
func TestGutterHoldsItsTime(t *testing.T) {
	srv, browser := browse(t, nil)
	srv.Advance(36 * time.Hour)
	tell(t, srv, obj{"content": "first"})
	tell(t, srv, obj{"content": "second"})
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	tab.WaitText(newest, "second")
	got := pagetest.Eval[[]string](tab, `Promise.all(["store", "timestamps", "locales"].map((m) => import("/assets/js/" + m + ".js"))).then(([{store}, {clock}, {LOCALES}]) => {
		const message = document.querySelector(".message.grouped"), gutter = message.querySelector(".gutter-time");
		gutter.style.display = "block"; // as for who points at it
		const wrong = [];
		const check = (what) => {
			const words = document.createRange();
			words.selectNodeContents(gutter);
			const {left, right} = words.getBoundingClientRect();
			if (left < message.getBoundingClientRect().left || right > message.querySelector(".body").getBoundingClientRect().left) wrong.push(what + ": " + gutter.textContent);
		};
		check("as drawn");
		for (const locale of Object.keys(LOCALES)) {
			store.me.locale = locale;
			gutter.replaceChildren(clock("2024-11-28T22:58:00", true));
			check(locale);
		}
		return wrong;
	})`)
	if len(got) > 0 {
		t.Errorf("these times leave the gutter: %q", got)
	}
	if title := pagetest.Eval[string](tab, `document.querySelector(".byline .clock").title`); !strings.Contains(title, strconv.Itoa(srv.Clock().Now().Year())) {
		t.Errorf("the time's title is %q, want the whole date", title)
	}
}
