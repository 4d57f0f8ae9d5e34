package customid

import (
	"math"
	"slices"
	"strconv"

	"tictactoe/engine"
	"tictactoe/store"
)

// part is what stands between two colons.
type part struct {
	write func(b []byte, id *ID) []byte
	// read reports whether the text is one that write makes.
	read func(text string, id *ID) bool
	// optional says that it is left out, with its colon, where there is nothing to write and
	// nothing follows. Only the last parts of an ID can be.
	optional bool
}

var (
	aMatch       = record(func(id *ID) *store.MatchID { return &id.Match })
	aChallenge   = record(func(id *ID) *store.ChallengeID { return &id.Challenge })
	aResignation = record(func(id *ID) *store.MatchID { return &id.Resign })
	aPly         = number(func(id *ID) *int { return &id.Ply }, engine.MaxPlies)
	aPlyOfCells  = number(func(id *ID) *int { return &id.Ply }, engine.MaxCells) // where no mark vanishes
	aTry         = number(func(id *ID) *int { return &id.Tries }, 9)
	aWrong       = number(func(id *ID) *engine.Cell { return &id.Wrong }, engine.MaxCells)
	aCell        = number(func(id *ID) *engine.Cell { return &id.Cell }, engine.MaxCells)
	aPeriod      = number(func(id *ID) *store.Period { return &id.Period }, 999_912)
	aPage        = number(func(id *ID) *int { return &id.Page }, 99_999)
	aDay         = number(func(id *ID) *int64 { return &id.Day }, 999_999) // a little after the year 4700
	aUntil       = numeral(func(id *ID) *int64 { return &id.Until }, 36, 0, math.MaxInt64)
	aUser        = text(func(id *ID) *store.UserID { return &id.User }, IsUser)
	aSetting     = text(func(id *ID) *string { return &id.Setting }, isSome)
	aPreference  = text(func(id *ID) *string { return &id.Preference }, isAny)
	aValue       = text(func(id *ID) *string { return &id.Value }, isAny)
)

var aChoice = []part{
	text(func(id *ID) *string { return &id.Choice.Opponent }, isAny),
	{write: writeBoard, read: readBoard},
	text(func(id *ID) *string { return &id.Choice.First }, isAny),
	optional(text(func(id *ID) *string { return &id.Choice.Clock }, isSome)),
}

var aMatchAndChoice = append([]part{aMatch}, aChoice...)

// aMatchAndNext is that with the length of a series, for what two people play next.
var aMatchAndNext = append(slices.Clip(aMatchAndChoice), optional(numeral(func(id *ID) *int { return &id.Choice.BestOf }, 10, 1, 99)))

// record is the id of a record, in a base that makes it short.
func record[T ~int64](at func(*ID) *T) part { return numeral(at, 36, 1, math.MaxInt64) }

// number is one from 0 to most.
func number[T ~int | ~int64 | ~uint8](at func(*ID) *T, most int64) part {
	return numeral(at, 10, 0, most)
}

// numeral is a number within the bounds. Below them there is none to write.
func numeral[T ~int | ~int64 | ~uint8](at func(*ID) *T, base int, least, most int64) part {
	return part{
		write: func(b []byte, id *ID) []byte {
			if n := int64(*at(id)); n >= least {
				b = strconv.AppendInt(b, n, base)
			}
			return b
		},
		read: func(text string, id *ID) bool {
			n, err := strconv.ParseInt(text, base, 64)
			*at(id) = T(n) //nolint:gosec // the line below bounds it
			return err == nil && n >= least && n <= most && strconv.FormatInt(n, base) == text
		},
	}
}

func text[T ~string](at func(*ID) *T, valid func(string) bool) part {
	return part{
		write: func(b []byte, id *ID) []byte { return append(b, *at(id)...) },
		read: func(text string, id *ID) bool {
			*at(id) = T(text)
			return valid(text)
		},
	}
}

func optional(p part) part {
	p.optional = true
	return p
}

func writeBoard(b []byte, id *ID) []byte { return append(b, id.Choice.Rules.String()...) }

func readBoard(text string, id *ID) bool {
	rules, err := engine.ParseRules(text)
	id.Choice.Rules = rules
	return err == nil && rules.String() == text
}

func isAny(string) bool { return true }

func isSome(s string) bool { return s != "" }

// IsUser reports whether the text is the id of a user, in its only spelling.
func IsUser(s string) bool {
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == s
}
