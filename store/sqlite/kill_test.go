package sqlite_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// players is how many play at the same time in the tests that lose the process or
// the power. Each has a channel.
const players = 8

// event is one line that the child writes: before it applies a change and after
// that was acknowledged.
type event struct {
	Begun *store.Change       `json:",omitempty"`
	Acked store.InteractionID `json:",omitempty"`
}

// play plays games in the player's channel until the context ends or a change is
// refused, and reports each change before and after. It goes on with the match
// that it finds.
func play(ctx context.Context, s *sqlite.Store, player int, seed uint64, report func(event)) error {
	dice := rand.New(rand.NewPCG(seed, uint64(player))) //nolint:gosec // a game
	channel := store.ChannelID(strconv.Itoa(player))
	active, err := s.ActiveMatches(ctx, channel)
	if err != nil {
		return err
	}
	for n := 0; ctx.Err() == nil; n++ {
		c := store.Change{Interaction: store.InteractionID(fmt.Sprintf("%d-%d-%d", seed, player, n))}
		if len(active) == 0 {
			active = []store.Match{startIn(channel, dice)}
		} else if m := move(active[0], dice); m.State == store.Ended && dice.IntN(2) == 0 {
			// A rematch in the same change: both or neither.
			next := startIn(channel, dice)
			m.Next = next.ID
			active = []store.Match{m, next}
		} else {
			active[0] = m
		}
		c.Matches = active
		report(event{Begun: &c})
		if err := s.Apply(ctx, c); err != nil {
			return err
		}
		report(event{Acked: c.Interaction})
		active = active[len(active)-1:]
		active[0].Version++
		if active[0].State == store.Ended {
			active = nil
		} else {
			s.Deliver(store.Delivery{Match: active[0].ID, Message: "1", Drawn: active[0].Version})
		}
	}
	return ctx.Err()
}

// startIn returns a new match in place 1 of the channel.
func startIn(channel store.ChannelID, dice *rand.Rand) store.Match {
	m := newMatch(store.MatchID(dice.Int64() | 1))
	m.Channel = channel
	return m
}

// move returns the match after a random move.
func move(m store.Match, dice *rand.Rand) store.Match {
	game, err := engine.Replay(m.Rules, m.Moves)
	if err != nil {
		panic(err)
	}
	var free []engine.Cell
	for c := range game.Moves() {
		free = append(free, c)
	}
	cell := free[dice.IntN(len(free))]
	m.Moves = append(m.Moves[:len(m.Moves):len(m.Moves)], cell)
	if game, err = game.Play(cell); err != nil {
		panic(err)
	}
	if game.Over() {
		m.State = store.Ended
		m.EndReason, m.Winner = store.EndOf(game)
	}
	return m
}

// ledger is what is known to have been begun and acknowledged.
type ledger struct {
	mu     sync.Mutex
	begun  map[store.InteractionID]store.Change // not acknowledged
	acked  map[store.MatchID]store.Match        // as last acknowledged
	claims []store.InteractionID                // acknowledged
	copy   bool                                 // what is compared with it is a copy of the file, whose boards have a new version
}

func newLedger() *ledger {
	return &ledger{begun: map[store.InteractionID]store.Change{}, acked: map[store.MatchID]store.Match{}}
}

func (l *ledger) add(e event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Begun != nil {
		l.begun[e.Begun.Interaction] = store.Change{Interaction: e.Begun.Interaction, Matches: append([]store.Match(nil), e.Begun.Matches...)}
		return
	}
	for _, m := range l.begun[e.Acked].Matches {
		m.Version++
		l.acked[m.ID] = m
	}
	delete(l.begun, e.Acked)
	l.claims = append(l.claims, e.Acked)
}

// acknowledged returns how many changes were.
func (l *ledger) acknowledged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.claims)
}

// copied returns the ledger as it is while the function runs: nothing is added
// meanwhile.
func (l *ledger) copied(during func()) *ledger {
	l.mu.Lock()
	defer l.mu.Unlock()
	during()
	now := newLedger()
	for k, v := range l.begun {
		now.begun[k] = v
	}
	for k, v := range l.acked {
		now.acked[k] = v
	}
	now.claims = append(now.claims, l.claims...)
	return now
}

// settle compares what the store holds with what was acknowledged, and returns
// what does not fit. Changes that were begun may be there, whole, or not at all;
// those that are there count as acknowledged from then on.
func (l *ledger) settle(ctx context.Context, s *sqlite.Store) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for id, c := range l.begun {
		// Claimed by it, or free: its presence is decided by its claim, and its
		// records must agree.
		switch err := s.Apply(ctx, store.Change{Interaction: id}); {
		case errors.Is(err, store.ErrClaimed):
			for _, m := range c.Matches {
				m.Version++
				l.acked[m.ID] = m
			}
		case err != nil:
			fault("claim %s: %v", id, err)
		}
		delete(l.begun, id)
		l.claims = append(l.claims, id)
	}
	for id, want := range l.acked {
		got, err := s.Match(ctx, id)
		if err != nil {
			fault("match %d: %v", id, err)
			continue
		}
		got.Message, got.Drawn, got.Notice = want.Message, want.Drawn, want.Notice // notes may be lost
		got.Created, got.Updated = want.Created, want.Updated
		if l.copy && want.State == store.Active {
			want.Version++
		}
		if diff := cmp.Diff(want, got); diff != "" {
			fault("match %d is not as acknowledged: got + want -\n%s", id, diff)
		}
		if err := got.Validate(); err != nil {
			fault("stored: %v", err)
		}
	}
	for _, id := range l.claims {
		if err := s.Apply(ctx, store.Change{Interaction: id}); !errors.Is(err, store.ErrClaimed) {
			fault("interaction %s can be used again: %v", id, err)
		}
	}
	l.claims = nil // once is enough, they are too many
	for p := range players {
		active, err := s.ActiveMatches(ctx, store.ChannelID(strconv.Itoa(p)))
		if len(active) > 1 || err != nil {
			fault("channel %d has %d active matches (%v)", p, len(active), err)
		}
		for _, m := range active {
			if _, known := l.acked[m.ID]; !known {
				fault("match %d was never begun", m.ID)
			}
		}
	}
	return faults
}

// loadChild plays in all channels until it is killed.
func loadChild(args []string) int {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, args[0])
	if err != nil {
		say("%q", err.Error())
		return 1
	}
	seed, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		say("%q", err.Error())
		return 1
	}
	var wg sync.WaitGroup
	for p := range players {
		wg.Go(func() {
			err := play(ctx, s, p, seed, func(e event) {
				line, err := json.Marshal(e)
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

// killings is how many kills the environment asks for, or as many as usual.
func killings(t *testing.T, usual int) int {
	t.Helper()
	env := os.Getenv("STORE_KILLS")
	if env == "" {
		return usual
	}
	kills, err := strconv.Atoi(env)
	if err != nil || kills < 1 {
		t.Fatalf("STORE_KILLS = %q is no number of kills", env)
	}
	return kills
}

// TestKill kills a process under load at random instants, and looks each time
// whether everything acknowledged is there.
func TestKill(t *testing.T) {
	kills := killings(t, 5)
	path := filepath.Join(t.TempDir(), "t.db")
	dice := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0)) //nolint:gosec // not a secret
	l := newLedger()
	acked, between := 0, 0
	for n := range kills {
		cmd := child(t, "load", path, strconv.Itoa(n))
		out, _ := start(t, cmd)
		deadline := 1 + dice.IntN(300) // lines
		for line := 0; ; line++ {
			if line == deadline {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
			e, err := readEvent(out)
			if errors.Is(err, io.EOF) && line >= deadline {
				break // what it wrote before it was killed has been read
			}
			if err != nil {
				t.Fatalf("line %d of child %d: %v", line, n, err)
			}
			l.add(e)
			if e.Acked != "" {
				acked++
			}
		}
		_ = cmd.Wait() // killed
		if len(l.begun) > 0 {
			between++
		}
		s, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatalf("after kill %d: %v", n, err)
		}
		for _, f := range l.settle(t.Context(), s) {
			t.Errorf("after kill %d: %s", n, f)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d kills, %d of them between a change and its acknowledgement; %d changes acknowledged, %d matches",
		kills, between, acked, len(l.acked))
	if between*3 < kills {
		t.Errorf("%d of %d kills fell between a change and its acknowledgement, want a third", between, kills)
	}
}

// readEvent reads a line of a child. The last one may have been cut off by the
// kill, and is as if it had not been written.
func readEvent(out *bufio.Reader) (event, error) {
	line, err := out.ReadBytes('\n')
	if err != nil {
		return event{}, io.EOF
	}
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		return event{}, fmt.Errorf("%s: %w", line, err)
	}
	return e, nil
}
