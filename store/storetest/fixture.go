package storetest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/storetest/memory"
)

// tester is a test, or a check of one.
type tester interface {
	rapid.TB
	Context() context.Context
}

// fixture is the store of one case with the verbs of the cases.
type fixture struct {
	twins
	open        func() store.Store
	reopenStore func(store.Store) store.Store
}

// fresh begins anew with empty stores.
func (f *fixture) fresh(t tester) { f.twins = twins{f.open(), new(memory.Store), newNames(), t} }

// reopen closes the stores and opens them again.
func (f *fixture) reopen(t tester) {
	f.Store = f.reopenStore(f.Store)
	if f.memory != nil {
		must(t, f.memory.Close())
		f.memory = f.memory.Reopened()
	}
}

// noon is when the records of the cases were made.
var noon = time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)

var (
	ada  = store.Player{User: "80351110224678912"}
	bob  = store.Player{User: "1"}
	easy = store.Player{Opponent: "easy"}
)

// match returns a new match, between ada and an opponent, in the place.
func match(id store.MatchID, channel store.ChannelID, place int) store.Match {
	return store.Match{
		ID: id, Guild: club, Channel: channel, Place: place,
		Rules: engine.Standard, X: ada, O: easy, State: store.Active, Locale: "en-US",
		Created: noon, Updated: noon,
	}
}

// matchOf returns a new match of somebody else for each id: one person has one seat in
// a channel.
func matchOf(id store.MatchID, channel store.ChannelID, place int) store.Match {
	m := match(id, channel, place)
	m.X.User = store.UserID("7000000" + strconv.FormatInt(int64(id), 10))
	return m
}

// challenge returns a new challenge by a to b.
func challenge(id store.ChallengeID, a, b store.UserID) store.Challenge {
	return store.Challenge{
		ID: id, Guild: club, Channel: "381870553235193857", Challenger: a, Opponent: b,
		Rules: engine.Standard, First: store.FirstRandom, State: store.Open, Locale: "de", GuildLocale: "en-US",
		Created: noon, Updated: noon,
	}
}

// with returns the record changed by the function.
func with[T any](record T, change func(*T)) T {
	change(&record)
	return record
}

// ended returns the match after it was resigned by O.
func ended(m store.Match) store.Match {
	m.State, m.EndReason, m.Winner = store.Ended, store.Resignation, engine.X
	return m
}

// trail are the lines of this package that led to what is reported, that of the case last: no
// helper has to say that it is one.
func trail() string {
	var calls [32]uintptr
	var lines []string
	frames := runtime.CallersFrames(calls[:runtime.Callers(3, calls[:])])
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		if strings.Contains(frame.Function, "storetest.") && !strings.Contains(frame.Function, ".Run.") {
			lines = append(lines, fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line))
		}
	}
	return strings.Join(lines, ", ")
}

// fail reports what is wrong, and the trail to it.
func fail(t rapid.TB, format string, args ...any) {
	t.Errorf("%s\nat %s", fmt.Sprintf(format, args...), trail())
}

// must wants something to succeed, and ends the case where it does not.
func must(t rapid.TB, err error) {
	if err != nil {
		fail(t, "%v", err)
		t.FailNow()
	}
}

// wantError wants something to fail with the error.
func wantError(t rapid.TB, what string, want, got error) {
	if !errors.Is(got, want) {
		fail(t, "%s: error %v, want %v", what, got, want)
	}
}

// changeOf returns a change with the records, each in the first list of its kind, and with the
// interaction if there is one.
func changeOf(parts ...any) (c store.Change) {
	for _, part := range parts {
		v := reflect.ValueOf(part)
		for _, field := range reflect.ValueOf(&c).Elem().Fields() {
			if field.Type() == v.Type() {
				field.Set(v)
			} else if field.Type() == reflect.SliceOf(v.Type()) {
				field.Set(reflect.Append(field, v))
				break
			}
		}
	}
	return c
}

// apply stores the change.
func (f *fixture) apply(t tester, c store.Change) {
	if err := f.Apply(t.Context(), c); err != nil {
		must(t, fmt.Errorf("Apply(%+v): %w", c, err))
	}
}

// put stores the record and returns it as it is then.
func put[R any](t tester, f *fixture, record R) R {
	f.apply(t, changeOf(record))
	return later(record)
}

// refuses applies the change and wants the error.
func (f *fixture) refuses(t tester, c store.Change, want error) {
	wantError(t, fmt.Sprintf("Apply(%+v)", c), want, f.Apply(t.Context(), c))
}

// staysSame wants none of the changes of the match to be stored.
func (f *fixture) staysSame(t tester, m store.Match, changes ...func(*store.Match)) {
	for _, change := range changes {
		f.refuses(t, changeOf(with(m, change)), store.ErrImmutable)
	}
}

// wantMatch wants the match to be stored like that.
func (f *fixture) wantMatch(t tester, want store.Match) {
	wantEqual(t, "Match", want)(f.Match(t.Context(), want.ID))
}

// wantNoMatch wants no match to be stored under the id.
func (f *fixture) wantNoMatch(t tester, id store.MatchID) {
	wantNone(t, fmt.Sprintf("Match(%d)", id))(f.Match(t.Context(), id))
}

// leave notes of people that they are gone from the guild.
func (f *fixture) leave(t tester, guild store.GuildID, users ...store.UserID) {
	for _, user := range users {
		f.apply(t, changeOf(store.Absence{Guild: guild, User: user, Gone: true}))
	}
}

// flush has the deliveries stored that are waiting.
func (f *fixture) flush(t tester) { must(t, f.Check(t.Context())) }

// home is the clock domain of the records that match and challenge return.
var home = club.Domain()

// wantEqual wants a read to return that. It is called with what the read returns.
func wantEqual[T any](t tester, what string, want T) func(got T, err error) {
	return func(got T, err error) {
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			fail(t, "%s: error %v, got + want -:\n%s", what, err, diff)
		}
	}
}

// wantNone wants a read to find nothing. It is called with what the read returns.
func wantNone(t tester, what string) func(got any, err error) {
	return func(got any, err error) {
		wantError(t, fmt.Sprintf("%s = %+v", what, got), store.ErrNotFound, err)
	}
}

// wantEach is wantEqual for what is taken of each record of a list.
func wantEach[R, T any](t tester, what string, of func(R) T, want ...T) func(got []R, err error) {
	return func(got []R, err error) {
		var all []T
		for _, r := range got {
			all = append(all, of(r))
		}
		wantEqual(t, what, want)(all, err)
	}
}

// sure returns what was read. Where that failed it ends the case.
func sure[T any](got T, err error) T {
	if err != nil {
		panic(err)
	}
	return got
}

// failure returns the error of a read.
func failure[T any](_ T, err error) error { return err }
