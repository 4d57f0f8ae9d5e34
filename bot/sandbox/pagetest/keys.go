package pagetest

import (
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// keyNames are the keys that Press knows by name.
var keyNames = map[string]string{
	"Tab": kb.Tab, "Enter": kb.Enter, "Escape": kb.Escape, "Backspace": kb.Backspace, "Space": " ",
	"ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight, "ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown,
	"Home": kb.Home, "End": kb.End, "F6": kb.F6, "F10": kb.F10,
}

// Press presses keys one after another: names such as "Tab" or "ArrowDown", single
// characters, and either after "Shift+".
func (tab *Tab) Press(keys ...string) {
	tab.t.Helper()
	for _, name := range keys {
		rest, shift := strings.CutPrefix(name, "Shift+")
		key, ok := keyNames[rest]
		if !ok {
			key = rest
		}
		for _, r := range key {
			tab.key(r, shift)
		}
	}
}

// Type types text, character by character.
func (tab *Tab) Type(text string) {
	tab.t.Helper()
	for _, r := range text {
		tab.key(r, false)
	}
}

// key sends one key. The text goes with the key's press and not as an event of its
// own, so that a page that handles the press also keeps the text away, as it does
// under a real keyboard.
func (tab *Tab) key(r rune, shift bool) {
	tab.t.Helper()
	events := kb.Encode(r)
	press, release := events[0], events[len(events)-1]
	if len(events) == 3 {
		press.Text, press.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
	}
	for _, e := range []*input.DispatchKeyEventParams{press, release} {
		if shift {
			e.Modifiers |= int64(kb.ModifierShift)
		}
		call(tab, input.DispatchKeyEvent, *e)
	}
}
