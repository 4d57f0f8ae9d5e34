package rest_test

import (
	"net/http"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"
)

// The date that was the least behind when it came is kept; what is no date is not.
func TestDate(t *testing.T) {
	say := func(text string) reply {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Date"] = []string{text}
			w.WriteHeader(http.StatusTeapot)
		}
	}
	now := time.Now()
	minutes := func(n int) string { return now.Add(time.Duration(n) * time.Minute).UTC().Format(http.TimeFormat) }
	d := newDiscord(t, say("yesterday"), say(minutes(-30)), say(minutes(10)), say(minutes(-40)), say(""))
	c := d.client()
	if _, _, ok := c.Date(); ok {
		t.Error("a date is known before any answer")
	}
	for i, want := range []string{"", minutes(-30), minutes(10), minutes(10), minutes(10)} {
		if _, err := c.Application(within(t, patience)); err == nil {
			t.Fatal("got success")
		}
		at, date, ok := c.Date()
		if ok != (want != "") || ok && (date.UTC().Format(http.TimeFormat) != want || at.Before(now) || time.Since(at) > waittest.Patience()) {
			t.Errorf("answer %d: got %v at %v, %v, want %s", i, date, at, ok, want)
		}
	}
}
