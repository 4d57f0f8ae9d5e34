// Package page is the web page of the local Discord: on it a person is anybody in
// a [tictactoe/bot/sandbox.Server], uses what the connected bot offers, and
// causes faults. It imports the server, which knows nothing of it, and it knows no
// particular bot.
//
// The page's scripts speak to the handlers of this package by JSON and are told
// of changes over a WebSocket.
package page
