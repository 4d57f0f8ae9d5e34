package apitest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
)

// Answer is what a request was answered with.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Code is Discord's error code of the answer.
func (a Answer) Code() int {
	var e struct {
		Code int `json:"code"`
	}
	_ = json.Unmarshal(a.Body, &e)
	return e.Code
}

// Decode reads the answer's JSON.
func (a Answer) Decode(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal(a.Body, into); err != nil {
		t.Fatalf("answer %d %s: %v", a.Status, a.Body, err)
	}
}

// Agent is the User-Agent of the requests.
const Agent = "DiscordBot (https://example.org, 1)"

// Request sends a plain request with the bot token; body is JSON text or a value
// to encode.
func Request(t *testing.T, srv *sandbox.Server, method, path string, body any) Answer {
	t.Helper()
	return Do(t, NewRequest(t, srv, method, path, body))
}

// NewRequest is the request that Request sends.
func NewRequest(t *testing.T, srv *sandbox.Server, method, path string, body any) *http.Request {
	t.Helper()
	var r io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)
	default:
		j, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		r = bytes.NewReader(j)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, srv.APIURL()+path, r)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", Agent)
	req.Header.Set("Authorization", "Bot "+srv.Token())
	if r != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req
}

// Do sends a request.
func Do(t *testing.T, req *http.Request) Answer {
	t.Helper()
	resp, err := http.DefaultClient.Do(req) //nolint:gosec // to the server under test
	if err != nil {
		t.Fatalf("%s %s: %v", req.Method, req.URL.Path, err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", req.Method, req.URL.Path, err)
	}
	return Answer{resp.StatusCode, resp.Header, b}
}

// Want checks an answer's status and Discord code, 0 for none.
func Want(t *testing.T, got Answer, status, code int) {
	t.Helper()
	if got.Status != status || got.Code() != code {
		t.Errorf("got %d code %d, want %d code %d: %s", got.Status, got.Code(), status, code, got.Body)
	}
}
