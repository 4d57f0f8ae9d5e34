package store

import "time"

// Change is what is stored together.
type Change struct {
	// Interaction is claimed by the change; when an earlier change has claimed it
	// the whole change fails with ErrClaimed. Empty claims nothing.
	Interaction InteractionID
	// Records are created where Version is 0 and otherwise stored over that version,
	// in order. What is stored has the next version; the caller's records stay as they
	// are. Matches, challenges and guilds must belong to one domain.
	Matches    []Match
	Challenges []Challenge
	Guilds     []GuildSettings
	People     []Person
	Tries      []PuzzleTry
	Puzzlers   []Puzzler
	Posts      []Post
	Crowns     []Crown
	// Awards say what the matches are worth that the change ends. A match that is stored
	// as ended for the first time gets its row in the ledger with the change; its time is
	// that of the match.
	Awards []Award
	// Past are matches that ended before there was a ledger. A row is written for each
	// that has none, without points, and nothing else of them is stored. PastTo says that
	// up to this id all are done (see Store.PastMatches).
	Past   []Match
	PastTo MatchID
	// Epochs are standings that begin anew, Absences people who left guilds or are back.
	Epochs   []Epoch
	Absences []Absence
	// Consents are what the change needs of people, whom they must not have blocked. Blocks
	// are those that begin or, lifted, end with it; one that there is already stays as it is.
	Consents []Consent
	Blocks   []Block
	// Erasures are those that begin with the change. That of a person who is being erased
	// already does nothing.
	Erasures []Erasure
}

// Delivery is what Discord is known to show: which message shows a match or a
// challenge, and in which version. What is lost of it costs a redraw at most.
type Delivery struct {
	Match     MatchID     // the match that is shown, or
	Challenge ChallengeID // the challenge
	Message   MessageID   // where it is shown; empty leaves that as it is
	Drawn     int         // version shown; lower than the stored one is ignored, unless Message is another one than before
	Notice    MessageID   // the match's notice from now on; empty leaves it as it is
	Removed   MessageID   // a notice that was deleted: a match that has this one has none then
}

// Shown is the version of a record that is stored, and where Discord is known to
// show which one.
type Shown struct {
	Version int       // stored
	Message MessageID // empty while unknown
	Drawn   int       // the highest version known to be shown there
	Notice  MessageID // of a match
	Moves   int       // of a match: how many are stored
}

// Cursor is a place in a list of matches that begins with those that were stored
// last. The zero value stands before all of them.
type Cursor struct {
	Updated time.Time
	ID      MatchID
}

// Cursor returns the match's own place.
func (m Match) Cursor() Cursor { return Cursor{Updated: m.Updated, ID: m.ID} }
