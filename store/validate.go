package store

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tictactoe/engine"
)

// MaxText is the greatest length in bytes of any text in a record. Discord's ids
// and locales, and the names of opponents, are far shorter.
const MaxText = 128

// Validate reports as an error that wraps [ErrInvalid] what is wrong with the
// record: a seat that is not exactly one person or opponent, one person in both
// seats or none in either, moves that are no legal game under the rules, a state,
// end reason and winner that do not fit together or contradict the board, a number
// below zero, or a text that is too long, not UTF-8 or holds a zero byte. Backends
// call it for every match of a change.
func (m Match) Validate() error {
	if err := m.validate(); err != nil {
		return fmt.Errorf("%w: match %d: %w", ErrInvalid, m.ID, err)
	}
	return nil
}

func (m Match) validate() error {
	switch {
	case m.ID <= 0:
		return problem("id is not positive")
	case m.Channel == "":
		return problem("no channel")
	case m.Place < 0 || m.Drawn < 0 || m.Version < 0 || m.Clock < 0 || m.Deadline < 0 || m.Next < 0:
		return problem("a number is below zero")
	case m.Series.X < 0 || m.Series.O < 0 || m.Series.Draws < 0:
		return problem("a score is below zero")
	case m.Next == m.ID:
		return problem("is its own rematch")
	case !m.X.valid() || !m.O.valid():
		return problem("a seat does not have exactly one of person and opponent")
	case m.X.User == m.O.User: // also when neither is a person
		return problem("the seats do not belong to two players with a person among them")
	}
	if err := texts(string(m.Guild), string(m.Channel), string(m.Message), string(m.Notice), string(m.EndedBy),
		m.Locale, string(m.X.User), m.X.Opponent, string(m.O.User), m.O.Opponent); err != nil {
		return err
	}
	game, err := engine.Replay(m.Rules, m.Moves)
	if err != nil {
		return err
	}
	return m.validateEnd(game.Outcome())
}

// valid reports whether exactly one of the fields is set.
func (p Player) valid() bool { return (p.User == "") != (p.Opponent == "") }

// validateEnd compares state, end reason and winner with how the board stands.
func (m Match) validateEnd(board engine.Outcome) error {
	if (m.EndReason == Stopped) != (m.EndedBy != "") {
		return problem("a moderator is named exactly when one stopped the match")
	}
	var fits bool
	switch m.State {
	case Active:
		fits = m.EndReason == NotEnded && m.Winner == engine.None && board == engine.Undecided
	case Ended:
		switch m.EndReason {
		case ByLine:
			fits = m.Winner != engine.None && board == engine.Won(m.Winner)
		case FullBoard:
			fits = m.Winner == engine.None && board == engine.Drawn
		case Resignation, Clock:
			fits = (m.Winner == engine.X || m.Winner == engine.O) && board == engine.Undecided
		case Idle, Stopped, Abandoned, Unreachable:
			fits = m.Winner == engine.None && board == engine.Undecided
		}
	}
	if !fits {
		return fmt.Errorf("state %d, end reason %d and winner %v do not go together with a board that is %v",
			m.State, m.EndReason, m.Winner, board)
	}
	return nil
}

// Validate is for a challenge what [Match.Validate] is for a match.
func (c Challenge) Validate() error {
	if err := c.validate(); err != nil {
		return fmt.Errorf("%w: challenge %d: %w", ErrInvalid, c.ID, err)
	}
	return nil
}

func (c Challenge) validate() error {
	switch {
	case c.ID <= 0:
		return problem("id is not positive")
	case c.Channel == "":
		return problem("no channel")
	case c.Challenger == "":
		return problem("no challenger")
	case c.Challenger == c.Opponent:
		return problem("challenges oneself")
	case c.Version < 0 || c.Clock < 0 || c.Deadline < 0 || c.Match < 0:
		return problem("a number is below zero")
	case c.First != FirstChallenger && c.First != FirstOpponent && c.First != FirstRandom:
		return problem("nobody moves first")
	case (c.State == Accepted) != (c.Match != 0):
		return problem("has a match exactly when it is accepted")
	}
	switch c.State {
	case Open, Accepted, Declined, Cancelled, Expired, Renewed:
	default:
		return problem("no such state")
	}
	if err := c.Rules.Validate(); err != nil {
		return err
	}
	return texts(string(c.Guild), string(c.Channel), string(c.Message), string(c.Challenger), string(c.Opponent),
		c.Locale, c.GuildLocale)
}

// Validate reports as an error that wraps [ErrInvalid] what is wrong with the
// change or with one of its records.
func (c Change) Validate() error {
	if err := texts(string(c.Interaction)); err != nil {
		return fmt.Errorf("%w: interaction: %w", ErrInvalid, err)
	}
	for _, m := range c.Matches {
		if err := m.Validate(); err != nil {
			return err
		}
	}
	for _, ch := range c.Challenges {
		if err := ch.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// Valid reports whether the note is about exactly one record and could be stored.
// Backends ignore one that is not.
func (n Note) Valid() bool {
	if n.Match < 0 || n.Challenge < 0 || (n.Match == 0) == (n.Challenge == 0) || n.Drawn < 0 {
		return false
	}
	if n.Notice != nil && texts(string(*n.Notice)) != nil {
		return false
	}
	return texts(string(n.Message)) == nil
}

// texts returns an error unless every backend can keep all of the texts.
func texts(all ...string) error {
	for _, s := range all {
		switch {
		case len(s) > MaxText:
			return fmt.Errorf("a text has %d bytes, more than %d", len(s), MaxText)
		case !utf8.ValidString(s), strings.ContainsRune(s, 0):
			return problem("a text is not UTF-8 or holds a zero byte")
		}
	}
	return nil
}

// problem is what is wrong with a record, in words for the log; callers see
// ErrInvalid.
type problem string

func (p problem) Error() string { return string(p) }
