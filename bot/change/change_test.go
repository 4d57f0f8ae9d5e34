package change

import (
	"context"
	"testing"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/engine"
	"tictactoe/store"
)

// taking takes every change.
type taking struct {
	changeStore
	took store.Change
}

func (s *taking) Apply(_ context.Context, c store.Change) error {
	s.took = c
	return nil
}

// TestApplyLeavesRecordsAsTheyAre: what is stored is stamped, and what its caller goes on with
// differs from that by no more than it seems to.
func TestApplyLeavesRecordsAsTheyAre(t *testing.T) {
	now := func() time.Time { return after(0) }
	db := &taking{}
	b := &Changer{Store: db, Kit: &kit.Kit{
		Now: now, Times: kit.Timing{GridTime: time.Minute}, Settings: kit.NewSettings(nil, now, 0, 1),
		Clock: kit.NewClock(now, func() store.DomainSet { return store.AllDomains }, time.Second, store.Leases{}, now()),
	}}
	given := store.Change{
		Matches:    []store.Match{{ID: 1, Guild: "201", Place: 1, State: store.Ended, EndReason: store.Resignation, Winner: engine.X, GridStands: true}},
		Challenges: []store.Challenge{{ID: 2}},
	}
	if err := b.Apply(t.Context(), given); err != nil {
		t.Fatal(err)
	}
	m, c := db.took.Matches[0], db.took.Challenges[0]
	if !m.Created.Equal(now()) || !m.Updated.Equal(now()) || m.Deadline != time.Minute || !c.Created.Equal(now()) || len(db.took.Awards) != 1 {
		t.Errorf("stored are %+v", db.took)
	}
	if m, c := given.Matches[0], given.Challenges[0]; !m.Updated.IsZero() || m.Deadline != 0 || !c.Updated.IsZero() {
		t.Errorf("the caller has %+v", given)
	}
}
