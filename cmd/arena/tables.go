package main

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"tictactoe/engine"
)

// percent is a share as a percentage with two places.
func percent(p *big.Rat) string {
	return new(big.Rat).Mul(p, big.NewRat(100, 1)).FloatString(2)
}

// writeTables writes the report for people, at most 80 columns wide.
func writeTables(w io.Writer, r Report) error {
	var b strings.Builder
	standardPoints(&b, r.Standard)
	strength(&b, r)
	verdicts(&b, r.Standard)
	standardMisses(&b, r.Standard)
	for _, s := range r.Sampled {
		sampledPoints(&b, s, r.Seed)
		sampledMisses(&b, s)
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

// crossTable writes one row and one column for every name.
func crossTable(b *strings.Builder, names []string, cell func(row, column int) string) {
	fmt.Fprintf(b, "%-8s", "")
	for _, name := range names {
		fmt.Fprintf(b, "%8s", name)
	}
	b.WriteByte('\n')
	for i, name := range names {
		fmt.Fprintf(b, "%-8s", name)
		for j := range names {
			fmt.Fprintf(b, "%8s", cell(i, j))
		}
		b.WriteByte('\n')
	}
}

func standardPoints(b *strings.Builder, s Standard) {
	heading(b, "3x3, exact: points of the row against the column in percent, a win counting 1\nand a draw a half, with X and with O alike")
	crossTable(b, s.Opponents, func(i, j int) string { return percent(s.Against(i, j).Points()) })
}

func sampledPoints(b *strings.Builder, s Sampled, seed uint64) {
	games := s.Against(0, len(s.Opponents)-1).Games()
	heading(b, "%v, sampled with seed %d: points of the row against the column in percent,\n%d games each, 95 %% confidence in brackets below", s.Rules, seed, games)
	fmt.Fprintf(b, "%-8s", "")
	for _, name := range s.Opponents {
		fmt.Fprintf(b, "%9s", name)
	}
	b.WriteByte('\n')
	for i, name := range s.Opponents {
		fmt.Fprintf(b, "%-8s", name)
		for j := range s.Opponents {
			fmt.Fprintf(b, "%9.1f", 100*s.Against(i, j).Points())
		}
		fmt.Fprintf(b, "\n%-8s", "")
		for j := range s.Opponents {
			low, high := s.Against(i, j).Interval()
			fmt.Fprintf(b, "%9s", fmt.Sprintf("[%.0f,%.0f]", 100*low, 100*high))
		}
		b.WriteByte('\n')
	}
}

// strength writes how the levels fare on every board.
func strength(b *strings.Builder, r Report) {
	heading(b, "Strength in a tournament of these five: points of a game in percent, and below\nthem the way from random to perfect in percent, which should rise evenly")
	fmt.Fprintf(b, "%-10s", "")
	for _, name := range ladder {
		fmt.Fprintf(b, "%14s", name)
	}
	b.WriteByte('\n')
	row := func(board string, all []Strength, points func(Strength) string) {
		fmt.Fprintf(b, "%-10s", board)
		for _, s := range all {
			fmt.Fprintf(b, "%14s", points(s))
		}
		fmt.Fprintf(b, "\n%-10s", "")
		for _, s := range all {
			fmt.Fprintf(b, "%14s", new(big.Rat).Mul(s.Scale, big.NewRat(100, 1)).FloatString(0))
		}
		b.WriteByte('\n')
	}
	row("3x3", r.Standard.Strengths(), func(s Strength) string { return percent(s.Points) })
	for _, s := range r.Sampled {
		row(s.Rules.String(), s.Strengths(), func(s Strength) string {
			points, _ := s.Points.Float64()
			return fmt.Sprintf("%.1f [%.0f,%.0f]", 100*points, 100*s.Low, 100*s.High)
		})
	}
}

// standardMisses writes what the opponents overlook on 3x3.
func standardMisses(b *strings.Builder, s Standard) {
	heading(b, "Overlooked on 3x3, exact: mean probability in percent over all positions that\nhave such a thing")
	missed(b, s.Opponents, s.MissRates, s.Positions, percent)
	b.WriteString("\nwin: a win in one. threat: the only cell on which the other side would win.\n" +
		"straight, diagonal: either of them where its only line is a row or column, or\n" +
		"a diagonal. fork: two threats at once. plan: the value of the position, where\n" +
		"some move gives it away and nothing is urgent.\n")
}

// sampledMisses writes what the opponents overlook on a larger board.
func sampledMisses(b *strings.Builder, s Sampled) {
	heading(b, "Overlooked on %v, sampled: in percent of positions of games of random moves\nthat have such a thing", s.Rules)
	missed(b, s.Opponents, s.MissRates, s.Positions, func(p *big.Rat) string {
		return new(big.Rat).Mul(p, big.NewRat(100, 1)).FloatString(1)
	})
}

// missed writes one row for every opponent and one for the number of positions.
func missed(b *strings.Builder, names []string, all []MissRates, positions Positions, percent func(*big.Rat) string) {
	fmt.Fprintf(b, "%-9s", "")
	for t := range motifs {
		fmt.Fprintf(b, "%9s", t)
	}
	b.WriteByte('\n')
	for i, name := range names {
		fmt.Fprintf(b, "%-9s", name)
		for _, p := range all[i] {
			share := "-"
			if p != nil {
				share = percent(p)
			}
			fmt.Fprintf(b, "%9s", share)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%-9s", "positions")
	for _, n := range positions {
		fmt.Fprintf(b, "%9d", n)
	}
	b.WriteByte('\n')
}

// classics are the opponents that other people thought out.
var classics = []string{"rules", "weights", "paths", "ranks"}

// verdicts writes whether the classics can lose, and how.
func verdicts(b *strings.Builder, s Standard) {
	heading(b, "Can the classics lose on 3x3? The shortest game in which they do")
	for _, name := range classics {
		i := s.index(name)
		for side, loss := range s.Losses[i] {
			mark := [2]engine.Mark{engine.X, engine.O}[side]
			if !loss.Possible {
				fmt.Fprintf(b, "%s with %v cannot lose.\n\n", name, mark)
				continue
			}
			fmt.Fprintf(b, "%s with %v can lose in %d moves; against the best replies it loses %s %%:\n",
				name, mark, len(loss.Moves), percent(s.Best[i][side].Loss))
			boards(b, loss.Moves)
		}
	}
	b.WriteString(ranksVerdict(s) + "\n")
}

// ranksVerdict answers the claim that the computer should be unbeatable.
func ranksVerdict(s Standard) string {
	i := s.index("ranks")
	var beaten []string
	for side, loss := range s.Losses[i] {
		if loss.Possible {
			beaten = append(beaten, [2]engine.Mark{engine.X, engine.O}[side].String())
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
	g, err := engine.New(engine.Standard)
	for _, c := range moves {
		if err != nil {
			return // not with moves that were played
		}
		g, err = g.Play(c)
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
		fmt.Fprintf(b, "  %-20s%9s%9s%9s%9s%9s%9s\n", "against", "win", "draw", "loss", "win", "draw", "loss")
		line := func(against string, x, o Result) {
			fmt.Fprintf(b, "  %-20s", against)
			for _, p := range []*big.Rat{x.Win, x.Draw, x.Loss, o.Win, o.Draw, o.Loss} {
				fmt.Fprintf(b, "%9s", percent(p))
			}
			b.WriteByte('\n')
		}
		for j, other := range s.Opponents {
			line(other, s.Games[i][j], s.Games[j][i].Reverse())
		}
		line("the best response", s.Best[i][0], s.Best[i][1])
		b.WriteByte('\n')
	}
}
