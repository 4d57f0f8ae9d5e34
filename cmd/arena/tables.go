package main

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"tictactoe/engine"
)

// percent is a share as a percentage with two places.
func percent(p *big.Rat) string { return inPercent(p, 2) }

func inPercent(p *big.Rat, places int) string {
	return new(big.Rat).Mul(p, big.NewRat(100, 1)).FloatString(places)
}

// writeTables writes the report for people, at most 80 columns wide.
func writeTables(w io.Writer, r Report) error {
	var b strings.Builder
	standardPoints(&b, r.Standard)
	strength(&b, r)
	verdicts(&b, r.Standard)
	heading(&b, "Overlooked on 3x3, exact: mean probability in percent over all positions that\nhave such a thing")
	missed(&b, r.Standard.Played, percent)
	b.WriteString("\nwin: a win in one. threat: the only cell on which the other side would win.\n" +
		"straight, diagonal: either of them where its only line is a row or column, or\n" +
		"a diagonal. fork: two threats at once. plan: the value of the position, where\n" +
		"some move gives it away and nothing is urgent.\n")
	for _, s := range r.Sampled {
		sampledPoints(&b, s, r.Seed)
		heading(&b, "Overlooked on %v, sampled: in percent of positions of games of random moves\nthat have such a thing", s.Rules)
		missed(&b, s.Played, func(p *big.Rat) string { return inPercent(p, 1) })
	}
	standardResults(&b, r.Standard)
	_, err := io.WriteString(w, b.String())
	return err
}

func heading(b *strings.Builder, format string, args ...any) {
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, format+"\n\n", args...)
}

// columns are those of a table: how wide the first is and each of the others, and how many
// others there are.
type columns struct{ first, others, n int }

// row writes a row of the table.
func (c columns) row(b *strings.Builder, name string, cell func(i int) any) {
	fmt.Fprintf(b, "%-*s", c.first, name)
	for i := range c.n {
		fmt.Fprintf(b, "%*v", c.others, cell(i))
	}
	b.WriteByte('\n')
}

// these are the cells of a row that are known beforehand.
func these(cells []string) func(i int) any { return func(i int) any { return cells[i] } }

func standardPoints(b *strings.Builder, s Standard) {
	heading(b, "3x3, exact: points of the row against the column in percent, a win counting 1\nand a draw a half, with X and with O alike")
	t := columns{8, 8, len(s.Opponents)}
	t.row(b, "", these(s.Opponents))
	for i, name := range s.Opponents {
		t.row(b, name, func(j int) any { return percent(s.Against(i, j).Points()) })
	}
}

func sampledPoints(b *strings.Builder, s Sampled, seed uint64) {
	games := s.Against(0, len(s.Opponents)-1).Games().Num()
	heading(b, "%v, sampled with seed %d: points of the row against the column in percent,\n%v games each, 95 %% confidence in brackets below", s.Rules, seed, games)
	t := columns{8, 9, len(s.Opponents)}
	t.row(b, "", these(s.Opponents))
	for i, name := range s.Opponents {
		t.row(b, name, func(j int) any { return fmt.Sprintf("%.1f", 100*float(s.Against(i, j).Points())) })
		t.row(b, "", func(j int) any {
			low, high := s.Against(i, j).Interval()
			return fmt.Sprintf("[%.0f,%.0f]", 100*low, 100*high)
		})
	}
}

// strength writes how the levels fare on every board.
func strength(b *strings.Builder, r Report) {
	heading(b, "Strength in a tournament of these five: points of a game in percent, and below\nthem the way from random to perfect in percent, which should rise evenly")
	t := columns{10, 14, len(ladder)}
	t.row(b, "", these(ladder))
	row := func(board string, all []Strength, points func(Strength) string) {
		t.row(b, board, func(i int) any { return points(all[i]) })
		t.row(b, "", func(i int) any { return inPercent(all[i].Scale, 0) })
	}
	row("3x3", r.Standard.Strengths(), func(s Strength) string { return percent(s.Points) })
	for _, s := range r.Sampled {
		row(s.Rules.String(), s.Strengths(), func(s Strength) string {
			return fmt.Sprintf("%.1f [%.0f,%.0f]", 100*float(s.Points), 100*s.Low, 100*s.High)
		})
	}
}

// missed writes one row for every opponent and one for the number of positions.
func missed(b *strings.Builder, played Played, percent func(*big.Rat) string) {
	t := columns{9, 9, int(motifs)}
	t.row(b, "", func(i int) any { return Motif(i) }) //nolint:gosec // a few
	for i, name := range played.Opponents {
		t.row(b, name, func(motif int) any {
			if p := played.MissRates[i][motif]; p != nil {
				return percent(p)
			}
			return "-"
		})
	}
	t.row(b, "positions", func(motif int) any { return played.Positions[motif] })
}

// classics are the opponents that other people thought out.
var classics = []string{"rules", "weights", "paths", "ranks"}

// verdicts writes whether the classics can lose, and how.
func verdicts(b *strings.Builder, s Standard) {
	heading(b, "Can the classics lose on 3x3? The shortest game in which they do")
	for _, name := range classics {
		i := s.index(name)
		for side, loss := range s.Losses[i] {
			if loss == nil {
				fmt.Fprintf(b, "%s with %v cannot lose.\n\n", name, sides[side])
				continue
			}
			fmt.Fprintf(b, "%s with %v can lose in %d moves; against the best replies it loses %s %%:\n",
				name, sides[side], len(loss), percent(s.Best[i][side].Loss))
			boards(b, loss)
		}
	}
	b.WriteString(ranksVerdict(s) + "\n")
}

// ranksVerdict answers the claim that the computer should be unbeatable.
func ranksVerdict(s Standard) string {
	var beaten []string
	for side, loss := range s.Losses[s.index("ranks")] {
		if loss != nil {
			beaten = append(beaten, sides[side].String())
		}
	}
	if len(beaten) == 0 {
		return "The claim that ranks should be unbeatable holds."
	}
	return fmt.Sprintf("The claim that ranks should be unbeatable does not hold: it can be beaten when\nit plays %s.", strings.Join(beaten, " and when it plays "))
}

// boards draws the positions of a game side by side, each under its move.
func boards(b *strings.Builder, moves []engine.Cell) {
	var rows [4]strings.Builder
	g := standardStart
	for _, c := range moves {
		g, _ = g.Play(c) // they were played
		fmt.Fprintf(&rows[0], "  %-3s", g.Rules().CellName(c))
		for i, row := range strings.Split(g.String(), "/") {
			fmt.Fprintf(&rows[i+1], "  %s", row)
		}
	}
	for i := range rows {
		b.WriteString(strings.TrimRight(rows[i].String(), " ") + "\n")
	}
	b.WriteByte('\n')
}

// standardResults writes every exact result.
func standardResults(b *strings.Builder, s Standard) {
	heading(b, "3x3, exact: games won, drawn and lost in percent")
	for i, name := range s.Opponents {
		fmt.Fprintf(b, "%-22s%27s%27s\n", name, "with X        ", "with O        ")
		t := columns{22, 9, 6}
		t.row(b, "  against", these([]string{"win", "draw", "loss", "win", "draw", "loss"}))
		line := func(against string, x, o Result) {
			shares := []*big.Rat{x.Win, x.Draw, x.Loss, o.Win, o.Draw, o.Loss}
			t.row(b, "  "+against, func(i int) any { return percent(shares[i]) })
		}
		for j, other := range s.Opponents {
			line(other, s.Games[i][j], s.Games[j][i].Reverse())
		}
		line("the best response", s.Best[i][0], s.Best[i][1])
		b.WriteByte('\n')
	}
}
