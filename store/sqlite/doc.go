// Package sqlite keeps what package store promises in one SQLite file, without
// cgo.
//
// The file is in WAL mode and every commit is flushed to the disk before it is
// reported (synchronous=FULL). All writes go through one goroutine, which takes
// whatever changes are waiting and commits them together, each in a savepoint of
// its own: while one flush is under way the next batch gathers, so that
// throughput does not fall to one flush per change. Reads use their own
// connections and see committed changes only, except that notes which are still
// pending in this process are laid over what is read.
//
// Several processes may have the file open at once on one machine; each sees the
// other's commits, not its pending notes. SQLite's locks are not to be trusted on
// network file systems.
//
// The package will not create folders, repair or downgrade a database, delete
// matches, or open a file that it does not recognise as its own.
package sqlite
