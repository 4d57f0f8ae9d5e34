// Package tracker keeps the messages of matches and challenges in step with their
// records: it knows which message shows a record, in which version, and who can edit
// it.
//
// There are two ways to a message. [Tracker.Show] sends what shows a record as the
// answer to an interaction, [Tracker.Redraw] edits the message that is there. What
// one message shows is sent one after the other and never goes backwards: whoever has
// sent something compares the stored version afterwards, and draws again if it has
// moved on. No lock is held over a request.
//
// What is remembered about a message makes things faster, and lets the tracker edit
// where only a fresh interaction token may. It is bounded and may be lost.
//
// The package does not know what a board looks like, changes no record and answers
// no interaction by itself.
package tracker
