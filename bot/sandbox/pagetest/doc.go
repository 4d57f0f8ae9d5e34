// Package pagetest drives the sandbox's page in headless Chromium: it finds and
// starts the browser, opens the page as somebody on a desk or a phone, presses
// keys, waits for what should be seen, runs axe-core and takes pictures.
//
// It knows the page's markup and no bot. It will not install a browser or reach
// another host, and it never sleeps to wait for the page.
package pagetest
