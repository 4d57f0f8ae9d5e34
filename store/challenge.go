package store

import (
	"time"

	"tictactoe/engine"
)

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
	Dismissed ChallengeState = 70 // closed by a moderator
	Hidden    ChallengeState = 80 // nobody but its maker saw it
)

// Challenge is an offer to play, to one person or, as an open table, to anybody.
type Challenge struct {
	ID      ChallengeID
	Guild   GuildID
	Channel ChannelID
	Message MessageID // as in Match
	Drawn   int       // as in Match

	Challenger UserID
	Opponent   UserID // empty for an open table

	Rules       engine.Rules
	First       First
	Clock       time.Duration // for the match to come
	BestOf      int           // as in Match
	Locale      string        // in which it asks: the challenger's, unless the guild has set one
	GuildLocale string
	// OpponentLocale is the language that who is asked has chosen, and in which it asks then;
	// empty where they have chosen none.
	OpponentLocale string

	// Crown is the channel of whose crown the opponent is asked for a game as its king, empty
	// for any other challenge. Quiet says that it notifies nobody.
	Crown ChannelID
	Quiet bool

	State    ChallengeState
	Match    MatchID       // once accepted
	Next     ChallengeID   // that was made in its place, once renewed
	Deadline time.Duration // as in Match

	TokenOnly bool // as in Match
	// InGroup says that it was made among a group of people, of which Discord does not tell
	// who is in it.
	InGroup bool

	Version          int
	Created, Updated time.Time
}
