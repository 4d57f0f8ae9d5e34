package gateway

import (
	"fmt"
	"slices"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// usable names what the session gets of the data of an event, by the member that it is in:
// what the library needs to dispatch an interaction, what a handler needs to answer it by the
// library, which is who did what where, and who the bot is. Nothing else is decoded by the
// library. Most is left out: every click carries along the message with the whole board, and
// over a null among the guilds of a READY the library stops the whole program.
var usable = map[string][]string{
	"": {
		"id", "application_id", "type", "token", "version", "context", "locale", "guild_locale",
		"guild_id", "channel_id", "member", "user", "data", "session_id", "application",
	},
	"data":   {"id", "name", "type", "options", "target_id", "custom_id", "component_type", "values"},
	"member": {"user", "nick", "roles", "permissions"},
	"user":   {"id", "username", "discriminator", "global_name", "bot"},
}

// usableSize is more than the session usually gets of an event, in bytes.
const usableSize = 1 << 10

// likeV1 has packets accepted as encoding/json accepts them.
var likeV1 = json2.JoinOptions(
	jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
	json2.MatchCaseInsensitiveNames(true), jsonv1.MatchCaseSensitiveDelimiter(true), jsonv1.MergeWithLegacySemantics(true),
)

// split reads one packet in one pass over its bytes, of which the result is made. It accepts
// what encoding/json would decode into the same struct, and finds the same.
func split(raw []byte) (packet, error) {
	p := packet{Data: data{packet: raw, usable: []byte("{}")}}
	if err := json2.Unmarshal(raw, &p, likeV1); err != nil {
		return packet{}, fmt.Errorf("decode packet: %w", err)
	}
	return p, nil
}

// data is the data of a packet.
type data struct {
	json   []byte // nil if there is none
	usable []byte // what the session gets of it
	packet []byte // the packet that it is a part of
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom. It gathers what is usable on its way.
func (d *data) UnmarshalJSONFrom(dec *jsontext.Decoder) (err error) {
	if dec.PeekKind() != '{' {
		d.usable = []byte("{}")
		d.json, err = dec.ReadValue()
		return err
	}
	begin, usable, err := gather(dec, make([]byte, 0, usableSize), "")
	d.usable, d.json = usable, d.packet[begin:dec.InputOffset()]
	return err
}

// gather appends the object that comes next, the value of the named member, with no members
// but those that are usable. It returns where the object begins.
func gather(dec *jsontext.Decoder, to []byte, of string) (begin int64, _ []byte, err error) {
	if _, err := dec.ReadToken(); err != nil {
		return 0, nil, err
	}
	begin = dec.InputOffset() - 1
	var comma string
	var name []byte
	to = append(to, '{')
	for dec.PeekKind() == '"' {
		quoted, err := dec.ReadValue()
		if err != nil {
			return 0, nil, err
		}
		name, _ = jsontext.AppendUnquote(name[:0], quoted) // an error says that something was replaced
		if !slices.Contains(usable[of], string(name)) {
			if _, err := dec.ReadValue(); err != nil { // SkipValue goes by single tokens, which takes longer
				return 0, nil, err
			}
			continue
		}
		to = append(append(append(to, comma...), quoted...), ':')
		comma = ","
		if usable[string(name)] != nil && dec.PeekKind() == '{' {
			_, to, err = gather(dec, to, string(name))
		} else {
			quoted, err = dec.ReadValue()
			to = append(to, quoted...)
		}
		if err != nil {
			return 0, nil, err
		}
	}
	_, err = dec.ReadToken() // the end, or the reason why there is none
	return begin, append(to, '}'), err
}
