package main

import (
	"encoding/json"
	"io"
	"math/big"
	"strconv"

	"tictactoe/engine"
)

// The report as JSON. Percentages are decimals with four places.
type (
	jsonReport struct {
		Seed     uint64        `json:"seed"`
		Standard jsonStandard  `json:"3x3"`
		Sampled  []jsonSampled `json:"sampled"`
	}
	jsonStandard struct {
		Opponents []string   `json:"opponents"`
		Games     []jsonGame `json:"games"`
		Best      []jsonBest `json:"best_response"`
		MissRates []byMotif  `json:"misses"`
		Positions byMotif    `json:"positions"`
		Losses    []jsonLoss `json:"shortest_losses"`
		Verdict   struct {
			WithX bool `json:"with_x"`
			WithO bool `json:"with_o"`
		} `json:"ranks_unbeatable"`
		Strength []jsonStrength `json:"strength"`
	}
	jsonShare struct {
		Win  json.Number `json:"win"`
		Draw json.Number `json:"draw"`
		Loss json.Number `json:"loss"`
	}
	// jsonGame is a pairing; the shares are those of X.
	jsonGame struct {
		X string `json:"x"`
		O string `json:"o"`
		jsonShare
	}
	// jsonBest is an opponent against the best response to it; the shares are
	// the opponent's.
	jsonBest struct {
		Opponent string `json:"opponent"`
		Plays    string `json:"plays"`
		jsonShare
	}
	// byMotif is what an "opponent" overlooks, null standing for what no position has, or
	// how many positions have it.
	byMotif map[string]any
	// jsonLoss is the shortest game that an opponent can lose: null moves where
	// there is none, otherwise the moves and the positions after them.
	jsonLoss struct {
		Opponent  string   `json:"opponent"`
		Plays     string   `json:"plays"`
		Moves     []string `json:"moves"`
		Positions []string `json:"positions"`
	}
	// jsonStrength is how a level fares in a tournament of the levels; scale is the way
	// from random to perfect play, low and high the interval of the points at 95 %
	// confidence.
	jsonStrength struct {
		Opponent string      `json:"opponent"`
		Points   json.Number `json:"points"`
		Low      json.Number `json:"low"`
		High     json.Number `json:"high"`
		Scale    json.Number `json:"scale"`
	}
	jsonSampled struct {
		Board     string            `json:"board"`
		Opponents []string          `json:"opponents"`
		Games     []jsonSampledGame `json:"games"`
		Strength  []jsonStrength    `json:"strength"`
		MissRates []byMotif         `json:"misses"`
		Positions byMotif           `json:"positions"`
	}
	// jsonSampledGame is a pairing; the counts and the points are those of X, low and
	// high the interval of the points at 95 % confidence.
	jsonSampledGame struct {
		X      string      `json:"x"`
		O      string      `json:"o"`
		Wins   int         `json:"wins"`
		Draws  int         `json:"draws"`
		Losses int         `json:"losses"`
		Points json.Number `json:"points"`
		Low    json.Number `json:"low"`
		High   json.Number `json:"high"`
	}
)

func exactly(p *big.Rat) json.Number { return json.Number(inPercent(p, 4)) }

func nearly(p float64) json.Number { return json.Number(strconv.FormatFloat(100*p, 'f', 4, 64)) }

func share(r Result) jsonShare {
	return jsonShare{Win: exactly(r.Win), Draw: exactly(r.Draw), Loss: exactly(r.Loss)}
}

// writeJSON writes the report as one JSON object.
func writeJSON(w io.Writer, r Report) error {
	report := jsonReport{Seed: r.Seed, Standard: standardJSON(r.Standard), Sampled: []jsonSampled{}}
	for _, s := range r.Sampled {
		report.Sampled = append(report.Sampled, sampledJSON(s))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(report)
}

func standardJSON(s Standard) jsonStandard {
	j := jsonStandard{Opponents: s.Opponents, Strength: strengthJSON(s.Strengths())}
	for i, name := range s.Opponents {
		for o, other := range s.Opponents {
			j.Games = append(j.Games, jsonGame{X: name, O: other, jsonShare: share(s.Games[i][o])})
		}
		for side, mark := range []engine.Mark{engine.X, engine.O} {
			j.Best = append(j.Best, jsonBest{Opponent: name, Plays: mark.String(), jsonShare: share(s.Best[i][side])})
			j.Losses = append(j.Losses, lossJSON(name, mark, s.Losses[i][side]))
		}
		j.MissRates = append(j.MissRates, missesJSON(name, s.MissRates[i]))
	}
	j.Positions = positionsJSON(s.Positions)
	ranks := s.Losses[s.index("ranks")]
	j.Verdict.WithX, j.Verdict.WithO = !ranks[0].Possible, !ranks[1].Possible
	return j
}

func missesJSON(name string, m MissRates) byMotif {
	j := byMotif{"opponent": name}
	for motif := range motifs {
		j[motif.String()] = nil
		if m[motif] != nil {
			j[motif.String()] = exactly(m[motif])
		}
	}
	return j
}

func positionsJSON(n Positions) byMotif {
	j := byMotif{}
	for motif := range motifs {
		j[motif.String()] = n[motif]
	}
	return j
}

func lossJSON(name string, plays engine.Mark, l Loss) jsonLoss {
	j := jsonLoss{Opponent: name, Plays: plays.String()}
	for n, c := range l.Moves {
		j.Moves = append(j.Moves, engine.Standard.CellName(c))
		if g, err := engine.Replay(engine.Standard, l.Moves[:n+1]); err == nil {
			j.Positions = append(j.Positions, g.String())
		}
	}
	return j
}

func sampledJSON(s Sampled) jsonSampled {
	j := jsonSampled{Board: s.Rules.String(), Opponents: s.Opponents, Strength: strengthJSON(s.Strengths())}
	j.Positions = positionsJSON(s.Positions)
	for x, name := range s.Opponents {
		j.MissRates = append(j.MissRates, missesJSON(name, s.MissRates[x]))
		for o, other := range s.Opponents {
			t := s.Games[x][o]
			low, high := t.Interval()
			j.Games = append(j.Games, jsonSampledGame{
				X: name, O: other, Wins: t.Wins, Draws: t.Draws, Losses: t.Losses,
				Points: nearly(t.Points()), Low: nearly(low), High: nearly(high),
			})
		}
	}
	return j
}

func strengthJSON(all []Strength) []jsonStrength {
	var j []jsonStrength
	for _, s := range all {
		j = append(j, jsonStrength{
			Opponent: s.Opponent, Points: exactly(s.Points), Low: nearly(s.Low), High: nearly(s.High), Scale: exactly(s.Scale),
		})
	}
	return j
}
