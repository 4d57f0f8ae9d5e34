package bot

import (
	"context"
	"testing"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
)

// slowDiscord is a Discord that takes edits only once it is told to.
type slowDiscord struct {
	*noDiscord
	edits, posts chan struct{}
	goOn         chan struct{}
}

func (d *slowDiscord) EditMessage(context.Context, string, string, any) (*rest.Message, error) {
	d.edits <- struct{}{}
	<-d.goOn
	return &rest.Message{}, nil
}

func (d *slowDiscord) CreateMessage(context.Context, string, any) (*rest.Message, error) {
	d.posts <- struct{}{}
	return &rest.Message{ID: "5001"}, nil
}

// TestRedrawsComeBeforePosts: while boards wait to be redrawn no puzzle is posted, nor is the
// post of a guild claimed.
func TestRedrawsComeBeforePosts(t *testing.T) {
	const boards = 8 // as many as are redrawn at once
	d := &slowDiscord{noDiscord: &noDiscord{}, edits: make(chan struct{}, boards), posts: make(chan struct{}, 1), goOn: make(chan struct{})}
	b := newLoneBot(t, func(o *Options) { o.API, o.WorkTime = d, waittest.Limit(time.Minute) })
	due := b.kit.Now().Truncate(time.Second)
	c := store.Change{Guilds: []store.GuildSettings{{Guild: "201", Puzzle: store.PuzzlePost{Channel: "301", Hour: due.UTC().Hour(), Due: due}}}}
	if err := b.change.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	b.standing(t, boards, func(int) time.Duration { return time.Hour })
	for id := range store.MatchID(boards) {
		m, err := b.store.Match(t.Context(), id+1)
		if err != nil {
			t.Fatal(err)
		}
		m.Moves = []engine.Cell{0}
		if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
			t.Fatal(err)
		}
		b.kit.Tracker.Redraw(kit.MatchRef(m.ID))
	}
	for range boards {
		<-d.edits
	}
	look := func() time.Time {
		t.Helper()
		if err := b.puzzles.Jobs()[0].Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		g, err := b.store.GuildSettings(t.Context(), "201")
		if err != nil {
			t.Fatal(err)
		}
		return g.Puzzle.Due
	}
	if at := look(); !at.Equal(due) {
		t.Errorf("the post is claimed, and due next %v, while boards wait", at)
	}
	close(d.goOn)
	waittest.Until(t, "the boards to be redrawn", func() bool { return !b.kit.Tracker.Busy() })
	if at := look(); !at.Equal(match.PuzzlePostAfter("201", due.UTC().Hour(), b.kit.Now())) {
		t.Errorf("the post is due next %v", at)
	}
	<-d.posts
}
