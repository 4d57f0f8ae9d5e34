package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tictactoe/store"
	"tictactoe/store/storetest/memory"
)

// twins are a store under test and one in memory, in which the same is done. What is read is that
// of the former.
type twins struct {
	store.Store
	memory *memory.Store // nil where it is not compared
	named  names
	t      tester
}

// same has the store under test and the one in memory do something, and wants the same to come
// of it. It is returned as it came of the former. What it is about is looked at later.
func same[R any](w *twins, do func(store.Store) (R, error), about ...any) (R, error) {
	got, err := do(w.Store)
	if w.memory == nil {
		return got, err
	}
	w.named.note(reflect.ValueOf(about))
	want, wantErr := do(w.memory)
	alike := errors.Is(err, wantErr) || errors.Is(err, store.ErrInvalid) && errors.Is(wantErr, store.ErrInvalid)
	if !alike || err == nil && !reflect.DeepEqual(want, got) {
		fail(w.t, "%+v: %v, error %v, in memory %v, error %v", about, got, err, want, wantErr)
	}
	return got, err
}

// both is same for what returns an error alone.
func (w *twins) both(do func(store.Store) error, about ...any) error {
	_, err := same(w, func(s store.Store) (any, error) { return nil, do(s) }, about...)
	return err
}

// apart forgets the store in memory: what follows comes in an order that nobody knows.
func (w *twins) apart() { w.memory = nil }

func (w *twins) Apply(ctx context.Context, c store.Change) error {
	return w.both(func(s store.Store) error { return s.Apply(ctx, c) }, c)
}

func (w *twins) Deliver(d store.Delivery) {
	_ = w.both(func(s store.Store) error { s.Deliver(d); return nil }, d)
}

func (w *twins) Check(ctx context.Context) error {
	return w.both(func(s store.Store) error { return s.Check(ctx) })
}

func (w *twins) Close() error { return w.both(store.Store.Close) }

func (w *twins) SetLobby(ctx context.Context, old, l store.Lobby) error {
	return w.both(func(s store.Store) error { return s.SetLobby(ctx, old, l) }, l)
}

func (w *twins) SeeGuilds(ctx context.Context, seen store.Sighting) error {
	return w.both(func(s store.Store) error { return s.SeeGuilds(ctx, seen) }, seen)
}

func (w *twins) MissGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID, at time.Time) error {
	return w.both(func(s store.Store) error { return s.MissGuild(ctx, app, guild, at) }, app, guild)
}

func (w *twins) ForgetGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID) error {
	return w.both(func(s store.Store) error { return s.ForgetGuild(ctx, app, guild) }, app, guild)
}

func (w *twins) Purge(ctx context.Context, claims, challenges time.Time, limit int) (int, error) {
	return same(w, func(s store.Store) (int, error) { return s.Purge(ctx, claims, challenges, limit) })
}

// Lease has both agree about up-times, and about nothing else.
func (w *twins) Lease(ctx context.Context, want store.Wanted, u store.Uptimes) (l store.Leases, err error) {
	_, err = same(w, func(s store.Store) (store.Uptimes, error) {
		leases, err := s.Lease(ctx, want, u)
		if s == w.Store {
			l = leases
		}
		return leases.Uptimes, err
	})
	return l, err
}

// Erase has memory, which knows no steps, follow when the erasure is done or waits. To go on with
// it then does nothing.
func (w *twins) Erase(ctx context.Context, e store.Erasure, limit int) (store.ErasureStep, error) {
	return w.erase(func(s store.Store) (store.ErasureStep, error) { return s.Erase(ctx, e, limit) }, e)
}

// EraseGuild is Erase for a guild.
func (w *twins) EraseGuild(ctx context.Context, d store.Departure, limit int) (store.ErasureStep, error) {
	return w.erase(func(s store.Store) (store.ErasureStep, error) { return s.EraseGuild(ctx, d, limit) }, d)
}

func (w *twins) erase(step func(store.Store) (store.ErasureStep, error), about any) (store.ErasureStep, error) {
	if is, err := step(w.Store); is == store.ErasureGoesOn || err != nil {
		return is, err
	}
	return same(w, step, about)
}

// names are what a store can be asked with, by type.
type names map[reflect.Type][]reflect.Value

// newNames has what nobody names.
func newNames() names {
	n := names{}
	for _, v := range []any{
		store.AllTime, store.BotWins, store.MonthOf(noon), store.MonthOf(noon.AddDate(0, 0, 1)), noon, noon.Add(store.UnusedFor),
		store.Cursor{},
		store.Cursor{Updated: noon, ID: 4},
		store.UserID(""), store.GuildID(""), store.ChannelID(""), store.MessageID(""), store.MatchID(0), store.ChallengeID(0),
		store.Domain(0), store.Domain(1), store.Domain(63), home, time.Duration(2), time.Duration(30), int64(20000), store.DayOf(noon), store.DayOf(noon) - 1, "de", -1, 0, 1, 999,
		[]store.Lasting{{First: 20000, Last: 20001, Excused: 20001}},
		[]store.Lasting{{First: 20001, Last: 20001, Excused: 19999}, {First: 19999, Last: 20000, Excused: 20000}},
		[]store.Lasting{{First: 19999, Last: 20000, Excused: 19999}, {First: 19998, Last: 19998}},
	} {
		n[reflect.TypeOf(v)] = append(n[reflect.TypeOf(v)], reflect.ValueOf(v))
	}
	return n
}

// mostNames is how many of a type are asked for, and mostRecords how many where the ids are those
// of records.
const mostNames, mostRecords = 6, 30

// note adds the ids and the consents in the value.
func (n names) note(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		n.note(v.Elem())
		return
	case reflect.Slice:
		for i := range v.Len() {
			n.note(v.Index(i))
		}
		return
	case reflect.Struct:
		for _, field := range v.Fields() {
			n.note(field)
		}
	}
	t, most := v.Type(), mostNames
	if v.CanInt() {
		most = mostRecords
	}
	if isName(v) && len(n[t]) < most && !slices.ContainsFunc(n[t], v.Equal) {
		n[t] = append(n[t], v)
	}
}

// isName reports whether the value is a consent, or an id that a store can have.
func isName(v reflect.Value) bool {
	id := strings.HasSuffix(v.Type().Name(), "ID") && utf8.ValidString(v.String()) && !strings.Contains(v.String(), "\x00")
	return id || v.Type() == reflect.TypeFor[store.Consent]()
}

// question is a method of a store and its arguments behind the context.
type question struct {
	reflect.Method
	args []reflect.Value
}

func (q question) String() string {
	text := q.Name
	for _, arg := range q.args {
		text += fmt.Sprintf(" %+v", arg)
	}
	return text
}

// ask returns what the store answers.
func (q question) ask(ctx context.Context, s store.Store) (answers []any, err error) {
	method := reflect.ValueOf(&s).Elem().Method(q.Index)
	for _, v := range method.Call(append([]reflect.Value{reflect.ValueOf(ctx)}, q.args...)) {
		answers = append(answers, v.Interface())
	}
	err, _ = answers[len(answers)-1].(error)
	return answers[:len(answers)-1], err
}

// writes are the methods of a store that are no questions, and those whose answers are its own.
var writes = strings.Fields(`Apply Deliver Check Close Failed Err Recount Lease KeepSession TakeSession KeepQuirk Purge
	SetLobby Erase EraseGuild SeeGuilds MissGuild ForgetGuild Kept`)

// questions calls do with every question about what is named.
func (n names) questions(do func(question)) {
	for method := range reflect.TypeFor[store.Store]().Methods() {
		if !slices.Contains(writes, method.Name) {
			n.combine(question{Method: method}, do)
		}
	}
}

// combine calls do with the question with arguments in every combination. A limit is the last one,
// and the greatest number; what comes before it is an offset.
func (n names) combine(q question, do func(question)) {
	behind := q.Type.NumIn() - len(q.args) - 1
	if behind == 0 {
		do(q)
		return
	}
	for _, v := range n[q.Type.In(len(q.args)+1)] {
		if v.Type() != reflect.TypeFor[int]() || (v.Int() < 999) == (behind > 1) {
			n.combine(question{q.Method, append(slices.Clip(q.args), v)}, do)
		}
	}
}

// look wants both stores to answer every question about what was named in the same way, with as
// much as the limit lets through.
func (w *twins) look(t tester) {
	if w.memory == nil {
		return
	}
	w.named.questions(func(q question) {
		want, wantErr := q.ask(t.Context(), w.memory)
		got, err := q.ask(t.Context(), w.Store)
		if !errors.Is(err, wantErr) || err == nil && !reflect.DeepEqual(want, got) && !gocmp.Equal(want, got, orders[q.Name]) {
			fail(t, "%v: error %v, in memory %v; got + in memory -:\n%s", q, err, wantErr, gocmp.Diff(want, got, orders[q.Name]))
		}
		if last := len(q.args) - 1; err == nil && last >= 0 && q.args[last].Type() == reflect.TypeFor[int]() {
			w.lookAtLimits(t, q, reflect.ValueOf(got[0]))
		}
	})
}

// lookAtLimits wants lower limits to let the beginning of the list through with which the question
// was answered.
func (w *twins) lookAtLimits(t tester, q question, list reflect.Value) {
	q.args = slices.Clone(q.args)
	for _, limit := range [...]int{math.MinInt, -1, 0, 1, 2} {
		n := max(limit, 0)
		if n >= list.Len() {
			return
		}
		q.args[len(q.args)-1] = reflect.ValueOf(limit)
		answers, err := q.ask(t.Context(), w.Store)
		must(t, err)
		got, want := reflect.ValueOf(answers[0]), list.Slice(0, n)
		if got.Len() != n || n > 0 && orders[q.Name] == nil && !reflect.DeepEqual(got.Interface(), want.Interface()) {
			fail(t, "%v: %+v, want %+v", q, got, want)
		}
	}
}

// wantForgotten wants what is asked about the name to be answered as about one that never was, and
// no other answer to have it; but for some questions.
func (w *twins) wantForgotten(t tester, name string, but ...string) {
	w.named.questions(func(q question) {
		if slices.Contains(but, q.Name) {
			return
		}
		says := func(q question) string {
			answers, err := q.ask(t.Context(), w.Store)
			return fmt.Sprintf("%+v, error %t", answers, err != nil)
		}
		never := question{q.Method, slices.Clone(q.args)}
		for i, v := range q.args {
			if v.Kind() == reflect.String && v.String() == name {
				never.args[i] = reflect.ValueOf("404").Convert(v.Type())
			}
		}
		wantEqual(t, fmt.Sprintf("%v, where %s is 404", q, name), says(never))(strings.ReplaceAll(says(q), name, "404"), nil)
	})
}

// orders say in which lists the promises leave the order open, of all records or of some.
var orders = map[string]gocmp.Options{
	"OpenMatches":    runs(idOfMatch, func(store.Match) any { return nil }),
	"PrivateMatches": runs(idOfMatch, func(m store.Match) any { return m.Created }),
	"DueMatches":     runs(idOfMatch, func(m store.Match) any { return m.Deadline }),
	"DueReminders":   runs(idOfMatch, func(m store.Match) any { return m.Remind }),
	"ChallengesOf":   runs(idOfChallenge, func(store.Challenge) any { return nil }),
	"DueChallenges":  runs(idOfChallenge, func(c store.Challenge) any { return c.Deadline }),
	"DuePuzzles":     runs(idOfGuild, func(g store.GuildSettings) any { return g.Puzzle.Due }),
	"Blocks":         {cmpopts.AcyclicTransformer("blocks", blocksOf)},
}

// runs compares lists of which nothing is said about what is equal in the order.
func runs[R any, ID comparable](id func(R) ID, by func(R) any) gocmp.Options {
	return gocmp.Options{gocmp.Transformer("runs", func(list []R) (all []map[ID]R) {
		for i, r := range list {
			if i == 0 || by(r) != by(list[i-1]) {
				all = append(all, map[ID]R{})
			}
			all[len(all)-1][id(r)] = r
		}
		return all
	})}
}

func idOfMatch(m store.Match) store.MatchID { return m.ID }

func idOfChallenge(c store.Challenge) store.ChallengeID { return c.ID }

func idOfGuild(g store.GuildSettings) store.GuildID { return g.Guild }

// blocks are a person's. Who was erased stands among them, somewhere, by a hash of the store's own.
type blocks struct {
	InOrder []store.Block
	Erased  map[store.Block]int // how many there are from who was erased
}

func blocksOf(list []store.Block) blocks {
	all := blocks{Erased: map[store.Block]int{}}
	for _, b := range list {
		if b.From.Erased() {
			b.From = ghost.User
			all.Erased[b]++
		} else {
			all.InOrder = append(all.InOrder, b)
		}
	}
	return all
}
