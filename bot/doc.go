// Package bot is the game on Discord: interactions in, answers out.
//
// # A click's way
//
// Whoever delivers an interaction decodes it and calls [Bot.Handle] (handle.go) with an
// [Answerer]. Handle drops what was delivered before (seen.go) or can no longer be
// answered (deadline.go), and makes a request of the rest, with what its guild and its
// person have set (request.go, settings.go). The routing table (route.go) finds the
// handler. A handler loads a record, has package match change it, stores the result
// (change.go) and returns a response: the message that package view makes of it.
// acknowledge (answer.go) sends that as the one answer. Where it shows a record it goes
// through package tracker, which remembers the message and redraws it when the record
// has moved on.
//
// # Where to look
//
//   - Where is Accept handled? route.go names the handler of every command and button:
//     challenges.accept, in challenge.go. What it does to the record is in the file of
//     the same name in package match, what is then seen in that of package view.
//   - What happens on a conflict? Bot.change in change.go tries again over what is stored
//     by then, five times. No other place does.
//   - Who knows that a channel is busy? Bot.place in change.go.
//   - How do I add a subcommand? A row in route.go, its definition in view/commands.go,
//     its texts in view/locales, and a handler in a file of its own. A test tells what is
//     missing.
//   - How do I add a button? An action in package customid, the button in a view, a row in
//     route.go.
//   - Where are the words? In view/locales, one file a language. A refusal is an error of
//     match/errors.go, which view/refusal.go says in words. refuse.go adds what they need
//     to know, and answers failures that are ours.
//   - What happens when nobody clicks? upkeep.go has the loop: what has fallen due
//     (expire.go), what an outage has left behind (catchup.go), channels that are gone
//     and threads that are locked (unreachable.go).
//   - How does a match end? In match.End, always.
//
// # What holds
//
// A change is committed to the store before anybody sees it. Nothing that is needed to
// go on after a restart lives in memory; what does (the newest token that can edit a
// message, what was last drawn there, settings) only makes things faster. Any process
// handles any interaction: what a message shows is kept in order within a process, and
// between processes by versions alone, since whoever has sent a picture looks again.
// What nobody clicks for is done by the process that owns the clock domain (lease.go).
//
// The package chooses no moves, opens no database and reads no environment; it knows
// neither the local Discord nor which backend keeps its records. README.md shows a
// click at work, and how to add a language.
package bot
