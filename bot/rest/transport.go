package rest

import (
	"net/http"
	"net/url"
	"strings"
)

// Transport returns the RoundTripper for the Client of a discordgo session: it
// sends what the library addresses to https://discord.com/api/v<any> to the base
// URL of c, over the connections of c, and rejects every other address. It
// applies no limits of its own.
func (c *Client) Transport() http.RoundTripper { return rewriter{c} }

type rewriter struct{ c *Client }

// libraryBase is where discordgo sends its requests, up to the version number.
const libraryBase = "https://discord.com/api/v"

func (t rewriter) RoundTrip(req *http.Request) (*http.Response, error) {
	target, err := t.target(req.URL)
	if err != nil {
		if req.Body != nil {
			_ = req.Body.Close() // a RoundTripper closes the body, also on errors
		}
		return nil, err
	}
	out := req.Clone(req.Context())
	out.URL, out.Host = target, target.Host
	resp, err := t.c.routes.Transport.RoundTrip(out)
	if err != nil {
		return nil, Redact(err)
	}
	resp.Request = req
	return resp, nil
}

func (t rewriter) target(u *url.URL) (*url.URL, error) {
	rest, ok := strings.CutPrefix(u.String(), libraryBase)
	_, path, found := strings.Cut(rest, "/")
	if !ok || !found {
		return nil, ErrBadArgument
	}
	return url.Parse(t.c.base + "/" + path)
}
