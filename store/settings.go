package store

import "time"

// ClockSetting is a choice of how long a move may take. The zero value says that
// nothing was chosen.
type ClockSetting struct {
	Set   bool
	Limit time.Duration // 0 for no clock
}

// Or returns the chosen limit, or the one given where nothing was chosen.
func (c ClockSetting) Or(limit time.Duration) time.Duration {
	if c.Set {
		return c.Limit
	}
	return limit
}

// Switch is a choice between on and off. The numbers are stored; the zero value says
// that nothing was chosen.
type Switch uint8

// The positions of a switch.
const (
	On  Switch = 10
	Off Switch = 20
)

// Or returns the choice, or the one given where nothing was chosen.
func (s Switch) Or(on bool) bool {
	if s == 0 {
		return on
	}
	return s == On
}

// known reports whether there is such a position, or none.
func (s Switch) known() bool { return s == 0 || s == On || s == Off }

// Threads says when public matches are played in threads of their own. The numbers are
// stored; the zero value says that nothing was chosen.
type Threads uint8

// When there are threads.
const (
	ThreadsNever   Threads = 10
	ThreadsOffered Threads = 20 // to whom finds all places of a channel taken
	ThreadsAlways  Threads = 30
)

// MostPlaces is how many places a guild can give each of its channels.
const MostPlaces = 25

// GuildSettings are what a guild has set. A setting that is not set has its zero
// value.
type GuildSettings struct {
	Guild  GuildID
	Clock  ClockSetting
	Locale string // the language of boards, as Discord writes locales
	Places int    // how many public matches a channel has at once, at most [MostPlaces]

	Threads   Threads
	Reminders Switch // whether people are told that it is their turn

	// Games is the channel in which, and in whose threads, public matches and challenges are
	// made; empty for everywhere.
	Games ChannelID

	Leaderboard Switch // whether anybody can look at the standings
	Crowns      Switch // whether channels have kings

	// Board and Opponent are what a match is of for which nobody chooses them: the rules
	// as engine.Rules writes them, and the name of an opponent of the program.
	Board, Opponent string

	Marks Marks // how boards that are begun show the marks

	// NoHintsSince is from when on matches that are begun have no hints; zero for none.
	// It is kept to the millisecond.
	NoHintsSince time.Time

	Puzzle PuzzlePost
	Stops  StopPosts

	Version int // as in Match
}

// Marks says which set of marks a board shows. The numbers are stored; the zero value is
// the usual set.
type Marks uint8

// The other sets.
const (
	MarksBlocks Marks = 10 // squares and discs
	MarksHearts Marks = 20 // hearts and stars
	MarksSky    Marks = 30 // moons and suns
)

// known reports whether there is such a set.
func (m Marks) known() bool {
	return m == 0 || m == MarksBlocks || m == MarksHearts || m == MarksSky
}

// RoleID is the id of a role of a guild.
type RoleID string

// PuzzlePost says where and when a guild wants the puzzle of each day.
type PuzzlePost struct {
	Channel ChannelID // empty for nowhere
	Hour    int       // of the day, in UTC
	Role    RoleID    // whom each post notifies; empty for nobody
	// Due is when the next is to be posted, to the second; zero for never. Whoever posts
	// one moves it on first, over the version that they read.
	Due time.Time
	// Fault says why posting has ended, until it is set again.
	Fault ChannelFault
	// Counted is the last day, since 1970, that the next two take into account; 0 for none.
	Counted int64
	Streak  int // days up to it on each of which enough people solved the puzzle there
	Idle    int // days up to it on which nobody there looked at it
}

// StopPosts says where a guild wants to be told that a moderator has stopped a match.
type StopPosts struct {
	Channel ChannelID    // empty for nowhere
	Fault   ChannelFault // why it ended, until it is set again
}

// ChannelFault is why nothing is posted any more in a channel that a guild had set. The
// numbers are stored.
type ChannelFault uint8

// The faults.
const (
	ChannelGone         ChannelFault = 10
	ChannelNotPermitted ChannelFault = 20
)

// known reports whether there is such a fault, or none.
func (f ChannelFault) known() bool { return f == 0 || f == ChannelGone || f == ChannelNotPermitted }

// PlaysBy is by what somebody wants to play. The numbers are stored; the zero value, buttons,
// is also what was not set.
type PlaysBy uint8

// What there is beside buttons.
const (
	ByNames PlaysBy = 10 // buttons with the names of empty cells on them
	ByList  PlaysBy = 20 // text and a list of the cells
)

// OwnMark is with which mark texts show somebody. The numbers are stored; the zero value, X or
// O, whichever they play, is also what was not set.
type OwnMark uint8

// What there is beside X and O: 24 marks from the star to the rocket, of which those have a name
// here that more than their picture hangs on.
const (
	MarkStar   OwnMark = 1
	MarkHeart  OwnMark = 2
	MarkMoon   OwnMark = 4
	MarkSun    OwnMark = 5
	MarkRocket OwnMark = 24

	// AlwaysXO is for X and O alone on every board on which they play, whatever others have
	// chosen.
	AlwaysXO OwnMark = 100
)

// Chosen reports whether it is one of the 24.
func (m OwnMark) Chosen() bool { return MarkStar <= m && m <= MarkRocket }

// known reports whether there is such a mark.
func (m OwnMark) known() bool { return m == 0 || m.Chosen() || m == AlwaysXO }

// Person is what a person has set, everywhere.
type Person struct {
	User   UserID
	Clock  ClockSetting
	Locale string // the language in which they are spoken to

	Reminders  Switch // whether they are told that they are waited for
	PlaysBy    PlaysBy
	Recap      Switch // whether what a guild's day brought may name them
	CrownCalls Switch // whether a challenge for their crown notifies them
	Mark       OwnMark

	Version int // as in Match
}
