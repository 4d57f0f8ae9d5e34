package discord

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// payloadsOf returns a message as a callback makes and as it edits.
func payloadsOf(t testing.TB, msg Message) (create, edit map[string]any) {
	t.Helper()
	for raw, into := range map[*json.RawMessage]*map[string]any{ptr(msg.Create()): &create, ptr(msg.Edit()): &edit} {
		if err := json.Unmarshal(*raw, into); err != nil {
			t.Fatal(err)
		}
	}
	return create, edit
}

func ptr[T any](v T) *T { return &v }

func TestPayloads(t *testing.T) {
	plain := Message{Content: "hello", People: []string{"101"}, Calls: []string{"101"}}
	board := Message{V2: true, Components: []Component{TextDisplay("hello")}, People: []string{"101"}, Calls: []string{"101"}, Quiet: true}
	hidden := board
	hidden.Calls = nil
	hidden.Ephemeral = true
	mentions := map[string]any{"parse": []any{}, "users": []any{"101"}}
	parts := []any{map[string]any{"type": 10.0, "content": "hello"}}
	for name, test := range map[string]struct {
		msg          Message
		create, edit map[string]any
	}{
		"plain": {
			plain,
			map[string]any{"content": "hello", "components": []any{}, "allowed_mentions": mentions},
			map[string]any{"content": "hello", "components": []any{}, "allowed_mentions": mentions},
		},
		"board": {
			board,
			map[string]any{"components": parts, "allowed_mentions": mentions, "flags": float64(1<<15 | 1<<12)},
			map[string]any{"components": parts, "allowed_mentions": mentions, "flags": float64(1 << 15), "content": nil, "embeds": []any{}},
		},
		"private board": {
			hidden,
			map[string]any{"components": parts, "allowed_mentions": mentions, "flags": float64(1<<15 | 1<<6)},
			map[string]any{"components": parts, "allowed_mentions": mentions, "flags": float64(1 << 15), "content": nil, "embeds": []any{}},
		},
		"caused by somebody": {
			Message{Content: "hello", People: []string{"102", "101"}, Calls: []string{"102", "101"}}.By("102"),
			map[string]any{"content": "hello", "components": []any{}, "allowed_mentions": mentions},
			map[string]any{"content": "hello", "components": []any{}, "allowed_mentions": map[string]any{"parse": []any{}, "users": []any{"102", "101"}}},
		},
		"private": {
			Message{Content: "psst", Ephemeral: true},
			map[string]any{"content": "psst", "components": []any{}, "allowed_mentions": map[string]any{"parse": []any{}}, "flags": float64(1 << 6)},
			map[string]any{"content": "psst", "components": []any{}, "allowed_mentions": map[string]any{"parse": []any{}}},
		},
	} {
		create, edit := payloadsOf(t, test.msg)
		if d := cmp.Diff(test.create, create); d != "" {
			t.Errorf("%s, created (-want +got):\n%s", name, d)
		}
		if d := cmp.Diff(test.edit, edit); d != "" {
			t.Errorf("%s, edited (-want +got):\n%s", name, d)
		}
	}
}

// TestUnlisted: one of whom the text names is left out if the creation does not call them, nobody
// knows them, and Discord does.
func TestUnlisted(t *testing.T) {
	const nobody = "9223372036854775808"
	for name, c := range map[string]struct {
		msg   Message
		known []string
		want  bool
	}{
		"names nobody":         {Message{}, nil, false},
		"calls all":            {Message{People: []string{"101", "102"}, Calls: []string{"102", "101"}}, nil, false},
		"calls one of two":     {Message{People: []string{"101", "102"}, Calls: []string{"101"}}, nil, true},
		"the other is known":   {Message{People: []string{"101", "102"}, Calls: []string{"101"}}, []string{"103", "102"}, false},
		"both are known":       {Message{People: []string{"101", "102"}}, []string{"102", "101"}, false},
		"one of two is known":  {Message{People: []string{"101", "102"}}, []string{"103", "101"}, true},
		"one is nobody":        {Message{People: []string{nobody, "102"}}, []string{"102"}, false},
		"in a private message": {Message{People: []string{"101"}, Ephemeral: true}, nil, false},
	} {
		if got := c.msg.Unlisted(c.known...); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
