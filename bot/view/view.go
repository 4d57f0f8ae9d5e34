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
	// Person returns what somebody has set, nothing of nobody, and Guild what a guild has.
	Person func(store.UserID) store.Person
	Guild  func(store.GuildID) store.GuildSettings
	// UsualClock is how long a move may take where nobody says otherwise; 0 is none.
	UsualClock time.Duration
}

// givesHints reports whether the person in the match against the program can ask for a
// hint.
func (v Board) givesHints(m store.Match) bool {
	return match.AgainstProgram(m) && match.HintsGiven(m, v.Guild(m.Guild).NoHintsSince) == nil
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
