package page_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/pagetest"
)

// submitted are the components of the newest modal that was sent, by custom id,
// and what was resolved for them.
func submitted(t *testing.T, srv *sandbox.Server) (fields map[string]obj, resolved obj) {
	t.Helper()
	var newest *sandbox.Call
	srv.WaitFor(t, "the form to be sent", func() bool {
		for _, c := range srv.World().Calls() {
			if c.Kind() == sandbox.InteractionModal {
				newest = c
			}
		}
		return newest != nil
	})
	var payload struct {
		Data struct {
			Components []struct{ Component obj }
			Resolved   obj
		}
	}
	if err := json.Unmarshal([]byte(payloadOf(t, srv, newest)), &payload); err != nil {
		t.Fatal(err)
	}
	fields = map[string]obj{}
	for _, c := range payload.Data.Components {
		if id, ok := c.Component["custom_id"].(string); ok {
			fields[id] = c.Component
		}
	}
	// discordgo does not read labels, so the application's answer is given here.
	answer := obj{"type": 4, "data": obj{"content": "Thank you"}}
	want(t, request(t, srv, "POST", "/interactions/"+newest.ID()+"/"+newest.InteractionToken()+"/callback", answer), 204, 0)
	return fields, payload.Data.Resolved
}

// wantField compares what was sent for a component.
func wantField(t *testing.T, fields map[string]obj, id, key string, want any) {
	t.Helper()
	if got := fields[id][key]; !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %s %v, want %v", id, key, got, want)
	}
}

func TestFormAsksForEverything(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	tell(t, srv, obj{"content": "Two forms", "components": arr{row(btn("survey", obj{"label": "One"}), btn("survey2", obj{"label": "Other"}))}})
	tab.WaitText(newest, "Two forms")
	tab.ClickText("One")
	tab.WaitText("dialog.form", "A survey")
	order := pagetest.Eval[string](tab, `[...document.querySelectorAll(".form .markdown, .field-label")].map((el) => el.textContent.replace(" *", "")).join(", ")`)
	if want := "First some words, Opponent, Channels, Boards, Side"; order != want {
		t.Errorf("the form shows %s, want %s", order, want)
	}
	tab.WaitText(".field-hint", "About opponent")
	tab.WantAccessible()

	// Nothing is sent before everything is filled in.
	tab.ClickText("Submit")
	tab.WaitText("#assertive", "Opponent: This field is required.")
	if got := tab.Count(`.field-error:not(:empty)`); got != 4 {
		t.Errorf("%d fields are said to be required, want 4", got)
	}
	pick := func(name string, keys ...string) {
		t.Helper()
		focus(tab, `.select[id="`+pagetest.Eval[string](tab, `[...document.querySelectorAll(".field-label")].find((l) => l.textContent.startsWith("`+name+`")).htmlFor`)+`"]`)
		tab.Press("Enter")
		tab.Wait("the list", `document.activeElement.role === "option"`)
		tab.Press(keys...)
	}
	pick("Opponent", "b", "Enter")
	tab.WaitText(".select-value", "Ben")
	pick("Channels", "Space", "ArrowDown", "Space")
	tab.WantAccessible()
	if got := tab.Text(".picker-list"); strings.Contains(got, "rainy-day-cup") {
		t.Errorf("a thread is offered where channels are asked for: %s", got)
	}
	done := func() {
		t.Helper()
		tab.ClickText("Done")
		tab.Wait("the list to be gone", `!document.querySelector("dialog.picker")`)
	}
	done()
	pick("Boards", "Space", "End", "Space")
	done()
	tab.WaitText(".select-value", "Small, Huge")
	tab.ClickText("Nought")
	tab.ClickText("Submit")
	fields, resolved := submitted(t, srv)
	wantField(t, fields, "who", "values", []any{srv.User("Ben").ID()})
	wantField(t, fields, "where", "values", []any{srv.Guild().Channel("general").ID(), srv.Guild().Channel("games").ID()})
	wantField(t, fields, "boards", "values", []any{"small", "huge"})
	wantField(t, fields, "side", "value", "nought")
	for _, kind := range []string{"users", "members", "channels"} {
		if resolved[kind] == nil {
			t.Errorf("the %s are not resolved", kind)
		}
	}
	tab.Wait("the form to be gone", `!document.querySelector("dialog")`)
	tab.WaitText(newest, "Thank you")
}

func TestFormTicksAndFiles(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Phone)
	tell(t, srv, obj{"content": "A form", "components": arr{row(btn("survey2", obj{"label": "Open"}))}})
	tab.WaitText(newest, "A form")
	tab.ClickText("Open")
	tab.WaitText("dialog.form", "The rest")
	tab.WantAccessible()
	tab.Widen()
	if got := pagetest.Eval[float64](tab, `document.querySelector("dialog").scrollWidth - document.querySelector("dialog").clientWidth`); got > 0 {
		t.Errorf("the form is %v px too wide for a phone", got)
	}
	press := func(option string) {
		t.Helper()
		pagetest.Eval[bool](tab, `([...document.querySelectorAll(".choice")].find((l) => l.textContent.startsWith("`+option+`")).click(), true)`)
	}
	press("Saturday")
	press("Monday") // the third of at most two: Sunday is chosen at first
	pagetest.Eval[bool](tab, `(document.querySelector(".tick").click(), document.querySelector("form select").value = "hard", true)`)
	tab.ClickText("Submit")
	tab.WaitText(".field-error", "Choose at most 2.")
	press("Monday")
	pagetest.Eval[bool](tab, `(() => {
		const files = new DataTransfer();
		files.items.add(new File(["x"], "board.png"));
		document.querySelector("input[type=file]").files = files.files;
		return true;
	})()`)
	tab.ClickText("Submit")
	fields, resolved := submitted(t, srv)
	wantField(t, fields, "days", "values", []any{"sat", "sun"})
	wantField(t, fields, "loud", "value", true)
	wantField(t, fields, "level", "values", []any{"hard"})
	wantField(t, fields, "role", "values", []any{})
	files, _ := fields["file"]["values"].([]any)
	if len(files) != 1 {
		t.Fatalf("sent files: %v, want one", files)
	}
	id, _ := files[0].(string)
	attachments, _ := resolved["attachments"].(obj)
	if file, _ := attachments[id].(obj); file["filename"] != "board.png" || file["size"] != 1.0 {
		t.Errorf("the file is resolved as %v", file)
	}
	tab.WaitText(newest, "Thank you")
}

func TestFormShowsWhatItCannotDraw(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	withStore(tab, `store.emit("modal", {id: "1", modal: {title: "News", components: [{type: 18, label: "Colour", component: {type: 99, custom_id: "x"}}, {type: 98}]}})`)
	tab.WaitText("dialog.form", "Colour")
	tab.WaitText("dialog.form", "Component of type 99")
	tab.WaitText("dialog.form", "Component of type 98")
}

// TestModalSubmissionIsChecked sends what a person's client would not.
func TestModalSubmissionIsChecked(t *testing.T) {
	srv := sandbox.NewServer(t)
	srv.AllowUnanswered()
	connectDemo(t, srv)
	ada := srv.User("Ada")
	id := tell(t, srv, obj{"content": "A form", "components": arr{row(btn("survey", obj{"label": "One"}), btn("survey2", obj{"label": "Other"}))}})
	m := srv.World().MessageByID(id)
	first, second := ada.Click(t, m, "One").Call, ada.Click(t, m, "Other").Call
	ben, games, general := srv.User("Ben").ID(), srv.Guild().Channel("games").ID(), srv.Guild().Channel("general").ID()
	thread := srv.Guild().Channel("cup", sandbox.Thread(srv.Guild().Channel("general"))).ID()
	type lists = map[string][]string
	good := func(more lists) lists {
		all := lists{"who": {ben}, "where": {games, general}, "boards": {"small", "large"}, "side": {"cross"}}
		for k, v := range more {
			all[k] = v
		}
		return all
	}
	for _, c := range []struct {
		name string
		from *sandbox.Call
		in   lists
		want error
	}{
		{"all filled in", first, good(nil), nil},
		{"nothing", first, nil, sandbox.ErrBadOption},
		{"nobody", first, good(lists{"who": {}}), sandbox.ErrBadOption},
		{"two people for one", first, good(lists{"who": {ben, ada.ID()}}), sandbox.ErrBadOption},
		{"somebody unknown", first, good(lists{"who": {"1"}}), sandbox.ErrBadOption},
		{"a thread where channels are asked for", first, good(lists{"where": {games, thread}}), sandbox.ErrBadOption},
		{"an unknown channel", first, good(lists{"where": {games, "1"}}), sandbox.ErrBadOption},
		{"too few", first, good(lists{"boards": {"small"}}), sandbox.ErrBadOption},
		{"the same twice", first, good(lists{"boards": {"small", "small"}}), sandbox.ErrBadOption},
		{"an unknown option", first, good(lists{"side": {"both"}}), sandbox.ErrBadOption},
		{"an unknown input", first, good(lists{"what": {"x"}}), sandbox.ErrNoComponent},
		{"what was chosen at first", second, lists{"level": {"easy"}}, nil},
		{"too many", second, lists{"level": {"easy"}, "days": {"sat", "sun", "mon"}}, sandbox.ErrBadOption},
		{"a role, of which there are none", second, lists{"level": {"easy"}, "role": {"1"}}, sandbox.ErrBadOption},
	} {
		_, err := ada.Prepare(sandbox.ModalSubmission{Call: c.from, Lists: c.in})
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}

// TestSelectsOfferWhatIsHere opens selects of people and channels in a guild that not
// everybody is in.
func TestSelectsOfferWhatIsHere(t *testing.T) {
	srv, browser := browse(t, nil)
	srv.User("Ben").Leave(srv.Guild())
	tell(t, srv, obj{"content": "Two", "components": arr{
		row(obj{"type": 5, "custom_id": "who", "placeholder": "Whom"}), row(obj{"type": 8, "custom_id": "where", "placeholder": "Where"}),
	}})
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	tab.WaitText(newest, "Whom")
	offered := func(placeholder string) string {
		tab.ClickText(placeholder)
		tab.Wait("the list", `document.querySelector("dialog.picker")`)
		defer func() {
			tab.Press("Escape")
			gone(tab)
		}()
		return pagetest.Eval[string](tab, `[...document.querySelectorAll(".picker-item")].map((o) => o.querySelector(".picker-text > span").textContent).join(" ")`)
	}
	if got, want := offered("Whom"), "Ada Chiyo Deniz Eva Quizmaster Tic-tac-toe"; got != want {
		t.Errorf("people: got %q, want %q", got, want)
	}
	if got, want := offered("Where"), "#general #games #rainy-day-cup #back-room #read-only-for-the-app"; got != want {
		t.Errorf("channels: got %q, want %q", got, want)
	}
}
