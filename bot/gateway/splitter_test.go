package gateway

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
)

// envelope is what encoding/json makes of a packet.
type envelope struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  int             `json:"s"`
	Type string          `json:"t"`
}

// agree compares what the splitter finds with what encoding/json does.
func agree(t *testing.T, raw []byte) {
	t.Helper()
	var want envelope
	wantErr := json.Unmarshal(raw, &want)
	got, err := split(raw)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%q: got %v, encoding/json says %v", raw, err, wantErr)
	}
	if err != nil {
		return
	}
	if got.Op != want.Op || got.Event != want.Type || got.Seq != want.Seq || !bytes.Equal(got.Data.json, want.Data) {
		t.Fatalf("%q: got %+v, encoding/json finds %+v", raw, got, want)
	}
	if got.Data.json != nil {
		agreeOnUsable(t, got)
	}
}

// agreeOnUsable looks for the named members, and no others, in the part for the session.
func agreeOnUsable(t *testing.T, p packet) {
	t.Helper()
	var got any
	if err := json.Unmarshal(p.Data.usable, &got); err != nil {
		t.Fatalf("usable part %q of %q: %v", p.Data.usable, p.Data.json, err)
	}
	want := pick(p.Data.json, "")
	if _, ok := want.(map[string]any); !ok {
		want = map[string]any{} // data of another kind has no members
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("usable part of %q: got %s, want %v", p.Data.json, p.Data.usable, want)
	}
}

// pick does by encoding/json what gather does.
func pick(raw json.RawMessage, of string) (picked any) {
	var members map[string]json.RawMessage
	names := usable[of]
	if names == nil || json.Unmarshal(raw, &members) != nil || members == nil {
		_ = json.Unmarshal(raw, &picked) // it is valid
		return picked
	}
	object := map[string]any{}
	for _, name := range names {
		if v, ok := members[name]; ok {
			object[name] = pick(v, name)
		}
	}
	return object
}

var oddPackets = []string{
	`null`, ` null `, `{}`, `[]`, `7`, `"x"`, ``, ` `, `nul`, `{`, `{"op"`, `{"op":`, `{"op":1`, `{"op":1,}`, `{"op":1}}`, `{"op":1} {}`, `{,}`,
	`{"op":null}`, `{"op":0}`, `{"op":"0"}`, `{"op":1.0}`, `{"op":1e0}`, `{"op":-0}`, `{"op":-1}`, `{"op":01}`, `{"op":9223372036854775807}`, `{"op":9223372036854775808}`,
	`{"op":true}`, `{"op":[]}`, `{"s":null}`, `{"s":7}`, `{"s":7,"s":null}`, `{"s":"x"}`, `{"s":-5}`, `{"op":1,"op":2}`, `{"op":1,"op":null}`, `{"t":"A","t":null}`,
	`{"OP":7,"S":3,"T":"x","D":[]}`, `{"ſ":3}`, `{"\u006fp":4}`, `{"o\u0050":4}`, `{"t":null}`, `{"t":7}`, `{"t":{}}`, `{"t":"a\u0000\"\\\ud800\ud83d\ude00"}`, "{\"t\":\"\xff\xed\xa0\x80\"}", "{\"\xff\":1,\"op\":2}",
	`{"d":null}`, `{"d": 7 }`, `{"d":"x"}`, `{"d":[1,{"id":2}]}`, `{"d":{"id":1,"id":2}}`, `{"d":{"\u0069d":3}}`, `{"d":{},"d":{"id":9}}`, `{"d":{"id":9},"d":null}`,
	`{"d":{"message":{"id":1},"token":"t"}}`, `{"d":{"data":{"custom_id":"x","resolved":{"users":{}}},"id":4}}`, `{"d":{"data":null}}`, `{"d":{"data":[1]}}`, `{"d":{"data":{"data":{}}}}`,
	`{"d":{"data":{"id":1},"data":{"name":2}}}`, `{"d":{"member":{"user":{"id":"5","banner":null},"user":{"bot":true},"avatar":1},"user":{"user":{"id":1}}}}`, `{"d":{"data":{"user":{"id":1}}}}`, "\ufeff{}", `{"d":{"id":1 , "type" : 2}}`, `{"op":0,"t":"INTERACTION_CREATE","s":6,"d":{"id":"\ud800"}}`, "{\"d\":{\"id\":\"\xff\"}}",
	`{"op" : 10, "d" : {"heartbeat_interval":41250}}`, "{\"a\":\"\x01\"}", "{\"a\":\"\t\"}", `{"a":"\q"}`, `{"a":.5}`, `{"a":1.}`, `{"a":tru}`, `{"a" 1}`, `{a:1}`, `{"a":1 "b":2}`,
}

// Whatever comes, the same is taken for a packet as by encoding/json, and the same
// is found in it.
func TestSplitterAgreesWithEncodingJSON(t *testing.T) {
	for _, raw := range oddPackets {
		agree(t, []byte(raw))
	}
	click := recorded(t)
	agree(t, click)
	for n := range click { // cut anywhere
		agree(t, click[:n])
	}
	for _, depth := range []int{10, 9_998, 9_999, 10_000, 10_001} {
		agree(t, []byte(`{"d":`+strings.Repeat("[", depth)+strings.Repeat("]", depth)+`}`))
		agree(t, []byte(`{"d":{"message":`+strings.Repeat("[", depth)+strings.Repeat("]", depth)+`}}`))
	}
}

func FuzzSplitter(f *testing.F) {
	for _, raw := range oddPackets {
		f.Add([]byte(raw))
	}
	f.Add(recorded(f))
	f.Fuzz(func(t *testing.T, raw []byte) { agree(t, raw) })
}

// recorded is a click on a board of three by three, as the local Discord sends it.
func recorded(tb testing.TB) []byte {
	tb.Helper()
	raw, err := os.ReadFile("testdata/click.json")
	if err != nil {
		tb.Fatal(err)
	}
	return bytes.TrimSpace(raw)
}

// What the session gets of a click is enough to answer it by the library, and has
// nothing of the board.
func TestUsablePartOfAClick(t *testing.T) {
	p, err := split(recorded(t))
	if err != nil {
		t.Fatal(err)
	}
	var got, want discordgo.InteractionCreate
	for raw, in := range map[*discordgo.InteractionCreate][]byte{&got: p.Data.usable, &want: p.Data.json} {
		if err := json.Unmarshal(in, raw); err != nil {
			t.Fatal(err)
		}
	}
	if want.Message == nil || want.Member == nil || want.MessageComponentData().CustomID == "" || want.Token == "" {
		t.Fatalf("the recorded click is not one: %s", p.Data.json)
	}
	want.Message, want.Entitlements, want.AuthorizingIntegrationOwners, want.AppPermissions = nil, nil, nil, 0
	want.Member.JoinedAt, want.Member.GuildID = got.Member.JoinedAt, got.Member.GuildID
	if got.Member.User.ID == "" || got.Member.Permissions == 0 {
		t.Errorf("who clicked: got %+v", got.Member)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %s\nof %s", p.Data.usable, p.Data.json)
	}
	if len(p.Data.usable) > len(p.Data.json)/3 {
		t.Errorf("the session gets %d bytes of %d", len(p.Data.usable), len(p.Data.json))
	}
}

// BenchmarkSplit compares the splitter with encoding/json on a recorded click.
func BenchmarkSplit(b *testing.B) {
	click := recorded(b)
	b.Run("splitter", func(b *testing.B) {
		b.SetBytes(int64(len(click)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := split(click); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(click)))
		b.ReportAllocs()
		for b.Loop() {
			var e envelope
			if err := json.Unmarshal(click, &e); err != nil {
				b.Fatal(err)
			}
			if _, err := json.Marshal(e); err != nil { // as it was passed on
				b.Fatal(err)
			}
		}
	})
}
