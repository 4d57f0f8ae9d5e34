package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tictactoe/engine"
)

// MaxText is the greatest length in bytes of any text in a record. Discord's ids
// and locales, and the names of opponents, are far shorter.
const MaxText = 128

// Validate reports as an error that wraps [ErrInvalid] what is wrong with the
// record: a seat that is not exactly one person or opponent, one person in both
// seats or none in either, moves that are no legal game under the rules, a state, end
// reason and winner that do not fit together or contradict the board, a verdict on a
// match that goes on or on a move that was not made, a number below zero, or a text
// that is too long, not UTF-8 or holds a zero byte. Backends call it for every match
// of a change.
func (m Match) Validate() error { return invalid(m.validate(), "match %d", m.ID) }

func (m Match) validate() error {
	switch {
	case m.ID <= 0:
		return problem("id is not positive")
	case m.Channel == "":
		return problem("no channel")
	case m.Thread != "" && (m.Thread == m.Channel || m.Place == 0):
		return problem("a thread that is the channel itself, or one of a private match")
	case m.Place < 0 || m.Drawn < 0 || m.Version < 0 || m.Clock < 0 || m.Deadline < 0 || m.Remind < 0 || m.Next < 0 || m.Lost < 0:
		return problem("a number is below zero")
	case m.Series.X < 0 || m.Series.O < 0 || m.Series.Draws < 0:
		return problem("a score is below zero")
	case !seriesLength(m.BestOf) || m.BestOf > 0 && (!m.X.IsUser() || !m.O.IsUser()):
		return problem("a series of no such length, or against the program")
	case m.GoesOn && (m.State != Ended || m.BestOf == 0 || m.Place == 0):
		return problem("a series goes on behind no game of it")
	case m.RematchDeclined != engine.None && (m.State != Ended || m.RematchDeclined > engine.O):
		return problem("a rematch is declined before the end, or by no seat")
	case !m.Marks.known():
		return problem("no such set of marks")
	case m.Next == m.ID:
		return problem("is its own rematch")
	case !m.X.valid() || !m.O.valid():
		return problem("a seat does not have exactly one of person and opponent")
	case m.X.User == m.O.User: // also when neither is a person
		return problem("the seats do not belong to two players with a person among them")
	case m.HintPly < 0 || m.HintPly > len(m.Moves) || m.HintPly > 0 && !m.Hinted:
		return problem("a move was told where there is no position")
	case m.Given < 0 || m.Given > len(m.Moves):
		return problem("more moves are given than there are")
	case m.Gain != (Gain{}) && m.State != Ended, min(m.Gain.Points, m.Gain.Place, m.Gain.Streak, m.Gain.Crown) < 0, m.Gain.Throne && m.Gain.Crown == 0:
		return problem("a gain on a match that goes on, or less than nothing")
	}
	if err := texts(string(m.Guild), string(m.Channel), string(m.Thread), string(m.Message), string(m.Notice), string(m.EndedBy),
		m.Locale, string(m.X.User), m.X.Opponent, string(m.O.User), m.O.Opponent); err != nil {
		return err
	}
	game, err := engine.Replay(m.Rules, m.Moves)
	if err != nil {
		return err
	}
	return cmp.Or(m.validateEnd(game), m.validateVerdict())
}

// seriesLength reports whether a series can have so many games.
func seriesLength(n int) bool { return n == 0 || n == 3 || n == 5 }

// valid reports whether exactly one of the fields is set.
func (p Player) valid() bool { return (p.User == "") != (p.Opponent == "") }

// validateEnd compares state, end reason and winner with how the board stands.
func (m Match) validateEnd(game engine.Game) error {
	if (m.EndReason == Stopped || m.EndReason == PutAside) != (m.EndedBy != "") {
		return problem("somebody is named exactly where a match was stopped or put aside for them")
	}
	if m.EndReason == PutAside && m.X.IsUser() && m.O.IsUser() {
		return problem("a match between people is put aside")
	}
	board, winner := EndOf(game)
	var fits bool
	switch {
	case m.State == Active:
		fits = m.EndReason == NotEnded && m.Winner == engine.None && board == NotEnded
	case m.State != Ended:
	case m.EndReason == ByLine, m.EndReason.Draw():
		fits = m.EndReason == board && m.Winner == winner
	case m.EndReason == Resignation, m.EndReason == Clock:
		fits = (m.Winner == engine.X || m.Winner == engine.O) && board == NotEnded
	case m.EndReason == Idle, m.EndReason == PutAside, m.EndReason == Stopped, m.EndReason == Abandoned, m.EndReason == Unreachable, m.EndReason == ThreadLocked, m.EndReason == PlayerErased:
		fits = m.Winner == engine.None && board == NotEnded
	}
	if !fits {
		return fmt.Errorf("state %d, end reason %d and winner %v do not go together with a board that is %v",
			m.State, m.EndReason, m.Winner, game.Outcome())
	}
	return nil
}

// validateVerdict compares the verdict with the moves.
func (m Match) validateVerdict() error {
	v := m.Verdict
	switch v.Kind {
	case NotJudged, NoMistake, Flawless:
		if v.Ply != 0 || v.Cell != 0 {
			return problem("a verdict without a mistake names a move")
		}
	case ThrewWin, ThrewDraw:
		if v.Ply < 0 || v.Ply >= len(m.Moves) {
			return problem("the verdict is on a move that was not made")
		}
		before, err := engine.Replay(m.Rules, m.Moves[:v.Ply])
		if err != nil {
			return err
		}
		if _, err := before.Play(v.Cell); err != nil || v.Cell == m.Moves[v.Ply] {
			return problem("the verdict names no other move that could have been made")
		}
	default:
		return problem("no such verdict")
	}
	if v.Kind != NotJudged && m.State != Ended {
		return problem("a verdict on a match that goes on")
	}
	return nil
}

// Validate is for a challenge what [Match.Validate] is for a match.
func (c Challenge) Validate() error { return invalid(c.validate(), "challenge %d", c.ID) }

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
	case c.Version < 0 || c.Drawn < 0 || c.Clock < 0 || c.Deadline < 0 || c.Match < 0:
		return problem("a number is below zero")
	case c.First != FirstChallenger && c.First != FirstOpponent && c.First != FirstRandom:
		return problem("nobody moves first")
	case !seriesLength(c.BestOf):
		return problem("a series of no such length")
	case c.Crown != "" && (c.Opponent == "" || c.Guild == ""):
		return problem("is for a crown, and for nobody who could wear it")
	case c.Next != 0 && (c.State != Renewed || c.Next == c.ID):
		return problem("gives way to another where it was not renewed, or to itself")
	case (c.State == Accepted) != (c.Match != 0):
		return problem("has a match exactly when it is accepted")
	case !slices.Contains([]ChallengeState{Open, Accepted, Declined, Cancelled, Expired, Renewed, Dismissed, Hidden}, c.State):
		return problem("no such state")
	}
	return cmp.Or(c.Rules.Validate(), texts(string(c.Guild), string(c.Channel), string(c.Message), string(c.Challenger), string(c.Opponent),
		c.Locale, c.GuildLocale, c.OpponentLocale, string(c.Crown)))
}

// Validate reports as an error that wraps [ErrInvalid] what is wrong with the
// change or with one of its records.
func (c Change) Validate() error {
	return cmp.Or(invalid(texts(string(c.Interaction)), "interaction"),
		valid(c.Matches), valid(c.Challenges), valid(c.Guilds), valid(c.People), valid(c.Consents), valid(c.Blocks),
		valid(c.Tries), valid(c.Puzzlers), valid(c.Posts), valid(c.Crowns), valid(c.Erasures), valid(c.Past),
		invalid(c.validate(), "change"))
}

// valid reports what is wrong with the first of the records that is not valid.
func valid[R interface{ Validate() error }](records []R) error {
	for _, r := range records {
		if err := r.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// validate checks what the change says about results, and that its records go together.
func (c Change) validate() error {
	for _, m := range c.Past {
		if m.State != Ended {
			return problem("a past match that has not ended")
		}
	}
	for _, a := range c.Awards {
		switch {
		case a.X < 0 || a.O < 0 || a.Caps.Seats < 0 || a.Caps.Pair < 0 || a.Caps.Person < 0:
			return problem("an award has a number below zero")
		case (a.HonoursX|a.HonoursO)>>MostHonours != 0:
			return problem("an award has an honour that cannot be kept")
		case a.Why == BeforeLedger:
			return problem("an award is from before the ledger")
		}
	}
	for _, e := range c.Epochs {
		if e.Guild == "" {
			return problem("standings of no guild begin anew")
		}
		if err := texts(string(e.Guild), string(e.By)); err != nil {
			return err
		}
	}
	for _, a := range c.Absences {
		if a.Guild == "" || a.User == "" {
			return problem("nobody is gone, or from nowhere")
		}
		if err := texts(string(a.Guild), string(a.User)); err != nil {
			return err
		}
	}
	switch {
	case c.PastTo < 0:
		return problem("a number is below zero")
	case !c.oneDomain():
		return problem("records of more than one clock domain")
	}
	return nil
}

// oneDomain reports whether all records that have a domain have the same.
func (c Change) oneDomain() bool {
	var all DomainSet
	for _, m := range c.Matches {
		all = all.With(m.Guild.Domain())
	}
	for _, challenge := range c.Challenges {
		all = all.With(challenge.Guild.Domain())
	}
	for _, g := range c.Guilds {
		all = all.With(g.Guild.Domain())
	}
	return all.Count() < 2
}

// Validate reports as an error that wraps [ErrInvalid] what is wrong with the
// settings.
func (g GuildSettings) Validate() error {
	return invalid(g.validate(), "settings of guild %q", g.Guild)
}

func (g GuildSettings) validate() error {
	p := g.Puzzle
	switch {
	case g.Places < 0 || g.Places > MostPlaces:
		return fmt.Errorf("%d places in a channel", g.Places)
	case !slices.Contains([]Threads{0, ThreadsNever, ThreadsOffered, ThreadsAlways}, g.Threads):
		return fmt.Errorf("threads %d", g.Threads)
	case !g.Reminders.known() || !g.Leaderboard.known() || !g.Crowns.known():
		return fmt.Errorf("reminders %d, leaderboard %d, crowns %d", g.Reminders, g.Leaderboard, g.Crowns)
	case !g.Marks.known() || !g.NoHintsSince.IsZero() && g.NoHintsSince.UnixMilli() <= 0:
		return fmt.Errorf("marks %d, no hints since %v", g.Marks, g.NoHintsSince)
	case p.Hour < 0 || p.Hour > 23, !p.Due.IsZero() && (p.Channel == "" || p.Due.Unix() <= 0),
		p.Counted < 0 || p.Streak < 0 || p.Idle < 0, !p.Fault.known(), !g.Stops.Fault.known():
		return fmt.Errorf("puzzles %+v, stops %+v", p, g.Stops)
	}
	return cmp.Or(validateSettings(string(g.Guild), g.Clock, g.Locale, g.Version),
		texts(g.Board, g.Opponent, string(g.Games), string(g.Stops.Channel), string(p.Channel), string(p.Role)))
}

// Validate is for a person what [GuildSettings.Validate] is for a guild.
func (p Person) Validate() error { return invalid(p.validate(), "person %q", p.User) }

func (p Person) validate() error {
	if !p.Reminders.known() || !p.Recap.known() || !p.CrownCalls.known() || !slices.Contains([]PlaysBy{0, ByNames, ByList}, p.PlaysBy) || !p.Mark.known() {
		return fmt.Errorf("reminders %d, recap %d, crown calls %d, plays by %d, mark %d", p.Reminders, p.Recap, p.CrownCalls, p.PlaysBy, p.Mark)
	}
	return validateSettings(string(p.User), p.Clock, p.Locale, p.Version)
}

func validateSettings(of string, clock ClockSetting, locale string, version int) error {
	switch {
	case of == "":
		return problem("nobody's settings")
	case version < 0 || clock.Limit < 0:
		return problem("a number is below zero")
	case !clock.Set && clock.Limit != 0:
		return problem("a clock that is not set has a limit")
	}
	return texts(of, locale)
}

// Valid reports whether the delivery is about exactly one record and could be
// stored. Backends ignore one that is not.
func (d Delivery) Valid() bool {
	if d.Match < 0 || d.Challenge < 0 || (d.Match == 0) == (d.Challenge == 0) || d.Drawn < 0 {
		return false
	}
	return texts(string(d.Message), string(d.Notice), string(d.Removed)) == nil
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

// invalid returns what is wrong with something as an error that wraps [ErrInvalid], nil where
// nothing is.
func invalid(why error, format string, args ...any) error {
	if why == nil {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrInvalid, fmt.Sprintf(format, args...), why)
}

// problem is what is wrong with a record, in words for the log; callers see
// ErrInvalid.
type problem string

func (p problem) Error() string { return string(p) }
