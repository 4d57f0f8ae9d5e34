package sandbox_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/shape"
)

// recorded is where interactions are that the real Discord sent, in reports that have them by
// name under "payloads".
const recorded = "testdata/recorded"

// TestRecordedPayloads: interactions that were recorded have the keys that those of the local
// Discord have, but for what a message or a command is made of, which is its application's.
func TestRecordedPayloads(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recorded, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Logf("nobody has recorded anything yet: %s has no reports", recorded)
	}
	local := localShapes(t)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var report struct{ Payloads map[string]json.RawMessage }
		if err := json.Unmarshal(raw, &report); err != nil || len(report.Payloads) == 0 {
			t.Errorf("%s has no payloads: %v", file, err)
		}
		compared := 0
		for name, payload := range report.Payloads {
			known, ok := local[kindOf(t, payload)]
			if !ok {
				continue // on a message of a kind that is not made below
			}
			compared++
			missing, more, others := shape.Compare(known, envelopeOf(payload))
			if len(missing)+len(more)+len(others) > 0 {
				t.Errorf("%s: %s lacks %q, has %q beside what is made here, and %q of another kind", file, name, missing, more, others)
			}
		}
		if compared == 0 {
			t.Errorf("%s has no payload of a kind that is made here", file)
		}
	}
}

// kindOf tells interactions apart that have different keys.
func kindOf(t *testing.T, payload []byte) string {
	t.Helper()
	var p struct {
		Type int
		Data struct {
			Type int
			Kind int `json:"component_type"`
		}
		Channel struct{ Type int }
		Message struct{ Flags, Type int }
	}
	if err := json.Unmarshal(payload, &p); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d/%d/%d in %d on %d, private %v", p.Type, p.Data.Type, p.Data.Kind, p.Channel.Type, p.Message.Type, p.Message.Flags&64 != 0)
}

// envelopeOf is the shape without what the application has made.
func envelopeOf(payload []byte) shape.Shape {
	s := shape.Of(payload)
	for path := range s {
		if strings.HasSuffix(path, "authorizing_integration_owners.1") {
			delete(s, path) // whoever sent it has the application on their account
		}
		for _, own := range []string{"message.components.", "data.options."} {
			if strings.HasPrefix(path, own) {
				delete(s, path)
			}
		}
	}
	return s
}

// localShapes are those of a command, a user command, and of clicks and choices on what answers
// them, for everybody and for one person.
func localShapes(t *testing.T) map[string]shape.Shape {
	t.Helper()
	srv := sandbox.NewServer(t)
	srv.AllowUnanswered()
	session, guild, ada := srv.Session(), srv.Guild(), srv.User("Ada")
	channel := guild.Channel("general")
	for _, c := range []*discordgo.ApplicationCommand{
		{Name: "play", Description: "plays", Options: []*discordgo.ApplicationCommandOption{{Name: "here", Description: "here", Type: 1}}},
		{Name: "about", Type: 2},
	} {
		if _, err := session.ApplicationCommandCreate(srv.AppID(), guild.ID(), c); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]shape.Shape{}
	add := func(c *sandbox.Call) {
		kind := kindOf(t, c.Payload())
		if all[kind] == nil {
			all[kind] = shape.Shape{}
		}
		all[kind].Join(envelopeOf(c.Payload()))
	}
	add(ada.Start(t, sandbox.UserCommand{Channel: channel, Name: "about", Target: srv.User("Ben")}))
	for _, flags := range []int{0, 64} {
		call := ada.StartCommand(t, channel, "play here")
		add(call)
		body := map[string]any{"type": 4, "data": map[string]any{"content": "x", "flags": flags, "components": []any{
			map[string]any{"type": 1, "components": []any{map[string]any{"type": 2, "style": 1, "label": "a", "custom_id": "a"}}},
			map[string]any{"type": 1, "components": []any{map[string]any{"type": 3, "custom_id": "b", "options": []any{map[string]any{"label": "c", "value": "c"}}}}},
		}}}
		url := discordgo.EndpointInteractionResponse(call.ID(), call.InteractionToken())
		if _, err := session.RequestWithBucketID("POST", url, body, url); err != nil {
			t.Fatal(err)
		}
		message := call.Wait(t).Message
		add(ada.Start(t, sandbox.ButtonClick{Message: message, CustomID: "a"}))
		chosen, err := ada.Do(sandbox.Selection{Message: message, CustomID: "b", Values: []string{"c"}})
		if err != nil {
			t.Fatal(err)
		}
		add(chosen)
	}
	return all
}
