package gateway

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// usable names what the session gets of an interaction, by the member that it is in:
// what the library needs to dispatch it, and what a handler needs to answer by the
// library, which is who did what where. Nothing else is decoded by the library. Most is
// left out: every click carries along the message with the whole board.
var usable = map[string][]string{
	"": {
		"id", "application_id", "type", "token", "version", "context", "locale", "guild_locale",
		"guild_id", "channel_id", "member", "user", "data",
	},
	"data":   {"id", "name", "type", "options", "target_id", "custom_id", "component_type", "values"},
	"member": {"user", "nick", "roles", "permissions"},
	"user":   {"id", "username", "discriminator", "global_name", "bot"},
}

// splitter finds the parts of packets in one pass over their bytes. It accepts what
// encoding/json would decode into a struct of op, d, s and t, and finds the same.
type splitter struct {
	in     bytes.Buffer
	dec    jsontext.Decoder
	usable []byte
}

var errNoPacket = errors.New("not a packet")

// split reads one packet. The result is valid until the next call.
func (s *splitter) split(raw []byte) (packet, error) {
	s.in = *bytes.NewBuffer(raw)
	// Like encoding/json, take names that occur twice and text that is not UTF-8.
	s.dec.Reset(&s.in, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	s.usable = append(s.usable[:0], "{}"...)
	p, err := s.envelope(raw)
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return packet{}, fmt.Errorf("decode packet: %w", err)
	}
	p.usable = s.usable
	return p, nil
}

func (s *splitter) envelope(raw []byte) (packet, error) {
	var p packet
	switch s.dec.PeekKind() {
	case 'n':
		return p, s.skip()
	case '{':
	default:
		return p, cmp.Or(s.skip(), errNoPacket)
	}
	_, err := s.members(func(name, _ []byte) error {
		var err error
		switch {
		case bytes.EqualFold(name, []byte("op")):
			p.op, err = s.integer(p.op)
		case bytes.EqualFold(name, []byte("s")):
			p.hasSeq = s.dec.PeekKind() != 'n'
			p.seq, err = s.integer(0)
		case bytes.EqualFold(name, []byte("t")):
			p.event, err = s.text(p.event)
		case bytes.EqualFold(name, []byte("d")):
			p.data, err = s.data(raw)
		default:
			err = s.skip()
		}
		return err
	})
	return p, err
}

// end returns an error if anything follows the packet.
func (s *splitter) end() error {
	if _, err := s.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return cmp.Or(err, errNoPacket) // there is more, be it JSON or not
	}
	return nil
}

// members reads the object that comes next: f gets the name of each member, unquoted
// and as it was sent, and reads its value. It returns where the object begins.
func (s *splitter) members(f func(name, quoted []byte) error) (begin int64, err error) {
	if _, err := s.dec.ReadToken(); err != nil {
		return 0, err
	}
	begin = s.dec.InputOffset() - 1
	for s.dec.PeekKind() == '"' {
		quoted, err := s.dec.ReadValue()
		if err != nil {
			return 0, err
		}
		if err := f(unquote(quoted), quoted); err != nil {
			return 0, err
		}
	}
	_, err = s.dec.ReadToken() // the end, or the reason why there is none
	return begin, err
}

// unquote returns the text of a JSON string. What is not UTF-8 is replaced.
func unquote(quoted []byte) []byte {
	text := quoted[1 : len(quoted)-1]
	if !slices.ContainsFunc(text, func(c byte) bool { return c == '\\' || c >= utf8.RuneSelf }) {
		return text
	}
	text, _ = jsontext.AppendUnquote(nil, quoted) // an error says that something was replaced
	return text
}

// integer reads a number; null leaves it as it was.
func (s *splitter) integer(was int) (int, error) {
	v, err := s.dec.ReadValue()
	switch {
	case err != nil:
		return 0, err
	case v.Kind() == 'n':
		return was, nil
	case v.Kind() != '0':
		return 0, errNoPacket
	}
	return strconv.Atoi(string(v))
}

// text reads a string; null leaves it as it was.
func (s *splitter) text(was string) (string, error) {
	v, err := s.dec.ReadValue()
	switch {
	case err != nil:
		return "", err
	case v.Kind() == 'n':
		return was, nil
	case v.Kind() != '"':
		return "", errNoPacket
	}
	return string(unquote(v)), nil
}

// data reads the data of a packet and gathers what of it is usable.
func (s *splitter) data(raw []byte) ([]byte, error) {
	s.usable = s.usable[:0]
	if s.dec.PeekKind() != '{' {
		s.usable = append(s.usable, "{}"...)
		return s.dec.ReadValue()
	}
	begin, err := s.gather("")
	if err != nil {
		return nil, err
	}
	return raw[begin:s.dec.InputOffset()], nil
}

// gather appends the object that comes next, the value of the named member, to what is
// usable, with no members but those that are.
func (s *splitter) gather(of string) (begin int64, err error) {
	s.usable = append(s.usable, '{')
	names, first := usable[of], true
	begin, err = s.members(func(name, quoted []byte) error {
		if !slices.Contains(names, string(name)) {
			return s.skip()
		}
		if !first {
			s.usable = append(s.usable, ',')
		}
		first = false
		s.usable = append(append(s.usable, quoted...), ':')
		if usable[string(name)] != nil && s.dec.PeekKind() == '{' {
			_, err := s.gather(string(name))
			return err
		}
		v, err := s.dec.ReadValue()
		s.usable = append(s.usable, v...)
		return err
	})
	s.usable = append(s.usable, '}')
	return begin, err
}

// skip reads a value of which nothing is needed. The decoder's own SkipValue goes by
// single tokens, which takes longer.
func (s *splitter) skip() error {
	_, err := s.dec.ReadValue()
	return err
}
