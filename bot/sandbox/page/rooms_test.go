package page_test

import (
	"slices"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/pagetest"
	"tictactoe/bot/sandbox/permission"
)

// choose opens a menu by the button of that name and takes an entry.
func choose(tab *pagetest.Tab, button, entry string) {
	tab.Click(`[aria-label="` + button + `"]`)
	tab.WaitText(".menu", entry)
	tab.ClickText(entry)
	tab.Wait("the menu to be gone", `!document.querySelector("dialog.menu")`)
}

// gone waits until no dialog is open.
func gone(tab *pagetest.Tab) { tab.Wait("no dialog", `!document.querySelector("dialog")`) }

// onPanel waits until no form lies over a panel, which shows what the form has changed
// before that is gone.
func onPanel(tab *pagetest.Tab) {
	tab.Wait("the panel alone", `document.querySelectorAll("dialog").length === 1`)
}

// press focuses what a dialog says and presses Enter there.
func press(tab *pagetest.Tab, text string) {
	find := `[...document.querySelectorAll("dialog:last-of-type :is(button, summary)")].find((el) => el.checkVisibility() && el.textContent.includes("` + text + `"))`
	tab.Wait("a button "+text, find)
	pagetest.Eval[bool](tab, "("+find+".focus(), true)")
	tab.Press("Enter")
}

func TestRolesAndPermissions(t *testing.T) {
	srv, browser := browse(t, nil)
	guild, ada, ben := srv.Guild(), srv.User("Ada"), srv.User("Ben")
	for _, view := range []pagetest.View{pagetest.Desk, pagetest.Phone} {
		tab := browser.Open(t, srv.URL()+"/?as=ada#general", view)
		if view.Phone {
			tab.Click(".channels-toggle")
		}
		// A role with a permission, by keyboard.
		choose(tab, "Options of Playground", "Roles …")
		tab.WaitText(".panel", "@everyone")
		tab.WantAccessible()
		press(tab, "New role")
		tab.WaitText("dialog:last-of-type h2", "New role")
		tab.Type("Stewards")
		press(tab, "Text channels: 0 of 18")
		tick := `[...document.querySelectorAll(".choice")].find((c) => c.textContent === "Manage Messages").querySelector("input")`
		pagetest.Eval[bool](tab, "("+tick+".focus(), true)")
		tab.Press("Space")
		tab.WaitText("summary", "Text channels: 1 of 18")
		tab.WantAccessible()
		press(tab, "Create")
		tab.WaitText(".panel-row", "Stewards1 permission · 0 members")
		onPanel(tab)
		stewards := guild.Role("Stewards")
		if stewards.Info().Permissions != permission.ManageMessages {
			t.Errorf("the role has %b", stewards.Info().Permissions)
		}
		tab.Press("Escape")
		gone(tab)
		if view.Phone {
			tab.Press("Escape")
			tab.Wait("the sheet to be gone", `document.querySelector("#scrim").hidden`)
			tab.Click(".people-toggle")
		}

		// Given to somebody, in their menu.
		tab.Click(`.people [data-person="` + ben.ID() + `"]`)
		tab.ClickText("Roles …")
		tab.WaitText("dialog h2", "Roles of Ben")
		tab.WantAccessible()
		pagetest.Eval[bool](tab, `([...document.querySelectorAll(".choice")].find((c) => c.textContent.startsWith("Stewards")).click(), true)`)
		press(tab, "Save")
		gone(tab)
		if got := ben.Roles(guild); !slices.Contains(got, stewards) {
			t.Errorf("Ben has %v", got)
		}
		tab.WaitText(`.people [data-person="`+ben.ID()+`"]`, "moderator")
		if view.Phone {
			tab.Press("Escape")
			tab.Wait("the sheet to be gone", `document.querySelector("#scrim").hidden`)
		}

		// Of a role whose fields are all folded away, the first group has the focus.
		if !view.Phone {
			choose(tab, "Options of Playground", "Roles …")
			press(tab, "@everyone")
			tab.WaitText("dialog:last-of-type h2", "Role @everyone")
			if got := tab.Focused(); got != "summary General: 1 of 9" {
				t.Errorf("the focus is on %s", got)
			}
			tab.Press("Escape", "Escape")
			gone(tab)
		}

		// Denied something in a channel.
		general := guild.Channel("general")
		choose(tab, "Channel options", "Permissions …")
		tab.WaitText(".panel-empty", "Nothing is given or denied here.")
		press(tab, "Add a role or a person")
		tab.WaitText(".picker-item", "Stewards")
		pagetest.Eval[bool](tab, `([...document.querySelectorAll(".picker-item")].find((c) => c.textContent.includes("Stewards")).click(), true)`)
		tab.WaitText("dialog:last-of-type h2", "Stewards in #general")
		tab.WantAccessible()
		radio := `[...document.querySelectorAll(".tri")].find((f) => f.querySelector("legend").textContent === "Send Messages").querySelector(":checked")`
		pagetest.Eval[bool](tab, "("+radio+".focus(), true)")
		tab.Press("ArrowLeft")
		if got := tab.Focused(); got != "input Deny" {
			t.Errorf("the focus is on %s", got)
		}
		press(tab, "Save")
		tab.WaitText(".panel-row", "✕ Send Messages")
		onPanel(tab)
		if general.Permissions(ben)&permission.SendMessages != 0 || general.Permissions(ada)&permission.SendMessages == 0 {
			t.Error("not what was chosen is denied")
		}
		press(tab, "Stewards")
		tab.WaitText("dialog:last-of-type h2", "Stewards in #general")
		pagetest.Eval[bool](tab, "("+radio+".focus(), true)")
		tab.Press("ArrowRight")
		press(tab, "Save")
		tab.WaitText(".panel-empty", "Nothing is given or denied here.")
		onPanel(tab)
		tab.Press("Escape")
		gone(tab)

		// And deleted again.
		stewards.Delete()
		tab.Wait("the role to be gone", `!document.querySelector(`+"`"+`.people [data-person="`+ben.ID()+`"]`+"`"+`).textContent.includes("moderator")`)
		tab.Close()
	}
}

func TestRoleSelectsOfferRoles(t *testing.T) {
	srv, browser := browse(t, nil)
	red := srv.Guild().Role("Red")
	tell(t, srv, obj{"content": "Choose", "components": arr{row(obj{"type": 6, "custom_id": "roles"}), row(obj{"type": 7, "custom_id": "both", "max_values": 2})}})
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	srv.AllowUnanswered()
	tab.Click(`.select[data-id="both"]`)
	tab.WaitText(".picker-item", "Red")
	tab.WaitText(".picker-item", "Ben")
	tab.Press("Escape")
	gone(tab)
	tab.Click(`.select[data-id="roles"]`)
	tab.WaitText(".picker-item", "Red")
	if got := tab.Count(".picker-item"); got != len(srv.Guild().Roles()) {
		t.Errorf("%d roles are offered", got)
	}
	tab.ClickText("Red\nrole")
	srv.WaitFor(t, "the choice", func() bool { return len(srv.World().Calls()) == 1 })
	if got := payloadOf(t, srv, srv.World().Calls()[0]); !containsAll(got, `"values":["`+red.ID()+`"]`, `"roles":{"`+red.ID()) {
		t.Errorf("sent %s", got)
	}
}

func TestOptionsForRolesAndFiles(t *testing.T) {
	srv, browser := browse(t, nil)
	srv.AllowUnanswered()
	red := srv.Guild().Role("Red")
	want(t, request(t, srv, "POST", "/applications/"+srv.AppID()+"/commands", obj{"name": "report", "description": "d", "options": arr{
		obj{"type": 8, "name": "to", "description": "d", "required": true},
		obj{"type": 9, "name": "about", "description": "d", "required": true},
		obj{"type": 11, "name": "file", "description": "d", "required": true},
	}}), 201, 0)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	tab.Press("/")
	tab.WaitText(".suggest-item", "/report")
	tab.Type("report")
	tab.Press("Enter")
	tab.WaitText(".command-name", "/report")
	for range 2 { // a role, and one for whom a person would do as well
		tab.Type("red")
		tab.WaitText(".suggest-item", "Red")
		tab.Press("Enter")
	}
	tab.WantAccessible()
	pagetest.Eval[bool](tab, `(document.querySelector(".command-form").requestSubmit(), true)`)
	tab.WaitText(".option-error", "Choose a file.")
	pagetest.Eval[bool](tab, `(() => {
		const files = new DataTransfer(), input = document.querySelector(".option-input[type=file]");
		files.items.add(new File(["a whole text"], "notes.txt"));
		input.files = files.files;
		input.dispatchEvent(new Event("input", { bubbles: true }));
		document.querySelector(".command-form").requestSubmit();
		return true;
	})()`)
	srv.WaitFor(t, "the command", func() bool { return len(srv.World().Calls()) == 1 })
	got := payloadOf(t, srv, srv.World().Calls()[0])
	if !containsAll(got, `"name":"to","type":8,"value":"`+red.ID()+`"`, `"name":"about","type":9,"value":"`+red.ID()+`"`, `"filename":"notes.txt"`, `"size":12`, `"roles":{"`+red.ID()) {
		t.Errorf("sent %s", got)
	}
	at := obj{"as": srv.User("Ada").ID(), "channel": srv.Guild().Channel("general").ID(), "path": "report"}
	for option, value := range map[string]any{"to": "1", "about": "1", "file": obj{"name": "x", "content": "no base64!"}} {
		at["options"] = obj{option: value}
		got := ask(t, srv, "POST", inWorld(srv, "command"), at)
		if code, _, field := problem(t, got); got.Status != 422 || code != "bad_field" || field != option {
			t.Errorf("%s: got %d %s", option, got.Status, got.Body)
		}
	}
}

func TestReactionsPinsAndThreads(t *testing.T) {
	srv, browser := browse(t, nil)
	guild, ada, ben := srv.Guild(), srv.User("Ada", sandbox.Permissions(permission.PinMessages|permission.ManageThreads)), srv.User("Ben")
	general := guild.Channel("general")
	m, err := ben.Say(general, "Who plays?")
	if err != nil {
		t.Fatal(err)
	}
	tab := browser.Open(t, srv.URL()+"/?as=ada#general", pagetest.Desk)
	tab.WaitText(newest, "Who plays?")
	reactions := func() []sandbox.Reaction { return m.Snapshot().Reactions }

	// From the message's menu, by keyboard: one of a few, then one that is typed.
	react := func() {
		focus(tab, "#log")
		tab.Press("ArrowUp", "Enter")
		tab.WaitText(".menu-item", "Add a reaction …")
		tab.Press("Enter")
		tab.Wait("the emojis", `document.activeElement.matches(".emoji")`)
	}
	react()
	tab.WantAccessible()
	tab.Press("ArrowRight", "Enter")
	tab.WaitText(".reaction", "👎")
	gone(tab)
	react()
	focus(tab, ".emoji-form input")
	tab.Type("x")
	tab.Press("Enter")
	tab.WaitText(".emoji-picker", "That is no emoji that Discord knows.")
	pagetest.Eval[bool](tab, `(document.querySelector(".emoji-form input").value = "🦊", true)`)
	tab.Press("Enter")
	tab.WaitText(".reaction", "🦊")
	gone(tab)
	if got := reactions(); len(got) != 2 || got[1].Emoji != "🦊" || got[0].Users[0] != ada.ID() {
		t.Errorf("reactions: %v", got)
	}
	if err := ben.React(m, "🦊"); err != nil {
		t.Fatal(err)
	}
	tab.WaitText(".reaction", "🦊2")
	focus(tab, ".reaction")
	tab.Press("ArrowRight")
	if got := tab.Focused(); got != "button 🦊, 2 reactions: Ada, Ben" {
		t.Errorf("the focus is on %s", got)
	}
	tab.WantAccessible()
	tab.Press("Enter")
	tab.WaitText(".reaction", "🦊1")
	if got := reactions(); len(got) != 2 || !slices.Equal(got[1].Users, []string{ben.ID()}) {
		t.Errorf("after taking it back: %v", got)
	}

	// Pinned, listed, found, unpinned.
	tab.Click(".message:has(.reaction) .markdown")
	choose(tab, "Message options", "Pin message")
	tab.WaitText(".message-system", "Ada pinned a message to this channel. See all pinned messages")
	tab.WaitText(".pinned", "Pinned")
	tab.ClickText("See all pinned messages")
	tab.WaitText(".panel-row", "Who plays?")
	tab.WantAccessible()
	tab.Click(`[aria-label="Unpin the message of Ben"]`)
	tab.WaitText(".panel-empty", "Nothing is pinned")
	tab.Press("Escape")
	gone(tab)
	if m.Snapshot().Pinned {
		t.Error("it is still pinned")
	}

	// A thread from the message, archived and locked, found again.
	focus(tab, "#log")
	tab.Press("ArrowUp", "ArrowUp", "Enter")
	tab.ClickText("Start a thread …")
	tab.WaitText("dialog h2", "Thread from this message")
	tab.Type("Tonight")
	tab.Press("Enter")
	tab.WaitText("#channel-title", "Tonight")
	tab.WaitText(".message-system", "Ada started this thread from a message.")
	thread := srv.World().ChannelByID(m.ID())
	if thread == nil || thread.Name() != "Tonight" {
		t.Fatalf("the thread: %v", thread)
	}
	choose(tab, "Channel options", "Lock thread")
	srv.WaitFor(t, "the lock", thread.Locked)
	tab.WaitText(".about", "Locked")
	choose(tab, "Channel options", "Archive thread")
	srv.WaitFor(t, "the archive", thread.Archived)
	tab.WaitText(".about", "Archived · Locked")
	tab.ClickText("a message")
	tab.WaitText("#channel-title", "general")
	tab.WaitText(".thread-link", "TonightArchived thread")
	tab.Wait("the thread to be out of the list", `![...document.querySelectorAll(".channel")].some((c) => c.textContent.includes("Tonight"))`)
	choose(tab, "Channel options", "Threads")
	tab.WaitText(".panel-row", "Tonightlocked · 1 member")
	tab.WantAccessible()
}

// TestPinsBesideMembers: who owns every guild reads what is pinned in one without being listed
// there, and whoever has left them all what is pinned in their direct messages.
func TestPinsBesideMembers(t *testing.T) {
	srv, browser := browse(t, nil)
	ada, ben := srv.User("Ada", sandbox.Owns), srv.User("Ben")
	elsewhere := srv.World().AddGuild("Far away").Channel("lounge")
	first, err := ada.Say(elsewhere, "To read")
	if err != nil {
		t.Fatal(err)
	}
	if err := ada.Pin(first); err != nil {
		t.Fatal(err)
	}
	tab := browser.Open(t, srv.URL()+"/?as=ada#lounge", pagetest.Desk)
	tab.ClickText("See all pinned messages")
	tab.WaitText(".panel-row", "To read")

	m, err := ben.Say(ben.DM(), "To remember")
	if err != nil {
		t.Fatal(err)
	}
	if err := ben.Pin(m); err != nil {
		t.Fatal(err)
	}
	for _, g := range srv.World().Guilds() {
		ben.Leave(g)
	}
	tab = browser.Open(t, srv.URL()+"/?as=ben", pagetest.Desk)
	tab.ClickText("Tic-tac-toe")
	tab.ClickText("See all pinned messages")
	tab.WaitText(".panel-row", "To remember")
}

func TestWritingToPeople(t *testing.T) {
	srv, browser := browse(t, nil)
	ben := srv.User("Ben")
	tab := browser.Open(t, srv.URL()+"/?as=ada#general", pagetest.Phone)
	tab.Click(".channels-toggle")
	tab.Click(".new-message")
	tab.WaitText("dialog h2", "New message")
	tab.WantAccessible()
	pagetest.Eval[bool](tab, `([...document.querySelectorAll(".choice")].filter((c) => /^(Ben|Eva)/.test(c.textContent)).forEach((c) => c.click()), true)`)
	press(tab, "Write")
	tab.WaitText("#channel-title", "Ben, Eva")
	tab.Press("Escape")
	tab.Wait("the sheet to be gone", `document.querySelector("#scrim").hidden`)
	tab.Click("#composer-input")
	tab.Type("Hello")
	tab.Press("Enter")
	tab.WaitText(newest, "Hello")
	other := browser.Open(t, srv.URL()+"/?as=ben", pagetest.Desk)
	other.ClickText("Ada, Eva")
	other.WaitText(newest, "Hello")
	if got := other.Count(".people .person"); got != 3 {
		t.Errorf("%d people are listed beside it", got)
	}
	if _, err := ben.Say(srv.World().PrivateChannel(ben, srv.User("Ada")), "Only you"); err != nil {
		t.Fatal(err)
	}
	tab.WaitText(".toast", "Only you")
}

func TestThePageUsesTheTestAPI(t *testing.T) {
	srv := sandbox.NewServer(t, withPage)
	at := "/page/v1/worlds/" + srv.Guild().ID()
	want(t, ask(t, srv, "POST", at+"/roles", obj{"name": "Red"}), 200, 0)
	if got := ask(t, srv, "GET", at, nil); got.Status != 200 || !containsAll(string(got.Body), `"name":"Red"`) {
		t.Errorf("got %d %s", got.Status, got.Body)
	}
	req := newRequest(t, srv, "POST", "", obj{"name": "Blue"})
	req.URL.Path = at + "/roles"
	if got := do(t, req); got.Status != 200 { // no Origin: not from the page
		return
	}
	t.Error("who is not the page changes the world without a key")
}

// TestSeveralApps: two applications with a command of the same name.
func TestSeveralApps(t *testing.T) {
	srv, browser := browse(t, nil)
	srv.AllowUnanswered()
	two := srv.World().AddApp(sandbox.AppOptions{Name: "Second"})
	hello := []*discordgo.ApplicationCommand{{Name: "hello", Description: "Says hello"}}
	for _, a := range srv.World().Apps() {
		if _, err := srv.SessionOf(a).ApplicationCommandCreate(a.ID(), "", hello[0]); err != nil {
			t.Fatal(err)
		}
	}
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	tab.WaitText(".presence", "1 of 2 apps online")
	tab.WaitText(`.people [data-person="`+two.ID()+`"]`, "not connected")
	tab.WantAccessible()
	tab.Click("#composer-input")
	tab.Type("/hello")
	tab.WaitText(".suggest-item", "Second")
	tab.Press("ArrowDown", "Enter")
	tab.WaitText(".command-name", "/hello")
	tab.Press("Enter")
	srv.WaitFor(t, "the command", func() bool { return len(srv.World().Calls()) == 1 })
	if got := payloadOf(t, srv, srv.World().Calls()[0]); !containsAll(got, `"application_id":"`+two.ID()+`"`) {
		t.Errorf("sent to the other: %s", got)
	}
	session := srv.SessionOf(two)
	if err := session.Open(); err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	tab.WaitText(".presence", "2 of 2 apps online")
}

// TestChannelsOfOneNameHaveDraftsOfTheirOwn types into two channels of one guild that have
// the same name.
func TestChannelsOfOneNameHaveDraftsOfTheirOwn(t *testing.T) {
	srv, browser := browse(t, nil)
	games := srv.Guild().Channel("games").ID()
	got := request(t, srv, "POST", "/channels/"+srv.Guild().Channel("general").ID()+"/threads", obj{"name": "games", "type": 11})
	want(t, got, 201, 0)
	var thread struct{ ID string }
	got.Decode(t, &thread)
	tab := browser.Open(t, srv.URL()+"/#"+games, pagetest.Desk)
	open := func(id string) {
		t.Helper()
		tab.Click(`[data-channel="` + id + `"]`)
		tab.Wait("the channel", `document.querySelector('[data-channel="`+id+`"]').ariaCurrent === "page"`)
	}
	focus(tab, "#composer-input")
	tab.Type("for the channel")
	open(thread.ID)
	if got := typed(tab); got != "" {
		t.Errorf("the thread of that name begins with %q", got)
	}
	open(games)
	if got, want := typed(tab), "for the channel"; got != want {
		t.Errorf("back in the channel: got %q, want %q", got, want)
	}
}
