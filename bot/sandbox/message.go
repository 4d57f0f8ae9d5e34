package sandbox

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// Message is a message in a channel. It lives on when it is edited; Snapshot
// says what it looks like now.
type Message struct {
	world   *World
	id      string
	channel *Channel
	author  *User
	viewer  *User // the only person who sees it when it is ephemeral
	origin  *Call // the interaction that it answers, nil for channel messages

	kind       int
	body       rules.Body
	components []rules.Component // those of the body, decoded
	compsJSON  json.RawMessage   // the same, encoded; every click carries them along
	mentioned
	reactions []*reaction
	pinned    time.Time      // zero for not at all
	reference map[string]any // as Discord writes it, nil for nothing
	created   time.Time
	edited    time.Time
	deleted   bool
	dismissed bool
	writes    []Write
}

// mentioned is whom a message mentions and notifies.
type mentioned struct {
	mentions []*User
	everyone bool
	roles    []*Role
	unknown  []string
	pinged   []*User
	badged   []*User
}

// shownAt returns the components that the message had at a moment; of one before
// the oldest that is remembered, those of the oldest.
func (m *Message) shownAt(at time.Time) []rules.Component {
	components := m.components
	for _, w := range slices.Backward(m.writes) {
		components = w.components
		if !w.At.After(at) {
			break
		}
	}
	return components
}

// Write is one creation, edit or deletion of a message.
type Write struct {
	// At is when it was applied, on the server's clock.
	At time.Time `json:"at"`
	// Action is "create", "edit" or "delete".
	Action string `json:"action"`
	// Method and Route say by which request, the route as a template like
	// "/webhooks/{application_id}/{interaction_token}"; empty for a person.
	Method string `json:"method,omitempty"`
	Route  string `json:"route,omitempty"`
	// Auth is what authorised it: "bot", "interaction" or "person"; "system" for what
	// Discord writes itself.
	Auth string `json:"auth"`
	// CallID is the id of the interaction whose token it was, if any.
	CallID string `json:"call_id,omitempty"`
	// Body is the request's JSON as it came.
	Body json.RawMessage `json:"body,omitempty"`
	// Text is the message's text afterwards.
	Text string `json:"text"`

	components []rules.Component // that the message showed afterwards
}

// Snapshot is what a message looks like at one moment.
type Snapshot struct {
	ID        string `json:"id"`
	ChannelID string `json:"channel_id"`
	GuildID   string `json:"guild_id,omitempty"`
	AuthorID  string `json:"author_id"`
	// Type is 0 for plain, 19 for replies, 20 for answers to slash commands, 23 for
	// answers to context-menu commands, and of what Discord writes itself 6 for a
	// pin, 18 for a new thread and 21 for the beginning of one from a message.
	Type    int    `json:"type"`
	Content string `json:"content"`
	// Flags are Discord's message flags; 128 while "thinking".
	Flags       int               `json:"flags"`
	Components  []rules.Component `json:"components"`
	Embeds      []any             `json:"embeds"`
	Attachments []any             `json:"attachments"`
	// Mentions are the ids of the people that the last write mentioned and was
	// allowed to mention; Unknown those in its text that were not, and whom no message
	// above showed: they are @unknown-user to everybody who does not know them.
	Mentions        []string `json:"mentions"`
	Unknown         []string `json:"unknown"`
	MentionEveryone bool     `json:"mention_everyone,omitempty"`
	// MentionRoles are the ids of the roles that the last write mentioned and was
	// allowed to mention.
	MentionRoles []string `json:"mention_roles,omitempty"`
	// Pinged are the ids of the people whom the creation notified; edits never
	// do, nor ephemeral messages, nor those with SUPPRESS_NOTIFICATIONS.
	Pinged []string `json:"pinged"`
	// Badged are the ids of the people on whose badge the creation counts, in red, while
	// they look elsewhere: those pinged, and with SUPPRESS_NOTIFICATIONS the same people.
	Badged []string `json:"badged"`
	// ViewerID is who alone sees an ephemeral message.
	ViewerID string    `json:"viewer_id,omitempty"`
	Created  time.Time `json:"created"`
	// EditedAt is zero for a message that was never edited.
	EditedAt  time.Time  `json:"edited_at,omitzero"`
	Deleted   bool       `json:"deleted,omitempty"`
	Reactions []Reaction `json:"reactions,omitempty"`
	Pinned    bool       `json:"pinned,omitempty"`
	// ReplyTo is the id of the message it refers to, if any.
	ReplyTo string `json:"reply_to,omitempty"`
	// ThreadID is the thread that was begun from the message, or that it tells of.
	ThreadID string `json:"thread_id,omitempty"`
	// CommandName and InvokerID say which command of whom it answers, if any.
	CommandName string `json:"command_name,omitempty"`
	InvokerID   string `json:"invoker_id,omitempty"`
	// Writes is its history, the creation first, unless Options.KeepWrites cut it.
	Writes []Write `json:"-"`
}

// ID is the message's snowflake.
func (m *Message) ID() string { return m.id }

// Channel is where the message is.
func (m *Message) Channel() *Channel { return m.channel }

// Author is who wrote it.
func (m *Message) Author() *User { return m.author }

// Link is the message's address in Discord's clients.
func (m *Message) Link() string { return m.channel.Link() + "/" + m.id }

// Snapshot returns what the message looks like now.
func (m *Message) Snapshot() Snapshot { return held(m.world, m.snapshot) }

func (m *Message) snapshot() Snapshot {
	s := Snapshot{
		ID: m.id, ChannelID: m.channel.id, GuildID: idOf(m.channel.guild), AuthorID: m.author.id, ViewerID: idOf(m.viewer), Type: m.kind,
		Content: m.body.Content, Flags: m.body.Flags, Components: orEmpty(m.components),
		Embeds: orEmpty(m.body.Embeds), Attachments: orEmpty(m.body.Attached),
		Mentions: userIDs(m.mentions), Unknown: append([]string{}, m.unknown...), MentionEveryone: m.everyone,
		Pinged: userIDs(m.pinged), Badged: userIDs(m.badged), Created: m.created, EditedAt: m.edited, Deleted: m.deleted,
		Writes: slices.Clone(m.writes),
	}
	s.MentionRoles = each(m.roles, (*Role).ID)
	s.Reactions = each(m.reactions, func(r *reaction) Reaction {
		return Reaction{strings.TrimSuffix(r.emoji.Name+":"+r.emoji.ID, ":"), userIDs(r.users)}
	})
	s.Pinned = !m.pinned.IsZero()
	s.ReplyTo = m.repliesTo()
	if m.kind == messageThreadCreated {
		s.ThreadID, _ = m.reference["channel_id"].(string)
	}
	if t := m.world.channels[m.id]; t != nil {
		s.ThreadID = t.id
	}
	if c := m.origin; c != nil && c.kind == InteractionCommand {
		s.CommandName, s.InvokerID = c.path, c.user.id
	}
	return s
}

// Text is the content and all text displays, one below the other, as it is read: without the
// marks that isolate a piece of text from the direction of another.
func (m *Message) Text() string { return m.Snapshot().Text() }

// Deleted reports whether the message was deleted or dismissed.
func (m *Message) Deleted() bool { return read(m.world, &m.deleted) }

// DeletableBy reports whether a person's client lets them delete the message: it is
// theirs, or they see it and manage messages. Nobody deletes what a thread begins with.
func (m *Message) DeletableBy(u *User) bool {
	defer m.world.hold()()
	manages := m.channel.guild != nil && m.visibleTo(u) && m.channel.permissionsOf(u)&permission.ManageMessages != 0
	return !m.deleted && m.kind != messageThreadStarter && (m.author == u || manages)
}

// Delete deletes the message as a moderator would.
func (m *Message) Delete() {
	defer m.world.hold()()
	m.deleteLocked(Write{Action: "delete", Auth: "person"})
}

// Wait waits until the message satisfies cond and returns that snapshot; it
// fails the test, naming what, after 20 s of real time.
func (m *Message) Wait(tb TB, what string, cond func(Snapshot) bool) Snapshot {
	tb.Helper()
	var got Snapshot
	m.world.WaitFor(tb, what, func() bool {
		got = m.Snapshot()
		return cond(got)
	})
	return got
}

// Text is the content and all text displays, one below the other, as it is read: without the
// marks that isolate a piece of text from the direction of another.
func (s Snapshot) Text() string {
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(rules.TextOf(s.Content, s.Components))
}

// Ephemeral reports whether only one person sees the message.
func (s Snapshot) Ephemeral() bool { return s.Flags&rules.FlagEphemeral != 0 }

// Loading reports whether the message still says that the bot is thinking.
func (s Snapshot) Loading() bool { return s.Flags&rules.FlagLoading != 0 }

// V2 reports whether the message is in components v2.
func (s Snapshot) V2() bool { return s.Flags&rules.FlagComponentsV2 != 0 }

// Rows returns the buttons of every action row in order, wherever the row is
// nested; rows with a select are empty.
func (s Snapshot) Rows() [][]rules.Button { return rules.ButtonRows(s.Components) }

// Button returns the first button of that label, in a row or beside a section's text,
// and whether there is one.
func (s Snapshot) Button(label string) (rules.Button, bool) {
	return s.first(func(c *rules.Component) bool { return c.Type == rules.TypeButton && c.Label == label })
}

// Labels lists the labels of all buttons, row by row.
func (s Snapshot) Labels() []string {
	var out []string
	for _, row := range s.Rows() {
		for _, b := range row {
			out = append(out, b.Label)
		}
	}
	return out
}

// Find returns the component of that custom id and whether there is one.
func (s Snapshot) Find(customID string) (rules.Component, bool) {
	return s.first(func(c *rules.Component) bool { return c.CustomID == customID && customID != "" })
}

// first returns the first component that is meant and whether there is one.
func (s Snapshot) first(meant func(*rules.Component) bool) (rules.Component, bool) {
	for c := range rules.All(s.Components) {
		if meant(c) {
			return *c, true
		}
	}
	return rules.Component{}, false
}

// Notification is what a pinged person's device shows: the content alone. It is
// empty for a message in components v2.
func (s Snapshot) Notification() string { return s.Content }

func userIDs(us []*User) []string { return each(us, (*User).ID) }

// visibleTo reports whether u sees the message, leaving aside that it may be deleted.
func (m *Message) visibleTo(u *User) bool {
	if m.viewer != nil && m.viewer != u {
		return false
	}
	return m.channel.visibleTo(u)
}
