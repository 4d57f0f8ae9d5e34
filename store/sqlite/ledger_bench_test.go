//go:build unix

package sqlite_test

import (
	"database/sql"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tictactoe/store"
	"tictactoe/store/sqlite"
)

var (
	ledgerRows = flag.Int("ledger", 100_000, "how many results BenchmarkLargeLedger looks through")
	ledgerFile = flag.String("ledger-file", "", "the file in which it keeps them; none: anew each time")
)

// largeLedger returns a file with that many results, and makes it if there is none.
func largeLedger(b *testing.B) string {
	b.Helper()
	path := *ledgerFile
	if path == "" {
		path = filepath.Join(b.TempDir(), "ledger.db")
	}
	if _, err := os.Stat(path); err == nil {
		return path
	}
	s, err := sqlite.Open(b.Context(), path)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=cache_size(-1000000)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	exec := func(text string) {
		if _, err := db.ExecContext(b.Context(), text); err != nil {
			b.Fatalf("%s: %v", text, err)
		}
	}
	began := time.Now()
	indexes := indexesOf(b, db)
	for _, name := range indexes {
		exec("DROP INDEX " + name[0])
	}
	for _, text := range ledgerSteps(ledgerSizeOf(*ledgerRows)) {
		exec(text)
		b.Logf("%v: %.60s", time.Since(began).Round(time.Second), strings.Join(strings.Fields(text[strings.Index(text, "INSERT"):]), " "))
	}
	for _, index := range indexes {
		exec(index[1])
	}
	exec("PRAGMA journal_mode = wal")
	b.Logf("made in %v", time.Since(began))
	return path
}

// indexesOf returns the names of the indexes of the large tables, and what makes them.
func indexesOf(b *testing.B, db *sql.DB) (all [][2]string) {
	b.Helper()
	rows, err := db.QueryContext(b.Context(), "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, table, text string
		if err := rows.Scan(&name, &table, &text); err != nil {
			b.Fatal(err)
		}
		if slices.Contains(ledgerTables, table) {
			all = append(all, [2]string{name, text})
		}
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return all
}

// cpuTime returns how long the process has computed: on a machine that does much else it says
// more than the clock does.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkLargeLedger reads what statistics, leaderboards and lists of games read, in a
// guild in which very many people play. See the README of package store.
func BenchmarkLargeLedger(b *testing.B) {
	path := largeLedger(b)
	began, computed := time.Now(), cpuTime(b)
	s, err := sqlite.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("opened in %v, of which %v computing", time.Since(began), cpuTime(b)-computed)
	defer s.Close()
	size := ledgerSizeOf(*ledgerRows)
	ctx, guild := b.Context(), store.GuildID(ledgerGuild)
	person := func(i int) store.UserID { return store.UserID(ledgerPerson(i % size.People)) }
	const somebody = 8 // who are looked at, in turn
	read := func(name string, one func(i int) error) {
		b.Run(name, func(b *testing.B) {
			for i := range somebody { // what is measured is warm
				if err := one(i); err != nil {
					b.Fatal(err)
				}
			}
			var worst time.Duration
			began, i, n := cpuTime(b), 0, 0
			for b.Loop() {
				began := time.Now()
				if err := one(i); err != nil {
					b.Fatal(err)
				}
				worst = max(worst, time.Since(began))
				i = (i + 1) % somebody
				n++
			}
			b.ReportMetric(float64(cpuTime(b)-began)/1e6/float64(n), "cpu-ms/op")
			b.ReportMetric(float64(worst)/1e6, "worst-ms")
		})
	}
	read("Profile", func(i int) error {
		_, err := s.Profile(ctx, person(i*7919), person(i*104729), guild)
		return err
	})
	read("LastResults/anybody", func(i int) error {
		_, err := s.LastResults(ctx, person(regulars+i*7919%1000), 25)
		return err
	})
	read("LastResults/regular", func(i int) error {
		_, err := s.LastResults(ctx, person(goneRegulars+i), 25)
		return err
	})
	read("LastResults/gone", func(i int) error {
		_, err := s.LastResults(ctx, person(i), 25)
		return err
	})
	for _, of := range []struct {
		name   string
		period store.Period
	}{
		{"month", lastMonth}, {"month before", lastMonth - 1}, {"all time", store.AllTime}, {"bot wins", store.BotWins},
	} {
		name, p := of.name, of.period
		read("Standings/"+name+"/first page", func(int) error {
			_, _, err := s.Standings(ctx, guild, p, 0, 10)
			return err
		})
		read("Standings/"+name+"/last page", func(int) error {
			_, _, err := s.Standings(ctx, guild, p, 990, 10)
			return err
		})
		read("Standing/"+name+"/anybody", func(i int) error {
			_, err := s.Standing(ctx, guild, p, person(i*7919))
			if err != nil && p > store.BotWins {
				return nil // not everybody has played in a month
			}
			return err
		})
	}
	on := []store.Lasting{
		{First: ledgerToday - 1, Last: ledgerToday, Excused: ledgerToday},
		{First: ledgerToday - 2, Last: ledgerToday - 2, Excused: ledgerToday - 8},
	}
	read("PuzzleStreaks/first page", func(int) error {
		_, _, err := s.PuzzleStreaks(ctx, guild, on, 0, 10)
		return err
	})
	read("PuzzleStreaks/last page", func(int) error {
		_, _, err := s.PuzzleStreaks(ctx, guild, on, 990, 10)
		return err
	})
	read("PuzzleStreak/anybody", func(i int) error {
		_, err := s.PuzzleStreak(ctx, guild, on, person(i*7919%size.Solvers))
		if errors.Is(err, store.ErrNotFound) {
			return nil // their streak has ended
		}
		return err
	})
}
