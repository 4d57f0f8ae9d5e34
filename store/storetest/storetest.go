// Package storetest holds backends to the contract [store.Store]. A backend's test
// calls [Run]; whatever can be said of every backend is said here
// and only here, so that a fault found in one becomes a case for all.
//
// The package does not test what is particular to a backend: how it opens its
// database, how it survives a lost process, power or disk, how fast it is, and what
// several processes on one database do, which PostgreSQL alone allows.
package storetest

import (
	"runtime/debug"
	"testing"

	"tictactoe/store"
)

// testCase is one promise.
type testCase struct {
	name string
	// explanation says what is promised, and is printed when the case fails.
	explanation string
	run         func(*testing.T, *fixture)
}

// Run tests a backend, each case with a store of its own.
//
// open returns a new empty store, to be closed by a cleanup of t. reopen closes
// the store and returns one that has opened what it left.
func Run(t *testing.T, open func(t *testing.T) store.Store, reopen func(t *testing.T, s store.Store) store.Store) {
	for _, cases := range [][]testCase{
		recordCases, versionCases, claimCases, uptimeCases, puzzleCases, resultCases, erasureCases, guildCases, keptCases, raceCases, randomCases,
	} {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Cleanup(func() {
					if t.Failed() {
						t.Logf("what is promised: %s", c.explanation)
					}
				})
				defer func() {
					if err := recover(); err != nil {
						t.Errorf("%v\n%s", err, debug.Stack())
					}
				}()
				f := &fixture{
					open:        func() store.Store { return open(t) },
					reopenStore: func(s store.Store) store.Store { return reopen(t, s) },
				}
				f.fresh(t)
				c.run(t, f)
				if !t.Failed() {
					f.look(t)
					f.wantRecounted(t)
				}
			})
		}
	}
}
