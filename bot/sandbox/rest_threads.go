package sandbox

import (
	"net/http"
	"slices"
	"time"

	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// archiveTimes are the times that Discord offers.
var archiveTimes = []int64{60, 1440, 4320, 10080}

// createThread begins a thread, from the route's message or without one.
func createThread(w *World, x *exchange) (int, any, error) {
	parent, start := x.channel, x.message
	o := x.fields
	f := rules.NewForm()
	name := f.Need(o, "name", 1, 100)
	minutes := int64(defaultAutoArchive / time.Minute)
	if o["auto_archive_duration"] != nil {
		minutes, _ = f.Choice(o, "auto_archive_duration", archiveTimes...)
	}
	kind := int64(channelPublicThread)
	if start == nil {
		kind = channelPrivateThread // documented: the default of this route
		if o["type"] != nil {
			kind, _ = f.Choice(o, "type", channelPublicThread, channelPrivateThread)
		}
	}
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	need := permission.CreateThreads
	if kind == channelPrivateThread {
		need = permission.CreatePrivate
	}
	switch {
	case parent.guild == nil || parent.parent != nil || parent.form == channelVoice:
		return 0, nil, rules.ErrChannelType
	case parent.form == channelForum:
		return 0, nil, rules.NotOffered("posts of bots in forums")
	case parent.botPermissions()&need == 0:
		return 0, nil, rules.ErrMissingPermissions
	case start != nil && w.channels[start.id] != nil:
		return 0, nil, rules.ErrThreadExists
	}
	c := w.startThreadLocked(w.app.user, NewThread{Channel: parent, Start: start, Name: name, Private: kind == channelPrivateThread}, time.Duration(minutes)*time.Minute)
	return http.StatusCreated, c.json(), nil
}

// threadPerson is the route's person, or the bot for @me.
func threadPerson(w *World, x *exchange) *User {
	if id, ok := x.Params["user_id"]; ok {
		return w.users[id]
	}
	return w.app.user
}

func addThreadMember(w *World, x *exchange) (int, any, error) {
	c, u := x.channel, threadPerson(w, x)
	switch {
	case c.archived:
		return 0, nil, rules.ErrArchived
	case u == nil || !c.guild.hasMember(u):
		return 0, nil, rules.ErrUnknownMember
	case u != w.app.user && c.botPermissions()&PermissionSendMessagesInThreads == 0:
		return 0, nil, rules.ErrMissingPermissions
	}
	w.joinThreadLocked(c, u)
	return http.StatusNoContent, nil, nil
}

func removeThreadMember(w *World, x *exchange) (int, any, error) {
	c, u := x.channel, threadPerson(w, x)
	switch {
	case c.archived:
		return 0, nil, rules.ErrArchived
	case u == nil || !c.inThread(u):
		return 0, nil, rules.ErrUnknownMember
	case u != w.app.user && c.botPermissions()&permission.ManageThreads == 0 && (!c.thread.private || c.thread.owner != w.app.user):
		return 0, nil, rules.ErrMissingPermissions
	}
	w.leaveThreadLocked(c, u)
	return http.StatusNoContent, nil, nil
}

func getThreadMember(w *World, x *exchange) (int, any, error) {
	c := x.channel
	for _, m := range c.thread.members {
		if m.user.id == x.Params["user_id"] {
			return http.StatusOK, threadMemberJSON(c, m, x), nil
		}
	}
	return 0, nil, rules.ErrUnknownMember
}

func threadMemberJSON(c *Channel, m threadMember, x *exchange) map[string]any {
	o := m.json(c)
	if with := x.Query.Get("with_member"); with == "true" || with == "1" {
		o["member"] = c.guild.memberJSON(m.user, nil, true)
	}
	return o
}

func listThreadMembers(w *World, x *exchange) (int, any, error) {
	c := x.channel
	limit, after, err := x.Part(100, 100)
	if err != nil {
		return 0, nil, err
	}
	members := slices.Clone(c.thread.members)
	rules.SortByID(members, func(m threadMember) string { return m.user.id })
	out := []any{}
	for _, m := range members {
		if len(out) < limit && (after == "" || rules.OlderID(after, m.user.id)) {
			out = append(out, threadMemberJSON(c, m, x))
		}
	}
	return http.StatusOK, out, nil
}

// threadsJSON is a list of threads with the bot's memberships.
func threadsJSON(w *World, list []*Channel) map[string]any {
	threads, members := []any{}, []any{}
	for _, c := range list {
		threads = append(threads, c.json())
		for _, m := range c.thread.members {
			if m.user == w.app.user {
				members = append(members, m.json(c))
			}
		}
	}
	return map[string]any{"threads": threads, "members": members, "has_more": false}
}

func threadsOf(g *Guild, keep func(*Channel) bool) []*Channel {
	var out []*Channel
	for _, c := range g.channels {
		if c.parent != nil && c.visibleTo(g.world.app.user) && keep(c) {
			out = append(out, c)
		}
	}
	return out
}

func listActiveThreads(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, threadsJSON(w, threadsOf(x.guild, func(c *Channel) bool { return !c.archived })), nil
}

// listArchivedThreads is a route that answers with the archived threads of a channel, the one
// archived last first.
func listArchivedThreads(private, joined bool) func(*World, *exchange) (int, any, error) {
	return func(w *World, x *exchange) (int, any, error) {
		parent := x.channel
		switch {
		case parent.guild == nil:
			return 0, nil, rules.ErrChannelType
		case parent.botPermissions()&PermissionReadMessageHistory == 0,
			private && !joined && parent.botPermissions()&permission.ManageThreads == 0:
			return 0, nil, rules.ErrMissingPermissions
		}
		limit, err := x.Limit(100, 100)
		if err != nil {
			return 0, nil, err
		}
		before, _ := time.Parse(time.RFC3339, x.Query.Get("before"))
		list := threadsOf(parent.guild, func(c *Channel) bool {
			return c.parent == parent && c.archived && c.thread.private == private && (!joined || c.inThread(w.app.user)) &&
				(before.IsZero() || c.thread.archivedAt.Before(before))
		})
		slices.SortStableFunc(list, func(a, b *Channel) int { return b.thread.archivedAt.Compare(a.thread.archivedAt) })
		out := threadsJSON(w, list[:min(limit, len(list))])
		out["has_more"] = len(list) > limit
		return http.StatusOK, out, nil
	}
}
