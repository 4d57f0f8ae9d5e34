package bot_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/marks"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
)

const (
	createEmoji = "POST /applications/{application_id}/emojis"
	listEmojis  = "GET /applications/{application_id}/emojis"
)

// uploads counts the emojis that were uploaded so far.
func uploads(srv *sandbox.Server) (n int) {
	for _, r := range srv.REST().Requests() {
		if r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/emojis") && r.Status == http.StatusCreated {
			n++
		}
	}
	return n
}

var emptyEmoji = regexp.MustCompile(`<:ttt_empty_[0-9a-f]{6}:([0-9]+)>`)

// TestMarksOfOurOwn: text boards show emojis that the application has uploaded once, over
// the Gateway and by HTTP. Another process finds them, and uploads what is missing.
func TestMarksOfOurOwn(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]bottest.Option{"gateway": {bottest.OwnMarks}, "http": {bottest.OwnMarks, bottest.ByHTTP}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t, options...)
			if n := uploads(w.Discord); n != len(marks.All()) {
				t.Errorf("%d emojis were uploaded, want %d", n, len(marks.All()))
			}
			byList(t, w, w.Ada, w.Bob)
			m := w.Challenge(t, w.Ada, w.Bob)
			found := emptyEmoji.FindAllStringSubmatch(m.Snapshot().Text(), -1)
			if len(found) != 9 {
				t.Fatalf("a text board without nine emojis: %q", m.Snapshot().Text())
			}
			empty := found[0][1]
			if picture := w.Discord.World().EmojiPicture(empty); picture == nil || !picture.IsPicture() {
				t.Error("the emoji of an empty cell has no picture")
			}
			w.Restart(t)
			if n := uploads(w.Discord); n != len(marks.All()) {
				t.Errorf("after a restart %d emojis were uploaded, want no more", n)
			}
			deleteEmoji(t, w.Discord, empty)
			w.Restart(t)
			if n := uploads(w.Discord); n != len(marks.All())+1 {
				t.Errorf("%d emojis were uploaded, want the missing one", n)
			}
			w.Elsewhere("again")
			other := w.Challenge(t, w.Ada, w.Bob)
			if text := other.Snapshot().Text(); strings.Contains(text, empty) || len(emptyEmoji.FindAllString(text, -1)) != 9 {
				t.Errorf("the board shows %q, with an emoji that is gone", text)
			}
		})
	}
}

func deleteEmoji(t *testing.T, srv *sandbox.Server, id string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, srv.APIURL()+"/applications/"+srv.AppID()+"/emojis/"+id, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot "+srv.Token())
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusNoContent {
		t.Fatalf("deleting an emoji answers %d, %v", answer.StatusCode, err)
	}
}

// TestMarksThatCannotBeUploaded: the game does not wait for emojis. Boards have symbols
// until Discord takes them, and emojis from then on.
func TestMarksThatCannotBeUploaded(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Stop(t)
	w.Discord.Faults().FailNext(createEmoji, http.StatusForbidden, 1000)
	w.Configure(func(o *service.Options) { o.PlainMarks = false })
	w.Start(t)
	byList(t, w, w.Ada, w.Bob)
	m := w.Challenge(t, w.Ada, w.Bob)
	if text := m.Snapshot().Text(); strings.Count(text, "⬜") != 9 {
		t.Errorf("a board without symbols while there are no emojis: %q", text)
	}
	waittest.Until(t, "a refusal to be logged", func() bool { return strings.Contains(w.Log.String(), "marks not uploaded, trying again") })
	w.Discord.Faults().Clear()
	waittest.Until(t, "the emojis to be uploaded", w.Service.Marked)
	w.Cell(t, w.Ada, m, "b2")
	if text := m.Snapshot().Text(); len(emptyEmoji.FindAllString(text, -1)) != 8 {
		t.Errorf("a board without emojis when they are there: %q", text)
	}
}

// TestMarksWhereThereAreNone: where Discord's API has no emojis of applications, as stand-ins
// may not, the log says so once, below a warning, and nothing is tried again.
func TestMarksWhereThereAreNone(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Stop(t)
	w.Discord.Faults().FailNext(listEmojis, http.StatusNotFound, 1000)
	w.Configure(func(o *service.Options) { o.PlainMarks = false })
	w.Start(t)
	said := regexp.MustCompile(`level=(\w+) msg="[^"]*marks`)
	waittest.Until(t, "the log to say so", func() bool { return said.MatchString(w.Log.String()) })
	w.Challenge(t, w.Ada, w.Bob)
	if got := said.FindAllStringSubmatch(w.Log.String(), -1); len(got) != 1 || got[0][1] != "INFO" || strings.Contains(w.Log.String(), "trying again") {
		t.Errorf("the log says %q", got)
	}
}

// TestUploadsWaitForTheirTurn: Discord limits how fast emojis are uploaded, and an answer
// may be lost. There is one of each in the end.
func TestUploadsWaitForTheirTurn(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Stop(t)
	w.Discord.Faults().RateLimitNext(createEmoji, 50*time.Millisecond, sandbox.ScopeUser)
	w.Discord.Faults().ApplyThenFailNext(createEmoji)
	w.Configure(func(o *service.Options) { o.PlainMarks = false })
	w.Start(t)
	waittest.Until(t, "the emojis to be uploaded", w.Service.Marked)
	made := map[string]int{}
	for _, r := range w.Discord.REST().Requests() {
		if r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/emojis") {
			made[http.StatusText(r.Status)]++
		}
	}
	if made["Created"] != len(marks.All())-1 || made["Bad Gateway"] != 1 || made["Too Many Requests"] != 1 {
		t.Errorf("uploads were answered with %v", made)
	}
}
