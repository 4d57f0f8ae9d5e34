package main

import (
	"errors"
	"io"
	"math/big"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tictactoe/engine"
)

// object is a JSON object: names and values in turn, in the order in which they are written.
type object []any

// MarshalJSONTo writes the object.
func (o object) MarshalJSONTo(e *jsontext.Encoder) error {
	err := e.WriteToken(jsontext.BeginObject)
	for _, nameOrValue := range o {
		err = errors.Join(err, json.MarshalEncode(e, nameOrValue))
	}
	return errors.Join(err, e.WriteToken(jsontext.EndObject))
}

// percentages writes shares as percentages with four places.
var percentages = json.JoinMarshalers(
	json.MarshalToFunc(func(e *jsontext.Encoder, share *big.Rat) error {
		return e.WriteValue(jsontext.Value(inPercent(share, 4)))
	}),
	json.MarshalToFunc(func(e *jsontext.Encoder, share float64) error {
		return e.WriteValue(strconv.AppendFloat(nil, 100*share, 'f', 4, 64))
	}),
)

// writeJSON writes the report as one JSON object.
func writeJSON(w io.Writer, r Report) error {
	e := jsontext.NewEncoder(w, jsontext.WithIndent("  ")) // which ends it with a line break
	return json.MarshalEncode(e, r, json.WithMarshalers(percentages), json.Deterministic(true), json.FormatNilSliceAsNull(true))
}

// MarshalJSONTo writes what is known on 3x3. The shares of a game are those of X, and those
// of the best response are the opponent's.
func (s Standard) MarshalJSONTo(e *jsontext.Encoder) error {
	var games, best, losses []object
	for i, name := range s.Opponents {
		for o, other := range s.Opponents {
			r := s.Games[i][o]
			games = append(games, object{"x", name, "o", other, "win", r.Win, "draw", r.Draw, "loss", r.Loss})
		}
		for side, mark := range sides {
			r := s.Best[i][side]
			best = append(best, object{"opponent", name, "plays", mark.String(), "win", r.Win, "draw", r.Draw, "loss", r.Loss})
			losses = append(losses, lossJSON(name, mark, s.Losses[i][side]))
		}
	}
	ranks := s.Losses[s.index("ranks")]
	unbeatable := object{"with_x", ranks[0] == nil, "with_o", ranks[1] == nil}
	return json.MarshalEncode(e, object{
		"opponents", s.Opponents, "games", games, "best_response", best, "misses", missesJSON(s.Played),
		"positions", byMotif(s.Positions), "shortest_losses", losses,
		"ranks_unbeatable", unbeatable, "strength", s.Strengths(),
	})
}

// MarshalJSONTo writes what games showed on the board. The counts and the points of a game
// are those of X, low and high the interval of the points at 95 % confidence.
func (s Sampled) MarshalJSONTo(e *jsontext.Encoder) error {
	var games []object
	for x, name := range s.Opponents {
		for o, other := range s.Opponents {
			r := s.Games[x][o]
			low, high := r.Interval()
			games = append(games, object{
				"x", name, "o", other, "wins", r.Win.Num(), "draws", r.Draw.Num(), "losses", r.Loss.Num(),
				"points", float(r.Points()), "low", low, "high", high,
			})
		}
	}
	return json.MarshalEncode(e, object{
		"board", s.Rules, "opponents", s.Opponents, "games", games, "strength", s.Strengths(),
		"misses", missesJSON(s.Played), "positions", byMotif(s.Positions),
	})
}

// byMotif is a figure of each motif, null standing for what no position has.
func byMotif[T any](figures [motifs]T) map[string]any {
	j := map[string]any{}
	for motif, figure := range figures {
		j[Motif(motif).String()] = figure //nolint:gosec // a few
	}
	return j
}

// missesJSON is what each opponent overlooks.
func missesJSON(p Played) (all []map[string]any) {
	for i, name := range p.Opponents {
		misses := byMotif(p.MissRates[i])
		misses["opponent"] = name
		all = append(all, misses)
	}
	return all
}

// lossJSON is the shortest game that an opponent can lose: null moves where there is none,
// otherwise the moves and the positions after them.
func lossJSON(opponent string, plays engine.Mark, cells []engine.Cell) object {
	var moves []string
	var positions []engine.Game
	g := standardStart
	for _, c := range cells {
		g, _ = g.Play(c) // they were played
		moves, positions = append(moves, engine.Standard.CellName(c)), append(positions, g)
	}
	return object{"opponent", opponent, "plays", plays.String(), "moves", moves, "positions", positions}
}
