package rest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/operations"
	"tictactoe/bot/sandbox/rules"
)

// API is the REST API. Its methods may be called by several goroutines at once.
type API struct {
	world World
	opt   Options
	// The world's lock guards what follows.
	served   map[operations.Operation]*Endpoint
	faults   Faults
	requests []Request
	gone     int // requests that are no longer kept
	hooks    []func(Request)
	missed   map[operations.Operation]bool // those asked for that are not served
	rates    map[App]*rules.RateLimits
}

// New returns an API that serves some endpoints.
func New(w World, o Options, endpoints []Endpoint) *API {
	s := &API{
		world: w, opt: o.withDefaults(), served: map[operations.Operation]*Endpoint{}, missed: map[operations.Operation]bool{}, rates: map[App]*rules.RateLimits{},
	}
	s.faults.api = s
	for _, e := range endpoints {
		s.served[e.Operation()] = &e
	}
	return s
}

// Options are those of the API, with its defaults.
func (s *API) Options() Options { return s.opt }

// Faults are what goes wrong with the API on purpose.
func (s *API) Faults() *Faults { return &s.faults }

// Limits are those of an application. The world's lock is held.
func (s *API) Limits(a App) *rules.RateLimits {
	if s.rates[a] == nil {
		s.rates[a] = rules.NewRateLimits(s.opt.BucketLimit, s.opt.BucketWindow, s.opt.GlobalLimit, s.opt.GlobalWindow)
	}
	return s.rates[a]
}

// Endpoint is one route of the REST API, by the template of Discord's API description. Serve
// runs with the world's lock held and must not wait for anything. A body is answered with status
// 200, none with 204.
type Endpoint struct {
	Method   string
	Template string
	Auth     Auth
	Serve    func(*Exchange) (body any, err error)
	// Before, if there is one, does for an application beforehand what Serve would have to wait
	// for; Exchange.Early is what came of it.
	Before func(*Exchange) error
}

// Operation is which of Discord's it is.
func (e Endpoint) Operation() operations.Operation {
	return operations.Operation{Method: e.Method, Path: e.Template}
}

// Created is a body that is answered with status 201.
type Created struct{ Body any }

// Auth is what authorises a route.
type Auth int

// What authorises routes.
const (
	AuthBot   Auth = iota // the bot token
	AuthNone              // nothing
	AuthToken             // the interaction token in the path
)

// Exchange is one request on its way to an answer.
type Exchange struct {
	Request *http.Request
	Route   *Endpoint
	Params  map[string]string
	Query   url.Values
	Raw     []byte // the JSON as it came, also from a multipart body
	Body    any    // Raw decoded; nil without a body
	Files   []files.File
	Form    rules.Form // of what is wrong with the body or the query
	App     App        // that asks
	Early   error      // of Endpoint.Before
	Call    Call       // the interaction it is for, if any; its endpoint finds it
	record  Request
	fault   *effect
}

// Object is the body as an object; a request without one has an empty object.
func (x *Exchange) Object() (map[string]any, error) {
	if x.Body == nil {
		return map[string]any{}, nil
	}
	o, _ := x.Form.Object(x.Body)
	return o, x.Form.Err()
}

// agentRefused reports whether Discord's front door turns a client away by its
// User-Agent: none at all, a browser's, or the one that Java's and Python's own
// clients send (discord-api-docs issues 1504, 4908 and 6473). The documentation demands more.
func agentRefused(agent string) bool {
	return strings.TrimSpace(agent) == "" || strings.HasPrefix(agent, "Mozilla/") || strings.HasPrefix(agent, "Java/1.") ||
		strings.HasPrefix(agent, "Python-urllib")
}

// ServeHTTP answers one REST request and records it.
func (s *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	started := time.Now()
	s.world.Activity(1)
	defer s.world.Activity(-1)
	w.Header()["Date"] = []string{s.world.Clock().Now().UTC().Format(http.TimeFormat)}
	x := &Exchange{Request: r, Query: r.URL.Query(), Form: rules.NewForm()}
	x.record = Request{
		At: s.world.Clock().Now(), Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(),
	}
	if r.Header.Get("Authorization") != "" {
		x.record.Header.Set("Authorization", "[redacted]")
	}
	body, readErr := io.ReadAll(http.MaxBytesReader(w, r.Body, rules.MaxRequestBytes))
	x.record.Body = body

	a := s.answer(x, started, body, readErr)
	if x.fault != nil {
		a = s.applyFault(w, x, a)
	}
	if x.fault != nil || x.record.Unserved {
		release := s.world.Hold()
		s.keepLocked(x, started, a)
		release()
	}
	s.tellHooks(x.record)
	s.logRequest(x)
	if a.status == 0 {
		// The fault ends the connection; net/http resets it without a log line.
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}

// prepare lets a route wait for what it has to, for whoever has a token.
func (s *API) prepare(x *Exchange, parseErr error) {
	if x.Route.Before == nil || parseErr != nil {
		return
	}
	token, _ := strings.CutPrefix(x.Request.Header.Get("Authorization"), "Bot ")
	release := s.world.Hold()
	a, ok := s.world.App(token)
	release()
	if ok {
		x.App = a
		x.Early = x.Route.Before(x)
	}
}

// answer finds the route and serves the request, unless a fault keeps it from
// taking effect. Who sees the effect finds the request recorded, unless a fault met it.
func (s *API) answer(x *Exchange, started time.Time, body []byte, readErr error) answer {
	rest, err := belowBase(x.Request.URL.Path)
	if err == nil {
		x.record.Path = rest
		err = s.findRoute(x, strings.Split(rest, "/"))
	}
	if err != nil {
		x.record.Unserved = true
		return refusal(err, http.Header{})
	}
	x.record.Route = x.Route.Template

	s.takeFault(x)
	if x.fault != nil && (!s.pause(x) || !x.fault.apply && (x.fault.status != 0 || x.fault.reset)) {
		return answer{}
	}
	parseErr := readErr
	if parseErr == nil {
		parseErr = x.parse(body)
	}
	s.prepare(x, parseErr)
	defer s.world.Hold()()
	a := s.serveLocked(x, parseErr)
	a.status, a.body = s.world.Departures().Answered(x.Route.Operation().String(), x.Body, a.status, a.body, a.header)
	if x.fault == nil {
		s.keepLocked(x, started, a)
	}
	return a
}

// Base is the path of the REST base, with the version that bots are told of.
const Base = "/api/v10"

// apiVersion is the version in a path of the API, of which the documentation lists
// 9 and 10 as served; a path may also leave it out.
var apiVersion = regexp.MustCompile(`^/api(?:/v(\d+))?(/.*)$`)

// belowBase returns the path below the REST base.
func belowBase(path string) (string, error) {
	m := apiVersion.FindStringSubmatch(path)
	switch {
	case m == nil:
		return "", rules.ErrNotFound
	case m[1] != "" && m[1] != "9" && m[1] != "10":
		return "", rules.ErrVersion
	}
	return m[2], nil
}

// findRoute finds the endpoint for a path that was split. What Discord has and this server has not
// is refused by name.
func (s *API) findRoute(x *Exchange, path []string) error {
	op, ok := operations.Find(x.Request.Method, path)
	if ok {
		x.record.Route = op.Path
		if x.Route = s.served[op]; x.Route == nil {
			s.unserved(op)
			return rules.NotOffered(op.String())
		}
		x.Params = operations.Parameters(op.Path, path)
		return nil
	}
	if _, ok := operations.Find("", path); ok {
		return rules.ErrMethod
	}
	return rules.ErrNotFound
}

// unserved logs an operation that is not served the first time it is asked for.
func (s *API) unserved(op operations.Operation) {
	defer s.world.Hold()()
	if s.missed[op] {
		return
	}
	s.missed[op] = true
	s.world.Log().Warn("not offered here", "operation", op.String())
}

// callbackRoute is the route of first answers.
const callbackRoute = "/interactions/{interaction_id}/{interaction_token}/callback"

// serveLocked checks who asks and how often, and lets the route answer.
func (s *API) serveLocked(x *Exchange, parseErr error) answer {
	header := http.Header{}
	x.App = s.world.First()
	authErr := s.authorise(x)
	if s.Limits(x.App).Banned() {
		return banned(10 * time.Minute)
	}
	if authErr != nil {
		s.Limits(x.App).Invalid()
		return refusal(authErr, header)
	}
	limited := s.Limits(x.App).Take(x.Route.Operation().String(), x.resource(), x.Route.Auth == AuthToken, header)
	if x.Route.Template == callbackRoute {
		// What the library hikari knows of Discord, which is strict with limits that it does
		// not expect: a callback has none that headers would tell of.
		for _, name := range []string{"Limit", "Remaining", "Reset", "Reset-After", "Bucket"} {
			header.Del("X-RateLimit-" + name)
		}
	}
	if limited != nil {
		s.Limits(x.App).Invalid()
		return written(http.StatusTooManyRequests, limited, header)
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](parseErr); tooLarge {
		parseErr = rules.ErrTooLarge
	}
	body, err := s.carryOut(x, parseErr)
	if x.Call != nil {
		x.record.CallID = x.Call.ID()
	}
	if err != nil {
		a := refusal(err, header)
		if a.isInvalid() {
			s.Limits(x.App).Invalid()
		}
		if x.Call != nil {
			x.Call.Refused(problem(x, err))
		}
		return a
	}
	switch made, ok := body.(Created); {
	case ok:
		return written(http.StatusCreated, made.Body, header)
	case body == nil:
		return written(http.StatusNoContent, nil, header)
	}
	return written(http.StatusOK, body, header)
}

// carryOut does what is asked for, unless something is wrong with it.
func (s *API) carryOut(x *Exchange, wrong error) (any, error) {
	if wrong == nil {
		wrong = s.world.Departures().Wrong(x.Route.Operation().String(), x.Body)
	}
	if wrong != nil {
		return nil, wrong
	}
	return x.Route.Serve(x)
}

// refusedWith is the error with which a request is refused.
func refusedWith(err error) *rules.Error {
	if e, ok := errors.AsType[*rules.Error](err); ok {
		return e
	}
	return rules.ErrServer
}

// problem puts a refused request in one line, without the token.
func problem(x *Exchange, err error) string {
	e, detail := refusedWith(err), ""
	if len(e.Errors) > 0 {
		detail = " " + string(rules.Encode(e.Errors))
	}
	return fmt.Sprintf("%s: %s%s", x.Route.Operation(), e, detail)
}

// answer is what a request is answered with. Status 0 ends the connection without one.
type answer struct {
	status int
	body   []byte
	header http.Header
}

// isInvalid reports whether the answer counts among those that lead to a ban.
func (a answer) isInvalid() bool {
	return a.status == http.StatusUnauthorized || a.status == http.StatusForbidden || a.status == http.StatusTooManyRequests
}

// written is an answer with a body, nil for none, whose header is added to.
func written(status int, body any, header http.Header) answer {
	// Clients tell Discord's own answers from those of what stands before it, such
	// as a ban, by this (discord-api-docs issue 1463).
	header.Set("Via", "1.1 google")
	if body == nil {
		return answer{status, nil, header}
	}
	header.Set("Content-Type", "application/json")
	return answer{status, rules.Encode(body), header}
}

// refusal is an answer that says no.
func refusal(err error, header http.Header) answer {
	e := refusedWith(err)
	retryAfter(header, e.RetryAfter)
	return written(e.Status, e.Body(), header)
}

// retryAfter tells of a wait, if there is one, in whole seconds.
func retryAfter(header http.Header, wait time.Duration) {
	if wait > 0 {
		header.Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	}
}

// banned is an answer to who has asked in vain too often.
func banned(wait time.Duration) answer {
	return htmlPage(http.StatusTooManyRequests, "error code: 1015", wait)
}

func htmlPage(status int, text string, wait time.Duration) answer {
	h := http.Header{"Content-Type": {"text/html; charset=UTF-8"}}
	retryAfter(h, wait)
	return answer{status, []byte("<!doctype html><title>" + text + "</title><p>" + text), h}
}

// authorise checks the client's name and its token, and has its application at hand.
func (s *API) authorise(x *Exchange) error {
	if agentRefused(x.Request.UserAgent()) {
		return rules.ErrUserAgent
	}
	auth := x.Request.Header.Get("Authorization")
	token, isBot := strings.CutPrefix(auth, "Bot ")
	a, known := s.world.App(token)
	switch {
	case isBot && known:
		x.App = a
	case x.Route.Auth == AuthNone: // /gateway does not look at the token: a wrong one shows at the identify
	case x.Route.Auth != AuthToken || auth != "":
		return rules.ErrUnauthorized
	}
	if x.Route.Auth == AuthToken {
		if of, ok := s.world.AppOf(x.Params); ok {
			x.App = of
		}
	}
	return nil
}

// parse reads the body of a method that has one.
func (x *Exchange) parse(body []byte) (err error) {
	if len(body) == 0 || x.Request.Method == http.MethodGet || x.Request.Method == http.MethodDelete {
		return nil
	}
	x.Raw, x.Files, err = rules.SplitBody(x.Request.Header.Get("Content-Type"), body)
	if err != nil || x.Raw == nil {
		return err
	}
	if x.Body, err = rules.DecodeJSON(x.Raw); err != nil {
		return rules.ErrBadJSON
	}
	return nil
}

// resource is the top-level resource that a bucket is for.
func (x *Exchange) resource() string {
	return cmp.Or(x.Params["channel_id"], x.Params["guild_id"], x.Params["webhook_token"], x.Params["interaction_token"])
}

// AnswerInBody carries out the callback of an interaction with that token that stands for what
// an endpoint of its application has answered, and records it as that. It counts in no rate limit.
func (s *API) AnswerInBody(app App, c Call, token, contentType string, body []byte) {
	started := time.Now()
	path := "/interactions/" + c.ID() + "/" + token + "/callback"
	route := s.served[operations.Operation{Method: http.MethodPost, Path: callbackRoute}]
	x := &Exchange{
		Request: &http.Request{Method: route.Method, Header: http.Header{"Content-Type": {contentType}}},
		Route:   route, Query: url.Values{}, Form: rules.NewForm(), Params: operations.Parameters(route.Template, strings.Split(path, "/")), App: app,
	}
	x.record = Request{
		At: s.world.Clock().Now(), Method: route.Method, Path: path,
		Route: route.Template, Header: x.Request.Header, Body: body, InBody: true,
	}
	wrong := x.parse(body)
	release := s.world.Hold()
	_, err := s.carryOut(x, wrong)
	x.record.CallID = c.ID()
	a := answer{status: http.StatusNoContent}
	if err != nil {
		a = refusal(err, http.Header{})
		c.Fail(problem(x, err))
	}
	s.keepLocked(x, started, a)
	release()
	s.tellHooks(x.record)
	s.logRequest(x)
}
