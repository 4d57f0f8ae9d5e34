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

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store"
	"tictactoe/store/internal/behind"
	"tictactoe/store/internal/sqlstore"
)

// request is something to be written. Each part may be missing; without any, only the
// number of the store's commits is written.
type request struct {
	change  store.Change
	claimed int64           // when its interaction was
	also    func(*pipeline) // adds statements; what they come to is to be read only when the outcome is known
	plan    sqlstore.Plan
	run     func(sqlstore.Tx) error // is called by itself, each statement by what the one before has come to
	people  []store.UserID          // of whom nothing is stored meanwhile
}

// Store implements [sqlstore.DB].
func (s *db) Store(ctx context.Context, p sqlstore.Plan) error {
	return s.writer.queue.Do(ctx, request{plan: p})
}

// Write implements [sqlstore.DB].
func (s *db) Write(ctx context.Context, run func(sqlstore.Tx) error, people ...store.UserID) error {
	return s.writer.queue.Do(ctx, request{run: run, people: people})
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

// Check implements [store.Store]. Every commit writes something.
func (s *Store) Check(ctx context.Context) error { return s.writer.queue.Do(ctx, request{}) }

// Deliver implements [store.Store].
func (s *Store) Deliver(d store.Delivery) {
	if !s.writer.queue.Closed() {
		s.writer.deliveries.Add(d)
	}
}

// What adds the statements that store records, and the texts of those that delete.
var (
	putMatch     = putter(sqlstore.Matches, sqlstore.MatchVersion)
	putChallenge = putter(sqlstore.Challenges, sqlstore.ChallengeVersion)
	putGuild     = putter(sqlstore.Guilds, sqlstore.GuildVersion)
	putPerson    = putter(sqlstore.People, sqlstore.PersonVersion)
	putTry       = putter(sqlstore.Tries, sqlstore.TryVersion)
	putPuzzler   = putter(sqlstore.Puzzlers, sqlstore.PuzzlerVersion)
	putPost      = putter(sqlstore.Posts, sqlstore.PostVersion)

	takeSeatText   = sqlstore.Postgres.Text(sqlstore.TakeSeat) + " ON CONFLICT DO NOTHING"
	leaveSeatsText = sqlstore.Postgres.Text(sqlstore.LeaveSeats)
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

// choose returns the arguments that the statement uses.
func (st statement) choose(all []any) (used []any) {
	for _, i := range st.used {
		used = append(used, all[i])
	}
	return used
}

// taken is what it means that an index other than the key is in the way.
var taken = map[string]error{"matches_place": store.ErrPlaceTaken, "challenges_pair": store.ErrPairTaken}

// putter returns what adds the statement that creates a record, or stores it over its
// version. That gives the new version, or with a minus the one that is stored and stays,
// which the text reads, or 0 where there is none.
func putter[T any](t sqlstore.Table[T], versionText string) func(p *pipeline, record *T, version int) {
	telling := func(text string) statement {
		return newStatement("WITH put AS (" + text + " RETURNING version) SELECT coalesce((SELECT version FROM put), -(" +
			sqlstore.Postgres.Text(versionText) + " FOR NO KEY UPDATE), 0)")
	}
	insert := telling(t.Insert(sqlstore.Postgres) + " ON CONFLICT (" + t.Key() + ") DO NOTHING")
	update := telling(t.Update(sqlstore.Postgres))
	return func(p *pipeline, record *T, version int) {
		values := t.Args(record)
		for i, arg := range values {
			v, err := arg.(driver.Valuer).Value()
			if err != nil {
				panic(err) // no value of a record returns one
			}
			values[i] = v
		}
		st, request := update, p.request
		if version == 0 {
			st = insert
		}
		p.Queue(st.text, st.choose(values)...).QueryRow(func(row pgx.Row) error {
			var stored int
			err := row.Scan(&stored)
			why := taken[constraint(err)]
			switch {
			case why != nil:
			case err != nil || stored > 0:
				return err
			case version == 0 || stored < 0 && -stored != version:
				why = store.ErrConflict
			case stored == 0:
				why = store.ErrNotFound
			default:
				why = store.ErrImmutable
			}
			p.refuse(request, fmt.Errorf("%w: %s %v over version %d, stored is %d", why, t.Name, values[0], version, -stored))
			return err
		})
	}
}

const (
	countCommitText = "UPDATE writers SET commits = $2, seen = now() WHERE id = $1 AND commits = $3"

	claimText = "INSERT INTO claims (interaction, claimed) SELECT interaction, claimed FROM unnest($1::text[], $2::bigint[]) AS c (interaction, claimed) ORDER BY interaction ON CONFLICT DO NOTHING RETURNING interaction"

	deliverMatchText = `UPDATE matches SET ` + deliverText + `, notice = coalesce($4::text, notice)
		WHERE id = $1 AND (` + movedText + ` OR drawn < $3::bigint OR $4::text <> notice)`
	deliverChallengeText = `UPDATE challenges SET ` + deliverText + ` WHERE id = $1 AND (` + movedText + ` OR drawn < $3::bigint)`

	// As behind.Delivered has it.
	deliverText = `drawn = CASE WHEN ` + movedText + ` THEN $3::bigint ELSE greatest(drawn, $3::bigint) END,
		message = CASE WHEN $2::text = '' THEN message ELSE $2::text END`
	movedText = `($2::text <> '' AND $2::text <> message)`
)

// refused says why requests of a transaction are refused, by their places in it. It is the
// error of that transaction, which is undone.
type refused map[int]error

func (r refused) Error() string { return fmt.Sprintf("postgres: %d requests are refused", len(r)) }

// pipeline is statements that are sent in one go.
type pipeline struct {
	pgx.Batch
	request int // the place of the one whose statements are added
	refused refused
}

// refuse refuses a request, unless something before has done so.
func (p *pipeline) refuse(request int, why error) {
	if p.refused[request] == nil {
		p.refused[request] = why
	}
}

// want adds a statement that has to affect exactly so many rows; otherwise its request is
// refused.
func (p *pipeline) want(rows int64, otherwise error, text string, args ...any) {
	request := p.request
	p.Queue(text, args...).Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() != rows {
			p.refuse(request, otherwise)
		}
		return nil
	})
}

// addAny adds a statement that may affect any number of rows.
func (p *pipeline) addAny(text string, args ...any) { p.Queue(text, args...) }

// add adds the step.
func (p *pipeline) add(step sqlstore.Step) {
	text, args := step.Query.Postgres(step.Args)
	if text == "" {
		return
	}
	p.Queue(text, args...).Exec(func(tag pgconn.CommandTag) error {
		if step.Rows != nil {
			*step.Rows = tag.RowsAffected()
		}
		return nil
	})
}

// begin begins a transaction of the writer: its number and the deliveries, which are
// older than whatever the requests make: one about a record that is created only now is
// about nothing. Rows that others lock too come in an order.
func (w *writer) begin(requests ...request) *pipeline {
	p := &pipeline{refused: refused{}}
	p.addAny("BEGIN")
	p.lockPeople(requests)
	p.Queue(countCommitText, w.id, w.commits+1, w.commits).Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() == 0 {
			return errGone
		}
		return nil
	})
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

// errApart refuses a request that is not to be sent together with others.
var errApart = errors.New("postgres: goes by itself")

// sendAll sends the requests as if none of them could be refused. It returns refused if
// some are. Of one request that says for certain why; of several, one may be refused for
// what another one did that is refused.
func (w *writer) sendAll(ctx context.Context, requests []request) error {
	p := w.begin(requests...)
	p.claim(requests)
	for i, r := range requests {
		p.request = i
		if (r.run != nil || r.plan.Alone) && len(requests) > 1 {
			p.refuse(i, errApart)
		}
		p.change(r.change, w.store.key)
		for _, step := range r.plan.Steps {
			p.add(step)
		}
		if r.also != nil {
			r.also(p)
		}
	}
	var err error
	if len(p.refused) == 0 {
		err = w.send(ctx, p)
	}
	if len(p.refused) > 0 {
		return p.refused
	}
	if run := requests[0].run; err == nil && run != nil {
		err = run(transaction{ctx, w.conn})
	}
	return err
}

// claim adds what claims the interactions of the requests, always in the same order. Those
// that are claimed already refuse their requests.
func (p *pipeline) claim(requests []request) {
	var ids []string
	var claimed []int64
	for _, r := range requests {
		if id := string(r.change.Interaction); id != "" {
			ids, claimed = append(ids, id), append(claimed, r.claimed)
		}
	}
	if len(ids) == 0 {
		return
	}
	p.Queue(claimText, ids, claimed).Query(func(rows pgx.Rows) error {
		won := map[string]bool{}
		var id string
		if _, err := pgx.ForEachRow(rows, []any{&id}, func() error { won[id] = true; return nil }); err != nil {
			return err
		}
		for i, r := range requests {
			if id := string(r.change.Interaction); id != "" && !won[id] {
				p.refuse(i, fmt.Errorf("%w: %s", store.ErrClaimed, id))
			} else {
				won[id] = false // two requests may have the same
			}
		}
		return nil
	})
}

// change adds what stores the change. What refuses it comes in the order that
// [store.Store] promises.
func (p *pipeline) change(c store.Change, k sqlstore.Key) {
	p.consents(c, k)
	p.presents(c)
	p.erasures(c, k)
	p.results(c, k)
	for _, m := range c.Matches {
		putMatch(p, &m, m.Version)
		p.seat(m)
	}
	for _, ch := range c.Challenges {
		putChallenge(p, &ch, ch.Version)
	}
	for _, g := range c.Guilds {
		putGuild(p, &g, g.Version)
	}
	for _, person := range c.People {
		putPerson(p, &person, person.Version)
	}
	p.blocks(c, k)
	for _, t := range c.Tries {
		putTry(p, &t, t.Version)
		p.places(t)
	}
	for _, puzzler := range c.Puzzlers {
		putPuzzler(p, &puzzler, puzzler.Version)
		p.moves(puzzler)
	}
	for _, post := range c.Posts {
		putPost(p, &post, post.Version)
	}
	p.ledger(c)
}

// seat adds what gives the people of a new public match their seats in the channel, and
// takes them from those of a match that has ended.
func (p *pipeline) seat(m store.Match) {
	if m.State == store.Ended && m.Version > 0 {
		p.addAny(leaveSeatsText, int64(m.ID))
	}
	for _, user := range sqlstore.TakesSeats(m) {
		otherwise := fmt.Errorf("%w: match %d, %s", store.ErrSeatTaken, m.ID, user)
		p.want(1, otherwise, takeSeatText, string(m.Channel), string(user), string(m.Guild), int64(m.ID))
	}
}
