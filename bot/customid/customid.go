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
	Wrong     engine.Cell // that was tried
	Cell      engine.Cell
	Choice    match.Choice
	User      store.UserID
	Period    store.Period
	Page      int
	Setting   string // the name of one

	Preference, Value string // names of ours, without a colon

	Day   int64 // since 1970
	Until int64 // as Unix time
}

// ErrUnknown: the text is no custom ID of this version.
var ErrUnknown = errors.New("customid: unknown custom ID")

// String returns the wire form: version, action and its parts, with colons
// between them.
func (id ID) String() string {
	b := make([]byte, 0, 40) // the longest of a board's cells fits
	b = append(append(append(b, version...), ':'), id.Action...)
	end := len(b) // of the last part that is not left out
	for _, p := range known[id.Action].parts {
		before := len(b)
		if b = p.write(append(b, ':'), &id); !p.optional || len(b) > before+1 {
			end = len(b)
		}
	}
	return string(b[:end])
}

// Parse reads the wire form. Anything else, however it differs, gets an
// error that wraps [ErrUnknown].
func Parse(s string) (ID, error) {
	if id, ok := parse(s); ok {
		return id, nil
	}
	return ID{}, fmt.Errorf("%w: %q", ErrUnknown, s[:min(len(s), MaxLength)])
}

func parse(s string) (id ID, ok bool) {
	if len(s) > MaxLength {
		return id, false
	}
	texts := strings.Split(s, ":")
	if len(texts) < 2 || texts[0] != version {
		return id, false
	}
	id.Action = Action(texts[1])
	of, ok := known[id.Action]
	parts, texts := of.parts, texts[2:]
	if !ok || len(texts) > len(parts) || len(texts) < len(parts) && !parts[len(texts)].optional {
		return id, false
	}
	for i, text := range texts {
		if leftOut := parts[i].optional && text == "" && i < len(texts)-1; !leftOut && !parts[i].read(text, &id) {
			return id, false
		}
	}
	return id, true
}

// CellValue returns the value of a cell's choice in a select.
func CellValue(c engine.Cell) string { return strconv.Itoa(int(c)) }

// ParseCellValue reads what was chosen in a select of cells. ok is false for all but one
// value that CellValue could have made: a choice can be made up.
func ParseCellValue(values []string) (c engine.Cell, ok bool) {
	if len(values) != 1 {
		return 0, false
	}
	var id ID
	ok = aCell.read(values[0], &id)
	return id.Cell, ok
}
