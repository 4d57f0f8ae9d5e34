// Package store says what the bot keeps and what is promised about it: records,
// sentinel errors, and the rules that every backend obeys. It contains no SQL and
// opens nothing; the backends are its subpackages, and package storetest holds
// them to the promises below.
//
// # Promises
//
// Durable: when Apply returns nil the change has been committed and survives the
// loss of the process and of power. When it returns an error other than
// [ErrPending] nothing of the change has been stored.
//
// Whole: everything in one [Change] is stored together or not at all, however
// many changes a backend commits at once.
//
// Versioned: a record is stored only over the version that its writer has read.
// Of two writers who read the same version one succeeds, the other gets
// [ErrConflict] and has changed nothing.
//
// Once: an interaction is claimed by at most one change.
//
// Guarded by the database itself, not only by code: a place in a channel has at
// most one active match, and a pair of people has at most one open challenge in
// a guild.
//
// Append only: the moves of a match are only ever added to, and moves and result
// of an ended match never change ([ErrImmutable]).
//
// All methods of a backend may be called concurrently.
package store

import (
	"time"

	"tictactoe/engine"
)

// The ids of Discord's entities: snowflakes, kept as the decimal strings in which
// Discord sends them. The empty string is no id.
type (
	UserID        string
	GuildID       string
	ChannelID     string
	MessageID     string
	InteractionID string
)

// MatchID identifies a match. It is positive and chosen at random by whoever
// creates the match; 0 is no match.
type MatchID int64

// ChallengeID identifies a challenge, as [MatchID] does a match.
type ChallengeID int64

// Player has a seat in a match: a person, or one of the program's opponents by
// its name. Exactly one of the fields is set.
type Player struct {
	User     UserID
	Opponent string
}

// IsUser reports whether the player is a person.
func (p Player) IsUser() bool { return p.User != "" }

// State says whether a match is being played. The numbers are stored.
type State uint8

// The states of a match.
const (
	Active State = 10
	Ended  State = 20
)

// EndReason says how a match ended. Who won is [Match.Winner]. The numbers are
// stored.
type EndReason uint8

// The end reasons.
const (
	NotEnded    EndReason = 0
	ByLine      EndReason = 10 // the winner has a line
	FullBoard   EndReason = 20 // a draw
	Resignation EndReason = 30 // the loser gave up
	Clock       EndReason = 40 // the loser ran out of time
	Idle        EndReason = 50 // against the program: no move in time, nobody wins
	Stopped     EndReason = 60 // by a moderator, counts for nobody
	Abandoned   EndReason = 70 // nobody touched it for a week, counts for nobody
	Unreachable EndReason = 80 // its channel or guild is gone, counts for nobody
)

// Score counts earlier matches of a series by the seats of the match that holds
// it: those won by the player who now has X, by the one who has O, and draws.
type Score struct {
	X, O, Draws int
}

// Played reports whether the series has an earlier match.
func (s Score) Played() bool { return s != Score{} }

// Match is a game between two players in a channel.
type Match struct {
	ID      MatchID
	Guild   GuildID // empty in a direct message
	Channel ChannelID

	// Place is the place that the match takes in its channel, from 1. A private
	// match takes none: 0.
	Place int

	// Message is the message that shows the board, empty while unknown. Drawn is
	// the highest version that Discord is known to have shown there, and Notice a
	// line of text to be removed at the next move. A backend takes these three from
	// the record only when it is created; afterwards they are changed by notes.
	Message MessageID
	Drawn   int
	Notice  MessageID

	Rules     engine.Rules
	X, O      Player
	Moves     []engine.Cell // a legal sequence under Rules
	State     State
	EndReason EndReason
	Winner    engine.Mark // None without a winner
	EndedBy   UserID      // the moderator who stopped it

	// Clock is the time for a move, 0 for none. Deadline is when the match falls
	// due, as a point in the bot's up-time (see Uptime), 0 for never: the side to
	// move runs out of time, or nobody has touched the match for too long; after the
	// end, the offer of a rematch lapses.
	Clock    time.Duration
	Deadline time.Duration

	CellNames bool   // empty cells show their names
	Locale    string // of the board, as Discord writes locales

	Series             Score
	RematchX, RematchO bool    // who has offered a rematch
	Next               MatchID // the rematch, once there is one

	// Version is 0 in a record to be created and grows by one with every stored
	// change.
	Version          int
	Created, Updated time.Time // to the millisecond, UTC
}

// Player returns the player who has the mark.
func (m Match) Player(mark engine.Mark) Player {
	switch mark {
	case engine.X:
		return m.X
	case engine.O:
		return m.O
	default:
		return Player{}
	}
}

// Seat returns the mark of the user, None for somebody who is not in the match.
func (m Match) Seat(user UserID) engine.Mark {
	switch {
	case user == "":
		return engine.None
	case m.X.User == user:
		return engine.X
	case m.O.User == user:
		return engine.O
	default:
		return engine.None
	}
}

// Private reports whether only its player sees the match.
func (m Match) Private() bool { return m.Place == 0 }

// First says who has the first move in a match that comes of a challenge. The
// numbers are stored.
type First uint8

// Who moves first.
const (
	FirstChallenger First = 10
	FirstOpponent   First = 20
	FirstRandom     First = 30
)

// ChallengeState says what became of a challenge. The numbers are stored.
type ChallengeState uint8

// The states of a challenge.
const (
	Open      ChallengeState = 10
	Accepted  ChallengeState = 20
	Declined  ChallengeState = 30
	Cancelled ChallengeState = 40
	Expired   ChallengeState = 50
	Renewed   ChallengeState = 60 // expired, then made anew: its message offers nothing more
)

// Challenge is an offer to play, to one person or, as an open table, to anybody.
type Challenge struct {
	ID      ChallengeID
	Guild   GuildID
	Channel ChannelID
	Message MessageID // as in Match: set by notes

	Challenger UserID
	Opponent   UserID // empty for an open table

	Rules       engine.Rules
	First       First
	Clock       time.Duration // for the match to come
	Locale      string        // the challenger's
	GuildLocale string

	State    ChallengeState
	Match    MatchID       // once accepted
	Deadline time.Duration // in up-time, as in Match

	Version          int
	Created, Updated time.Time
}

// Change is what is stored together.
type Change struct {
	// Interaction is claimed by the change; when an earlier change has claimed it
	// the whole change fails with ErrClaimed. Empty claims nothing.
	Interaction InteractionID
	// Matches and Challenges are created where Version is 0 and otherwise stored
	// over that version, in order. What is stored has the next version; the caller's
	// records stay as they are.
	Matches    []Match
	Challenges []Challenge
	// Uptime is the bot's up-time at which the change was made; it is saved along
	// with it unless a later one is (see SaveUptime). Otherwise a deadline could be
	// stored that lies far ahead of an up-time that was lost with its process.
	Uptime time.Duration
}

// Note is something learned from Discord that may be lost: which message shows a
// match or a challenge, and which version it shows. It costs no commit of its
// own: it is stored along with the next change, or when the store is closed.
// Notes change no Version.
type Note struct {
	Match     MatchID     // the match it is about, or
	Challenge ChallengeID // the challenge
	Message   MessageID   // where it is shown; empty leaves that as it is
	Drawn     int         // version shown; lower than the stored one is ignored, unless Message is another one than before
	Notice    *MessageID  // nil leaves it as it is
}
