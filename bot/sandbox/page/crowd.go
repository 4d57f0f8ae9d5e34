package page

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
)

const (
	// crowdTables is how many tables there are, each for two of the crowd's names.
	crowdTables = 6
	// crowdPace is about how long a simulated person thinks.
	crowdPace = 700 * time.Millisecond
	// crowdLook is how long a simulated person looks at a new picture before they
	// press a button.
	crowdLook = 450 * time.Millisecond
	// crowdPatience is after how many fruitless turns a table begins anew.
	crowdPatience = 8
	// blankLabel is the label that stands for an empty cell: Discord takes a
	// zero-width space where it refuses an empty label.
	blankLabel = "\u200b"
	// crowdTable begins the name of every channel of the crowd.
	crowdTable = "table-"
)

// crowd lets simulated people play in channels of their own. It knows no game:
// it sends whatever slash command is registered and presses buttons without a
// visible label, as somebody who fills in a board does.
type crowd struct {
	srv *sandbox.Server

	mu  sync.Mutex
	end func() // lets everybody get up and waits until they have; nil while off
}

// crowdInfo is what the page shows of the crowd.
type crowdInfo struct {
	On     bool `json:"on"`
	Tables int  `json:"tables"`
}

func (c *crowd) info() crowdInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	return crowdInfo{On: c.end != nil, Tables: crowdTables}
}

// The crowd and its channels are known by their names, which outlive a server
// whose state is kept.

func crowdPerson(name string) bool { return slices.Contains(crowdNames, name) }

func crowdChannel(name string) bool {
	number, ok := strings.CutPrefix(name, crowdTable)
	_, err := strconv.Atoi(number)
	return ok && err == nil
}

// start seats the crowd, if it is not seated. It plays until stop or until the
// server closes.
func (c *crowd) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	var seated sync.WaitGroup
	for i := range crowdTables {
		t := c.seat(i)
		seated.Go(func() { c.play(ctx, t) })
	}
	c.end = func() {
		cancel()
		seated.Wait()
	}
}

// stop lets the crowd get up and waits until everybody has.
func (c *crowd) stop() {
	c.mu.Lock()
	end := c.end
	c.end = nil
	c.mu.Unlock()
	if end == nil {
		return
	}
	end()
	c.srv.World().Announce(sandbox.Event{Kind: sandbox.EventChannelsChanged})
}

var (
	crowdNames   = strings.Fields("Finn Gwen Hugo Ines Jun Kaja Lars Mina Nils Olga Pavel Ria")
	crowdLocales = strings.Fields("en-US de fr ja es-ES pt-BR ko pl")
)

// table is two people in a channel.
type table struct {
	channel *sandbox.Channel
	people  [2]*sandbox.User
	dice    *rand.Rand
	started int    // commands sent
	waited  int    // turns since the last act that changed anything
	seen    string // what the newest message looked like at the last turn
}

func (c *crowd) seat(i int) *table {
	t := &table{channel: c.srv.Guild().Channel(fmt.Sprint(crowdTable, i+1)), dice: rand.New(rand.NewPCG(uint64(i), 1))} //nolint:gosec // dice that repeat
	t.started = i                                                                                                       // so that tables differ in what they begin with
	for k := range t.people {
		n := 2*i + k
		t.people[k] = c.srv.User(crowdNames[n], sandbox.Locale(crowdLocales[n%len(crowdLocales)]))
	}
	return t
}

// play takes turns at a table until the context ends.
func (c *crowd) play(ctx context.Context, t *table) {
	for {
		select {
		case <-time.After(crowdPace/2 + time.Duration(t.dice.Int64N(int64(crowdPace)))):
		case <-ctx.Done():
			return
		case <-c.srv.Closed():
			return
		}
		c.turn(t)
	}
}

// turn does one thing at a table, if anything can be done.
func (c *crowd) turn(t *table) {
	who, m, button := t.choose()
	now := ""
	if m != nil {
		edited := m.Snapshot().EditedAt
		if c.srv.Clock().Now().Sub(edited) < crowdLook {
			return
		}
		now = fmt.Sprintf("%s %v", m.ID(), edited)
	}
	if now == t.seen {
		t.waited++
	} else {
		t.seen, t.waited = now, 0
	}
	if m == nil || t.waited >= crowdPatience {
		t.waited = 0
		c.begin(t)
		return
	}
	_, _ = who.Do(sandbox.ButtonClick{Message: m, CustomID: button.CustomID}) // what is refused is tried again
}

// choose finds the newest message that invites a press, who should press and what:
// an empty cell if there is one, else the button that stands out.
func (t *table) choose() (*sandbox.User, *sandbox.Message, rules.Button) {
	all := t.channel.Messages(nil)
	for i := len(all) - 1; i >= max(0, len(all)-4); i-- {
		snap := all[i].Snapshot()
		if snap.Ephemeral() {
			continue
		}
		who := t.invited(snap)
		var blank, bright []rules.Button
		for _, b := range slices.Concat(snap.Rows()...) {
			switch {
			case b.Disabled || b.CustomID == "":
			case b.Label == blankLabel:
				blank = append(blank, b)
			case (b.Style == 1 || b.Style == 3) && len([]rune(b.Label)) > 2:
				bright = append(bright, b)
			}
		}
		if len(blank) > 0 {
			return who, all[i], blank[t.dice.IntN(len(blank))]
		}
		if len(bright) > 0 {
			if t.waited > 0 { // the one addressed first could not, or has
				who = t.people[t.waited%2]
			}
			return who, all[i], bright[0]
		}
	}
	return nil, nil, rules.Button{}
}

// invited is whom the message names first, else anybody.
func (t *table) invited(s sandbox.Snapshot) *sandbox.User {
	text, first, who := s.Text(), -1, t.people[t.dice.IntN(2)]
	for _, u := range t.people {
		if at := strings.Index(text, "<@"+u.ID()+">"); at >= 0 && (first < 0 || at < first) {
			first, who = at, u
		}
	}
	return who
}

// begin sends a slash command: by turns one that needs nobody and one that takes
// the other person.
func (c *crowd) begin(t *table) {
	var first [2]*sandbox.SlashCommand // that needs nobody, and that takes the other person
	me, other := t.people[t.started%2], t.people[(t.started+1)%2]
	for _, cmd := range sandbox.Offered(me, t.channel) {
		if cmd.Type != rules.CommandSlash {
			continue
		}
		eachLeaf(cmd.Name, cmd.Options, func(path string, options []rules.CommandOption) {
			if slices.ContainsFunc(options, func(o rules.CommandOption) bool { return o.Required && o.Type != rules.OptionUser }) {
				return
			}
			takes, command := 0, &sandbox.SlashCommand{Channel: t.channel, Path: path}
			if i := slices.IndexFunc(options, func(o rules.CommandOption) bool { return o.Type == rules.OptionUser }); i >= 0 {
				takes, command.Args = 1, []sandbox.Arg{sandbox.OptUser(options[i].Name, other)}
			}
			first[takes] = cmp.Or(first[takes], command)
		})
	}
	command := cmp.Or(first[t.started%2], first[(t.started+1)%2])
	t.started++
	if command != nil {
		_, _ = me.Do(*command) // what is refused is tried again
	}
}

// eachLeaf visits what can be sent: a command without subcommands, or each of those.
func eachLeaf(path string, options []rules.CommandOption, visit func(path string, options []rules.CommandOption)) {
	nested := false
	for _, o := range options {
		if o.Type == rules.OptionSubcommand || o.Type == rules.OptionGroup {
			nested = true
			eachLeaf(path+" "+o.Name, o.Options, visit)
		}
	}
	if !nested {
		visit(path, options)
	}
}
