package postgres

import (
	"slices"

	"tictactoe/store"
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
		for _, e := range r.plan.Change.Endings() {
			for _, user := range [...]store.UserID{e.X.User, e.O.User} {
				if user != "" {
					people = append(people, string(user))
				}
			}
		}
		people = append(people, r.named()...)
	}
	if len(people) > 0 {
		slices.Sort(people)
		p.addAny(lockPeopleText, slices.Compact(people))
	}
}
