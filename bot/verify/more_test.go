package verify

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
)

// newMore is a place for what not everybody has: the bot may not manage threads, and a command
// goes along with Ada.
func newMore(t *testing.T, change ...func(*sandbox.Options)) *place {
	t.Helper()
	p := newPlace(t, append(change, func(o *sandbox.Options) { o.World.BotPermissions = 0 })...)
	p.opts.More = true
	p.srv.User("Ada Lovelace", sandbox.Installed(true))
	if _, err := p.srv.Session().ApplicationCommandCreate(p.srv.AppID(), "", &discordgo.ApplicationCommand{
		Name: "along", Description: "Goes along.",
		IntegrationTypes: &[]discordgo.ApplicationIntegrationType{discordgo.ApplicationIntegrationGuildInstall, discordgo.ApplicationIntegrationUserInstall},
		Contexts:         &[]discordgo.InteractionContextType{discordgo.InteractionContextGuild, discordgo.InteractionContextPrivateChannel},
	}); err != nil {
		t.Fatal(err)
	}
	return p
}

// asked is the message that says what to do.
func (p *place) asked(t *testing.T) *sandbox.Message {
	t.Helper()
	for _, m := range p.channel.Messages(p.srv.World().Owner()) {
		if strings.HasPrefix(m.Text(), "What needs more than you.") {
			return m
		}
	}
	t.Fatal("nothing is asked")
	return nil
}

// thread is the one that there is, nil for none.
func (p *place) thread() *sandbox.Channel {
	for _, c := range p.srv.Guild().Channels() {
		if c.Parent() == p.channel {
			return c
		}
	}
	return nil
}

// pressMore goes through the steps behind those of press.
func (p *place) pressMore(t *testing.T, verdict string) {
	t.Helper()
	ada, ben := p.srv.User("Ada Lovelace"), p.srv.User("Ben Nevis")
	for i, c := range []struct {
		as    *sandbox.User
		label string
	}{{ben, "Second account"}, {ada, verdict}, {ada, "Next"}, {ben, verdict}, {ada, "Next"}, {ben, verdict}} {
		p.step(t, 14+i)
		c.as.Click(t, p.asked(t), c.label)
	}
	p.step(t, 20)
	thread := p.thread()
	ada.Click(t, thread.LastMessage(ada), "Next")
	p.step(t, 21)
	thread.Set(sandbox.Locked(true))
	ada.Click(t, p.asked(t), "Next")
	p.step(t, 22)
	thread.Delete()
	ada.Click(t, p.asked(t), "Next")
	p.step(t, 23)
	ada.Command(t, p.srv.World().PrivateChannel(ada, ben), "along")
}

// TestWithMore: who has all that it takes finds nothing that differs.
func TestWithMore(t *testing.T) {
	p := newMore(t)
	r, err := p.alongside(t, func() {
		p.press(t, "Like this")
		p.pressMore(t, "Like this")
	})
	if err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(p.opts.Report)
	if err != nil || strings.Contains(string(written), "Ben") || strings.Contains(string(written), "ben_nevis") || r.Payloads["elsewhere"] == nil {
		t.Errorf("%v, the report has a name or lacks a payload:\n%s", err, written)
	}
	if same, want := states(r, Same), slices.Concat(idsOf(aloneRows), idsOf(clickRows), idsOf(moreRows)); !slices.Equal(same, want) {
		t.Errorf("as expected: %q\n%s", same, p.out)
	}
}

// TestMoreIsLeftOut: what somebody lacks is not tried, and it is said why.
func TestMoreIsLeftOut(t *testing.T) {
	p := newPlace(t)
	p.opts.More = true
	r, err := p.alongside(t, func() {
		p.press(t, "Like this")
		for _, n := range []int{14, 20} {
			p.step(t, n)
			p.srv.User("Ada Lovelace").Click(t, p.asked(t), "Skip")
		}
	})
	alone := []string{"archived-edit", "archived-open"} // for which the bot needs nobody
	want := slices.DeleteFunc(idsOf(slices.Concat(moreRows, laterRows)), func(id string) bool { return slices.Contains(alone, id) })
	if err != nil || !slices.Equal(states(r, Untried), want) || r.Count(Differs) > 0 {
		t.Errorf("%v, not tried %q, want %q\n%s", err, states(r, Untried), want, p.out)
	}
	for _, why := range []error{errWithout, errManages, errNoneAlong} {
		if !slices.ContainsFunc(r.Results, func(one Result) bool { return one.State == Untried && one.Seen == why.Error() }) {
			t.Errorf("no row says %q", why)
		}
	}
}

// TestThreadIsLeft: a thread that nobody deletes stays on the list until somebody has.
func TestThreadIsLeft(t *testing.T) {
	p := newMore(t)
	ended := make(chan error)
	go func() { _, err := Run(t.Context(), p.opts); ended <- err }()
	ada := p.srv.User("Ada Lovelace")
	p.press(t, "Like this")
	p.step(t, 14)
	ada.Click(t, p.asked(t), "Skip")
	p.step(t, 20)
	thread := p.thread()
	ada.Click(t, thread.LastMessage(ada), "Next")
	p.step(t, 21) // and Ada does not lock it
	ada.Click(t, p.asked(t), "Next")
	p.step(t, 22)
	ada.Click(t, p.asked(t), "Next") // nor deletes it
	p.step(t, 23)
	ada.Click(t, p.asked(t), "Skip")
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "delete it by hand") {
		t.Errorf("with a thread left: %v", err)
	}
	if out := p.out.String(); strings.Contains(out, "differs") || !strings.Contains(out, errNotLocked.Error()) || !strings.Contains(out, errNotDeleted.Error()) {
		t.Errorf("a thread that was neither locked nor deleted:\n%s", out)
	}
	thread.Delete()
	p.opts.Clean = true
	if _, err := p.run(t); err != nil {
		t.Error(err)
	}
}
