package main

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
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

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// killsVariable says how often the long run kills the program.
const killsVariable = "TICTACTOE_KILLS"

// killsDefault is how often an ordinary run does.
const killsDefault = 12

// TestKilledUnderLoad kills the program again and again, at random instants, while
// people play in several channels. After each death the file is held to what Discord
// was shown before: nothing acknowledged is missing, every stored match is legal,
// every channel has at most one active match. After the last start all boards show
// what is stored.
func TestKilledUnderLoad(t *testing.T) {
	t.Parallel()
	kills := killsDefault
	if v := os.Getenv(killsVariable); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("%s is no number of kills: %q", killsVariable, v)
		}
		kills = n
	}
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Gateway.IdentifyWindow, o.Gateway.SessionStarts = time.Millisecond, 1_000_000
		o.REST.BucketLimit, o.REST.GlobalLimit = 10_000, -1
		o.World.LookTime, o.World.Deadline = 450*time.Millisecond, answerTime
		o.World.KeepMessages, o.World.KeepWrites, o.REST.KeepRequests, o.World.KeepCalls = 30, 4, 100, 1000
	})
	srv.AllowUnanswered() // many are, by intention
	bottest.WatchRequests(t, srv)
	shown := newShownModel()
	srv.REST().OnRequest(shown.request)
	pairs := make([]*pair, 8)
	for i := range pairs {
		pairs[i] = &pair{
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
		for _, two := range pairs {
			crowd.Go(func() { two.play(over) })
		}
		shown.wait(t, int64(1+dice.IntN(60)))
		switch n % 3 {
		case 0: // when an answer has been held up: stored, and not said
			srv.Faults().SlowNext(sandbox.RouteCallback, time.Minute)
			srv.WaitFor(t, "an answer to be held up", func() bool {
				for _, f := range srv.Faults().List() {
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
		for _, c := range srv.World().Calls() {
			if c.Reply().State == sandbox.CallPending {
				between++
				break
			}
		}
		close(over)
		crowd.Wait()
		srv.WaitFor(t, "the connection to end", func() bool { return srv.Gateway().Sessions() == 0 })
		srv.Faults().Clear()
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
		message := srv.World().MessageByID(string(m.Message))
		if message == nil || m.Private() || message.Deleted() {
			continue
		}
		message.Wait(t, "the board of a match to show what is stored", func(s sandbox.Snapshot) bool {
			id, ply, _ := bottest.Shown(s.Components)
			return id != m.ID || ply == len(m.Moves)
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
	for id, board := range boards {
		m, ok := matches[id]
		if !ok {
			t.Errorf("match %d was shown and is not stored", id)
			continue
		}
		if board.ply > len(m.Moves) {
			t.Errorf("match %d was shown with %d moves, %d are stored", id, board.ply, len(m.Moves))
			continue
		}
		g, err := engine.Replay(m.Rules, m.Moves[:board.ply])
		if err != nil {
			continue // told above
		}
		for cell := engine.Cell(0); m.Rules.Contains(cell); cell++ {
			if want := g.At(cell); want != engine.None && board.marks[cell] != want.String() || want == engine.None && board.marks[cell] != "" {
				t.Errorf("match %d was shown after %d moves with %q on cell %d where %v is stored", id, board.ply, board.marks[cell], cell, want)
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
	boards  map[store.MatchID]picture
	open    map[int64]bool
	answers map[string]chan struct{} // by call
}

func newShownModel() *shownModel {
	return &shownModel{
		changed: make(chan struct{}), boards: map[store.MatchID]picture{}, open: map[int64]bool{},
		answers: map[string]chan struct{}{},
	}
}

var acceptButton = regexp.MustCompile(`"custom_id":"1:a:([0-9a-z]+)"`)

// picture is a board as it was shown.
type picture struct {
	ply   int
	marks map[engine.Cell]string
}

// request learns what Discord has taken.
func (s *shownModel) request(r sandbox.Request) {
	if r.Status != http.StatusOK && r.Status != http.StatusNoContent {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ply, marks := bottest.Picture(r.Body)
	if id != 0 && ply >= s.boards[id].ply {
		s.boards[id] = picture{ply, marks}
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

// all returns what was shown so far. A request of a program that is dead by now may still
// be noted.
func (s *shownModel) all() (map[store.MatchID]picture, map[int64]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.boards), maps.Clone(s.open)
}

// wait waits for so many more answers.
func (s *shownModel) wait(t *testing.T, more int64) {
	t.Helper()
	limit := time.After(waittest.Limit(60 * time.Second))
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

// pair is two people in a channel who play one game after the other.
type pair struct {
	srv     *sandbox.Server
	channel *sandbox.Channel
	people  [2]*sandbox.User
	shown   *shownModel
	dice    *rand.Rand
}

// play goes on until the round is over.
func (p *pair) play(over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		default:
		}
		who, action := p.next()
		c, err := who.Do(action)
		if err != nil {
			continue // the message went away meanwhile
		}
		lost := time.NewTimer(bottest.AnswerTime)
		select {
		case <-p.shown.answered(c.ID()):
		case <-lost.C:
		case <-over:
		}
		lost.Stop()
	}
}

// next is what somebody does next: move if there is a board, accept if there is a
// challenge, else begin something.
func (p *pair) next() (*sandbox.User, sandbox.Action) {
	first, second := p.people[0], p.people[1]
	messages := p.channel.Messages(nil)
	for i := len(messages) - 1; i >= 0 && p.dice.IntN(20) > 0; i-- {
		s := messages[i].Snapshot()
		if s.Ephemeral() {
			continue
		}
		if _, ok := s.Button("Accept"); ok {
			return second, sandbox.ButtonClick{Message: messages[i], Label: "Accept"}
		}
		if free := freeCells(s); len(free) > 0 {
			who := first
			if strings.Contains(s.Text(), second.Mention()+", your move") {
				who = second
			}
			return who, sandbox.ButtonClick{Message: messages[i], CustomID: free[p.dice.IntN(len(free))]}
		}
		if _, ok := s.Button("Rematch"); ok && p.dice.IntN(2) == 0 {
			return p.people[p.dice.IntN(2)], sandbox.ButtonClick{Message: messages[i], Label: "Rematch"}
		}
	}
	command := func(path string, args ...sandbox.Arg) sandbox.Action {
		return sandbox.SlashCommand{Channel: p.channel, Path: "tictactoe " + path, Args: args}
	}
	switch p.dice.IntN(5) {
	case 0, 1:
		return first, command("challenge", sandbox.OptUser("user", second), p.board())
	case 2, 3:
		return first, command("play", sandbox.Opt("difficulty", "easy"), p.board())
	default:
		return p.people[p.dice.IntN(2)], command("board")
	}
}

// board chooses where to play: every third game is one in which marks vanish.
func (p *pair) board() sandbox.Arg {
	return sandbox.Opt("board", []string{"3x3", "3x3", "vanishing"}[p.dice.IntN(3)])
}

// freeCells returns the custom IDs of the empty cells that can be pressed.
func freeCells(s sandbox.Snapshot) (ids []string) {
	for _, row := range s.Rows() {
		for _, b := range row {
			if bottest.IsCell(b.CustomID) && !b.Disabled && !strings.HasPrefix(b.Label, "X") && !strings.HasPrefix(b.Label, "O") {
				ids = append(ids, b.CustomID)
			}
		}
	}
	return ids
}
