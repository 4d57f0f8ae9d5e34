package store

import (
	"cmp"
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
	NotEnded     EndReason = 0
	ByLine       EndReason = 10 // the winner has a line
	FullBoard    EndReason = 20 // a draw
	Repetition   EndReason = 21 // a draw: the position stood for the third time
	MoveLimit    EndReason = 22 // a draw: [engine.MaxPlies] moves without a line
	Resignation  EndReason = 30 // the loser gave up
	Clock        EndReason = 40 // the loser ran out of time
	Idle         EndReason = 50 // no move in time where nobody loses by that: against the program, or no first one in a later game of a series
	PutAside     EndReason = 55 // against the program: for a match between people; it goes on as its Next
	Stopped      EndReason = 60 // by a moderator, counts for nobody
	Abandoned    EndReason = 70 // nobody touched it for a week, counts for nobody
	Unreachable  EndReason = 80 // its channel or guild is gone, counts for nobody
	ThreadLocked EndReason = 85 // people have locked its thread, counts for nobody
	PlayerErased EndReason = 90 // a player had everything about them erased, counts for nobody
)

// Draw reports whether the board ended the match without a winner: it counts as a draw.
func (r EndReason) Draw() bool { return r == FullBoard || r == Repetition || r == MoveLimit }

// EndOf returns how the board ends a match that has come to the position, and who wins:
// [NotEnded] while it can go on.
func EndOf(g engine.Game) (EndReason, engine.Mark) {
	switch {
	case !g.Over():
		return NotEnded, engine.None
	case g.Outcome() != engine.Drawn:
		return ByLine, g.Outcome().Winner()
	case g.Rules().Limit == 0:
		return FullBoard, engine.None
	case g.Repeats() >= 2:
		return Repetition, engine.None
	default:
		return MoveLimit, engine.None
	}
}

// VerdictKind says what a match's last mistake threw away. The numbers are stored.
type VerdictKind uint8

// The kinds of verdicts.
const (
	NotJudged VerdictKind = 0  // not known yet
	NoMistake VerdictKind = 10 // of whoever lost
	Flawless  VerdictKind = 11 // nor of anybody else
	ThrewWin  VerdictKind = 20 // a won position was won no more
	ThrewDraw VerdictKind = 30 // a drawn position was lost
)

// Verdict says which move of an ended match threw away most. The zero value says
// that nobody has looked yet.
type Verdict struct {
	Kind VerdictKind
	Ply  int         // of the move, from 0; 0 without a mistake
	Cell engine.Cell // one that would have kept what was thrown away; 0 without a mistake
}

// Gain is what an ended match has given a person, as its message tells it: the winner, or who
// drew with the program, or each of two who drew. The zero value is nothing.
type Gain struct {
	Points  int     // of those that count
	Place   int     // in the guild's standings of the month after that, 0 where it is not told
	Streak  int     // won against people in a row, 0 where that is not told
	Honours Honours // that the person did not have before
	Crown   int     // games won in a row that count for the crown of the channel, where the match made or kept its king; 0 where not
	Throne  bool    // the message offers to challenge that king, who still is
}

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
	// Thread is the thread of the channel in which the match is played, empty where that
	// is the channel itself.
	Thread ChannelID

	// Place is the place that the match takes in its channel, from 1. A private
	// match takes none: 0.
	Place int

	// Message is the message that shows the board, empty while unknown. Drawn is
	// the highest version that Discord is known to have shown there, and Notice a
	// line of text to be removed at the next move. A backend takes these three from
	// the record only when it is created; afterwards deliveries change them.
	Message MessageID
	Drawn   int
	Notice  MessageID

	Rules     engine.Rules
	X, O      Player
	Moves     []engine.Cell // a legal sequence under Rules
	Given     int           // how many of the moves were there when the match began: it began with a position
	State     State
	EndReason EndReason
	Winner    engine.Mark // None without a winner
	EndedBy   UserID      // the moderator who stopped it, or with whom the match is for which it was put aside
	Verdict   Verdict     // once it has ended
	Gain      Gain        // once it has ended

	// Clock is the time for a move, 0 for none. Deadline is when the match falls
	// due, as a point in the up-time of its guild's domain, 0 for never: the side to
	// move runs out of time, or nobody has touched the match for too long; after the
	// end, the offer of a rematch lapses.
	Clock    time.Duration
	Deadline time.Duration

	// Remind is when whoever is waited for is told so, as Deadline is a point in
	// up-time, 0 for never: who is to move, or, after the end, who has not answered the
	// offer of a rematch. RematchTold says that somebody was told of such an offer in
	// the series: that is done once.
	Remind      time.Duration
	RematchTold bool

	// TokenOnly says that the bot's own token does not reach the message: the bot is no
	// member of where it stands. Interaction tokens do. Who sees it is another question:
	// see [Match.Private].
	TokenOnly bool

	Hinted  bool // somebody was told a move
	HintPly int  // after how many moves
	// GridStands says that the buttons of the board still stand though the match has
	// ended: they go a little later, so that nothing moves under a thumb.
	GridStands bool
	Locale     string // of the board, as Discord writes locales
	Marks      Marks  // that the board shows

	Series             Score
	Lost               int         // matches of the series that a person has lost to the program without a break before this one
	RematchX, RematchO bool        // who has offered a rematch
	RematchDeclined    engine.Mark // who has declined one; None for nobody
	Next               MatchID     // the rematch, or the next game of a series of games, once there is one

	// BestOf is of how many games at most the two people play a series, 0 for none: Series
	// counts those before. GoesOn says that the next one follows in the same message: until it
	// has begun both keep their seats and their place.
	BestOf int
	GoesOn bool

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

// Where returns where the board stands: the match's thread, or its channel.
func (m Match) Where() ChannelID { return cmp.Or(m.Thread, m.Channel) }

// OnlyByToken reports whether interaction tokens alone can change the message that shows the
// match: the bot's own does not reach where it stands, or one person alone sees it.
func (m Match) OnlyByToken() bool { return m.TokenOnly || m.Private() }

// Seated reports whether the people of the match have seats in its channel: as long as it is
// played in public, and between two games of a series.
func (m Match) Seated() bool {
	return !m.Private() && (m.State == Active || m.GoesOn && m.Next == 0)
}

// Private reports whether only its player sees the match.
func (m Match) Private() bool { return m.Place == 0 }
