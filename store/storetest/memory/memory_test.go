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
		func(*testing.T) store.Store { return new(memory.Store) },
		func(t *testing.T, s store.Store) store.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return s.(*memory.Store).Reopened()
		})
}
