package bot_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// beats plays a game of the two that the first wins, and waits until it is weighed.
func beats(t *testing.T, w *bottest.World, winner, loser *sandbox.User) *sandbox.Message {
	t.Helper()
	m := w.Challenge(t, winner, loser)
	w.Cells(t, m, winner, loser, "a1", "a2", "b2", "a3", "c3")
	bottest.WantText(t, m, "wins")
	w.Weighed(t, m)
	return m
}

// crowned is a world in which Ada has just become king, with the message that shows it.
func crowned(t *testing.T, options ...bottest.Option) (w *bottest.World, clock *bottest.Clock, dora *sandbox.User, card *sandbox.Message) {
	t.Helper()
	w, clock = atMidMonth(t, options...)
	dora = w.Discord.User("Dora")
	card = reigns(t, w)
	clock.Advance(2 * time.Minute) // the grid goes
	shows(t, card, "👑 "+w.Ada.Mention()+" rules <#"+w.Channel.ID()+"> · 🔥 3 in a row")
	return w, clock, dora, card
}

// reigns has Ada beat three people whom no test needs for anything else.
func reigns(t *testing.T, w *bottest.World) (card *sandbox.Message) {
	t.Helper()
	for _, loser := range []string{"Fay", "Gil", "Hal"} {
		card = beats(t, w, w.Ada, w.Discord.User(loser))
	}
	return card
}

// shows waits until a message says that.
func shows(t *testing.T, m *sandbox.Message, text string) {
	t.Helper()
	m.Wait(t, "the message to say "+text, func(s sandbox.Snapshot) bool { return strings.Contains(bare(s.Text()), text) })
}

// offersThrone reports whether the king can be challenged from the message.
func offersThrone(m *sandbox.Message) bool {
	_, ok := m.Snapshot().Button(challengeKing)
	return ok
}

// losesThrone waits until the king cannot be challenged from the message any more.
func losesThrone(t *testing.T, m *sandbox.Message) {
	t.Helper()
	m.Wait(t, "the button to go", func(s sandbox.Snapshot) bool { _, ok := s.Button(challengeKing); return !ok })
}

const challengeKing = "Challenge the king"

// pressLater returns what presses the button to challenge the king that the message has now: by
// then a drawing may have taken it away.
func pressLater(t *testing.T, who *sandbox.User, m *sandbox.Message) func() *sandbox.Reply {
	t.Helper()
	id := bottest.CustomID(t, m, challengeKing)
	return func() *sandbox.Reply {
		t.Helper()
		press, err := who.Do(sandbox.ButtonClick{Message: m, CustomID: id, Forced: true})
		if err != nil {
			t.Fatal(err)
		}
		return press.Wait(t)
	}
}

// crownOf returns what is stored of the crown of the channel.
func crownOf(t *testing.T, w *bottest.World) store.Crown {
	t.Helper()
	c, err := w.Store.Crown(t.Context(), store.GuildID(w.Discord.Guild().ID()), store.ChannelID(w.Channel.ID()))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wantKing wants somebody to be king of the channel, or nobody.
func wantKing(t *testing.T, w *bottest.World, who *sandbox.User) {
	t.Helper()
	want := ""
	if who != nil {
		want = who.ID()
	}
	if c := crownOf(t, w); string(c.User) != want {
		t.Errorf("king is %q, want %q: %+v", c.User, want, c)
	}
}

func put(t *testing.T, w *bottest.World, c store.Change) {
	t.Helper()
	if err := w.Store.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// TestCrownIsWon: by three games in a row that count, against two people at least, of which one a
// day against the same person counts.
func TestCrownIsWon(t *testing.T) {
	t.Parallel()
	w, clock := atMidMonth(t)
	beats(t, w, w.Ada, w.Bob)
	beats(t, w, w.Ada, w.Bob)
	beats(t, w, w.Ada, w.Cleo)
	wantKing(t, w, nil)
	clock.Advance(24 * time.Hour)
	card := beats(t, w, w.Ada, w.Bob)
	wantKing(t, w, w.Ada)
	clock.Advance(2 * time.Minute)
	shows(t, card, "rules <#"+w.Channel.ID()+"> · 🔥 3 in a row")
	if pinged := card.Snapshot().Pinged; len(pinged) > 1 || !offersThrone(card) {
		t.Errorf("%v are notified by the card: %s", pinged, card.Text())
	}

	// Once more the same day it neither counts nor costs anything.
	beats(t, w, w.Bob, w.Ada)
	wantKing(t, w, w.Ada)
	next := beats(t, w, w.Ada, w.Cleo)
	if c := crownOf(t, w); c.Wins != 4 {
		t.Errorf("the crown is %+v, want 4 wins", c)
	}
	losesThrone(t, card)
	clock.Advance(2 * time.Minute)
	shows(t, next, "· 🔥 4 in a row")
}

// TestOnePersonMakesNoKing: however many days they are beaten on.
func TestOnePersonMakesNoKing(t *testing.T) {
	t.Parallel()
	w, clock := atMidMonth(t)
	for range 4 {
		beats(t, w, w.Ada, w.Bob)
		clock.Advance(24 * time.Hour)
	}
	wantKing(t, w, nil)
}

// TestKingFalls: who beats the king takes the crown off them, and wears it with three in a row.
func TestKingFalls(t *testing.T) {
	t.Parallel()
	w, clock, dora, card := crowned(t)
	clock.Advance(24 * time.Hour)
	beats(t, w, dora, w.Ada)
	wantKing(t, w, nil)
	losesThrone(t, card)
	beats(t, w, dora, w.Bob)
	wantKing(t, w, nil)
	beats(t, w, dora, w.Cleo)
	wantKing(t, w, dora)
	clock.Advance(24 * time.Hour)
	beats(t, w, w.Bob, w.Ada) // who sits there keeps it from others
	beats(t, w, w.Bob, w.Cleo)
	clock.Advance(24 * time.Hour)
	beats(t, w, w.Bob, w.Cleo)
	wantKing(t, w, dora)
	beats(t, w, w.Bob, dora)
	wantKing(t, w, w.Bob)
}

// withdraws has somebody take their challenge to the king back.
func withdraws(t *testing.T, w *bottest.World, who *sandbox.User, from *sandbox.Message) {
	t.Helper()
	who.Click(t, w.Refused(t, who.Click(t, from, challengeKing), "is still open"), "Withdraw")
}

// TestKingIsChallenged: by a button that asks like any challenge, and notifies only who wants
// that.
func TestKingIsChallenged(t *testing.T) {
	t.Parallel()
	w, _, dora, card := crowned(t)
	w.Refused(t, w.Ada.Click(t, card, challengeKing), "👑 "+w.Ada.Mention()+" rules")
	m := says(t, w, w.Bob.Click(t, card, challengeKing), w.Ada.Mention()+", "+w.Bob.Mention()+" wants your crown (3×3).")
	if pinged := m.Snapshot().Pinged; len(pinged) > 0 {
		t.Errorf("%v are notified", pinged)
	}
	w.Refused(t, w.Cleo.Click(t, card, challengeKing), "Someone has already challenged the king")
	withdraws(t, w, w.Bob, card)
	put(t, w, store.Change{People: []store.Person{{User: store.UserID(w.Ada.ID()), CrownCalls: store.On}}})
	again := says(t, w, dora.Click(t, card, challengeKing), "wants your crown")
	if pinged := again.Snapshot().Pinged; len(pinged) != 1 || pinged[0] != w.Ada.ID() {
		t.Errorf("%v are notified, want Ada", pinged)
	}
	w.Ada.Click(t, again, "Accept")
	bottest.WantText(t, again, "your move")
}

// TestKingIsChallengedOnceADay: who has had the game with the king that counts hears it before
// they play for nothing.
func TestKingIsChallengedOnceADay(t *testing.T) {
	t.Parallel()
	w, clock, _, card := crowned(t)
	fay := w.Discord.User("Fay")
	m := w.Refused(t, fay.Click(t, card, challengeKing), "You've already played "+w.Ada.Mention()+" here today")
	if pinged := m.Snapshot().Pinged; len(pinged) > 0 {
		t.Errorf("%v are notified", pinged)
	}
	clock.Advance(24 * time.Hour)
	says(t, w, fay.Click(t, card, challengeKing), "wants your crown")
}

// TestKingDeclines: nobody else can ask for an hour, in the words in which they would hear of a
// block, or that nobody may ask.
func TestKingDeclines(t *testing.T) {
	t.Parallel()
	w, clock, dora, card := crowned(t)
	notNow := w.Ada.Mention() + " can't play right now."
	put(t, w, store.Change{Blocks: []store.Block{{User: store.UserID(w.Ada.ID()), From: store.UserID(w.Cleo.ID()), Since: clock.Now()}}})
	same := bare(w.Refused(t, w.Cleo.Click(t, card, challengeKing), notNow).Text())
	m := w.Answer(t, w.Bob.Click(t, card, challengeKing))
	w.Ada.Click(t, m, "Decline")
	for _, who := range []*sandbox.User{w.Bob, dora, w.Cleo} {
		if got := bare(w.Refused(t, who.Click(t, card, challengeKing), notNow).Text()); got != same {
			t.Errorf("%s reads %q, and who is blocked %q", who.Name(), got, same)
		}
	}
	clock.Advance(61 * time.Minute)
	says(t, w, dora.Click(t, card, challengeKing), "wants your crown")

	put(t, w, store.Change{Blocks: []store.Block{{User: store.UserID(w.Ada.ID()), Since: clock.Now()}}})
	clock.Advance(24 * time.Hour)
	w.Refused(t, w.Bob.Click(t, card, challengeKing), notNow)
	next := beats(t, w, w.Ada, w.Bob)
	clock.Advance(2 * time.Minute)
	shows(t, next, "in a row")
	if offersThrone(next) {
		t.Error("a king is to be challenged who takes no challenges")
	}
}

// TestCrownLapses: after a week without a game of the king's, once they have left, and where the
// server wants none. Pressing the button then says so.
func TestCrownLapses(t *testing.T) {
	t.Parallel()
	const free = "is up for grabs"
	for name, test := range map[string]struct {
		happens func(t *testing.T, w *bottest.World, clock *bottest.Clock)
		says    string
	}{
		"in a week": {func(_ *testing.T, _ *bottest.World, clock *bottest.Clock) { clock.Advance(7 * 24 * time.Hour) }, free},
		"who leaves": {func(_ *testing.T, w *bottest.World, clock *bottest.Clock) {
			w.Ada.Leave(w.Discord.Guild())
			clock.Advance(11 * time.Minute)
		}, free},
		"who is erased": {func(t *testing.T, w *bottest.World, _ *bottest.Clock) { eraseMe(t, w, w.Ada) }, free},
		"without crowns": {func(t *testing.T, w *bottest.World, _ *bottest.Clock) {
			g := stored(t, w)
			g.Guild, g.Crowns = store.GuildID(w.Discord.Guild().ID()), store.Off
			put(t, w, store.Change{Guilds: []store.GuildSettings{g}})
			w.Restart(t) // settings are remembered for a moment
		}, "plays without crowns"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, clock, _, card := crowned(t, bottest.ClicksDelivered)
			press := pressLater(t, w.Bob, card)
			test.happens(t, w, clock)
			w.Refused(t, press(), test.says)
			if name == "who is erased" {
				waittest.Until(t, "the crown to be nobody's", func() bool { return crownOf(t, w).User == "" })
				return
			}
			losesThrone(t, card)
			if test.says == free {
				wantKing(t, w, nil)
				return
			}
			clock.Advance(24 * time.Hour)
			next := beats(t, w, w.Ada, w.Bob)
			clock.Advance(2 * time.Minute)
			shows(t, next, "🔥 4 in a row")
			if strings.Contains(next.Text(), "rules") || offersThrone(next) {
				t.Errorf("there are crowns: %s", next.Text())
			}
		})
	}
}

// TestSixDaysAreNoWeek: the crown stays as long as its king plays now and then.
func TestSixDaysAreNoWeek(t *testing.T) {
	t.Parallel()
	w, clock, _, card := crowned(t)
	for range 2 {
		clock.Advance(6 * 24 * time.Hour)
		card = beats(t, w, w.Ada, w.Bob)
	}
	clock.Advance(6 * 24 * time.Hour)
	shows(t, card, "rules")
	says(t, w, w.Cleo.Click(t, card, challengeKing), "wants your crown")
}

// TestOldCrownCard: a press on the card of an earlier win leads to the newest.
func TestOldCrownCard(t *testing.T) {
	t.Parallel()
	w, clock, dora, card := crowned(t, bottest.ClicksDelivered)
	press := w.Stale(t, w.Bob, card, challengeKing)
	clock.Advance(24 * time.Hour)
	next := beats(t, w, w.Ada, w.Bob)
	losesThrone(t, card)
	w.Refused(t, press(), w.Ada.Mention()+" wears the crown now: https://discord.com/channels/"+w.Discord.Guild().ID()+"/"+w.Channel.ID()+"/"+next.ID())
	clock.Advance(24 * time.Hour)
	beats(t, w, dora, w.Ada)
	w.Refused(t, press(), "is up for grabs")
}

// TestCrownInTheLobby: who is king stands there, and can be challenged; nobody else is in their
// place.
func TestCrownInTheLobby(t *testing.T) {
	t.Parallel()
	w, clock, dora, _ := crowned(t)
	lobby := postsLobby(t, w, w.Channel)
	shows(t, lobby, "👑 **Ada** rules <#"+w.Channel.ID()+"> · 🔥 3 in a row")
	side := postsLobby(t, w, w.Side("side"))
	if offersThrone(side) || strings.Contains(side.Text(), "rules") {
		t.Errorf("the lobby of another channel says %q", side.Text())
	}
	says(t, w, w.Bob.Click(t, lobby, challengeKing), w.Ada.Mention()+", "+w.Bob.Mention()+" wants your crown (3×3).")
	withdraws(t, w, w.Bob, lobby)
	press := pressLater(t, w.Bob, lobby)
	clock.Advance(24 * time.Hour)
	beats(t, w, dora, w.Ada)
	w.Refused(t, press(), "is up for grabs")
	clock.Advance(10 * time.Minute)
	losesThrone(t, lobby)
	beats(t, w, dora, w.Bob)
	beats(t, w, dora, w.Cleo)
	clock.Advance(10 * time.Minute)
	shows(t, lobby, "👑 **Dora** rules")
}

// TestCrownDeliveredTwice: however often it is delivered, a game counts once for
// the crown, and of those who press at the same time one challenges the king.
func TestCrownDeliveredTwice(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	w.Discord.Faults().RedeliverNext(1000)
	onlyOneCrown(t, w)
}

// TestCrownOfTwoProcesses: nor does it matter that two processes get everything.
func TestCrownOfTwoProcesses(t *testing.T) {
	t.Parallel()
	w, _ := toBothProcesses(t, bottest.ClicksDelivered)
	onlyOneCrown(t, w)
}

func onlyOneCrown(t *testing.T, w *bottest.World) {
	t.Helper()
	card := reigns(t, w)
	if c := crownOf(t, w); string(c.User) != w.Ada.ID() || c.Wins != 3 || c.Version != 1 {
		t.Errorf("the crown is %+v, want 3 wins of Ada's, stored once", c)
	}
	id := strings.Replace(bottest.CustomID(t, card, "Rematch"), ":m:", ":wk:", 1)
	var presses []*sandbox.Call
	for _, who := range []*sandbox.User{w.Bob, w.Cleo, w.Discord.User("Dora")} {
		presses = append(presses, who.MustPrepare(t, sandbox.ButtonClick{Message: card, CustomID: id, Forced: true}))
	}
	w.Discord.DispatchTogether(presses...)
	for _, p := range presses {
		p.Wait(t)
	}
	open, err := w.Store.ChallengesOf(t.Context(), store.UserID(w.Ada.ID()), 9)
	if len(open) != 1 || err != nil || open[0].Crown == "" || !open[0].Quiet {
		t.Errorf("open are %+v, %v, want one", open, err)
	}
}

// TestKingChallengedAgain: an expired challenge is made anew as quietly, and still is the one.
func TestKingChallengedAgain(t *testing.T) {
	t.Parallel()
	w, clock, _, card := crowned(t)
	m := w.Answer(t, w.Bob.Click(t, card, challengeKing))
	clock.Advance(20 * time.Minute)
	shows(t, m, "No answer in time")
	again := says(t, w, w.Bob.Click(t, m, "Challenge again"), "wants your crown")
	if pinged := again.Snapshot().Pinged; len(pinged) > 0 {
		t.Errorf("%v are notified", pinged)
	}
	w.Refused(t, w.Cleo.Click(t, card, challengeKing), "Someone has already challenged the king")
}

// TestAChallengeOutlivesAReign: who still waits for a king that has fallen keeps nobody from the
// next one.
func TestAChallengeOutlivesAReign(t *testing.T) {
	t.Parallel()
	w, clock, dora, card := crowned(t, bottest.ChallengeTTL(72*time.Hour))
	waits := says(t, w, w.Bob.Click(t, card, challengeKing), "wants your crown")
	clock.Advance(24 * time.Hour)
	beats(t, w, dora, w.Ada)
	beats(t, w, dora, w.Discord.User("Fay"))
	next := beats(t, w, dora, w.Discord.User("Gil"))
	clock.Advance(2 * time.Minute)
	says(t, w, w.Cleo.Click(t, next, challengeKing), w.Cleo.Mention()+" wants your crown")
	shows(t, waits, "No answer in time")
}

// outpaced is a store in which somebody else is faster once, after it is armed.
type outpaced struct {
	store.Store
	armed *atomic.Bool
}

func (s outpaced) Apply(ctx context.Context, c store.Change) error {
	if len(c.Matches) == 1 && c.Matches[0].State == store.Ended && s.armed.CompareAndSwap(true, false) {
		return store.ErrConflict
	}
	return s.Store.Apply(ctx, c)
}

// blind is a store that cannot read a crown, as often as it is armed.
type blind struct {
	store.Store
	armed *atomic.Int32
}

func (s blind) Crown(ctx context.Context, guild store.GuildID, channel store.ChannelID) (store.Crown, error) {
	if s.armed.Add(-1) >= 0 {
		return store.Crown{}, store.ErrBusy
	}
	return s.Store.Crown(ctx, guild, channel)
}

// TestCrownIsAskedForAgain: who cannot be told at once whether a game has made a king is told
// later.
func TestCrownIsAskedForAgain(t *testing.T) {
	t.Parallel()
	var armed atomic.Int32
	w, clock := atMidMonth(t, bottest.Behind(func(s store.Store) store.Store { return blind{s, &armed} }))
	beats(t, w, w.Ada, w.Discord.User("Fay"))
	beats(t, w, w.Ada, w.Discord.User("Gil"))
	hal := w.Discord.User("Hal")
	card := w.Challenge(t, w.Ada, hal)
	w.Cells(t, card, w.Ada, hal, "a1", "a2", "b2", "a3")
	armed.Store(1)
	w.Cell(t, w.Ada, card, "c3")
	waittest.Until(t, "the crown to be looked for", func() bool { return armed.Load() < 1 })
	clock.Advance(2 * time.Minute)
	shows(t, card, "👑 "+w.Ada.Mention()+" rules")
}

// TestThroneGoesBehindAnotherChange: the button of who is king no more goes, though the match has
// changed in something else in the same moment.
func TestThroneGoesBehindAnotherChange(t *testing.T) {
	t.Parallel()
	var armed atomic.Bool
	w, _, _, card := crowned(t, bottest.Behind(func(s store.Store) store.Store { return outpaced{s, &armed} }))
	w.Weighed(t, card)
	g := stored(t, w)
	g.Guild, g.Crowns = store.GuildID(w.Discord.Guild().ID()), store.Off
	put(t, w, store.Change{Guilds: []store.GuildSettings{g}})
	w.Restart(t)
	press := pressLater(t, w.Bob, card)
	armed.Store(true)
	w.Refused(t, press(), "plays without crowns")
	losesThrone(t, card)
	if armed.Load() {
		t.Error("nobody was faster")
	}
}
