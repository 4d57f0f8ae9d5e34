package page

import (
	"crypto/rand"
	"net/http"
	"sync"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/api"
	"tictactoe/bot/sandbox/internal/webjson"
)

// apiBase is where the page asks the test API.
const apiBase = "/page/v1"

// page serves the local Discord to a browser.
type page struct {
	srv   *sandbox.Server
	boot  string // tells one run of the server from the next
	crowd *crowd

	restartSession func() error // nil where that is not offered
	restarting     sync.Mutex
}

// New returns the handler of the web page on which a person plays against the
// bot that is connected to srv; mount it with sandbox.Options.Handler. People and channels
// are those that there are: see Furnish.
//
// restartSession makes the bot close its Gateway session and open another, for the button of
// that name. It may take a while and is called by one goroutine at a time. Nil hides the
// button.
//
// The page serves one trusted person on this machine: everybody who reaches it
// can act as anyone in the sandbox. Requests of other sites are refused, and so
// are hosts other than loopback, because a hostile site could point its own name
// there. The handler may be called by several goroutines at once.
func New(srv *sandbox.Server, restartSession func() error) http.Handler {
	p := &page{srv: srv, boot: rand.Text(), crowd: &crowd{srv: srv}, restartSession: restartSession}
	return p.guard(p.routes())
}

// routes is the table of everything that the page answers.
func (p *page) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { serveAsset(w, r, "index.html") })
	mux.HandleFunc("GET /assets/{name...}", func(w http.ResponseWriter, r *http.Request) { serveAsset(w, r, r.PathValue("name")) })

	mux.HandleFunc("GET /page/stream", p.stream)
	mux.HandleFunc("GET /page/state", format.Do(p.getState))
	mux.HandleFunc("GET /page/messages", format.Do(p.getMessages))
	mux.HandleFunc("GET /page/emojis/{id}", p.getEmoji)
	mux.HandleFunc("GET /page/commands", format.Do(p.getCommands))
	mux.HandleFunc("GET /page/interactions", format.Do(p.getInteractions))
	mux.HandleFunc("GET /page/interactions/{id}", format.Do(p.getInteraction))

	mux.HandleFunc("POST /page/person", webjson.Post(format, p.addPerson))
	mux.HandleFunc("POST /page/guild", webjson.Post(format, p.changeGuild))
	mux.HandleFunc("POST /page/crowd", webjson.Post(format, p.setCrowd))
	mux.HandleFunc("POST /page/restart", webjson.Post(format, p.restart))
	// The page guards it. What people do, and everything else that it is offered for, goes there.
	mux.Handle(apiBase+"/", api.Unlocked(p.srv, apiBase))
	return mux
}
