package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// disk is what a machine that loses its power would find: for each file the
// content that was flushed, and the writes since then, any part of which may or
// may not have reached it.
type disk struct {
	mu    sync.Mutex
	files map[string]*diskFile // by path
	open  map[uintptr]string   // paths by SQLite's file
	fails bool                 // flushing fails

	onWrite func() // called after every write, if set
}

// setFails has flushing fail, or succeed again.
func (d *disk) setFails(fails bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fails = fails
}

// isFailing reports whether flushing fails.
func (d *disk) isFailing() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fails
}

type diskFile struct {
	flushed []byte
	since   []diskWrite
}

// diskWrite is a write at an offset, or with nil content a change of length.
type diskWrite struct {
	offset  int64
	content []byte
}

// applyTo returns the content after the write.
func (w diskWrite) applyTo(content []byte) []byte {
	if w.content == nil {
		return append([]byte(nil), content[:min(int64(len(content)), w.offset)]...)
	}
	if need := int(w.offset) + len(w.content); len(content) < need {
		content = append(content, make([]byte, need-len(content))...)
	}
	copy(content[w.offset:], w.content)
	return content
}

// cut returns what is found in each file when the power is lost now. With dice,
// some of the writes that were not flushed are there, as a disk that orders its
// writes as it likes leaves them.
func (d *disk) cut(dice *rand.Rand) map[string][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := map[string][]byte{}
	for path, f := range d.files {
		content := append([]byte(nil), f.flushed...)
		for _, w := range f.since {
			if dice != nil && dice.IntN(2) == 0 {
				content = w.applyTo(content)
			}
		}
		found[path] = content
	}
	return found
}

// write adds a write to the file.
func (d *disk) write(file uintptr, w diskWrite) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.files[d.open[file]]
	f.since = append(f.since, w)
	if d.onWrite != nil {
		d.onWrite()
	}
}

// flush makes what was written to the file durable.
func (d *disk) flush(file uintptr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.files[d.open[file]]
	for _, w := range f.since {
		f.flushed = w.applyTo(f.flushed)
	}
	f.since = nil
}

// What follows puts the disk under SQLite: a copy of its file system whose files
// are the real ones, and whose write, truncate, sync and close tell the disk as
// well. SQLite in Go keeps C's tables of functions as addresses.

const vfsName = "powerloss"

// theDisk is the one of the running test. SQLite's file systems are registered
// for good, so there is one for all tests, and they do not run at the same time.
var (
	theDisk     *disk
	registerVFS sync.Once
	realVFS     uintptr
	methods     = map[uintptr]*methodTables{} // by the address of the real table
	methodsMu   sync.Mutex
)

type methodTables struct {
	real     sqlite3.Tsqlite3_io_methods
	ours     uintptr
	write    writeFunc // kept here too: an address alone keeps nothing
	truncate truncFunc
	sync     syncFunc
	close    closeFunc
}

// at returns the address as a pointer.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) } //nolint:gosec // the arguments of a C function

// allocate returns memory of the kind that SQLite reckons with: outside of Go's.
// It is never freed.
func allocate[T any](tls *libc.TLS) (uintptr, *T) {
	var v T
	address := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(v)))
	return address, at[T](address)
}

// funcAddress returns what SQLite calls f by.
func funcAddress[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) } //nolint:gosec // the arguments of a C function

// funcAt returns the function at the address.
func funcAt[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) } //nolint:gosec // the arguments of a C function

type (
	openFunc  = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32
	writeFunc = func(tls *libc.TLS, file, buf uintptr, n int32, offset sqlite3.Tsqlite3_int64) int32
	truncFunc = func(tls *libc.TLS, file uintptr, size sqlite3.Tsqlite3_int64) int32
	syncFunc  = func(tls *libc.TLS, file uintptr, flags int32) int32
	closeFunc = func(tls *libc.TLS, file uintptr) int32
	delFunc   = func(tls *libc.TLS, vfs, name uintptr, syncDir int32) int32
)

// useDisk registers the file system and starts with an empty disk.
func useDisk() *disk {
	registerVFS.Do(func() {
		tls := libc.NewTLS()
		realVFS = sqlite3.Xsqlite3_vfs_find(tls, 0)
		address, ourVFS := allocate[sqlite3.Tsqlite3_vfs](tls)
		*ourVFS = *at[sqlite3.Tsqlite3_vfs](realVFS)
		name, err := libc.CString(vfsName)
		if err != nil {
			panic(err)
		}
		ourVFS.FzName = name
		ourVFS.FxOpen = funcAddress(vfsOpen)
		ourVFS.FxDelete = funcAddress(vfsDelete)
		if rc := sqlite3.Xsqlite3_vfs_register(tls, address, 0); rc != sqlite3.SQLITE_OK {
			panic(rc)
		}
	})
	theDisk = &disk{files: map[string]*diskFile{}, open: map[uintptr]string{}}
	return theDisk
}

func vfsOpen(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32 {
	rc := funcAt[openFunc](at[sqlite3.Tsqlite3_vfs](realVFS).FxOpen)(tls, vfs, name, file, flags, outFlags)
	if f := at[sqlite3.Tsqlite3_file](file); rc == sqlite3.SQLITE_OK && f.FpMethods != 0 {
		f.FpMethods = ourMethods(tls, f.FpMethods)
		path := libc.GoString(name)
		theDisk.mu.Lock()
		defer theDisk.mu.Unlock()
		theDisk.open[file] = path
		if theDisk.files[path] == nil {
			theDisk.files[path] = new(diskFile)
		}
	}
	return rc
}

func vfsDelete(tls *libc.TLS, vfs, name uintptr, syncDir int32) int32 {
	rc := funcAt[delFunc](at[sqlite3.Tsqlite3_vfs](realVFS).FxDelete)(tls, vfs, name, syncDir)
	if rc == sqlite3.SQLITE_OK {
		theDisk.mu.Lock()
		defer theDisk.mu.Unlock()
		delete(theDisk.files, libc.GoString(name))
	}
	return rc
}

// ourMethods returns the address of the table that stands for the real one.
func ourMethods(tls *libc.TLS, address uintptr) uintptr {
	methodsMu.Lock()
	defer methodsMu.Unlock()
	tables := methods[address]
	if tables == nil {
		tables = &methodTables{real: *at[sqlite3.Tsqlite3_io_methods](address)}
		real := &tables.real
		var ours *sqlite3.Tsqlite3_io_methods
		tables.ours, ours = allocate[sqlite3.Tsqlite3_io_methods](tls)
		*ours = *real
		tables.write = func(tls *libc.TLS, file, buf uintptr, n int32, offset sqlite3.Tsqlite3_int64) int32 {
			rc := funcAt[writeFunc](real.FxWrite)(tls, file, buf, n, offset)
			if rc == sqlite3.SQLITE_OK {
				theDisk.write(file, diskWrite{offset, append([]byte{}, unsafe.Slice(at[byte](buf), n)...)}) //nolint:gosec // the arguments of a C function
			}
			return rc
		}
		tables.truncate = func(tls *libc.TLS, file uintptr, size sqlite3.Tsqlite3_int64) int32 {
			rc := funcAt[truncFunc](real.FxTruncate)(tls, file, size)
			if rc == sqlite3.SQLITE_OK {
				theDisk.write(file, diskWrite{offset: size})
			}
			return rc
		}
		tables.sync = func(tls *libc.TLS, file uintptr, flags int32) int32 {
			if theDisk.isFailing() {
				return sqlite3.SQLITE_IOERR_FSYNC
			}
			rc := funcAt[syncFunc](real.FxSync)(tls, file, flags)
			if rc == sqlite3.SQLITE_OK {
				theDisk.flush(file)
			}
			return rc
		}
		tables.close = func(tls *libc.TLS, file uintptr) int32 {
			rc := funcAt[closeFunc](real.FxClose)(tls, file)
			theDisk.mu.Lock()
			defer theDisk.mu.Unlock()
			delete(theDisk.open, file)
			return rc
		}
		ours.FxWrite = funcAddress(tables.write)
		ours.FxTruncate = funcAddress(tables.truncate)
		ours.FxSync = funcAddress(tables.sync)
		ours.FxClose = funcAddress(tables.close)
		methods[address] = tables
	}
	return tables.ours
}

// losePower plays under load with the given durability, cuts the power some
// times, and returns what of the acknowledged was missing afterwards.
func losePower(t *testing.T, cuts int, opts ...sqlite.Option) (faults []string) {
	t.Helper()
	d := useDisk()
	path := filepath.Join(t.TempDir(), "t.db")
	s, err := sqlite.Open(t.Context(), path, append(opts, sqlite.WithVFS(vfsName))...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l := newLedger()
	acked := make(chan struct{}, 1024)
	var wg sync.WaitGroup
	for p := range players {
		wg.Go(func() {
			err := play(ctx, s, p, 1, func(e event) {
				l.add(e)
				if e.Acked != "" {
					select {
					case acked <- struct{}{}:
					default:
					}
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("player %d: %v", p, err)
			}
		})
	}
	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // not a secret
	type blackout struct {
		known *ledger
		found map[string][]byte
	}
	var blackouts []blackout
	for n := range cuts {
		for range 1 + dice.IntN(60) {
			<-acked
		}
		// While the ledger is copied nothing is begun and nothing acknowledged in it.
		var b blackout
		b.known = l.copied(func() {
			if n%2 == 0 {
				b.found = d.cut(nil)
			} else {
				b.found = d.cut(dice)
			}
		})
		blackouts = append(blackouts, b)
	}
	cancel()
	wg.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for n, b := range blackouts {
		s, err := sqlite.Open(t.Context(), restore(t, path, b.found))
		if err != nil {
			faults = append(faults, fmt.Sprintf("cut %d: %v", n, err))
			continue
		}
		b.known.copy = true
		for _, f := range b.known.settle(t.Context(), s) {
			faults = append(faults, fmt.Sprintf("cut %d: %s", n, f))
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	return faults
}

// restore puts what was found of the database into a folder of its own.
func restore(t *testing.T, path string, found map[string][]byte) string {
	t.Helper()
	restored := filepath.Join(t.TempDir(), "t.db")
	for _, suffix := range []string{"", "-wal", "-journal"} {
		if content, ok := found[path+suffix]; ok {
			write(t, restored+suffix, string(content))
		}
	}
	return restored
}

// TestPowerLoss cuts the power under load: with whatever was not flushed lost, and
// with a random part of it lost, everything acknowledged is there.
func TestPowerLoss(t *testing.T) {
	for _, f := range losePower(t, 20) {
		t.Error(f)
	}
}

// TestPowerLossIsSeen is the control: without a flush for each commit the same
// test finds acknowledged changes missing.
func TestPowerLossIsSeen(t *testing.T) {
	faults := losePower(t, 6, sqlite.WithSynchronous("NORMAL"))
	if len(faults) == 0 {
		t.Error("with synchronous=NORMAL nothing was missing: the test cannot see a loss")
	}
	t.Logf("%d faults, as there should be", len(faults))
}

// TestFlushFails has the disk refuse to flush: the commit record is written by then
// and may survive, so that nobody can be told that nothing was stored. A disk that has
// done so is not trusted again: what it holds is only known when the file is opened
// anew. What was acknowledged is there.
func TestFlushFails(t *testing.T) {
	d := useDisk()
	path := filepath.Join(t.TempDir(), "t.db")
	s := openAt(t, path, sqlite.WithVFS(vfsName))
	put(t, s, 1)
	d.setFails(true)
	err := s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(2)}})
	if !errors.Is(err, store.ErrPending) || !errors.Is(err, store.ErrDamaged) {
		t.Errorf("Apply without a flush = %v, want %v because of %v", err, store.ErrPending, store.ErrDamaged)
	}
	d.setFails(false)
	wantFailed(t, s, path)
	after, err := sqlite.Open(t.Context(), restore(t, path, d.cut(nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	if _, err := after.Match(t.Context(), 1); err != nil {
		t.Errorf("Match(1) after the power was lost = %v", err)
	}
	if _, err := after.Match(t.Context(), 99); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Match(99), which was refused = %v, want %v", err, store.ErrNotFound)
	}
}
