package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"tictactoe/store"
)

// Plan is what is stored together: statements one after the other, the first of which that is
// refused says why nothing of it is stored. SQLite goes through it step by step, PostgreSQL
// sends it at once, with what others store.
type Plan struct {
	// Change is what the steps store. PostgreSQL claims its interaction before them, together
	// with those of others.
	Change  store.Change
	Claimed int64 // when, in milliseconds since 1970
	Steps   []Step
	// Alone says that nothing else may be stored in the same transaction: it locks rows in an
	// order of its own.
	Alone bool
}

// Step is a statement of a plan.
type Step struct {
	Query *Query
	Args  []any
	// Refusal is why the plan is refused if the statement affects or finds another number of
	// rows than Want; nil where any number will do.
	Refusal error
	Want    int64
	Put     *Put // of a statement that stores a record over its version
	// Then is what SQLite does next if a row was affected: PostgreSQL does all of it in the one
	// statement.
	Then []Step
	// Rows gets how many rows were affected, where somebody wants to know. It is to be read only
	// when the outcome of the plan is known.
	Rows *int64
}

func (p *Plan) add(q *Query, args ...any) { p.Steps = append(p.Steps, Step{Query: q, Args: args}) }

// want adds a statement that has to affect or find so many rows.
func (p *Plan) want(rows int64, refusal error, q *Query, args ...any) {
	p.Steps = append(p.Steps, Step{Query: q, Args: args, Want: rows, Refusal: refusal})
}

// Put is what is known of a step that creates a record or stores it over its version. In
// PostgreSQL the statement has one row: the new version, or with a minus the one that is stored
// and stays, or 0 where there is none. In SQLite it affects no row then.
type Put struct {
	Record  string
	Version int    // over which it is stored, 0 for a record that is new
	Quick   *Query // for SQLite, to be tried before: it affects no row where that is not enough
	Stored  *Query // the version that is stored, by
	Key     []any
	Taken   error // what it means that an index other than the key's is in the way
}

// Refusal says why the record is not stored, by the version that is, 0 for none.
func (p *Put) Refusal(stored int) error {
	why := store.ErrImmutable
	switch {
	case p.Version == 0 || stored > 0 && stored != p.Version:
		why = store.ErrConflict
	case stored == 0:
		why = store.ErrNotFound
	}
	return fmt.Errorf("%w: %s %v over version %d, stored is %d", why, p.Record, p.Key, p.Version, stored)
}

// Exists says which record or place a unique index is about that is in the way.
func (p *Put) Exists() error {
	return fmt.Errorf("%w: %s %v", p.Taken, p.Record, p.Key)
}

// records are the queries that store the records of a table, and what is the same of each that is put.
type records[T any] struct {
	table          table[T]
	insert, update *Query
	each           Put
}

// recordsOf returns those of the table. taken is what it means that an index other than the key's
// is in the way.
func recordsOf[T any](t table[T], taken error) records[T] {
	stored := "SELECT version FROM " + t.Name + " WHERE (" + t.Key + ") = (" + arguments(1, t.keys) + ")"
	put := func(text string) *Query {
		return queries(text, "WITH put AS ("+text+" RETURNING version) SELECT coalesce((SELECT version FROM put), -("+stored+" FOR NO KEY UPDATE), 0)")
	}
	return records[T]{
		table: t, each: Put{Record: t.Name, Stored: ForSQLite(stored), Taken: taken},
		insert: put(t.insert() + " ON CONFLICT (" + t.Key + ") DO NOTHING"), update: put(t.update()),
	}
}

// put adds what creates each of the records, or stores it over its version.
func (r records[T]) put(p *Plan, records ...T) {
	for _, record := range records {
		args, put := r.table.values(&record), r.each
		over := args[r.table.version].(int64)
		put.Version, put.Key = int(over), args[:r.table.keys]
		step := Step{Query: r.update, Args: args, Put: &put}
		if over == 0 {
			step.Query, put.Quick, args[r.table.version] = r.insert, nil, int64(1)
		}
		p.Steps = append(p.Steps, step)
	}
}

var (
	matchRecords = func() records[store.Match] {
		r := recordsOf(matches, store.ErrPlaceTaken)
		// Most changes are a move and no more.
		r.each.Quick = ForSQLite(matches.only("moves", "deadline", "remind", "updated").update())
		return r
	}()
	challengeRecords = recordsOf(challenges, store.ErrPairTaken)
	guildRecords     = recordsOf(guilds, nil)
	personRecords    = recordsOf(people, nil)
	tryRecords       = recordsOf(tries, nil)
	puzzlerRecords   = recordsOf(puzzlers, nil)
	postRecords      = recordsOf(posts, nil)
	crownRecords     = recordsOf(crowns, nil)

	claim = ForSQLite(tableOf("claims").insertOnce())

	// A match takes seats when it is created, and leaves them when it ends, or its series.
	takeSeat   = query(tableOf("seats").insertOnce())
	leaveSeats = query("DELETE FROM seats WHERE match = ?1")

	beginErasure = query(tableOf("erasures").insertOnce())
	remember     = query("INSERT INTO former (hash, pseudonym, day) SELECT CAST(?1 AS text), CAST(?2 AS text), CAST(?3 AS bigint) WHERE EXISTS (SELECT 1 FROM erasures WHERE pseudonym = ?2) ON CONFLICT DO NOTHING")

	block   = query(tableOf("blocks").insertOnce())
	unblock = query("DELETE FROM blocks WHERE user_id = ?1 AND from_user IN (?2, ?4) AND guild = ?3")

	pastTo     = query("UPDATE ledger SET past = ?1 WHERE single = 1 AND past < ?1")
	beginEpoch = query("INSERT INTO epochs (guild, number, since, by_user) SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM epochs WHERE guild = ?1")
	leave      = query(tableOf("absences").insertOnce())
	comeBack   = query("DELETE FROM absences WHERE guild = ?1 AND user_id IN (?2, ?3)")
)

// Apply implements [store.Store].
func (s *Store) Apply(ctx context.Context, c store.Change) error {
	if err := c.Validate(); err != nil {
		return err
	}
	return s.db.Apply(ctx, PlanOf(c, s.key, s.now()))
}

// PlanOf returns what stores the change. What refuses it comes in the order that [store.Store]
// promises.
func PlanOf(c store.Change, k Key, now time.Time) Plan {
	p := Plan{Change: c, Claimed: now.UnixMilli()}
	if id := c.Interaction; id != "" {
		p.want(1, fmt.Errorf("%w: %s", store.ErrClaimed, id), claim, string(id), p.Claimed)
	}
	for _, consent := range c.Consents {
		p.want(0, fmt.Errorf("%w: %s from %s", store.ErrBlocked, consent.To, consent.By), blocked, blockedArgs(consent, k)...)
	}
	for _, user := range c.Named() {
		p.want(0, fmt.Errorf("%w: %s", store.ErrErasing, user), erasing, string(user))
	}
	for _, e := range c.Erasures {
		p.add(beginErasure, string(e.Pseudonym), string(e.User), stageWaits, e.Begun.UnixMilli())
		p.add(remember, k.Hash(e.User), string(e.Pseudonym), store.DayOf(e.Begun))
	}
	for _, e := range c.Endings() { // before the matches: it looks whether they have ended
		p.result(e, k)
	}
	for _, m := range c.Matches {
		matchRecords.put(&p, m)
		p.seats(m)
	}
	challengeRecords.put(&p, c.Challenges...)
	guildRecords.put(&p, c.Guilds...)
	personRecords.put(&p, c.People...)
	for _, b := range c.Blocks {
		if b.Lifted { // one from before somebody was erased goes with it
			p.add(unblock, string(b.User), string(b.From), string(b.Guild), cmp.Or(k.Hash(b.From), string(b.From)))
		} else {
			p.add(block, string(b.User), string(b.From), string(b.Guild), b.Since.UnixMilli())
		}
	}
	p.puzzles(c)
	postRecords.put(&p, c.Posts...)
	crownRecords.put(&p, c.Crowns...)
	p.ledger(c)
	return p
}

// seats adds what gives the people of a new public match their seats in the channel, and takes
// them from those of a match that has ended.
func (p *Plan) seats(m store.Match) {
	switch {
	case m.Version > 0 && m.State == store.Ended && !m.Seated():
		p.add(leaveSeats, int64(m.ID))
	case m.Version == 0 && m.Seated():
		for _, player := range [...]store.Player{m.X, m.O} {
			if player.IsUser() {
				refusal := fmt.Errorf("%w: match %d, %s", store.ErrSeatTaken, m.ID, player.User)
				p.want(1, refusal, takeSeat, string(m.Channel), string(player.User), string(m.Guild), int64(m.ID))
			}
		}
	}
}

// puzzles adds what stores how people stand with puzzles.
func (p *Plan) puzzles(c store.Change) {
	for _, t := range c.Tries {
		tryRecords.put(p, t)
		if t.State == store.PuzzleSolved && t.Guild != "" {
			p.add(placeSolver, string(t.Guild), string(t.User), t.Day)
		}
	}
	for _, puzzler := range c.Puzzlers {
		puzzlerRecords.put(p, puzzler)
		p.add(moveSolver, string(puzzler.User), puzzler.Last, puzzler.Excused, int64(puzzler.Streak), int64(puzzler.Tries))
	}
}

// result adds what writes the result and adds it to the sums, unless it is not this change
// that ends the match.
func (p *Plan) result(e store.Ending, k Key) {
	step := Step{Query: writeResult, Args: endingArgs(e, k)}
	for _, q := range addToSums {
		step.Then = append(step.Then, Step{Query: q, Args: []any{int64(e.Match)}})
	}
	if e.Why != store.BeforeLedger {
		step.Then = append(step.Then, Step{Query: comeBack, Args: []any{string(e.Guild), string(e.X.User), string(e.O.User)}})
	}
	p.Steps = append(p.Steps, step)
}

// ledger adds what stores what else the change says about results.
func (p *Plan) ledger(c store.Change) {
	if c.PastTo > 0 {
		p.add(pastTo, int64(c.PastTo))
	}
	for _, e := range c.Epochs {
		p.add(beginEpoch, string(e.Guild), e.At.UnixMilli(), string(e.By))
	}
	for _, a := range c.Absences {
		if a.Gone {
			p.add(leave, string(a.Guild), string(a.User))
		} else {
			p.add(comeBack, string(a.Guild), string(a.User), "")
		}
	}
}

var (
	deliverMatch     = query("UPDATE matches SET " + deliver + ", notice = " + noticeThen + " WHERE id = ?1 AND (" + outdated + " OR notice <> " + noticeThen + ")")
	deliverChallenge = query("UPDATE challenges SET " + deliver + " WHERE id = ?1 AND (" + outdated + ")")
)

const (
	deliver = `drawn = CASE WHEN ` + outdated + ` THEN CAST(?3 AS bigint) ELSE drawn END,
		message = CASE WHEN CAST(?2 AS text) = '' THEN message ELSE CAST(?2 AS text) END`
	// The message is another one, or what it shows is newer.
	outdated   = "(CAST(?2 AS text) <> '' AND CAST(?2 AS text) <> message) OR drawn < CAST(?3 AS bigint)"
	noticeThen = "CASE WHEN CAST(?4 AS text) <> '' THEN CAST(?4 AS text) WHEN notice = CAST(?5 AS text) THEN '' ELSE notice END"
)

// Steps returns what stores the deliveries. One about a record that does not exist stores
// nothing. Records come in the order in which they are locked.
func (b Begun) Steps() (steps []Step) {
	inOrder := func(a, b Ref) int {
		return cmp.Or(cmp.Compare(a.Match, b.Match), cmp.Compare(a.Challenge, b.Challenge))
	}
	for _, r := range slices.SortedFunc(maps.Keys(b), inOrder) {
		for _, d := range b[r] {
			if r.Match != 0 {
				steps = append(steps, Step{Query: deliverMatch, Args: []any{int64(d.Match), string(d.Message), int64(d.Drawn), string(d.Notice), string(d.Removed)}})
			} else {
				steps = append(steps, Step{Query: deliverChallenge, Args: []any{int64(d.Challenge), string(d.Message), int64(d.Drawn)}})
			}
		}
	}
	return steps
}
