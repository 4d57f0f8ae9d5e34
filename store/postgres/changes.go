package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store"
	"tictactoe/store/internal/behind"
	"tictactoe/store/internal/table"
)

// request is something to be written. Each part may be missing; without any, only the
// number of the store's commits is written.
type request struct {
	change  store.Change
	claimed int64 // when its interaction was
	uptimes *store.Uptimes
	purge   *purge
	recount *recount
	leasing *leasing
	erase   *erase
	step    step
}

// purge is what is to be deleted, and how much that was: to be read only when the outcome
// is known.
type purge struct {
	claims, challenges int64
	today              int64
	limit              int
	deleted            int64
}

// deliveries are those that go with a transaction.
type deliveries = map[behind.Record][]store.Delivery

// Apply implements [store.Store].
func (s *Store) Apply(ctx context.Context, c store.Change) error {
	if err := c.Validate(); err != nil {
		return err
	}
	return s.writer.queue.Do(ctx, request{change: c, claimed: s.opts.now().UnixMilli()})
}

// SaveUptime implements [store.Store].
func (s *Store) SaveUptime(ctx context.Context, u store.Uptimes) error {
	return s.writer.queue.Do(ctx, request{uptimes: &u})
}

// Check implements [store.Store]. Every commit writes something.
func (s *Store) Check(ctx context.Context) error { return s.writer.queue.Do(ctx, request{}) }

// Purge implements [store.Store].
func (s *Store) Purge(ctx context.Context, claims, challenges time.Time, limit int) (int, error) {
	p := &purge{claims: claims.UnixMilli(), challenges: challenges.UnixMilli(), today: store.DayOf(s.opts.now().Add(-store.FormerStays)), limit: max(limit, 0)}
	if err := s.writer.queue.Do(ctx, request{purge: p}); err != nil {
		return 0, err
	}
	return int(p.deleted), nil
}

// Deliver implements [store.Store].
func (s *Store) Deliver(d store.Delivery) {
	if !s.writer.queue.Closed() {
		s.writer.deliveries.Add(d)
	}
}

// errRefused says that a change among several did not do what it should.
var errRefused = errors.New("postgres: a change was refused")

// The statements that store records, and the texts of those that delete.
var (
	insertMatch     = newStatement(table.Matches.Insert(table.Postgres))
	updateMatch     = newStatement(table.Matches.Update(table.Postgres))
	insertChallenge = newStatement(table.Challenges.Insert(table.Postgres))
	updateChallenge = newStatement(table.Challenges.Update(table.Postgres))
	insertGuild     = newStatement(table.Guilds.Insert(table.Postgres))
	updateGuild     = newStatement(table.Guilds.Update(table.Postgres))
	insertPerson    = newStatement(table.People.Insert(table.Postgres))
	updatePerson    = newStatement(table.People.Update(table.Postgres))

	insertTry     = newStatement(table.Tries.Insert(table.Postgres))
	updateTry     = newStatement(table.Tries.Update(table.Postgres))
	insertPuzzler = newStatement(table.Puzzlers.Insert(table.Postgres))
	updatePuzzler = newStatement(table.Puzzlers.Update(table.Postgres))

	insertPost = newStatement(table.Posts.Insert(table.Postgres))
	updatePost = newStatement(table.Posts.Update(table.Postgres))

	takeSeatText   = table.Postgres.Text(table.TakeSeat)
	leaveSeatsText = table.Postgres.Text(table.LeaveSeats)

	purgeClaimsText     = table.Postgres.Text(table.PurgeClaims)
	purgePostsText      = table.Postgres.Text(table.PurgePosts)
	purgeChallengesText = table.Postgres.Text(table.PurgeChallenges)
)

// statement stores a record. PostgreSQL wants to know the type of every argument, and so
// none that the text does not use.
type statement struct {
	text string
	used []int // the arguments of the table that the text uses, in order
}

var argument = regexp.MustCompile(`\$[0-9]+`)

// newStatement numbers those arguments anew that the text uses.
func newStatement(text string) statement {
	var st statement
	st.text = argument.ReplaceAllStringFunc(text, func(arg string) string {
		n, err := strconv.Atoi(arg[1:])
		if err != nil {
			panic(err) // the pattern lets digits through
		}
		at := slices.Index(st.used, n-1)
		if at < 0 {
			at = len(st.used)
			st.used = append(st.used, n-1)
		}
		return "$" + strconv.Itoa(at+1)
	})
	return st
}

// put returns what stores the record: the one statement, or the other if it has a
// version already.
func put[T any](t table.Table[T], record *T, version int, insert, update statement) (text string, args []any) {
	st := update
	if version == 0 {
		st = insert
	}
	all := t.Args(record)
	for _, i := range st.used {
		v, err := all[i].(driver.Valuer).Value()
		if err != nil {
			panic(err) // no value of a record returns one
		}
		args = append(args, v)
	}
	return st.text, args
}

func putMatch(m store.Match) (text string, args []any) {
	return put(table.Matches, &m, m.Version, insertMatch, updateMatch)
}

func putChallenge(c store.Challenge) (text string, args []any) {
	return put(table.Challenges, &c, c.Version, insertChallenge, updateChallenge)
}

func putGuild(g store.GuildSettings) (text string, args []any) {
	return put(table.Guilds, &g, g.Version, insertGuild, updateGuild)
}

func putPerson(p store.Person) (text string, args []any) {
	return put(table.People, &p, p.Version, insertPerson, updatePerson)
}

func putTry(t store.PuzzleTry) (text string, args []any) {
	return put(table.Tries, &t, t.Version, insertTry, updateTry)
}

func putPuzzler(p store.Puzzler) (text string, args []any) {
	return put(table.Puzzlers, &p, p.Version, insertPuzzler, updatePuzzler)
}

func putPost(p store.Post) (text string, args []any) {
	return put(table.Posts, &p, p.Version, insertPost, updatePost)
}

const (
	countCommitText = "UPDATE writers SET commits = $2, seen = now() WHERE id = $1 AND commits = $3"

	claimText = "INSERT INTO claims (interaction, claimed) SELECT interaction, claimed FROM unnest($1::text[], $2::bigint[]) AS c (interaction, claimed) ON CONFLICT DO NOTHING"

	// Rows are locked in the order of domains, so that two who save several do not wait
	// for each other.
	saveUptimeText = `WITH later AS (SELECT u.domain, l.elapsed FROM uptime AS u
		JOIN unnest($1::bigint[], $2::bigint[]) AS l (domain, elapsed) ON u.domain = l.domain
		WHERE u.elapsed < l.elapsed AND (u.owner = $3 OR u.ends < now()) ORDER BY u.domain FOR UPDATE OF u)
		UPDATE uptime SET elapsed = later.elapsed, saved = now() FROM later
		WHERE uptime.domain = later.domain AND uptime.elapsed < later.elapsed`

	deliverMatchText = `UPDATE matches SET ` + deliverText + `, notice = coalesce($4::text, notice)
		WHERE id = $1 AND (` + movedText + ` OR drawn < $3::bigint OR $4::text <> notice)`
	deliverChallengeText = `UPDATE challenges SET ` + deliverText + ` WHERE id = $1 AND (` + movedText + ` OR drawn < $3::bigint)`

	// As behind.Delivered has it.
	deliverText = `drawn = CASE WHEN ` + movedText + ` THEN $3::bigint ELSE greatest(drawn, $3::bigint) END,
		message = CASE WHEN $2::text = '' THEN message ELSE $2::text END`
	movedText = `($2::text <> '' AND $2::text <> message)`
)

// pipeline is statements that are sent in one go.
type pipeline struct{ pgx.Batch }

// add adds a statement that has to affect exactly so many rows.
func (p *pipeline) add(rows int64, otherwise error, text string, args ...any) {
	p.Queue(text, args...).Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() != rows {
			return otherwise
		}
		return nil
	})
}

// addAny adds a statement that may affect any number of rows.
func (p *pipeline) addAny(text string, args ...any) { p.Queue(text, args...) }

// begin begins a transaction of the writer: its number and the deliveries, which are
// older than whatever the requests make: one about a record that is created only now is
// about nothing. Rows that others lock too come in an order.
func (w *writer) begin(requests ...request) *pipeline {
	p := &pipeline{}
	p.addAny("BEGIN")
	p.lockPeople(requests)
	p.add(1, errGone, countCommitText, w.id, w.commits+1, w.commits)
	if u := latest(requests); len(u) > 0 {
		domains := slices.Sorted(maps.Keys(u))
		elapsed := make([]int64, len(domains))
		for i, d := range domains {
			elapsed[i] = u[d]
		}
		p.addAny(saveUptimeText, domains, elapsed, ownerOf(w.id))
	}
	p.lockRecords(w.begun, requests)
	for _, r := range slices.SortedFunc(maps.Keys(w.begun), inOrder) {
		for _, d := range w.begun[r] {
			if r.Match != 0 {
				p.addAny(deliverMatchText, int64(d.Match), string(d.Message), int64(d.Drawn), (*string)(d.Notice))
			} else {
				p.addAny(deliverChallengeText, int64(d.Challenge), string(d.Message), int64(d.Drawn))
			}
		}
	}
	return p
}

// latest returns the up-times that the requests are to save.
func latest(requests []request) map[int64]int64 {
	u := map[int64]int64{}
	save := func(d store.Domain, at time.Duration) {
		if at > 0 {
			u[int64(d)] = max(u[int64(d)], int64(at))
		}
	}
	for _, r := range requests {
		if r.uptimes != nil {
			for d, at := range r.uptimes {
				save(store.Domain(d), at)
			}
		}
		if d, ok := r.change.Domain(); ok {
			save(d, r.change.Uptime)
		}
	}
	return u
}

// errGone says that the database is not the one that the store has written so far.
var errGone = fmt.Errorf("%w: what was stored last is not in the database any more: "+
	"it was made anew, or replaced by an older copy", store.ErrDamaged)

// gone returns the error, or what it means that a row of the store is missing.
func (w *writer) gone(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return w.store.told(errGone)
	}
	return err
}

// send sends the statements and returns the first error.
func (w *writer) send(ctx context.Context, p *pipeline) error {
	return w.conn.SendBatch(ctx, &p.Batch).Close()
}

// sendTogether sends all of the requests as if none of them could be refused. It returns
// errRefused if one of them is.
func (w *writer) sendTogether(ctx context.Context, requests []request) error {
	if isErasing(requests) {
		return errRefused // each by itself
	}
	p := w.begin(requests...)
	claims := map[string]int64{}
	for _, r := range requests {
		if id := string(r.change.Interaction); id != "" {
			if _, twice := claims[id]; twice {
				return errRefused // nothing was sent yet
			}
			claims[id] = r.claimed
		}
	}
	if ids := slices.Sorted(maps.Keys(claims)); len(ids) > 0 {
		claimed := make([]int64, len(ids))
		for i, id := range ids {
			claimed[i] = claims[id]
		}
		p.add(int64(len(ids)), errRefused, claimText, ids, claimed)
	}
	store := func(text string, args []any) { p.add(1, errRefused, text, args...) }
	for _, r := range requests {
		p.consents(r.change, w.store.key)
		p.presents(r.change)
		p.erasures(r.change, w.store.key)
		p.results(r.change, w.store.key)
		for _, m := range r.change.Matches {
			store(putMatch(m))
			p.seat(m)
		}
		for _, c := range r.change.Challenges {
			store(putChallenge(c))
		}
		for _, g := range r.change.Guilds {
			store(putGuild(g))
		}
		for _, person := range r.change.People {
			store(putPerson(person))
		}
		p.blocks(r.change, w.store.key)
		for _, t := range r.change.Tries {
			store(putTry(t))
			p.places(t)
		}
		for _, puzzler := range r.change.Puzzlers {
			store(putPuzzler(puzzler))
			p.moves(puzzler)
		}
		for _, post := range r.change.Posts {
			store(putPost(post))
		}
		p.ledger(r.change)
		if r.purge != nil {
			p.purge(r.purge)
		}
		if r.recount != nil {
			p.recount(r.recount)
		}
		if r.leasing != nil {
			p.lease(ownerOf(w.id), r.leasing)
		}
	}
	err := w.send(ctx, p)
	if constraint(err) != "" {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	return err
}

// seat adds what gives the people of a new public match their seats in the channel, and
// takes them from those of a match that has ended.
func (p *pipeline) seat(m store.Match) {
	if m.State == store.Ended && m.Version > 0 {
		p.addAny(leaveSeatsText, int64(m.ID))
	}
	for _, user := range table.TakesSeats(m) {
		p.add(1, errRefused, takeSeatText, string(m.Channel), string(user), string(m.Guild), int64(m.ID))
	}
}

// purge adds what deletes.
func (p *pipeline) purge(of *purge) {
	of.deleted = 0
	count := func(tag pgconn.CommandTag) error { of.deleted += tag.RowsAffected(); return nil }
	p.Queue(purgeClaimsText, of.claims, of.limit).Exec(count)
	p.Queue(purgePostsText, of.claims, of.limit).Exec(count)
	p.Queue(purgeChallengesText, of.challenges, of.limit).Exec(count)
	p.Queue(purgeFormerText, of.today, of.limit).Exec(count)
	p.addAny(purgeLimitsText, of.limit)
}
