package bot

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"tictactoe/store"
)

// The kinds of interactions (Discord's documentation, Interaction Type).
const (
	kindPing         = 1
	kindCommand      = 2
	kindComponent    = 3
	kindAutocomplete = 4
	kindModal        = 5
)

// The types of commands and of options that matter here.
const (
	commandChat = 1
	commandUser = 2

	optionSubcommand = 1
	optionString     = 3
	optionBoolean    = 5
	optionUser       = 6
)

// Permission bits (Discord's documentation, Permissions).
const (
	permissionAdministrator  = 1 << 3
	permissionViewChannel    = 1 << 10
	permissionManageMessages = 1 << 13
)

// interaction is what the handlers need of an interaction. It is decoded from the
// event itself: everything in it came over the network and may be missing.
type interaction struct {
	id    store.InteractionID
	token string // a bearer credential for 15 minutes: never log it
	kind  int

	guild       store.GuildID // empty in direct messages
	channel     store.ChannelID
	user        store.UserID
	permissions uint64 // of the user in the channel; 0 in direct messages
	locale      string
	guildLocale string

	command string // the subcommand, or the name of a user command
	target  store.UserID
	options map[string]json.RawMessage
	users   map[string]resolvedUser
	members map[string]resolvedMember

	customID string
	message  clickedMessage

	received time.Time
	counted  time.Time // as a start; zero if it is none
}

type resolvedUser struct {
	Bot bool `json:"bot"`
}

type resolvedMember struct {
	Permissions string `json:"permissions"`
}

// clickedMessage is the message that a button sits on.
type clickedMessage struct {
	ID    store.MessageID `json:"id"`
	Flags int             `json:"flags"`
}

func (m clickedMessage) ephemeral() bool { return m.Flags&flagEphemeral != 0 }

// errInteraction: what arrived cannot be understood.
var errInteraction = errors.New("bot: interaction not understood")

// wireInteraction is the envelope as Discord sends it.
type wireInteraction struct {
	ID          string          `json:"id"`
	Token       string          `json:"token"`
	Type        int             `json:"type"`
	GuildID     string          `json:"guild_id"`
	ChannelID   string          `json:"channel_id"`
	Locale      string          `json:"locale"`
	GuildLocale string          `json:"guild_locale"`
	Data        json.RawMessage `json:"data"`
	Message     clickedMessage  `json:"message"`
	User        wireUser        `json:"user"`
	Member      struct {
		User        wireUser `json:"user"`
		Permissions string   `json:"permissions"`
	} `json:"member"`
}

type wireUser struct {
	ID string `json:"id"`
}

type wireOption struct {
	Name    string          `json:"name"`
	Type    int             `json:"type"`
	Value   json.RawMessage `json:"value"`
	Options []wireOption    `json:"options"`
}

type wireData struct {
	Name     string       `json:"name"`
	Type     int          `json:"type"`
	TargetID string       `json:"target_id"`
	CustomID string       `json:"custom_id"`
	Options  []wireOption `json:"options"`
	Resolved struct {
		Users   map[string]resolvedUser   `json:"users"`
		Members map[string]resolvedMember `json:"members"`
	} `json:"resolved"`
}

// decodeInteraction reads an interaction. When it fails but id and token could be
// read, the interaction that it returns can still be answered.
func decodeInteraction(raw json.RawMessage, received time.Time) (*interaction, error) {
	var head struct {
		ID    string `json:"id"`
		Token string `json:"token"`
	}
	if err := json.Unmarshal(raw, &head); err != nil || head.ID == "" || head.Token == "" {
		return nil, fmt.Errorf("%w: no id or token", errInteraction)
	}
	in := &interaction{
		id: store.InteractionID(head.ID), token: head.Token,
		locale: defaultLocale, received: received,
	}
	var w wireInteraction
	err := json.Unmarshal(raw, &w)
	in.kind = w.Type // known also where something else is of the wrong type: it decides which answer fits
	if err != nil {
		return in, fmt.Errorf("%w: %w", errInteraction, shapeOf(err))
	}
	in.guild, in.channel = store.GuildID(w.GuildID), store.ChannelID(w.ChannelID)
	in.message, in.guildLocale = w.Message, w.GuildLocale
	if w.Locale != "" {
		in.locale = w.Locale
	}
	in.user = store.UserID(w.Member.User.ID)
	if in.user == "" {
		in.user = store.UserID(w.User.ID)
	}
	if in.user == "" || in.channel == "" {
		return in, fmt.Errorf("%w: no user or channel", errInteraction)
	}
	// None if it is no number, nor if it is one that is too large, for which ParseUint
	// would return every bit.
	if set, err := strconv.ParseUint(w.Member.Permissions, 10, 64); err == nil {
		in.permissions = set
	}
	if len(w.Data) == 0 {
		return in, fmt.Errorf("%w: no data", errInteraction)
	}
	var data wireData
	if err := json.Unmarshal(w.Data, &data); err != nil {
		return in, fmt.Errorf("%w: data: %w", errInteraction, shapeOf(err))
	}
	in.customID = data.CustomID
	in.users, in.members = data.Resolved.Users, data.Resolved.Members
	in.target = store.UserID(data.TargetID)
	in.command = data.Name
	in.options = map[string]json.RawMessage{}
	options := data.Options
	if data.Type == commandChat && in.kind == kindCommand {
		in.command = ""
		if len(options) == 1 && options[0].Type == optionSubcommand {
			in.command, options = options[0].Name, options[0].Options
		}
	}
	for _, o := range options {
		in.options[o.Name] = o.Value
	}
	return in, nil
}

// shapeOf keeps where a JSON value was wrong and drops what it was: that came from
// outside.
func shapeOf(err error) error {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return fmt.Errorf("field %s is not a %s", t.Field, t.Type)
	}
	return errors.New("bad JSON")
}

// text returns a string option, and whether it was given as one.
func (in *interaction) text(name string) (s string, ok bool) {
	raw, ok := in.options[name]
	if !ok || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// flag returns a boolean option, false where it was left out, and an error where it
// is no boolean.
func (in *interaction) flag(name string) (v bool, err error) {
	if raw := in.options[name]; len(raw) > 0 && json.Unmarshal(raw, &v) != nil {
		return false, errBadOption
	}
	return v, nil
}

// may reports whether the user has the permission in the channel.
func (in *interaction) may(bit uint64) bool {
	return in.permissions&(bit|permissionAdministrator) != 0
}

// memberMay reports whether a resolved member has the permission in the channel.
// Without a readable set of permissions nothing speaks against it.
func memberMay(m resolvedMember, bit uint64) bool {
	set, err := strconv.ParseUint(m.Permissions, 10, 64)
	return err != nil || set&(bit|permissionAdministrator) != 0
}

// firstUser returns the first person in the match.
func firstUser(m store.Match) store.Player {
	if m.X.IsUser() {
		return m.X
	}
	return m.O
}
