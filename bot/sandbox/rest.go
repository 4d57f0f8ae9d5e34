package sandbox

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// endpoint is one route of the REST API. serve runs with the server's lock held
// and must not wait for anything.
type endpoint struct {
	method   string
	template string
	segments []string
	auth     authKind
	serve    func(*Server, *exchange) (status int, body any, err error)
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
	request *http.Request
	route   *endpoint
	params  map[string]string
	query   url.Values
	raw     []byte // the JSON as it came, also from a multipart body
	body    any    // raw decoded; nil without a body
	files   []upload
	call    *Call // the interaction it is for, if any
	record  Request
	fault   *restEffect
}

// upload is a file of a multipart body.
type upload struct {
	id      string // n of files[n]
	name    string
	content []byte
}

// object is the body as an object; a request without one has an empty object.
func (x *exchange) object() (map[string]any, error) {
	if x.body == nil {
		return map[string]any{}, nil
	}
	f := newForm()
	o, _ := f.object(x.body)
	return o, f.err()
}

// userAgent is what Discord's documentation demands of an application.
var userAgent = regexp.MustCompile(`^DiscordBot \([^ ,]+, ?[^ ]+\)`)

// handler serves everything: the Gateway, the API, and the page elsewhere.
func (s *Server) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !servedHost(r.Host, s.listener.Addr().String()):
			http.Error(w, "sandbox: this host is not served here", http.StatusForbidden)
		case r.URL.Path == gatewayPath || r.URL.Path == gatewayPath+"/":
			s.serveGateway(w, r)
		case r.URL.Path == "/api" || strings.HasPrefix(r.URL.Path, "/api/"):
			s.serveAPI(w, r)
		case s.page == nil:
			http.NotFound(w, r)
		case !s.ownOrigin(r):
			http.Error(w, "sandbox: requests of other sites are refused", http.StatusForbidden)
		default:
			s.page.ServeHTTP(w, r)
		}
	})
}

// servedHost reports whether a Host header names this server, which listens at
// that address. Names that a hostile page could have pointed at loopback do not.
func servedHost(host, listener string) bool {
	u, err := url.Parse("http://" + host)
	if err != nil || u.Host != host {
		return false
	}
	_, own, _ := net.SplitHostPort(listener)
	return loopbackName(u.Hostname()) && cmp.Or(u.Port(), "80") == own
}

// ownOrigin reports whether a request for the page comes from the page itself or
// from the address bar.
func (s *Server) ownOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		// Following a link here is harmless; anything else is not.
		return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate"
	}
	return true
}

// serveAPI answers one REST request and records it.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	started := time.Now()
	x := &exchange{request: r, query: r.URL.Query()}
	x.record = Request{
		At: s.clock.Now(), Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: redacted(r.Header),
	}
	body, readErr := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBytes))
	x.record.Body = body

	status, answer, header := s.answer(x, body, readErr)
	if x.fault != nil {
		status, answer, header = s.applyFault(w, x, status, answer, header)
	}
	x.record.Status, x.record.Response, x.record.ResponseHeader = status, answer, header
	x.record.Took = time.Since(started)
	s.keepRequest(x.record)
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

func redacted(h http.Header) http.Header {
	h = h.Clone()
	if h.Get("Authorization") != "" {
		h.Set("Authorization", "[redacted]")
	}
	return h
}

// answer finds the route and serves the request, unless a fault keeps it from
// taking effect.
func (s *Server) answer(x *exchange, body []byte, readErr error) (int, []byte, http.Header) {
	rest, ok := strings.CutPrefix(x.request.URL.Path, s.opt.BasePath+"/")
	if !ok {
		x.record.Unserved = true
		return encode(0, nil, errNotFound, nil)
	}
	x.record.Path = "/" + rest
	segments := strings.Split(rest, "/")
	known := false
	for i := range endpoints {
		e := &endpoints[i]
		params, ok := e.match(segments)
		if !ok {
			continue
		}
		known = true
		if e.method == x.request.Method {
			x.route, x.params = e, params
			break
		}
	}
	if x.route == nil {
		x.record.Unserved = true
		if known {
			return encode(0, nil, errMethod, nil)
		}
		return encode(0, nil, errNotFound, nil)
	}
	x.record.Route = x.route.template

	s.mu.Lock()
	s.takeRestFault(x)
	s.mu.Unlock()
	if x.fault != nil {
		if !s.pause(x) || !x.fault.apply && (x.fault.status != 0 || x.fault.reset) {
			return 0, nil, nil
		}
	}
	parseErr := readErr
	if parseErr == nil {
		parseErr = x.parse(body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.serveLocked(x, parseErr)
}

// serveLocked checks who asks and how often, and lets the route answer.
func (s *Server) serveLocked(x *exchange, parseErr error) (int, []byte, http.Header) {
	header := http.Header{}
	if s.limits.banned() {
		return htmlPage(http.StatusTooManyRequests, "error code: 1015", 10*time.Minute)
	}
	if err := s.authorise(x); err != nil {
		s.limits.invalid()
		return encode(0, nil, err, header)
	}
	if limited := s.limits.take(x, s.opt, header); limited != nil {
		s.limits.invalid()
		return encode(limited.status, limited.body, nil, header)
	}
	var tooLarge *http.MaxBytesError
	if errors.As(parseErr, &tooLarge) {
		parseErr = errTooLarge
	}
	status, body, err := 0, any(nil), parseErr
	if err == nil {
		status, body, err = x.route.serve(s, x)
	}
	if err != nil {
		var refused *apiError
		if !errors.As(err, &refused) {
			refused = errServer
		}
		if refused.status == http.StatusUnauthorized || refused.status == http.StatusForbidden {
			s.limits.invalid()
		}
		if x.call != nil {
			x.call.problems = append(x.call.problems, problem(x, refused))
			s.publishCallLocked(x.call)
		}
	}
	if x.call != nil {
		x.record.CallID = x.call.id
	}
	return encode(status, body, err, header)
}

// problem puts a refused request in one line, without the token.
func problem(x *exchange, e *apiError) string {
	detail := ""
	if len(e.errors) > 0 {
		b, _ := json.Marshal(e.errors)
		detail = " " + string(b)
	}
	return fmt.Sprintf("%s %s: %s%s", x.route.method, x.route.template, e, detail)
}

func encode(status int, body any, err error, header http.Header) (int, []byte, http.Header) {
	if header == nil {
		header = http.Header{}
	}
	if err != nil {
		refused := errServer
		_ = errors.As(err, &refused)
		status, body = refused.status, refused.body()
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

// authorise checks the client's name and its token.
func (s *Server) authorise(x *exchange) error {
	if !userAgent.MatchString(x.request.UserAgent()) {
		return errUserAgent
	}
	auth := x.request.Header.Get("Authorization")
	right := auth == "Bot "+s.token && !s.faults.revoked
	switch {
	case x.route.auth == authNone, right:
		return nil // /gateway does not look at the token: a wrong one shows at the identify
	case x.route.auth == authToken && auth == "":
		return nil
	}
	return errUnauthorized
}

// parse decodes the body: JSON, or a multipart form with a part payload_json.
func (x *exchange) parse(body []byte) error {
	if len(body) == 0 || x.request.Method == http.MethodGet || x.request.Method == http.MethodDelete {
		return nil
	}
	kind, params, err := mime.ParseMediaType(x.request.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "application/json":
		x.raw = body
	case err == nil && kind == "multipart/form-data":
		if err := x.parseMultipart(body, params["boundary"]); err != nil {
			return err
		}
	default:
		return &apiError{
			status: http.StatusBadRequest, code: 50035, message: "Invalid Form Body",
			errors: map[string]any{"_errors": []any{map[string]any{
				"code":    "CONTENT_TYPE_INVALID",
				"message": `Expected "Content-Type" header to be one of {'application/json', 'multipart/form-data'}.`,
			}}},
		}
	}
	if x.raw == nil {
		return nil
	}
	if x.body, err = decodeJSON(x.raw); err != nil {
		return errBadJSON
	}
	return nil
}

var filePart = regexp.MustCompile(`^files?\[(\d+)\]$`)

func (x *exchange) parseMultipart(body []byte, boundary string) error {
	f := newForm()
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			f.fail("MULTIPART_INVALID", "The multipart body could not be read.")
			return f.err()
		}
		content, err := io.ReadAll(part)
		if err != nil {
			f.fail("MULTIPART_INVALID", "The multipart body could not be read.")
			return f.err()
		}
		if part.FormName() == "payload_json" {
			x.raw = content
			continue
		}
		m := filePart.FindStringSubmatch(part.FormName())
		if m == nil || part.FileName() == "" {
			continue // Discord ignores parts that it does not know
		}
		if len(content) > maxFileBytes {
			return errTooLarge
		}
		if slices.ContainsFunc(x.files, func(u upload) bool { return u.id == m[1] }) {
			f.at("files").at(m[1]).fail("ATTACHMENT_DUPLICATED", "A file of that number was already given")
			continue
		}
		x.files = append(x.files, upload{m[1], part.FileName(), content})
	}
	if len(x.files) > maxFiles {
		f.at("files").length(len(x.files), 0, maxFiles)
	}
	return f.err()
}

// match returns the parameters when the path is one of this route's.
func (e *endpoint) match(path []string) (map[string]string, bool) {
	if len(path) != len(e.segments) {
		return nil, false
	}
	params := map[string]string{}
	for i, want := range e.segments {
		if strings.HasPrefix(want, "{") {
			if path[i] == "" {
				return nil, false
			}
			params[strings.Trim(want, "{}")] = path[i]
		} else if want != path[i] {
			return nil, false
		}
	}
	return params, true
}

// keptBody is how much of a body a server that forgets remembers: every
// message, and the beginning of an upload.
const keptBody = 64 << 10

// keepRequest records a request and tells the hooks.
func (s *Server) keepRequest(r Request) {
	s.mu.Lock()
	kept, limit := r, s.opt.KeepRequests
	if limit > 0 && len(r.Body) > keptBody {
		kept.Body = bytes.Clone(r.Body[:keptBody])
	}
	s.record.requests = append(s.record.requests, kept)
	if limit > 0 && len(s.record.requests) > 2*limit {
		s.record.requests = append([]Request(nil), s.record.requests[len(s.record.requests)-limit:]...)
	}
	hooks := s.record.hooks
	s.notifyLocked()
	s.mu.Unlock()
	for _, f := range hooks {
		f(r)
	}
}
