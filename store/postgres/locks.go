package postgres

import (
	"maps"
	"slices"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// lockPeopleText locks people until the transaction ends, always in the same order, so
// that no two transactions wait for each other. Such locks are the whole database's: the
// schema keeps those of several bots in it apart, and the number keeps them apart from locks
// of others.
const lockPeopleText = `SELECT count(pg_advisory_xact_lock(key)) FROM
	(SELECT hashtextextended(person, 1301 + hashtext(coalesce(current_schema()::text, ''))::bigint) AS key FROM unnest($1::text[]) AS person ORDER BY key) AS keys`

// lockPeople makes sure that nobody else writes a result of the same people meanwhile: how
// many of their games have counted today is looked up in between. Nor does the erasure of
// somebody begin or end whom the requests name. Who locks comes before
// everything else in a transaction.
func (p *pipeline) lockPeople(requests []request) {
	var people []string
	for _, r := range requests {
		for _, user := range r.named() {
			if user != "" {
				people = append(people, string(user))
			}
		}
	}
	if len(people) > 0 {
		slices.Sort(people)
		p.Queue(lockPeopleText, slices.Compact(people))
	}
}

// named returns whom the request has to be alone with. Nobody, the empty user, may be among them.
func (r request) named() []store.UserID {
	people := slices.Concat(r.plan.Change.Named(), r.people)
	for _, e := range r.plan.Change.Endings() {
		people = append(people, e.X.User, e.O.User)
	}
	for _, e := range r.plan.Change.Erasures {
		people = append(people, e.User)
	}
	for _, m := range r.plan.Change.Matches {
		people = append(people, m.EndedBy)
	}
	for _, b := range r.plan.Change.Blocks {
		people = append(people, b.From)
	}
	for _, e := range r.plan.Change.Epochs {
		people = append(people, e.By)
	}
	for _, a := range r.plan.Change.Absences {
		people = append(people, a.User)
	}
	return people
}

const (
	lockMatchesText    = "SELECT FROM matches WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE"
	lockChallengesText = "SELECT FROM challenges WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE"
)

// lockRecords locks the records that exist and that the transaction writes to, if they are
// several, always in the same order. Another process takes clicks on the same boards: a
// transaction that has noted what one shows, and waits for another, would meet one that
// goes the other way round, and the server looks for that only after a second, in which
// everything of both processes waits.
func (p *pipeline) lockRecords(begun sqlstore.Begun, requests []request) {
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
	if len(matches) > 0 {
		p.Queue(lockMatchesText, slices.Collect(maps.Keys(matches)))
	}
	if len(challenges) > 0 {
		p.Queue(lockChallengesText, slices.Collect(maps.Keys(challenges)))
	}
}
