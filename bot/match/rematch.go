package match

import (
	"time"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

// Harder is what somebody plays next who wants the next stronger opponent. ok is false where none
// plays the board, or the match is between people.
func Harder(m store.Match, user store.UserID) (_ Choice, ok bool) {
	return against(m, user, strategy.Stronger)
}

// lossesForEasier is after how many losses in a row a weaker opponent is offered.
const lossesForEasier = 2

// Easier is Harder for the next weaker one, behind enough losses.
func Easier(m store.Match, user store.UserID) (c Choice, ok bool) {
	c, ok = against(m, user, strategy.Weaker)
	return c, ok && lostAfter(m) >= lossesForEasier
}

func against(m store.Match, user store.UserID, than func(string) (string, bool)) (_ Choice, ok bool) {
	c := Another(m, user)
	c.Opponent, _ = than(c.Opponent)
	_, err := Opponent(c.Opponent, c.Rules)
	return c, err == nil && AgainstProgram(m)
}

// lostAfter returns how many matches in a row the person has lost to the program once the
// match is over.
func lostAfter(m store.Match) int {
	if m.Winner == engine.None || m.Winner != ProgramMark(m) {
		return 0
	}
	return m.Lost + 1
}

// TryVanishing is what somebody plays next who tries Vanishing: one game, against the same
// opponent or, where that is a classic program, which does not play there, a level. ok is false
// but after a draw on 3x3, the board that two careful people draw for ever.
func TryVanishing(m store.Match, user store.UserID) (_ Choice, ok bool) {
	c := Another(m, user)
	c.Rules, c.BestOf = engine.Vanishing, 0
	return Fitting(c, false), m.Rules == engine.Standard && m.EndReason.Draw()
}

// Another is what somebody who played the match plays next unless they choose otherwise: the
// same again, in which who had O begins.
func Another(m store.Match, user store.UserID) Choice {
	c := ChoiceOf(m)
	if m.Seat(user) != engine.O {
		c.First = Firsts(m)[1]
	}
	c.BestOf = m.BestOf
	return c
}

// Firsts are who can begin a match that follows on this one, as the one who chooses calls
// them: that person, the other, or either by chance.
func Firsts(m store.Match) []string {
	if AgainstProgram(m) {
		return []string{FirstMe, FirstBot, FirstRandom}
	}
	return []string{FirstMe, FirstThem, FirstRandom}
}

// WithChoice makes the next match against the program one that was chosen. With another
// opponent or on another board it begins a new series.
func WithChoice(next store.Match, c Choice) store.Match {
	if program := ofSide(ProgramMark(next), &next.X, &next.O); next.Rules != c.Rules || program.Opponent != c.Opponent {
		next.Rules, program.Opponent = c.Rules, c.Opponent
		next.Series, next.Lost = store.Score{}, 0
	}
	if (ProgramMark(next) == engine.X) != (c.First == FirstBot) {
		next.X, next.O = next.O, next.X
		next.Series.X, next.Series.O = next.Series.O, next.Series.X
	}
	return next
}

// NextChallenge returns the challenge with which a player of the match asks the other one, a
// person too, to play what was chosen. It is not yet given an id, a deadline and a place to
// stand.
func NextChallenge(m store.Match, user store.UserID, chosen Choice) (store.Challenge, error) {
	if err := followsOn(m, user); err != nil {
		return store.Challenge{}, err
	}
	first, err := FirstOf(chosen.First)
	return store.Challenge{
		Guild: m.Guild, Challenger: user, Opponent: m.Player(m.Seat(user).Other()).User, Rules: chosen.Rules,
		First: first, Clock: m.Clock, BestOf: chosen.BestOf, State: store.Open,
	}, err
}

// followsOn reports as an error why the user cannot have another match follow on this one.
func followsOn(m store.Match, user store.UserID) error {
	switch {
	case m.Seat(user) == engine.None:
		return ErrNotYourGame
	case m.State != store.Ended:
		return ErrNotOver
	case m.Next != 0:
		return ErrNoRematch
	default:
		return nil
	}
}

// OfferRematch notes that the user wants to play again. agreed is true when both
// do, which against the program is at once; then the caller makes the match with
// nextMatch.
func OfferRematch(m store.Match, user store.UserID, ttl, uptime time.Duration) (_ store.Match, agreed bool, _ error) {
	if err := followsOn(m, user); err != nil {
		return m, false, err
	}
	seat := m.Seat(user)
	offered := ofSide(seat, &m.RematchX, &m.RematchO)
	switch {
	case BetweenGames(m):
		return m, false, ErrNotOver
	case *offered:
		return m, false, ErrAlreadyOffered
	case m.RematchDeclined == seat.Other():
		return m, false, ErrRematchNo
	}
	m.RematchDeclined = engine.None // who has declined may change their mind
	*offered = true
	if AgainstProgram(m) || m.RematchX && m.RematchO {
		return m, true, nil
	}
	if !m.GridStands || m.Deadline == 0 { // else it goes on when the grid goes
		m.Deadline = uptime + ttl
	}
	if !m.RematchTold && ttl > RemindRematch {
		m.Remind = uptime + RemindRematch
	}
	return m, false, nil
}

// DeclineRematch declines the rematch that the other one wishes for, who cannot wish for it
// again. Nobody is reminded of a rematch any more in the series. Who wished for it takes it back.
func DeclineRematch(m store.Match, user store.UserID) (store.Match, error) {
	switch err := followsOn(m, user); {
	case err != nil:
		return m, err
	case WaitedFor(m) == "":
		return m, ErrNoWish
	case WaitedFor(m) == user:
		m.RematchDeclined, m.RematchTold = m.Seat(user), true
	}
	m.RematchX, m.RematchO, m.Remind = false, false, 0
	if !m.GridStands {
		m.Deadline = 0
	}
	return m, nil
}

// Next returns the rematch of m, not yet opened, and m with the link to it:
// the seats are swapped, the score goes on, but where it is that of a series that is over.
func Next(m store.Match, id store.MatchID) (next, old store.Match) {
	next = store.Match{
		ID: id, Guild: m.Guild, Channel: m.Channel, Thread: m.Thread, Place: m.Place,
		Rules: m.Rules, X: m.O, O: m.X,
		Clock: m.Clock, Locale: m.Locale, Marks: m.Marks, RematchTold: m.RematchTold, BestOf: m.BestOf,
	}
	next.Lost = lostAfter(m)
	score := SeriesAfter(m)
	if m.BestOf > 0 && !m.GoesOn {
		score = store.Score{} // of a series that is over
	}
	next.Series = store.Score{X: score.O, O: score.X, Draws: score.Draws}
	old = m
	old.Next = id
	old.RematchX, old.RematchO, old.Deadline, old.Remind, old.GridStands = false, false, 0, 0, false
	return next, old
}

// SeriesAfter returns the score of the series with the match itself counted, by
// the match's own seats. One that began with a position is not counted.
func SeriesAfter(m store.Match) store.Score {
	s := m.Series
	switch {
	case m.Given > 0:
	case m.Winner != engine.None:
		*ofSide(m.Winner, &s.X, &s.O)++
	case m.EndReason.Draw():
		s.Draws++
	}
	return s
}
