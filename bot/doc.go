// Package bot is the game on Discord: interactions in, answers out.
//
// # A click's way
//
// Whoever delivers an interaction decodes it and calls [Bot.Handle] with a
// [dispatch.Answerer]. Package dispatch drops what was delivered before or can no longer be
// answered, and finds the handler. It knows no feature: what it asks of a bot is handle.go
// here, which makes a [kit.Request] of the interaction, with what its guild and its person
// have set. The handler is in a room: games, puzzles, people or guilds. It loads a record,
// has package match change it, stores the result through package change, and returns a
// [kit.Response]: the message that package view makes of it. Acknowledge (answer.go) sends
// that as the one answer. Where it shows a record it goes through package tracker, which
// remembers the message and redraws it when the record has moved on.
//
// # Where to look
//
//   - Where is Accept handled? Routes of each room, and routes of each part of games, names the
//     handlers of its commands and buttons: challenges.accept, in games/challenge.go. What it
//     does to the record is in the file of the same name in package match, what is then seen in
//     that of package view.
//   - What happens on a conflict? [change.Changer.Do] tries again over what is stored by
//     then, five times, and so does package change where no interaction asks for a change.
//   - Who knows that a channel is busy? [change.Changer.MayOpen].
//   - How do I add a subcommand, a button, a setting? README.md says it.
//   - Where are the words? In view/locales, one file a language. A refusal is an error of
//     match/errors.go, which view/refusal.go says in words. refuse.go adds what they need
//     to know, and answers failures that are ours.
//   - What happens when nobody clicks? Package upkeep has the loop: what has fallen due,
//     what an outage has left behind, leases. Channels that are gone and threads that are
//     locked are met by an edit (records.go).
//   - How does a match end? In match.End, always.
//
// # What holds
//
// A change is committed to the store before anybody sees it. Nothing that is needed to
// go on after a restart lives in memory; what does (the newest token that can edit a
// message, what was last drawn there, settings) only makes things faster. Any process
// handles any interaction: what a message shows is kept in order within a process, and
// between processes by versions alone, since whoever has sent a picture looks again.
// What nobody clicks for is done by the process that owns the clock domain.
//
// The package chooses no moves, opens no database and reads no environment; it knows
// neither the local Discord nor which backend keeps its records. README.md shows a
// click at work.
package bot
