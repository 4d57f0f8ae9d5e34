package api

import (
	"net/http"
	"slices"

	"tictactoe/bot/sandbox"
)

// channel finds the route's channel.
func (h *handler) channel(r *http.Request) (*sandbox.Guild, *sandbox.Channel, error) {
	g, err := h.guild(r)
	if err != nil {
		return nil, nil, err
	}
	c := findChannel(g, r.PathValue("channel"))
	if c == nil {
		return nil, nil, unknownChannel(r.PathValue("channel"))
	}
	return g, c, nil
}

func (h *handler) deleteChannel(r *http.Request) (any, error) {
	_, c, err := h.channel(r)
	if err != nil {
		return nil, err
	}
	c.Delete()
	return struct{}{}, nil
}

// newPrivate is the direct messages of people, without the bot.
type newPrivate struct {
	People []string `json:"people"`
}

func (h *handler) createPrivate(g *sandbox.Guild, in newPrivate) (any, error) {
	people, err := findPeople(g, in.People)
	if err != nil {
		return nil, err
	}
	for i, u := range people {
		if slices.Contains(people[:i], u) {
			return nil, badField("people", "Somebody is named twice.")
		}
	}
	if len(people) < 2 || len(people) > 10 {
		return nil, badField("people", "Direct messages are between 2 to 10 people.")
	}
	return channelOf(g, h.srv.World().PrivateChannel(people...)), nil
}

// newThread is a thread that somebody begins: from a message, or in a channel.
type newThread struct {
	As      string `json:"as"`
	Channel string `json:"channel,omitempty"`
	Message string `json:"message,omitempty"`
	Name    string `json:"name"`
	Private bool   `json:"private,omitempty"`
}

func (h *handler) startThread(r *http.Request, in newThread) (any, error) {
	w, u, err := h.actor(r, in.As)
	if err != nil {
		return nil, err
	}
	n := sandbox.NewThread{Name: in.Name, Private: in.Private}
	if in.Message != "" {
		if n.Start, err = h.message(in.Message); err != nil {
			return nil, err
		}
	} else if n.Channel = findChannel(w.guild, in.Channel); n.Channel == nil {
		return nil, unknownChannel(in.Channel)
	}
	c, err := u.StartThread(n)
	if err != nil {
		return nil, err
	}
	return channelOf(w.guild, c), nil
}

// threadChange is what somebody does with a thread; what is left out stays.
type threadChange struct {
	As       string `json:"as"`
	Thread   string `json:"thread"`
	Archived *bool  `json:"archived,omitempty"`
	Locked   *bool  `json:"locked,omitempty"`
	Joined   *bool  `json:"joined,omitempty"`
}

func (h *handler) changeThread(r *http.Request, in threadChange) (any, error) {
	w, u, err := h.actor(r, in.As)
	if err != nil {
		return nil, err
	}
	c := findChannel(w.guild, in.Thread)
	if c == nil || c.Parent() == nil {
		return nil, unknownChannel(in.Thread)
	}
	if in.Archived != nil || in.Locked != nil {
		archived, locked := c.Archived(), c.Locked()
		if in.Archived != nil {
			archived = *in.Archived
		}
		if in.Locked != nil {
			locked = *in.Locked
		}
		if err := u.SetThread(c, archived, locked); err != nil {
			return nil, err
		}
	}
	if in.Joined != nil {
		do := u.LeaveThread
		if *in.Joined {
			do = u.JoinThread
		}
		if err := do(c); err != nil {
			return nil, err
		}
	}
	return channelOf(w.guild, c), nil
}

// listPins answers with the pinned messages of a channel, the one pinned last first.
func (h *handler) listPins(r *http.Request) (any, error) {
	_, c, err := h.seen(r)
	if err != nil {
		return nil, err
	}
	return map[string]any{"messages": snapshots(c.Pins())}, nil
}
