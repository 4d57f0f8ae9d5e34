package api

import (
	"cmp"
	"net/http"
	"slices"

	"tictactoe/bot/sandbox"
)

func (w *world) deleteChannel(r *http.Request) (any, error) {
	c := known(w, w.guild.Channels(), "channel", r.PathValue("channel"))
	if w.err != nil {
		return nil, w.err
	}
	c.Delete()
	return struct{}{}, nil
}

// newPrivate is the direct messages of people, without the bot.
type newPrivate struct {
	People []string `json:"people"`
}

func (w *world) createPrivate(_ *http.Request, in newPrivate) (any, error) {
	people := w.people(in.People)
	if w.err != nil {
		return nil, w.err
	}
	for i, u := range people {
		if slices.Contains(people[:i], u) {
			return nil, badField("people", "Somebody is named twice.")
		}
	}
	if len(people) < 2 || len(people) > 10 {
		return nil, badField("people", "Direct messages are between 2 to 10 people.")
	}
	return channelOf(w.srv.World().PrivateChannel(people...)), nil
}

// newThread is a thread that somebody begins: from a message, or in a channel.
type newThread struct {
	As      string `json:"as"`
	Channel string `json:"channel,omitempty"`
	Message string `json:"message,omitempty"`
	Name    string `json:"name"`
	Private bool   `json:"private,omitempty"`
}

func (w *world) startThread(_ *http.Request, in newThread) (any, error) {
	u, n := w.person(in.As), sandbox.NewThread{Name: in.Name, Private: in.Private}
	if in.Message != "" {
		n.Start = w.message(in.Message)
	} else {
		n.Channel = known(w, w.guild.Channels(), "channel", in.Channel)
	}
	if w.err != nil {
		return nil, w.err
	}
	c, err := u.StartThread(n)
	if err != nil {
		return nil, err
	}
	return channelOf(c), nil
}

// threadChange is what somebody does with a thread; what is left out stays.
type threadChange struct {
	As       string `json:"as"`
	Thread   string `json:"thread"`
	Archived *bool  `json:"archived,omitempty"`
	Locked   *bool  `json:"locked,omitempty"`
	Joined   *bool  `json:"joined,omitempty"`
}

func (w *world) changeThread(_ *http.Request, in threadChange) (any, error) {
	u, c := w.person(in.As), find(w.guild.Channels(), in.Thread)
	if c == nil || c.Parent() == nil {
		w.note(unknown("channel", in.Thread))
	}
	if w.err != nil {
		return nil, w.err
	}
	if in.Archived != nil || in.Locked != nil {
		archived, locked := cmp.Or(in.Archived, new(c.Archived())), cmp.Or(in.Locked, new(c.Locked()))
		if err := u.SetThread(c, *archived, *locked); err != nil {
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
	return channelOf(c), nil
}

// listPins answers with the pinned messages of a channel, the one pinned last first.
func (w *world) listPins(r *http.Request) (any, error) {
	_, c := w.seen(r)
	if w.err != nil {
		return nil, w.err
	}
	return map[string]any{"messages": each(c.Pins(), (*sandbox.Message).Snapshot)}, nil
}
