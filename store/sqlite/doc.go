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
// Just before each commit it is checked that the files which are open are still
// those under their names; otherwise the changes fail, since nobody would find
// them later. When the same files are back it goes on. When another file was put
// there, as an operator does who restores a copy, it goes on with that one if it is
// a whole database of this program, and otherwise refuses for as long as it takes;
// what was stored before stays with the old file, wherever that was moved. After
// damage or a failing disk the connections are opened anew, a few times a second at
// most and only while there is something to do.
//
// The package will not create folders, repair or downgrade a database, delete
// matches, or open a file that it does not recognise as its own.
package sqlite
