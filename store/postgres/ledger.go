package postgres

import (
	"slices"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// The statements about results.
var (
	writeResultText = sqlstore.Postgres.Text(sqlstore.WriteResult)
	backAgainText   = sqlstore.Postgres.Text(sqlstore.Return)
	leaveText       = sqlstore.Postgres.Text(sqlstore.Leave)
	pastToText      = sqlstore.Postgres.Text(sqlstore.PastTo)
	beginEpochText  = sqlstore.Postgres.Text(sqlstore.BeginEpoch)
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
		for _, e := range r.change.Endings() {
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

// results adds what writes the results of the change, which comes before its matches.
func (p *pipeline) results(c store.Change, k sqlstore.Key) {
	for _, e := range c.Endings() {
		p.addAny(writeResultText, sqlstore.EndingArgs(e, k)...)
	}
}

// ledger adds what stores what else the change says about results.
func (p *pipeline) ledger(c store.Change) {
	if c.PastTo > 0 {
		p.addAny(pastToText, int64(c.PastTo))
	}
	for _, e := range c.Epochs {
		p.addAny(beginEpochText, string(e.Guild), e.At.UnixMilli(), string(e.By))
	}
	for _, a := range c.Absences {
		if a.Gone {
			p.addAny(leaveText, string(a.Guild), string(a.User))
		} else {
			p.addAny(backAgainText, string(a.Guild), string(a.User), "")
		}
	}
}
