package sandbox_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/permission"
)

// threadWithButton is a thread with a button of the bot's in it, and Ada, who sees it.
func threadWithButton(t *testing.T, configure ...func(*sandbox.Options)) (*clicked, *sandbox.Channel) {
	t.Helper()
	c := newClicked(t, configure...)
	thread := c.srv.Guild().Channel("talk", sandbox.Thread(c.m.Channel()))
	want(t, request(t, c.srv, "POST", "/channels/"+thread.ID()+"/messages", buttonsOf(btn("one"))), 200, 0)
	c.m = thread.LastMessage(nil)
	return c, thread
}

// TestClicksInArchivedThreads: clients on the web and on phones open an archived thread for
// the person before they send the click, and send none where that is refused; the desktop's
// sends it at once (measured in discord/discord-api-docs#8474).
func TestClicksInArchivedThreads(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mode     sandbox.ClickMode
		silenced bool // who clicks may not send messages in threads
		refused  bool
		archived bool // when the bot hears of it
	}{
		"opened first":              {},
		"who may not open it":       {silenced: true, refused: true, archived: true},
		"the desktop's client":      {mode: sandbox.ClicksFromDesktop, archived: true},
		"the desktop's, no opening": {mode: sandbox.ClicksFromDesktop, silenced: true, archived: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, thread := threadWithButton(t, func(o *sandbox.Options) { o.World.Clicks = c.mode })
			if c.silenced {
				thread.Set(sandbox.SetOverwrite(permission.Overwrite{ID: w.ada.ID(), Member: true, Deny: permission.SendInThreads}))
			}
			thread.Set(sandbox.Archived(true))
			call := w.ada.StartClickCell(t, w.m, 0, 0)
			reply := call.Wait(t)
			if (reply.Refused != "") != c.refused || reply.Answered() == c.refused || thread.Archived() != c.archived {
				t.Errorf("refused %q, answered %v, archived %v", reply.Refused, reply.Answered(), thread.Archived())
			}
			if c.refused {
				return
			}
			told := call.Info().Payload.(obj)["channel"].(obj)["thread_metadata"].(obj)["archived"]
			if told != c.archived {
				t.Errorf("the bot was told archived: %v", told)
			}
		})
	}
}

// TestClicksInLockedThreads: nobody's button works there, not even an administrator's
// (discord/discord-api-docs#7900).
func TestClicksInLockedThreads(t *testing.T) {
	t.Parallel()
	w, thread := threadWithButton(t)
	thread.Set(sandbox.Locked(true))
	w.ada.Set(sandbox.Permissions(1 << 3))
	if reply := w.ada.ClickCell(t, w.m, 0, 0); reply.Refused != "The thread is locked." || thread.Archived() {
		t.Errorf("got %+v", reply)
	}
}

// TestTokensInLockedThreads: an interaction token writes nothing there. With the bot in the
// guild Discord says 50083 (discord/discord-api-docs#5517, with status 403 by #7707), and
// 50001 without (#6884). Who manages threads is let in (Discord's documentation, Threads).
func TestTokensInLockedThreads(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before       func(*sandbox.Guild)
		bot          int64
		status, code int
	}{
		"a member":            {nil, 0, 403, 50083},
		"no member":           {func(g *sandbox.Guild) { g.RemoveBot(); g.InstallCommands() }, 0, 403, 50001},
		"who manages threads": {nil, permission.ManageThreads, 200, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.BotPermissions = c.bot })
			register(t, srv, ping)
			ada, guild := srv.User("Ada"), srv.World().AddGuild("Elsewhere")
			ada.Join(guild)
			thread := guild.Channel("talk", sandbox.Thread(guild.Channel("general")))
			if c.before != nil {
				c.before(guild)
			}
			srv.AllowUnanswered() // what the thread refuses
			first, later := ada.StartCommand(t, thread, "ping"), ada.StartCommand(t, thread, "ping")
			want(t, callback(t, srv, first, obj{"type": 4, "data": obj{"content": "x"}}), 204, 0)
			thread.Set(sandbox.Locked(true))
			answered := c.status
			if answered == 200 {
				answered = 204
			}
			want(t, callback(t, srv, later, obj{"type": 4, "data": obj{"content": "x"}}), answered, c.code)
			want(t, request(t, srv, "PATCH", webhook(srv, first)+"/messages/@original", obj{"content": "y"}), c.status, c.code)
			want(t, request(t, srv, "POST", webhook(srv, first), obj{"content": "z"}), c.status, c.code)
		})
	}
}

// TestThreadsAreArchived within one move of a clock that runs, over two times of theirs.
func TestThreadsAreArchived(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock = clock.NewMovable() })
	thread := srv.Guild().Channel("talk", sandbox.Thread(srv.Guild().Channel("general")))
	srv.Advance(26 * time.Hour)
	if !thread.Archived() {
		t.Error("it is not archived")
	}
}

// TestEditsKeepTheThread: a bot that sets the flags of its message takes none away that it could
// not set.
func TestEditsKeepTheThread(t *testing.T) {
	srv := sandbox.NewServer(t)
	general := srv.Guild().Channel("general")
	m, err := srv.Session().ChannelMessageSend(general.ID(), "talk about it")
	if err != nil {
		t.Fatal(err)
	}
	at := "/channels/" + general.ID() + "/messages/" + m.ID
	want(t, request(t, srv, "POST", at+"/threads", obj{"name": "talk"}), 201, 0)
	for _, flags := range []int{1 << 2, 0} {
		var got struct{ Flags int }
		request(t, srv, "PATCH", at, obj{"flags": flags}).Decode(t, &got)
		if got.Flags != flags|1<<5 {
			t.Errorf("flags %d became %d", flags, got.Flags)
		}
	}
}

// threadOf is a thread that somebody begins.
func threadOf(t *testing.T, u *sandbox.User, c *sandbox.Channel, name string, private bool) *sandbox.Channel {
	t.Helper()
	thread, err := u.StartThread(sandbox.NewThread{Channel: c, Name: name, Private: private})
	if err != nil {
		t.Fatal(err)
	}
	return thread
}

// TestThreadsThatABotHearsOf: those that it sees, of a private one from when it is added.
func TestThreadsThatABotHearsOf(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	public := threadOf(t, ada, general, "public", false)
	private, gone := threadOf(t, ada, general, "private", true), threadOf(t, ada, general, "gone", true)
	w := dial(t, srv)
	w.ready(srv, obj{"intents": 1})
	var d struct {
		ID, Name string
		Threads  []struct{ ID string }
		Member   *struct{ ID string }
		New      bool `json:"newly_created"`
	}
	next := func(event string) {
		t.Helper()
		d.ID, d.Name, d.Member, d.New = "", "", nil, false
		if err := json.Unmarshal(w.expect(0, event).D, &d); err != nil {
			t.Fatal(err)
		}
	}
	if next("GUILD_CREATE"); len(d.Threads) != 1 || d.Threads[0].ID != public.ID() {
		t.Errorf("the guild has the threads %v, want %s", d.Threads, public.ID())
	}
	threadOf(t, ada, general, "hidden", true)
	for _, archived := range []bool{true, false} {
		if err := ada.SetThread(private, archived, false); err != nil {
			t.Fatal(err)
		}
	}
	gone.Delete()
	threadOf(t, ada, general, "seen", false)
	if next("THREAD_CREATE"); d.Name != "seen" || !d.New || d.Member != nil {
		t.Errorf("it heard of %+v", d)
	}
	second := srv.World().AddApp(sandbox.AppOptions{Name: "Two", Permissions: permission.ManageThreads})
	next("GUILD_ROLE_CREATE")
	if _, err := srv.SessionOf(second).Request("PUT", discordgo.EndpointThreadMember(private.ID(), srv.AppID()), nil); err != nil {
		t.Fatal(err)
	}
	if next("THREAD_CREATE"); d.ID != private.ID() || d.New || d.Member == nil || d.Member.ID != private.ID() {
		t.Errorf("added, it heard of %+v", d)
	}
	next("THREAD_MEMBERS_UPDATE")
	private.Delete()
	if next("THREAD_DELETE"); d.ID != private.ID() {
		t.Errorf("it heard of %+v", d)
	}
}

// TestMembersOfThreads: without the intent for members a bot hears only of itself.
func TestMembersOfThreads(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.PrivilegedIntents = 1 << 1 })
	ada, bob := srv.User("Ada"), srv.User("Bob")
	public := threadOf(t, ada, srv.Guild().Channel("general"), "public", false)
	guilds, members := dial(t, srv), dial(t, srv)
	guilds.ready(srv, obj{"intents": 1})
	guilds.expect(0, "GUILD_CREATE")
	members.ready(srv, obj{"intents": 1 << 1})
	unseen := threadOf(t, ada, srv.Guild().Channel("general"), "unseen", true)
	if _, err := ada.Say(unseen, bob.Mention()); err != nil || !slices.Contains(unseen.ThreadMembers(), bob) {
		t.Fatalf("%v, or Bob is not in the private thread", err)
	}
	join := func() {
		t.Helper()
		if err := bob.JoinThread(public); err != nil {
			t.Fatal(err)
		}
	}
	join()
	if err := bob.LeaveThread(public); err != nil {
		t.Fatal(err)
	}
	at := "/channels/" + public.ID() + "/thread-members/@me"
	want(t, request(t, srv, "PUT", at, nil), 204, 0)
	want(t, request(t, srv, "DELETE", at, nil), 204, 0)
	for _, c := range []struct {
		wire *wire
		whom []string
	}{{guilds, []string{srv.AppID(), srv.AppID()}}, {members, []string{bob.ID(), bob.ID(), srv.AppID(), srv.AppID()}}} {
		for i, who := range c.whom {
			if p := c.wire.expect(0, "THREAD_MEMBERS_UPDATE"); !strings.Contains(string(p.D), who) {
				t.Errorf("event %d is %s, want one of %s", i, p.D, who)
			}
		}
	}
}

// TestMentionsInPrivateThreads: whom a message mentions is in the thread and notified, unless
// the channel around it is not for them.
func TestMentionsInPrivateThreads(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, bob, cleo, eve := srv.User("Ada"), srv.User("Bob"), srv.User("Cleo"), srv.User("Eve")
	secret := srv.Guild().Channel("secret", sandbox.Visible(ada, bob, cleo))
	private := threadOf(t, ada, secret, "private", true)
	m, err := ada.Say(private, bob.Mention()+eve.Mention())
	if err != nil {
		t.Fatal(err)
	}
	if got := idsOf(private.ThreadMembers()); !slices.Equal(got, []string{ada.ID(), bob.ID()}) {
		t.Errorf("in the thread are %v", got)
	}
	if got := m.Snapshot().Badged; !slices.Equal(got, []string{bob.ID()}) {
		t.Errorf("%v are notified", got)
	}
	// An edit adds somebody, too, and notifies nobody.
	if _, err := ada.Say(private, srv.BotUser().Mention()); err != nil {
		t.Fatal(err)
	}
	at := "/channels/" + private.ID() + "/messages"
	want(t, request(t, srv, "POST", at, obj{"content": "x"}), 200, 0)
	m = private.LastMessage(nil)
	want(t, request(t, srv, "PATCH", at+"/"+m.ID(), obj{"content": cleo.Mention()}), 200, 0)
	if got := idsOf(private.ThreadMembers()); !slices.Equal(got, []string{ada.ID(), bob.ID(), srv.AppID(), cleo.ID()}) || len(m.Snapshot().Badged) > 0 {
		t.Errorf("in the thread are %v, %v are notified", got, m.Snapshot().Badged)
	}
}

// TestThreadsAreNoChannels: neither in a guild as it is told of, nor among its channels.
func TestThreadsAreNoChannels(t *testing.T) {
	srv := sandbox.NewServer(t)
	general := srv.Guild().Channel("general")
	threadOf(t, srv.User("Ada"), general, "public", false)
	w := dial(t, srv)
	w.ready(srv, obj{"intents": 1})
	var told struct{ Channels []struct{ ID string } }
	if err := json.Unmarshal(w.expect(0, "GUILD_CREATE").D, &told); err != nil {
		t.Fatal(err)
	}
	if len(told.Channels) != 1 || told.Channels[0].ID != general.ID() {
		t.Errorf("the guild has the channels %v, want %s", told.Channels, general.ID())
	}
	srv.Guild().Role("plain") // without any option
	w.expect(0, "GUILD_ROLE_CREATE")
	srv.Guild().Channel("random")
	w.expect(0, "CHANNEL_CREATE")
}

func TestAMemberOfAThreadIsFound(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, bob := srv.User("Ada"), srv.User("Bob")
	members := "/channels/" + threadOf(t, ada, srv.Guild().Channel("general"), "public", false).ID() + "/thread-members/"
	want(t, request(t, srv, "GET", members+ada.ID(), nil), 200, 0)
	want(t, request(t, srv, "GET", members+bob.ID(), nil), 404, 10007)
	want(t, request(t, srv, "GET", members+"1", nil), 404, 10007)
}
