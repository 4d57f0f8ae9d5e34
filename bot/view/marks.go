package view

import (
	"tictactoe/engine"
	"tictactoe/store"
)

// markSet is how marks are drawn: letters on buttons, where shape must do without
// colour, and symbols in text. The cells of the winning line have symbols of their
// own, each of the shape of its mark, and so have marks that vanish next; on their
// buttons these have a sign beside the letter, which screen readers say. The two marks of
// a set differ in shape, so that nobody has to tell colours apart.
type markSet struct {
	labelX, labelO     string
	x, o, empty        string
	winningX, winningO string
	goingX, goingO     string
	going              string
	movedX, movedO     string // just now, in a review
	better             string
}

// marks is the usual set. Puzzles, which are the same everywhere, always have it.
var marks = markSet{
	labelX: "X", labelO: "O", x: "❌", o: "⭕", empty: "⬜", winningX: "❎", winningO: "🟢",
	goingX: "🇽", goingO: "🇴", going: "⏳",
	movedX: "🔷", movedO: "🔶", better: "✅",
}

// otherMarks are the sets that a guild can choose instead. What goes next looks half gone:
// hollow, broken, falling, waning. Labels are letters that no client draws as emojis, which
// would bring colours of their own onto the buttons.
var otherMarks = map[store.Marks]markSet{
	store.MarksBlocks: {
		labelX: "■", labelO: "●", x: "🟦", o: "🔴", empty: "◽", winningX: "🟩", winningO: "🟢",
		goingX: "🔲", goingO: "🔘", going: "⏳",
		movedX: "🟨", movedO: "🟡", better: "✅",
	},
	store.MarksHearts: {
		labelX: "♥\ufe0e", labelO: "★", x: "💙", o: "⭐", empty: "⬜", winningX: "💚", winningO: "🌟",
		goingX: "💔", goingO: "🌠", going: "⏳",
		movedX: "💛", movedO: "✨", better: "✅",
	},
	store.MarksSky: {
		labelX: "☾", labelO: "☼", x: "🌙", o: "☀️", empty: "⬜", winningX: "🌛", winningO: "🌞",
		goingX: "🌘", goingO: "🌇", going: "⏳",
		movedX: "🌜", movedO: "🔆", better: "✅",
	},
}

// OwnMarks are emojis of the application, as texts name them, that text boards show in
// place of the usual set's symbols. The zero value is none.
type OwnMarks struct {
	X, O, Empty        string
	WinningX, WinningO string
	GoingX, GoingO     string // that vanish next
	MovedX, MovedO     string // just now, in a review
	Better             string
}

// drawnMarks is [marksOf] for texts in messages: the application's own where it has them and
// the guild has chosen no other set. Buttons and choices keep letters and symbols, and so do
// messages that notify, since notifications spell out the names of emojis.
func (v View) drawnMarks(m store.Match) markSet {
	s, own := marksOf(m), v.OwnMarks
	if m.Marks != 0 || own == (OwnMarks{}) {
		return s
	}
	s.x, s.o, s.empty, s.winningX, s.winningO = own.X, own.O, own.Empty, own.WinningX, own.WinningO
	s.goingX, s.goingO, s.movedX, s.movedO, s.better = own.GoingX, own.GoingO, own.MovedX, own.MovedO, own.Better
	return s
}

// marksOf returns the set of marks that the match shows.
func marksOf(m store.Match) markSet { return marksIn(m.Marks) }

func marksIn(set store.Marks) markSet {
	if s, ok := otherMarks[set]; ok {
		return s
	}
	return marks
}

func (s markSet) symbol(m engine.Mark) string {
	switch m {
	case engine.X:
		return s.x
	case engine.O:
		return s.o
	default:
		return s.empty
	}
}

// winning returns the symbol of a mark on the winning line.
func (s markSet) winning(m engine.Mark) string {
	if m == engine.X {
		return s.winningX
	}
	return s.winningO
}

// vanishing returns the symbol of a mark that vanishes next, with a space of no width
// behind it: two of the usual ones would be read as the flag of a country.
func (s markSet) vanishing(m engine.Mark) string {
	if m == engine.X {
		return s.goingX + blankLabel
	}
	return s.goingO + blankLabel
}

// moved returns the symbol of a mark that was made just now.
func (s markSet) moved(m engine.Mark) string {
	if m == engine.X {
		return s.movedX
	}
	return s.movedO
}

func (s markSet) label(m engine.Mark) string {
	if m == engine.X {
		return s.labelX
	}
	return s.labelO
}
