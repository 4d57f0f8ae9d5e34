package solver_test

import (
	"tictactoe/engine"
)

// reference holds the value of every position of a board of at most 20 cells,
// found backwards from the ends of the game by nothing but the rules. It shares
// no code with the search and takes no short cut.
//
// A position is its number in base 3, digit 1 for X and 2 for O, cell 0 last;
// its halves are the numbers of the first ten cells and of the rest.
type reference struct {
	rules engine.Rules
	cells int
	// values are for the side to move: 1+n for a win in n plies, -1-n for a loss
	// in n plies, 0 for a draw.
	values []int8
	power  [2*halfCells + 1]int
}

const (
	halfCells = 10
	halfSize  = 59049 // 3^10
)

// halves gives the marks in each number of ten cells.
var halves = func() (h [halfSize]struct{ x, o uint32 }) {
	for i := range h {
		for c, rest := 0, i; rest != 0; c, rest = c+1, rest/3 {
			switch rest % 3 {
			case 1:
				h[i].x |= 1 << c
			case 2:
				h[i].o |= 1 << c
			}
		}
	}
	return h
}()

func (r *reference) marks(i int) (x, o uint32) {
	low, high := halves[i%halfSize], halves[i/halfSize]
	return low.x | high.x<<halfCells, low.o | high.o<<halfCells
}

// gridLines returns every line of the board by walking the grid.
func gridLines(r engine.Rules) []uint32 {
	m, n, k := int(r.M), int(r.N), int(r.K)
	var lines []uint32
	for row := range n {
		for column := range m {
			for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				var line uint32
				for i := range k {
					c, r := column+i*step[0], row+i*step[1]
					if c < 0 || c >= m || r < 0 || r >= n {
						line = 0
						break
					}
					line |= 1 << (r*m + c)
				}
				if line != 0 {
					lines = append(lines, line)
				}
			}
		}
	}
	return lines
}

func anyLine(lines []uint32, marks uint32) bool {
	for _, line := range lines {
		if marks&line == line {
			return true
		}
	}
	return false
}

func newReference(rules engine.Rules) *reference {
	r := &reference{rules: rules, cells: rules.Cells()}
	r.power[0] = 1
	for c := range r.cells {
		r.power[c+1] = 3 * r.power[c]
	}
	lines := gridLines(rules)
	r.values = make([]int8, r.power[r.cells])
	// A move makes the number larger, so falling numbers meet every position
	// after those that follow it.
	for i := len(r.values) - 1; i >= 0; i-- {
		x, o := r.marks(i)
		nx, no := count(x), count(o)
		if nx != no && nx != no+1 {
			continue
		}
		digit, last := 1, o
		if nx > no {
			digit, last = 2, x
		}
		switch {
		case anyLine(lines, last):
			r.values[i] = -1
			continue
		case nx+no == r.cells:
			continue
		}
		best := int8(-128)
		for c := range r.cells {
			if (x|o)>>c&1 != 0 {
				continue
			}
			v := later(r.values[i+digit*r.power[c]])
			if rank(v) > rank(best) {
				best = v
			}
		}
		r.values[i] = best
	}
	return r
}

// later returns what a position is worth to the side to move if its move leads
// to one of the value given: the opposite, and one ply further from the end.
func later(v int8) int8 {
	switch {
	case v < 0:
		return 1 - v
	case v > 0:
		return -1 - v
	default:
		return 0
	}
}

func count(b uint32) int {
	n := 0
	for ; b != 0; b &= b - 1 {
		n++
	}
	return n
}

// rank orders values by preference: quick wins, slow wins, draws, slow losses,
// quick losses.
func rank(v int8) int {
	switch {
	case v == -128:
		return -1000 // nothing yet
	case v > 0:
		return 100 - int(v)
	case v < 0:
		return -100 - int(v)
	default:
		return 0
	}
}

// positions yields one position in each class of symmetric ones in which the
// game is not over, with its number.
func (r *reference) positions(yield func(int, engine.Game) bool) {
	lines := gridLines(r.rules)
	images := r.images()
next:
	for i := range r.values {
		x, o := r.marks(i)
		nx, no := count(x), count(o)
		if nx != no && nx != no+1 || nx+no == r.cells || anyLine(lines, x) || anyLine(lines, o) {
			continue
		}
		for _, image := range images {
			if image.low[i%halfSize]+image.high[i/halfSize] < i {
				continue next
			}
		}
		if !yield(i, r.game(x, o)) {
			return
		}
	}
}

type image struct{ low, high [halfSize]int }

// images returns for every symmetry what each half of a number turns into.
func (r *reference) images() []*image {
	var images []*image
	for _, s := range r.rules.Symmetries()[1:] {
		img := new(image)
		for i := range halfSize {
			for c, rest := 0, i; rest != 0; c, rest = c+1, rest/3 {
				if c < r.cells {
					img.low[i] += rest % 3 * r.power[s.Cell(r.rules, engine.Cell(c))]
				}
				if c+halfCells < r.cells {
					img.high[i] += rest % 3 * r.power[s.Cell(r.rules, engine.Cell(c+halfCells))]
				}
			}
		}
		images = append(images, img)
	}
	return images
}

// game returns the position with the marks: neither side has a line, so they
// can be played in any order.
func (r *reference) game(x, o uint32) engine.Game {
	var moves [2 * halfCells]engine.Cell
	var ply int
	for ; x != 0; ply++ {
		side := &x
		if ply%2 == 1 {
			side = &o
		}
		for c := range r.cells {
			if *side>>c&1 != 0 {
				moves[ply] = engine.Cell(c)
				*side &^= 1 << c
				break
			}
		}
	}
	if o != 0 {
		for c := range r.cells {
			if o>>c&1 != 0 {
				moves[ply] = engine.Cell(c)
				ply++
			}
		}
	}
	g, err := engine.Replay(r.rules, moves[:ply])
	if err != nil {
		panic(err) // the reference is wrong
	}
	return g
}
