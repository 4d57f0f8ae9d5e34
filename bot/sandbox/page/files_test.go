package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/gif"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/page"
	"tictactoe/bot/sandbox/pagetest"
)

// smallWebP is a picture of one pixel.
const smallWebP = "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"

// newForm begins a multipart body with its JSON.
func newForm(t *testing.T, b *bytes.Buffer, body obj) *multipart.Writer {
	t.Helper()
	w := multipart.NewWriter(b)
	part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="payload_json"`}, "Content-Type": {"application/json"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewEncoder(part).Encode(body); err != nil {
		t.Fatal(err)
	}
	return w
}

// address is where the page finds an attachment.
func address(t *testing.T, a *discordgo.MessageAttachment) string {
	t.Helper()
	u, err := url.Parse(a.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.EscapedPath()
}

func TestUploadedFilesAreServed(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	var asGIF, asJPEG bytes.Buffer
	if err := gif.Encode(&asGIF, picture(), nil); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&asJPEG, picture(), nil); err != nil {
		t.Fatal(err)
	}
	const active = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	for _, c := range []struct{ name, content, kind, disposition string }{
		{"a.png", pngFile(t), "image/png", "inline; filename=a.png"},
		{"a.gif", asGIF.String(), "image/gif", "inline; filename=a.gif"},
		{"a.jpg", asJPEG.String(), "image/jpeg", "inline; filename=a.jpg"},
		{"a.webp", smallWebP, "image/webp", "inline; filename=a.webp"},
		{"a.svg", active, "text/plain; charset=utf-8", "attachment; filename=a.svg"},
		{"a.html", "<!doctype html>" + active, "text/html; charset=utf-8", "attachment; filename=a.html"},
		{"lies.png", "<html>" + active, "text/html; charset=utf-8", "attachment; filename=lies.png"},
		{"a b\"é.txt", "hello", "text/plain; charset=utf-8", `attachment; filename*=utf-8''a%20b%22%C3%A9.txt`},
	} {
		m := post(t, srv, &discordgo.MessageSend{}, named(c.name, c.content))
		got := ask(t, srv, "GET", address(t, m.Attachments[0]), nil)
		if got.Status != 200 || string(got.Body) != c.content {
			t.Errorf("%s: got %d and %d bytes, want %d", c.name, got.Status, len(got.Body), len(c.content))
		}
		for header, want := range map[string]string{
			"Content-Type": c.kind, "Content-Disposition": c.disposition, "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
		} {
			if got := got.Header.Get(header); got != want {
				t.Errorf("%s: %s: got %q, want %q", c.name, header, got, want)
			}
		}
		if size := [2]int{m.Attachments[0].Width, m.Attachments[0].Height}; strings.HasPrefix(c.kind, "image/") && c.name != "a.webp" && size != [2]int{60, 40} {
			t.Errorf("%s: the size is said to be %v", c.name, size)
		}
	}
}

// TestFileNamesMayHaveSlashes, which are no further folders of the address.
func TestFileNamesMayHaveSlashes(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	m, err := srv.User("Ada").Say(srv.Guild().Channel("general"), "x", sandbox.File{Name: "a/b.txt", Content: []byte("hello")})
	if err != nil {
		t.Fatal(err)
	}
	var sent []*discordgo.MessageAttachment
	got, _ := json.Marshal(m.Snapshot().Attachments)
	if err := json.Unmarshal(got, &sent); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, srv, "GET", address(t, sent[0]), nil); got.Status != 200 || string(got.Body) != "hello" {
		t.Errorf("%s: got %d %s", sent[0].URL, got.Status, got.Body)
	}
}

func TestFilesGoWithTheirMessages(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	status := func(m *discordgo.Message, want int) {
		t.Helper()
		if got := ask(t, srv, "GET", address(t, m.Attachments[0]), nil); got.Status != want {
			t.Errorf("got %d, want %d", got.Status, want)
		}
	}
	first, second := post(t, srv, &discordgo.MessageSend{Content: "x"}, named("a.png", pngFile(t))), post(t, srv, &discordgo.MessageSend{Content: "x"}, named("a.png", pngFile(t)))
	status(first, 200)
	want(t, request(t, srv, "PATCH", "/channels/"+first.ChannelID+"/messages/"+first.ID, obj{"content": "y"}), 200, 0)
	status(first, 200)
	want(t, request(t, srv, "PATCH", "/channels/"+first.ChannelID+"/messages/"+first.ID, obj{"attachments": arr{}}), 200, 0)
	status(first, 404)
	srv.World().MessageByID(second.ID).Delete()
	status(second, 404)

	// The newest of many are kept, by number and by size.
	var posted []*discordgo.Message
	for range 101 {
		posted = append(posted, post(t, srv, &discordgo.MessageSend{Content: "x"}, named("a.png", pngFile(t))))
	}
	status(posted[0], 404)
	status(posted[1], 200)
	for range 4 {
		posted = append(posted, post(t, srv, &discordgo.MessageSend{Content: "x"}, named("a.bin", strings.Repeat("x", 9<<20))))
	}
	status(posted[100], 404)
	status(posted[101], 404)
	status(posted[102], 200)
	if got := ask(t, srv, "GET", "/attachments/1/1/a.png", nil); got.Status != 404 {
		t.Errorf("a file that never was: got %d", got.Status)
	}
}

// TestRecordedUploadsAreBounded posts more than a server that forgets may remember.
func TestRecordedUploadsAreBounded(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.REST.KeepRequests = 5 })
	var heard atomic.Int64
	srv.REST().OnRequest(func(r sandbox.Request) { heard.Store(int64(len(r.Body))) })
	post(t, srv, &discordgo.MessageSend{Content: "x"}, named("a.bin", strings.Repeat("x", 1<<20)))
	got := srv.REST().Requests()
	if n := len(got[0].Body); n > 64<<10 || !bytes.Contains(got[0].Body, []byte("payload_json")) {
		t.Errorf("%d bytes of the body are kept, want the first 64 KiB", n)
	}
	if got := heard.Load(); got < 1<<20 {
		t.Errorf("who listens hears %d bytes of the body, want all", got)
	}
}

func TestFilesAreSavedWithTheState(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	small := post(t, srv, &discordgo.MessageSend{}, named("a.png", pngFile(t)))
	var saved bytes.Buffer
	if err := srv.World().SaveState(&saved); err != nil {
		t.Fatal(err)
	}
	post(t, srv, &discordgo.MessageSend{}, named("a.bin", strings.Repeat("x", 5<<20)))
	var large bytes.Buffer
	if err := srv.World().SaveState(&large); err != nil {
		t.Fatal(err)
	}
	if large.Len() > 1<<20 {
		t.Errorf("the saved state has %d bytes: files are not bounded", large.Len())
	}
	next := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Handler = func(s *sandbox.Server) http.Handler { return page.New(s, nil) }
	})
	if err := next.World().LoadState(&saved); err != nil {
		t.Fatal(err)
	}
	got := ask(t, next, "GET", address(t, small.Attachments[0]), nil)
	if got.Status != 200 || string(got.Body) != pngFile(t) || got.Header.Get("Content-Type") != "image/png" {
		t.Errorf("after a restart: got %d %s", got.Status, got.Header)
	}
}

// TestPicturesAreShown posts a picture in every place that a message has for one.
func TestPicturesAreShown(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	upload := func(body obj, files ...string) {
		t.Helper()
		var b bytes.Buffer
		w := newForm(t, &b, body)
		for i, name := range files {
			content := pngFile(t)
			if !strings.HasSuffix(name, ".png") {
				content = "hello"
			}
			f, _ := w.CreateFormFile(fmt.Sprintf("files[%d]", i), name)
			_, _ = f.Write([]byte(content))
		}
		_ = w.Close()
		req := newRequest(t, srv, "POST", "/channels/"+srv.Guild().Channel("general").ID()+"/messages", b.String())
		req.Header.Set("Content-Type", w.FormDataContentType())
		want(t, do(t, req), 200, 0)
	}
	described := func(id int, text string) obj { return obj{"id": id, "description": text} }
	at := func(name string) obj { return obj{"url": "attachment://" + name} }
	pictures := func(text string, n int, alts string) {
		t.Helper()
		tab.WaitText(newest, text)
		tab.Wait("pictures", fmt.Sprintf(`(() => { const all = [...document.querySelectorAll(%q)]; return all.length === %d && all.every((i) => i.complete && i.naturalWidth === 60); })()`, newest+" img", n))
		if got := pagetest.Eval[string](tab, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((i) => i.alt).join("|")`, newest+" img")); got != alts {
			t.Errorf("the pictures' texts: got %q, want %q", got, alts)
		}
		tab.WantAccessible()
	}

	upload(obj{"content": "Files", "attachments": arr{described(0, "A board"), described(1, "Words")}}, "a.png", "b.txt", "SPOILER_c.png")
	pictures("Files", 2, "A board|SPOILER_c.png")
	tab.WaitText(newest+" .file", "b.txt")
	tab.WaitText(newest+" .file", "5 byte")
	tab.WaitText(newest+" .file", "Words")
	if got := tab.Count(newest + " .covered img"); got != 1 {
		t.Errorf("%d pictures are covered, want 1", got)
	}

	upload(obj{"content": "Embed", "attachments": arr{described(0, "A board")}, "embeds": arr{
		obj{"title": "Title", "image": at("a.png"), "thumbnail": at("b.png")},
	}}, "a.png", "b.png")
	pictures("Title", 2, "b.png|A board")
	if got := tab.Count(newest + " .embed img"); got != 2 {
		t.Errorf("%d pictures are in the embed, want 2", got)
	}

	upload(v2(
		obj{"type": 9, "components": arr{obj{"type": 10, "content": "Components"}}, "accessory": obj{"type": 11, "media": at("a.png"), "description": "Small"}},
		obj{"type": 12, "items": arr{obj{"media": at("a.png"), "description": "First"}, obj{"media": at("b.png")}, obj{"media": obj{"url": "https://example.org/c.png"}, "description": "Elsewhere"}}},
		obj{"type": 13, "file": at("d.txt")},
		obj{"type": 17, "components": arr{obj{"type": 12, "items": arr{obj{"media": at("b.png"), "description": "Alone"}}}}},
	), "a.png", "b.png", "c.png", "d.txt")
	pictures("Components", 4, "Small|First|b.png|Alone")
	tab.WaitText(newest+" .file a", "d.txt")
	if got := pagetest.Eval[string](tab, fmt.Sprintf(`document.querySelector(%q).getAttribute("aria-label")`, newest+" .media-absent")); got != "Elsewhere" {
		t.Errorf("the picture of another host: got %q", got)
	}
	if got := tab.Count(newest + " .media-absent"); got != 1 {
		t.Errorf("%d pictures are absent, want 1", got)
	}

	// What is no longer kept leaves its place.
	for range 10 {
		var ten []*discordgo.File
		for range 10 {
			ten = append(ten, named("x.bin", "x"))
		}
		post(t, srv, &discordgo.MessageSend{Content: "x"}, ten...)
	}
	again := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	again.Wait("the places of pictures", `[...document.querySelectorAll(".media-absent")].some((el) => el.getAttribute("aria-label") === "A board")`)
}
