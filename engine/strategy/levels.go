package strategy

import "tictactoe/engine"

// skill is how good somebody is on one board, in thousandths above 0.
type skill struct {
	alert   int // to see a single threat
	insight int // to see further than that; 0 is anywhere, 1000 is to the end
	memory  int // to remember which mark vanishes next; 0 where none does
}

// profile is how well a player sees the things on a board: chances in thousandths.
type profile struct {
	win     int // to see a line that can be completed now
	threat  int // to see a line that the other side is about to complete
	fork    int // to see a move that makes two threats at once
	counter int // to see such a move of the other side coming
	plan    int // to read the position to the end
	feel    int // to put a mark where open lines cross, for want of a plan
	memory  int // to remember which mark of a side vanishes next
}

// profile returns what a player of that skill sees: wins before threats, threats
// before forks, their own forks before the other side's, and plans least.
func (s skill) profile() profile {
	return profile{
		win: (1000 + s.alert) / 2, threat: s.alert,
		fork: min(s.insight*3/2, 1000), counter: s.insight,
		plan: s.insight * s.insight / 1000, feel: s.insight, memory: s.memory,
	}
}

// byDirection returns the chance to see something on a line that runs that way. The
// chance given is that of a column. A row has two thirds of the misses of a column, a
// diagonal has twice as many. The chance on a row is at most one and a half times that
// of a column, the chance on a diagonal at least a third of it.
func byDirection(chance int, runs direction) int {
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
func easy(g engine.Game, dice dice) engine.Cell {
	return skillOn(g.Rules()).easy.profile().choose(g, dice)
}

// medium never misses a win and sees most threats, some forks, and seldom the whole game.
func medium(g engine.Game, dice dice) engine.Cell {
	p := skillOn(g.Rules()).medium.profile()
	p.win = 1000
	return p.choose(g, dice)
}

// hard never misses a win and hardly ever a threat. It sees many forks, its own and the
// other side's, and here and there the whole game; how much of each depends on the board, see
// [skills].
func hard(g engine.Game, dice dice) engine.Cell {
	p := skillOn(g.Rules()).hard.profile()
	p.win = 1000
	return p.choose(g, dice)
}

// choose plays what the player sees, the most urgent first. The moves before the position do
// not matter: only perfect takes care not to repeat it.
func (p profile) choose(g engine.Game, dice dice) engine.Cell {
	g = g.Position()
	v := newView(g)
	if seen := p.urgent(g, v, dice); seen != 0 {
		return anyOf(v.rules, seen, dice)
	}
	overlooked := v.rules.Completing(v.own, v.empty)|v.rules.Completing(v.other, v.empty) != 0
	// A player who overlooked something urgent does not read the game to its end either.
	if !overlooked && dice.happens(p.plan) {
		return p.place(v, keeping(g), dice)
	}
	if v.rules.Limit != 0 {
		return p.chooseVanishing(g, v, overlooked, dice)
	}
	if seen := p.forks(v, v.own, p.fork, dice); seen != 0 {
		return anyOf(v.rules, seen, dice)
	}
	cells := v.empty
	if coming := p.forks(v, v.other, p.counter, dice); coming != 0 {
		if safe := v.preventing(coming); safe != 0 {
			cells = safe
		}
	}
	return p.place(v, cells, dice)
}

// urgent returns the cells that complete a line, or else those that stop the other side from
// it, as far as they are seen. Where marks vanish, players see lines as on other boards, but they
// may forget which mark goes next: then they complete a line that is none by the time it is
// complete, or block one that is no threat.
func (p profile) urgent(g engine.Game, v view, dice dice) engine.Bitboard {
	forgets := func() bool { return v.rules.Limit != 0 && !dice.happens(p.memory) }
	seen := p.lastCells(v, v.own, p.win, dice)
	if seen == 0 && forgets() {
		seen = p.lastCells(v, g.Marks(g.SideToMove()), p.win, dice)
	}
	if seen != 0 {
		return seen
	}
	threats := v.other
	if forgets() {
		threats = g.Marks(g.SideToMove().Other())
	}
	return p.lastCells(v, threats, p.threat, dice)
}

// place plays one of the cells for want of anything better to tell them apart.
func (p profile) place(v view, cells engine.Bitboard, dice dice) engine.Cell {
	if dice.happens(p.feel) {
		cells = v.mostOpen(cells)
	}
	return anyOf(v.rules, cells, dice)
}

// lastCells returns the cells that complete a line for the marks, as far as the
// lines are seen.
func (p profile) lastCells(v view, marks engine.Bitboard, chance int, dice dice) engine.Bitboard {
	var seen engine.Bitboard
	for _, l := range v.rules.Lines() {
		rest := l &^ marks
		if rest&(rest-1) == 0 && rest&v.empty != 0 && dice.happens(byDirection(chance, directionOf(v.rules, l))) {
			seen |= rest
		}
	}
	return seen
}

// forks returns the cells that make two threats at once for the marks, as far as
// they are seen. A fork is as hard to see as the harder of its lines. Forks that are
// equally hard are seen together or not at all.
func (p profile) forks(v view, marks engine.Bitboard, chance int, dice dice) engine.Bitboard {
	var byHardest [diagonal + 1]engine.Bitboard
	for rest := v.forks(marks, v.empty); rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		hardest := across
		for _, l := range v.rules.Lines() {
			gap := l &^ (marks | bit)
			if l&bit != 0 && gap&(gap-1) == 0 && gap&v.empty != 0 {
				hardest = max(hardest, directionOf(v.rules, l))
			}
		}
		byHardest[hardest] |= bit
	}
	var seen engine.Bitboard
	for runs, cells := range byHardest {
		if cells != 0 && dice.happens(byDirection(chance, direction(runs))) { //nolint:gosec // at most 2
			seen |= cells
		}
	}
	return seen
}
