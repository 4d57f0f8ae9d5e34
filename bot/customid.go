package bot

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tictactoe/engine"
	"tictactoe/store"
)

// customIDVersion stands first in every custom ID. Messages outlive deploys: a
// button of another version is answered in words instead of being misread.
const customIDVersion = "1"

// maxCustomID is Discord's limit for a custom ID, in characters.
const maxCustomID = 100

// action is the part of a custom ID that picks the route. The letters are in
// messages out there and stay as they are.
type action string

// The actions of buttons.
const (
	actCell           action = "c"  // match, ply, cell: play it
	actResign         action = "r"  // match: ask whether to resign
	actResignConfirm  action = "ry" // match: resign
	actKeepPlaying    action = "rn" // match: do not
	actStopConfirm    action = "sy" // match: a moderator stops it
	actNames          action = "n"  // match: write the cells' names, or do not
	actRematch        action = "m"  // match: offer or take a rematch
	actHarder         action = "h"  // match: again, against a stronger opponent
	actPlayWinner     action = "w"  // match: challenge its winner
	actShowBoard      action = "b"  // match: post the board again
	actPlayPrivately  action = "p"  // choice: a private match
	actAccept         action = "a"  // challenge
	actDecline        action = "d"  // challenge
	actCancel         action = "x"  // challenge
	actChallengeAgain action = "g"  // challenge
	actOpenTable      action = "o"  // nothing: open a table for anybody
)

// customID is a typed custom ID. Which fields an action uses is said with the
// actions. It carries the ply that the button was drawn for, so that a stale or
// doubled click is recognised; it gives no rights: those are checked against the
// stored record.
type customID struct {
	action    action
	match     store.MatchID
	challenge store.ChallengeID
	ply       int
	cell      engine.Cell
	choice    choice
}

// choice is what somebody chose for a match against the program.
type choice struct {
	opponent string
	rules    engine.Rules
	first    string // firstMe, firstBot or firstRandom
}

// errCustomID: the text is no custom ID of this version.
var errCustomID = errors.New("bot: unknown custom ID")

type idKind int

const (
	idNothing idKind = iota
	idMatch
	idCell
	idChallenge
	idChoice
)

// idKinds says what follows the action.
var idKinds = map[action]idKind{
	actCell:           idCell,
	actResign:         idMatch,
	actResignConfirm:  idMatch,
	actKeepPlaying:    idMatch,
	actStopConfirm:    idMatch,
	actNames:          idMatch,
	actRematch:        idMatch,
	actHarder:         idMatch,
	actPlayWinner:     idMatch,
	actShowBoard:      idMatch,
	actPlayPrivately:  idChoice,
	actAccept:         idChallenge,
	actDecline:        idChallenge,
	actCancel:         idChallenge,
	actChallengeAgain: idChallenge,
	actOpenTable:      idNothing,
}

// String returns the wire form: version, action and its parts, with colons
// between them.
func (id customID) String() string {
	parts := []string{customIDVersion, string(id.action)}
	switch idKinds[id.action] {
	case idMatch:
		parts = append(parts, formatID(int64(id.match)))
	case idCell:
		parts = append(parts, formatID(int64(id.match)), strconv.Itoa(id.ply), strconv.Itoa(int(id.cell)))
	case idChallenge:
		parts = append(parts, formatID(int64(id.challenge)))
	case idChoice:
		parts = append(parts, id.choice.opponent, id.choice.rules.String(), id.choice.first)
	case idNothing:
	}
	return strings.Join(parts, ":")
}

// parseCustomID reads the wire form. Anything else, however it differs, gets an
// error that wraps errCustomID.
func parseCustomID(s string) (customID, error) {
	fail := func() (customID, error) {
		if len(s) > maxCustomID {
			s = s[:maxCustomID]
		}
		return customID{}, fmt.Errorf("%w: %q", errCustomID, s)
	}
	if len(s) > maxCustomID {
		return fail()
	}
	parts := strings.Split(s, ":")
	if len(parts) < 2 || parts[0] != customIDVersion {
		return fail()
	}
	id := customID{action: action(parts[1])}
	kind, ok := idKinds[id.action]
	if !ok {
		return fail()
	}
	args := parts[2:]
	if len(args) != map[idKind]int{idNothing: 0, idMatch: 1, idCell: 3, idChallenge: 1, idChoice: 3}[kind] {
		return fail()
	}
	switch kind {
	case idMatch, idCell:
		n, ok := parseID(args[0])
		if !ok {
			return fail()
		}
		id.match = store.MatchID(n)
		if kind == idMatch {
			break
		}
		ply, okPly := parseSmall(args[1])
		cell, okCell := parseSmall(args[2])
		if !okPly || !okCell {
			return fail()
		}
		id.ply, id.cell = ply, engine.Cell(cell) //nolint:gosec // parseSmall bounds it
	case idChallenge:
		n, ok := parseID(args[0])
		if !ok {
			return fail()
		}
		id.challenge = store.ChallengeID(n)
	case idChoice:
		r, err := engine.ParseRules(args[1])
		if err != nil || r.String() != args[1] {
			return fail()
		}
		id.choice = choice{opponent: args[0], rules: r, first: args[2]}
	case idNothing:
	}
	return id, nil
}

// formatID writes a record's id in base 36: short, and without a sign.
func formatID(n int64) string { return strconv.FormatInt(n, 36) }

// parseID reads what formatID writes, in its only spelling.
func parseID(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 36, 64)
	return n, err == nil && n > 0 && formatID(n) == s
}

// parseSmall reads a number from 0 to the number of cells, in its only spelling.
func parseSmall(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n <= engine.MaxCells && strconv.Itoa(n) == s
}
