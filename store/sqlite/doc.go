// Package sqlite keeps what package store promises in one SQLite file, without
// cgo.
//
// The file is in WAL mode and every commit is flushed to the disk before it is
// reported (synchronous=FULL). All writes go through one goroutine, which takes
// whatever changes are waiting and commits them together, each in a savepoint of
// its own: while one flush is under way the next batch gathers, so that
// throughput does not fall to one flush per change. Reads use their own
// connections and see what is committed. Deliveries are written behind: they wait in
// memory for the next commit.
//
// Several processes may have the file open at once on one machine. SQLite's locks are
// not to be trusted on network file systems.
//
// Just before each commit it is checked that the files which are open are still
// those under their names; otherwise nobody would find later what is stored now. A
// file that was moved, replaced or deleted, damage and a failing disk end the store for
// good: connections that have met them go on from memory. The next process that opens
// the file sees what is there.
//
// The package will not create folders, repair or downgrade a database, delete
// matches, or open a file that it does not recognise as its own.
package sqlite
