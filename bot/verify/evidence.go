package verify

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
)

// evidence is what a row looks at: a request with what Discord answered, or an interaction.
type evidence struct {
	name   string
	what   string // such as "POST /channels/{id}/messages 200", or "interaction"
	status int    // 0 for an interaction
	header http.Header
	raw    []byte
	body   any // raw, decoded
	err    error
	// took is how long the request took, with what it waited for its turn, or how old the
	// interaction was when it came, by Discord's clock.
	took time.Duration

	in *discord.Interaction // nil for a request
}

// recorder keeps what Discord answers to requests whose context asks for it.
type recorder struct {
	next http.RoundTripper
	base string // of the API
}

type recordKey struct{}

const mostRead = 4 << 20 // as much as the client reads

// RoundTrip implements http.RoundTripper.
func (r recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	into, ok := req.Context().Value(recordKey{}).(*[]evidence)
	if err != nil || !ok {
		return resp, err
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, mostRead))
	_ = resp.Body.Close() // it was read
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(raw))
	path, _, _ := strings.Cut(strings.TrimPrefix(req.URL.String(), r.base), "?")
	what := fmt.Sprintf("%s %s %d", req.Method, routeOf(path), resp.StatusCode)
	e := evidence{what: what, status: resp.StatusCode, header: resp.Header, raw: raw}
	_ = json.Unmarshal(raw, &e.body) // what is no JSON stays nil
	*into = append(*into, e)
	return resp, nil
}

// routeOf returns the path without what names anything, tokens above all.
func routeOf(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		switch {
		case s != "" && strings.Trim(s, "0123456789") == "":
			segments[i] = "{id}"
		case i > 1 && (segments[i-2] == "webhooks" || segments[i-2] == "interactions"):
			segments[i] = "{token}"
		}
	}
	return strings.Join(segments, "/")
}

// ask makes a request and keeps the answer under a name. An error behind which nothing else
// can be looked at is the session's.
func (s *session) ask(ctx context.Context, name string, do func(context.Context) error) evidence {
	e := s.try(ctx, name, do)
	s.fail(fatal(e.err))
	return e
}

// only is the error of a request: what was answered is kept anyway.
func only[T any](_ T, err error) error { return err }

// try is ask whatever the error. A request that has begun is not cut short: what it makes has
// to be known to be removed. None begins once the session has failed.
func (s *session) try(ctx context.Context, name string, do func(context.Context) error) evidence {
	if s.failed != nil {
		return evidence{err: s.failed}
	}
	var all []evidence
	ctx, cancel := context.WithTimeout(context.WithValue(context.WithoutCancel(ctx), recordKey{}, &all), requestTime)
	defer cancel()
	began := s.opts.Now()
	err := do(ctx)
	took := s.opts.Now().Sub(began)
	if len(all) == 0 {
		s.silent[name] = err
		return evidence{err: err}
	}
	e := all[len(all)-1]
	e.name, e.err, e.took = name, err, took
	s.seen[name] = e
	for i, earlier := range all[:len(all)-1] { // those that were repeated
		earlier.name = fmt.Sprintf("%s.try%d", name, i+1)
		s.seen[earlier.name] = earlier
	}
	return e
}

// requestTime bounds one request, with what it waits for its turn.
const requestTime = 30 * time.Second

// refusal puts a refused request into words, without what is secret.
func (e evidence) refusal() string {
	r, ok := errors.AsType[*rest.Error](e.err)
	switch {
	case ok:
		text := fmt.Sprintf("%d", r.Status)
		if r.Code != 0 {
			text += fmt.Sprintf(", code %d", r.Code)
		}
		return strings.TrimSuffix(text+": "+cmp.Or(r.Details, r.Message), ": ")
	case e.err != nil:
		return e.err.Error()
	}
	return strconv.Itoa(e.status)
}

func (e evidence) taken() bool { return e.in != nil || e.status >= 200 && e.status < 300 }

// get returns the value at a path such as "components.0.id", nil where there is none.
func get(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch of := v.(type) {
		case map[string]any:
			v = of[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(of) {
				return nil
			}
			v = of[i]
		default:
			return nil
		}
	}
	return v
}

// at returns what is at a path of the answer, nothing where that is of another kind.
func at[T any](e evidence, path string) T {
	v, _ := get(e.body, path).(T)
	return v
}

func (e evidence) text(path string) string { return at[string](e, path) }
func (e evidence) list(path string) []any  { return at[[]any](e, path) }
func (e evidence) number(path string) int  { return int(at[float64](e, path)) }

// parts returns the components at a path and all below them, in order of appearance.
func (e evidence) parts(path string) []discord.Component {
	var list []discord.Component
	_ = json.Unmarshal(discord.MustJSON(get(e.body, path)), &list) // what is of another kind is left out
	return withParts(list)
}

func withParts(list []discord.Component) (all []discord.Component) {
	for _, c := range list {
		all = append(append(all, c), withParts(c.Components)...)
		if c.Accessory != nil {
			all = append(all, withParts([]discord.Component{*c.Accessory})...)
		}
	}
	return all
}

// hide returns the text without what no report says.
func (s *session) hide(text string) string {
	for _, secret := range s.secrets {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return text
}
