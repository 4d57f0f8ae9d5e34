package api

import (
	"fmt"
	"net/http"

	"tictactoe/bot/sandbox"
)

// Privileged are the privileged intents by their names in Discord's developer portal.
var Privileged = map[string]int{"members": 1 << 1, "presences": 1 << 8, "message_content": 1 << 15}

// newApp is an application beside those that there are.
type newApp struct {
	Name        string   `json:"name"`
	Token       string   `json:"token,omitempty"`
	Permissions string   `json:"permissions,omitempty"`
	Intents     []string `json:"intents,omitempty"`
}

// app is an application and whether a bot runs as it.
type app struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Token    string        `json:"token"`
	Sessions int           `json:"sessions"`
	Commands []commandName `json:"commands"` // those of all worlds
}

func appOf(a *sandbox.App) app {
	return app{a.ID(), a.Name(), a.Token(), a.Sessions(), each(a.Commands(""), nameOf)}
}

func (h *handler) listApps(*http.Request) (any, error) {
	return map[string]any{"apps": each(h.srv.World().Apps(), appOf)}, nil
}

func (h *handler) createApp(_ *http.Request, in newApp) (any, error) {
	w, o := &world{handler: h}, sandbox.AppOptions{Name: in.Name, Token: in.Token}
	w.needsName("An application", in.Name)
	for _, a := range h.srv.World().Apps() {
		switch {
		case a.Name() == in.Name:
			return nil, badField("name", fmt.Sprintf("There is an application %q already.", in.Name))
		case a.Token() == in.Token:
			return nil, badField("token", "That is another application's token.")
		}
	}
	if in.Permissions != "" {
		o.Permissions = w.bits("permissions", in.Permissions)
	}
	for _, name := range in.Intents {
		bit, ok := Privileged[name]
		if !ok {
			w.note(badField("intents", fmt.Sprintf("There is no privileged intent %q.", name)))
		}
		o.PrivilegedIntents |= bit
	}
	if w.err != nil {
		return nil, w.err
	}
	return appOf(h.srv.World().AddApp(o)), nil
}

// app finds an application by name or id; nil is any, for an empty name.
func (w *world) app(name string) *sandbox.App {
	a := find(w.srv.World().Apps(), name)
	if a == nil && name != "" {
		w.note(refuse(http.StatusNotFound, "unknown_app", fmt.Sprintf("There is no application %q.", name)))
	}
	return a
}
