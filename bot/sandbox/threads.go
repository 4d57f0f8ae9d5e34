package sandbox

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// thread is what a channel has more that is a thread.
type thread struct {
	of       *Channel
	owner    *User
	private  bool
	archived bool
	locked   bool
	// autoArchive is after how much time without a message clients list the thread no more.
	autoArchive time.Duration
	hidden      bool                // that has come
	archivedAt  time.Time           // when it was last archived or opened again
	members     map[*User]time.Time // when they joined
	sleep       func() bool         // stops the timer of autoArchive, or of what follows it
}

const (
	defaultAutoArchive = 24 * time.Hour
	// archiveLate is how long after its time a thread is archived in which nobody writes.
	archiveLate = time.Hour
)

// Locked sets whether a thread is locked: archived or not, only those who manage threads
// write in it (160005 for the bot), and only they open it again when it is archived. Nobody
// at all can press a button there.
func Locked(yes bool) ChannelOption { return func(c *Channel) { c.locked = yes } }

// Locked reports whether the channel is a thread that is locked.
func (c *Channel) Locked() bool { return read(c.world, &c.locked) }

// Archived reports whether the channel is a thread that is archived.
func (c *Channel) Archived() bool { return read(c.world, &c.archived) }

// ThreadMembers lists who has joined the thread.
func (c *Channel) ThreadMembers() []*User { return held(c.world, c.joined) }

// joined lists the members, the one who joined first in front.
func (t *thread) joined() []*User {
	all := slices.Collect(maps.Keys(t.members))
	rules.SortByID(all, (*User).ID)
	slices.SortStableFunc(all, func(a, b *User) int { return t.members[a].Compare(t.members[b]) })
	return all
}

// beginThread makes a channel a thread.
func (c *Channel) beginThread(parent *Channel, owner *User, after time.Duration) {
	c.parent = parent
	c.thread = thread{of: c, archived: c.archived, locked: c.locked, owner: owner, autoArchive: after, archivedAt: c.world.clock.Now(), members: map[*User]time.Time{}}
	c.awake()
}

// inThread reports whether somebody has joined the thread.
func (t *thread) inThread(u *User) bool { return !t.members[u].IsZero() }

// awake begins the time anew after which clients list the thread no more. That is all which
// the time says (Discord's documentation, Threads): when Discord archives it, at that time or
// later, is not documented.
func (t *thread) awake() {
	c := t.of
	if t.autoArchive <= 0 {
		return // no thread
	}
	w := c.world
	later := func(d time.Duration, f func()) {
		if t.sleep != nil {
			t.sleep()
		}
		t.sleep = w.clock.AfterFunc(d, func() {
			defer w.hold()()
			if w.closing.Err() == nil && !c.deleted && !t.archived {
				f()
			}
		})
	}
	t.hidden = false
	later(t.autoArchive, func() {
		t.hidden = true
		w.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: c.id})
		later(archiveLate, func() {
			t.setArchived(true)
			c.event("UPDATE")
		})
	})
}

func (t *thread) setArchived(yes bool) {
	if t.archived == yes {
		return
	}
	t.archived, t.archivedAt = yes, t.of.world.clock.Now()
	if !yes {
		t.awake()
	}
}

// written opens an archived thread again, in which somebody has written.
func (t *thread) written() {
	if t.of.parent == nil {
		return
	}
	if t.archived {
		t.setArchived(false)
		t.of.event("UPDATE")
	}
	t.awake()
}

func (t *thread) threadJSON(o map[string]any) {
	c := t.of
	o["parent_id"], o["owner_id"] = c.parent.id, cmp.Or(t.owner, c.world.app.user).id
	// The message that a thread begins from does not count.
	count := len(but(c.messages, func(m *Message) bool { return m.deleted || m.viewer != nil || m.kind == messageThreadStarter }))
	o["message_count"], o["total_message_sent"], o["member_count"] = count, count, len(t.members)
	o["rate_limit_per_user"] = 0
	meta := map[string]any{
		"archived": t.archived, "auto_archive_duration": int(t.autoArchive / time.Minute), "locked": t.locked,
		"archive_timestamp": isoTime(t.archivedAt), "create_timestamp": isoTime(rules.SnowflakeTime(c.id)),
	}
	if t.private {
		meta["invitable"] = true
	}
	o["thread_metadata"] = meta
	if bot := c.world.app.user; t.inThread(bot) {
		o["member"] = t.memberJSON(bot)
	}
}

func (t *thread) memberJSON(u *User) map[string]any {
	return map[string]any{"id": t.of.id, "user_id": u.id, "join_timestamp": isoTime(t.members[u]), "flags": 0, "muted": false, "mute_config": nil}
}

// join lets somebody into the thread, who may be there.
func (t *thread) join(u *User) {
	if t.inThread(u) {
		return
	}
	t.members[u] = t.of.world.clock.Now()
	if t.private && u.app != nil { // it is new to the bot
		restore := t.of.world.at(u.app)
		t.of.world.gateway.dispatch("THREAD_CREATE", t.of.json(), t.of.guild.id, gateway.IntentGuilds)
		restore()
	}
	added := t.memberJSON(u)
	added["member"], added["presence"] = t.of.guild.memberJSON(u, nil, true), nil
	t.membersChanged(u, "added_members", added)
}

// call lets somebody into the thread who is mentioned there: a person who sees it, and into a
// private one whoever sees the channel around it.
func (t *thread) call(u *User) {
	if t.private && t.of.parent.visibleTo(u) || !u.is.Bot && t.of.visibleTo(u) {
		t.join(u)
	}
}

// leave takes somebody out of the thread.
func (t *thread) leave(u *User) {
	if t.inThread(u) {
		delete(t.members, u)
		t.membersChanged(u, "removed_member_ids", u.id)
	}
}

// membersChanged tells of somebody who came or went. Without the intent for members a bot hears
// of itself alone (Discord's documentation, Thread Members Update).
func (t *thread) membersChanged(u *User, how string, who any) {
	c := t.of
	o := map[string]any{"id": c.id, "guild_id": c.guild.id, "member_count": len(t.members), how: []any{who}}
	c.world.tell("THREAD_MEMBERS_UPDATE", o, c.guild, func(bot *User) (int, bool) {
		if bot == u {
			return gateway.IntentGuilds | gateway.IntentGuildMembers, true
		}
		return gateway.IntentGuildMembers, c.visibleTo(bot)
	})
	c.world.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: c.id})
}

// NewThread is a thread that a person begins.
type NewThread struct {
	Channel *Channel
	// Start is the message that it is begun from, nil for none.
	Start *Message
	Name  string
	// Private threads are only for those who have joined; they begin without a message.
	Private bool
}

// hasThread reports whether a thread was begun from the message, which may be deleted by now.
func (m *Message) hasThread() bool { return m.body.Flags&rules.FlagHasThread != 0 }

// startThread begins a thread, and has Discord write of it as it documents: a
// public thread that begins without a message is told of in the channel, and one that
// begins from a message points back to it.
func startThread(by *User, n NewThread, after time.Duration) *Channel {
	w := by.world
	id := w.newID()
	if n.Start != nil {
		id = n.Start.id
		n.Start.body.Flags |= rules.FlagHasThread
	}
	c := n.Channel.guild.addChannel(id, n.Name)
	c.beginThread(n.Channel, by, after)
	c.private = n.Private
	c.members[by] = w.clock.Now()
	c.event("CREATE")
	switch {
	case n.Start != nil:
		n.Start.tell("MESSAGE_UPDATE")
		n.Start.publish(EventMessageEdited)
		c.systemMessage(by, messageThreadStarter, "", n.Channel, n.Start.id)
	case !n.Private:
		n.Channel.systemMessage(by, messageThreadCreated, c.name, c, "")
	}
	return c
}

// StartThread begins a thread, as the menus of channels and messages do.
func (u *User) StartThread(n NewThread) (*Channel, error) {
	w := u.world
	defer w.hold()()
	need := permission.CreateThreads
	if n.Private {
		need = permission.CreatePrivate
	}
	if n.Start != nil {
		n.Channel = n.Start.channel
	}
	switch {
	case n.Start != nil && n.Start.deleted:
		return nil, ErrGone
	case !n.Channel.visibleTo(u), n.Start != nil && n.Start.viewer != nil:
		return nil, ErrNotVisible
	case n.Channel.guild == nil, n.Channel.parent != nil, n.Channel.form == channelVoice, n.Channel.permissionsOf(u)&need == 0:
		return nil, ErrForbidden
	case n.Start != nil && (n.Private || n.Start.system() || n.Start.hasThread()):
		return nil, fmt.Errorf("%w: no thread can begin there", ErrForbidden)
	case n.Name == "" || len([]rune(n.Name)) > 100:
		return nil, fmt.Errorf("%w: a thread's name has 1 to 100 characters", ErrBadOption)
	}
	return startThread(u, n, defaultAutoArchive), nil
}

// JoinThread makes the person a member of a thread that they see.
func (u *User) JoinThread(c *Channel) error {
	defer u.world.hold()()
	switch {
	case !c.visibleTo(u):
		return ErrNotVisible
	case c.parent == nil, c.archived:
		return ErrForbidden
	}
	c.join(u)
	return nil
}

// LeaveThread ends the person's membership of a thread.
func (u *User) LeaveThread(c *Channel) error {
	defer u.world.hold()()
	if c.parent == nil || c.archived {
		return ErrForbidden
	}
	c.leave(u)
	return nil
}

// SetThread archives or opens a thread and locks or unlocks it, as its menu does.
func (u *User) SetThread(c *Channel, archived, locked bool) error {
	defer u.world.hold()()
	switch {
	case !c.visibleTo(u):
		return ErrNotVisible
	case c.parent == nil, !c.mayChangeThread(u, locked, c.archived && !archived):
		return ErrForbidden
	}
	c.locked = locked
	c.setArchived(archived)
	c.event("UPDATE")
	return nil
}

// lockedFor reports whether the channel is a thread that is locked, and not for who manages
// threads: others neither create nor update messages there, archived or not (Discord's
// documentation, Threads).
func lockedFor(u *User, c *Channel) bool {
	return c.parent != nil && c.locked && c.permissionsOf(u)&permission.ManageThreads == 0
}

// closedToTokens refuses what an interaction token writes in a locked thread. To an application
// without a bot in the guild Discord says that it misses access there, and means to go on
// so (discord/discord-api-docs#6884).
func closedToTokens(c *Channel) error {
	switch {
	case !lockedFor(c.world.app.user, c):
		return nil
	case !c.guild.botIn():
		return rules.ErrMissingAccess
	}
	return rules.ErrLockedToToken
}

// openFor opens an archived thread before a person clicks in it: clients on the web and on
// phones ask for that as the person, and keep the click to themselves where it is refused.
// The desktop's client sends the click right away (discord/discord-api-docs#8474).
func openFor(u *User, c *Channel) bool {
	if !c.archived {
		return true
	}
	if !c.mayChangeThread(u, false, true) {
		return false
	}
	c.setArchived(false)
	c.event("UPDATE")
	return true
}

// mayChangeThread reports whether somebody may change a thread, and leave it locked
// or not: who manages threads, else its owner unless it is locked; opens is for who
// only opens it again, which everybody may who can write there.
func (t *thread) mayChangeThread(u *User, locked, opens bool) bool {
	p := t.of.permissionsOf(u)
	switch {
	case p&permission.ManageThreads != 0:
		return true
	case t.locked, locked:
		return false
	}
	return opens && p&permission.SendInThreads != 0 || t.owner == u
}

// archiveTimes are the times that Discord offers.
var archiveTimes = []int64{60, 1440, 4320, 10080}

// createThread begins a thread, from the route's message or without one.
func createThread(w *World, x *exchange) (any, error) {
	parent, start := x.channel, x.message
	name := x.Form.Need(x.fields, "name", 1, 100)
	minutes := int64(defaultAutoArchive / time.Minute)
	take(&minutes)(x.Form.Choice(x.fields, "auto_archive_duration", archiveTimes...))
	kind := int64(channelPublicThread)
	if start == nil {
		kind = channelPrivateThread // documented: the default of this route
		take(&kind)(x.Form.Choice(x.fields, "type", channelPublicThread, channelPrivateThread))
	}
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	need := permission.CreateThreads
	if kind == channelPrivateThread {
		need = permission.CreatePrivate
	}
	switch {
	case parent.guild == nil || parent.parent != nil || parent.form == channelVoice:
		return nil, rules.ErrChannelType
	case parent.form == channelForum:
		return nil, rules.NotOffered("posts of bots in forums")
	case parent.botPermissions()&need == 0:
		return nil, rules.ErrMissingPermissions
	case start != nil && start.hasThread():
		return nil, rules.ErrThreadExists
	}
	c := startThread(w.app.user, NewThread{Channel: parent, Start: start, Name: name, Private: kind == channelPrivateThread}, time.Duration(minutes)*time.Minute)
	return rest.Created{Body: c.json()}, nil
}

func addThreadMember(w *World, x *exchange) (any, error) {
	c, u := x.channel, x.user
	switch {
	case u == nil || !c.guild.hasMember(u):
		return nil, rules.ErrUnknownMember
	case u != w.app.user && c.botPermissions()&permission.SendInThreads == 0:
		return nil, rules.ErrMissingPermissions
	}
	c.join(u)
	return nil, nil
}

func removeThreadMember(w *World, x *exchange) (any, error) {
	c, u := x.channel, x.user
	switch {
	case u == nil || !c.inThread(u):
		return nil, rules.ErrUnknownMember
	case u != w.app.user && c.botPermissions()&permission.ManageThreads == 0 && (!c.private || c.owner != w.app.user):
		return nil, rules.ErrMissingPermissions
	}
	c.leave(u)
	return nil, nil
}

func getThreadMember(_ *World, x *exchange) (any, error) {
	if !x.channel.inThread(x.user) {
		return nil, rules.ErrUnknownMember
	}
	return threadMemberJSON(x, x.user), nil
}

// threadMemberJSON is a member of the route's thread.
func threadMemberJSON(x *exchange, u *User) map[string]any {
	o := x.channel.memberJSON(u)
	if with := x.Query.Get("with_member"); with == "true" || with == "1" {
		o["member"] = x.channel.guild.memberJSON(u, nil, true)
	}
	return o
}

func listThreadMembers(_ *World, x *exchange) (any, error) {
	return part(x, 100, 100, x.channel.joined(), func(u *User) any { return threadMemberJSON(x, u) })
}

// threadsJSON is a list of threads with the bot's memberships.
func threadsJSON(w *World, list []*Channel) map[string]any {
	joined := but(list, func(c *Channel) bool { return !c.inThread(w.app.user) })
	members := each(joined, func(c *Channel) any { return c.memberJSON(w.app.user) })
	return map[string]any{"threads": objects(list), "members": members, "has_more": false}
}

// activeThreads are those of a guild that the bot sees.
func activeThreads(g *Guild) []*Channel {
	return threadsOf(g, func(c *Channel) bool { return !c.archived })
}

func threadsOf(g *Guild, keep func(*Channel) bool) []*Channel {
	return but(g.channels, func(c *Channel) bool { return c.parent == nil || !c.visibleTo(g.world.app.user) || !keep(c) })
}

// listArchivedThreads is a route that answers with the archived threads of a channel, the one
// archived last first.
func listArchivedThreads(private, joined bool) func(*World, *exchange) (any, error) {
	return func(w *World, x *exchange) (any, error) {
		parent := x.channel
		switch {
		case parent.guild == nil:
			return nil, rules.ErrChannelType
		case parent.botPermissions()&permission.ReadHistory == 0,
			private && !joined && parent.botPermissions()&permission.ManageThreads == 0:
			return nil, rules.ErrMissingPermissions
		}
		limit := x.Limit(100, 100)
		if err := x.Form.Err(); err != nil {
			return nil, err
		}
		before, _ := time.Parse(time.RFC3339, x.Query.Get("before"))
		list := threadsOf(parent.guild, func(c *Channel) bool {
			return c.parent == parent && c.archived && c.private == private && (!joined || c.inThread(w.app.user)) &&
				(before.IsZero() || c.archivedAt.Before(before))
		})
		slices.SortStableFunc(list, func(a, b *Channel) int { return b.archivedAt.Compare(a.archivedAt) })
		out := threadsJSON(w, list[:min(limit, len(list))])
		out["has_more"] = len(list) > limit
		return out, nil
	}
}
