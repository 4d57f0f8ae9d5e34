package page_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
)

// The demo application shows every kind of command, message and component that
// the page has to draw. It plays a game without rules: every empty cell that is
// pressed gets a mark until three are taken.

func demoCommands() arr {
	words := func(de, es string) obj { return obj{"de": de, "es-ES": es} }
	sub := func(name string, options ...any) obj {
		return obj{"type": 1, "name": name, "description": strings.ToUpper(name[:1]) + name[1:] + ".", "options": append(arr{}, options...)}
	}
	play := sub("play",
		obj{"type": 3, "name": "board", "description": "Which board.", "choices": arr{obj{"name": "Three by three", "value": "3x3"}, obj{"name": "Four by four", "value": "4x4"}}},
		obj{"type": 4, "name": "level", "description": "From 1 to 9.", "min_value": 1, "max_value": 9},
		obj{"type": 5, "name": "private", "description": "Only for you."})
	play["name_localizations"] = words("spielen", "jugar")
	play["description_localizations"] = words("Spielen.", "Jugar.")
	return arr{
		obj{"type": 1, "name": "demo", "description": "Shows everything.", "name_localizations": obj{"de": "vorführung"}, "options": arr{
			play,
			sub("greet", obj{"type": 6, "name": "user", "description": "Whom.", "required": true}),
			sub("find", obj{"type": 3, "name": "word", "description": "A word.", "required": true, "autocomplete": true}),
			sub("form"), sub("secret"), sub("gallery"), sub("texts"), sub("silent"), sub("later"), sub("again"),
		}},
		obj{"type": 2, "name": "Wave"},
		obj{"type": 3, "name": "Quote"},
	}
}

func registerDemo(t *testing.T, srv *sandbox.Server) {
	t.Helper()
	want(t, request(t, srv, "PUT", "/applications/"+srv.AppID()+"/commands", demoCommands()), 200, 0)
}

const blank = "\u200b"

// demo keeps what was pressed, by message.
type demo struct {
	t        *testing.T
	srv      *sandbox.Server
	handling sync.WaitGroup
	mu       sync.Mutex
	done     map[string][]string
}

func connectDemo(t *testing.T, srv *sandbox.Server) *discordgo.Session {
	t.Helper()
	d := &demo{t: t, srv: srv, done: map[string][]string{}}
	t.Cleanup(d.handling.Wait) // an answer may still be on its way when the test ends
	return connect(t, srv, d.handle)
}

func (d *demo) handle(_ *discordgo.Session, in *discordgo.InteractionCreate) {
	d.handling.Add(1)
	defer d.handling.Done()
	var answer obj
	switch in.Type {
	case discordgo.InteractionApplicationCommand:
		answer = d.command(in)
	case discordgo.InteractionMessageComponent:
		answer = d.component(in)
	case discordgo.InteractionApplicationCommandAutocomplete:
		answer = d.choices(in)
	case discordgo.InteractionModalSubmit:
		data, ok := in.Data.(discordgo.ModalSubmitInteractionData)
		if !ok {
			return // a form with labels, which discordgo does not read
		}
		row := data.Components[0].(*discordgo.ActionsRow)
		answer = says("You wrote: " + row.Components[0].(*discordgo.TextInput).Value)
	}
	if answer == nil {
		return
	}
	req := newRequest(d.t, d.srv, "POST", "/interactions/"+in.ID+"/"+in.Token+"/callback", answer).WithContext(context.Background())
	if got := do(d.t, req); got.Status != 204 {
		d.t.Errorf("demo: got %d %s", got.Status, got.Body)
	}
}

func says(content string, more ...obj) obj {
	data := obj{"content": content}
	for _, m := range more {
		for k, v := range m {
			data[k] = v
		}
	}
	return obj{"type": 4, "data": data}
}

func (d *demo) command(in *discordgo.InteractionCreate) obj {
	data := in.ApplicationCommandData()
	switch data.Name {
	case "Wave":
		return says("👋 <@" + data.TargetID + ">")
	case "Quote":
		return says("> " + data.Resolved.Messages[data.TargetID].Content)
	}
	sub := data.Options[0]
	switch sub.Name {
	case "play":
		text, private := "", 0
		for _, o := range sub.Options {
			text += fmt.Sprintf(" %s=%v", o.Name, o.Value)
			if o.Name == "private" && o.BoolValue() {
				private = 64
			}
		}
		answer := d.board(in.Member.User.ID, nil, text)
		answer["type"] = 4
		answer["data"].(obj)["flags"] = 32768 | private
		return answer
	case "greet":
		return says(fmt.Sprintf("Hello <@%v>, **welcome**.", sub.Options[0].Value), obj{"components": arr{row(btn("hi", obj{"label": "Say hi", "style": 1}))}})
	case "find":
		return says(fmt.Sprintf("Found %v.", sub.Options[0].Value))
	case "form":
		return obj{"type": 9, "data": obj{"custom_id": "m", "title": "A form", "components": arr{row(obj{"type": 4, "custom_id": "word", "label": "A word", "style": 1, "required": true, "min_length": 2})}}}
	case "again":
		return says("Once more?", obj{"components": arr{row(btn("again", obj{"label": "Again", "style": 1}))}})
	case "secret":
		return says("Nobody else sees this.", obj{"flags": 64, "components": arr{row(btn("hush", obj{"label": "Hush"}))}})
	case "gallery":
		return obj{"type": 4, "data": gallery()}
	case "texts":
		return says(everyMarkup(d.srv), obj{"allowed_mentions": obj{"users": arr{d.srv.User("Ada").ID()}}})
	case "later":
		return obj{"type": 5, "data": obj{}}
	}
	return nil // "silent" is never answered
}

// board is the answer that draws the cells taken so far, as an update.
func (d *demo) board(user string, taken []string, note string) obj {
	rows := arr{}
	for y := range 3 {
		cells := arr{}
		for x := range 3 {
			id := fmt.Sprintf("%d:cell:%d%d", len(taken), x, y)
			cell := btn(id, obj{"label": blank})
			for n, at := range taken {
				if strings.HasSuffix(id, at) {
					cell = btn(id, obj{"label": "XO"[n%2 : n%2+1], "style": []int{1, 4}[n%2]})
				}
			}
			if len(taken) == 3 {
				cell["disabled"] = true
			}
			cells = append(cells, cell)
		}
		rows = append(rows, row(cells...))
	}
	text := "Board of <@" + user + ">" + note
	if len(taken) > 0 {
		text += " · last " + taken[len(taken)-1]
	}
	if len(taken) == 3 {
		text = "Over: <@" + user + ">"
	}
	parts := append(arr{obj{"type": 10, "content": text}}, rows...)
	parts = append(parts, obj{"type": 14}, row(btn("resign", obj{"label": "Resign"})))
	return obj{"type": 7, "data": obj{
		"flags": 32768, "allowed_mentions": obj{"users": arr{user}},
		"components": arr{obj{"type": 17, "accent_color": 0x4757E0, "components": parts}},
	}}
}

func (d *demo) component(in *discordgo.InteractionCreate) obj {
	data := in.MessageComponentData()
	switch {
	case strings.Contains(data.CustomID, ":cell"):
		d.mu.Lock()
		defer d.mu.Unlock()
		taken := append(d.done[in.Message.ID], data.CustomID[strings.Index(data.CustomID, ":cell"):])
		d.done[in.Message.ID] = taken
		return d.board(in.Member.User.ID, taken, "")
	case data.CustomID == "silent":
		return nil
	case data.CustomID == "again":
		// The next board is a message of its own; this one is over.
		data := d.board(in.Member.User.ID, nil, "")["data"].(obj)
		if got := request(d.t, d.srv, "POST", "/channels/"+in.ChannelID+"/messages", data); got.Status != 200 {
			d.t.Errorf("demo: got %d %s", got.Status, got.Body)
		}
		return obj{"type": 7, "data": obj{"content": "Over.", "components": arr{row(btn("again", obj{"label": "Again", "disabled": true}))}}}
	case data.CustomID == "survey":
		return survey()
	case data.CustomID == "survey2":
		return survey2()
	case len(data.Values) > 0:
		return says("Chosen: "+strings.Join(data.Values, " and "), obj{"flags": 64})
	}
	return says("Pressed "+data.CustomID+".", obj{"flags": 64})
}

func (d *demo) choices(in *discordgo.InteractionCreate) obj {
	typed := in.ApplicationCommandData().Options[0].Options[0].StringValue()
	if typed == "never" {
		return nil
	}
	choices := arr{}
	for _, w := range []string{"apple", "apricot", "banana"} {
		if strings.HasPrefix(w, typed) {
			choices = append(choices, obj{"name": w, "value": w})
		}
	}
	return obj{"type": 8, "data": obj{"choices": choices}}
}

// gallery is a message with one of every component.
func gallery() obj {
	return v2(
		obj{"type": 9, "components": arr{obj{"type": 10, "content": "## A section"}}, "accessory": obj{"type": 11, "media": obj{"url": "https://example.org/cat.png"}, "description": "A cat asleep"}},
		obj{"type": 9, "components": arr{obj{"type": 10, "content": "With a button"}}, "accessory": btn("aside", obj{"label": "Aside"})},
		obj{"type": 12, "items": arr{obj{"media": obj{"url": "https://example.org/a.png"}, "description": "The first picture"}, obj{"media": obj{"url": "https://example.org/b.png"}}}},
		obj{"type": 14, "divider": true, "spacing": 2},
		row(
			btn("p", obj{"label": "Primary", "style": 1}), btn("s", obj{"label": "Secondary", "style": 2}),
			btn("g", obj{"label": "Success", "style": 3}), btn("d", obj{"label": "Danger", "style": 4}),
			obj{"type": 2, "style": 5, "label": "Link", "url": "https://example.org/"}),
		row(btn("e", obj{"label": "", "emoji": obj{"name": "🎲"}}), btn("off", obj{"label": "Disabled", "disabled": true}), btn("silent", obj{"label": "No answer"})),
		row(obj{"type": 3, "custom_id": "pick", "placeholder": "Pick fruit", "min_values": 1, "max_values": 2, "options": arr{
			obj{"label": "Apple", "value": "apple", "description": "Crisp"}, obj{"label": "Pear", "value": "pear"}, obj{"label": "Plum", "value": "plum"},
		}}),
		row(obj{"type": 5, "custom_id": "who", "placeholder": "Pick a person"}),
		obj{"type": 17, "accent_color": 0xE67E22, "spoiler": true, "components": arr{obj{"type": 10, "content": "Hidden"}}},
	)
}

// everyMarkup is a text with all that markdown can do.
func everyMarkup(srv *sandbox.Server) string {
	return strings.Join([]string{
		"# Title", "**bold** *slanted* __under__ ~~gone~~ `code` ||hidden||",
		"-# small print", "> quoted", "- one", "- two", "```\nblock\n```",
		"<@" + srv.User("Ada").ID() + "> <@" + srv.User("Ben").ID() + "> <@123456789012345678>",
		"<#" + srv.Guild().Channel("games").ID() + "> </demo play:" + srv.App().Commands("")[0].ID + ">",
		fmt.Sprintf("<t:0:D> <t:%d:R> [masked](https://example.org/x) https://example.org/y", time.Now().Add(75*time.Hour).Unix()),
		`\*plain\* 1 < 2 <script>alert(1)</script> <b>not bold</b>`,
	}, "\n")
}

// survey is a modal that asks for everything that can be asked for.
func survey() obj {
	label := func(text string, component obj) obj {
		return obj{"type": 18, "label": text, "description": "About " + strings.ToLower(text), "component": component}
	}
	options := func(names ...string) arr {
		out := arr{}
		for _, n := range names {
			out = append(out, obj{"label": n, "value": strings.ToLower(n)})
		}
		return out
	}
	return obj{"type": 9, "data": obj{"custom_id": "survey", "title": "A survey", "components": arr{
		obj{"type": 10, "content": "First **some words**"},
		label("Opponent", obj{"type": 5, "custom_id": "who"}),
		label("Channels", obj{"type": 8, "custom_id": "where", "channel_types": arr{0}, "min_values": 2, "max_values": 3}),
		label("Boards", obj{"type": 3, "custom_id": "boards", "min_values": 2, "max_values": 2, "options": options("Small", "Large", "Huge")}),
		label("Side", obj{"type": 21, "custom_id": "side", "options": options("Cross", "Nought")}),
	}}}
}

// survey2 asks for the rest: a modal holds five components.
func survey2() obj {
	return obj{"type": 9, "data": obj{"custom_id": "survey2", "title": "The rest", "components": arr{
		obj{"type": 18, "label": "Days", "component": obj{"type": 22, "custom_id": "days", "min_values": 1, "max_values": 2, "options": arr{
			obj{"label": "Saturday", "value": "sat", "description": "All day"}, obj{"label": "Sunday", "value": "sun", "default": true}, obj{"label": "Monday", "value": "mon"},
		}}},
		obj{"type": 18, "label": "Loud", "component": obj{"type": 23, "custom_id": "loud"}},
		obj{"type": 18, "label": "Picture", "component": obj{"type": 19, "custom_id": "file", "required": false}},
		obj{"type": 18, "label": "Role", "component": obj{"type": 6, "custom_id": "role", "required": false}},
		obj{"type": 18, "label": "Level", "component": obj{"type": 3, "custom_id": "level", "options": arr{obj{"label": "Easy", "value": "easy"}, obj{"label": "Hard", "value": "hard"}}}},
	}}}
}
