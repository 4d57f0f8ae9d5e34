package discord

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Message is what a view makes: either plain, with content and at most a few
// rows of buttons, or built of components throughout (v2). It knows nothing of
// how it is sent.
type Message struct {
	V2         bool
	Content    string // plain messages only
	Components []Component
	People     []string // ids of the users who may be mentioned, and nobody else
	// Calls are those of them whom it concerns now. The creation of a message that others
	// see lists nobody else: Discord counts it on the badge of each, also where it is quiet.
	Calls     []string
	Role      string // id of a role that may be mentioned, and no other
	Ephemeral bool   // only the person who caused it sees it
	Quiet     bool   // its creation makes no sound
	// Nonce tells a message that is posted again from another one: within some minutes
	// Discord posts one with the same nonce only once (documentation, Create Message,
	// enforce_nonce). At most 25 characters; only for what is posted to a channel.
	Nonce string
	// Files are the names of files that are uploaded with the message, in their order.
	Files []string
}

// By returns the message as one that the user caused: its creation does not call them.
func (m Message) By(user string) Message {
	m.Calls = slices.DeleteFunc(slices.Clone(m.Calls), func(id string) bool { return id == user })
	return m
}

// OfComponents returns the message built of components throughout, as which it takes the place of
// one that is: such a message stays so, and Discord refuses plain text for it.
func (m Message) OfComponents() Message {
	if !m.V2 {
		m.Components = append([]Component{TextDisplay(m.Content)}, m.Components...)
		m.V2, m.Content = true, ""
	}
	return m
}

// Unlisted reports whether the creation leaves out somebody who may be mentioned, so that
// some clients show @unknown-user until an edit. known are those whom every client knows.
func (m Message) Unlisted(known ...string) bool {
	return !m.Ephemeral && slices.ContainsFunc(m.People, func(id string) bool {
		return !slices.Contains(known, id) && !isNobody(id) && !slices.Contains(m.Calls, id)
	})
}

// Create returns the payload that makes the message. It lists whom the message calls; an
// edit, which notifies nobody and counts on no badge, lists everybody whom the text names.
func (m Message) Create() json.RawMessage {
	flags := m.flags()
	if m.Ephemeral {
		flags |= flagEphemeral
	} else {
		m.People = m.Calls
	}
	if m.Quiet && !m.Ephemeral {
		flags |= flagSuppressNotifications
	}
	if m.V2 {
		// It must not have a content, while an edited one needs null to lose its text.
		return m.encode("{", flags)
	}
	return m.encode(m.content(), flags)
}

// Edit returns the payload that turns an existing message into this one. A plain
// message becomes one of components by the flag together with an empty content
// and an empty list of embeds: null embeds were refused there.
func (m Message) Edit() json.RawMessage {
	if m.V2 {
		return m.encode(`{"content":null,"embeds":[],`, m.flags())
	}
	return m.encode(m.content(), m.flags())
}

func (m Message) flags() int {
	if m.V2 {
		return flagComponentsV2
	}
	return 0
}

// content returns the beginning of the payload of a plain message.
func (m Message) content() string {
	return string(append(appendQuoted([]byte(`{"content":`), m.Content), ','))
}

// encode returns the payload that begins so. Every one names whom it may mention:
// Discord parses mentions anew on every edit.
//
// It is written by hand because every click needs one: reflection takes five times
// as long.
func (m Message) encode(begin string, flags int) json.RawMessage {
	b := make([]byte, 0, 1536) // a board of 3x3 fits
	b = append(b, begin...)
	if len(m.Components) == 0 {
		b = append(b, `"components":[]`...) // which an edit needs to take them away
	}
	b = appendList(b, `"components":`, m.Components, appendComponent)
	if m.Nonce != "" {
		b = append(appendText(b, `,"nonce":`, m.Nonce), `,"enforce_nonce":true`...)
	}
	id := int64(-1)
	b = appendList(b, `,"attachments":`, m.Files, func(b []byte, name *string) []byte {
		id++
		b = strconv.AppendInt(append(b, `{"id":`...), id, 10)
		return append(appendQuoted(append(b, `,"filename":`...), *name), '}')
	})
	b = appendNumber(b, `,"flags":`, flags)
	b = append(b, `,"allowed_mentions":{"parse":[]`...)
	people := slices.DeleteFunc(slices.Clone(m.People), isNobody)
	b = appendList(b, `,"users":`, people, func(b []byte, id *string) []byte { return appendQuoted(b, *id) })
	if m.Role != "" {
		b = append(appendQuoted(append(b, `,"roles":[`...), m.Role), ']')
	}
	return append(b, "}}"...)
}

// isNobody reports whether the id is none that Discord gives: it takes those of up to 63
// bits, and what stands for somebody who was erased has more.
func isNobody(id string) bool {
	const least = "9223372036854775808"
	return len(id) > len(least) || len(id) == len(least) && id >= least
}

// MustJSON encodes what always can be.
func MustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers and slices of ours always marshal
	}
	return b
}
