package discord

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	json2 "github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/discord/discordtest"
)

// arrival is when the interactions of the tests were received.
var arrival = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// decode returns an interaction, if anybody can be answered, and what is wrong with
// it.
func decode(raw []byte, received time.Time) (*Interaction, error) {
	in, err := DecodeInteraction(raw, received)
	if err == nil {
		err = in.Malformed
	}
	return in, err
}

func decoded(t testing.TB, raw string) *Interaction {
	t.Helper()
	in, err := decode(json.RawMessage(raw), arrival)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// sameInteraction compares all fields; raw values by their text.
func sameInteraction(t *testing.T, got, want *Interaction) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestDecodeSlashCommand(t *testing.T) {
	in := decoded(t, discordtest.SlashPayload)
	sameInteraction(t, in, &Interaction{
		ID: "1100000000000000001", Token: "token-of-slash", Application: "900", Kind: KindCommand,
		Guild: "201", Channel: "301", User: "101", Permissions: PermissionManageMessages, Locale: "fr", GuildLocale: "de",
		App: 443392, TextChannel: true, Installed: true,
		Command: "challenge", Root: "tictactoe",
		Options: map[string]json.RawMessage{"user": json.RawMessage(`"102"`), "board": json.RawMessage(`"4x5-4"`)},
		Users:   map[string]ResolvedUser{"102": {}}, Members: map[string]ResolvedMember{"102": {Permissions: "1024"}},
		Received: arrival,
	})
	if user, ok := in.Text("user"); user != "102" || !ok {
		t.Errorf("option user: got %q, %v, want 102", user, ok)
	}
	if !in.May(PermissionManageMessages) || in.May(PermissionViewChannel) {
		t.Errorf("permissions %d: want manage messages alone", in.Permissions)
	}
}

func TestDecodeMenuCommand(t *testing.T) {
	sameInteraction(t, decoded(t, discordtest.MenuPayload), &Interaction{
		ID: "1100000000000000002", Token: "token-of-menu", Application: "900", Kind: KindCommand,
		Guild: "201", Channel: "301", User: "101", Locale: "en-GB", GuildLocale: "en-US",
		Command: "Challenge to tic-tac-toe", Target: "104", Options: map[string]json.RawMessage{},
		Users: map[string]ResolvedUser{"104": {Bot: true}}, Members: map[string]ResolvedMember{"104": {Permissions: "1024"}},
		Received: arrival,
	})
}

func TestDecodeButton(t *testing.T) {
	in := decoded(t, discordtest.ButtonPayload)
	sameInteraction(t, in, &Interaction{
		ID: "1100000000000000003", Token: "token-of-button", Application: "900", Kind: KindComponent,
		Guild: "201", Channel: "301", User: "101", Permissions: PermissionViewChannel, Locale: "ja", GuildLocale: "en-US",
		Options: map[string]json.RawMessage{}, CustomID: "1:c:7:0:4",
		Message: clickedMessage{ID: "401", Flags: flagEphemeral}, Received: arrival,
	})
	if !in.Message.Ephemeral() {
		t.Error("the message is not seen to be ephemeral")
	}
}

func TestDecodeSelect(t *testing.T) {
	raw := strings.Replace(discordtest.ButtonPayload, `"component_type": 2,`, `"component_type": 3, "values": ["7"],`, 1)
	if in := decoded(t, raw); len(in.Values) != 1 || in.Values[0] != "7" {
		t.Errorf("got the values %q, want 7", in.Values)
	}
}

func TestDecodeDirectMessage(t *testing.T) {
	in := decoded(t, discordtest.DirectPayload)
	sameInteraction(t, in, &Interaction{
		ID: "1100000000000000004", Token: "token-of-direct", Application: "900", Kind: KindCommand,
		Channel: "302", User: "102", Locale: "en-US", Command: "play", Root: "tictactoe",
		Options:  map[string]json.RawMessage{"difficulty": json.RawMessage(`"hard"`), "private": json.RawMessage(`true`)},
		Received: arrival,
	})
	if v, ok := in.Flag("private"); !ok || !v {
		t.Error("option private is not read")
	}
}

func TestDecodeCommandNames(t *testing.T) {
	for name, test := range map[string]struct{ data, want string }{
		"no options member":    {`{"name": "tictactoe", "type": 1}`, ""},
		"no options":           {`{"name": "tictactoe", "type": 1, "options": []}`, ""},
		"subcommand":           {`{"name": "tictactoe", "type": 1, "options": [{"name": "help", "type": 1}]}`, "help"},
		"two subcommands":      {`{"name": "tictactoe", "type": 1, "options": [{"name": "help", "type": 1}, {"name": "play", "type": 1}]}`, ""},
		"group":                {`{"name": "tictactoe", "type": 1, "options": [{"name": "play", "type": 2, "options": [{"name": "help", "type": 1}]}]}`, ""},
		"option at the top":    {`{"name": "tictactoe", "type": 1, "options": [{"name": "play", "type": 3, "value": "x"}]}`, ""},
		"menu entry":           {`{"name": "Challenge to tic-tac-toe", "type": 2}`, "Challenge to tic-tac-toe"},
		"message menu entry":   {`{"name": "Report", "type": 3}`, "Report"},
		"no name":              {`{"type": 1}`, ""},
		"subcommand of no one": {`{"type": 1, "options": [{"type": 1}]}`, ""},
	} {
		raw := fmt.Sprintf(`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "user": {"id": "4"}, "data": %s}`, test.data)
		if got := decoded(t, raw).Command; got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// What could be read at all can be answered; the rest cannot.
func TestDecodeRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		raw        string
		answerable bool
	}{
		"nothing":            {``, false},
		"null":               {`null`, false},
		"no object":          {`[1]`, false},
		"cut off":            {`{"id": "1", "token": "t"`, false},
		"no id":              {`{"token": "t", "type": 2, "channel_id": "3", "user": {"id": "4"}, "data": {}}`, false},
		"empty token":        {`{"id": "1", "token": "", "type": 2}`, false},
		"numeric id":         {`{"id": 1, "token": "t", "type": 2}`, false},
		"type of text":       {`{"id": "1", "token": "t", "type": "x"}`, true},
		"no user":            {`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "data": {}}`, true},
		"no channel":         {`{"id": "1", "token": "t", "type": 2, "user": {"id": "4"}, "data": {}}`, true},
		"no data":            {`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "user": {"id": "4"}}`, true},
		"data of text":       {`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "user": {"id": "4"}, "data": "x"}`, true},
		"options of text":    {`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "user": {"id": "4"}, "data": {"options": "x"}}`, true},
		"member of text":     {`{"id": "1", "token": "t", "type": 2, "channel_id": "3", "member": "x", "data": {}}`, true},
		"message is a list":  {`{"id": "1", "token": "t", "type": 3, "channel_id": "3", "user": {"id": "4"}, "message": [], "data": {}}`, true},
		"permissions number": {`{"id": "1", "token": "t", "type": 3, "channel_id": "3", "member": {"user": {"id": "4"}, "permissions": 8}, "data": {}}`, true},
	} {
		in, err := decode(json.RawMessage(test.raw), arrival)
		if !errors.Is(err, errInteraction) {
			t.Errorf("%s: got error %v, want errInteraction", name, err)
		}
		if answerable := in != nil && in.ID == "1" && in.Token == "t"; answerable != test.answerable {
			t.Errorf("%s: can be answered: %v, want %v", name, answerable, test.answerable)
		}
		if in != nil && in.Locale == "" {
			t.Errorf("%s: no language to answer in", name)
		}
	}
}

// Errors go to the log, and what came from outside does not go with them.
func TestDecodeErrorsQuoteNothing(t *testing.T) {
	// Go's own errors repeat numbers that do not fit.
	secret := regexp.MustCompile(`hush|31415926`)
	for _, raw := range []string{
		`{"id": "1", "token": "hush-hush", "type": 2, "channel_id": {"hush-hush": 1}}`,
		`{"id": "1", "token": "hush-hush", "type": 3, "channel_id": "3", "user": {"id": "4"}, "data": {"custom_id": ["hush-hush"]}}`,
		`{"id": "1", "token": "hush-hush", "type": 3, "channel_id": "3", "user": {"id": "4"}, "data": {"resolved": {"users": {"hush-hush": 5}}}}`,
		`{"id": "1", "token": "hush-hush", "type": 2, "user": {"id": "hush-hush"}}`,
		`{"id": "1", "token": "hush-hush", "type": 3, "message": {"flags": 31415926.5}}`,
		`{"id": "1", "token": "hush-hush", "type": 3, "channel_id": "3", "user": {"id": "4"}, "data": {"type": 31415926.5}}`,
		`{"id": 31415926, "token": "hush-hush"}`,
		`{"id": "hush-hush"}`,
		`{"token": hush-hush}`,
	} {
		if _, err := decode(json.RawMessage(raw), arrival); err == nil || secret.MatchString(err.Error()) {
			t.Errorf("%s: got %v, want an error without the secret", raw, err)
		}
	}
}

// useInteraction reads everything that can be read of an interaction.
func useInteraction(in *Interaction) {
	for _, option := range []string{"user", "board", "difficulty", "first", "private"} {
		in.Text(option)
		in.Flag(option)
	}
	in.May(PermissionManageMessages)
	for _, m := range in.Members {
		MemberMay(m, PermissionViewChannel)
	}
}

func checkDecoded(t *testing.T, what string, in *Interaction, err error) {
	t.Helper()
	switch {
	case err != nil && !errors.Is(err, errInteraction):
		t.Errorf("%s: got error %v, want errInteraction", what, err)
	case err == nil && (in == nil || in.User == "" || in.Channel == "" || in.ID == "" || in.Token == "" || in.Locale == ""):
		t.Errorf("%s: accepted, and yet something is missing: %+v", what, in)
	case in != nil && in.Kind != KindPing && (in.ID == "" || in.Token == ""):
		t.Errorf("%s: cannot be answered: %+v", what, in)
	}
	if in != nil {
		useInteraction(in)
	}
}

func TestDecodeDamagedPayloads(t *testing.T) {
	for name, payload := range discordtest.Payloads {
		t.Run(name, func(t *testing.T) {
			n := 0
			discordtest.EachDamage(t, payload, func(what string, damaged []byte) {
				n++
				in, err := decode(damaged, arrival)
				checkDecoded(t, what, in, err)
			})
			if n < 200 {
				t.Errorf("only %d payloads were tried", n)
			}
		})
	}
}

// A damaged member that nobody needs costs nothing.
func TestDecodeIgnoresWhatItDoesNotRead(t *testing.T) {
	for _, damage := range []struct{ from, to string }{
		{`"last_message_id": null`, `"last_message_id": {"x": 1}`},
		{`"entitlements": []`, `"entitlements": "x"`},
		{`"context": 0`, `"context": null`},
		{`"global_name": "Ada"`, `"global_name": {"x": 1}`},
		{`"attachment_size_limit": 10485760`, `"attachment_size_limit": "many"`},
		{`"roles": ["205"]`, `"roles": 5`},
		{`"version": 1`, `"version": "next", "novelty": {"type": 99}`},
	} {
		raw := strings.Replace(discordtest.SlashPayload, damage.from, damage.to, 1)
		if raw == discordtest.SlashPayload {
			t.Fatalf("%s is not in the payload", damage.from)
		}
		sameInteraction(t, decoded(t, raw), decoded(t, discordtest.SlashPayload))
	}
}

// What is said of the channel and of the application there may be missing or damaged:
// then no thread can be begun.
func TestDecodeWhere(t *testing.T) {
	in := decoded(t, discordtest.SlashPayload)
	if !in.TextChannel || in.Parent != "" || in.AppMay(BeginThreads) {
		t.Errorf("a text channel %v, a thread of %q, threads %v", in.TextChannel, in.Parent, in.AppMay(BeginThreads))
	}
	const channel, app = `"channel": {"id": "301", "type": 0,`, `"app_permissions": "443392"`
	for to, want := range map[string]Interaction{
		`"channel": {"id": "301", "type": 11, "parent_id": "300",`: {Parent: "300"},
		`"channel": {"id": "301", "type": 2, "parent_id": "300",`:  {},
		`"channel": {"id": "301", "type": "0",`:                    {},
		`"channel": {"id": "301",`:                                 {},
		`"other": {"id": "301", "type": 0,`:                        {},
	} {
		in := decoded(t, strings.Replace(discordtest.SlashPayload, channel, to, 1))
		if in.TextChannel != want.TextChannel || in.Parent != want.Parent {
			t.Errorf("%s: a text channel %v, a thread of %q", to, in.TextChannel, in.Parent)
		}
	}
	for to, want := range map[string]bool{
		`"app_permissions": "309237646336"`: true, `"app_permissions": "8"`: true, `"app_permissions": "34359739392"`: false,
		`"app_permissions": 309237646336`: false, `"app_permissions": "x"`: false,
	} {
		if got := decoded(t, strings.Replace(discordtest.SlashPayload, app, to, 1)).AppMay(BeginThreads); got != want {
			t.Errorf("%s: may begin threads: %v", to, got)
		}
	}
}

func TestPermissions(t *testing.T) {
	for _, test := range []struct {
		permissions string
		manage, see bool
	}{
		{"0", false, false},
		{"8192", true, false},
		{"1024", false, true},
		{"9216", true, true},
		{"8", true, true}, // administrators may everything
		{"2251799813685248", false, false},
		{"18446744073709551615", true, true},
	} {
		raw := strings.Replace(discordtest.ButtonPayload, `"permissions": "1024"`, `"permissions": "`+test.permissions+`"`, 1)
		in := decoded(t, raw)
		if got := in.May(PermissionManageMessages); got != test.manage {
			t.Errorf("%s: may manage messages: %v, want %v", test.permissions, got, test.manage)
		}
		if got := MemberMay(ResolvedMember{Permissions: test.permissions}, PermissionViewChannel); got != test.see {
			t.Errorf("%s: may see the Channel: %v, want %v", test.permissions, got, test.see)
		}
	}
	for _, unreadable := range []string{"", "x", "-1", "1e3", "0x8", " 8", "99999999999999999999999"} {
		if !MemberMay(ResolvedMember{Permissions: unreadable}, PermissionViewChannel) {
			t.Errorf("%q speaks against a member", unreadable)
		}
		raw := strings.Replace(discordtest.ButtonPayload, `"permissions": "1024"`, `"permissions": "`+unreadable+`"`, 1)
		if decoded(t, raw).May(PermissionManageMessages) {
			t.Errorf("%q lets a member manage messages", unreadable)
		}
	}
}

func TestOptionsOfWrongTypes(t *testing.T) {
	in := &Interaction{Options: map[string]json.RawMessage{
		"number": json.RawMessage(`5`), "text": json.RawMessage(`"true"`), "true": json.RawMessage(`true`),
		"null": json.RawMessage(`null`), "none": nil, "list": json.RawMessage(`["x"]`),
	}}
	for name, want := range map[string]struct {
		text    string
		isText  bool
		flagged bool
		isFlag  bool
	}{
		"number": {}, "none": {isFlag: true}, "list": {}, "absent": {isFlag: true},
		"text": {"true", true, false, false}, "true": {"", false, true, true},
	} {
		text, isText := in.Text(name)
		flagged, isFlag := in.Flag(name)
		if text != want.text || isText != want.isText || flagged != want.flagged || isFlag != want.isFlag {
			t.Errorf("%s: text %q %v, flag %v %v, want %q %v, %v %v", name, text, isText, flagged, isFlag, want.text, want.isText, want.flagged, want.isFlag)
		}
	}
}

func FuzzDecodeInteraction(f *testing.F) {
	for _, payload := range discordtest.Payloads {
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(payload)); err != nil {
			f.Fatal(err)
		}
		f.Add(compact.Bytes())
	}
	f.Add([]byte(`{"id":"1","token":"t","type":3,"channel_id":"3","user":{"id":"4"},"data":{"custom_id":"1:o"}}`))
	f.Add([]byte(`{"id":"1","token":"t"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		in, err := decode(raw, time.Time{})
		checkDecoded(t, "fuzzed", in, err)
	})
}

// What the fast way of decoding accepts, the other one accepts too, and reads the
// same.
func TestUnmarshalWays(t *testing.T) {
	accepted := 0
	check := func(what string, raw []byte) {
		var fast, slow wireInteraction
		if json2.Unmarshal(raw, &fast, likeFirst) != nil {
			return
		}
		accepted++
		if err := json.Unmarshal(raw, &slow); err != nil {
			t.Errorf("%s: only the fast way accepts %s: %v", what, raw, err)
		} else if diff := cmp.Diff(slow, fast); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	for name, payload := range discordtest.Payloads {
		check(name, []byte(payload))
		discordtest.EachDamage(t, payload, func(what string, damaged []byte) { check(name+": "+what, damaged) })
	}
	check("twice", []byte(`{"id": "1", "id": "2", "member": {"permissions": "1"}, "member": {"user": {"id": "3"}}}`))
	check("bad UTF-8", []byte("{\"id\": \"\xff\", \"token\": \"\\ud800\"}"))
	check("null", []byte(`{"id": null, "data": null, "message": null, "member": null, "type": null}`))
	if accepted < 1000 {
		t.Errorf("the fast way accepts only %d payloads", accepted)
	}
}

// BenchmarkDecodeInteraction reads a click on a board, which the click carries along.
func BenchmarkDecodeInteraction(b *testing.B) {
	var rows []Component
	for range 5 {
		cell := Button(StyleSecondary, "X", "1:c:3w5e11264sg0:12:24")
		rows = append(rows, Row(cell, cell, cell, cell, cell))
	}
	board := MustJSON([]Component{Container(0xffffff, rows...)})
	raw := []byte(strings.Replace(discordtest.ButtonPayload, `"message": {`, `"message": {"components": `+string(board)+`,`, 1))
	if len(raw) < len(board)+len(discordtest.ButtonPayload) {
		b.Fatal("the click has no message")
	}
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if in, err := DecodeInteraction(raw, arrival); err != nil || in.Malformed != nil {
			b.Fatal(err, in)
		}
	}
}

func TestDecodeClickedMessage(t *testing.T) {
	edited := time.Date(2026, 3, 4, 5, 6, 7, 123e6, time.UTC)
	for name, c := range map[string]struct {
		message string
		want    clickedMessage
	}{
		"a board":      {`{"id":"5","flags":32768,"edited_timestamp":"2026-03-04T05:06:07.123000+00:00","components":[{"type":17,"id":1048579,"components":[{"id":2}]},{"type":1,"id":3}]}`, clickedMessage{ID: "5", Flags: 32768, Edited: edited, Marker: 1048579}},
		"never edited": {`{"id":"5","flags":0,"edited_timestamp":null,"components":[]}`, clickedMessage{ID: "5"}},
		"the least":    {`{"id":"5"}`, clickedMessage{ID: "5"}},
		"an odd time":  {`{"id":"5","edited_timestamp":"soon","components":null}`, clickedMessage{ID: "5"}},
	} {
		in := decoded(t, `{"id":"1","token":"t","type":3,"channel_id":"3","user":{"id":"4"},"data":{"custom_id":"x"},"message":`+c.message+`}`)
		if got := in.Message; got.ID != c.want.ID || got.Flags != c.want.Flags || got.Marker != c.want.Marker || !got.Edited.Equal(c.want.Edited) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

// TestKnown: who clicks is known to all who see the answer; those whom the clicked message
// lists are while every client has that loaded.
func TestKnown(t *testing.T) {
	for name, c := range map[string]struct {
		flags int
		age   time.Duration
		want  []string
	}{
		"a board":           {0, time.Minute, []string{"101", "102", "103"}},
		"an hour old":       {0, time.Hour, []string{"101", "102", "103"}},
		"older":             {0, time.Hour + time.Millisecond, []string{"101"}},
		"a private message": {flagEphemeral, time.Minute, []string{"101"}},
	} {
		in := decoded(t, fmt.Sprintf(`{"id":%q,"token":"t","type":3,"channel_id":"3","user":{"id":"101"},"data":{"custom_id":"x"},
			"message":{"id":%q,"flags":%d,"mentions":[{"id":"102"},{"id":"103"}]}}`, discordtest.MadeAt(arrival), discordtest.MadeAt(arrival.Add(-c.age)), c.flags))
		if d := cmp.Diff(c.want, in.Known()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
