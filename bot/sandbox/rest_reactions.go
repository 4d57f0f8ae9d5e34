package sandbox

import (
	"cmp"
	"net/http"
	"slices"

	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

func addReaction(w *World, x *exchange) (int, any, error) {
	m, e := x.message, x.reaction
	switch {
	case m.channel.archived:
		return 0, nil, rules.ErrArchived
	case m.reaction(e) == nil && m.channel.guild != nil && m.channel.botPermissions()&permission.AddReactions == 0:
		return 0, nil, rules.ErrMissingPermissions
	case m.reaction(e) == nil && len(m.reactions) >= rules.MaxReactions:
		return 0, nil, rules.ErrMaxReactions
	}
	w.reactLocked(m, e, w.app.user)
	return http.StatusNoContent, nil, nil
}

// removeReaction takes the bot's own reaction away, or that of the route's person.
func removeReaction(w *World, x *exchange) (int, any, error) {
	m, e := x.message, x.reaction
	u := cmp.Or(x.user, w.app.user)
	if u != w.app.user && m.channel.botPermissions()&PermissionManageMessages == 0 {
		return 0, nil, rules.ErrMissingPermissions
	}
	w.unreactLocked(m, e, u)
	return http.StatusNoContent, nil, nil
}

func listReactions(w *World, x *exchange) (int, any, error) {
	m, e := x.message, x.reaction
	limit, after, err := x.Part(25, 100)
	if err != nil {
		return 0, nil, err
	}
	out := []any{}
	if r := m.reaction(e); r != nil {
		users := slices.Clone(r.users)
		rules.SortByID(users, func(u *User) string { return u.id })
		for _, u := range users {
			if len(out) < limit && (after == "" || rules.OlderID(after, u.id)) {
				out = append(out, u.json())
			}
		}
	}
	return http.StatusOK, out, nil
}

// clearReactions takes all reactions away, or all with the route's emoji.
func clearReactions(w *World, x *exchange) (int, any, error) {
	m := x.message
	name, one := x.Params["emoji_name"]
	if !one {
		m.reactions = nil
		w.reactionEventLocked("REMOVE_ALL", m, nil, nil)
		return http.StatusNoContent, nil, nil
	}
	e, ok := w.emoji(name)
	if !ok {
		return 0, nil, rules.ErrUnknownEmoji
	}
	if r := m.reaction(e); r != nil {
		m.reactions = slices.DeleteFunc(m.reactions, func(x *reaction) bool { return x == r })
		w.reactionEventLocked("REMOVE_EMOJI", m, &e, nil)
	}
	return http.StatusNoContent, nil, nil
}
