package rest

import (
	"cmp"
	"encoding/json"
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
		e.segments = strings.Split(e.Template, "/")
		s.served[operations.Operation{Method: e.Method, Path: e.Template}] = &e
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
	Before   func(*Exchange) error
	segments []string
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
	Files   []files.Upload
	App     App   // that asks
	Early   error // of Endpoint.Before
	Call    Call  // the interaction it is for, if any; its endpoint finds it
	record  Request
	kept    bool // record is among the recorded ones
	fault   *effect
}

// Object is the body as an object; a request without one has an empty object.
func (x *Exchange) Object() (map[string]any, error) {
	if x.Body == nil {
		return map[string]any{}, nil
	}
	f := rules.NewForm()
	o, _ := f.Object(x.Body)
	return o, f.Err()
}

// documentedAgent is what Discord's documentation demands of an application. Discord
// itself takes much more, and refuses what agentRefused does.
var documentedAgent = regexp.MustCompile(`^DiscordBot \([^ ,]+, ?[^ ]+\)`)

// agentRefused reports whether Discord's front door turns a client away by its
// User-Agent: none at all, a browser's, or the one that Java's and Python's own
// clients send (discord-api-docs issues 1504, 4908 and 6473).
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
	x := &Exchange{Request: r, Query: r.URL.Query()}
	x.record = Request{
		At: s.world.Clock().Now(), Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: redacted(r.Header),
	}
	body, readErr := io.ReadAll(http.MaxBytesReader(w, r.Body, rules.MaxRequestBytes))
	x.record.Body = body

	status, answer, header := s.answer(x, started, body, readErr)
	if x.fault != nil {
		status, answer, header = s.applyFault(w, x, status, answer, header)
	}
	if !x.kept {
		s.world.Lock()
		s.keepLocked(x, started, status, answer, header)
		s.world.Unlock()
	}
	s.tellHooks(x.record)
	s.logRequest(x)
	if status == 0 {
		// The fault ends the connection; net/http resets it without a log line.
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), header)
	w.WriteHeader(status)
	_, _ = w.Write(answer)
}

// prepare lets a route wait for what it has to, for whoever has a token.
func (s *API) prepare(x *Exchange, parseErr error) {
	if x.Route.Before == nil || parseErr != nil {
		return
	}
	token, _ := strings.CutPrefix(x.Request.Header.Get("Authorization"), "Bot ")
	s.world.Lock()
	a, ok := s.world.App(token)
	s.world.Unlock()
	if ok {
		x.App = a
		x.Early = x.Route.Before(x)
	}
}

func redacted(h http.Header) http.Header {
	h = h.Clone()
	if h.Get("Authorization") != "" {
		h.Set("Authorization", "[redacted]")
	}
	return h
}

// answer finds the route and serves the request, unless a fault keeps it from
// taking effect. Who sees the effect finds the request recorded, unless a fault met it.
func (s *API) answer(x *Exchange, started time.Time, body []byte, readErr error) (int, []byte, http.Header) {
	rest, err := s.belowBase(x.Request.URL.Path)
	if err == nil {
		x.record.Path = rest
		err = s.findRoute(x, rest)
	}
	if err != nil {
		x.record.Unserved = true
		return encode(0, nil, err, nil)
	}
	x.record.Route = x.Route.Template

	s.world.Lock()
	s.takeFault(x)
	s.world.Unlock()
	if x.fault != nil && (!s.pause(x) || !x.fault.apply && (x.fault.status != 0 || x.fault.reset)) {
		return 0, nil, nil
	}
	parseErr := readErr
	if parseErr == nil {
		parseErr = x.parse(body)
	}
	s.prepare(x, parseErr)
	defer hold(s.world)()
	status, answer, header := s.serveLocked(x, parseErr)
	status, answer = s.world.Departs(x.Route.Method+" "+x.Route.Template, x.Body, status, answer, header)
	if x.fault == nil {
		s.keepLocked(x, started, status, answer, header)
	}
	return status, answer, header
}

// apiVersion is the version in a path of the API, of which the documentation lists
// 9 and 10 as served; a path may also leave it out.
var apiVersion = regexp.MustCompile(`^/api(?:/v(\d+))?(/.*)$`)

// belowBase returns the path below the REST base.
func (s *API) belowBase(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, s.opt.BasePath+"/"); ok {
		return "/" + rest, nil
	}
	m := apiVersion.FindStringSubmatch(path)
	switch {
	case m == nil || s.opt.BasePath != defaultBasePath:
		return "", rules.ErrNotFound
	case m[1] != "" && m[1] != "9" && m[1] != "10":
		return "", rules.ErrVersion
	}
	return m[2], nil
}

// findRoute finds the endpoint for a path. What Discord has and this server has not
// is refused by name.
func (s *API) findRoute(x *Exchange, path string) error {
	op, ok := operations.Find(x.Request.Method, path)
	if ok {
		x.record.Route = op.Path
		if x.Route = s.served[op]; x.Route == nil {
			s.unserved(op)
			return rules.NotOffered(op.String())
		}
		x.Params = x.Route.parameters(path)
		return nil
	}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if _, ok := operations.Find(method, path); ok {
			return rules.ErrMethod
		}
	}
	return rules.ErrNotFound
}

// unserved logs an operation that is not served the first time it is asked for.
func (s *API) unserved(op operations.Operation) {
	defer hold(s.world)()
	if s.missed[op] {
		return
	}
	s.missed[op] = true
	s.world.Log().Warn("not offered here", "operation", op.String())
}

// callbackRoute is the route of first answers.
const callbackRoute = "/interactions/{interaction_id}/{interaction_token}/callback"

// serveLocked checks who asks and how often, and lets the route answer.
func (s *API) serveLocked(x *Exchange, parseErr error) (int, []byte, http.Header) {
	header := http.Header{}
	x.App = s.world.First()
	authErr := s.authorise(x)
	if s.Limits(x.App).Banned() {
		return htmlPage(http.StatusTooManyRequests, "error code: 1015", 10*time.Minute)
	}
	if authErr != nil {
		s.Limits(x.App).Invalid()
		return encode(0, nil, authErr, header)
	}
	limited := s.Limits(x.App).Take(x.Route.Method+" "+x.Route.Template, x.resource(), x.Route.Auth == AuthToken, header)
	if x.Route.Template == callbackRoute {
		// What the library hikari knows of Discord, which is strict with limits that it does
		// not expect: a callback has none that headers would tell of.
		for _, name := range []string{"Limit", "Remaining", "Reset", "Reset-After", "Bucket"} {
			header.Del("X-RateLimit-" + name)
		}
	}
	if limited != nil {
		s.Limits(x.App).Invalid()
		return encode(http.StatusTooManyRequests, limited, nil, header)
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](parseErr); tooLarge {
		parseErr = rules.ErrTooLarge
	}
	body, err := any(nil), parseErr
	if err == nil {
		err = s.world.Wrong(x.Route.Method+" "+x.Route.Template, x.Body)
	}
	if err == nil {
		body, err = x.Route.Serve(x)
	}
	if err != nil {
		refused := rules.ErrServer
		_ = errors.As(err, &refused)
		if refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden || refused.Status == http.StatusTooManyRequests {
			s.Limits(x.App).Invalid()
		}
		if x.Call != nil {
			x.Call.Refused(problem(x, refused))
		}
	}
	if x.Call != nil {
		x.record.CallID = x.Call.ID()
	}
	status, body := statusOf(body)
	return encode(status, body, err, header)
}

// problem puts a refused request in one line, without the token.
func problem(x *Exchange, e *rules.Error) string {
	detail := ""
	if len(e.Errors) > 0 {
		b, _ := json.Marshal(e.Errors)
		detail = " " + string(b)
	}
	return fmt.Sprintf("%s %s: %s%s", x.Route.Method, x.Route.Template, e, detail)
}

// statusOf is the status of an answer with a body, and the body itself.
func statusOf(body any) (int, any) {
	switch made, ok := body.(Created); {
	case ok:
		return http.StatusCreated, made.Body
	case body == nil:
		return http.StatusNoContent, nil
	}
	return http.StatusOK, body
}

func encode(status int, body any, err error, header http.Header) (int, []byte, http.Header) {
	if header == nil {
		header = http.Header{}
	}
	// Clients tell Discord's own answers from those of what stands before it, such
	// as a ban, by this (discord-api-docs issue 1463).
	header.Set("Via", "1.1 google")
	if err != nil {
		refused := rules.ErrServer
		_ = errors.As(err, &refused)
		status, body = refused.Status, refused.Body()
		if refused.RetryAfter > 0 {
			header.Set("Retry-After", strconv.Itoa(int((refused.RetryAfter+time.Second-1)/time.Second)))
		}
	}
	if body == nil {
		return status, nil, header
	}
	header.Set("Content-Type", "application/json")
	b, err := json.Marshal(body)
	if err != nil {
		return http.StatusInternalServerError, nil, header
	}
	return status, b, header
}

func htmlPage(status int, text string, retryAfter time.Duration) (int, []byte, http.Header) {
	h := http.Header{"Content-Type": {"text/html; charset=UTF-8"}}
	if retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int((retryAfter+time.Second-1)/time.Second)))
	}
	return status, []byte("<!doctype html><title>" + text + "</title><p>" + text), h
}

// authorise checks the client's name and its token, and has its application at hand.
func (s *API) authorise(x *Exchange) error {
	agent := x.Request.UserAgent()
	if agentRefused(agent) || s.opt.StrictUserAgent && !documentedAgent.MatchString(agent) {
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

// parameters takes them out of a path that is one of the route's.
func (e *Endpoint) parameters(path string) map[string]string {
	params := map[string]string{}
	segments := strings.Split(path, "/")
	for i, name := range e.segments {
		if strings.HasPrefix(name, "{") {
			params[strings.Trim(name, "{}")] = segments[i]
		}
	}
	return params
}

// resource is the top-level resource that a bucket is for.
func (x *Exchange) resource() string {
	return cmp.Or(x.Params["channel_id"], x.Params["guild_id"], x.Params["webhook_token"], x.Params["interaction_token"])
}

// AnswerInBody carries out the callback of an interaction with that token that stands for what
// an endpoint of its application has answered, and records it as that. It counts in no rate limit.
func (s *API) AnswerInBody(a App, c Call, token, contentType string, body []byte) {
	started := time.Now()
	path := "/interactions/" + c.ID() + "/" + token + "/callback"
	route := s.served[operations.Operation{Method: http.MethodPost, Path: callbackRoute}]
	x := &Exchange{
		Request: &http.Request{Method: route.Method, Header: http.Header{"Content-Type": {contentType}}},
		Route:   route, Query: url.Values{}, Params: route.parameters(path), App: a,
	}
	x.record = Request{
		At: s.world.Clock().Now(), Method: route.Method, Path: path,
		Route: route.Template, Header: x.Request.Header, Body: body, InBody: true,
	}
	err := x.parse(body)
	s.world.Lock()
	status, refusal := http.StatusNoContent, []byte(nil)
	if err == nil {
		_, err = route.Serve(x)
	}
	x.record.CallID = c.ID()
	if err != nil {
		refused := rules.ErrServer
		_ = errors.As(err, &refused)
		status, refusal, _ = encode(0, nil, refused, nil)
		c.Fail(problem(x, refused))
	}
	s.keepLocked(x, started, status, refusal, nil)
	s.world.Unlock()
	s.tellHooks(x.record)
	s.logRequest(x)
}
