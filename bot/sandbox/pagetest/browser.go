package pagetest

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for anything on the page: far longer than it
// takes, because test machines are busy.
const patience = 100 * time.Second

// Browser is headless Chromium as somebody uses it for the first time: what its tabs
// store is the test's alone. Its methods belong to the goroutine of its test.
type Browser struct {
	ctx context.Context
	id  cdp.BrowserContextID // of what its tabs share; empty: Chromium's own
}

// chromium is a running Chromium.
type chromium struct {
	ctx context.Context
	end func()
}

// shared is the process that all tests of a package share.
var shared struct {
	sync.Mutex
	running bool // whether Run is
	*chromium
}

// Run runs the tests of a package and returns the exit code for its TestMain. The first
// test that asks for a browser starts Chromium, and Run ends it.
func Run(m *testing.M) int {
	shared.running = true
	code := m.Run()
	if shared.chromium != nil {
		shared.end()
	}
	return code
}

// chromiumNames are the names under which systems install the browser, first those without a
// window: they take half of the time.
var chromiumNames = []string{
	"chromium-headless-shell", "chrome-headless-shell", "headless_shell",
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
}

// Chromium returns the path of the browser: the value of CHROMIUM, or the first of
// its usual names that is installed, or "".
func Chromium() string {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	for _, name := range chromiumNames {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Start returns a browser that ends with the test, in the Chromium of all tests that
// [Run] runs. It skips the test where none is installed. The test goes on beside others.
func Start(t *testing.T) *Browser {
	t.Helper()
	path := installed(t)
	t.Parallel()
	shared.Lock()
	defer shared.Unlock()
	if !shared.running {
		t.Fatal("pagetest: the package has no TestMain that calls Run")
	}
	if shared.chromium != nil && shared.ctx.Err() != nil { // a test before has lost it
		shared.end()
		shared.chromium = nil
	}
	if shared.chromium == nil {
		shared.chromium = launch(t, path)
	}
	ctx := shared.ctx
	own, err := chromedp.CallBrowser(ctx, target.CreateBrowserContext, target.CreateBrowserContextParams{})
	if err != nil {
		t.Fatalf("pagetest: %v", err)
	}
	b := &Browser{ctx: ctx, id: own.BrowserContextID}
	t.Cleanup(func() {
		_, _ = chromedp.CallBrowser(ctx, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: b.id})
	})
	return b
}

// StartAlone is Start with a Chromium of the test's own, which has the test's
// environment. The test may change that, and so it goes on alone.
func StartAlone(t *testing.T) *Browser {
	t.Helper()
	c := launch(t, installed(t))
	t.Cleanup(c.end)
	return &Browser{ctx: c.ctx}
}

func installed(t *testing.T) (path string) {
	t.Helper()
	if path = Chromium(); path == "" {
		t.Skip("this test needs Chromium: install it or name it in CHROMIUM")
	}
	return path
}

// launch starts Chromium.
func launch(t *testing.T, path string) *chromium {
	t.Helper()
	allocated, endAllocator := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Headless, chromedp.DisableGPU, chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-extensions", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("disable-features", "Translate,MediaRouter,OptimizationHints"),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.*"),
		chromedp.Flag("font-render-hinting", "none"),
		chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("lang", "en-US"),
	)
	ctx, cancel := chromedp.NewContext(allocated)
	c := &chromium{ctx: ctx, end: func() {
		cancel()
		endAllocator() // which waits until its processes and its profile are gone
	}}
	if err := chromedp.Do(ctx); err != nil {
		c.end()
		t.Fatalf("pagetest: start %s: %v", path, err)
	}
	return c
}
