package discord

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The kinds of interactions (Discord's documentation, Interaction Type).
const (
	KindPing         = 1 // over HTTP only
	KindCommand      = 2
	KindComponent    = 3
	KindAutocomplete = 4
)

// The types of commands and of options that matter here.
const (
	CommandChat = 1
	CommandUser = 2

	OptionSubcommand = 1
	OptionString     = 3
	OptionBoolean    = 5
	OptionUser       = 6
)

// Permission bits (Discord's documentation, Permissions).
const (
	permissionAdministrator  = 1 << 3
	PermissionManageGuild    = 1 << 5
	PermissionViewChannel    = 1 << 10
	PermissionSendMessages   = 1 << 11
	PermissionManageMessages = 1 << 13
	permissionAttachFiles    = 1 << 15
	permissionReadHistory    = 1 << 16
	PermissionCreateThreads  = 1 << 35
	PermissionSendInThreads  = 1 << 38
	PermissionExternalApps   = 1 << 50
)

// AnswerTime is how long Discord waits for the first answer to an interaction, by its
// documentation (Receiving and Responding to Interactions).
const AnswerTime = 3 * time.Second

// Share returns as large a part of the time that is there for an answer as d is of Discord's.
func Share(d, answerTime time.Duration) time.Duration {
	return time.Duration(float64(d) * (float64(answerTime) / float64(AnswerTime)))
}

// Interaction is what a bot needs of an interaction. It is decoded from the event
// itself: everything in it came over the network and may be missing.
type Interaction struct {
	ID    string
	Token string // a bearer credential for 15 minutes: never log it
	Kind  int

	Application string // that the interaction is for: its id is its bot user's, too
	Guild       string // empty in direct messages
	Channel     string
	User        string
	Permissions uint64 // of the user in the channel; 0 in direct messages
	App         uint64 // permissions of the application there
	Locale      string
	GuildLocale string

	// Parent is the channel whose thread the channel is, empty for any other channel.
	Parent string
	// TextChannel says that the channel is a plain text channel of a guild, in which
	// threads can be begun.
	TextChannel bool

	// BotAbsent says that interaction tokens alone reach what is written here: the bot is no
	// member of the guild, or the channel is one of direct messages between people (Discord's
	// documentation, Interaction, authorizing_integration_owners, app_permissions and context).
	BotAbsent bool
	// Brought says that the guild has not installed the application: somebody has brought it
	// along.
	Brought bool
	// Installed says that the guild itself has installed the application, and has it still.
	Installed bool
	// Recipients are the others in direct messages, as far as Discord names them. Of a Group of
	// people it names nobody.
	Recipients []string
	Group      bool

	Command string // the subcommand, or the name of a user command
	Root    string // the slash command that it is, or is a subcommand of
	Target  string // whom a user command is about
	Options map[string]json.RawMessage
	Users   map[string]ResolvedUser
	Members map[string]ResolvedMember
	// Channels are those that were chosen, as Discord knows them.
	Channels map[string]ResolvedChannel

	CustomID string
	Values   []string // chosen in a select
	Message  clickedMessage

	Received time.Time

	// Malformed says what could not be understood, as far as that can be told without
	// repeating it. Such an interaction can be answered, and nothing else.
	Malformed error
}

type ResolvedUser struct {
	Bot bool `json:"bot"`
}

// ResolvedChannel is a channel of the guild.
type ResolvedChannel struct {
	Type int `json:"type"`
}

// TakesPosts reports whether it is a channel in which everybody who sees it can be told
// something.
func (c ResolvedChannel) TakesPosts() bool { return c.Type == channelText || c.Type == channelNews }

type ResolvedMember struct {
	Permissions string `json:"permissions"`
}

// clickedMessage is the message that a button or select sits on, as it was when Discord took
// the click.
type clickedMessage struct {
	ID     string
	Flags  int
	Edited time.Time // zero if it never was
	Marker int       // the number of its first component, 0 without one
	Text   string    // the first text in that component
	// Mentions are the people whom it lists.
	Mentions []string
	// Lacks says that the message has components, and among them none with the custom
	// ID that was clicked: somebody has made the click up, or it came late.
	Lacks bool
}

// Ephemeral reports whether only the person who clicked sees the message.
func (m clickedMessage) Ephemeral() bool { return m.Flags&flagEphemeral != 0 }

// V2 reports whether the message is made of components alone.
func (m clickedMessage) V2() bool { return m.Flags&flagComponentsV2 != 0 }

// Known returns those whom every client knows that shows an answer in the channel: the answer
// says who caused it, and the message that was clicked stands above it and lists others. One
// that is over an hour old may stand so far above that who opens the channel does not load it.
func (in *Interaction) Known() []string {
	shown, _ := Made(in.Message.ID)
	if clicked, _ := Made(in.ID); in.Message.Ephemeral() || clicked-shown > time.Hour {
		return []string{in.User}
	}
	return append([]string{in.User}, in.Message.Mentions...)
}

// fallbackLocale is the language of an interaction that names none.
const fallbackLocale = "en-US"

// errInteraction: what arrived cannot be understood.
var errInteraction = errors.New("discord: interaction not understood")

// wireInteraction is the envelope as Discord sends it.
type wireInteraction struct {
	ID          string          `json:"id"`
	Token       string          `json:"token"`
	Type        int             `json:"type"`
	Application string          `json:"application_id"`
	GuildID     string          `json:"guild_id"`
	ChannelID   string          `json:"channel_id"`
	Locale      string          `json:"locale"`
	GuildLocale string          `json:"guild_locale"`
	App         json.RawMessage `json:"app_permissions"` // of these four nothing is needed
	Where       json.RawMessage `json:"channel"`
	Owners      json.RawMessage `json:"authorizing_integration_owners"`
	Context     json.RawMessage `json:"context"`
	Data        json.RawMessage `json:"data"`
	Message     wireMessage     `json:"message"`
	User        wireUser        `json:"user"`
	Member      struct {
		User        wireUser `json:"user"`
		Permissions string   `json:"permissions"`
	} `json:"member"`
}

// wireChannel is the little of the channel that counts.
type wireChannel struct {
	Type       *int       `json:"type"`
	Parent     string     `json:"parent_id"` // of a thread its channel, else its category
	Recipients []wireUser `json:"recipients"`
}

// The kinds of channels that matter here (Discord's documentation, Channel Types).
const (
	channelText         = 0
	channelGroup        = 3
	channelNews         = 5
	channelNewsThread   = 10
	channelPublicThread = 11
)

// read notes what kind of a channel it is.
func (w wireChannel) read(in *Interaction) {
	for _, u := range w.Recipients {
		in.Recipients = append(in.Recipients, u.ID)
	}
	switch {
	case w.Type == nil:
	case *w.Type == channelText:
		in.TextChannel = in.Guild != ""
	case *w.Type == channelGroup:
		in.BotAbsent, in.Group = true, true
	case *w.Type == channelNewsThread, *w.Type == channelPublicThread:
		in.Parent = w.Parent
	}
}

// wireMessage is the little of the clicked message that counts.
type wireMessage struct {
	ID         string     `json:"id"`
	Flags      int        `json:"flags"`
	Edited     string     `json:"edited_timestamp"`
	Mentions   []wireUser `json:"mentions"`
	Components []struct {
		ID      int    `json:"id"`
		Content string `json:"content"`
		Inside  []struct {
			Content string `json:"content"`
		} `json:"components"`
	} `json:"components"`
}

// clicked reads a message. A time that is none is as if there were none.
func (w wireMessage) clicked() clickedMessage {
	m := clickedMessage{ID: w.ID, Flags: w.Flags}
	m.Edited, _ = time.Parse(time.RFC3339, w.Edited)
	for _, u := range w.Mentions {
		m.Mentions = append(m.Mentions, u.ID)
	}
	if len(w.Components) > 0 {
		first := w.Components[0]
		m.Marker, m.Text, m.Lacks = first.ID, first.Content, true
		for i := 0; m.Text == "" && i < len(first.Inside); i++ {
			m.Text = first.Inside[i].Content
		}
	}
	return m
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
	Values   []string     `json:"values"`
	Options  []wireOption `json:"options"`
	Resolved struct {
		Users    map[string]ResolvedUser    `json:"users"`
		Members  map[string]ResolvedMember  `json:"members"`
		Channels map[string]ResolvedChannel `json:"channels"`
	} `json:"resolved"`
}

// DecodeInteraction reads an interaction. It fails where nobody could be answered;
// everything else that is wrong is said by Malformed. A PING has hardly more than its kind, and
// needs no more.
func DecodeInteraction(raw json.RawMessage, received time.Time) (*Interaction, error) {
	w, err := unmarshal[wireInteraction](raw)
	if w.Type != KindPing && (w.ID == "" || w.Token == "") {
		return nil, fmt.Errorf("%w: no id or token", errInteraction)
	}
	in := &Interaction{
		ID: w.ID, Token: w.Token,
		Locale: fallbackLocale, Received: received,
	}
	in.Kind = w.Type // known also where something else is of the wrong type: it decides which answer fits
	if err != nil {
		return malformed(in, fmt.Errorf("%w: %w", errInteraction, shapeOf(err)))
	}
	in.Application, in.Guild, in.Channel = w.Application, w.GuildID, w.ChannelID
	in.Message, in.GuildLocale = w.Message.clicked(), w.GuildLocale
	in.Locale = cmp.Or(w.Locale, fallbackLocale)
	in.User = cmp.Or(w.Member.User.ID, w.User.ID)
	if in.User == "" || in.Channel == "" {
		return malformed(in, fmt.Errorf("%w: no user or channel", errInteraction))
	}
	// None if it is no number, nor if it is one that is too large, for which ParseUint
	// would return every bit.
	if set, err := strconv.ParseUint(w.Member.Permissions, 10, 64); err == nil {
		in.Permissions = set
	}
	var app string
	_ = json.Unmarshal(w.App, &app) // what is no text is no number either
	if set, err := strconv.ParseUint(app, 10, 64); err == nil {
		in.App = set
	}
	var where wireChannel
	if json.Unmarshal(w.Where, &where) == nil {
		where.read(in)
	}
	w.readReach(in)
	if len(w.Data) == 0 {
		return malformed(in, fmt.Errorf("%w: no data", errInteraction))
	}
	data, err := unmarshal[wireData](w.Data)
	if err != nil {
		return malformed(in, fmt.Errorf("%w: data: %w", errInteraction, shapeOf(err)))
	}
	in.CustomID, in.Values = data.CustomID, data.Values
	if quoted, err := json.Marshal(in.CustomID); err == nil && bytes.Count(raw, quoted) > 1 {
		in.Message.Lacks = false // once as what was clicked, and once on the message
	}
	in.Users, in.Members, in.Channels = data.Resolved.Users, data.Resolved.Members, data.Resolved.Channels
	in.Target = data.TargetID
	in.Command = data.Name
	in.Options = map[string]json.RawMessage{}
	options := data.Options
	if data.Type == CommandChat && in.Kind == KindCommand {
		in.Root, in.Command = data.Name, ""
		if len(options) == 1 && options[0].Type == OptionSubcommand {
			in.Command, options = options[0].Name, options[0].Options
		}
	}
	for _, o := range options {
		in.Options[o.Name] = o.Value
	}
	return in, nil
}

// likeFirst lets the second version of encoding/json accept what the first does.
var likeFirst = json2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// unmarshal reads a value. Most of a click is the message that was clicked, of which
// hardly anything is needed: the second version of encoding/json goes through it
// once, the first one twice. Where that one fails the first has its turn: it goes on
// behind a value of the wrong type, so that as much as possible is known.
func unmarshal[T any](raw []byte) (v T, err error) {
	if json2.Unmarshal(raw, &v, likeFirst) == nil {
		return v, nil
	}
	var again T
	err = json.Unmarshal(raw, &again)
	return again, err
}

func malformed(in *Interaction, err error) (*Interaction, error) {
	in.Malformed = err
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

// Text returns a string option, and whether it was given as one.
func (in *Interaction) Text(name string) (s string, ok bool) {
	raw, ok := in.Options[name]
	if !ok || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// Flag returns a boolean option, false where it was left out, and whether it was a
// boolean or left out.
func (in *Interaction) Flag(name string) (v, ok bool) {
	raw := in.Options[name]
	ok = len(raw) == 0 || json.Unmarshal(raw, &v) == nil
	return v, ok
}

// May reports whether the user has the permission in the channel.
func (in *Interaction) May(bit uint64) bool {
	return in.Permissions&(bit|permissionAdministrator) != 0
}

// AppMay reports whether the application has all of the permissions in the channel.
func (in *Interaction) AppMay(bits uint64) bool { return in.AppLacks(bits) == 0 }

// AppLacks returns those of the permissions that the application lacks in the channel.
func (in *Interaction) AppLacks(bits uint64) uint64 {
	if in.App&permissionAdministrator != 0 {
		return 0
	}
	return bits &^ in.App
}

// BeginThreads is what it takes to begin a thread in a channel and to write in it.
const BeginThreads = PermissionCreateThreads | PermissionSendInThreads | PermissionViewChannel

// MemberMay reports whether a resolved member has the permission in the channel.
// Without a readable set of permissions nothing speaks against it.
func MemberMay(m ResolvedMember, bit uint64) bool {
	set, err := strconv.ParseUint(m.Permissions, 10, 64)
	return err != nil || set&(bit|permissionAdministrator) != 0
}
