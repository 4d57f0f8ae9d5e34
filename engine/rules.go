package engine

import (
	"fmt"
	"strings"
)

// The limits of the boards that the package knows.
const (
	MinSide  = 3                 // shortest side and shortest row length
	MaxSide  = 5                 // longest side
	MaxCells = MaxSide * MaxSide // cells of the largest board
)

// Rules name an m,n,k-game: M columns, N rows, K in a row to win. The zero
// value names no game: it is not valid, and a [Game] cannot be made with it.
type Rules struct {
	M, N, K uint8
	// Limit is the most marks that a side may have on the board, 0 for any
	// number. A side that has as many takes its oldest one off in the same move in
	// which it places another. Only [Vanishing] has a limit.
	Limit uint8
}

// Standard is tic-tac-toe, the 3,3,3-game.
var Standard = Rules{M: 3, N: 3, K: 3}

// Vanishing is tic-tac-toe with at most three marks a side. The mark that a move
// takes off still takes its cell while the move is chosen; then the marks that
// remain win if they are three in a row. A position that stands for the third time
// is a draw, with its marks, their ages and the side to move, and so is a game of
// [MaxPlies] moves.
var Vanishing = Rules{M: 3, N: 3, K: 3, Limit: 3}

// NewRules returns the rules of the m,n,k-game, or an error that wraps
// [ErrRules] when a side is not 3 to 5 or k is not 3 to the longer side.
func NewRules(m, n, k int) (Rules, error) {
	r := Rules{M: uint8(m), N: uint8(n), K: uint8(k)} //nolint:gosec // what does not fit is refused
	if int(r.M) != m || int(r.N) != n || int(r.K) != k || !r.Valid() {
		return Rules{}, fmt.Errorf("%w: %d columns, %d rows, %d in a row", ErrRules, m, n, k)
	}
	return r, nil
}

// Validate returns nil for rules that the package can play, and otherwise an
// error that wraps [ErrRules].
func (r Rules) Validate() error {
	if r.Valid() {
		return nil
	}
	err := fmt.Errorf("%w: %d columns, %d rows, %d in a row", ErrRules, r.M, r.N, r.K)
	if r.Limit != 0 {
		err = fmt.Errorf("%w, at most %d marks a side", err, r.Limit)
	}
	return err
}

// Valid reports whether both sides are 3 to 5, K is 3 to the longer side, and there is
// no limit of marks unless the rules are [Vanishing].
func (r Rules) Valid() bool {
	return (r.Limit == 0 || r == Vanishing) && r.M >= MinSide && r.M <= MaxSide && r.N >= MinSide && r.N <= MaxSide &&
		r.K >= MinSide && r.K <= max(r.M, r.N)
}

// AllRules returns every valid rules value: those without a limit by columns, rows and
// row length, then [Vanishing].
func AllRules() []Rules {
	var all []Rules
	for m := uint8(MinSide); m <= MaxSide; m++ {
		for n := uint8(MinSide); n <= MaxSide; n++ {
			for k := uint8(MinSide); k <= max(m, n); k++ {
				all = append(all, Rules{M: m, N: n, K: k})
			}
		}
	}
	return append(all, Vanishing)
}

// Cells returns the number of cells, M times N.
func (r Rules) Cells() int { return int(r.M) * int(r.N) }

// Square reports whether the board has as many columns as rows.
func (r Rules) Square() bool { return r.M == r.N }

// MaxPlies returns the most moves that a game can have: one for each cell, or
// [MaxPlies] where marks vanish.
func (r Rules) MaxPlies() int {
	if r.Limit != 0 {
		return MaxPlies
	}
	return r.Cells()
}

// Transpose returns the rules with columns and rows exchanged.
func (r Rules) Transpose() Rules { return Rules{M: r.N, N: r.M, K: r.K, Limit: r.Limit} }

// vanishing is the text form of [Vanishing].
const vanishing = "vanishing"

// rowLengthImplied reports whether the text form leaves K out: on a square
// board whose whole side must be filled.
func (r Rules) rowLengthImplied() bool { return r.M == r.N && r.N == r.K }

// String returns the text form, columns x rows and then, unless it is the side
// of a square board, the row length: "3x3", "4x4-3", "4x5-4". For [Vanishing] it
// returns "vanishing".
func (r Rules) String() string {
	switch {
	case r == Vanishing:
		return vanishing
	case r.rowLengthImplied():
		return fmt.Sprintf("%dx%d", r.M, r.N)
	default:
		return fmt.Sprintf("%dx%d-%d", r.M, r.N, r.K)
	}
}

// MarshalText returns the text form. The error is always nil.
func (r Rules) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what [ParseRules] reads; on error r is unchanged.
func (r *Rules) UnmarshalText(text []byte) error {
	parsed, err := ParseRules(string(text))
	if err != nil {
		return err
	}
	*r = parsed
	return nil
}

// ParseRules reads the text form: "3x3", "4x5-4", "vanishing". The row length may be
// left out only on square boards, where it is the side, and is accepted there too
// ("3x3-3"). A text of another form gets an error that wraps [ErrNotation], a
// board that the package does not know one that wraps [ErrRules].
func ParseRules(s string) (Rules, error) {
	if s == vanishing {
		return Vanishing, nil
	}
	board, length, hasLength := strings.Cut(s, "-")
	columns, rows, _ := strings.Cut(board, "x")
	m, okM := digit(columns)
	n, okN := digit(rows)
	if !okM || !okN {
		return Rules{}, fmt.Errorf("%w: %q is not columns x rows", ErrNotation, clip(s))
	}
	return readRules(s, m, n, length, hasLength)
}

// readRules returns the rules of the text s, which has so many columns and rows and, if it
// has a length, that behind a hyphen.
func readRules(s string, m, n int, length string, hasLength bool) (Rules, error) {
	k, ok := m, m == n
	if hasLength {
		k, ok = digit(length)
	}
	if !ok {
		return Rules{}, fmt.Errorf("%w: %q needs a row length, as in \"4x5-4\"", ErrNotation, clip(s))
	}
	return NewRules(m, n, k)
}

// digit reads a single decimal digit; no side has two.
func digit(s string) (int, bool) {
	if len(s) != 1 || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	return int(s[0] - '0'), true
}

// clip keeps error texts short when the input is not.
func clip(s string) string {
	const longest = 64
	if len(s) <= longest {
		return s
	}
	return s[:longest] + "…"
}
