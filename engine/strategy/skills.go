package strategy

import "tictactoe/engine"

// levels is the skill of the three levels on one board.
type levels struct{ easy, medium, hard skill }

// skillOn returns the skills on the board, which are those of the board laid on its side.
func skillOn(r engine.Rules) levels {
	if r.M > r.N {
		r = r.Transpose()
	}
	return skills[r]
}

// skills says how good the levels are on each board, found by trial so that strength
// falls evenly: in a tournament of random, easy, medium, hard and perfect, in which
// each meets each, medium stands about half way between random and perfect, easy half way
// below and hard half way above it.
//
// Where a line takes the whole longer side of the board and more than three cells, a
// player who answers every single threat is as good as unbeatable, whatever else
// he overlooks. There medium and hard overlook a threat now and then, or nothing would
// lie between medium and perfect. Everywhere else both see every threat.
var skills = map[engine.Rules]levels{
	{M: 3, N: 3, K: 3}: {easy: skill{550, 0}, medium: skill{1000, 0}, hard: skill{1000, 460}},
	{M: 3, N: 4, K: 3}: {easy: skill{400, 0}, medium: skill{1000, 0}, hard: skill{1000, 410}},
	{M: 3, N: 4, K: 4}: {easy: skill{330, 0}, medium: skill{740, 0}, hard: skill{850, 600}},
	{M: 3, N: 5, K: 3}: {easy: skill{380, 0}, medium: skill{1000, 0}, hard: skill{1000, 330}},
	{M: 3, N: 5, K: 4}: {easy: skill{600, 0}, medium: skill{1000, 260}, hard: skill{1000, 520}},
	{M: 3, N: 5, K: 5}: {easy: skill{480, 0}, medium: skill{900, 0}, hard: skill{980, 600}},
	{M: 4, N: 4, K: 3}: {easy: skill{300, 0}, medium: skill{1000, 0}, hard: skill{1000, 300}},
	{M: 4, N: 4, K: 4}: {easy: skill{430, 0}, medium: skill{790, 0}, hard: skill{900, 300}},
	{M: 4, N: 5, K: 3}: {easy: skill{120, 0}, medium: skill{1000, 0}, hard: skill{1000, 230}},
	{M: 4, N: 5, K: 4}: {easy: skill{510, 0}, medium: skill{1000, 0}, hard: skill{1000, 350}},
	{M: 4, N: 5, K: 5}: {easy: skill{400, 0}, medium: skill{840, 0}, hard: skill{850, 600}},
	{M: 5, N: 5, K: 3}: {easy: skill{90, 0}, medium: skill{1000, 0}, hard: skill{1000, 200}},
	{M: 5, N: 5, K: 4}: {easy: skill{760, 0}, medium: skill{1000, 190}, hard: skill{1000, 550}},
	{M: 5, N: 5, K: 5}: {easy: skill{400, 0}, medium: skill{840, 0}, hard: skill{900, 300}},
}
