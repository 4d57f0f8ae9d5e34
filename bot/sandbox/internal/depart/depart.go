// Package depart knows ways in which a Discord would not do what its documentation says, or
// what people have seen it do: a program that holds a Discord to that is tested by them.
package depart

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"tictactoe/bot/sandbox/rules"
)

// Departure is one way, by a name. It changes answers to requests of a route, named by method
// and template, several parted by " | ", "*" for all; or interactions, where the route is
// [Interaction]. What was asked for has happened in the world as ever, but for what one refuses
// beforehand.
type Departure struct {
	Name, About string
	route       string
	change      func(*Answer)
}

// Interaction stands in place of a route for what is told of what people do.
const Interaction = "INTERACTION_CREATE"

// Answer is what is answered, or an interaction, before it goes out.
type Answer struct {
	Asked  map[string]any // the request's body, if it is an object
	Status int
	Header http.Header
	Body   any // JSON, decoded
}

// List is departures that are in force.
type List []Departure

// Find returns the departure of that name.
func Find(name string) (Departure, bool) {
	for _, d := range All {
		if d.Name == name {
			return d, true
		}
	}
	return Departure{}, false
}

// meets reports whether it is about the route.
func (d Departure) meets(route string) bool {
	for r := range strings.SplitSeq(d.route, " | ") {
		if r == route || r == "*" && route != Interaction {
			return true
		}
	}
	return false
}

// Wrong returns the error with which departures refuse a request, nil for none.
func (list List) Wrong(route string, asked any) error {
	f := rules.NewForm()
	for _, d := range list {
		if note := beforehand[d.Name]; note != nil && d.meets(route) {
			note(f, asked)
		}
	}
	return f.Err()
}

// Answered applies the departures to what a request is answered with.
func (list List) Answered(route string, asked any, status int, body []byte, header http.Header) (int, []byte) {
	for _, d := range list {
		if !d.meets(route) {
			continue
		}
		a := Answer{Status: status, Header: header}
		a.Asked, _ = asked.(map[string]any)
		a.Body, _ = rules.DecodeJSON(body) // nothing where it is no JSON
		d.change(&a)
		status, body = a.Status, nil
		if a.Body != nil {
			body, _ = json.Marshal(a.Body) // it came from JSON
			header.Set("Content-Type", "application/json")
		}
	}
	return status, body
}

// Told applies the departures to an interaction.
func (list List) Told(payload map[string]any) map[string]any {
	if !slices.ContainsFunc(list, func(d Departure) bool { return d.meets(Interaction) }) {
		return payload
	}
	_, raw := list.Answered(Interaction, nil, http.StatusOK, rules.Encode(payload), http.Header{})
	told, _ := rules.DecodeJSON(raw)
	payload, _ = told.(map[string]any)
	return payload
}

// at returns the object at a path such as "resource.message", nil where there is none.
func at(v any, path string) map[string]any {
	for name := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '.' }) {
		switch of := v.(type) {
		case map[string]any:
			v = of[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(of) {
				return nil
			}
			v = of[i]
		default:
			return nil
		}
	}
	o, _ := v.(map[string]any)
	return o
}
