package sandbox_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
)

// failures lists the fields that an answer complains of with Discord's inner
// codes, such as "components.0.components.1.label BASE_TYPE_MAX_LENGTH".
func failures(a answer) []string {
	var e struct {
		Errors map[string]any `json:"errors"`
	}
	_ = json.Unmarshal(a.Body, &e)
	var out []string
	var walk func(string, map[string]any)
	walk = func(path string, node map[string]any) {
		for k, v := range node {
			if k == "_errors" {
				for _, x := range v.([]any) {
					out = append(out, strings.TrimPrefix(path, ".")+" "+x.(map[string]any)["code"].(string))
				}
				continue
			}
			walk(path+"."+k, v.(map[string]any))
		}
	}
	walk("", e.Errors)
	slices.Sort(out)
	return out
}

// unlimited turns the rate limits off.
func unlimited(o *sandbox.Options) {
	o.REST.GlobalLimit, o.REST.BucketLimit, o.REST.OldEdits = -1, 1<<30, -1
}

// TestTextsOfUnions: what people search for when a component stands where its type may not
// (recorded in cordless#2 and discord-net/Discord.Net#3132).
func TestTextsOfUnions(t *testing.T) {
	srv := sandbox.NewServer(t)
	got := request(t, srv, "POST", "/channels/"+srv.Guild().Channel("general").ID()+"/messages", obj{"content": "x", "components": arr{btn("a")}})
	if want := `"components":{"0":{"_errors":[{"code":"UNION_TYPE_CHOICES","message":"Value of field \"type\" must be one of (1,)."}]}}`; !strings.Contains(string(got.Body), want) {
		t.Errorf("got %s", got.Body)
	}
}

func buttons(prefix string, n int) arr {
	var out arr
	for i := range n {
		out = append(out, btn(fmt.Sprint(prefix, i)))
	}
	return out
}

func rowsOf(n int) arr {
	var out arr
	for i := range n {
		out = append(out, row(buttons(fmt.Sprint("r", i, "c"), 5)...))
	}
	return out
}

func texts(n, length int) arr {
	var out arr
	for range n {
		out = append(out, obj{"type": 10, "content": strings.Repeat("a", length)})
	}
	return out
}

func choose(options arr, more ...obj) obj {
	s := obj{"type": 3, "custom_id": "s", "options": options}
	for _, m := range more {
		for k, v := range m {
			s[k] = v
		}
	}
	return obj{"components": arr{row(s)}, "content": "x"}
}

func options(n int) arr {
	out := arr{}
	for i := range n {
		out = append(out, obj{"label": "l", "value": fmt.Sprint(i)})
	}
	return out
}

func long(n int) string { return strings.Repeat("é", n) }

// TestMessageLimits sends each limit's last accepted message and the first
// refused one.
func TestMessageLimits(t *testing.T) {
	one := func(b obj) obj { return obj{"content": "x", "components": arr{row(b)}} }
	text := func(s string) obj { return obj{"type": 10, "content": s} }
	embed := func(e obj) obj { return obj{"embeds": arr{e}} }
	fields := func(n int, name, value string) obj {
		return embed(obj{"fields": slices.Repeat(arr{obj{"name": name, "value": value}}, n)})
	}
	pictured := func(description string) obj {
		return obj{"media": obj{"url": "https://example.org/a.png"}, "description": description}
	}
	thumbnail := func(description string) obj {
		accessory := pictured(description)
		accessory["type"] = 11
		return obj{"type": 9, "components": texts(1, 1), "accessory": accessory}
	}
	mention := func(m obj) obj { return obj{"content": "x", "allowed_mentions": m} }
	ids := func(n int) arr {
		var out arr
		for i := range n {
			out = append(out, fmt.Sprint(1000+i))
		}
		return out
	}
	chosen := func(n int) arr {
		all := options(n)
		for _, o := range all {
			o.(obj)["default"] = true
		}
		return all
	}
	// people is a select of that many people, of whom at least one or two may be chosen.
	people := func(n, most int) obj {
		list := arr{}
		for i := range n {
			list = append(list, obj{"id": fmt.Sprint(1000 + i), "type": "user"})
		}
		return one(obj{"type": 5, "custom_id": "s", "min_values": min(most, 2), "max_values": most, "default_values": list})
	}
	const width, length, maxLength, required = "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_MAX_LENGTH", "BASE_TYPE_REQUIRED"
	const legacy = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
	for _, c := range []struct {
		name      string
		good, bad obj
		want      string // what the bad one is refused for; empty for an error without fields
		code      int
	}{
		{"content", obj{"content": long(2000)}, obj{"content": long(2001)}, "content " + maxLength, 50035},
		{"content type", obj{"content": "1"}, obj{"content": 1}, "content STRING_TYPE_CONVERT", 50035},
		{"empty message", obj{"content": "x"}, obj{"content": " \n", "components": nil, "embeds": nil}, "", 50006},
		{"nonce of a kind", obj{"content": "x", "nonce": 12}, obj{"content": "x", "nonce": true}, "nonce UNION_TYPE_CHOICES", 50035},
		{"reply to nothing", obj{"content": "x", "message_reference": nil}, obj{"content": "x", "message_reference": obj{}}, "message_reference.message_id " + required, 50035},
		{"flags type", obj{"content": "x", "flags": 4096}, obj{"content": "x", "flags": "4096"}, "flags NUMBER_TYPE_COERCE", 50035},
		{"embeds", obj{"embeds": slices.Repeat(arr{obj{"title": "x"}}, 10)}, obj{"embeds": slices.Repeat(arr{obj{"title": "x"}}, 11)}, "embeds " + maxLength, 50035},
		{"embed title", embed(obj{"title": long(256)}), embed(obj{"title": long(257)}), "embeds.0.title " + maxLength, 50035},
		{"embed description", embed(obj{"description": long(4096)}), embed(obj{"description": long(4097)}), "embeds.0.description " + maxLength, 50035},
		{"embed fields", fields(25, "n", "v"), fields(26, "n", "v"), "embeds.0.fields " + maxLength, 50035},
		{"embed field name", fields(1, long(256), "v"), fields(1, long(257), "v"), "embeds.0.fields.0.name " + length, 50035},
		{"embed field value", fields(1, "n", long(1024)), fields(1, "n", long(1025)), "embeds.0.fields.0.value " + length, 50035},
		{"empty embed field", fields(1, "n", "v"), fields(1, "", "v"), "embeds.0.fields.0.name " + length, 50035},
		{"embed footer", embed(obj{"footer": obj{"text": long(2048)}}), embed(obj{"footer": obj{"text": long(2049)}}), "embeds.0.footer.text " + length, 50035},
		{"embed author", embed(obj{"author": obj{"name": long(256)}}), embed(obj{"author": obj{"name": long(257)}}), "embeds.0.author.name " + length, 50035},
		{
			"embed text in sum",
			obj{"embeds": arr{obj{"description": long(3000)}, obj{"description": long(3000)}}},
			obj{"embeds": arr{obj{"description": long(3000)}, obj{"description": long(3001)}}},
			"embeds MAX_EMBED_SIZE_EXCEEDED", 50035,
		},

		{"rows", obj{"content": "x", "components": rowsOf(5)}, obj{"content": "x", "components": rowsOf(6)}, "components " + maxLength, 50035},
		{"buttons in a row", one(btn("a")), obj{"content": "x", "components": arr{row(buttons("b", 6)...)}}, "components.0.components.5 " + width, 50035},
		{"empty row", one(btn("a")), obj{"content": "x", "components": arr{row()}}, "components.0.components " + length, 50035},
		{"row without components", one(btn("a")), obj{"content": "x", "components": arr{obj{"type": 1}}}, "components.0.components " + required, 50035},
		{"select beside a button", choose(options(1)), obj{"content": "x", "components": arr{row(btn("a"), obj{"type": 3, "custom_id": "s", "options": options(1)})}}, "components.0.components.1 " + width, 50035},
		{"button at top level", one(btn("a")), obj{"content": "x", "components": arr{btn("a")}}, "components.0 UNION_TYPE_CHOICES", 50035},
		{"row in a row", one(btn("a")), obj{"content": "x", "components": arr{row(row(btn("a")))}}, "components.0.components.0 UNION_TYPE_CHOICES", 50035},
		{"text input in a message", one(btn("a")), one(obj{"type": 4, "custom_id": "t", "style": 1, "label": "x"}), "components.0.components.0 UNION_TYPE_CHOICES", 50035},
		{"component that is text", one(btn("a")), obj{"content": "x", "components": arr{"x"}}, "components.0 MODEL_TYPE_CONVERT", 50035},
		{"component of no type", one(btn("a")), one(obj{"custom_id": "a"}), "components.0.components.0.type " + required, 50035},
		{"unknown component", one(btn("a")), one(obj{"type": 99}), "components.0.components.0 UNION_TYPE_CHOICES", 50035},
		{"v2 component without the flag", v2(text("x")), obj{"content": "x", "components": arr{text("x")}}, "components.0 UNION_TYPE_CHOICES", 50035},

		{"custom id", one(btn(long(100))), one(btn(long(101))), "components.0.components.0.custom_id " + length, 50035},
		{"empty custom id", one(btn("a")), one(btn("")), "components.0.components.0.custom_id " + length, 50035},
		{"missing custom id", one(btn("a")), one(btn("", obj{"custom_id": nil})), "components.0.components.0.custom_id " + required, 50035},
		{"same custom id twice", obj{"content": "x", "components": arr{row(btn("a"), btn("b"))}}, obj{"content": "x", "components": arr{row(btn("a"), btn("a"))}}, "components.0.components.1.custom_id COMPONENT_CUSTOM_ID_DUPLICATED", 50035},
		{"label", one(btn("a", obj{"label": long(80)})), one(btn("a", obj{"label": long(81)})), "components.0.components.0.label " + maxLength, 50035},
		{"zero-width label, empty label", one(btn("a", obj{"label": "\u200b"})), one(btn("a", obj{"label": ""})), "components.0.components.0.label " + required, 50035},
		{"empty label with emoji, blank label", one(btn("a", obj{"label": "", "emoji": obj{"name": "❌"}})), one(btn("a", obj{"label": "  "})), "components.0.components.0.label " + required, 50035},
		{"emoji", one(btn("a", obj{"emoji": obj{"id": nil, "name": "⭕"}})), one(btn("a", obj{"emoji": obj{}})), "components.0.components.0.emoji.name BUTTON_COMPONENT_INVALID_EMOJI", 50035},
		{"keycap", one(btn("a", obj{"emoji": obj{"name": "1\ufe0f\u20e3"}})), one(btn("a", obj{"emoji": obj{"name": "1"}})), "components.0.components.0.emoji.name BUTTON_COMPONENT_INVALID_EMOJI", 50035},
		{"emoji that is text", one(btn("a", obj{"emoji": obj{"id": "123", "name": "x"}})), one(btn("a", obj{"emoji": obj{"name": "x"}})), "components.0.components.0.emoji.name BUTTON_COMPONENT_INVALID_EMOJI", 50035},
		{"style", one(btn("a", obj{"style": 4})), one(btn("a", obj{"style": 7})), "components.0.components.0.style BASE_TYPE_CHOICES", 50035},
		{"missing style", one(btn("a")), one(btn("a", obj{"style": nil})), "components.0.components.0.style " + required, 50035},
		{"disabled type", one(btn("a", obj{"disabled": true})), one(btn("a", obj{"disabled": "yes"})), "components.0.components.0.disabled BOOLEAN_TYPE_CHOICES", 50035},
		{"link", one(btn("", obj{"style": 5, "custom_id": nil, "url": "https://example.org"})), one(btn("a", obj{"style": 5, "url": "https://example.org"})), "components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_AND_URL_MUTUALLY_EXCLUSIVE", 50035},
		{"link address", one(btn("", obj{"style": 5, "custom_id": nil, "url": "https://e.org/" + strings.Repeat("a", 498)})), one(btn("", obj{"style": 5, "custom_id": nil, "url": "https://e.org/" + strings.Repeat("a", 499)})), "components.0.components.0.url " + length, 50035},
		{"link without address", one(btn("", obj{"style": 5, "custom_id": nil, "url": "discord://a"})), one(btn("", obj{"style": 5, "custom_id": nil})), "components.0.components.0.url " + required, 50035},
		{"link scheme", one(btn("", obj{"style": 5, "custom_id": nil, "url": "https://example.org"})), one(btn("", obj{"style": 5, "custom_id": nil, "url": "javascript:1"})), "components.0.components.0.url URL_TYPE_INVALID_URL", 50035},
		{"component id", one(btn("a", obj{"id": 7})), one(btn("a", obj{"id": -1})), "components.0.components.0.id NUMBER_TYPE_MIN", 50035},
		{"component id twice", obj{"content": "x", "components": arr{row(btn("a", obj{"id": 0}), btn("b", obj{"id": 0}))}}, obj{"content": "x", "components": arr{row(btn("a", obj{"id": 3}), btn("b", obj{"id": 3}))}}, "components.0.components.1.id COMPONENT_ID_DUPLICATED", 50035},

		{"select options", choose(options(25)), choose(options(26)), "components.0.components.0.options " + length, 50035},
		{"select without options", choose(options(1)), choose(options(0)), "components.0.components.0.options " + length, 50035},
		{"select required", choose(options(1), obj{"required": true}), choose(options(1), obj{"required": 0}), "components.0.components.0.required BOOLEAN_TYPE_CHOICES", 50035},
		{"select placeholder", choose(options(1), obj{"placeholder": long(150)}), choose(options(1), obj{"placeholder": long(151)}), "components.0.components.0.placeholder " + maxLength, 50035},
		{"select option label", choose(arr{obj{"label": long(100), "value": "v", "description": ""}}), choose(arr{obj{"label": long(101), "value": "v"}}), "components.0.components.0.options.0.label " + length, 50035},
		{"select option value", choose(arr{obj{"label": "l", "value": long(100)}}), choose(arr{obj{"label": "l", "value": long(101)}}), "components.0.components.0.options.0.value " + length, 50035},
		{"select value twice", choose(options(2)), choose(arr{options(1)[0], options(1)[0]}), "components.0.components.0.options.1.value SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", 50035},
		{"select description", choose(arr{obj{"label": "l", "value": "v", "description": long(100)}}), choose(arr{obj{"label": "l", "value": "v", "description": long(101)}}), "components.0.components.0.options.0.description " + maxLength, 50035},
		{"select max values", choose(options(3), obj{"max_values": 3}), choose(options(3), obj{"max_values": 4}), "components.0.components.0.max_values SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS", 50035},
		{"select min values", choose(options(25), obj{"min_values": 25, "max_values": 25}), choose(options(25), obj{"min_values": 26, "max_values": 25}), "components.0.components.0.min_values NUMBER_TYPE_MAX", 50035},
		{"select min above max", choose(options(3), obj{"min_values": 2, "max_values": 2}), choose(options(3), obj{"min_values": 3, "max_values": 2}), "components.0.components.0.min_values SELECT_COMPONENT_MIN_VALUES_EXCEEDS_MAX", 50035},
		{"select chosen before", choose(chosen(1)), choose(chosen(2)), "components.0.components.0.options SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", 50035},
		{"select people before", people(0, 1), people(2, 1), "components.0.components.0.default_values SELECT_DEFAULT_VALUES_OUT_OF_RANGE", 50035},
		{"select as many people as may", people(2, 2), people(3, 2), "components.0.components.0.default_values SELECT_DEFAULT_VALUES_OUT_OF_RANGE", 50035},
		{"select too few people", people(2, 3), people(1, 3), "components.0.components.0.default_values SELECT_DEFAULT_VALUES_OUT_OF_RANGE", 50035},

		{"forty components", v2(append(rowsOf(5), texts(10, 1)...)...), v2(append(rowsOf(5), texts(11, 1)...)...), "components COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", 50035},
		{"forty components, nested", v2(obj{"type": 17, "components": append(rowsOf(5), texts(9, 1)...)}), v2(obj{"type": 17, "components": append(rowsOf(5), texts(10, 1)...)}), "components COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", 50035},
		{"more than five rows in v2", v2(rowsOf(6)...), v2(append(rowsOf(6), texts(5, 1)...)...), "components COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", 50035},
		{"text display", v2(text(long(4000))), v2(text(long(4001))), "components.0.content " + length, 50035},
		{"empty text display", v2(text("x")), v2(text("")), "components.0.content " + length, 50035},
		{"text in sum", v2(texts(4, 1000)...), v2(texts(5, 801)...), "components COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", 50035},
		{"content with v2", obj{"flags": 32768, "content": "", "embeds": nil, "components": arr{text("x")}}, obj{"flags": 32768, "content": "x", "components": arr{text("x")}}, "content " + legacy, 50035},
		{"embeds with v2", obj{"flags": 32768, "content": nil, "embeds": arr{}, "components": arr{text("x")}}, obj{"flags": 32768, "embeds": arr{obj{"title": "x"}}, "components": arr{text("x")}}, "embeds " + legacy, 50035},
		{"empty v2", v2(text("x")), v2(), "", 50006},
		{"nested container", v2(obj{"type": 17, "components": arr{text("x")}}), v2(obj{"type": 17, "components": arr{obj{"type": 17, "components": arr{text("x")}}}}), "components.0.components.0 UNION_TYPE_CHOICES", 50035},
		{"accent colour", v2(obj{"type": 17, "accent_color": 0xFFFFFF, "components": arr{text("x")}}), v2(obj{"type": 17, "accent_color": 0x1000000, "components": arr{text("x")}}), "components.0.accent_color NUMBER_TYPE_MAX", 50035},
		{"separator spacing", v2(obj{"type": 14, "spacing": 2, "divider": false}), v2(obj{"type": 14, "spacing": 3}), "components.0.spacing BASE_TYPE_CHOICES", 50035},
		{"section texts", v2(obj{"type": 9, "components": texts(3, 1), "accessory": btn("a")}), v2(obj{"type": 9, "components": texts(4, 1), "accessory": btn("a")}), "components.0.components " + length, 50035},
		{"section accessory", v2(obj{"type": 9, "components": texts(1, 1), "accessory": obj{"type": 11, "media": obj{"url": "https://example.org/a.png"}}}), v2(obj{"type": 9, "components": texts(1, 1)}), "components.0.accessory " + required, 50035},
		{"gallery items", v2(obj{"type": 12, "items": slices.Repeat(arr{obj{"media": obj{"url": "https://example.org/a.png"}}}, 10)}), v2(obj{"type": 12, "items": slices.Repeat(arr{obj{"media": obj{"url": "https://example.org/a.png"}}}, 11)}), "components.0.items " + length, 50035},
		{"gallery description", v2(obj{"type": 12, "items": arr{pictured(long(1024))}}), v2(obj{"type": 12, "items": arr{pictured(long(1025))}}), "components.0.items.0.description " + maxLength, 50035},
		{"gallery of nothing", v2(obj{"type": 12, "items": arr{pictured("")}}), v2(obj{"type": 12, "items": arr{obj{}}}), "components.0.items.0.media " + required, 50035},
		{"thumbnail description", v2(thumbnail(long(1024))), v2(thumbnail(long(1025))), "components.0.accessory.description " + maxLength, 50035},
		{"file", v2(text("x")), v2(obj{"type": 13, "file": obj{"url": "https://example.org/a.png"}}), "components.0.file.url URL_TYPE_INVALID_URL", 50035},
		{"file that was not sent", v2(text("x")), v2(obj{"type": 13, "file": obj{"url": "attachment://a.png"}}), "components.0.file.url UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", 50035},

		{"mentions of people and all people", mention(obj{"parse": arr{}, "users": arr{"1"}}), mention(obj{"parse": arr{"users"}, "users": arr{"1"}}), "allowed_mentions.users MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", 50035},
		{"mentioned people", mention(obj{"users": ids(100)}), mention(obj{"users": ids(101)}), "allowed_mentions.users " + maxLength, 50035},
		{"63 bits", mention(obj{"users": arr{"9223372036854775807"}}), mention(obj{"users": arr{"9223372036854775808"}}), "allowed_mentions.users.0 NUMBER_TYPE_COERCE", 50035},
		{"kinds of mentions", mention(obj{"parse": arr{"users", "roles", "everyone"}}), mention(obj{"parse": arr{"here"}}), "allowed_mentions.parse.0 BASE_TYPE_CHOICES", 50035},
		{"null parse, bad id", mention(obj{"parse": nil, "replied_user": false}), mention(obj{"users": arr{"Bob"}}), "allowed_mentions.users.0 NUMBER_TYPE_COERCE", 50035},
		{"nonce", obj{"content": "x", "nonce": long(25)}, obj{"content": "x", "nonce": long(26)}, "nonce " + maxLength, 50035},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := sandbox.NewServer(t, unlimited)
			channel := "/channels/" + srv.Guild().Channel("general").ID() + "/messages"
			want(t, request(t, srv, "POST", channel, c.good), 200, 0)
			got := request(t, srv, "POST", channel, c.bad)
			want(t, got, 400, c.code)
			if f := failures(got); c.want != "" && !slices.Equal(f, []string{c.want}) {
				t.Errorf("got failures %q, want %q", f, c.want)
			}
			if n := len(srv.Guild().Channel("general").Messages(nil)); n != 1 {
				t.Errorf("%d messages, want only the accepted one", n)
			}

			// The same holds for the answer to an interaction, one level deeper.
			call := pinged(t, srv)
			got = callback(t, srv, call, obj{"type": 4, "data": c.bad})
			want(t, got, 400, c.code)
			if f := failures(got); c.want != "" && !slices.Equal(f, []string{"data." + c.want}) {
				t.Errorf("got failures %q, want %q", f, "data."+c.want)
			}
			want(t, callback(t, srv, call, obj{"type": 4, "data": c.good}), 204, 0)
		})
	}
}

func TestTooManyBytesOfTextAreAServerError(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	channel := "/channels/" + srv.Guild().Channel("general").ID() + "/messages"
	wide := func(n int) obj { return v2(obj{"type": 10, "content": strings.Repeat("語", n)}) }
	want(t, request(t, srv, "POST", channel, wide(3390)), 200, 0)
	want(t, request(t, srv, "POST", channel, wide(3391)), 500, 0)
}

func TestModalLimits(t *testing.T) {
	input := func(more obj) obj {
		in := obj{"type": 4, "custom_id": "i", "style": 1, "label": "l"}
		for k, v := range more {
			in[k] = v
		}
		return in
	}
	modal := func(more obj, rows ...any) obj {
		if rows == nil {
			rows = arr{row(input(nil))}
		}
		m := obj{"custom_id": "m", "title": "t", "components": rows}
		for k, v := range more {
			m[k] = v
		}
		return m
	}
	asks := func(kind int, more obj) obj {
		c := obj{"type": kind, "custom_id": "c"}
		for k, v := range more {
			c[k] = v
		}
		return obj{"type": 18, "label": "l", "component": c}
	}
	choices := func(n int) arr {
		var out arr
		for i := range n {
			out = append(out, obj{"label": "l", "value": fmt.Sprint(i)})
		}
		return out
	}
	five := func(n int) arr {
		var out arr
		for i := range n {
			out = append(out, row(input(obj{"custom_id": fmt.Sprint(i)})))
		}
		return out
	}
	for _, c := range []struct {
		name      string
		good, bad obj
		want      string
	}{
		{"title", modal(obj{"title": long(45)}), modal(obj{"title": long(46)}), "title BASE_TYPE_BAD_LENGTH"},
		{"custom id", modal(obj{"custom_id": long(100)}), modal(obj{"custom_id": long(101)}), "custom_id BASE_TYPE_BAD_LENGTH"},
		{"rows", modal(nil, five(5)...), modal(nil, five(6)...), "components BASE_TYPE_BAD_LENGTH"},
		{"two inputs in a row", modal(nil), modal(nil, row(input(nil), input(obj{"custom_id": "j"}))), "components.0.components.1 COMPONENT_LAYOUT_WIDTH_EXCEEDED"},
		{"button in a modal", modal(nil), modal(nil, row(btn("a"))), "components.0.components.0 UNION_TYPE_CHOICES"},
		{"label", modal(nil, row(input(obj{"label": long(45)}))), modal(nil, row(input(obj{"label": long(46)}))), "components.0.components.0.label BASE_TYPE_BAD_LENGTH"},
		{"placeholder", modal(nil, row(input(obj{"placeholder": long(100)}))), modal(nil, row(input(obj{"placeholder": long(101)}))), "components.0.components.0.placeholder BASE_TYPE_MAX_LENGTH"},
		{"value", modal(nil, row(input(obj{"value": long(4000)}))), modal(nil, row(input(obj{"value": long(4001)}))), "components.0.components.0.value BASE_TYPE_MAX_LENGTH"},
		{"length", modal(nil, row(input(obj{"max_length": 4000}))), modal(nil, row(input(obj{"max_length": 4001}))), "components.0.components.0.max_length NUMBER_TYPE_MAX"},
		{"new style label", modal(nil, obj{"type": 18, "label": long(45), "component": obj{"type": 4, "custom_id": "i", "style": 2}}), modal(nil, obj{"type": 18, "label": long(46), "component": obj{"type": 4, "custom_id": "i", "style": 2}}), "components.0.label BASE_TYPE_BAD_LENGTH"},
		{"radio group", modal(nil, asks(21, obj{"options": choices(10)})), modal(nil, asks(21, obj{"options": choices(11)})), "components.0.component.options BASE_TYPE_BAD_LENGTH"},
		{"lonely radio button", modal(nil, asks(21, obj{"options": choices(2)})), modal(nil, asks(21, obj{"options": choices(1)})), "components.0.component.options BASE_TYPE_BAD_LENGTH"},
		{"checkboxes", modal(nil, asks(22, obj{"options": choices(1)})), modal(nil, asks(22, nil)), "components.0.component.options BASE_TYPE_REQUIRED"},
		{"more than there are", modal(nil, asks(22, obj{"options": choices(3), "max_values": 3})), modal(nil, asks(22, obj{"options": choices(3), "max_values": 4})), "components.0.component.max_values SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS"},
		{"checkbox", modal(nil, asks(23, obj{"default": true})), modal(nil, asks(23, obj{"default": 1})), "components.0.component.default BOOLEAN_TYPE_CHOICES"},
		{"files", modal(nil, asks(19, obj{"max_values": 10})), modal(nil, asks(19, obj{"max_values": 11})), "components.0.component.max_values NUMBER_TYPE_MAX"},
		{"kinds of channels", modal(nil, asks(8, obj{"channel_types": arr{0, 11}})), modal(nil, asks(8, obj{"channel_types": arr{"text"}})), "components.0.component.channel_types.0 NUMBER_TYPE_COERCE"},
		{"required", modal(nil, asks(5, obj{"required": false})), modal(nil, asks(5, obj{"required": 0})), "components.0.component.required BOOLEAN_TYPE_CHOICES"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := sandbox.NewServer(t, unlimited)
			call := pinged(t, srv)
			got := callback(t, srv, call, obj{"type": 9, "data": c.bad})
			want(t, got, 400, 50035)
			if f := failures(got); !slices.Equal(f, []string{"data." + c.want}) {
				t.Errorf("got failures %q, want %q", f, "data."+c.want)
			}
			want(t, callback(t, srv, call, obj{"type": 9, "data": c.good}), 204, 0)
			if call.Reply().Modal == nil {
				t.Error("no modal is open")
			}
		})
	}
}
