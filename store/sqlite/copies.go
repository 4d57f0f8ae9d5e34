package sqlite

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/table"
)

// An operator can put a copy of the database in the place of the file, as a way back
// to what it held. Two things can go wrong then, and both are found when the file is
// opened.
//
// A log that the former file has left behind would be taken for the copy's: SQLite
// would lay pages of the one over pages of the other. Commits are counted in the
// header of the database, so that a log which does not continue the file can be told.
//
// The clocks of the copy stand where they stood when it was made, and the boards on
// Discord show what came later: whoever is to move by the copy does not know, and could
// lose by a clock that had some seconds left. In a copy every clock begins anew, and
// every board that is being played on is drawn again.

// copySlack is by how much later than its last commit a file can have been written by
// this program: by moving the log into it, on a slow disk, and since the time of a
// commit is not stored each time.
const copySlack = time.Minute

// header is what is looked at of a database's first page (SQLite's documentation,
// Database File Format): the number of the last commit in it, and of the last change of
// the schema.
type header struct{ commit, schema uint32 }

func headerOf(page []byte) header {
	return header{commit: binary.BigEndian.Uint32(page[60:]), schema: binary.BigEndian.Uint32(page[40:])}
}

const headerSize = 100

// checkLog returns an error if the log beside the database was written for another
// file than the one that is there: it has to begin with the commit after the last one
// of the file, or with an earlier one where part of it was moved into the file already,
// and must not end before. The schema's number tells copies that were built anew, which
// have one more.
func checkLog(path string) error {
	first, last, ok, err := headersInLog(path + logSuffix)
	if err != nil || !ok {
		return err
	}
	f, err := os.Open(path) //nolint:gosec // the operator's own choice
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	var page [headerSize]byte
	if _, err := io.ReadFull(f, page[:]); err != nil {
		return ignoreEnd(err) // nothing was moved into the file yet
	}
	file := headerOf(page[:])
	if file.commit+1 >= first.commit && file.commit <= last.commit && file.schema <= last.schema {
		return nil
	}
	return fmt.Errorf("%w: %s was written for another file than the %s that is there now. "+
		"If that is a copy to go on with, delete %s and %s; otherwise put back the file that was there",
		store.ErrDamaged, path+logSuffix, path, path+logSuffix, path+indexSuffix)
}

// headersInLog returns the first and the last of the headers that the log holds since
// it was last begun anew, if there are any, as far as SQLite will read it: up to the first
// frame that does not fit its checksum, which a loss of power leaves half written over an
// older one (SQLite's documentation, WAL-mode File Format).
func headersInLog(path string) (first, last header, ok bool, err error) {
	f, err := os.Open(path) //nolint:gosec // beside the operator's own choice
	if errors.Is(err, fs.ErrNotExist) {
		return first, last, false, nil
	}
	if err != nil {
		return first, last, false, err
	}
	defer f.Close() //nolint:errcheck // only read
	const logHeaderSize, frameHeaderSize = 32, 24
	in := bufio.NewReader(f)
	var start [logHeaderSize]byte
	if _, err := io.ReadFull(in, start[:]); err != nil {
		return first, last, false, ignoreEnd(err)
	}
	sum := newLogSum(start[:4])
	pageSize, salts := binary.BigEndian.Uint32(start[8:]), [8]byte(start[16:])
	if sum.add(start[:24]); !sum.is(start[24:]) || pageSize < headerSize || pageSize > maxPageSize {
		return first, last, false, nil
	}
	frame := make([]byte, frameHeaderSize+pageSize)
	var begun header // of the transaction whose end has not come yet
	var begins bool
	for {
		if _, err := io.ReadFull(in, frame); err != nil {
			return first, last, ok, ignoreEnd(err)
		}
		sum.add(frame[:8])
		sum.add(frame[frameHeaderSize:])
		if [8]byte(frame[8:16]) != salts || !sum.is(frame[16:]) {
			return first, last, ok, nil // left over from before
		}
		if binary.BigEndian.Uint32(frame) == 1 {
			begun, begins = headerOf(frame[frameHeaderSize:]), true
		}
		if ends := binary.BigEndian.Uint32(frame[4:]) != 0; ends && begins {
			if !ok {
				first = begun
			}
			last, ok, begins = begun, true, false
		}
	}
}

// maxPageSize is the size of SQLite's largest pages.
const maxPageSize = 1 << 16

// logSum is the checksum of a log up to some place in it.
type logSum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

// newLogSum begins the checksum of a log with the magic number, whose last bit tells the
// order of bytes.
func newLogSum(magic []byte) logSum {
	if magic[3]&1 == 1 {
		return logSum{order: binary.BigEndian}
	}
	return logSum{order: binary.LittleEndian}
}

// add goes on with bytes, of which there are a multiple of eight.
func (s *logSum) add(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		s.s0 += s.order.Uint32(b) + s.s1
		s.s1 += s.order.Uint32(b[4:]) + s.s0
	}
}

// is reports whether the log says the same.
func (s *logSum) is(told []byte) bool {
	return binary.BigEndian.Uint32(told) == s.s0 && binary.BigEndian.Uint32(told[4:]) == s.s1
}

// ignoreEnd returns the error unless it is about the end of a file.
func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

//nolint:gosec // a condition of ours
var windUpText = `UPDATE matches SET version = version + 1, deadline = iif(clock > 0,
	max(deadline, clock + (SELECT elapsed FROM uptime WHERE domain = matches.domain)), deadline) WHERE ` + table.ActiveMatch

// takeUp finds out whether the file is a copy that was put there since it was last
// written, and winds its clocks up then. info is of the file before it was opened.
func takeUp(ctx context.Context, conn *sql.Conn, info os.FileInfo) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	var inode, written int64
	if err := tx.QueryRowContext(ctx, "SELECT inode, written FROM file").Scan(&inode, &written); err != nil {
		return err
	}
	number := inodeOf(info)
	if inode != number || info.ModTime().Sub(time.UnixMilli(written)) > copySlack {
		if _, err := tx.ExecContext(ctx, windUpText); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "UPDATE file SET inode = ?, written = ?", number, time.Now().UnixMilli()); err != nil {
		return err
	}
	return tx.Commit()
}
