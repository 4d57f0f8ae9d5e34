package sandbox

import (
	"fmt"
	"slices"
	"time"

	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// createChannel makes a text channel; the sandbox has no others.
func createChannel(w *World, x *exchange) (any, error) {
	g := x.guild
	f, o := x.Form, x.fields
	f.Need(o, "name", 1, 100)
	if kind, ok := f.Integer(o, "type", 0, 16); ok && kind != channelGuildText {
		return nil, rules.NotOffered("channels of type " + fmt.Sprint(kind))
	}
	draft := Channel{guild: g}
	if err := changeChannel(&draft, f, o); err != nil {
		return nil, err
	}
	c := g.addChannel(w.newID(), draft.name)
	c.topic, c.overwrites = draft.topic, draft.overwrites
	c.event("CREATE")
	return rest.Created{Body: c.json()}, nil
}

// changeChannel applies what a request says of a channel. A request that is refused
// changes nothing, because it is applied to a copy.
func changeChannel(c *Channel, f rules.Form, o map[string]any) error {
	take(&c.name)(f.Text(o, "name", 1, 100))
	if _, given := o["topic"]; given {
		c.topic, _ = f.Text(o, "topic", 0, 1024)
	}
	if list, ok := f.List(o, "permission_overwrites", 0, 500); ok {
		c.overwrites = nil
		for g, p := range f.At("permission_overwrites").Each(list) {
			id, _ := g.At("id").Snowflake(p["id"])
			c.overwrites = append(c.overwrites, readOverwrite(c.guild, g, p, id))
		}
	}
	return f.Err()
}

// readOverwrite reads an overwrite for a role or a member of the guild; which of them it is
// need not be said.
func readOverwrite(in *Guild, f rules.Form, o map[string]any, id string) permission.Overwrite {
	w := permission.Overwrite{ID: id, Member: in.roleByID(id) == nil, Allow: f.Permissions(o, "allow"), Deny: f.Permissions(o, "deny")}
	if kind, ok := f.Choice(o, "type", 0, 1); ok {
		w.Member = kind == 1
	}
	return w
}

// editChannel changes a channel, or a thread.
func editChannel(w *World, x *exchange) (any, error) {
	c := x.channel
	switch {
	case c.guild == nil:
		return nil, rules.ErrChannelType
	case c.parent != nil:
		return editThread(w, x)
	case c.botPermissions()&permission.ManageChannels == 0,
		x.fields["permission_overwrites"] != nil && c.botPermissions()&permission.ManageRoles == 0:
		return nil, rules.ErrMissingPermissions
	}
	draft := *c
	if err := changeChannel(&draft, x.Form, x.fields); err != nil {
		return nil, err
	}
	c.name, c.topic, c.overwrites = draft.name, draft.topic, draft.overwrites
	c.event("UPDATE")
	return c.json(), nil
}

// editThread renames, archives, opens or locks a thread. Who may write in it may
// open it, unless it is locked; the rest is for its owner and who manages threads.
func editThread(w *World, x *exchange) (any, error) {
	c, f, o := x.channel, x.Form, x.fields
	name, archived, locked, after := c.name, c.archived, c.locked, c.autoArchive
	take(&name)(f.Text(o, "name", 1, 100))
	take(&archived)(f.Boolean(o, "archived"))
	take(&locked)(f.Boolean(o, "locked"))
	if minutes, ok := f.Choice(o, "auto_archive_duration", archiveTimes...); ok {
		after = time.Duration(minutes) * time.Minute
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	if !c.mayChangeThread(w.app.user, locked, c.archived && !archived && len(o) == 1) {
		return nil, rules.ErrMissingPermissions
	}
	if c.archived && archived {
		return nil, rules.ErrArchived
	}
	c.name, c.locked, c.autoArchive = name, locked, after
	c.setArchived(archived)
	c.awake()
	c.event("UPDATE")
	return c.json(), nil
}

// deleteChannel deletes a channel of a guild. Direct messages are only closed, which
// changes nothing: the next message opens them again.
func deleteChannel(w *World, x *exchange) (any, error) {
	c := x.channel
	need := permission.ManageChannels
	if c.parent != nil {
		need = permission.ManageThreads
	}
	if c.guild != nil && c.botPermissions()&need == 0 {
		return nil, rules.ErrMissingPermissions
	}
	o := c.json()
	if c.guild != nil {
		c.deleteLocked()
	}
	return o, nil
}

func putOverwrite(w *World, x *exchange) (any, error) {
	c := x.channel
	given := readOverwrite(c.guild, x.Form, x.fields, x.Params["overwrite_id"])
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	if !given.Member && c.guild.roleByID(given.ID) == nil {
		return nil, rules.ErrUnknownRole
	}
	if (given.Allow|given.Deny)&^c.botPermissions() != 0 {
		return nil, rules.ErrMissingPermissions
	}
	c.overwrites = append(but(c.overwrites, isFor(given.ID)), given)
	c.event("UPDATE")
	return nil, nil
}

func deleteOverwrite(w *World, x *exchange) (any, error) {
	c := x.channel
	if !slices.ContainsFunc(c.overwrites, isFor(x.Params["overwrite_id"])) {
		return nil, rules.ErrUnknownOverwrite
	}
	c.overwrites = but(c.overwrites, isFor(x.Params["overwrite_id"]))
	c.event("UPDATE")
	return nil, nil
}

func typing(w *World, x *exchange) (any, error) {
	if !x.channel.botMayPost() {
		return nil, rules.ErrMissingPermissions
	}
	x.channel.typing(w.app.user)
	return nil, nil
}
