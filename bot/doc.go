// Package bot is the game on Discord: interactions in, messages out.
//
// Its middle is pure. A match changes by the functions of match.go and
// challenge.go, which take the record, the event and the time and return the new
// record or a refusal; the views turn records into messages. Handlers load, call,
// save and return a response. The router alone acknowledges interactions, the
// painter alone redraws messages that are already there, and errors.go alone turns
// errors into words.
//
// A move is committed to the store before anybody sees it. Nothing that is needed
// to go on after a restart lives in memory; what does (the newest token that can
// edit a message, what was last drawn there) only makes things faster.
//
// The package chooses no moves, opens no database and reads no environment; it
// knows neither the local Discord nor which backend keeps its records.
package bot
