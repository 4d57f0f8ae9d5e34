package memory_test

import (
	"testing"

	"tictactoe/store"
	"tictactoe/store/storetest"
	"tictactoe/store/storetest/memory"
)

// TestStore shows that the contract can be met without a database, and that the suite asks
// for no more than the contract.
func TestStore(t *testing.T) {
	storetest.Run(t,
		func(*testing.T) store.Store { return memory.New() },
		func(t *testing.T, s store.Store) store.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return s.(*memory.Store).Another()
		})
}

func TestShared(t *testing.T) {
	storetest.RunShared(t, func(*testing.T) storetest.Database { return database{memory.New()} })
}

// database is where stores keep what they have in common.
type database struct{ *memory.Store }

func (d database) Open(*testing.T) store.Store { return d.Another() }

func (database) Lapse(_ *testing.T, s store.Store) { s.(*memory.Store).Lapse() }
