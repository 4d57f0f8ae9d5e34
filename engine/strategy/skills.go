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

// skills says how good the levels are on each board. The numbers were found by trial, so
// that strength rises evenly: when random, easy, medium, hard and perfect each play each,
// medium stands about half way between random and perfect, easy about half way below
// medium, and hard about half way above.
//
// On every board every level has some insight and overlooks some threats. Both numbers rise
// from level to level, so that each level overlooks less of everything than the one below.
// Where three in a row win on a large board, there are many forks, and little insight goes
// far. Where a line takes the whole side, nearly all of the strength is to answer threats.
// Where marks vanish, much of it is to remember which one goes next.
var skills = map[engine.Rules]levels{
	{M: 3, N: 3, K: 3}: {easy: skill{320, 80, 0}, medium: skill{690, 140, 0}, hard: skill{890, 360, 0}},
	engine.Vanishing:   {easy: skill{350, 110, 370}, medium: skill{780, 350, 820}, hard: skill{955, 630, 990}},
	{M: 3, N: 4, K: 3}: {easy: skill{220, 50, 0}, medium: skill{680, 100, 0}, hard: skill{920, 390, 0}},
	{M: 3, N: 4, K: 4}: {easy: skill{320, 80, 0}, medium: skill{730, 150, 0}, hard: skill{950, 480, 0}},
	{M: 3, N: 5, K: 3}: {easy: skill{190, 52, 0}, medium: skill{650, 80, 0}, hard: skill{930, 310, 0}},
	{M: 3, N: 5, K: 4}: {easy: skill{380, 150, 0}, medium: skill{750, 310, 0}, hard: skill{965, 500, 0}},
	{M: 3, N: 5, K: 5}: {easy: skill{440, 90, 0}, medium: skill{840, 170, 0}, hard: skill{960, 570, 0}},
	{M: 4, N: 4, K: 3}: {easy: skill{120, 40, 0}, medium: skill{670, 75, 0}, hard: skill{940, 270, 0}},
	{M: 4, N: 4, K: 4}: {easy: skill{260, 80, 0}, medium: skill{680, 150, 0}, hard: skill{860, 350, 0}},
	{M: 4, N: 5, K: 3}: {easy: skill{112, 26, 0}, medium: skill{700, 60, 0}, hard: skill{930, 210, 0}},
	{M: 4, N: 5, K: 4}: {easy: skill{350, 100, 0}, medium: skill{820, 220, 0}, hard: skill{950, 540, 0}},
	{M: 4, N: 5, K: 5}: {easy: skill{380, 80, 0}, medium: skill{780, 150, 0}, hard: skill{940, 440, 0}},
	{M: 5, N: 5, K: 3}: {easy: skill{100, 10, 0}, medium: skill{680, 40, 0}, hard: skill{940, 185, 0}},
	{M: 5, N: 5, K: 4}: {easy: skill{400, 60, 0}, medium: skill{880, 240, 0}, hard: skill{960, 600, 0}},
	{M: 5, N: 5, K: 5}: {easy: skill{330, 80, 0}, medium: skill{690, 150, 0}, hard: skill{870, 350, 0}},
}
