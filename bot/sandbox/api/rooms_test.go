package api

import (
	"strconv"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
)

func text(bits int64) string { return strconv.FormatInt(bits, 10) }

// useRoles makes a role, gives it, lets it count in a channel, and takes it all back.
func (c *client) useRoles(at string) {
	c.t.Helper()
	var r sandbox.RoleInfo
	c.do("POST", at+"/roles", "/worlds/{world}/roles", object{"name": "Red", "mentionable": true}, 200, &r)
	if r.Name != "Red" || !r.Mentionable || r.Permissions != 0 {
		c.t.Errorf("made %+v", r)
	}
	const roles = "/worlds/{world}/roles/{role}"
	c.do("PATCH", at+"/roles/Red", roles, object{"name": "Blue", "permissions": text(permission.PinMessages)}, 200, &r)
	if r.Name != "Blue" || !r.Mentionable || r.Permissions != permission.PinMessages {
		c.t.Errorf("changed to %+v", r)
	}
	var p person
	c.do("PUT", at+"/people/Ben/roles/Blue", "/worlds/{world}/people/{person}/roles/{role}", nil, 200, &p)
	if last := len(p.Roles) - 1; last < 0 || p.Roles[last] != "Blue" && p.Roles[0] != "Blue" {
		c.t.Errorf("Ben has %v", p.Roles)
	}
	const overwrites = "/worlds/{world}/channels/{channel}/overwrites/{target}"
	say := object{"as": "Cleo", "channel": "more", "text": "x"}
	c.do("PUT", at+"/channels/more/overwrites/@everyone", overwrites, object{"allow": "0", "deny": text(permission.SendMessages)}, 200, nil)
	c.do("POST", at+"/say", "/worlds/{world}/say", say, 409, nil)
	c.do("PUT", at+"/channels/more/overwrites/Cleo", overwrites, object{"allow": text(permission.SendMessages), "deny": "0"}, 200, nil)
	c.do("POST", at+"/say", "/worlds/{world}/say", say, 200, nil)
	c.do("PUT", at+"/channels/more/overwrites/Cleo", overwrites, object{"allow": "0", "deny": "0"}, 200, nil)
	c.do("POST", at+"/say", "/worlds/{world}/say", say, 409, nil)
	c.do("DELETE", at+"/people/Ben/roles/Blue", "/worlds/{world}/people/{person}/roles/{role}", nil, 200, &p)
	c.do("DELETE", at+"/roles/Blue", roles, nil, 200, nil)
	c.do("DELETE", at+"/roles/Blue", roles, nil, 404, nil)
}

// useChannels pins, begins threads, and writes to others without the bot.
func (c *client) useChannels(at string, srv *sandbox.Server) {
	c.t.Helper()
	var o outcome
	c.do("POST", at+"/say", "/worlds/{world}/say", object{"as": "Ada", "channel": "general", "text": "keep"}, 200, &o)
	pin := object{"as": "Ben", "message": o.Message.ID} // who is an administrator
	c.do("POST", at+"/pin", "/worlds/{world}/pin", pin, 200, &o)
	var list struct{ Messages []sandbox.Snapshot }
	c.do("GET", at+"/pins?channel=general", "/worlds/{world}/pins", nil, 200, &list)
	if len(list.Messages) != 1 || !list.Messages[0].Pinned {
		c.t.Errorf("pinned: %+v", list.Messages)
	}
	pin["remove"] = true
	c.do("POST", at+"/pin", "/worlds/{world}/pin", pin, 200, nil)

	const threads = "/worlds/{world}/threads"
	var from, alone channel
	c.do("POST", at+"/threads", threads, object{"as": "Ada", "message": o.Message.ID, "name": "from it"}, 200, &from)
	c.do("POST", at+"/threads", threads, object{"as": "Ada", "channel": "general", "name": "alone", "private": true}, 200, &alone)
	if from.ID != o.Message.ID || alone.Parent != from.Parent {
		c.t.Errorf("began %+v and %+v", from, alone)
	}
	c.do("PATCH", at+"/threads", threads, object{"as": "Ben", "thread": "alone", "joined": true}, 200, nil)
	c.do("PATCH", at+"/threads", threads, object{"as": "Ben", "thread": "alone", "locked": true, "archived": true}, 200, nil)
	if t := srv.World().ChannelByID(alone.ID); len(t.ThreadMembers()) != 2 || !t.Locked() || !t.Archived() {
		c.t.Errorf("the thread has %d members", len(t.ThreadMembers()))
	}
	c.do("PATCH", at+"/threads", threads, object{"as": "Ada", "thread": "alone", "archived": false}, 409, nil)

	var private channel
	c.do("POST", at+"/private", "/worlds/{world}/private", object{"people": []string{"Ada", "Ben", "Cleo"}}, 200, &private)
	c.do("POST", at+"/say", "/worlds/{world}/say", object{"as": "Ada", "channel": private.ID, "text": "psst"}, 200, nil)
	c.do("GET", at+"/messages?as=Cleo&channel="+private.ID, "/worlds/{world}/messages", nil, 200, &list)
	if len(list.Messages) != 1 || list.Messages[0].Content != "psst" {
		c.t.Errorf("Cleo reads %+v", list.Messages)
	}
	c.do("GET", at+"/messages?channel="+private.ID, "/worlds/{world}/messages", nil, 404, nil)
	c.do("DELETE", at+"/channels/more", "/worlds/{world}/channels/{channel}", nil, 200, nil)
	c.do("DELETE", at+"/channels/more", "/worlds/{world}/channels/{channel}", nil, 404, nil)
}

// TestLookingMakesNoMessages: a channel is found without beginning direct messages with every
// application that there is.
func TestLookingMakesNoMessages(t *testing.T) {
	c, srv := serve(t)
	var w worldState
	c.do("POST", "/worlds", "/worlds", object{"name": "w", "people": []object{{"name": "Ada"}}, "channels": []object{{"name": "general"}}}, 200, &w)
	var second app
	c.do("POST", "/apps", "/apps", object{"name": "Second"}, 200, &second)
	at := "/worlds/" + w.ID
	with := func() (n int) {
		seen, _ := srv.World().View(w.People[0].ID)
		for _, ch := range seen.Channels {
			if ch.App == second.ID {
				n++
			}
		}
		return n
	}
	c.do("POST", at+"/say", "/worlds/{world}/say", object{"as": "Ada", "channel": "general", "text": "x"}, 200, nil)
	if with() != 0 {
		t.Error("who says something in a channel has direct messages with the second application")
	}
	c.do("POST", at+"/say", "/worlds/{world}/say", object{"as": "Ada", "channel": "@dm", "app": "Second", "text": "x"}, 200, nil)
	dm := srv.World().UserByID(w.People[0].ID).DMWith(srv.World().Apps()[1])
	var list struct{ Messages []sandbox.Snapshot }
	c.do("GET", at+"/messages?as=Ada&channel="+dm.ID(), "/worlds/{world}/messages", nil, 200, &list)
	if with() != 1 || len(list.Messages) != 1 {
		t.Errorf("%d channels with the second application, %d messages in theirs", with(), len(list.Messages))
	}
}

// TestIDsComeBeforeNames: whoever is named like somebody's id does nothing in their place.
func TestIDsComeBeforeNames(t *testing.T) {
	c, srv := serve(t)
	ada := srv.User("Ada")
	var w worldState
	c.do("POST", "/worlds", "/worlds", object{"name": "w", "people": []object{{"name": ada.ID()}}, "channels": []object{{"name": "general"}}}, 200, &w)
	c.do("POST", "/worlds/"+w.ID+"/say", "/worlds/{world}/say", object{"as": ada.ID(), "channel": ada.DM().ID(), "text": "x"}, 200, nil)
	if got := ada.DM().Messages(ada); len(got) != 1 || got[0].Author() != ada {
		t.Errorf("Ada's direct messages have %d messages, want hers", len(got))
	}
}
