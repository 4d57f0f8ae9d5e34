package sandbox

import (
	"cmp"
	"log/slog"
	"net/http"
)

// Options configure a server. The zero value is a good server for tests; every
// zero field means the default that its comment names.
type Options struct {
	// Addr is where to listen, "127.0.0.1:0" by default. An address that is not on
	// loopback is ErrNotLoopback, unless there are AllowHosts and a Key.
	Addr string
	// AllowHosts are names, beside those of loopback, by which the server may be
	// asked, such as "host.docker.internal" by a bot in a container; without a port,
	// which may be mapped to another one. None by default: a hostile page can point a
	// name of its own at this machine.
	AllowHosts []string
	// Key, unless it is empty, is demanded of whoever asks for what Handler serves: as
	// ?key= once by a browser, which gets a cookie for it, and as "Authorization:
	// Bearer" by a program. Bots have their token.
	Key string
	// Log is told, without tokens, what was refused and why, what is not offered here
	// (once), what was slow, which interactions were never answered, and who connects;
	// at level debug every request. Nil discards it.
	Log *slog.Logger
	// Handler makes what is served at every path outside "/api" (the page);
	// nil serves 404 there.
	Handler func(*Server) http.Handler
	// World, Gateway and REST are the options of the three.
	World   WorldOptions
	Gateway GatewayOptions
	REST    RESTOptions
}

// withDefaults returns o with every zero field filled in.
func (o Options) withDefaults() Options {
	o.Addr = cmp.Or(o.Addr, "127.0.0.1:0")
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
