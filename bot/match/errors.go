package match

import (
	"errors"
	"fmt"
)

// Why a transition does not happen. Package view says them in words.
var (
	ErrNotYourGame    = errors.New("match: not a player of this match")
	ErrNotYourTurn    = errors.New("match: the other side is to move")
	ErrTaken          = errors.New("match: the cell is taken")
	ErrStale          = errors.New("match: the board has changed since the click")
	ErrMatchOver      = errors.New("match: the match is over")
	ErrPaused         = fmt.Errorf("%w for now: it was put aside", ErrMatchOver)
	ErrGoneOn         = fmt.Errorf("%w: it goes on as another one", ErrMatchOver)
	ErrAlreadyOffered = errors.New("match: already offered a rematch")
	ErrRematchNo      = errors.New("match: the other one has declined a rematch")
	ErrNoWish         = errors.New("match: the other one does not wish for a rematch")
	ErrNoRematch      = errors.New("match: the rematch has been made already")
	ErrSeriesOver     = errors.New("match: the series is over")
	ErrNotOver        = errors.New("match: the match is not over")
)

// Why something cannot be done with a challenge.
var (
	ErrChallengeClosed = errors.New("match: the challenge is no longer open")
	ErrNotChallenged   = errors.New("match: the challenge is for somebody else")
	ErrNotChallenger   = errors.New("match: only the challenger may do that")
	ErrTakeBack        = errors.New("match: the challenger declines, and may mean to take it back")
	ErrOwnChallenge    = errors.New("match: nobody plays against themselves")
)

// Why a command or a click is refused before a match or a challenge could change.
// With those above these are all the reasons that people can meet.
var (
	ErrUnknownCommand   = errors.New("match: no such command")
	ErrUnknownRecord    = errors.New("match: the record of this button is gone")
	ErrBusy             = errors.New("match: all places of the channel are taken")
	ErrGamesElsewhere   = errors.New("match: the guild wants games in another channel")
	ErrNoThread         = errors.New("match: no thread can be begun here")
	ErrMayNotThread     = errors.New("match: the application may not begin threads here")
	ErrPlaysHere        = errors.New("match: the user plays in the channel already")
	ErrOpponentPlays    = errors.New("match: the opponent plays in the channel already")
	ErrNotOffered       = errors.New("match: the opponent does not play this board")
	ErrBadOption        = errors.New("match: an option has a value that was not offered")
	ErrDirectMessage    = errors.New("match: only in a guild")
	ErrChallengeSelf    = errors.New("match: challenged themselves")
	ErrSeriesBot        = errors.New("match: a series against the program")
	ErrChallengeBot     = errors.New("match: challenged a bot")
	ErrCannotSee        = errors.New("match: the opponent cannot see the channel")
	ErrChallengePending = errors.New("match: the pair has an open challenge")
	ErrOtherErased      = errors.New("match: the person was erased")
	ErrTakesNone        = errors.New("match: the person takes no challenges")
	ErrHasBlocked       = errors.New("match: the user has blocked the other one")
	ErrDeclined         = errors.New("match: the other one has declined a moment ago")
	ErrNothingToStop    = errors.New("match: the person plays nothing here")
	ErrUseRematch       = errors.New("match: players of the match have the rematch")
	ErrNoBoard          = errors.New("match: nothing is being played here")
	ErrNotInGame        = errors.New("match: the user plays no match here")
	ErrJustPosted       = errors.New("match: the board was posted a moment ago")
	ErrShared           = errors.New("match: the same was posted in the channel a moment ago")
	ErrMayNotSend       = errors.New("match: the user may not send messages there")
	ErrExportedNow      = errors.New("match: a copy of one's data was made within the last minute")
	ErrTooMany          = errors.New("match: too many games started")
	ErrTooManyPrivate   = errors.New("match: too many private games are running")
	ErrNoGameThere      = errors.New("match: the link leads to no match that the user may review")
	ErrNoHints          = errors.New("match: hints are for matches against the program")
	ErrHintsOff         = errors.New("match: the guild gives no hints")
	ErrHinted           = errors.New("match: a move was told in the match already")
	ErrStillJudging     = errors.New("match: the moves of the match are not all judged yet")
	ErrTooBusy          = errors.New("match: too many moves to think of at once")
	ErrNotModerator     = errors.New("match: may not stop other people's matches")
	ErrNotManager       = errors.New("match: may not change the guild's settings")
	ErrNoLeaderboard    = errors.New("match: the guild shows no standings")
	ErrAbsent           = errors.New("match: the guild has the commands and not the bot")
	ErrResignTooLate    = errors.New("match: the match ended before it was resigned")
)
