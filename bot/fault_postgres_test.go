package bot_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// onPostgres has the bot play on a PostgreSQL database, as run opens it.
func onPostgres(address string, options ...postgres.Option) bottest.Option {
	options = append([]postgres.Option{postgres.WithTimeout(waittest.Limit(800 * time.Millisecond))}, options...)
	return bottest.On(func(string) (store.Store, error) {
		return postgres.Open(context.Background(), address, options...)
	})
}

// TestPlayOnPostgres plays what there is to play on a PostgreSQL database, and goes on
// after a restart of the bot.
func TestPlayOnPostgres(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, onPostgres(postgrestest.Empty(t)))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "You already have a game here")
	w.Restart(t)
	w.Cells(t, m, w.Ada, w.Bob, "a2", "b1", "a3")
	bottest.WantText(t, m, w.Ada.Mention()+" wins")
	w.Free(t)
	private := w.Answer(t, w.Bob.Command(t, w.Side("side"), "tictactoe play", sandbox.Opt("private", true)))
	w.Cell(t, w.Bob, private, "b2")
}

// TestPostgresCutOff: the server is out of reach, with the connection cut, for longer than
// a move may take. People hear that nothing was played, clocks stand still, the bot is not
// ready, and afterwards everything goes on.
func TestPostgresCutOff(t *testing.T) {
	t.Parallel()
	proxy, address := postgrestest.NewProxy(t, postgrestest.Empty(t))
	clock := bottest.NewClock()
	w := bottest.New(t, onPostgres(address), bottest.ByClock(clock), bottest.TimeLimit(time.Minute),
		bottest.Bot(func(o *bot.Options) { o.Tick = 50 * time.Millisecond }))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	proxy.Refuse(true)
	proxy.Cut()
	for range 3 {
		w.Refused(t, w.Bob.ClickCell(t, m, 1, 1), notSaved)
		clock.Advance(25 * time.Second)
	}
	w.Refused(t, w.Cleo.Command(t, w.Side("side"), "tictactoe play"), notSaved)
	if err := w.Service.Health(t.Context()); !errors.Is(err, service.ErrNotWritable) {
		t.Errorf("Health without a database = %v, want %v", err, service.ErrNotWritable)
	}
	w.Bystander(t)
	proxy.Refuse(false)
	waittest.Until(t, "the bot to be ready again", func() bool { return w.Service.Health(t.Context()) == nil })
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Shows(t, m, "X../.O./...")
	clock.Advance(time.Minute + time.Second)
	bottest.WantText(t, m, w.Ada.Mention()+" ran out of time")
}

// TestPostgresLosesCommits: the connection is cut at the commit of a move, before the
// server has it or before it answers. The move is played, once.
func TestPostgresLosesCommits(t *testing.T) {
	t.Parallel()
	proxy, address := postgrestest.NewProxy(t, postgrestest.Empty(t))
	w := bottest.New(t, onPostgres(address, postgres.WithTimeout(waittest.Limit(1500*time.Millisecond))),
		bottest.Behind(func(real store.Store) store.Store { return quietStore{real} }))
	m := w.Challenge(t, w.Ada, w.Bob)
	for i, cell := range []string{"a1", "b2", "a2", "b1"} {
		proxy.Lose([]postgrestest.Loss{postgrestest.Answer, postgrestest.Request}[i%2])
		w.Cell(t, []*sandbox.User{w.Ada, w.Bob}[i%2], m, cell)
	}
	if proxy.Lost() != 4 {
		t.Errorf("%d commits were lost, want 4", proxy.Lost())
	}
	w.Shows(t, m, "XO./XO./...")
}

// TestPostgresCommitIsPending: the commit of a move gets lost in silence. Whoever made it
// is told that it is not known; once it is known the board shows what is stored, and the
// game goes on.
func TestPostgresCommitIsPending(t *testing.T) {
	t.Parallel()
	proxy, address := postgrestest.NewProxy(t, postgrestest.Empty(t))
	w := bottest.New(t, onPostgres(address),
		bottest.Behind(func(real store.Store) store.Store { return quietStore{real} }))
	m := w.Challenge(t, w.Ada, w.Bob)
	hurried(t, w, little)
	proxy.Lose(postgrestest.Silence)
	w.Refused(t, w.Ada.ClickCell(t, m, 0, 0), unknown)
	waittest.Until(t, "the store to write again", func() bool { return w.Store.Check(t.Context()) == nil })
	if strings.HasPrefix(w.Position(t), "X") {
		w.Shows(t, m, "X../.../...")
	} else {
		w.Cells(t, m, w.Ada, w.Bob, "a1")
	}
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Shows(t, m, "X../.O./...")
}
