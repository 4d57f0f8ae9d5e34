package pagetest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Tab is the page in a tab of its own, as one person.
type Tab struct {
	t        *testing.T
	ctx      context.Context
	cancel   context.CancelFunc
	features map[string]string // of media, by name

	mu       sync.Mutex
	troubles []string
}

// View is the size of what the page is seen on.
type View struct {
	Width, Height int64
	Phone         bool // a touch screen
	// Features are media features that somebody has set, such as
	// "prefers-reduced-motion" to "reduce". The colour scheme is dark where they do not say.
	Features map[string]string
}

// The views that people judge the page by.
var (
	Desk  = View{Width: 1280, Height: 800}
	Phone = View{Width: 360, Height: 740, Phone: true}
	// Zoomed is the desk at four times the size, as somebody with weak eyes sets it.
	Zoomed = View{Width: 320, Height: 256}
	// Contrast is the desk in the system's own few colours.
	Contrast = View{Width: 1280, Height: 800, Features: map[string]string{"forced-colors": "active", "prefers-color-scheme": "dark"}}
	// Calm is the desk of somebody whom motion makes ill.
	Calm = View{Width: 1280, Height: 800, Features: map[string]string{"prefers-reduced-motion": "reduce"}}
)

// Open opens address, the page's with "?as=name#channel" if wanted, and waits
// until it shows a channel. The test fails if the page throws, breaks its content
// policy, or asks another host for anything.
func (b *Browser) Open(t *testing.T, address string, v View) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithExistingBrowserContext(b.id))
	tab := &Tab{t: t, ctx: ctx, cancel: cancel, features: map[string]string{"prefers-color-scheme": "dark"}}
	maps.Copy(tab.features, v.Features)
	t.Cleanup(func() {
		cancel()
		tab.mu.Lock()
		defer tab.mu.Unlock()
		for _, trouble := range tab.troubles {
			t.Errorf("pagetest: %s: %s", address, trouble)
		}
	})
	// The first use makes the tab, which lives as long as the context it is made with.
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("pagetest: open a tab: %v", err)
	}
	var options []chromedp.EmulateViewportOption
	if v.Phone {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	do(tab, "view", chromedp.EmulateViewport(v.Width, v.Height, options...))
	tab.emulateMedia()
	tab.watch(strings.Join(strings.SplitN(address, "/", 4)[:3], "/"))
	do(tab, "open", chromedp.Navigate(address))
	tab.WaitReady()
	return tab
}

// emulateMedia sets the tab's media features.
func (tab *Tab) emulateMedia() {
	tab.t.Helper()
	var media emulation.SetEmulatedMediaParams
	for name, value := range tab.features {
		media.Features = append(media.Features, &emulation.MediaFeature{Name: name, Value: value})
	}
	call(tab, emulation.SetEmulatedMedia, media)
}

// inScheme does something with the tab in another colour scheme.
func (tab *Tab) inScheme(scheme string, do func()) {
	tab.t.Helper()
	before := tab.features["prefers-color-scheme"]
	tab.features["prefers-color-scheme"] = scheme
	tab.emulateMedia()
	do()
	tab.features["prefers-color-scheme"] = before
	tab.emulateMedia()
}

// watch collects what must not happen.
func (tab *Tab) watch(origin string) {
	go each(chromedp.Console(tab.ctx), func(m chromedp.ConsoleMessage) {
		text := m.String()
		// That a server which was ended does not answer is part of a test.
		if (m.IsException() || strings.Contains(text, "Content Security Policy")) && !strings.Contains(text, "WebSocket connection") {
			tab.trouble(text)
		}
	})
	go each(chromedp.Events(tab.ctx, network.RequestWillBeSent), func(r network.EventRequestWillBeSent) {
		if u := r.Request.URL; !strings.HasPrefix(u, origin) && !strings.HasPrefix(u, "data:") {
			tab.trouble("asked another host: " + u)
		}
	})
}

// each does something with all that comes until the tab is closed.
func each[T any](all iter.Seq2[T, error], do func(T)) {
	for one, err := range all {
		if err != nil {
			return
		}
		do(one)
	}
}

func (tab *Tab) trouble(text string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.troubles = append(tab.troubles, text)
}

// do does something to or with the tab, within the test's patience.
func do[T any](tab *Tab, what string, action chromedp.Action[T]) T {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		tab.t.Fatalf("pagetest: %s: %v", what, err)
	}
	return v
}

// call gives the tab a command of Chromium's protocol.
func call[P, R any](tab *Tab, command cdp.Command[P, R], params P) {
	tab.t.Helper()
	do(tab, "command", func(ctx context.Context, t *chromedp.Target) (R, error) { return cdp.Call(ctx, t, command, params) })
}

// Eval returns the value of a JavaScript expression, promises awaited.
func Eval[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	return do(tab, "evaluate "+expression, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Wait waits until a JavaScript expression is true and fails the test, saying
// what was waited for and what the page shows, when it never is.
func (tab *Tab) Wait(what, condition string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Poll[bool]("!!("+condition+")", chromedp.WithPollingTimeout(patience)))
	if err != nil {
		tab.t.Fatalf("pagetest: waited in vain for %s: %v\nthe focus is on %s\nthe page shows:\n%s", what, err, tab.Focused(), tab.gist())
	}
}

// gist is the beginning and the end of what the page shows, languages left out.
func (tab *Tab) gist() string {
	text := Eval[string](tab, `[...document.querySelectorAll(".topbar, .banner, .log, .composer, dialog, .toasts, .sheet-open, .drawer")].filter((el) => el.checkVisibility())
		.map((el) => el.innerText.replace(/\s*\n\s*/g, " | ")).join("\n")`)
	const most = 1500
	if len(text) > most {
		text = text[:most/2] + " … " + text[len(text)-most/2:]
	}
	return text
}

// Widen makes every text of the page's own face a quarter wider, as long as the page is not
// loaded anew. It scales the letters themselves: sizes, gaps and heights of lines stay, so
// that what fits then fits in any face that people read on Discord. Letters of other faces,
// whose width is the machine's, stay as they are.
func (tab *Tab) Widen() {
	tab.t.Helper()
	faces := Eval[int](tab, `(() => {
		const faces = [...document.styleSheets].flatMap((s) => [...s.cssRules]).filter((r) => r instanceof CSSFontFaceRule);
		for (const f of faces) f.style.setProperty("size-adjust", "125%");
		return faces.length;
	})()`)
	if faces == 0 {
		tab.t.Fatal("pagetest: the page has no face of its own")
	}
	tab.Still()
}

// WaitReady waits until the page is connected and shows a channel.
func (tab *Tab) WaitReady() {
	tab.t.Helper()
	tab.Wait("the page to be ready", `document.querySelector("#app")?.dataset.ready === "true"`)
}

// Reload loads the page anew and waits until it shows a channel.
func (tab *Tab) Reload() {
	tab.t.Helper()
	do(tab, "reload", chromedp.Reload())
	tab.WaitReady()
}

// WaitText waits until the element that selector finds contains text, the characters
// that isolate names and that nobody sees left out.
func (tab *Tab) WaitText(selector, text string) {
	tab.t.Helper()
	tab.Wait(fmt.Sprintf("%q in %s", text, selector),
		fmt.Sprintf("[...document.querySelectorAll(%q)].some((el) => el.textContent.replace(/[\\u2068\\u2069]/g, \"\").includes(%q))", selector, text))
}

// Text is what the first element that selector finds shows, "" where there is none.
func (tab *Tab) Text(selector string) string {
	tab.t.Helper()
	return Eval[string](tab, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector))
}

// Count is how many elements selector finds.
func (tab *Tab) Count(selector string) int {
	tab.t.Helper()
	return Eval[int](tab, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
}

// Click presses the first visible element that selector finds.
func (tab *Tab) Click(selector string) {
	tab.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll(%q)].find((el) => el.checkVisibility({visibilityProperty: true}))`, selector)
	tab.Still()
	// In one evaluation: what was found may be redrawn before the next.
	tab.Wait("something visible at "+selector, `((el) => el && (el.scrollIntoView({block: "nearest"}), true))(`+find+")")
	tab.Still() // what has come into sight gets its height with the next frame
	at := Eval[[]float64](tab, fmt.Sprintf(`((el) => {
		const r = el.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
		const hit = document.elementFromPoint(x, y);
		return el.contains(hit) || hit?.contains(el) ? [x, y] : [];
	})(%s)`, find))
	if len(at) != 2 {
		tab.t.Fatalf("pagetest: something lies over %s", selector)
	}
	do(tab, "click", chromedp.MouseClickXY(at[0], at[1]))
}

// Still waits until nothing on the page moves any more, except what never stops.
func (tab *Tab) Still() {
	tab.t.Helper()
	// An animation that was just asked for begins with the next frame, and where a colour is
	// inherited the end of one begins the next.
	Eval[bool](tab, `document.fonts.ready.then(async () => {
		for (;;) {
			await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
			const run = document.getAnimations().filter((a) => a.effect.getComputedTiming().iterations !== Infinity && a.playState === "running");
			if (!run.length) return true;
			await Promise.all(run.map((a) => a.finished.catch(() => {})));
		}
	})`)
}

// Shot is what the tab shows now, as a PNG, once its fonts are there and nothing
// moves any more.
func (tab *Tab) Shot() []byte {
	tab.t.Helper()
	tab.Still()
	return do(tab, "picture", chromedp.CaptureScreenshot())
}

// ClickText presses the first visible button or link that says text.
func (tab *Tab) ClickText(text string) {
	tab.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll("button, a, summary, label, [role=option]")].findLast((el) => el.innerText.trim() === %q && el.checkVisibility())`, text)
	// In one evaluation: what was found may be redrawn before the next.
	tab.Wait(fmt.Sprintf("a button %q", text), "((el) => el && (el.click(), true))("+find+")")
}

// Focused describes what has the focus: its role or tag, and its name.
func (tab *Tab) Focused() string {
	tab.t.Helper()
	return Eval[string](tab, `(() => {
		const el = document.activeElement;
		const copy = el.cloneNode(true);
		for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
		const name = (el.getAttribute("aria-label") ?? copy.textContent).replace(/\s+/g, " ").trim();
		return (el.getAttribute("role") ?? el.tagName.toLowerCase()) + " " + name;
	})()`)
}

// Spoken is what the polite region of the page said last.
func (tab *Tab) Spoken() string {
	tab.t.Helper()
	return Eval[string](tab, `document.querySelector("#polite").lastElementChild?.textContent.trim() ?? ""`)
}

// Close closes the tab before its test ends.
func (tab *Tab) Close() { tab.cancel() }
