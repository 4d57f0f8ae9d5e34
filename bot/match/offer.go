package match

import (
	"slices"
	"time"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

// Who has the first move, as the values of the option "first".
const (
	FirstMe     = "me"
	FirstBot    = "bot"
	FirstThem   = "them"
	FirstRandom = "random"
)

// firsts are the values of that option between two people.
var firsts = map[string]store.First{
	FirstMe: store.FirstChallenger, FirstThem: store.FirstOpponent, FirstRandom: store.FirstRandom,
}

// FirstOf returns who has the first move by the value, or [ErrBadOption].
func FirstOf(value string) (store.First, error) {
	first, ok := firsts[value]
	if !ok {
		return 0, ErrBadOption
	}
	return first, nil
}

// Choice is what somebody chose for a match against the program, or for the next one between
// two people.
type Choice struct {
	Opponent string
	Rules    engine.Rules
	First    string // one of the constants above
	Clock    string // one of Clocks by its value; empty for what is usual
	BestOf   int    // of how many games at most the series between people is; 0 for one game
}

// DefaultChoice is what "play" means without options.
var DefaultChoice = Choice{Opponent: "medium", Rules: engine.Standard, First: FirstMe}

// Usual is what "play" means without options where a guild has set a board and an opponent:
// each the usual one where it has set none. A board that is not on offer any more gives way
// to the nearest one that is.
func Usual(g store.GuildSettings) Choice {
	c := DefaultChoice
	if r, err := engine.ParseRules(g.Board); err == nil && EverOffered(r) {
		c.Rules = fair(r)
	}
	if _, ok := strategy.ByName(g.Opponent); ok {
		c.Opponent = g.Opponent
	}
	return Fitting(c, false)
}

// Fitting returns the choice with an opponent who plays its board. What nobody has chosen
// gives way: the opponent, or the board where they have chosen the opponent alone.
func Fitting(c Choice, opponentChosen bool) Choice {
	o, ok := strategy.ByName(c.Opponent)
	switch {
	case !ok || o.Plays(c.Rules):
	case opponentChosen:
		c.Rules = engine.Standard
	default:
		c.Opponent = ClassicsLevel
	}
	return c
}

// ClockChoice is how long a move may take, as the value of the option "clock".
type ClockChoice struct {
	Value string
	Limit time.Duration // 0 for none
}

// Clocks are those on offer, in the order in which they are offered.
var Clocks = []ClockChoice{
	{"1m", time.Minute},
	{"5m", 5 * time.Minute},
	{"10m", 10 * time.Minute},
	{"1h", time.Hour},
	{"1d", 24 * time.Hour},
	{"3d", 3 * 24 * time.Hour},
	{"none", 0},
}

// ClockOf returns the time for a move that the value stands for, or [ErrBadOption].
func ClockOf(value string) (time.Duration, error) {
	for _, c := range Clocks {
		if c.Value == value {
			return c.Limit, nil
		}
	}
	return 0, ErrBadOption
}

// Boards are the boards on offer, in the order in which they are offered: those on which
// both sides have a chance.
var Boards = slices.DeleteFunc(strategy.Boards(), FirstPlayerWins)

// EverOffered reports whether the board is one of them or once was: matches and buttons of
// before go on, and so do clients that know the choices of before. Others come from outside.
func EverOffered(r engine.Rules) bool { return slices.Contains(strategy.Boards(), r) }

// fair returns the board on offer that is nearest to the board.
func fair(r engine.Rules) engine.Rules {
	switch {
	case !FirstPlayerWins(r):
	case r.M == 3:
		r = engine.Rules{M: 4, N: 5, K: 4} // the other tall one
	default:
		r.K = 4
	}
	return r
}

// FirstPlayerWins says on which boards that were ever on offer the first player wins by a force
// that people find. Vanishing is none of them: its win takes thirteen moves and begins on
// an edge, where hardly anybody begins.
func FirstPlayerWins(r engine.Rules) bool {
	return r.K == 3 && r != engine.Standard && r != engine.Vanishing
}

// FirstPlayerCanForce says on which of these boards the first player has a win by
// force at all, be it one that hardly anybody finds.
func FirstPlayerCanForce(r engine.Rules) bool { return r.K == 3 && r != engine.Standard }

// Random, Hard and Perfect are the opponents, by name, that are told apart from the others.
const (
	Random  = "random"
	Hard    = "hard"
	Perfect = "perfect"
)

// ClassicsLevel is the level that stands in for a classic program where that does not play:
// the one that is about as strong.
const ClassicsLevel = Hard

// MostPrivate is how many private matches of a person may be running at once. Nobody
// else sees them, and with a long clock they end by themselves only after days.
const MostPrivate = 5

// Places is how many public matches a channel has at once where its guild sets nothing.
const Places = 3

// FirstPlace is the place that a public match asks for: it gets the lowest that is free.
const FirstPlace = 1

// FreePlace returns the lowest of the channel's places that none of its active matches
// takes, or 0 where all of them are taken. Two games more than there are places, as after
// a guild has set fewer, leave none. A match in a thread then gets the lowest place above
// them, of [store.MostPlaces]. Matches that stand there in threads take nothing from the
// others, however many they are.
func FreePlace(active []store.Match, places int, inThread bool) int {
	taken := 0
	for _, m := range active {
		if m.Thread == "" || m.Place <= places {
			taken++
		}
	}
	from, to := FirstPlace, places
	switch {
	case taken < places:
	case !inThread:
		return 0
	default:
		from, to = places+1, store.MostPlaces
	}
	for place := from; place <= to; place++ {
		if !slices.ContainsFunc(active, func(m store.Match) bool { return m.Place == place }) {
			return place
		}
	}
	return 0
}

// Opponent returns the opponent of that name if it plays these boards.
func Opponent(name string, r engine.Rules) (strategy.Opponent, error) {
	o, ok := strategy.ByName(name)
	if !ok {
		return strategy.Opponent{}, ErrBadOption
	}
	if !o.Plays(r) {
		return strategy.Opponent{}, ErrNotOffered
	}
	return o, nil
}

// Fits reports as an error why the choice is none for a match that follows on this one, or for
// this one before it begins: what buttons carry comes from outside.
func Fits(m store.Match, c Choice) error {
	if !EverOffered(c.Rules) || !slices.Contains(Firsts(m), c.First) || c.BestOf > 0 && !MaySeries(m, c.BestOf) {
		return ErrBadOption
	}
	_, err := Opponent(c.Opponent, c.Rules)
	return err
}

// ChoiceOf returns what somebody would choose to play the like of the match
// privately: its board, and its opponent where that was the program.
func ChoiceOf(m store.Match) Choice {
	c := DefaultChoice
	if EverOffered(m.Rules) {
		c.Rules = m.Rules
	}
	if bot := m.Player(ProgramMark(m)); bot.Opponent != "" {
		c.Opponent = bot.Opponent
	}
	return c
}
