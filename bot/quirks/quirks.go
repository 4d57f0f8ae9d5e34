// Package quirks knows two ways in which Discord might take the bot's messages otherwise than
// documented, and a form of the messages that needs neither. Nobody sets anything: what Discord
// answers tells.
package quirks

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"tictactoe/bot/customid"
)

// Quirk is something that Discord does otherwise. Its text is stored, and a label of figures.
type Quirk string

const (
	// BlankLabels: a button whose label is a zero-width space is refused. Such labels become
	// dots.
	BlankLabels Quirk = "blank_labels"
	// ChangedNumbers: components come back with other numbers than they were given. The
	// position that the first one carries stands in small print, too; see [customid.Caption].
	ChangedNumbers Quirk = "changed_numbers"
)

// All are the quirks that there are.
var All = [...]Quirk{BlankLabels, ChangedNumbers}

const (
	blank = "\u200b"
	// invalidForm is Discord's code for a body that it does not take (documentation, JSON Error
	// Codes), with the errors by where in the body they are.
	invalidForm = 50035
	// textDisplay is the type of a component that is text (documentation, Component Types).
	textDisplay = 10
)

// Set is what is known of them. The zero value knows of none, and so does nil. Its methods may
// be called concurrently.
type Set struct {
	found [len(All)]atomic.Bool
	// Found, if set, is told of what is found, once each.
	Found func(Quirk)
}

// Has reports whether Discord is known to have the quirk.
func (s *Set) Has(q Quirk) bool {
	i := slices.Index(All[:], q)
	return s != nil && i >= 0 && s.found[i].Load()
}

// Know takes note of what was found before. What no version of the program knows is left alone.
func (s *Set) Know(q Quirk) (news bool) {
	i := slices.Index(All[:], q)
	return i >= 0 && s.found[i].CompareAndSwap(false, true)
}

// Find takes note of a quirk that has shown itself.
func (s *Set) Find(q Quirk) {
	if s.Know(q) && s.Found != nil {
		s.Found(q)
	}
}

// Fit returns the body of a request in a form that Discord is known to take. One without labels
// and numbers of components is left alone.
func (s *Set) Fit(body []byte) []byte {
	if s.Has(BlankLabels) {
		body = []byte(dots.Replace(string(body)))
	}
	if !s.Has(ChangedNumbers) {
		return body
	}
	all := decode(body)
	list, _ := message(all)["components"].([]any)
	if len(list) == 0 {
		return body
	}
	caption(list[0])
	fit, _ := json.Marshal(all) // it was JSON
	return fit
}

// Refused is told of an answer that is an error. It reports whether the body can be sent again
// by [Set.Fit], because what was refused is a blank label.
func (s *Set) Refused(body, answer []byte) bool {
	var e struct {
		Code   int            `json:"code"`
		Errors map[string]any `json:"errors"`
	}
	if s == nil || json.Unmarshal(answer, &e) != nil || e.Code != invalidForm {
		return false
	}
	all := decode(body)
	if !pointsAtBlank(e.Errors, all) && !pointsAtBlank(e.Errors, message(all)) {
		return false
	}
	s.Find(BlankLabels)
	return true
}

// Answered is told of an answer that is a success, and looks whether the message came back with
// a number that its first component can have been given.
func (s *Set) Answered(body, answer []byte) {
	if s == nil || s.Has(ChangedNumbers) {
		return
	}
	given := firstNumber(body)
	if given == "" || bytes.Contains(answer, []byte(given)) { // as good as always, and cheap
		return
	}
	list, _ := message(decode(answer))["components"].([]any)
	if len(list) == 0 {
		return // it does not tell
	}
	first, _ := list[0].(map[string]any)
	number, ok := first["id"].(json.Number)
	// Another picture's is that of an edit which came just behind.
	if n, err := number.Int64(); ok && (err != nil || customid.Caption(int(n)) == "") {
		s.Find(ChangedNumbers)
	}
}

// firstNumber returns the first number of a component in a body that [discord.Message] made.
func firstNumber(body []byte) string {
	_, rest, _ := bytes.Cut(body, []byte(`"id":`))
	digits := string(rest[:len(rest)-len(bytes.TrimLeft(rest, "0123456789"))])
	if n, err := strconv.Atoi(digits); err != nil || customid.Caption(n) == "" {
		return ""
	}
	return digits
}

func decode(raw []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// message returns the message that a body or an answer holds, or what holds none.
func message(v any) map[string]any {
	m, _ := v.(map[string]any)
	if resource, ok := m["resource"].(map[string]any); ok { // of an answered callback
		m, _ = resource["message"].(map[string]any)
	} else if data, ok := m["data"].(map[string]any); ok { // of a callback
		m = data
	}
	return m
}

// dots puts a dot in the place of each blank label. In a text the quotes of such a name would
// be escaped.
var dots = strings.NewReplacer(`"label":"`+blank+`"`, `"label":"·"`, `"label":"\u200b"`, `"label":"·"`)

// caption writes the number of a message's first component below the first text in it.
func caption(first any) {
	of, _ := first.(map[string]any)
	number, _ := of["id"].(json.Number)
	n, err := number.Int64()
	line := customid.Caption(int(n))
	if err != nil || line == "" {
		return
	}
	parts, _ := of["components"].([]any)
	for _, part := range append([]any{of}, parts...) {
		if text, ok := part.(map[string]any); ok && text["type"] == json.Number(strconv.Itoa(textDisplay)) {
			content, _ := text["content"].(string)
			text["content"] = content + "\n" + line
			return
		}
	}
}

// pointsAtBlank reports whether one of the errors is about a blank label: errors are objects by
// the keys and indices that lead to what they are about.
func pointsAtBlank(errors map[string]any, at any) bool {
	for key, below := range errors {
		if key == "_errors" {
			button, _ := at.(map[string]any)
			if at == blank || button["label"] == blank {
				return true
			}
			continue
		}
		next, _ := below.(map[string]any)
		if pointsAtBlank(next, child(at, key)) {
			return true
		}
	}
	return false
}

// child returns what a key or an index leads to, nil where there is nothing.
func child(of any, key string) any {
	switch of := of.(type) {
	case map[string]any:
		return of[key]
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(of) {
			return of[i]
		}
	}
	return nil
}
