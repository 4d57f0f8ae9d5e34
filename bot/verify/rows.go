package verify

import (
	"slices"

	"tictactoe/bot/customid"
)

// row is one thing that the bot relies on: what is expected, where, and how what was seen is
// judged. It looks at evidence by name, all of which has to be there.
type row struct {
	id, expects, where, of string
	judge                  judge
}

// group is rows that are looked at together.
type group struct {
	name string
	rows []row
}

const (
	v2, quietV2 = 1 << 15, 1<<15 | 1<<12 // flags
	private     = 1 << 6
)

var (
	invalidForm = []int{50035}
	anchor      = customid.Marker(0)
)

// groups are all rows.
var groups = []group{{"alone", aloneRows}, {"with your clicks", clickRows}, {"when you like", slices.Concat(moreRows, laterRows)}}
