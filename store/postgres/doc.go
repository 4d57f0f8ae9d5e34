// Package postgres keeps what package store promises in a PostgreSQL database.
//
// All writes of a store go through one goroutine with a connection of its own. It sends the
// statements of whatever changes are waiting in one go, looks whether each did what it should,
// and commits them together: two round trips and one flush, however many they are. Where some
// are refused nothing is committed: the others are sent again without them, and then each of
// these by itself, since one may have been refused for what another did that is not stored.
// Reads use a pool of connections. Deliveries wait in memory for the next commit.
//
// Nothing is kept in a connection: no session locks, no notifications, no temporary tables, and
// no triggers or sequences anywhere. Transactions that the database undoes to resolve a deadlock
// or a conflict are tried again, since nobody has been answered yet. That leaves the way open to
// other engines that speak PostgreSQL's protocol; only PostgreSQL was tried.
//
// A commit whose answer was lost may have come through. Each raises a number in a row that
// belongs to the store. When the answer is lost the store connects again and locks that row, for
// which it waits until the old transaction has ended in one way or the other; then the number
// tells. Nobody is told before that, unless their context ends.
//
// Rows that others lock too are locked in one order: those of people, of clock domains, of
// matches, of challenges, each by their keys. Two transactions that wait for each other would
// stand still until the server notices, which takes it a second.
//
// Several stores may have a database open at once, in any number of processes. What only one of
// them may do at a time, such as ending games whose time is up, goes by clock domains, for each
// of which a store takes a lease: see [Store.Lease]. Filling a database takes all of it.
//
// The package will not create databases or roles, downgrade a schema, delete matches, or
// use a schema that has tables of another program in it.
package postgres
