package postgres_test

import (
	"testing"

	"tictactoe/store/postgres/postgrestest"
	"tictactoe/store/storetest"
)

// TestShared has several stores play on one database.
func TestShared(t *testing.T) {
	t.Parallel()
	postgrestest.Server(t)
	shared := func(t *testing.T) storetest.Database { return database(withTables(t)) }
	storetest.RunShared(t, shared)
	storetest.RunLimits(t, shared)
	storetest.RunTurns(t, shared)
}

// database is an address.
type database string
