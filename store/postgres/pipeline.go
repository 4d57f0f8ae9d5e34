package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// request is something to be written. Each part may be missing; without any, only the
// number of the store's commits is written.
type request struct {
	plan   sqlstore.Plan
	also   func(*pipeline)         // adds statements; what they come to is to be read only when the outcome is known
	run    func(sqlstore.Tx) error // is called by itself, each statement by what the one before has come to
	people []store.UserID          // of whom nothing is stored meanwhile
}

const (
	countCommitText = "UPDATE writers SET commits = $2, seen = now() WHERE id = $1 AND commits = $3"

	claimText = "INSERT INTO claims (interaction, claimed) SELECT interaction, claimed FROM unnest($1::text[], $2::bigint[]) AS c (interaction, claimed) ORDER BY interaction ON CONFLICT DO NOTHING RETURNING interaction"
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

// add adds the step.
func (p *pipeline) add(step sqlstore.Step) {
	text, args := step.Query.Postgres(step.Args)
	if text == "" {
		return
	}
	queued, request := p.Queue(text, args...), p.request
	switch {
	case step.Put != nil:
		queued.QueryRow(func(row pgx.Row) error {
			var stored int
			err := row.Scan(&stored)
			switch {
			case code(err) == uniqueViolation && step.Put.Taken != nil: // that of the key is none
				p.refuse(request, step.Put.Exists())
			case err == nil && stored <= 0:
				p.refuse(request, step.Put.Refusal(-stored))
			}
			return err
		})
	case step.Refusal != nil || step.Rows != nil:
		queued.Exec(func(tag pgconn.CommandTag) error {
			switch rows := tag.RowsAffected(); {
			case step.Refusal != nil && rows != step.Want:
				p.refuse(request, step.Refusal)
			case step.Rows != nil:
				*step.Rows = rows
			}
			return nil
		})
	}
}

// begin begins a transaction of the writer: its number and the deliveries, which are
// older than whatever the requests make: one about a record that is created only now is
// about nothing. Rows that others lock too come in an order.
func (w *writer) begin(requests []request) *pipeline {
	p := &pipeline{refused: refused{}}
	p.Queue("BEGIN")
	p.lockPeople(requests)
	p.Queue(countCommitText, w.id, w.commits+1, w.commits).Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() == 0 {
			return errGone
		}
		return nil
	})
	p.lockRecords(w.begun, requests)
	for _, step := range w.begun.Steps() {
		p.add(step)
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

// errApart refuses a request that is not to be sent together with others.
var errApart = errors.New("postgres: goes by itself")

// sendAll sends the requests as if none of them could be refused. It returns refused if
// some are. Of one request that says for certain why; of several, one may be refused for
// what another one did that is refused.
func (w *writer) sendAll(ctx context.Context, requests []request) error {
	p := w.begin(requests)
	p.claim(requests)
	for i, r := range requests {
		p.request = i
		if (r.run != nil || r.plan.Alone) && len(requests) > 1 {
			p.refuse(i, errApart)
		}
		for _, step := range r.plan.Steps {
			p.add(step)
		}
		if r.also != nil {
			r.also(p)
		}
	}
	var err error
	if len(p.refused) == 0 {
		err = w.conn.SendBatch(ctx, &p.Batch).Close() // the first error
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
		if id := string(r.plan.Change.Interaction); id != "" {
			ids, claimed = append(ids, id), append(claimed, r.plan.Claimed)
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
			if id := string(r.plan.Change.Interaction); id != "" && !won[id] {
				p.refuse(i, fmt.Errorf("%w: %s", store.ErrClaimed, id))
			} else {
				won[id] = false // two requests may have the same
			}
		}
		return nil
	})
}
