package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"tictactoe/bot/sandbox"
	"tictactoe/engine"
)

// crowd is everybody who plays with one bot: two people in each channel.
type crowd struct {
	srv   *sandbox.Server
	pairs []*pair
	limit time.Duration // how long a pair waits for an acknowledgement

	waiting  sync.Map // id of a call: chan struct{}, closed once it was acknowledged
	requests atomic.Int64
	bytes    atomic.Int64
}

func newCrowd(srv *sandbox.Server, plays bool, channels int) *crowd {
	c := &crowd{srv: srv, limit: answerLimit}
	for i := range channels {
		dice := rand.New(rand.NewPCG(1, uint64(i))) //nolint:gosec // every bot meets the same games
		p := &pair{crowd: c, number: i, plays: plays, dice: dice}
		p.sitDown()
		c.pairs = append(c.pairs, p)
	}
	srv.REST().OnRequest(c.request)
	return c
}

// request learns what the bot asked of Discord.
func (c *crowd) request(r sandbox.Request) {
	c.requests.Add(1)
	if r.CallID != "" && (r.Status == http.StatusOK || r.Status == http.StatusNoContent) && strings.HasSuffix(r.Route, "/callback") {
		c.bytes.Add(int64(len(r.Body))) // only one of them acknowledges an interaction
		close(c.answered(r.CallID))
	}
}

// answered is closed once the call has been acknowledged, which happens once.
func (c *crowd) answered(call string) chan struct{} {
	v, _ := c.waiting.LoadOrStore(call, make(chan struct{}))
	return v.(chan struct{})
}

// budget ends a turn: after a time, or after so many games.
type budget struct {
	time  time.Duration
	games int
}

// play has everybody play until the budget is spent, and adds to the sum what happens. The
// games go on where the last turn left them.
func (c *crowd) play(ctx context.Context, b budget, pause time.Duration, sum *tally) error {
	t := &turn{budget: b, began: time.Now(), pause: pause, tally: sum}
	requests, bytes := c.requests.Load(), c.bytes.Load()
	everybody, ctx := errgroup.WithContext(ctx)
	for _, p := range c.pairs {
		everybody.Go(func() error { return p.play(ctx, t) })
	}
	err := everybody.Wait()
	sum.elapsed += time.Since(t.began)
	sum.requests += c.requests.Load() - requests
	sum.bytes += c.bytes.Load() - bytes
	return err
}

// turn is what the pairs share while they play.
type turn struct {
	budget budget
	began  time.Time
	games  atomic.Int64 // that are over
	pause  time.Duration

	mu    sync.Mutex
	tally *tally
}

// over reports whether the budget is spent: nobody begins anything more.
func (t *turn) over() bool {
	if t.budget.games > 0 {
		return t.games.Load() >= int64(t.budget.games)
	}
	return time.Since(t.began) >= t.budget.time
}

func (t *turn) count(latency time.Duration, gameOver, answered, expected bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if answered {
		record(t.tally.latency, latency)
	} else {
		t.tally.Unanswered++
	}
	if !expected {
		t.tally.Unexpected++
	}
	if gameOver {
		t.tally.Games++
		t.games.Add(1)
	}
}

// pair is two people in a channel who play one game after the other. With a bot
// that only acknowledges they play the same games, and look at no answer.
type pair struct {
	crowd   *crowd
	number  int
	plays   bool
	tables  int // at which they have sat down
	channel *sandbox.Channel
	people  [2]*sandbox.User // the first has X
	dice    *rand.Rand

	invitation *sandbox.Message // a challenge that is not accepted yet
	board      *sandbox.Message // nil before the first game
	game       engine.Game
	offered    bool // one of them wants a rematch
	strange    int  // answers that were not expected, in a row
}

// patience is how many unexpected answers in a row a pair takes.
const patience = 5

// answerLimit is how long a pair waits for an acknowledgement: Discord's deadline
// and a little.
const answerLimit = 3500 * time.Millisecond

// play clicks until the turn is over.
func (p *pair) play(ctx context.Context, t *turn) error {
	// Pairs that pause do not click all at once.
	next := time.Now().Add(time.Duration(p.dice.Float64() * float64(t.pause)))
	for !t.over() && ctx.Err() == nil {
		if t.pause > 0 {
			if t.budget.games == 0 && next.Sub(t.began) > t.budget.time {
				break
			}
			sleep(ctx, time.Until(next))
			// Half to one and a half of the pause, from click to click.
			next = next.Add(time.Duration((0.5 + p.dice.Float64()) * float64(t.pause)))
		}
		if err := p.act(t); err != nil {
			return err
		}
	}
	return nil
}

// act does the next thing that there is to do, and waits for the answer.
func (p *pair) act(t *turn) error {
	switch {
	case p.board == nil && !p.plays:
		return p.do(t, p.people[0], sandbox.SlashCommand{Channel: p.channel, Path: acknowledgeCommand}, func(r *sandbox.Reply) bool {
			p.board, p.game = r.Message, start
			return p.board != nil
		})
	case p.board == nil && p.invitation == nil:
		challenge := sandbox.SlashCommand{
			Channel: p.channel, Path: "tictactoe challenge", Args: []sandbox.Arg{sandbox.OptUser("user", p.people[1])},
		}
		return p.do(t, p.people[0], challenge, func(r *sandbox.Reply) bool {
			p.invitation = r.Message
			return p.invitation != nil && !r.Ephemeral
		})
	case p.board == nil:
		return p.do(t, p.people[1], sandbox.ButtonClick{Message: p.invitation, Label: "Accept"}, func(r *sandbox.Reply) bool {
			p.board, p.invitation, p.game = r.Message, nil, start
			return p.board != nil && !r.Ephemeral && len(p.board.Snapshot().Rows()) > int(p.game.Rules().N)
		})
	case !p.game.Over():
		return p.move(t)
	default:
		return p.rematch(t)
	}
}

// move plays some legal move.
func (p *pair) move(t *turn) error {
	rules := p.game.Rules()
	free := slices.Collect(p.game.Moves())
	cell := free[p.dice.IntN(len(free))]
	mark, who := p.game.SideToMove(), p.people[p.game.Ply()%len(p.people)]
	click := sandbox.ButtonClick{Message: p.board, Row: rules.Row(cell), Column: rules.Column(cell)}
	return p.do(t, who, click, func(*sandbox.Reply) bool {
		if p.plays {
			rows := p.board.Snapshot().Rows()
			if len(rows) <= click.Row || !strings.HasPrefix(rows[click.Row][click.Column].Label, mark.String()) {
				return false
			}
		}
		p.game, _ = p.game.Play(cell) // one of its legal moves
		return true
	})
}

// rematch has one after the other want another game.
func (p *pair) rematch(t *turn) error {
	click := sandbox.ButtonClick{Message: p.board, Row: int(p.game.Rules().N)}
	if p.plays { // the board loses its grid after a while, and the button has others beside it
		click = sandbox.ButtonClick{Message: p.board, Label: "Rematch"}
		labels := p.board.Snapshot().Labels() // it differs by build, and by whether somebody has asked
		if i := slices.IndexFunc(labels, func(l string) bool { return strings.Contains(l, "ematch") }); i >= 0 {
			click.Label = labels[i]
		}
	}
	if !p.offered {
		return p.do(t, p.people[0], click, func(r *sandbox.Reply) bool {
			p.offered = true
			return !p.plays || r.Message == p.board
		})
	}
	p.offered = false
	return p.do(t, p.people[1], click, func(r *sandbox.Reply) bool {
		p.game, p.people[0], p.people[1] = start, p.people[1], p.people[0]
		if !p.plays {
			return true
		}
		old := p.board
		if p.board = r.Message; p.board == old || r.Ephemeral {
			p.board = nil
		}
		return p.board != nil
	})
}

// sitDown has two new people begin in a new channel: at first, and when something
// else has happened than what was expected, after which nobody knows how things stand.
func (p *pair) sitDown() {
	p.tables++
	name := fmt.Sprintf("%d-%d", p.number, p.tables)
	p.channel = p.crowd.srv.Guild().Channel("channel-" + name)
	p.people = [2]*sandbox.User{p.crowd.srv.User("First-" + name), p.crowd.srv.User("Second-" + name)}
	p.invitation, p.board, p.game, p.offered = nil, nil, engine.Game{}, false
}

// do acts, waits for the acknowledgement and counts it. seen is shown the answer,
// none at all included, and reports whether it is what was expected. Of an answer that
// leaves the picture to an edit it is asked until that has come, or nobody waits any
// more: what is measured is the answer.
func (p *pair) do(t *turn, who *sandbox.User, action sandbox.Action, seen func(*sandbox.Reply) bool) error {
	over := p.game.Over()
	call, err := who.Do(action)
	if err != nil {
		return fmt.Errorf("%w: %w", errBot, err)
	}
	answered := p.crowd.answered(call.ID())
	select {
	case <-answered:
	case <-time.After(p.crowd.limit):
	}
	p.crowd.waiting.Delete(call.ID())
	r := call.Reply()
	expected := seen(r)
	if click, ok := action.(sandbox.ButtonClick); ok && !expected && r.Type == sandbox.CallbackDeferUpdate {
		r.Message = click.Message
		follows, cancel := context.WithTimeout(context.Background(), p.crowd.limit)
		expected = p.crowd.srv.Until(follows, func() bool { return seen(r) }) == nil
		cancel()
	}
	t.count(r.Latency, !over && p.game.Over(), r.Answered(), expected)
	if expected {
		p.strange = 0
		return nil
	}
	if p.strange++; p.strange == patience {
		return fmt.Errorf("%w: it does not play as expected: %v was answered with %q %q", errBot, action, r.Text(), r.Problems)
	}
	p.sitDown()
	return nil
}

// start is how every game begins.
var start = engine.MustParse(".../.../...")
