package webjson_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	. "tictactoe/bot/sandbox/internal/webjson"
)

var errTaken = errors.New("shop: sold")

func TestAnswers(t *testing.T) {
	type Place struct {
		City string `json:"city,omitempty"`
	}
	type toWhom struct{ Place }
	type order struct {
		What string `json:"what"`
		N    int    `json:"n"`
		toWhom
		Others []toWhom `json:"others,omitempty"`
	}
	known := Format{MaxBody: 64, Known: []Known{{errTaken, http.StatusConflict, "taken"}}, Internal: "That did not work."}
	serve := Post(known, func(_ *http.Request, in order) (any, error) {
		switch in.What {
		case "taken":
			return nil, fmt.Errorf("%w: %d of it", errTaken, in.N)
		case "broken":
			return nil, errors.New("shop: on fire")
		case "bad":
			return nil, &Error{Status: 422, Code: "bad", Message: "No.", Field: "what"}
		case "odd":
			return make(chan int), nil
		}
		return in, nil
	})
	for _, c := range []struct {
		name, kind, body string
		status           int
		want             string
	}{
		{"fine", "application/json", `{"what":"x","n":2}`, 200, `{"what":"x","n":2}`},
		{"with a charset", "application/json; charset=utf-8", `{}`, 200, `{"what":"","n":0}`},
		{"a form", "text/plain", `{}`, 415, `"code":"content_type"`},
		{"nothing", "application/json", ``, 400, `"code":"bad_json"`},
		{"two", "application/json", `{} {}`, 400, `more than one`},
		{"wrong type", "application/json", `{"n":"x"}`, 400, `"field":"n"`},
		{"wrong type, embedded", "application/json", `{"city":1}`, 400, `"field":"city"`},
		{"wrong type, in a list", "application/json", `{"others":[{"city":1}]}`, 400, `"field":"others.city"`},
		{"unknown field", "application/json", `{"m":1}`, 400, `unknown field`},
		{"large", "application/json", `{"what":"` + strings.Repeat("x", 99) + `"}`, 413, `"code":"too_large"`},
		{"known", "application/json", `{"what":"taken","n":3}`, 409, `{"error":{"code":"taken","message":"sold: 3 of it"}}`},
		{"unknown", "application/json", `{"what":"broken"}`, 500, `{"error":{"code":"internal","message":"That did not work."}}`},
		{"with a field", "application/json", `{"what":"bad"}`, 422, `{"error":{"code":"bad","message":"No.","field":"what"}}`},
		{"no JSON of it", "application/json", `{"what":"odd"}`, 500, `"code":"internal"`},
	} {
		r := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.kind)
		got := httptest.NewRecorder()
		serve(got, r)
		if got.Code != c.status || !strings.Contains(got.Body.String(), c.want) || got.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %d %s", c.name, got.Code, got.Body)
		}
	}
	got := httptest.NewRecorder()
	Format{}.Do(func(*http.Request) (any, error) { return nil, errTaken })(got, httptest.NewRequest("GET", "/", nil))
	if want := `{"error":{"code":"internal","message":"shop: sold"}}`; got.Code != 500 || got.Body.String() != want {
		t.Errorf("got %d %s", got.Code, got.Body)
	}
}
