package main

import (
	"image/gif"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tictactoe/bot/sandbox/pagetest"
)

// TestPageFilm films a game for the README, with -update: a challenge, its acceptance, a
// win and the rematch, as one of the two sees them. It takes as long as people look.
// Otherwise it only looks whether the film is there.
func TestPageFilm(t *testing.T) {
	path := filepath.Join("..", "..", "bot", "sandbox", "page", "testdata", "page-game.gif")
	if *update {
		film(t, path)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	defer file.Close() //nolint:errcheck // only read
	about, err := file.Stat()
	if err != nil || about.Size() >= 1_000_000 {
		t.Errorf("the film has %d bytes, %v", about.Size(), err)
	}
	moving, err := gif.DecodeAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(moving.Image) < 10 || moving.LoopCount != 0 {
		t.Errorf("the film has %d pictures and is shown %d times", len(moving.Image), moving.LoopCount)
	}
}

func film(t *testing.T, path string) {
	t.Helper()
	browser, url := openPage(t)
	ben := browser.Open(t, url+"/?as=ben#general", pagetest.Desk)
	ada := browser.Open(t, url+"/?as=ada#general", pagetest.View{Width: 440, Height: 640})
	ada.WaitText(".invite", "You are Ada")
	var f reel
	shot := func(d time.Duration) { f.add(t, ada, d) }
	compose(ada, "challenge", "user:", "ben")
	shot(1600 * time.Millisecond)
	ada.Press("Enter")
	ada.WaitText(newest, "challenges you")
	shot(1800 * time.Millisecond)
	ben.WaitText(newest, "challenges you")
	ben.ClickText("Accept")
	ada.WaitText(newest, "@Ada, your move")
	shot(1500 * time.Millisecond)
	sides := []struct {
		tab  *pagetest.Tab
		name string
	}{{ada, "Ada"}, {ben, "Ben"}}
	for i, m := range [][2]int{{2, 2}, {2, 1}, {1, 1}, {3, 3}, {1, 3}, {3, 1}, {1, 2}} {
		side := sides[i%2]
		move(side.tab, side.name, m[0], m[1])
		if i%2 == 1 {
			ada.WaitText(newest, "@Ada, your move")
		}
		if i < 6 {
			ada.Wait("the mark", `!document.querySelector(".message-waiting")`)
			shot(900 * time.Millisecond)
		}
	}
	ada.WaitText(newest, "@Ada wins")
	shot(2200 * time.Millisecond)
	ada.Wait("the cells to go", `!document.querySelector(".message:last-of-type .cell")`)
	shot(2500 * time.Millisecond)
	ada.ClickText("Rematch")
	ada.WaitText(newest, "@Ada wants")
	shot(1500 * time.Millisecond)
	ben.ClickText("Yes, rematch")
	ada.WaitText(newest, "@Ben, your move")
	shot(2500 * time.Millisecond)
	if err := f.write(path); err != nil {
		t.Fatal(err)
	}
}
