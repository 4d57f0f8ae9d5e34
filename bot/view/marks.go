package view

import (
	"cmp"
	"slices"

	"tictactoe/engine"
	"tictactoe/store"
)

// MarkForms are the symbols of one side's mark in texts: as it stands, on the winning line,
// about to vanish, and made just now, in a review.
type MarkForms struct{ Plain, Winning, Going, Moved string }

// sideMark is how the mark of one side is drawn: a letter on buttons, where shape must do
// without colour, and symbols in texts.
type sideMark struct {
	label string
	MarkForms
}

// markSet is how marks are drawn. The cells of the winning line have symbols of their own,
// each of the shape of its mark, and so have marks that vanish next; on their
// buttons these have [goingSign] beside the letter, which screen readers say. The two marks of
// a set differ in shape, so that nobody has to tell colours apart.
type markSet struct {
	x, o          sideMark
	empty, better string
	// like are the marks of people that would be taken for one of the set.
	like []store.OwnMark
}

// goingSign stands behind the letter of a mark that vanishes next.
const goingSign = "⏳"

// marks is the usual set. Puzzles, which are the same everywhere, always have it.
var marks = markSet{
	x:     sideMark{"X", MarkForms{"❌", "❎", "🇽", "🔷"}},
	o:     sideMark{"O", MarkForms{"⭕", "🟢", "🇴", "🔶"}},
	empty: "⬜", better: "✅",
}

// otherMarks are the sets that a guild can choose instead. What goes next looks half gone:
// hollow, broken, falling, waning. Labels are letters that no client draws as emojis, which
// would bring colours of their own onto the buttons.
var otherMarks = map[store.Marks]markSet{
	store.MarksBlocks: {
		x:     sideMark{"■", MarkForms{"🟦", "🟩", "🔲", "🟨"}},
		o:     sideMark{"●", MarkForms{"🔴", "🟢", "🔘", "🟡"}},
		empty: "◽", better: "✅",
	},
	store.MarksHearts: {
		x:     sideMark{"♥\ufe0e", MarkForms{"💙", "💚", "💔", "💛"}},
		o:     sideMark{"★", MarkForms{"⭐", "🌟", "🌠", "✨"}},
		empty: "⬜", better: "✅", like: []store.OwnMark{store.MarkHeart, store.MarkStar},
	},
	store.MarksSky: {
		x:     sideMark{"☾", MarkForms{"🌙", "🌛", "🌘", "🌜"}},
		o:     sideMark{"☼", MarkForms{"☀️", "🌞", "🌇", "🔆"}},
		empty: "⬜", better: "✅", like: []store.OwnMark{store.MarkMoon, store.MarkSun},
	},
}

// OwnMarks are emojis of the application, as texts name them, that text boards show in
// place of the usual set's symbols. The zero value is none.
type OwnMarks struct {
	X, O          MarkForms
	Empty, Better string

	// Chosen are those marks that people can choose of which the application has all forms.
	Chosen map[store.OwnMark]MarkForms
}

// peoplesMarks are the marks that people can choose: the number that is stored, the name that
// pictures, texts and the values of the list have, and the emoji beside it there, which is one
// that every device has.
var peoplesMarks = [...]struct {
	mark        store.OwnMark
	name, emoji string
}{
	{1, "star", "⭐"},
	{2, "heart", "❤️"},
	{3, "gem", "💎"},
	{4, "moon", "🌙"},
	{5, "sun", "☀️"},
	{6, "cloud", "☁️"},
	{7, "drop", "💧"},
	{8, "flame", "🔥"},
	{9, "bolt", "⚡"},
	{10, "leaf", "🍃"},
	{11, "flower", "🌸"},
	{12, "tree", "🌲"},
	{13, "mushroom", "🍄"},
	{14, "cat", "🐱"},
	{15, "fish", "🐟"},
	{16, "paw", "🐾"},
	{17, "crown", "👑"},
	{18, "key", "🔑"},
	{19, "bell", "🔔"},
	{20, "anchor", "⚓"},
	{21, "umbrella", "☂️"},
	{22, "house", "🏠"},
	{23, "ghost", "👻"},
	{24, "rocket", "🚀"},
}

// MarkNames are the names of the marks that people can choose, as their pictures have them.
func MarkNames() map[store.OwnMark]string {
	names := map[store.OwnMark]string{}
	for _, p := range peoplesMarks {
		names[p.mark] = p.name
	}
	return names
}

// drawnMarks is [View.usualMarks] with the marks that the players have chosen in place of
// theirs.
func (v View) drawnMarks(m store.Match) markSet {
	s := v.usualMarks(m)
	x, o := v.chosen(m)
	s.x.MarkForms = cmp.Or(v.OwnMarks.Chosen[x], s.x.MarkForms)
	s.o.MarkForms = cmp.Or(v.OwnMarks.Chosen[o], s.o.MarkForms)
	return s
}

// usualMarks is [View.marksOf] for texts in messages: the application's own where it has them and
// the board shows no other set. Buttons and choices keep letters and symbols, and so do
// messages that notify, since notifications spell out the names of emojis.
func (v View) usualMarks(m store.Match) markSet {
	s, own := v.marksOf(m), v.OwnMarks
	if v.setOf(m) == 0 && own.X.Plain != "" {
		s.x.MarkForms, s.o.MarkForms, s.empty, s.better = own.X, own.O, own.Empty, own.Better
	}
	return s
}

// chosen returns with which marks of their own both players are shown, 0 for X or O. A mark
// stays away that would be taken for the other player's: of two who have chosen the same X
// keeps it.
func (v View) chosen(m store.Match) (x, o store.OwnMark) {
	x, o = v.Person(m.X.User).Mark, v.Person(m.O.User).Mark
	like := v.marksOf(m).like
	if v.always(m) {
		return 0, 0
	}
	x = when(!slices.Contains(like, x), x)
	return x, when(!slices.Contains(like, o) && o != x, o)
}

// always reports whether somebody plays who wants X and O on every board.
func (v View) always(m store.Match) bool {
	return v.Person(m.X.User).Mark == store.AlwaysXO || v.Person(m.O.User).Mark == store.AlwaysXO
}

// setOf is the set of marks that the match shows: that with which it began, unless somebody
// always wants X and O.
func (v View) setOf(m store.Match) store.Marks {
	return when(!v.always(m), m.Marks)
}

// marksOf returns the marks of that set.
func (v View) marksOf(m store.Match) markSet { return marksIn(v.setOf(m)) }

// sign is what stands beside a player's name: their mark. As long as buttons show X and O one
// that they have chosen has that beside it, for nothing else would tell which are theirs.
func (v View) sign(m store.Match, mark engine.Mark) string {
	drawn, usual := v.drawnMarks(m).of(mark).Plain, v.usualMarks(m).of(mark).Plain
	stand := m.State != store.Ended || m.GridStands // the buttons
	return drawn + when(stand && drawn != usual, usual)
}

func marksIn(set store.Marks) markSet {
	if s, ok := otherMarks[set]; ok {
		return s
	}
	return marks
}

// of returns how the mark is drawn, or an empty cell.
func (s markSet) of(m engine.Mark) sideMark {
	switch m {
	case engine.X:
		return s.x
	case engine.O:
		return s.o
	default:
		return sideMark{blankLabel, MarkForms{Plain: s.empty}}
	}
}

// vanishing is [MarkForms].Going with a space of no width behind it: two of the usual ones would
// be read as the flag of a country.
func (f MarkForms) vanishing() string { return f.Going + blankLabel }
