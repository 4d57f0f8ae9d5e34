package sandbox

import (
	"slices"
	"strings"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// reaction is one emoji below a message with those who reacted with it.
type reaction struct {
	emoji rules.Emoji
	users []*User // oldest first
}

// Reaction is what a message shows of a reaction.
type Reaction struct {
	// Emoji is the emoji itself, or name:id for one of the application's.
	Emoji string   `json:"emoji"`
	Users []string `json:"users"` // ids, oldest first
}

func emojiKey(e rules.Emoji) string {
	if e.ID == "" {
		return e.Name
	}
	return e.Name + ":" + e.ID
}

// emoji reads an emoji as routes and people write it: the character, or name:id of
// one that exists.
func (w *World) emoji(text string) (rules.Emoji, bool) {
	name, id, custom := strings.Cut(text, ":")
	if !custom {
		return rules.Emoji{Name: text}, rules.LooksLikeEmoji(text)
	}
	for _, e := range w.app.emojis {
		if e.id == id {
			return rules.Emoji{ID: id, Name: e.name}, true
		}
	}
	return rules.Emoji{Name: name}, false
}

// React puts a reaction below a message. The emoji is the character, or name:id for
// one of the application's.
func (u *User) React(m *Message, emoji string) error {
	w := u.world
	w.mu.Lock()
	defer w.mu.Unlock()
	e, ok := w.emoji(emoji)
	switch {
	case m.deleted:
		return ErrGone
	case !m.visibleTo(u) || m.viewer != nil:
		return ErrNotVisible
	case !ok:
		return ErrBadOption
	case m.reaction(e) == nil && m.channel.permissionsOf(u)&permission.AddReactions == 0:
		return ErrForbidden
	}
	w.reactLocked(m, e, u)
	return nil
}

// Unreact takes a reaction of the person's away.
func (u *User) Unreact(m *Message, emoji string) error {
	w := u.world
	w.mu.Lock()
	defer w.mu.Unlock()
	e, _ := w.emoji(emoji)
	if !w.unreactLocked(m, e, u) {
		return ErrGone
	}
	return nil
}

func (m *Message) reaction(e rules.Emoji) *reaction {
	i := slices.IndexFunc(m.reactions, func(r *reaction) bool { return r.emoji.ID == e.ID && (e.ID != "" || r.emoji.Name == e.Name) })
	if i < 0 {
		return nil
	}
	return m.reactions[i]
}

func (w *World) reactLocked(m *Message, e rules.Emoji, u *User) {
	r := m.reaction(e)
	if r == nil {
		r = &reaction{emoji: e}
		m.reactions = append(m.reactions, r)
	}
	if slices.Contains(r.users, u) {
		return
	}
	r.users = append(r.users, u)
	w.reactionEventLocked("ADD", m, &e, u)
}

func (w *World) unreactLocked(m *Message, e rules.Emoji, u *User) bool {
	r := m.reaction(e)
	if r == nil || !slices.Contains(r.users, u) {
		return false
	}
	r.users = slices.DeleteFunc(r.users, func(x *User) bool { return x == u })
	if len(r.users) == 0 {
		m.reactions = slices.DeleteFunc(m.reactions, func(x *reaction) bool { return x == r })
	}
	w.reactionEventLocked("REMOVE", m, &e, u)
	return true
}

// reactionEventLocked tells of a reaction, or of several at once.
func (w *World) reactionEventLocked(what string, m *Message, e *rules.Emoji, u *User) {
	c := m.channel
	o := map[string]any{"message_id": m.id}
	if e != nil {
		o["emoji"] = emojiJSON(*e)
	}
	if u != nil {
		o["user_id"], o["burst"], o["type"] = u.id, false, 0
		if what == "ADD" {
			o["message_author_id"] = m.author.id
			if c.guild != nil && c.guild.hasMember(u) {
				o["member"] = c.guild.memberJSON(u, nil, true)
			}
		}
	}
	w.tellOfChannelLocked("MESSAGE_REACTION_"+what, o, c, gateway.IntentGuildReactions, gateway.IntentDirectReactions)
	w.publishMessageLocked(EventMessageEdited, m)
}

func emojiJSON(e rules.Emoji) map[string]any {
	o := map[string]any{"id": nil, "name": e.Name}
	if e.ID != "" {
		o["id"] = e.ID
	}
	return o
}

// reactionsJSON is the field of a message, which is missing without reactions.
func (m *Message) reactionsJSON() []any {
	var out []any
	for _, r := range m.reactions {
		me := slices.Contains(r.users, m.world.app.user)
		out = append(out, map[string]any{
			"emoji": emojiJSON(r.emoji), "count": len(r.users), "count_details": map[string]any{"burst": 0, "normal": len(r.users)},
			"me": me, "me_burst": false, "burst_me": false, "burst_count": 0, "burst_colors": []any{},
		})
	}
	return out
}

// appEmoji is an emoji of the application, which its messages can show everywhere.
type appEmoji struct {
	id, name string
	animated bool
	picture  *files.File
}

// EmojiPicture returns the picture of an application's emoji, nil if there is none.
func (w *World) EmojiPicture(id string) (picture *files.File) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.eachAppLocked(func() {
		for _, e := range w.app.emojis {
			if e.id == id {
				picture = e.picture
			}
		}
	})
	return picture
}
