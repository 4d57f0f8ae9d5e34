package strategy

import "tictactoe/engine"

// skill is how good somebody is on one board, in thousandths above 0.
type skill struct {
	alert   int // to see a single threat
	insight int // to see further than that; 0 is anywhere, 1000 is to the end
}

// person is how well somebody sees a board. The numbers are chances in
// thousandths.
type person struct {
	win     int // to see a line that can be completed now
	threat  int // to see a line that the other side is about to complete
	fork    int // to see a move that makes two threats at once
	counter int // to see such a move of the other side coming
	plan    int // to read the position to the end
	feel    int // to put a mark where open lines cross, for want of a plan
}

// person returns how somebody of that skill sees: wins before threats, threats
// before forks, one's own forks before the other side's, and plans least.
func (s skill) person() person {
	return person{
		win: (1000 + s.alert) / 2, threat: s.alert,
		fork: min(s.insight*3/2, 1000), counter: s.insight,
		plan: s.insight * s.insight / 1000, feel: s.insight,
	}
}

// slant returns the chance to see something on a line that runs that way. Against a column,
// two thirds of what is overlooked there are overlooked in a row and twice as much on a
// diagonal; but nothing is seen more than half as often again as in a column, nor less than a
// third as often.
func slant(chance int, runs direction) int {
	miss := 1000 - chance
	switch runs {
	case across:
		return min(1000-miss*2/3, chance*3/2)
	case diagonal:
		return max(1000-miss*2, chance/3)
	default:
		return chance
	}
}

// easy sees most wins, some threats, and now and then a fork. A child can beat it.
func easy(g engine.Game, luck luck) engine.Cell {
	return skillOn(g.Rules()).easy.person().choose(g, luck)
}

// medium never misses a win and sees most threats, some forks, and seldom the whole game.
func medium(g engine.Game, luck luck) engine.Cell {
	p := skillOn(g.Rules()).medium.person()
	p.win = 1000
	return p.choose(g, luck)
}

// hard never misses a win and hardly ever a threat. It sees many forks, its own and the
// other side's, and here and there the whole game; how much of each depends on the board, see
// [skills].
func hard(g engine.Game, luck luck) engine.Cell {
	p := skillOn(g.Rules()).hard.person()
	p.win = 1000
	return p.choose(g, luck)
}

// choose plays what the person sees, the most urgent first.
func (p person) choose(g engine.Game, luck luck) engine.Cell {
	s := look(g)
	if seen := p.lastCells(s, s.own, p.win, luck); seen != 0 {
		return anyOf(s.rules, seen, luck)
	}
	if seen := p.lastCells(s, s.other, p.threat, luck); seen != 0 {
		return anyOf(s.rules, seen, luck)
	}
	urgent := s.lines.wins(s.own, s.empty) | s.lines.wins(s.other, s.empty)
	// Whoever overlooked what is urgent does not see through the game either.
	if urgent == 0 && luck.chance(p.plan) {
		return p.place(s, keeping(g), luck)
	}
	if seen := p.forks(s, s.own, p.fork, luck); seen != 0 {
		return anyOf(s.rules, seen, luck)
	}
	cells := s.empty
	if coming := p.forks(s, s.other, p.counter, luck); coming != 0 {
		if safe := s.preventing(coming); safe != 0 {
			cells = safe
		}
	}
	return p.place(s, cells, luck)
}

// place plays one of the cells for want of anything better to tell them apart.
func (p person) place(s sight, cells engine.Bitboard, luck luck) engine.Cell {
	if luck.chance(p.feel) {
		cells = s.mostOpen(cells)
	}
	return anyOf(s.rules, cells, luck)
}

// lastCells returns the cells that complete a line for the marks, as far as the
// lines are seen.
func (p person) lastCells(s sight, marks engine.Bitboard, chance int, luck luck) engine.Bitboard {
	var seen engine.Bitboard
	for _, l := range s.lines {
		rest := l.cells &^ marks
		if rest&(rest-1) == 0 && rest&s.empty != 0 && luck.chance(slant(chance, l.runs)) {
			seen |= rest
		}
	}
	return seen
}

// forks returns the cells that make two threats at once for the marks, as far as
// they are seen. A fork is as hard to see as the harder of its lines, and somebody who
// stops at the first that comes to mind does not weigh all of them.
func (p person) forks(s sight, marks engine.Bitboard, chance int, luck luck) engine.Bitboard {
	var byDirection [diagonal + 1]engine.Bitboard
	for rest := s.lines.forks(marks, s.empty); rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		hardest := across
		for _, l := range s.lines {
			gap := l.cells &^ (marks | bit)
			if l.cells&bit != 0 && gap&(gap-1) == 0 && gap&s.empty != 0 {
				hardest = max(hardest, l.runs)
			}
		}
		byDirection[hardest] |= bit
	}
	var seen engine.Bitboard
	for runs, cells := range byDirection {
		if cells != 0 && luck.chance(slant(chance, direction(runs))) { //nolint:gosec // at most 2
			seen |= cells
		}
	}
	return seen
}
