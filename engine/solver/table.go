package solver

import "math/bits"

// table is the transposition table: for a position and a question, between
// which numbers of plies the answer is known. An entry holds the whole position,
// so what it finds is proof. A newer entry replaces an older one.
type table struct {
	entries []uint64
	shift   uint
}

// never stands for a number of plies that no game has.
const never = 31

// An entry is, from the top, the key, the number of plies within which the
// attacker is known not to win, and the number within which the attacker is known
// to win, taken from never, five bits each. So the zero entry knows nothing, also
// of the empty board, whose key is zero.
const boundBits = 5

func newTable(bytes int) table {
	n := bits.Len(uint(bytes/8)) - 1
	return table{entries: make([]uint64, 1<<n), shift: uint(64 - n)}
}

func (t *table) slot(key uint64) *uint64 {
	return &t.entries[key*0x9e3779b97f4a7c15>>t.shift]
}

// look returns the bounds known for the key.
func (t *table) look(key uint64) (fails, wins int) {
	e := *t.slot(key)
	if e>>(2*boundBits) != key {
		return 0, never
	}
	return int(e >> boundBits & never), never - int(e&never)
}

func (t *table) store(key uint64, fails, wins int) {
	*t.slot(key) = key<<(2*boundBits) | uint64(fails)<<boundBits | uint64(never-wins) //nolint:gosec // bounds are at most never
}
