package quirks

import (
	"slices"
	"strings"
	"testing"
)

const (
	board = `{"content":null,"embeds":[],"components":[{"type":17,"id":1048579,"accent_color":7,"components":[` +
		`{"type":10,"content":"Ada"},{"type":1,"components":[{"type":2,"style":2,"label":"\u200b","custom_id":"a"},{"type":2,"style":2,"label":"X","custom_id":"b"}]}]}],"flags":32768}`
	callback = `{"type":7,"data":` + board + `}`
)

// found returns a set that knows of the quirks, and what it tells of.
func found(known ...Quirk) (*Set, *[]Quirk) {
	s, told := &Set{}, &[]Quirk{}
	for _, q := range known {
		s.Know(q)
	}
	s.Found = func(q Quirk) { *told = append(*told, q) }
	return s, told
}

func TestFit(t *testing.T) {
	for _, body := range []string{board, callback} {
		dots := strings.ReplaceAll(strings.ReplaceAll(body, `"\u200b"`, `"·"`), `\n`, "")
		captions := strings.ReplaceAll(body, `"content":"Ada"`, `"content":"Ada\n-# 3"`)
		for _, c := range []struct {
			known []Quirk
			want  string
		}{
			{nil, body},
			{[]Quirk{"of another version"}, body},
			{[]Quirk{BlankLabels}, dots},
			{[]Quirk{ChangedNumbers}, captions},
		} {
			s, _ := found(c.known...)
			if got := sorted(string(s.Fit([]byte(body)))); got != sorted(c.want) {
				t.Errorf("with %v: got %s, want %s", c.known, got, c.want)
			}
		}
	}
	s, _ := found(All[:]...)
	for _, other := range []string{``, `[]`, `null`, `{"type":6}`, `{"name":"a thread"}`, `{"components":[]}`, `{"components":3}`, `[{"name":"play"}]`, `{"data":{"choices":[]}}`} {
		if got := string(s.Fit([]byte(other))); got != other {
			t.Errorf("%s became %s", other, got)
		}
	}
	var none *Set
	if got := string(none.Fit([]byte(board))); got != board || none.Refused([]byte(board), []byte(`{"code":50035}`)) {
		t.Errorf("nobody's set made %s of it", got)
	}
}

// sorted has the characters of a text in an order of their own: an encoder may order keys.
func sorted(s string) string {
	b := []rune(strings.ReplaceAll(s, `\u200b`, "\u200b"))
	slices.Sort(b)
	return string(b)
}

func TestRefused(t *testing.T) {
	const blankOne = `{"components":{"0":{"components":{"1":{"components":{"0":{"label":{"_errors":[{}]}}}}}}}}`
	for what, c := range map[string]struct {
		body, errors string
		code         string
		want         bool
	}{
		"a blank label":                  {board, blankOne, "50035", true},
		"its button":                     {board, `{"components":{"0":{"components":{"1":{"components":{"0":{"_errors":[{}]}}}}}}}`, "50035", true},
		"in a callback":                  {callback, `{"data":` + blankOne + `}`, "50035", true},
		"in a callback, from its data":   {callback, blankOne, "50035", true},
		"another label":                  {board, strings.Replace(blankOne, `{"components":{"0":{"label"`, `{"components":{"1":{"label"`, 1), "50035", false},
		"a row":                          {board, `{"components":{"0":{"components":{"1":{"_errors":[{}]}}}}}`, "50035", false},
		"the whole":                      {board, `{"_errors":[{}]}`, "50035", false},
		"what is not there":              {board, `{"components":{"7":{"label":{"_errors":[{}]}},"x":{"_errors":[{}]}}}`, "50035", false},
		"nothing":                        {board, `{}`, "50035", false},
		"no errors":                      {board, `null`, "50035", false},
		"errors of another code":         {board, blankOne, "50006", false},
		"what has no blank label at all": {strings.ReplaceAll(board, `\u200b`, "·"), blankOne, "50035", false},
	} {
		s, told := found()
		answer := `{"message":"Invalid Form Body","code":` + c.code + `,"errors":` + c.errors + `}`
		if got := s.Refused([]byte(c.body), []byte(answer)); got != c.want || s.Has(BlankLabels) != c.want || len(*told) == 1 != c.want {
			t.Errorf("%s: %v, knows %v, told %v, want %v", what, got, s.Has(BlankLabels), *told, c.want)
		}
	}
	s, _ := found()
	if s.Refused([]byte(board), []byte("<html>")) {
		t.Error("a page was understood")
	}
}

func TestAnswered(t *testing.T) {
	for what, c := range map[string]struct {
		body, answer string
		want         bool
	}{
		"as it was sent":            {board, `{"id":"9","components":[{"type":17,"id":1048579}]}`, false},
		"numbered anew":             {board, `{"id":"9","components":[{"type":17,"id":1}]}`, true},
		"the next picture":          {board, `{"id":"9","components":[{"type":17,"id":1048580}]}`, false},
		"numbered by words":         {board, `{"id":"9","components":[{"type":17,"id":"x"}]}`, false},
		"not numbered":              {board, `{"id":"9","components":[{"type":17}]}`, false},
		"a callback, as it was":     {callback, `{"resource":{"message":{"components":[{"id": 1048579}]}}}`, false},
		"a callback, numbered anew": {callback, `{"resource":{"message":{"components":[{"id":2}]}}}`, true},
		"no components":             {board, `{"id":"9","components":[]}`, false},
		"nothing":                   {board, ``, false},
		"no message":                {board, `{"interaction":{"id":"9"}}`, false},
		"a body without a number":   {`{"content":"hello"}`, `{"components":[{"id":1}]}`, false},
		"a body with another":       {`{"attachments":[{"id":0}]}`, `{"components":[{"id":1}]}`, false},
	} {
		s, told := found()
		for range 2 {
			s.Answered([]byte(c.body), []byte(c.answer))
		}
		if s.Has(ChangedNumbers) != c.want || len(*told) == 1 != c.want {
			t.Errorf("%s: knows %v, told %v, want %v", what, s.Has(ChangedNumbers), *told, c.want)
		}
	}
}

// FuzzSet: no body and no answer makes it panic, and a body that was fitted is one of JSON still.
func FuzzSet(f *testing.F) {
	f.Add([]byte(board), []byte(`{"code":50035,"errors":{"components":{"0":{"_errors":[]}}}}`))
	f.Add([]byte(callback), []byte(`{"resource":{"message":{"components":[{"id":2}]}}}`))
	f.Fuzz(func(t *testing.T, body, answer []byte) {
		s, _ := found()
		s.Refused(body, answer)
		s.Answered(body, answer)
		all, _ := found(All[:]...)
		if fit := all.Fit(body); decode(body) != nil && decode(fit) == nil {
			t.Errorf("%s became %s", body, fit)
		}
	})
}
