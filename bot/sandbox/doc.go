// Package sandbox is a Discord on loopback: the part of Discord's REST API and
// Gateway that an application with slash commands and buttons meets, with
// simulated people who use it. It is to Discord what net/http/httptest is to a
// web site: an unmodified discordgo session talks to it and cannot tell.
//
// A test starts a [Server], points its bot at [Server.APIURL] with
// [Server.Token], and lets people act:
//
//	srv := sandbox.NewServer(t)
//	alice, bob := srv.User("Ada"), srv.User("Bob")
//	general := srv.Guild().Channel("general")
//	reply := alice.Command(t, general, "tictactoe challenge", sandbox.OptUser("user", bob))
//	reply = bob.Click(t, reply.Message, "Accept")
//
// The server is strict: what Discord documents as refused is refused with
// Discord's status, code and error body, and a test whose interaction was never
// answered fails. Faults that a bot has to survive have names, such as
// [Faults.RateLimitNext] and [Faults.DropGateway].
//
// What it will not do: it never leaves the loopback interface, it has no voice, no
// OAuth2, no polls, forwards or monetization, it does not forward anything to
// Discord, and it keeps everything in memory. It knows nothing of any particular
// bot. SERVED.md lists what of Discord it serves.
//
// A file here holds a noun: its state, what people do to it, and the routes by which bots do.
// Where bots connect is package internal/gateway, which knows of the world only which
// applications there are and in which guilds. How requests are taken is package
// internal/rest, which leaves what they are about to the endpoints here. Registered commands
// are in internal/command, what clients let people send in internal/client, who listens in
// internal/feed, what is posted to endpoints in internal/post, and the form in which a world is
// kept in internal/kept. What Discord refuses is in package rules, what members may do in permission, what there is of
// Discord's API in operations; the web page on which a person plays is in package page and
// a test API for any language in package api, which both import this one. Package foreign
// tries it with libraries of others.
package sandbox
