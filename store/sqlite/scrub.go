package sqlite

import (
	"context"
	"encoding/binary"

	"tictactoe/store"
)

// secure_delete overwrites what is deleted, but not what is moved: when SQLite spreads the
// rows of a page over its neighbours, the page's unused part keeps the old bytes. They are
// looked for page by page, and overwritten, through the table that SQLite has of its own
// pages (https://www.sqlite.org/dbpage.html), as part of ordinary transactions. The form of
// a page: https://www.sqlite.org/fileformat2.html#b_tree_pages.

// scrubPages is how many pages a step looks at: a megabyte.
const scrubPages = 256

const (
	pageCount = "PRAGMA page_count"
	// Pages are asked for one by one: the table knows no ranges.
	pagesWith = `WITH RECURSIVE pages(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM pages WHERE n < ?2)
		SELECT pgno, data FROM pages CROSS JOIN sqlite_dbpage WHERE pgno = n AND instr(data, ?3) > 0`
	putPage = "UPDATE sqlite_dbpage SET data = ?2 WHERE pgno = ?1"
)

// scrubs knows for each erasure how far pages have been looked through since the start of
// the process.
type scrubs map[store.UserID]scrub

type scrub struct {
	next  int64 // page
	found bool  // something in this round
}

// step looks at the next pages for the person, of whom no row tells any more, and reports
// whether all were looked at without finding anything: pages may move meanwhile, and what
// was overwritten may not be committed.
func (all scrubs) step(st *transaction, e store.Erasure, user string) (done bool, err error) {
	s := all[e.Pseudonym]
	first := max(s.next, 1)
	var count int64
	if err := st.conn.QueryRowContext(context.Background(), pageCount).Scan(&count); err != nil {
		return false, err
	}
	last := min(first+scrubPages-1, count)
	pages, err := st.pagesWith(first, last, user)
	if err != nil {
		return false, err
	}
	for number, page := range pages {
		if wipe(number, page) {
			s.found = true
			if _, err := st.conn.ExecContext(context.Background(), putPage, number, page); err != nil {
				return false, err
			}
		}
	}
	switch {
	case last < count:
		s.next = last + 1
	case s.found:
		s = scrub{}
	default:
		delete(all, e.Pseudonym)
		return true, nil
	}
	all[e.Pseudonym] = s
	return false, nil
}

// pagesWith returns the pages from first to last that hold the text.
func (t *transaction) pagesWith(first, last int64, text string) (pages map[int64][]byte, err error) {
	rows, err := t.conn.QueryContext(context.Background(), pagesWith, first, last, []byte(text))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	pages = map[int64][]byte{}
	for rows.Next() {
		var number int64
		var page []byte
		if err := rows.Scan(&number, &page); err != nil {
			return nil, err
		}
		pages[number] = page
	}
	return pages, rows.Err()
}

// Where things stand in a page of a tree.
const (
	fileHeader   = 100 // in front of the first page
	leafHeader   = 8
	branchHeader = 12
	cellCountAt  = 3
	contentAt    = 5
)

// wipe overwrites the unused part of a page of a tree, between the places of its cells and
// the first of them, and reports whether anything was there. Other pages have none.
func wipe(number int64, page []byte) (changed bool) {
	tree := page
	if number == 1 {
		tree = page[fileHeader:]
	}
	var header int
	switch tree[0] {
	case 0x02, 0x05:
		header = branchHeader
	case 0x0a, 0x0d:
		header = leafHeader
	default:
		return false
	}
	from := len(page) - len(tree) + header + 2*int(binary.BigEndian.Uint16(tree[cellCountAt:]))
	to := int(binary.BigEndian.Uint16(tree[contentAt:]))
	if to == 0 {
		to = 1 << 16
	}
	if from > to || to > len(page) {
		return false // no page of a tree after all
	}
	for i := from; i < to; i++ {
		changed = changed || page[i] != 0
		page[i] = 0
	}
	return changed
}
