package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/operations"
	"tictactoe/bot/sandbox/rules"
)

// REST is the API that bots ask. Its methods may be called by several goroutines at once.
type REST struct {
	world   *World
	gateway *Gateway
	opt     RESTOptions
	poster  *http.Client           // to endpoints of applications
	local   func(host string) bool // whether interactions may be posted there
	closing context.Context        // ends when the server begins to close
	posts   sync.WaitGroup
	// The world's lock guards what follows.
	faults   restFaults
	requests []Request
	hooks    []func(Request)
	missed   map[operations.Operation]bool // those asked for that are not served
	rates    map[*App]*rules.RateLimits
}

func newREST(w *World, g *Gateway, o RESTOptions, local func(string) bool) *REST {
	o = o.withDefaults()
	s := &REST{
		world: w, gateway: g, opt: o, local: local, missed: map[operations.Operation]bool{}, rates: map[*App]*rules.RateLimits{},
		poster: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256, IdleConnTimeout: 30 * time.Second}, CheckRedirect: noRedirect},
	}
	s.faults.rest = s
	return s
}

// limits are those of the application at hand.
func (s *REST) limits() *rules.RateLimits {
	a := s.world.app
	if s.rates[a] == nil {
		limits := rules.NewRateLimits(s.opt.BucketLimit, s.opt.BucketWindow, s.opt.GlobalLimit, s.opt.GlobalWindow)
		s.rates[a] = &limits
	}
	return s.rates[a]
}

// endpoint is one route of the REST API. serve runs with the world's lock held
// and must not wait for anything.
type endpoint struct {
	method   string
	template string
	segments []string
	auth     authKind
	find     find // nil where there is nothing to find
	serve    func(*World, *exchange) (status int, body any, err error)
}

// authKind is what authorises a route.
type authKind int

const (
	authBot   authKind = iota // the bot token
	authNone                  // nothing
	authToken                 // the interaction token in the path
)

// exchange is one request on its way to an answer.
type exchange struct {
	rest    *REST
	Request *http.Request
	Route   *endpoint
	Params  map[string]string
	Query   url.Values
	Raw     []byte // the JSON as it came, also from a multipart body
	Body    any    // Raw decoded; nil without a body
	Files   []files.Upload
	about
	call   *Call // the interaction it is for, if any
	record Request
	kept   bool // record is among the recorded ones
	fault  *restEffect
}

// Object is the body as an object; a request without one has an empty object.
func (x *exchange) Object() (map[string]any, error) {
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

// serveAPI answers one REST request and records it.
func (s *REST) serveAPI(w http.ResponseWriter, r *http.Request) {
	started := time.Now()
	s.world.activity(1)
	defer s.world.activity(-1)
	w.Header()["Date"] = []string{s.world.clock.Now().UTC().Format(http.TimeFormat)}
	x := &exchange{rest: s, Request: r, Query: r.URL.Query()}
	x.record = Request{
		At: s.world.clock.Now(), Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: redacted(r.Header),
	}
	body, readErr := io.ReadAll(http.MaxBytesReader(w, r.Body, rules.MaxRequestBytes))
	x.record.Body = body

	status, answer, header := s.answer(x, started, body, readErr)
	if x.fault != nil {
		status, answer, header = s.applyFault(w, x, status, answer, header)
	}
	if !x.kept {
		s.world.mu.Lock()
		s.keepLocked(x, started, status, answer, header)
		s.world.mu.Unlock()
	}
	s.tellHooks(x.record)
	s.logRequest(x)
	if status == 0 {
		// The fault ends the connection; net/http resets it without a log line.
		panic(http.ErrAbortHandler)
	}
	for k, v := range header {
		w.Header()[k] = v
	}
	w.WriteHeader(status)
	_, _ = w.Write(answer)
}

// serveAttachment answers with a file at the address that its attachment has. Nobody
// needs a token for it, as at Discord.
func (s *REST) serveAttachment(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(r.URL.Path, "/") // "", kind, application, id, name
	if len(parts) == 5 {
		if f := s.world.File(parts[3]); f != nil && f.Name == parts[4] {
			f.ServeHTTP(w, r)
			return
		}
	}
	http.NotFound(w, r)
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
func (s *REST) answer(x *exchange, started time.Time, body []byte, readErr error) (int, []byte, http.Header) {
	rest, err := s.belowBase(x.Request.URL.Path)
	if err == nil {
		x.record.Path = rest
		err = s.findRoute(x, rest)
	}
	if err != nil {
		x.record.Unserved = true
		return encode(0, nil, err, nil)
	}
	x.record.Route = x.Route.template

	s.world.mu.Lock()
	s.takeRestFault(x)
	s.world.mu.Unlock()
	if x.fault != nil {
		if !s.pause(x) || !x.fault.apply && (x.fault.status != 0 || x.fault.reset) {
			return 0, nil, nil
		}
	}
	parseErr := readErr
	if parseErr == nil {
		parseErr = x.parse(body)
	}
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	status, answer, header := s.serveLocked(x, parseErr)
	if x.fault == nil {
		s.keepLocked(x, started, status, answer, header)
	}
	return status, answer, header
}

// apiVersion is the version in a path of the API, of which the documentation lists
// 9 and 10 as served; a path may also leave it out.
var apiVersion = regexp.MustCompile(`^/api(?:/v(\d+))?(/.*)$`)

// belowBase returns the path below the REST base.
func (s *REST) belowBase(path string) (string, error) {
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
func (s *REST) findRoute(x *exchange, path string) error {
	op, ok := operations.Find(x.Request.Method, path)
	if ok {
		x.record.Route = op.Path
		if x.Route = served[op]; x.Route == nil {
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
func (s *REST) unserved(op operations.Operation) {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	if s.missed[op] {
		return
	}
	s.missed[op] = true
	s.world.log.Warn("not offered here", "operation", op.String())
}

// serveLocked checks who asks and how often, and lets the route answer.
func (s *REST) serveLocked(x *exchange, parseErr error) (int, []byte, http.Header) {
	header := http.Header{}
	defer s.world.at(s.world.apps[0])()
	authErr := s.authorise(x)
	if s.limits().Banned() {
		return htmlPage(http.StatusTooManyRequests, "error code: 1015", 10*time.Minute)
	}
	if authErr != nil {
		s.limits().Invalid()
		return encode(0, nil, authErr, header)
	}
	if limited := s.limits().Take(x.Route.method+" "+x.Route.template, x.resource(), x.Route.auth == authToken, header); limited != nil {
		s.limits().Invalid()
		return encode(limited.Status, limited.Body, nil, header)
	}
	var tooLarge *http.MaxBytesError
	if errors.As(parseErr, &tooLarge) {
		parseErr = rules.ErrTooLarge
	}
	status, body, err := 0, any(nil), parseErr
	if err == nil && x.Route.find != nil {
		err = x.Route.find(s.world, x)
	}
	if err == nil {
		status, body, err = x.Route.serve(s.world, x)
	}
	if err != nil {
		var refused *rules.Error
		if !errors.As(err, &refused) {
			refused = rules.ErrServer
		}
		if refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden || refused.Status == http.StatusTooManyRequests {
			s.limits().Invalid()
		}
		if x.call != nil {
			x.call.problems = append(x.call.problems, problem(x, refused))
			s.world.publishCallLocked(x.call)
		}
	}
	if x.call != nil {
		x.record.CallID = x.call.id
	}
	return encode(status, body, err, header)
}

// problem puts a refused request in one line, without the token.
func problem(x *exchange, e *rules.Error) string {
	detail := ""
	if len(e.Errors) > 0 {
		b, _ := json.Marshal(e.Errors)
		detail = " " + string(b)
	}
	return fmt.Sprintf("%s %s: %s%s", x.Route.method, x.Route.template, e, detail)
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
func (s *REST) authorise(x *exchange) error {
	agent := x.Request.UserAgent()
	if agentRefused(agent) || s.opt.StrictUserAgent && !documentedAgent.MatchString(agent) {
		return rules.ErrUserAgent
	}
	auth := x.Request.Header.Get("Authorization")
	token, isBot := strings.CutPrefix(auth, "Bot ")
	a := s.world.appWithToken(token)
	switch {
	case isBot && a != nil:
		s.world.app = a
	case x.Route.auth == authNone: // /gateway does not look at the token: a wrong one shows at the identify
	case x.Route.auth != authToken || auth != "":
		return rules.ErrUnauthorized
	}
	if x.Route.auth == authToken {
		s.world.app = appOfRoute(s.world, x)
	}
	return nil
}

// parse reads the body of a method that has one.
func (x *exchange) parse(body []byte) (err error) {
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
func (e *endpoint) parameters(path string) map[string]string {
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
func (x *exchange) resource() string {
	for _, key := range []string{"channel_id", "guild_id", "webhook_token", "interaction_token"} {
		if v := x.Params[key]; v != "" {
			return v
		}
	}
	return ""
}

// write describes a write of the request.
func (x *exchange) write(action string) Write {
	how := Write{Action: action, Method: x.Route.method, Route: x.Route.template, Auth: "bot", Body: json.RawMessage(x.Raw)}
	if x.Route.auth == authToken {
		how.Auth = "interaction"
		if x.call != nil {
			how.CallID = x.call.id
		}
	}
	return how
}

// appOfRoute finds the application that a route with an interaction token is for.
func appOfRoute(w *World, x *exchange) *App {
	if c := w.byID[x.Params["interaction_id"]]; c != nil {
		return c.app
	}
	for _, a := range w.apps {
		if a.id == x.Params["webhook_id"] {
			return a
		}
	}
	return w.app
}
