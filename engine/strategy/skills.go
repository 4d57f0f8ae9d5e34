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
// On every board every level has some insight and overlooks some threats, and both
// change from level to level in the same sense, so that whatever there is to overlook is
// overlooked less by the next. Where three in a row win on a large board, forks are
// everywhere and little insight goes far; where a line takes the whole side, nearly all of the
// strength is to answer threats.
var skills = map[engine.Rules]levels{
	{M: 3, N: 3, K: 3}: {easy: skill{320, 80}, medium: skill{690, 140}, hard: skill{890, 360}},
	{M: 3, N: 4, K: 3}: {easy: skill{220, 50}, medium: skill{680, 100}, hard: skill{920, 390}},
	{M: 3, N: 4, K: 4}: {easy: skill{320, 80}, medium: skill{730, 150}, hard: skill{950, 480}},
	{M: 3, N: 5, K: 3}: {easy: skill{200, 40}, medium: skill{650, 80}, hard: skill{930, 310}},
	{M: 3, N: 5, K: 4}: {easy: skill{380, 150}, medium: skill{750, 310}, hard: skill{920, 580}},
	{M: 3, N: 5, K: 5}: {easy: skill{440, 90}, medium: skill{840, 170}, hard: skill{960, 570}},
	{M: 4, N: 4, K: 3}: {easy: skill{120, 40}, medium: skill{670, 75}, hard: skill{940, 270}},
	{M: 4, N: 4, K: 4}: {easy: skill{260, 80}, medium: skill{680, 150}, hard: skill{860, 350}},
	{M: 4, N: 5, K: 3}: {easy: skill{90, 30}, medium: skill{700, 60}, hard: skill{930, 210}},
	{M: 4, N: 5, K: 4}: {easy: skill{350, 100}, medium: skill{820, 220}, hard: skill{950, 540}},
	{M: 4, N: 5, K: 5}: {easy: skill{380, 80}, medium: skill{780, 150}, hard: skill{940, 440}},
	{M: 5, N: 5, K: 3}: {easy: skill{60, 18}, medium: skill{680, 40}, hard: skill{940, 185}},
	{M: 5, N: 5, K: 4}: {easy: skill{400, 60}, medium: skill{880, 240}, hard: skill{960, 600}},
	{M: 5, N: 5, K: 5}: {easy: skill{330, 80}, medium: skill{690, 150}, hard: skill{870, 350}},
}
