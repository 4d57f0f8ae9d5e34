package sandbox

import (
	"cmp"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/kept"
	"tictactoe/bot/sandbox/internal/rest"
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

// React puts a reaction below a message. The emoji is the character, or name:id for
// one of an application's.
func (u *User) React(m *Message, emoji string) error {
	w := u.world
	defer w.hold()()
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
	m.react(e, u)
	return nil
}

// Unreact takes a reaction of the person's away.
func (u *User) Unreact(m *Message, emoji string) error {
	w := u.world
	defer w.hold()()
	e, _ := w.emoji(emoji)
	if !m.unreact(e, u) {
		return ErrGone
	}
	return nil
}

func (m *Message) reaction(e rules.Emoji) *reaction {
	return first(m.reactions, func(r *reaction) bool { return r.emoji.ID == e.ID && (e.ID != "" || r.emoji.Name == e.Name) })
}

func (m *Message) react(e rules.Emoji, u *User) {
	r := m.reaction(e)
	if r == nil {
		r = &reaction{emoji: e}
		m.reactions = append(m.reactions, r)
	}
	if slices.Contains(r.users, u) {
		return
	}
	r.users = append(r.users, u)
	m.reactionEvent("ADD", &e, u)
}

func (m *Message) unreact(e rules.Emoji, u *User) bool {
	r := m.reaction(e)
	if r == nil || !slices.Contains(r.users, u) {
		return false
	}
	r.users = without(r.users, u)
	if len(r.users) == 0 {
		m.reactions = without(m.reactions, r)
	}
	m.reactionEvent("REMOVE", &e, u)
	return true
}

// reactionEvent tells of a reaction, or of several at once.
func (m *Message) reactionEvent(what string, e *rules.Emoji, u *User) {
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
	c.tell("MESSAGE_REACTION_"+what, o, gateway.IntentGuildReactions, gateway.IntentDirectReactions)
	m.publish(EventMessageEdited)
}

// reactionsJSON is the field of a message that has reactions.
func (m *Message) reactionsJSON() []any {
	return each(m.reactions, func(r *reaction) any {
		return map[string]any{
			"emoji": emojiJSON(r.emoji), "count": len(r.users), "count_details": map[string]any{"burst": 0, "normal": len(r.users)},
			"me": slices.Contains(r.users, m.world.app.user), "me_burst": false, "burst_me": false,
			"burst_count": 0, "burst_colors": []any{},
		}
	})
}

func addReaction(w *World, x *exchange) (any, error) {
	m, e := x.message, x.reaction
	switch {
	case m.reaction(e) == nil && m.channel.guild != nil && m.channel.botPermissions()&permission.AddReactions == 0:
		return nil, rules.ErrMissingPermissions
	case m.reaction(e) == nil && len(m.reactions) >= rules.MaxReactions:
		return nil, rules.ErrMaxReactions
	}
	m.react(e, w.app.user)
	return nil, nil
}

// removeReaction takes the bot's own reaction away, or that of the route's person.
func removeReaction(w *World, x *exchange) (any, error) {
	m, e := x.message, x.reaction
	u := cmp.Or(x.user, w.app.user)
	if u != w.app.user && m.channel.botPermissions()&permission.ManageMessages == 0 {
		return nil, rules.ErrMissingPermissions
	}
	m.unreact(e, u)
	return nil, nil
}

func listReactions(_ *World, x *exchange) (any, error) {
	var users []*User
	if r := x.message.reaction(x.reaction); r != nil {
		users = r.users
	}
	return part(x, 25, 100, users, func(u *User) any { return u.json() })
}

// clearReactions takes all reactions away, or all with the route's emoji.
func clearReactions(_ *World, x *exchange) (any, error) {
	m, e := x.message, x.reaction
	if e.Name == "" {
		m.reactions = nil
		m.reactionEvent("REMOVE_ALL", nil, nil)
	} else if r := m.reaction(e); r != nil {
		m.reactions = without(m.reactions, r)
		m.reactionEvent("REMOVE_EMOJI", &e, nil)
	}
	return nil, nil
}

const maxAppEmojis = 2000

var emojiName = regexp.MustCompile(`^\w{2,32}$`)

func appEmojiJSON(w *World, e *kept.Emoji) map[string]any {
	return map[string]any{
		"id": e.ID, "name": e.Name, "roles": []any{}, "require_colons": true, "managed": false, "animated": e.Animated, "available": true,
		"user": w.app.user.json(),
	}
}

func listEmojis(w *World, x *exchange) (any, error) {
	return map[string]any{"items": each(w.app.emojis, func(e *kept.Emoji) any { return appEmojiJSON(w, e) })}, nil
}

// nameEmoji gives an emoji the name that a request wants, which no other has.
func nameEmoji(w *World, f rules.Form, o map[string]any, e *kept.Emoji) {
	name := f.Need(o, "name", 2, 32)
	if name != "" && !emojiName.MatchString(name) {
		f.At("name").Fail("STRING_TYPE_REGEX", "String value did not match validation regex.")
	}
	if slices.ContainsFunc(w.app.emojis, func(other *kept.Emoji) bool { return other.Name == name && other != e }) {
		f.At("name").Fail("APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "An emoji with this name already exists")
	}
	if f.Err() == nil {
		e.Name = name
	}
}

func createEmoji(w *World, x *exchange) (any, error) {
	f, o := x.Form, x.fields
	e := &kept.Emoji{ID: w.newID()}
	nameEmoji(w, f, o, e)
	if image := f.Need(o, "image", 1, rules.MaxRequestBytes); image != "" {
		picture := files.New(e.ID, e.ID, dataURI(image))
		if !picture.IsPicture() || len(picture.Body) > 256<<10 {
			f.At("image").Fail("IMAGE_INVALID", "Invalid image data")
		}
		e.Picture, e.Animated = picture.Body, picture.Kind == "image/gif"
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	if len(w.app.emojis) >= maxAppEmojis {
		return nil, rules.ErrMaxEmojis
	}
	w.app.emojis = append(w.app.emojis, e)
	return rest.Created{Body: appEmojiJSON(w, e)}, nil
}

// dataURI decodes one, nil for anything else.
func dataURI(uri string) []byte {
	head, data, _ := strings.Cut(uri, ";base64,")
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil || !strings.HasPrefix(head, "data:image/") {
		return nil
	}
	return b
}

func editEmoji(w *World, x *exchange) (any, error) {
	e := x.emoji
	nameEmoji(w, x.Form, x.fields, e)
	return appEmojiJSON(w, e), x.Form.Err()
}

func deleteEmoji(w *World, x *exchange) (any, error) {
	w.app.emojis = without(w.app.emojis, x.emoji)
	return nil, nil
}

// emoji reads an emoji as routes and people write it: the character, or name:id of
// one that exists.
func (a *App) emoji(text string) (rules.Emoji, bool) {
	name, id, custom := strings.Cut(text, ":")
	if !custom {
		return rules.Emoji{Name: text}, rules.LooksLikeEmoji(text)
	}
	if e := a.emojiByID(id); e != nil {
		return rules.Emoji{ID: id, Name: e.Name}, true
	}
	return rules.Emoji{Name: name}, false
}

// emoji reads an emoji as people write it, who find those of every application.
func (r *roster) emoji(text string) (e rules.Emoji, ok bool) {
	for _, a := range r.apps {
		if e, ok = a.emoji(text); ok {
			break
		}
	}
	return e, ok
}

func emojiJSON(e rules.Emoji) map[string]any {
	return map[string]any{"id": orNull(e.ID), "name": e.Name}
}

// EmojiPicture returns the picture of an application's emoji, nil if there is none.
func (w *World) EmojiPicture(id string) *files.File {
	defer w.hold()()
	for _, a := range w.apps {
		if e := a.emojiByID(id); e != nil {
			return files.New(e.ID, e.ID, e.Picture)
		}
	}
	return nil
}

func (a *App) emojiByID(id string) *kept.Emoji {
	return first(a.emojis, func(e *kept.Emoji) bool { return e.ID == id })
}
