package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// players is how many play at the same time in the tests that lose a process or the
// server. Each has a channel.
const players = 6

// play is one line that is reported before a change is applied and after it was
// acknowledged: what the match was to become.
type play struct {
	Interaction store.InteractionID
	Match       store.Match
	Acked       bool
}

// playOn plays games in the player's channel until the context ends or a change is
// refused. It goes on with the match that it finds.
func playOn(ctx context.Context, s store.Store, player int, seed uint64, report func(play)) error {
	dice := rand.New(rand.NewPCG(seed, uint64(player)))
	channel := store.ChannelID(strconv.Itoa(player))
	active, err := s.ActiveMatches(ctx, channel)
	if err != nil {
		return err
	}
	var m store.Match
	if len(active) > 0 {
		m = active[0]
	}
	for n := 0; ctx.Err() == nil; n++ {
		if m.ID == 0 || m.State == store.Ended {
			m = newMatch(store.MatchID(dice.Int64() | 1))
			m.Channel = channel
		} else {
			m = moved(m, dice)
		}
		p := play{Interaction: store.InteractionID(fmt.Sprintf("%d-%d-%d", seed, player, n)), Match: m}
		report(p)
		if err := s.Apply(ctx, store.Change{Interaction: p.Interaction, Matches: []store.Match{m}}); err != nil {
			return err
		}
		p.Acked = true
		report(p)
		m.Version++
		s.Deliver(store.Delivery{Match: m.ID, Message: "1", Drawn: m.Version})
	}
	return ctx.Err()
}

func newMatch(id store.MatchID) store.Match {
	return store.Match{
		ID: id, Guild: "41771983423143937", Channel: "1", Place: 1, Rules: engine.Standard,
		X: store.Player{User: "1"}, O: store.Player{User: "2"}, State: store.Active,
		Created: time.UnixMilli(0).UTC(), Updated: time.UnixMilli(0).UTC(),
	}
}

// moved returns the match after a random move.
func moved(m store.Match, dice *rand.Rand) store.Match {
	game, err := engine.Replay(m.Rules, m.Moves)
	if err != nil {
		panic(err)
	}
	free := slices.Collect(game.Moves())
	cell := free[dice.IntN(len(free))]
	m.Moves = append(m.Moves[:len(m.Moves):len(m.Moves)], cell)
	if game, err = game.Play(cell); err != nil {
		panic(err)
	}
	if game.Over() {
		m.State, m.EndReason, m.Winner = store.Ended, store.FullBoard, game.Outcome().Winner()
		if m.Winner != engine.None {
			m.EndReason = store.ByLine
		}
	}
	return m
}

// ledger is what is known to have been begun and acknowledged. Its methods are safe for
// concurrent use.
type ledger struct {
	mu    sync.Mutex
	begun map[store.InteractionID]play // not acknowledged
	acked map[store.InteractionID]play
}

func newLedger() *ledger {
	return &ledger{begun: map[store.InteractionID]play{}, acked: map[store.InteractionID]play{}}
}

func (l *ledger) add(p play) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !p.Acked {
		l.begun[p.Interaction] = p
		return
	}
	delete(l.begun, p.Interaction)
	l.acked[p.Interaction] = p
}

func (l *ledger) acknowledged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.acked)
}

// settleAt settles with a store of its own, which has more patience than one that is to
// notice soon what it cannot reach.
func (l *ledger) settleAt(t *testing.T, address string) {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, patient())
	if err != nil {
		t.Fatal(err)
	}
	l.settle(t, s)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// settle compares what is stored with what was acknowledged. What was begun is there
// whole, claim and match, or not at all.
func (l *ledger) settle(t *testing.T, s store.Store) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	latest := map[store.MatchID]store.Match{}
	keep := func(m store.Match) {
		if m.Version++; m.Version > latest[m.ID].Version {
			latest[m.ID] = m
		}
	}
	claimed := func(id store.InteractionID) bool {
		err := s.Apply(t.Context(), store.Change{Interaction: id})
		if err != nil && !errors.Is(err, store.ErrClaimed) {
			t.Fatalf("claim %s: %v", id, err)
		}
		return err != nil
	}
	for id, p := range l.acked {
		if !claimed(id) {
			t.Errorf("the claim of %s, which was acknowledged, is lost", id)
		}
		keep(p.Match)
	}
	for id, p := range l.begun {
		if claimed(id) {
			keep(p.Match)
			l.acked[id] = p
		}
	}
	for id, want := range latest {
		got, err := s.Match(t.Context(), id)
		if err != nil {
			t.Errorf("match %d: %v", id, err)
			continue
		}
		if got.Version != want.Version || !slices.Equal(got.Moves, want.Moves) || got.State != want.State {
			t.Errorf("match %d: version %d with %v, want %d with %v", id, got.Version, got.Moves, want.Version, want.Moves)
		}
		if err := got.Validate(); err != nil {
			t.Error(err)
		}
	}
	clear(l.begun)
}

// loadChild plays in all channels until it is killed.
func loadChild(args []string) int {
	s, err := postgres.Open(context.Background(), args[0], patient())
	if err != nil {
		say("%q", err.Error())
		return 1
	}
	seed, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	for p := range players {
		wg.Go(func() {
			err := playOn(context.Background(), s, p, seed, func(p play) {
				line, err := json.Marshal(p)
				if err != nil {
					panic(err)
				}
				say("%s", line)
			})
			say("%q", err.Error())
		})
	}
	wg.Wait()
	return 1
}

// TestKill kills a process under load at random instants, and looks each time whether
// everything acknowledged is there. The transaction that the killed one had begun may
// still be under way in the server when the next process begins.
func TestKill(t *testing.T) {
	t.Parallel()
	kills := 5
	if env := os.Getenv("STORE_KILLS"); env != "" {
		var err error
		if kills, err = strconv.Atoi(env); err != nil {
			t.Fatalf("STORE_KILLS: %v", err)
		}
	}
	address := postgrestest.URL(t)
	dice := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	l, all, between := newLedger(), 0, 0
	for n := range kills {
		cmd, out := start(t, "load", address, strconv.Itoa(n))
		for line, deadline := 0, 1+dice.IntN(300); ; line++ {
			if line == deadline {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
			text, err := out.ReadBytes('\n')
			if err != nil && line >= deadline {
				break // what it wrote before it was killed has been read
			}
			var p play
			if err := errors.Join(err, json.Unmarshal(text, &p)); err != nil {
				t.Fatalf("line %d of child %d: %s: %v", line, n, text, err)
			}
			l.add(p)
		}
		_ = cmd.Wait() // killed
		if len(l.begun) > 0 {
			between++
		}
		l.settleAt(t, address)
		if t.Failed() {
			t.Logf("after kill %d", n)
			return
		}
		all += l.acknowledged()
		clear(l.acked) // once is enough
	}
	t.Logf("%d kills, %d of them between a change and its acknowledgement; %d changes acknowledged", kills, between, all)
	if between*3 < kills {
		t.Errorf("%d of %d kills fell between a change and its acknowledgement, want a third", between, kills)
	}
}
