package sandbox

import (
	"net/http"
)

// threadPerson is the route's person, or the bot for @me.
func threadPerson(w *World, x *exchange) *User {
	if id, ok := x.Params["user_id"]; ok {
		return w.users[id]
	}
	return w.app.user
}

func listActiveThreads(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, threadsJSON(w, threadsOf(x.guild, func(c *Channel) bool { return !c.archived })), nil
}
