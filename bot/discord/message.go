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
	By         string   // whoever caused the message: its creation does not notify them
	Role       string   // id of a role that may be mentioned, and no other
	Ephemeral  bool     // only the person who caused it sees it
	Quiet      bool     // notifies nobody, when it is created
	// Nonce tells a message that is posted again from another one: within some minutes
	// Discord posts one with the same nonce only once (documentation, Create Message,
	// enforce_nonce). At most 25 characters; only for what is posted to a channel.
	Nonce string
	// Files are the names of files that are uploaded with the message, in their order.
	Files []string
}

// Create returns the payload that makes the message. Discord notifies whomever that
// lists, and nobody by an edit: there everybody is listed whom the text names.
func (m Message) Create() json.RawMessage {
	if m.By != "" {
		m.People = slices.DeleteFunc(slices.Clone(m.People), func(id string) bool { return id == m.By })
	}
	flags := m.flags()
	if m.Ephemeral {
		flags |= flagEphemeral
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
	return string(append(appendText([]byte(`{"content":`), m.Content), ','))
}

// encode returns the payload that begins so. Every one names whom it may mention:
// Discord parses mentions anew on every edit.
//
// It is written by hand because every click needs one: reflection takes five times
// as long.
func (m Message) encode(begin string, flags int) json.RawMessage {
	b := make([]byte, 0, 1536) // a board of 3x3 fits
	b = append(b, begin...)
	b = append(b, `"components":`...)
	b = appendComponents(b, m.Components)
	if m.Nonce != "" {
		b = append(appendText(append(b, `,"nonce":`...), m.Nonce), `,"enforce_nonce":true`...)
	}
	for i, name := range m.Files {
		if b = append(b, ','); i == 0 {
			b = append(b, `"attachments":[`...)
		}
		b = strconv.AppendInt(append(b, `{"id":`...), int64(i), 10)
		b = append(appendText(append(b, `,"filename":`...), name), '}')
	}
	if len(m.Files) > 0 {
		b = append(b, ']')
	}
	if flags != 0 {
		b = strconv.AppendInt(append(b, `,"flags":`...), int64(flags), 10)
	}
	b = append(b, `,"allowed_mentions":{"parse":[]`...)
	people := slices.DeleteFunc(slices.Clone(m.People), isNobody)
	for i, id := range people {
		if i == 0 {
			b = append(b, `,"users":[`...)
		} else {
			b = append(b, ',')
		}
		b = appendText(b, id)
	}
	if len(people) > 0 {
		b = append(b, ']')
	}
	if m.Role != "" {
		b = append(appendText(append(b, `,"roles":[`...), m.Role), ']')
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
