package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"tictactoe/bot/sandbox/pagetest"
)

// narrow is the smallest phone that the page is made for.
var narrow = pagetest.View{Width: 320, Height: 640, Phone: true}

// freeChoice is how the choice of an empty cell is said: by its name alone.
var freeChoice = regexp.MustCompile(`^option [a-e][1-5]$`)

// turnOrOver is whether somebody can go on: it is Ada's turn, or the game is over.
const turnOrOver = over + ` || /@Ada\u2069, your move/.test([...document.querySelectorAll(".message")].at(-1).innerText)`

// TestPageListByKeyboardOnANarrowPhone plays a whole game on the largest board from its
// list, by keyboard alone, where a grid of five would wrap.
func TestPageListByKeyboardOnANarrowPhone(t *testing.T) {
	browser, url := openPage(t)
	tab := browser.Open(t, url, narrow)
	tab.Widen()
	playByList(t, tab)
	command(tab, "play", "board:", "5x5-4", "difficulty:", "easy")
	tab.WaitText(newest, "@Ada, your move")
	tab.Wait("the list", `document.querySelector(".message .select") && !document.querySelector(".cell")`)
	tab.Press("Shift+Tab") // from the composer into the board
	tab.WantAccessible()
	moves := 0
	for ; moves < 13 && !pagetest.Eval[bool](tab, over); moves++ {
		if got := tab.Focused(); got != "button Choose a cell" {
			t.Fatalf("move %d: the focus is on %q, want the list", moves, got)
		}
		look(tab)
		tab.Press("Enter")
		tab.Wait("the choices", `document.querySelectorAll("dialog [role=option]").length === 25`)
		if moves == 1 { // by its name, which may be typed: it is taken
			tab.Type("a1")
			if got := tab.Focused(); !strings.HasPrefix(got, "option a1: ") {
				t.Errorf("a1 leads to %q", got)
			}
			tab.WantAccessible()
		}
		tab.Press("Home")
		for !freeChoice.MatchString(tab.Focused()) {
			tab.Press("ArrowDown")
		}
		cell := strings.TrimPrefix(tab.Focused(), "option ")
		tab.Press("Enter")
		tab.Wait("the move "+cell, fmt.Sprintf(`!document.querySelector("dialog") && /\n[^a-z]*([a-e][1-5] )*%s\b/.test([...document.querySelectorAll(".message")].at(-1).innerText)`, cell))
		tab.Wait("the turn or the end", turnOrOver)
	}
	tab.Wait("the end of the game", over)
	if got := pagetest.Eval[int](tab, `document.documentElement.scrollWidth`); got > 320 {
		t.Errorf("the page is %d px wide", got)
	}
	tab.WantAccessible()
	if got := tab.Spoken(); got == "" {
		t.Error("the end is not spoken")
	}
	tab.Press("ArrowDown", "Home")
	if got := tab.Focused(); got != "button Rematch" {
		t.Errorf("below the list is %q", got)
	}
	tab.Press("Enter")
	// The list of the game before goes some time after its end.
	tab.Wait("the next game, as a list", `document.querySelectorAll(".message").length === 2 && [...document.querySelectorAll(".message")].at(-1).querySelector(".select")`)
	t.Logf("%d moves", moves)
}

// playByList has somebody say, by keyboard alone, that they play by a list.
func playByList(t *testing.T, tab *pagetest.Tab) {
	t.Helper()
	command(tab, "preferences")
	tab.WaitText(newest, "Who can challenge you")
	tab.Press("Shift+Tab", "Shift+Tab", "ArrowRight", "Enter") // over what dismisses the message
	tab.WaitText(newest, "I play by")
	tab.Press("ArrowDown")
	if got := tab.Focused(); got != "button Buttons" {
		t.Fatalf("the choice by what to play is %q", got)
	}
	tab.Press("Enter")
	tab.Wait("the choices", `document.querySelectorAll("dialog [role=option]").length === 3`)
	tab.Press("End", "Enter")
	tab.Wait("the choice to be kept", `!document.querySelector("dialog") && document.querySelector(".message-private").innerText.includes("A list")`)
	tab.Press("Tab", "Enter")
	tab.Wait("the message to be gone", `!document.querySelector(".message-private")`)
}
