package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// killsVariable says how often the long run kills the program.
const killsVariable = "TICTACTOE_KILLS"

// killsDefault is how often an ordinary run does.
const killsDefault = 12

// TestKilledUnderLoad kills the program again and again, at random instants, while
// people play at several tables. After each death the file is held to what Discord
// was shown before: nothing acknowledged is missing, every stored match is legal,
// every channel has at most one active match. After the last start all boards show
// what is stored.
func TestKilledUnderLoad(t *testing.T) {
	kills := killsDefault
	if v := os.Getenv(killsVariable); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("%s is no number of kills: %q", killsVariable, v)
		}
		kills = n
	}
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.IdentifyWindow, o.SessionStarts = time.Millisecond, 1_000_000
		o.BucketLimit, o.GlobalLimit = 10_000, -1
		o.KeepMessages, o.KeepWrites, o.KeepRequests, o.KeepCalls = 30, 4, 100, 1000
	})
	srv.AllowUnanswered() // many are, by intention
	shown := newShownModel()
	srv.OnRequest(shown.request)
	tables := make([]*table, 8)
	for i := range tables {
		tables[i] = &table{
			srv: srv, channel: srv.Guild().Channel(fmt.Sprint("table-", i)), shown: shown,
			people: [2]*sandbox.User{srv.User(fmt.Sprint("First-", i)), srv.User(fmt.Sprint("Second-", i))},
			dice:   rand.New(rand.NewPCG(uint64(i), 1)),
		}
	}
	dir := t.TempDir()
	settings := []string{"DISCORD_TOKEN=" + srv.Token(), "DISCORD_API_URL=" + srv.APIURL(), "START_LIMIT=none", "LOG_LEVEL=warn"}
	dice := rand.New(rand.NewPCG(11, 7))
	between, acknowledged := 0, int64(0)
	for n := range kills {
		p := launch(t, dir, settings)
		connected(t, srv, p)
		over := make(chan struct{})
		var crowd sync.WaitGroup
		for _, table := range tables {
			crowd.Go(func() { table.play(over) })
		}
		shown.wait(t, int64(1+dice.IntN(60)))
		switch n % 3 {
		case 0: // when an answer has been held up: stored, and not said
			srv.SlowNext(sandbox.RouteCallback, time.Minute)
			srv.WaitFor(t, "an answer to be held up", func() bool {
				for _, f := range srv.Faults() {
					if f.Armed > 0 {
						return false
					}
				}
				return true
			})
		case 1: // some time after something was sent
			wait := time.NewTimer(time.Duration(dice.IntN(5000)) * time.Microsecond)
			<-wait.C
		default: // when something was just answered
		}
		p.kill(t)
		for _, c := range srv.Calls() {
			if c.Reply().State == sandbox.CallPending {
				between++
				break
			}
		}
		close(over)
		crowd.Wait()
		srv.WaitFor(t, "the connection to end", func() bool { return srv.Sessions() == 0 })
		srv.ClearFaults()
		checkFile(t, filepath.Join(dir, "tictactoe.db"), shown)
		if t.Failed() {
			t.Fatalf("after kill %d", n+1)
		}
		acknowledged = shown.acknowledged.Load()
	}
	matches := checkFile(t, filepath.Join(dir, "tictactoe.db"), shown)
	t.Logf("%d kills, %d of them between a dispatch and its answer; %d answers, %d matches stored", kills, between, acknowledged, len(matches))
	if 3*between < kills {
		t.Errorf("only %d of %d kills fell between a dispatch and its answer", between, kills)
	}

	connected(t, srv, launch(t, dir, settings))
	for _, m := range matches {
		message := srv.MessageByID(string(m.Message))
		if message == nil || m.Private() || message.Deleted() {
			continue
		}
		message.Wait(t, "the board of a match to show what is stored", func(s sandbox.Snapshot) bool {
			id, marks := marksOf(s)
			return id != m.ID || len(marks) == len(m.Moves)
		})
	}
}

// checkFile holds the file of a program that is dead to the promises, and returns
// the matches in it.
func checkFile(t *testing.T, path string, shown *shownModel) map[store.MatchID]store.Match {
	t.Helper()
	db, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatalf("the database cannot be opened after a kill: %v", err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	matches := map[store.MatchID]store.Match{}
	active := map[store.ChannelID]int{}
	for _, id := range idsOf(t, path, "matches") {
		m, err := db.Match(context.Background(), store.MatchID(id))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Replay(m.Rules, m.Moves); err != nil {
			t.Errorf("match %d is no legal sequence of moves: %v: %v", m.ID, m.Moves, err)
		}
		if m.State == store.Active && !m.Private() {
			active[m.Channel]++
		}
		matches[m.ID] = m
	}
	for channel, n := range active {
		if n > 1 {
			t.Errorf("%d active matches in channel %s", n, channel)
		}
	}
	challenges := map[int64]bool{}
	for _, id := range idsOf(t, path, "challenges") {
		challenges[id] = true
	}
	boards, open := shown.all()
	for id, marks := range boards {
		m, ok := matches[id]
		if !ok {
			t.Errorf("match %d was shown and is not stored", id)
			continue
		}
		if len(marks) > len(m.Moves) {
			t.Errorf("match %d was shown with %d moves, %d are stored", id, len(marks), len(m.Moves))
			continue
		}
		for ply, cell := range m.Moves[:len(marks)] {
			if want := "XO"[ply%2 : ply%2+1]; marks[cell] != want {
				t.Errorf("match %d was shown with %q on cell %d where %q is stored", id, marks[cell], cell, want)
			}
		}
	}
	for id := range open {
		if !challenges[id] {
			t.Errorf("challenge %d was shown and is not stored", id)
		}
	}
	return matches
}

func idsOf(t *testing.T, path, table string) (ids []int64) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT id FROM " + table) //nolint:gosec // a name of ours
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return ids
}

// shownModel is what people were shown: the most advanced picture of each match
// that Discord has taken, and the challenges.
type shownModel struct {
	acknowledged atomic.Int64

	mu      sync.Mutex
	changed chan struct{}
	boards  map[store.MatchID]map[engine.Cell]string
	open    map[int64]bool
	answers map[string]chan struct{} // by call
}

func newShownModel() *shownModel {
	return &shownModel{
		changed: make(chan struct{}), boards: map[store.MatchID]map[engine.Cell]string{}, open: map[int64]bool{},
		answers: map[string]chan struct{}{},
	}
}

var (
	cellButton   = regexp.MustCompile(`"label":"([^"]*)","custom_id":"1:c:([0-9a-z]+):\d+:(\d+)"`)
	acceptButton = regexp.MustCompile(`"custom_id":"1:a:([0-9a-z]+)"`)
)

// request learns what Discord has taken.
func (s *shownModel) request(r sandbox.Request) {
	if r.Status != http.StatusOK && r.Status != http.StatusNoContent {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	marks := map[engine.Cell]string{}
	id := store.MatchID(0)
	for _, m := range cellButton.FindAllSubmatch(r.Body, -1) {
		n, _ := strconv.ParseInt(string(m[2]), 36, 64)
		cell, _ := strconv.Atoi(string(m[3]))
		id = store.MatchID(n)
		if label := string(m[1]); label == "X" || label == "O" {
			marks[engine.Cell(cell)] = label
		}
	}
	if id != 0 && len(marks) >= len(s.boards[id]) {
		s.boards[id] = marks
	}
	for _, m := range acceptButton.FindAllSubmatch(r.Body, -1) {
		n, _ := strconv.ParseInt(string(m[1]), 36, 64)
		s.open[n] = true
	}
	if strings.HasSuffix(r.Route, "/callback") {
		s.acknowledged.Add(1)
		answered := s.answeredLocked(r.CallID)
		select {
		case <-answered:
		default:
			close(answered)
		}
		close(s.changed)
		s.changed = make(chan struct{})
	}
}

// answered is closed when the call has been answered.
func (s *shownModel) answered(call string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answeredLocked(call)
}

func (s *shownModel) answeredLocked(call string) chan struct{} {
	c := s.answers[call]
	if c == nil {
		c = make(chan struct{})
		s.answers[call] = c
	}
	return c
}

func (s *shownModel) all() (map[store.MatchID]map[engine.Cell]string, map[int64]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.boards, s.open // nobody writes while the program is dead
}

// wait waits for so many more answers.
func (s *shownModel) wait(t *testing.T, more int64) {
	t.Helper()
	limit := time.After(60 * time.Second)
	for target := s.acknowledged.Load() + more; s.acknowledged.Load() < target; {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if s.acknowledged.Load() >= target {
			return
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatal("nobody is answered any more")
		}
	}
}

// table is two people in a channel who play one game after the other.
type table struct {
	srv     *sandbox.Server
	channel *sandbox.Channel
	people  [2]*sandbox.User
	shown   *shownModel
	dice    *rand.Rand
}

// play goes on until the round is over.
func (t *table) play(over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		default:
		}
		who, action := t.next()
		c, err := who.Do(action)
		if err != nil {
			continue // the message went away meanwhile
		}
		lost := time.NewTimer(3 * time.Second)
		select {
		case <-t.shown.answered(c.ID()):
		case <-lost.C:
		case <-over:
		}
		lost.Stop()
	}
}

// next is what somebody does next: move if there is a board, accept if there is a
// challenge, else begin something.
func (t *table) next() (*sandbox.User, sandbox.Action) {
	first, second := t.people[0], t.people[1]
	messages := t.channel.Messages(nil)
	for i := len(messages) - 1; i >= 0 && t.dice.IntN(20) > 0; i-- {
		s := messages[i].Snapshot()
		if s.Ephemeral() {
			continue
		}
		if _, ok := s.Button("Accept"); ok {
			return second, sandbox.ButtonClick{Message: messages[i], Label: "Accept"}
		}
		if free := freeCells(s); len(free) > 0 {
			who := first
			if strings.Contains(s.Text(), second.Mention()+" to move") {
				who = second
			}
			return who, sandbox.ButtonClick{Message: messages[i], CustomID: free[t.dice.IntN(len(free))]}
		}
		if _, ok := s.Button("Rematch"); ok && t.dice.IntN(2) == 0 {
			return t.people[t.dice.IntN(2)], sandbox.ButtonClick{Message: messages[i], Label: "Rematch"}
		}
	}
	command := func(path string, args ...sandbox.Arg) sandbox.Action {
		return sandbox.SlashCommand{Channel: t.channel, Path: "tictactoe " + path, Args: args}
	}
	switch t.dice.IntN(5) {
	case 0, 1:
		return first, command("challenge", sandbox.OptUser("user", second))
	case 2, 3:
		return first, command("play", sandbox.Opt("difficulty", "easy"))
	default:
		return t.people[t.dice.IntN(2)], command("board")
	}
}

// freeCells returns the custom IDs of the empty cells that can be pressed.
func freeCells(s sandbox.Snapshot) (ids []string) {
	for _, row := range s.Rows() {
		for _, b := range row {
			if strings.HasPrefix(b.CustomID, "1:c:") && !b.Disabled && b.Label != "X" && b.Label != "O" {
				ids = append(ids, b.CustomID)
			}
		}
	}
	return ids
}

// marksOf returns whose board the message shows, 0 for none, and the marks on it.
func marksOf(s sandbox.Snapshot) (id store.MatchID, marks map[engine.Cell]string) {
	marks = map[engine.Cell]string{}
	for _, row := range s.Rows() {
		for _, b := range row {
			parts := strings.Split(b.CustomID, ":")
			if len(parts) != 5 || parts[1] != "c" {
				continue
			}
			n, _ := strconv.ParseInt(parts[2], 36, 64)
			cell, _ := strconv.Atoi(parts[4])
			id = store.MatchID(n)
			if b.Label == "X" || b.Label == "O" {
				marks[engine.Cell(cell)] = b.Label
			}
		}
	}
	return id, marks
}
