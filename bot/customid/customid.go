package customid

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// version stands first in every custom ID. Messages outlive deploys: a
// button of another version is answered in words instead of being misread.
const version = "1"

// MaxLength is Discord's limit for a custom ID, in characters.
const MaxLength = 100

// Action is the part of a custom ID that picks the route. The letters are in
// messages out there and stay as they are.
type Action string

// The actions of buttons, and of the one select.
const (
	Cell           Action = "k"  // match, cell: play it
	CellAtPly      Action = "c"  // match, ply, cell: as Cell, in messages of older versions
	Resign         Action = "r"  // match: ask whether to resign
	ResignConfirm  Action = "ry" // match: resign
	KeepPlaying    Action = "rn" // match: do not
	StopConfirm    Action = "sy" // match: a moderator stops it
	CloseLocked    Action = "cl" // match: as Resign, in questions of older versions
	CellNames      Action = "n"  // match: write the cells' names, or do not
	AsList         Action = "kt" // match: a list in place of the grid, or the grid again
	CellInList     Action = "kl" // match: play the chosen cell; a select, see [CellValue]
	Rematch        Action = "m"  // match: offer or take a rematch
	RematchInstead Action = "mi" // match, resign: ask whether to resign the one match and take the offer of the other
	RematchSure    Action = "my" // match, resign: do
	DeclineRematch Action = "rd" // match: say no to the rematch that the other one wishes for
	Harder         Action = "h"  // match: again, against a stronger opponent
	Easier         Action = "e"  // match: again, against a weaker one
	TryVanishing   Action = "v"  // match: again, where marks vanish
	PlayWinner     Action = "w"  // match: challenge its winner
	More           Action = "mo" // match: show the ways on that its message has no room for
	ShowBoard      Action = "b"  // match: post the board again
	PlayPrivately  Action = "p"  // choice: a private match
	PlayHere       Action = "s"  // choice: a public match
	PlayInstead    Action = "pi" // match, choice: resign the one and play the other
	Accept         Action = "a"  // challenge
	AcceptInstead  Action = "ai" // challenge, resign: ask whether to resign the one match and accept
	AcceptSure     Action = "ay" // challenge, resign: do
	Decline        Action = "d"  // challenge
	Cancel         Action = "x"  // challenge
	ChallengeAgain Action = "g"  // challenge
	GoOn           Action = "go" // match: go on with it, which was put aside
	PlayInThread   Action = "pt" // choice: a public match in a thread of its own
	AcceptInThread Action = "at" // challenge: accept it there
	OpenTable      Action = "o"  // nothing: open a table for anybody
	ShowStats      Action = "u"  // user: post how they play
	Leaderboard    Action = "l"  // period, page: turn to it
	Standings      Action = "lk" // period, page: as Leaderboard; on messages of a version before
	StandingsKind  Action = "lt" // nothing: a select, whose value is the standings to turn to
	HowPoints      Action = "lp" // nothing: tell what gives points
	SettingsPage   Action = "sp" // nothing: a select, whose value is a page of a guild's settings
	Setting        Action = "se" // setting: a select, whose value it gets
	Preference     Action = "pf" // preference, value: set it for oneself
	BeginAnew      Action = "sa" // nothing: ask whether the guild's standings are to begin anew
	BeginAnewSure  Action = "sx" // nothing: let them
	EraseGuildAsk  Action = "ga" // nothing: ask whether everything about the guild is to be erased
	EraseGuildSure Action = "gs" // nothing: ask once more
	EraseGuild     Action = "gx" // nothing: erase it
	KeepStandings  Action = "sk" // nothing: do not

	LastGames     Action = "qg" // nothing: list one's own that are over
	Review        Action = "q"  // match: walk through it, in a new message
	ReviewAgain   Action = "qa" // match: the same in place
	ReviewFirst   Action = "qf" // match, ply: show the match after so many moves
	ReviewBack    Action = "qb" // match, ply: as ReviewFirst, and so are the next three: they stand beside each other
	ReviewOn      Action = "qo" // match, ply
	ReviewLast    Action = "ql" // match, ply
	ReviewMistake Action = "qm" // match, ply
	ReviewShare   Action = "qs" // match, ply: show it to everybody
	ReviewFind    Action = "qy" // match, ply: find yourself what was better than the move that comes
	ReviewTry     Action = "qt" // match, ply, tries before, cell: this one
	HintAsk       Action = "qn" // match: say what a hint costs, or tell again the one that was told
	HintConfirm   Action = "qh" // match: tell a move, so that the match does not count
	PlayOn        Action = "qp" // match, ply: a private match that begins with the position

	ChallengesFrom Action = "cf" // nothing: a select, whose value is from whom one takes challenges
	BlockChosen    Action = "bc" // nothing: a select of people, among one's preferences: block them
	BlockPage      Action = "bp" // page: turn to it among those whom one has blocked
	UnblockListed  Action = "bl" // user, page: lift the block there
	Block          Action = "bk" // user: block them
	Unblock        Action = "bu" // user: lift that
	Export         Action = "xe" // nothing: a copy of everything about oneself
	EraseAsk       Action = "xa" // nothing: ask whether everything about oneself is to be erased
	Erase          Action = "xy" // nothing: erase it
	EraseNothing   Action = "xn" // nothing: do not
	LobbyPlay      Action = "lb" // nothing: choose a match against the program, from the lobby
	LobbyLevel     Action = "ln" // choice: a select, whose value is the opponent in it
	LobbyBoard     Action = "lo" // choice: a select, whose value is the board in it
	LobbyLeaders   Action = "ll" // nothing: show this month's standings
	LobbyPuzzle    Action = "lz" // nothing: open today's puzzle
	StopAll        Action = "sl" // user: a moderator stops whatever they play in the channel

	PuzzleCell      Action = "zc" // day, cell: play it in the puzzle of the day
	PuzzleInList    Action = "zl" // day: a select, whose value is the cell
	PuzzleNames     Action = "zn" // day: write the names on the empty cells, or take them off
	PuzzleAsList    Action = "zt" // day: a list of cells in place of the grid, or the grid
	PuzzleAgain     Action = "za" // day: the next try
	PuzzleSolve     Action = "zo" // day: open the puzzle
	PuzzleShare     Action = "zs" // day: post how it went
	PuzzleYesterday Action = "zy" // day: tell the solution of the day before
	PuzzleStreaks   Action = "zr" // nothing: tell who has solved most days in a row
)

// ID is a typed custom ID. Which fields an action uses is said with the
// actions. A button whose meaning stays keeps its ID for as long as its record
// lives: Discord's clients refuse a click on an ID that the message no longer has.
// Which position a click was meant for is told by the message's marker ([Marker]).
// An ID gives no rights: those are checked against the stored record.
type ID struct {
	Action    Action
	Match     store.MatchID
	Challenge store.ChallengeID
	Resign    store.MatchID // the match that is given up for another
	Ply       int
	Tries     int
	Cell      engine.Cell
	Choice    match.Choice
	User      store.UserID
	Period    store.Period
	Page      int
	Setting   string // the name of one

	Preference, Value string // names of ours, without a colon

	Day int64 // since 1970
}

// ErrUnknown: the text is no custom ID of this version.
var ErrUnknown = errors.New("customid: unknown custom ID")

type idKind int

const (
	idNothing idKind = iota
	idMatch
	idCell
	idCellAtPly
	idMatchPly
	idTry
	idChallenge
	idChoice
	idMatchChoice
	idMatchResign
	idChallengeResign
	idUser
	idStandings
	idSetting
	idPreference
	idPage
	idUserPage
	idDay
	idDayCell
)

// Kinds says what follows the action.
var Kinds = map[Action]idKind{
	Cell:           idCell,
	CellAtPly:      idCellAtPly,
	Resign:         idMatch,
	ResignConfirm:  idMatch,
	KeepPlaying:    idMatch,
	StopConfirm:    idMatch,
	CloseLocked:    idMatch,
	CellNames:      idMatch,
	AsList:         idMatch,
	CellInList:     idMatch,
	Rematch:        idMatch,
	RematchInstead: idMatchResign,
	RematchSure:    idMatchResign,
	DeclineRematch: idMatch,
	Harder:         idMatch,
	Easier:         idMatch,
	TryVanishing:   idMatch,
	PlayWinner:     idMatch,
	More:           idMatch,
	ShowBoard:      idMatch,
	PlayPrivately:  idChoice,
	PlayHere:       idChoice,
	PlayInstead:    idMatchChoice,
	Accept:         idChallenge,
	AcceptInstead:  idChallengeResign,
	AcceptSure:     idChallengeResign,
	Decline:        idChallenge,
	Cancel:         idChallenge,
	ChallengeAgain: idChallenge,
	GoOn:           idMatch,
	PlayInThread:   idChoice,
	AcceptInThread: idChallenge,
	OpenTable:      idNothing,
	ShowStats:      idUser,
	Leaderboard:    idStandings,
	Standings:      idStandings,
	StandingsKind:  idNothing,
	HowPoints:      idNothing,
	SettingsPage:   idNothing,
	Setting:        idSetting,
	Preference:     idPreference,
	BeginAnew:      idNothing,
	BeginAnewSure:  idNothing,
	EraseGuildAsk:  idNothing,
	EraseGuildSure: idNothing,
	EraseGuild:     idNothing,
	KeepStandings:  idNothing,

	LastGames:     idNothing,
	Review:        idMatch,
	ReviewAgain:   idMatch,
	ReviewFirst:   idMatchPly,
	ReviewBack:    idMatchPly,
	ReviewOn:      idMatchPly,
	ReviewLast:    idMatchPly,
	ReviewMistake: idMatchPly,
	ReviewShare:   idMatchPly,
	ReviewFind:    idMatchPly,
	ReviewTry:     idTry,
	HintAsk:       idMatch,
	HintConfirm:   idMatch,
	PlayOn:        idMatchPly,

	ChallengesFrom: idNothing,
	BlockChosen:    idNothing,
	BlockPage:      idPage,
	UnblockListed:  idUserPage,
	Block:          idUser,
	Unblock:        idUser,
	Export:         idNothing,
	EraseAsk:       idNothing,
	Erase:          idNothing,
	EraseNothing:   idNothing,
	LobbyPlay:      idNothing,
	LobbyLevel:     idChoice,
	LobbyBoard:     idChoice,
	LobbyLeaders:   idNothing,
	LobbyPuzzle:    idNothing,
	StopAll:        idUser,

	PuzzleCell:      idDayCell,
	PuzzleInList:    idDay,
	PuzzleNames:     idDay,
	PuzzleAsList:    idDay,
	PuzzleAgain:     idDay,
	PuzzleSolve:     idDay,
	PuzzleShare:     idDay,
	PuzzleYesterday: idDay,
	PuzzleStreaks:   idNothing,
}

// String returns the wire form: version, action and its parts, with colons
// between them.
func (id ID) String() string {
	b := make([]byte, 0, 40) // the longest of a board's cells fits
	b = append(append(append(b, version...), ':'), id.Action...)
	switch Kinds[id.Action] {
	case idMatch:
		b = strconv.AppendInt(append(b, ':'), int64(id.Match), idBase)
	case idCell:
		b = strconv.AppendInt(append(b, ':'), int64(id.Match), idBase)
		b = strconv.AppendInt(append(b, ':'), int64(id.Cell), 10)
	case idCellAtPly:
		b = strconv.AppendInt(append(b, ':'), int64(id.Match), idBase)
		b = strconv.AppendInt(append(b, ':'), int64(id.Ply), 10)
		b = strconv.AppendInt(append(b, ':'), int64(id.Cell), 10)
	case idMatchPly:
		b = strconv.AppendInt(append(b, ':'), int64(id.Match), idBase)
		b = strconv.AppendInt(append(b, ':'), int64(id.Ply), 10)
	case idTry:
		b = strconv.AppendInt(append(b, ':'), int64(id.Match), idBase)
		for _, n := range [...]int{id.Ply, id.Tries, int(id.Cell)} {
			b = strconv.AppendInt(append(b, ':'), int64(n), 10)
		}
	case idChallenge:
		b = strconv.AppendInt(append(b, ':'), int64(id.Challenge), idBase)
	case idChoice:
		b = appendChoice(b, id.Choice)
	case idMatchChoice:
		b = strconv.AppendInt(append(b, ':'), int64(id.Match), idBase)
		b = appendChoice(b, id.Choice)
	case idMatchResign:
		b = strconv.AppendInt(append(b, ':'), int64(id.Match), idBase)
		b = strconv.AppendInt(append(b, ':'), int64(id.Resign), idBase)
	case idChallengeResign:
		b = strconv.AppendInt(append(b, ':'), int64(id.Challenge), idBase)
		b = strconv.AppendInt(append(b, ':'), int64(id.Resign), idBase)
	case idUser:
		b = append(append(b, ':'), id.User...)
	case idPage:
		b = strconv.AppendInt(append(b, ':'), int64(id.Page), 10)
	case idUserPage:
		b = append(append(b, ':'), id.User...)
		b = strconv.AppendInt(append(b, ':'), int64(id.Page), 10)
	case idStandings:
		b = strconv.AppendInt(append(b, ':'), int64(id.Period), 10)
		b = strconv.AppendInt(append(b, ':'), int64(id.Page), 10)
	case idSetting:
		b = append(append(b, ':'), id.Setting...)
	case idPreference:
		b = append(append(b, ':'), id.Preference...)
		b = append(append(b, ':'), id.Value...)
	case idDay:
		b = strconv.AppendInt(append(b, ':'), id.Day, 10)
	case idDayCell:
		b = strconv.AppendInt(append(b, ':'), id.Day, 10)
		b = strconv.AppendInt(append(b, ':'), int64(id.Cell), 10)
	case idNothing:
	}
	return string(b)
}

func appendChoice(b []byte, c match.Choice) []byte {
	b = append(append(b, ':'), c.Opponent...)
	b = append(append(b, ':'), c.Rules.String()...)
	b = append(append(b, ':'), c.First...)
	if c.Clock != "" {
		b = append(append(b, ':'), c.Clock...)
	}
	return b
}

// Parse reads the wire form. Anything else, however it differs, gets an
// error that wraps [ErrUnknown].
func Parse(s string) (ID, error) {
	fail := func() (ID, error) {
		if len(s) > MaxLength {
			s = s[:MaxLength]
		}
		return ID{}, fmt.Errorf("%w: %q", ErrUnknown, s)
	}
	if len(s) > MaxLength {
		return fail()
	}
	parts := strings.Split(s, ":")
	if len(parts) < 2 || parts[0] != version {
		return fail()
	}
	id := ID{Action: Action(parts[1])}
	kind, ok := Kinds[id.Action]
	if !ok {
		return fail()
	}
	args := parts[2:]
	least := map[idKind]int{idNothing: 0, idMatch: 1, idCell: 2, idCellAtPly: 3, idMatchPly: 2, idTry: 4, idChallenge: 1, idChoice: 3, idMatchChoice: 4, idMatchResign: 2, idChallengeResign: 2, idUser: 1, idStandings: 2, idSetting: 1, idPreference: 2, idPage: 1, idUserPage: 2, idDay: 1, idDayCell: 2}[kind]
	if most := least + optional[kind]; len(args) < least || len(args) > most {
		return fail()
	}
	switch kind {
	case idMatch, idCell, idCellAtPly, idMatchPly, idTry, idMatchChoice:
		n, ok := parseID(args[0])
		if !ok {
			return fail()
		}
		id.Match = store.MatchID(n)
		if kind == idMatch {
			break
		}
		if kind == idMatchPly || kind == idTry {
			if id.Ply, ok = parseUpTo(args[1], engine.MaxPlies); !ok || kind == idTry && !id.parseTry(args[2:]) {
				return fail()
			}
			break
		}
		if kind == idMatchChoice {
			if id.Choice, ok = parseChoice(args[1:]); !ok {
				return fail()
			}
			break
		}
		ply, okPly := 0, true
		if kind == idCellAtPly {
			ply, okPly = parseSmall(args[1])
		}
		cell, okCell := parseSmall(args[len(args)-1])
		if !okPly || !okCell {
			return fail()
		}
		id.Ply, id.Cell = ply, engine.Cell(cell) //nolint:gosec // parseSmall bounds it
	case idMatchResign, idChallengeResign:
		n, ok := parseID(args[0])
		resign, okResign := parseID(args[1])
		if !ok || !okResign {
			return fail()
		}
		if id.Resign = store.MatchID(resign); kind == idMatchResign {
			id.Match = store.MatchID(n)
		} else {
			id.Challenge = store.ChallengeID(n)
		}
	case idChallenge:
		n, ok := parseID(args[0])
		if !ok {
			return fail()
		}
		id.Challenge = store.ChallengeID(n)
	case idChoice:
		if id.Choice, ok = parseChoice(args); !ok {
			return fail()
		}
	case idUser, idUserPage:
		if !IsUser(args[0]) {
			return fail()
		}
		id.User = store.UserID(args[0])
		if kind == idUserPage {
			if id.Page, ok = parseUpTo(args[1], mostPage); !ok {
				return fail()
			}
		}
	case idPage:
		if id.Page, ok = parseUpTo(args[0], mostPage); !ok {
			return fail()
		}
	case idStandings:
		period, okPeriod := parseUpTo(args[0], mostPeriod)
		page, okPage := parseUpTo(args[1], mostPage)
		if !okPeriod || !okPage {
			return fail()
		}
		id.Period, id.Page = store.Period(period), page
	case idSetting:
		if id.Setting = args[0]; id.Setting == "" {
			return fail()
		}
	case idPreference:
		id.Preference, id.Value = args[0], args[1]
	case idDay, idDayCell:
		day, okDay := parseUpTo(args[0], mostDay)
		cell, okCell := parseSmall(args[len(args)-1])
		if kind == idDay {
			cell, okCell = 0, true
		}
		if !okDay || !okCell {
			return fail()
		}
		id.Day, id.Cell = int64(day), engine.Cell(cell) //nolint:gosec // parseSmall bounds it
	case idNothing:
	}
	return id, nil
}

// parseTry reads how many tries there were before, and a cell.
func (id *ID) parseTry(parts []string) bool {
	tries, okTries := parseUpTo(parts[0], mostTries)
	cell, okCell := parseSmall(parts[1])
	if !okTries || !okCell {
		return false
	}
	id.Tries, id.Cell = tries, engine.Cell(cell) //nolint:gosec // parseSmall bounds it
	return true
}

// mostTries is how many tries an ID can say there were.
const mostTries = 9

// optional is how many parts more an ID may have.
var optional = map[idKind]int{idChoice: 1, idMatchChoice: 1}

// parseChoice reads a choice's three parts, and a fourth where a clock was chosen.
func parseChoice(parts []string) (match.Choice, bool) {
	r, err := engine.ParseRules(parts[1])
	c := match.Choice{Opponent: parts[0], Rules: r, First: parts[2]}
	if len(parts) > 3 {
		if c.Clock = parts[3]; c.Clock == "" {
			return c, false
		}
	}
	return c, err == nil && r.String() == parts[1]
}

// idBase is the base in which a record's id is written: it makes them short.
const idBase = 36

// parseID reads a record's id, in its only spelling.
func parseID(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, idBase, 64)
	return n, err == nil && n > 0 && strconv.FormatInt(n, idBase) == s
}

// IsUser reports whether the text is the id of a user, in its only spelling.
func IsUser(s string) bool {
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == s
}

// parseSmall reads a number from 0 to the number of cells, in its only spelling.
func parseSmall(s string) (int, bool) { return parseUpTo(s, engine.MaxCells) }

// The greatest period and page of standings, and the last day, that an ID may name.
const (
	mostPeriod = 999_912
	mostPage   = 99_999
	mostDay    = 999_999 // a little after the year 4700
)

// parseUpTo reads a number from 0 to the limit, in its only spelling.
func parseUpTo(s string, limit int) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n <= limit && strconv.Itoa(n) == s
}

// CellValue returns the value of a cell's choice in a select.
func CellValue(c engine.Cell) string { return strconv.Itoa(int(c)) }

// ParseCellValue reads what was chosen in a select of cells. ok is false for all but one
// value that CellValue could have made: a choice can be made up.
func ParseCellValue(values []string) (c engine.Cell, ok bool) {
	if len(values) != 1 {
		return 0, false
	}
	n, ok := parseSmall(values[0])
	return engine.Cell(n), ok //nolint:gosec // parseSmall bounds it
}
