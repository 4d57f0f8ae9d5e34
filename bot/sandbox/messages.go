package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// Message types, as specified by Discord's documentation.
const (
	messageReply   = 19
	messageSlash   = 20
	messageContext = 23
)

// isoTime is a moment as Discord writes it.
func isoTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000+00:00") }

// newMessage makes a message of the bot without putting it into the channel.
func newMessage(ch *Channel, author *User) *Message {
	w := ch.world
	return &Message{world: w, id: w.newID(), channel: ch, author: author, created: w.clock.Now(), compsJSON: json.RawMessage("[]")}
}

// repliesTo is the id of the message that it refers to, empty for none.
func (m *Message) repliesTo() string {
	id, _ := m.reference["message_id"].(string)
	return id
}

// apply puts what the draft gives into the message; what it leaves out stays. Whom it mentions
// is read again: a write without allowed_mentions falls back to the default.
func (m *Message) apply(d *rules.Draft, byToken bool) {
	if d.Has["content"] {
		m.body.Content = d.Content
	}
	if d.Has["embeds"] {
		m.body.Embeds = d.Embeds
	}
	if d.Has["components"] {
		m.body.Components = d.Components
		m.components, m.compsJSON = rules.ParseComponents(d.Components)
	}
	m.world.files.Replace(m.body.Attached, d.Attached, d.Uploaded)
	m.body.Attached = d.Attached
	if d.Has["flags"] {
		// Embeds alone come back: a message in components v2 stays one, and ephemeral is for ever.
		m.body.Flags = m.body.Flags&^rules.FlagSuppressEmbeds | d.Flags&(rules.FlagSuppressEmbeds|rules.FlagComponentsV2)
	}
	m.body.Flags &^= rules.FlagLoading
	m.writeMentions(d.Mentions, byToken)
}

// post puts a new message into its channel and tells everybody.
func (m *Message) post(how Write) {
	w := m.world
	ch := m.channel
	ch.messages = append(ch.messages, m)
	w.messages[m.id] = m
	if limit := w.opt.KeepMessages; limit > 0 && len(ch.messages) > limit {
		gone := len(ch.messages) - limit
		for _, old := range ch.messages[:gone] {
			delete(w.messages, old.id)
			w.files.Replace(old.body.Attached, nil, nil)
		}
		ch.messages = append([]*Message(nil), ch.messages[gone:]...)
	}
	m.note(how)
	if m.viewer == nil {
		ch.written()
	}
	if ch.parent != nil {
		for _, u := range m.pinged { // who is called into a thread is in it
			ch.join(u)
		}
	}
	m.publish(EventMessageCreated)
	m.tell("MESSAGE_CREATE")
}

// wasEdited notes an edit and tells everybody.
func (m *Message) wasEdited(how Write) {
	w := m.world
	m.edited = w.clock.Now()
	m.note(how)
	if m.dismissed {
		return // applied, but the person has put it away
	}
	if m.channel.parent != nil && m.viewer == nil {
		for _, u := range m.mentions { // whom an edit mentions joins, and is not notified
			m.channel.call(u)
		}
	}
	m.publish(EventMessageEdited)
	m.tell("MESSAGE_UPDATE")
}

func (m *Message) note(how Write) {
	how.At, how.Text, how.components = m.world.clock.Now(), rules.TextOf(m.body.Content, m.components), m.components
	m.writes = append(m.writes, how)
	if limit := m.world.opt.KeepWrites; limit > 0 && len(m.writes) > limit {
		m.writes = append([]Write(nil), m.writes[len(m.writes)-limit:]...)
	}
}

// deleteLocked deletes a message for everybody.
func (m *Message) deleteLocked(how Write) {
	if m.deleted {
		m.dismissed = false
		return
	}
	m.remove(how)
	if m.viewer == nil {
		m.channel.tell("MESSAGE_DELETE", map[string]any{"id": m.id}, gateway.IntentGuildMessages, gateway.IntentDirectMessages)
	}
}

// remove deletes a message without telling the bot.
func (m *Message) remove(how Write) {
	m.putAway()
	m.note(how)
}

// putAway takes a message and its files away. A bounded server forgets it.
func (m *Message) putAway() {
	w := m.world
	m.publish(EventMessageDeleted)
	m.deleted = true
	w.files.Replace(m.body.Attached, nil, nil)
	if w.opt.KeepMessages > 0 {
		m.channel.messages = without(m.channel.messages, m)
		delete(w.messages, m.id)
	}
}

// deleteLocked deletes a channel with its threads, webhooks and messages.
func (c *Channel) deleteLocked() {
	w := c.world
	if c.deleted {
		return
	}
	if c.guild != nil {
		for _, t := range c.guild.channels {
			if t.parent == c {
				t.deleteLocked()
			}
		}
		c.event("DELETE")
	}
	c.deleted = true
	delete(w.channels, c.id)
	if c.guild != nil {
		c.guild.channels = without(c.guild.channels, c)
	}
	w.webhooks = but(w.webhooks, func(h *channelWebhook) bool { return h.channel == c })
	for _, m := range c.messages {
		m.deleted = true
		w.files.Replace(m.body.Attached, nil, nil)
	}
	w.publishLocked(Event{Kind: EventChannelsChanged, ChannelID: c.id})
}

// say adds a plain message of a person.
func (c *Channel) say(u *User, text string, uploads []File) (*Message, error) {
	w := c.world
	switch {
	case !c.visibleTo(u):
		return nil, ErrNotVisible
	case c.form == channelForum, lockedFor(u, c), c.guild != nil && c.permissionsOf(u)&writing(c) == 0:
		return nil, ErrForbidden
	}
	text = strings.TrimSpace(text)
	if len(uploads) > rules.MaxFiles || slices.ContainsFunc(uploads, func(f File) bool { return f.Name == "" || len(f.Content) > rules.MaxFileBytes }) {
		return nil, fmt.Errorf("%w: a message has at most %d files", ErrBadOption, rules.MaxFiles)
	}
	if text == "" && len(uploads) == 0 || len([]rune(text)) > rules.MaxContent {
		return nil, ErrBadOption
	}
	m := newMessage(c, u)
	m.body.Content = text
	for _, f := range uploads {
		stored := files.New(w.newID(), f.Name, f.Content)
		w.files.Add(stored)
		m.body.Attached = append(m.body.Attached, stored.Attachment(w.public+"/attachments/"+w.app.id))
	}
	m.writeMentions(nil, false)
	m.ping(nil)
	m.post(Write{Action: "create", Auth: "person"})
	if c.parent != nil {
		c.join(u) // who writes in a thread joins it
	}
	return m, nil
}

// writeMentions decides whom the message mentions after a write, as Discord
// does: from its text and allowed_mentions alone. Without allowed_mentions
// byToken applies the default of interactions and webhooks, people only, which
// every edit falls back to as well; else that of channel messages, everything. A
// role is mentioned if everybody may mention it, or its author everybody.
func (m *Message) writeMentions(a *rules.AllowedMentions, byToken bool) {
	if a == nil {
		a = &rules.AllowedMentions{AllUsers: true, Everyone: !byToken, AllRoles: !byToken}
	}
	named := rules.MentionsIn(rules.TextOf(m.body.Content, m.components))
	m.mentions, m.unknown, m.roles, m.everyone = nil, nil, nil, false
	for _, id := range named.Users {
		u := m.world.users[id]
		allowed := a.AllUsers || a.Users[id]
		switch {
		case u != nil && allowed:
			m.mentions = append(m.mentions, u)
		case u != nil && (m.origin != nil && m.origin.user == u || m.shownAbove(u)):
			// Not mentioned, but known to every client: the message says whose command or
			// click it answers, with the whole user, and so did one above.
		default:
			m.unknown = append(m.unknown, id)
		}
	}
	mayAll := m.channel.permissionsOf(m.author)&permission.MentionEveryone != 0
	for _, id := range named.Roles {
		r := m.channel.guild.roleByID(id)
		if r != nil && r != m.channel.guild.everyone() && (a.AllRoles || a.Roles[id]) && (mayAll || r.is.Mentionable) {
			m.roles = append(m.roles, r)
		}
	}
	m.everyone = named.Everyone && a.Everyone && mayAll
}

// loadedAtOnce is how many messages a client loads when it opens a channel.
const loadedAtOnce = 50

// shownAbove reports whether a client that shows the message knows the person by one above it
// which everybody sees: clients keep the users of all messages that they load.
func (m *Message) shownAbove(u *User) bool {
	above := but(m.channel.messages, func(o *Message) bool { return o.deleted || o.viewer != nil || !rules.OlderID(o.id, m.id) })
	above = above[max(0, len(above)-loadedAtOnce):]
	return slices.ContainsFunc(above, func(o *Message) bool {
		return o.author == u || slices.Contains(o.mentions, u) || o.origin != nil && o.origin.user == u
	})
}

// ping notes on whose badges the creation of the message counts, and that it notifies them
// unless it is silent.
func (m *Message) ping(a *rules.AllowedMentions) {
	if m.body.Flags&rules.FlagEphemeral != 0 {
		return
	}
	c, meant := m.channel, slices.Clone(m.mentions)
	for _, u := range m.mentions {
		if c.private {
			c.call(u) // or they would not see it
		}
	}
	for _, r := range m.roles {
		meant = append(meant, but(r.guild.members, func(u *User) bool { return !slices.Contains(u.in[r.guild].roles, r) })...)
	}
	if m.everyone && c.guild != nil {
		meant = append(meant, c.guild.members...)
	}
	if to := m.world.messages[m.repliesTo()]; to != nil && (a == nil || a.RepliedUser) {
		meant = append(meant, to.author)
	}
	meant = append(meant, c.party...)
	if c.person != nil {
		meant = append(meant, c.person)
	}
	for _, u := range meant {
		if u == m.author || u.is.Bot || !c.visibleTo(u) || slices.Contains(m.badged, u) {
			continue
		}
		m.badged = append(m.badged, u)
		if m.body.Flags&rules.FlagSuppressNotifications == 0 {
			m.pinged = append(m.pinged, u)
		}
	}
}

// tell dispatches an event with a message, unless one person alone sees it.
func (m *Message) tell(event string) {
	c := m.channel
	if m.viewer != nil {
		return
	}
	c.send(event, gateway.Readable(func(content bool) any {
		o := m.readBy(content)
		o["channel_type"] = c.kind()
		if c.guild != nil {
			o["guild_id"], o["member"] = c.guild.id, c.guild.memberJSON(m.author, nil, false)
		}
		return o
	}), gateway.IntentGuildMessages, gateway.IntentDirectMessages)
}

// nonceLife is how long a nonce with enforce_nonce keeps duplicates away.
// Discord's documentation says "the past few minutes".
const nonceLife = 5 * time.Minute

// botMayPost reports whether the bot may create messages by the channel route.
func (c *Channel) botMayPost() bool {
	need := permission.ViewChannel | writing(c)
	return c.botPermissions()&need == need
}

// readsContent reports whether the application has the privileged intent for the content of
// messages, which is what REST answers depend on.
func (a *App) readsContent() bool { return a.intents&gateway.IntentMessageContent != 0 }

// readBy is the message with the one that it answers, without texts that only whoever may
// read content gets.
func (m *Message) readBy(content bool) map[string]any {
	o := m.withheld(m.json(), content)
	if m.kind != messageReply && m.kind != messageThreadStarter {
		return o
	}
	o["referenced_message"] = nil
	if to := m.world.messages[m.repliesTo()]; to != nil && !to.deleted {
		o["referenced_message"] = to.withheld(to.json(), content)
	}
	return o
}

// withheld takes the text out of a message's object that the bot may not read.
func (m *Message) withheld(o map[string]any, content bool) map[string]any {
	w := m.world
	if m.author == w.app.user || slices.Contains(m.mentions, w.app.user) || m.channel.guild == nil || content {
		return o
	}
	o["content"], o["embeds"], o["components"], o["attachments"] = "", []any{}, []any{}, []any{}
	return o
}

// typing tells that somebody writes.
func (c *Channel) typing(u *User) {
	w := c.world
	o := map[string]any{"user_id": u.id, "timestamp": w.clock.Now().Unix()}
	if c.guild != nil {
		o["member"] = c.guild.memberJSON(u, nil, true)
	}
	c.tell("TYPING_START", o, gateway.IntentGuildTyping, gateway.IntentDirectTyping)
}

// json is the message as the API gives it out.
func (m *Message) json() map[string]any {
	o := map[string]any{
		"id": m.id, "channel_id": m.channel.id, "author": m.author.json(), "type": m.kind, "content": m.body.Content,
		"timestamp": isoTime(m.created), "edited_timestamp": nil, "tts": false, "pinned": !m.pinned.IsZero(), "flags": m.body.Flags,
		"mention_everyone": m.everyone, "mentions": objects(m.mentions), "mention_roles": each(m.roles, (*Role).ID),
		"embeds": orEmpty(m.body.Embeds), "attachments": orEmpty(m.body.Attached), "components": m.compsJSON,
	}
	if len(m.reactions) > 0 {
		o["reactions"] = m.reactionsJSON()
	}
	if m.channel.parent != nil { // roughly where it stands, says the documentation
		o["position"] = max(0, slices.Index(m.channel.messages, m))
	}
	if t := m.world.channels[m.id]; t != nil {
		o["thread"] = t.json()
	}
	if !m.edited.IsZero() {
		o["edited_timestamp"] = isoTime(m.edited)
	}
	if m.reference != nil {
		o["message_reference"] = m.reference
	}
	if m.author.isHook {
		o["webhook_id"] = m.author.id
		o["application_id"] = m.world.apps[0].id
		if h := m.world.webhook(m.author.id); h != nil {
			o["application_id"] = h.app.id
		}
	}
	if c := m.origin; c != nil {
		meta := c.metadata()
		if m != c.original {
			meta = maps.Clone(meta)
			if c.original != nil {
				meta["original_response_message_id"] = c.original.id
			}
		}
		o["interaction_metadata"] = meta
		if c.kind == InteractionCommand {
			// Deprecated but still sent: older libraries find a message's buttons by it.
			o["interaction"] = map[string]any{"id": c.id, "type": c.kind, "name": c.path, "user": c.user.json()}
		}
		o["application_id"], o["webhook_id"] = c.app.id, c.app.id
	}
	return o
}
