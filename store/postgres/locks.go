package postgres

import (
	"maps"
	"slices"
)

const (
	lockMatchesText    = "SELECT FROM matches WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE"
	lockChallengesText = "SELECT FROM challenges WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE"
)

// lockRecords locks the records that exist and that the transaction writes to, if they are
// several, always in the same order. Another process takes clicks on the same boards: a
// transaction that has noted what one shows, and waits for another, would meet one that
// goes the other way round, and the server looks for that only after a second, in which
// everything of both processes waits.
func (p *pipeline) lockRecords(begun deliveries, requests []request) {
	matches, challenges := map[int64]bool{}, map[int64]bool{}
	for r := range begun {
		if r.Match != 0 {
			matches[int64(r.Match)] = true
		} else {
			challenges[int64(r.Challenge)] = true
		}
	}
	for _, r := range requests {
		for _, m := range r.plan.Change.Matches {
			if m.Version > 0 {
				matches[int64(m.ID)] = true
			}
		}
		for _, c := range r.plan.Change.Challenges {
			if c.Version > 0 {
				challenges[int64(c.ID)] = true
			}
		}
	}
	if len(matches)+len(challenges) < 2 {
		return
	}
	for _, of := range []struct {
		text string
		ids  map[int64]bool
	}{{lockMatchesText, matches}, {lockChallengesText, challenges}} {
		if len(of.ids) > 0 {
			p.addAny(of.text, slices.Sorted(maps.Keys(of.ids)))
		}
	}
}
