package view

import (
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// markSet is how marks are drawn: letters on buttons, where shape must do without
// colour, and symbols in text. The cells of the winning line have symbols of their
// own, each of the shape of its mark, and so have marks that vanish next; on their
// buttons these have a sign beside the letter, which screen readers say.
type markSet struct {
	labelX, labelO     string
	x, o, empty        string
	winningX, winningO string
	goingX, goingO     string
	going              string
	movedX, movedO     string // just now, in a review
	better             string
}

var marks = markSet{
	labelX: "X", labelO: "O", x: "❌", o: "⭕", empty: "⬜", winningX: "❎", winningO: "🟢",
	goingX: "🇽", goingO: "🇴", going: "⏳",
	movedX: "🔷", movedO: "🔶", better: "✅",
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
// behind it: two of these letters would be read as the flag of a country.
func (s markSet) vanishing(m engine.Mark) string {
	if m == engine.X {
		return s.goingX + blankLabel
	}
	return s.goingO + blankLabel
}

func (s markSet) label(m engine.Mark) string {
	if m == engine.X {
		return s.labelX
	}
	return s.labelO
}

// View makes messages in one language at one moment. The moment is given both as
// wall time and as the up-time of each guild's clock domain, in which deadlines are
// kept.
type View struct {
	Words
	Now    time.Time
	Uptime func(store.GuildID) time.Duration
	// Names are those under which people appear in place of mentions, where everybody sees
	// a message that nobody asked for: whoever is mentioned there would be notified.
	Names map[store.UserID]string
	// Command returns how a subcommand is mentioned: as a link once its id is known.
	Command func(name string) string
}
