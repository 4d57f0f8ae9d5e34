package view

import (
	"cmp"
	"time"

	"tictactoe/bot/match"
	"tictactoe/store"
)

// View makes messages in one language at one moment: each of its features has those that it
// shows, and what they have in common is here. The moment is given both as
// wall time and as the up-time of each guild's clock domain, in which deadlines are
// kept.
type View struct {
	Words
	Now    time.Time
	Uptime func(store.GuildID) time.Duration
	// Names are those under which people appear in place of mentions, where everybody sees
	// a message that nobody asked for: whoever is mentioned there would be notified.
	Names map[store.UserID]string
	// Command returns how a subcommand is mentioned: as a link once its id is known.
	Command func(name string) string
	// OwnMarks are the application's own, where it has them.
	OwnMarks OwnMarks
	// Usual is the match against the program that somebody gets who chooses nothing; the
	// zero value is [match.DefaultChoice].
	Usual match.Choice
	// NoHintsSince returns from when on matches that are begun in the guild have no hints,
	// the zero time where all have them. Without it all do.
	NoHintsSince func(store.GuildID) time.Time
	// UsualClock returns how long a move may take in the guild where nobody says otherwise.
	UsualClock func(store.GuildID) time.Duration
	// PlaysBy returns by what somebody wants to play. Without it everybody has buttons.
	PlaysBy func(store.UserID) store.PlaysBy
	// MarkOf returns which mark somebody has chosen. Without it all have X and O.
	MarkOf func(store.UserID) store.OwnMark
}

// givesHints reports whether the person in the match against the program can ask for a
// hint. One that is being made begins now.
func (v Board) givesHints(m store.Match) bool {
	if m.Created.IsZero() {
		m.Created = v.Now
	}
	return match.AgainstProgram(m) && (v.NoHintsSince == nil || match.HintsGiven(m, v.NoHintsSince(m.Guild)) == nil)
}

func (v View) usual() match.Choice { return cmp.Or(v.Usual, match.DefaultChoice) }

// The features. Each is the View, with the messages of its own.

func (v View) Board() Board           { return Board{View: v} }
func (v View) Challenges() Challenges { return Challenges{v} }
func (v View) Games() Games           { return Games{v} }
func (v View) Reviews() Reviews       { return Reviews{v} }
func (v View) Puzzles() Puzzles       { return Puzzles{v} }
func (v View) Scores() Scores         { return Scores{v} }
func (v View) Settings() Settings     { return Settings{v} }
func (v View) People() People         { return People{v} }
