package page_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/pagetest"
)

// TestPageBringsItsFace asks for the files of the page's own face as a browser does.
func TestPageBringsItsFace(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	size := 0
	files := regexp.MustCompile(`url\("([^"]+)"\)`).FindAllStringSubmatch(string(ask(t, srv, "GET", "/assets/css/fonts.css", nil).Body), -1)
	if len(files) != 5 {
		t.Errorf("the face has %d files, want one for each of five scripts", len(files))
	}
	for _, f := range files {
		got := ask(t, srv, "GET", f[1], nil)
		if got.Status != 200 || got.Header.Get("Content-Type") != "font/woff2" {
			t.Errorf("%s: got %d, %s", f[1], got.Status, got.Header.Get("Content-Type"))
		}
		size += len(got.Body)
	}
	if size > 300<<10 {
		t.Errorf("the face has %d bytes", size)
	}
	if got := ask(t, srv, "GET", "/assets/fonts/OFL.txt", nil); !strings.Contains(string(got.Body), "SIL OPEN FONT LICENSE") {
		t.Errorf("the licence of the face: got %d", got.Status)
	}
}

// hinted are a machine's fonts as somebody has them drawn whose letters stand on whole pixels.
const hinted = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <match target="pattern"><edit name="hintstyle" mode="assign"><const>hintfull</const></edit></match>
  <match target="font"><edit name="hintstyle" mode="assign"><const>hintfull</const></edit></match>
</fontconfig>`

// TestTextsAreAsWideOnEveryMachine shows each script of the page's own face, and an emoji,
// which has a width of its own, and all of it a quarter wider.
func TestTextsAreAsWideOnEveryMachine(t *testing.T) {
	config := filepath.Join(t.TempDir(), "fonts.conf")
	if err := os.WriteFile(config, []byte(hinted), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FONTCONFIG_FILE", config)
	browser, srv := pagetest.StartAlone(t), demonstrate(t, nil)
	tell(t, srv, obj{"content": "Šašek, Γάτα, Лиса, Chuột\n⭕🇽⚠️"})
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	tab.WaitText(newest, "Γάτα")
	tab.Still()
	if got := pagetest.Eval[[]string](tab, `[...document.fonts].filter((f) => f.status !== "loaded").map((f) => f.unicodeRange)`); len(got) > 0 {
		t.Errorf("these are not shown in the page's own face: %v", got)
	}
	widths := func() []float64 {
		return pagetest.Eval[[]float64](tab, `((p) => {
			const words = document.createRange();
			words.selectNodeContents(p.firstChild);
			return [words, ...p.querySelectorAll(".character-emoji")].map((x) => x.getBoundingClientRect().width);
		})(document.querySelector(".message .markdown p"))`)
	}
	before := widths()
	tab.Widen()
	after := widths()
	if len(after) != 4 || before[0] < 100 || after[0] < 1.24*before[0] || after[0] > 1.26*before[0] {
		t.Errorf("the words are %v px wide, then %v", before, after)
	}
	for _, w := range after[1:] {
		if want := 15 * 1.375; w < want-0.1 || w > want+0.1 {
			t.Errorf("an emoji is %v px wide, want %v", w, want)
		}
	}
}
