// Package kept is the form in which a world is kept: people, guilds, channels, messages and
// registered commands with their ids.
package kept

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// Version is the version of the form.
const Version = 1

// State is a world as SaveState writes it: who and what there is and every
// message that is not deleted, without interactions, sessions and faults.
type State struct {
	Version  int           `json:"version"`
	LastID   string        `json:"last_id,omitempty"` // that was issued
	AppID    string        `json:"app_id"`
	Owner    string        `json:"owner,omitempty"`
	Owned    bool          `json:"owned,omitempty"` // the owner is one of the people
	Token    string        `json:"token"`
	Users    []User        `json:"users"`
	Guilds   []Guild       `json:"guilds"`
	Messages []Message     `json:"messages"`
	Calls    []Call        `json:"calls,omitempty"`
	Files    []*files.File `json:"files,omitempty"`
	Emojis   []*Emoji      `json:"emojis,omitempty"`
	Webhooks []Webhook     `json:"webhooks,omitempty"`
	// Apps are those beside the first one.
	Apps []App `json:"apps,omitempty"`
	// Parties are the direct messages between people.
	Parties  []Party `json:"parties,omitempty"`
	Commands map[string][]*rules.Command
}

// App is an application beside the first one.
type App struct {
	ID          string                      `json:"id"`
	Token       string                      `json:"token"`
	Permissions int64                       `json:"permissions,omitempty"`
	Intents     int                         `json:"intents,omitempty"`
	Commands    map[string][]*rules.Command `json:"commands,omitempty"`
	Emojis      []*Emoji                    `json:"emojis,omitempty"`
}

// User is somebody, or a bot.
type User struct {
	ID string `json:"id"`
	Person
	Joined map[string]string `json:"joined"` // by guild id
	// Roles are the ids of all roles in all guilds.
	Roles    []string             `json:"roles,omitempty"`
	Timeouts map[string]time.Time `json:"timeouts,omitempty"` // by guild id
	DMs      map[string]string    `json:"dms,omitempty"`      // with bots, by the application's id
	DM       string               `json:"dm,omitempty"`       // with the first one's, in worlds of before
}

// Person is what a user is by themselves.
type Person struct {
	Name        string `json:"name"` // that Discord shows
	Nick        string `json:"nick,omitempty"`
	Locale      string `json:"locale"`
	Bot         bool   `json:"bot,omitempty"`
	Permissions int64  `json:"permissions,omitempty"` // beside the usual ones
	ClosedDMs   bool   `json:"closed_dms,omitempty"`
	Installed   bool   `json:"installed,omitempty"` // has the application for themselves
	Deleted     bool   `json:"deleted,omitempty"`
}

// Guild is a guild with its roles and channels.
type Guild struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Locale   string    `json:"locale"`
	HasBot   bool      `json:"has_bot"`
	Commands bool      `json:"commands_only,omitempty"`
	Members  []string  `json:"members"`
	Roles    []Role    `json:"roles,omitempty"` // by position
	Banned   []string  `json:"banned,omitempty"`
	Channels []Channel `json:"channels"`
}

// Role is a role of a guild.
type Role struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Permissions int64  `json:"permissions"`
	Color       int    `json:"color,omitempty"`
	Hoist       bool   `json:"hoist,omitempty"`
	Mentionable bool   `json:"mentionable,omitempty"`
	Managed     bool   `json:"managed,omitempty"` // an application's own: it comes and goes with the bot
	Derived     bool   `json:"derived,omitempty"` // made for people with Permissions or Moderator
}

// Channel is a channel of a guild, or a thread.
type Channel struct {
	ID         string                 `json:"id"`
	Name       string                 `json:"name"`
	Topic      string                 `json:"topic,omitempty"`
	Parent     string                 `json:"parent,omitempty"`
	Type       int                    `json:"type,omitempty"` // of one that is no thread
	Overwrites []permission.Overwrite `json:"overwrites,omitempty"`
	Thread     Thread                 `json:"thread,omitzero"`
	Archived   bool                   `json:"archived,omitempty"`
	Locked     bool                   `json:"locked,omitempty"`
}

// Thread is what a channel has more that is a thread.
type Thread struct {
	Owner       string               `json:"owner,omitempty"`
	Private     bool                 `json:"private,omitempty"`
	AutoArchive time.Duration        `json:"auto_archive"`
	ArchivedAt  time.Time            `json:"archived_at"`
	Members     map[string]time.Time `json:"members,omitempty"` // when they joined
}

// Party is the direct messages between people.
type Party struct {
	ID     string   `json:"id"`
	People []string `json:"people"`
}

// Emoji is an emoji of an application.
type Emoji struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Animated bool   `json:"animated,omitempty"`
	Picture  []byte `json:"picture,omitempty"`
}

// Webhook is a webhook of a channel.
type Webhook struct {
	ID      string `json:"id"`
	Token   string `json:"token"`
	Name    string `json:"name"`
	Channel string `json:"channel"`
	App     string `json:"app,omitempty"` // that made it
}

// Reaction is who reacted with an emoji.
type Reaction struct {
	Emoji rules.Emoji `json:"emoji"`
	Users []string    `json:"users"`
}

// Message is a message that all who see its channel see.
type Message struct {
	ID      string `json:"id"`
	Channel string `json:"channel"`
	Author  string `json:"author"`
	Webhook string `json:"webhook,omitempty"` // the name of an author who is a webhook
	Kind    int    `json:"kind,omitempty"`
	rules.Body
	Mentions  []string   `json:"mentions,omitempty"`
	Unknown   []string   `json:"unknown,omitempty"`
	Named     []string   `json:"named,omitempty"` // the ids of roles that are mentioned
	Reactions []Reaction `json:"reactions,omitempty"`
	Pinned    time.Time  `json:"pinned,omitzero"`
	Created   time.Time  `json:"created"`
	Edited    time.Time  `json:"edited,omitzero"`
	ReplyTo   string     `json:"reply_to,omitempty"`
	About     string     `json:"about,omitempty"`  // the channel that it refers to, if another
	Origin    string     `json:"origin,omitempty"` // the id of a Call
}

// Call is what a message keeps of the interaction that it answers.
type Call struct {
	ID       string `json:"id"`
	Kind     int    `json:"kind"`
	Path     string `json:"path,omitempty"`
	User     string `json:"user"`
	Channel  string `json:"channel"`
	Message  string `json:"message,omitempty"`  // whose component was used
	Original string `json:"original,omitempty"` // the first answer
	// Trigger is interaction_metadata of what opened the modal.
	Trigger map[string]any `json:"trigger,omitempty"`
	App     string         `json:"app,omitempty"` // whose it was; the first one's, if empty
}

// Read reads a state of this version that has an application and a guild.
func Read(r io.Reader) (State, error) {
	var s State
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return s, err
	}
	if s.Version != Version || s.AppID == "" || s.Token == "" || len(s.Guilds) == 0 {
		return s, fmt.Errorf("version %d", s.Version)
	}
	return s, nil
}
