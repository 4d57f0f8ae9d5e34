package pagetest

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for anything on the page: far longer than it
// takes, because test machines are busy.
const patience = 100 * time.Second

// Browser is a running headless Chromium. Its methods belong to the goroutine of
// its test.
type Browser struct {
	ctx context.Context
}

// chromiumNames are the names under which systems install the browser.
var chromiumNames = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless_shell"}

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

// Start starts a browser that ends with the test, and skips the test where none
// is installed.
func Start(t *testing.T) *Browser {
	t.Helper()
	path := Chromium()
	if path == "" {
		t.Skip("this test needs Chromium: install it or name it in CHROMIUM")
	}
	// Not t.TempDir, whose clean-up would race with a browser that still writes.
	profile, err := os.MkdirTemp("", "pagetest-")
	if err != nil {
		t.Fatal(err)
	}
	var browser *exec.Cmd
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
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
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("lang", "en-US"),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) {
			ownGroup(cmd)
			browser = cmd
		}),
	}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocated, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		cancel()
		endAllocator()
		if browser != nil && browser.Process != nil {
			killGroup(browser.Process.Pid)
		}
		removeSoon(profile)
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("pagetest: start %s: %v", path, err)
	}
	return &Browser{ctx: ctx}
}

// removeSoon removes a folder into which processes that were just killed may
// still write for a moment.
func removeSoon(dir string) {
	for range 50 {
		if os.RemoveAll(dir) == nil {
			return
		}
		<-time.After(20 * time.Millisecond)
	}
}
