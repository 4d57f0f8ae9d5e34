package main

import (
	"io"
	"math/big"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tictactoe/engine"
)

// The report as JSON, where it has another shape than in the program.
type (
	jsonStandard struct {
		Opponents []string         `json:"opponents"`
		Games     []jsonGame       `json:"games"`
		Best      []jsonBest       `json:"best_response"`
		MissRates []map[string]any `json:"misses"`
		Positions map[string]any   `json:"positions"`
		Losses    []jsonLoss       `json:"shortest_losses"`
		Verdict   struct {
			WithX bool `json:"with_x"`
			WithO bool `json:"with_o"`
		} `json:"ranks_unbeatable"`
		Strength []Strength `json:"strength"`
	}
	// jsonGame is a pairing; the shares are those of X.
	jsonGame struct {
		X string `json:"x"`
		O string `json:"o"`
		Result
	}
	// jsonBest is an opponent against the best response to it; the shares are
	// the opponent's.
	jsonBest struct {
		Opponent string `json:"opponent"`
		Plays    string `json:"plays"`
		Result
	}
	// jsonLoss is the shortest game that an opponent can lose: null moves where
	// there is none, otherwise the moves and the positions after them.
	jsonLoss struct {
		Opponent  string        `json:"opponent"`
		Plays     string        `json:"plays"`
		Moves     []string      `json:"moves"`
		Positions []engine.Game `json:"positions"`
	}
	jsonSampled struct {
		Board     engine.Rules      `json:"board"`
		Opponents []string          `json:"opponents"`
		Games     []jsonSampledGame `json:"games"`
		Strength  []Strength        `json:"strength"`
		MissRates []map[string]any  `json:"misses"`
		Positions map[string]any    `json:"positions"`
	}
	// jsonSampledGame is a pairing; the counts and the points are those of X, low and
	// high the interval of the points at 95 % confidence.
	jsonSampledGame struct {
		X string `json:"x"`
		O string `json:"o"`
		Tally
		Points float64 `json:"points"`
		Low    float64 `json:"low"`
		High   float64 `json:"high"`
	}
)

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

// MarshalJSONTo writes what is known on 3x3.
func (s Standard) MarshalJSONTo(e *jsontext.Encoder) error {
	j := jsonStandard{Opponents: s.Opponents, Positions: byMotif(s.Positions), Strength: s.Strengths()}
	for i, name := range s.Opponents {
		for o, other := range s.Opponents {
			j.Games = append(j.Games, jsonGame{name, other, s.Games[i][o]})
		}
		for side, mark := range sides {
			j.Best = append(j.Best, jsonBest{name, mark.String(), s.Best[i][side]})
			j.Losses = append(j.Losses, lossJSON(name, mark, s.Losses[i][side]))
		}
		j.MissRates = append(j.MissRates, missesJSON(name, s.MissRates[i]))
	}
	ranks := s.Losses[s.index("ranks")]
	j.Verdict.WithX, j.Verdict.WithO = ranks[0] == nil, ranks[1] == nil
	return json.MarshalEncode(e, j)
}

// byMotif is a figure of each motif, null standing for what no position has.
func byMotif[T any](figures [motifs]T) map[string]any {
	j := map[string]any{}
	for motif, figure := range figures {
		j[Motif(motif).String()] = figure //nolint:gosec // a few
	}
	return j
}

// missesJSON is what an opponent overlooks.
func missesJSON(name string, m MissRates) map[string]any {
	j := byMotif(m)
	j["opponent"] = name
	return j
}

func lossJSON(name string, plays engine.Mark, moves []engine.Cell) jsonLoss {
	j := jsonLoss{Opponent: name, Plays: plays.String()}
	g := standardStart
	for _, c := range moves {
		g, _ = g.Play(c) // they were played
		j.Moves, j.Positions = append(j.Moves, engine.Standard.CellName(c)), append(j.Positions, g)
	}
	return j
}

// MarshalJSONTo writes what games showed on the board.
func (s Sampled) MarshalJSONTo(e *jsontext.Encoder) error {
	j := jsonSampled{Board: s.Rules, Opponents: s.Opponents, Strength: s.Strengths(), Positions: byMotif(s.Positions)}
	for x, name := range s.Opponents {
		j.MissRates = append(j.MissRates, missesJSON(name, s.MissRates[x]))
		for o, other := range s.Opponents {
			t := s.Games[x][o]
			low, high := t.Interval()
			j.Games = append(j.Games, jsonSampledGame{name, other, t, t.Points(), low, high})
		}
	}
	return json.MarshalEncode(e, j)
}
