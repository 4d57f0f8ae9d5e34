package bottest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/customid"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
	"tictactoe/engine"
	"tictactoe/store"
)

// does reports whether a component of that custom ID does one of these. One that is not the
// bot's does none.
func does(customID string, actions ...customid.Action) bool {
	id, _ := customid.Parse(customID)
	return slices.Contains(actions, id.Action)
}

// IsCell reports whether a button of that custom ID is a cell of a board, be it that of a
// puzzle.
func IsCell(customID string) bool {
	return does(customID, customid.Cell, customid.CellAtPly, customid.PuzzleCell)
}

// List returns the select of a board that is a list of its cells.
func List(s sandbox.Snapshot) (list rules.Component, ok bool) {
	for c := range rules.All(s.Components) {
		if isList(c.CustomID) {
			return *c, true
		}
	}
	return list, false
}

func isList(customID string) bool {
	return does(customID, customid.CellInList, customid.ListCell, customid.PuzzleInList)
}

// Grid returns the board of a message in the engine's notation, "" when it has none.
func Grid(s sandbox.Snapshot) string {
	var rows []string
	if list, ok := List(s); ok {
		for _, o := range list.Options {
			if o.Label[0] == 'a' {
				rows = append(rows, "")
			}
			rows[len(rows)-1] += string(markOf(o.Label[len(o.Label)-1:])) // it stands behind the cell's name
		}
		return strings.Join(rows, "/")
	}
	for _, row := range s.Rows() {
		if len(row) >= engine.MinSide && IsCell(row[0].CustomID) {
			rows = append(rows, "")
			for _, cell := range row {
				rows[len(rows)-1] += string(markOf(cell.Label))
			}
		}
	}
	return strings.Join(rows, "/")
}

// markOf returns the mark that a cell of that label has, '.' for none: beside the letter a
// label may have the sign of a mark that vanishes next, or was made last.
func markOf(label string) byte {
	if strings.HasPrefix(label, "X") || strings.HasPrefix(label, "O") {
		return label[0]
	}
	return '.'
}

// Going returns the names of the cells whose marks have the sign of vanishing next.
func Going(s sandbox.Snapshot) (names []string) {
	for r, row := range s.Rows() {
		for c, b := range row {
			if IsCell(b.CustomID) && markOf(b.Label) != '.' && strings.Contains(b.Label, "⏳") {
				names = append(names, CellName([2]int{r, c}))
			}
		}
	}
	return names
}

// Ply returns how many moves the board of a message shows: as many as its marker says, or
// as it has marks where there is none.
func Ply(s sandbox.Snapshot) int {
	_, ply, _ := Shown(s.Components)
	return ply
}

// Empties returns the row and column of the empty cells of a board.
func Empties(s sandbox.Snapshot) (cells [][2]int) {
	for r, row := range strings.Split(Grid(s), "/") {
		for c := range row {
			if row[c] == '.' {
				cells = append(cells, [2]int{r, c})
			}
		}
	}
	return cells
}

// CellName returns the name of the cell at a row and column.
func CellName(at [2]int) string { return string([]byte{'a' + byte(at[1]), '1' + byte(at[0])}) } //nolint:gosec // below 5

// cellAt returns the row and column of a cell by its name, such as b2.
func cellAt(t testing.TB, name string) (row, column int) {
	t.Helper()
	if len(name) != 2 || name[0] < 'a' || name[0] > 'e' || name[1] < '1' || name[1] > '5' {
		t.Fatalf("%q is no cell", name)
	}
	return int(name[1] - '1'), int(name[0] - 'a')
}

// Over reports whether the board of the message takes no more moves: nobody is led to what a
// running one has no room for.
func Over(s sandbox.Snapshot) bool {
	return !slices.ContainsFunc(slices.Concat(s.Rows()...), func(b rules.Button) bool {
		return does(b.CustomID, customid.More) && strings.HasPrefix(b.Label, "⋯")
	})
}

// NeverBackwards checks that no picture of a match in a message's history shows fewer
// moves than one before it.
func NeverBackwards(t testing.TB, m *sandbox.Message) {
	t.Helper()
	for _, fault := range backwards(m.Snapshot().Writes) {
		t.Errorf("message %s: %s", m.ID(), fault)
	}
}

// backwards returns what is wrong with the order of pictures.
func backwards(writes []sandbox.Write) (faults []string) {
	most := map[store.MatchID]int{}
	for _, write := range writes {
		match, ply, _ := Picture(write.Body)
		if match == 0 {
			continue
		}
		if ply < most[match] {
			faults = append(faults, "a picture with fewer moves than the one before it: "+string(write.Body))
		}
		most[match] = max(most[match], ply)
	}
	return faults
}

// Picture returns the match that a written message shows, 0 for none, how many moves it
// shows, as [Ply] does, and the marks on its board, "X" or "O".
func Picture(body json.RawMessage) (match store.MatchID, ply int, marks map[engine.Cell]string) {
	var written struct {
		Components []rules.Component
		Data       struct{ Components []rules.Component } // of an answer
	}
	_ = json.Unmarshal(body, &written) // what is no message shows nothing
	return Shown(append(written.Components, written.Data.Components...))
}

// Shown is Picture for the components of a message.
func Shown(components []rules.Component) (match store.MatchID, ply int, marks map[engine.Cell]string) {
	marks, ply = map[engine.Cell]string{}, -1
	for c := range rules.All(components) {
		id, _ := customid.Parse(c.CustomID)
		isCell := does(c.CustomID, customid.Cell, customid.CellAtPly)
		if isCell || isList(c.CustomID) {
			match = id.Match
		}
		if isCell && markOf(c.Label) != '.' {
			marks[id.Cell] = c.Label[:1]
		}
		if moves, ok := customid.PlyOf(c.ID); ok && ply < 0 {
			ply = moves
		}
	}
	if ply < 0 {
		ply = len(marks)
	}
	return match, ply, marks
}
