package page_test

import (
	"encoding/json"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/pagetest"
)

// TestDeadClickOnThePage presses what the message had a moment ago, as a tap does
// that meets a new picture on its way.
func TestDeadClickOnThePage(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	id := tell(t, srv, obj{"content": "A board", "components": arr{row(btn("new", obj{"label": "Here"}))}})
	for path, body := range map[string]obj{
		"click":  {"custom_id": "old", "forced": true},
		"select": {"custom_id": "old", "values": arr{"1"}, "forced": true},
	} {
		body["as"], body["message"] = srv.User("Ada").ID(), id
		got := ask(t, srv, "POST", inWorld(srv, path)+"?wait=none", body)
		var sent struct{ Call struct{ ID string } }
		if err := json.Unmarshal(got.Body, &sent); err != nil || got.Status != 200 {
			t.Fatalf("%s: got %d %s", path, got.Status, got.Body)
		}
		info := srv.World().CallByID(sent.Call.ID).Info()
		if info.Failed != sandbox.FailedComponent || info.Refused == "" {
			t.Errorf("%s: got %+v", path, info)
		}
	}
	if got := srv.World().RefusedClicks(); got != 2 {
		t.Errorf("%d clicks count as refused", got)
	}
}

// TestDeadClickIsShown presses a button that the page still draws.
func TestDeadClickIsShown(t *testing.T) {
	srv, browser := browse(t, nil)
	id := tell(t, srv, obj{"content": "A board", "components": arr{row(btn("old", obj{"label": "Here"}))}})
	tab := browser.Open(t, srv.URL()+"/#general", pagetest.Desk)
	tab.WaitText(newest, "Here")
	// The button that is drawn sends what the message no longer has.
	withStore(tab, `store.messages.get("`+id+`").components[0].components[0].custom_id = "gone"`)
	tab.ClickText("Here")
	tab.WaitText(newest, sandbox.FailedComponent)
}

// TestAButtonThatIsDrawnAgainIsPressed: the tests' own press meets a button in a list that is
// drawn anew all the time, and not there in between. It is pressed once.
func TestAButtonThatIsDrawnAgainIsPressed(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	tab.WaitReady()
	pagetest.Eval[bool](tab, `(() => {
		const list = document.createElement("dialog");
		document.body.append(list);
		list.show();
		window.presses = 0;
		window.drawn = 0;
		const draw = () => {
			list.textContent = "";
			if (++drawn % 3 === 0) {
				const b = document.createElement("button");
				b.textContent = "Comes and goes";
				b.addEventListener("click", () => presses++);
				list.append(b);
			}
			requestAnimationFrame(draw);
		};
		draw();
		return true;
	})()`)
	for n := range 20 {
		tab.ClickText("Comes and goes")
		if got := pagetest.Eval[int](tab, "presses"); got != n+1 {
			t.Fatalf("%d presses of %d were met", got, n+1)
		}
	}
}
