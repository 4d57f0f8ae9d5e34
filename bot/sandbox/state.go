package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// ErrState: what LoadState was given is no saved state, or the server has been
// used already.
var ErrState = errors.New("sandbox: no saved state")

// savedFileBytes bounds the files of a saved state, which is written often.
const savedFileBytes = 4 << 20

// stateVersion is the version of the saved form.
const stateVersion = 1

// savedState is a world as SaveState writes it: who and what there is and every
// message that is not deleted, without interactions, sessions and faults.
type savedState struct {
	Version  int            `json:"version"`
	AppID    string         `json:"app_id"`
	Owner    string         `json:"owner,omitempty"`
	Owned    bool           `json:"owned,omitempty"` // the owner is one of the people
	Token    string         `json:"token"`
	Users    []savedUser    `json:"users"`
	Guilds   []savedGuild   `json:"guilds"`
	Messages []savedMessage `json:"messages"`
	Calls    []savedCall    `json:"calls,omitempty"`
	Files    []savedFile    `json:"files,omitempty"`
	Emojis   []savedEmoji   `json:"emojis,omitempty"`
	Webhooks []savedWebhook `json:"webhooks,omitempty"`
	// Apps are those beside the first one.
	Apps []savedApp `json:"apps,omitempty"`
	// Parties are the direct messages between people.
	Parties  []savedParty `json:"parties,omitempty"`
	Commands map[string][]*rules.Command
}

type savedApp struct {
	ID          string                      `json:"id"`
	Token       string                      `json:"token"`
	Permissions int64                       `json:"permissions,omitempty"`
	Intents     int                         `json:"intents,omitempty"`
	Commands    map[string][]*rules.Command `json:"commands,omitempty"`
	Emojis      []savedEmoji                `json:"emojis,omitempty"`
}

func (a *App) savedEmojis() (out []savedEmoji) {
	for _, e := range a.emojis {
		out = append(out, savedEmoji{e.id, e.name, e.animated, e.picture.Body})
	}
	return out
}

// load takes over what was saved of an application.
func (a *App) load(saved savedApp) {
	if saved.Commands != nil {
		a.commands.scopes = saved.Commands
	}
	for _, e := range saved.Emojis {
		a.emojis = append(a.emojis, &appEmoji{e.ID, e.Name, e.Animated, files.New(e.ID, e.ID, e.Picture)})
	}
}

type savedUser struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Nick        string            `json:"nick,omitempty"`
	Locale      string            `json:"locale"`
	Bot         bool              `json:"bot,omitempty"`
	Permissions int64             `json:"permissions,omitempty"`
	ClosedDMs   bool              `json:"closed_dms,omitempty"`
	Installed   bool              `json:"installed,omitempty"`
	Joined      map[string]string `json:"joined"` // by guild id
	// Roles are the ids of all roles in all guilds.
	Roles    []string             `json:"roles,omitempty"`
	Timeouts map[string]time.Time `json:"timeouts,omitempty"` // by guild id
	DM       string               `json:"dm,omitempty"`
	DMs      map[string]string    `json:"dms,omitempty"` // with other applications' bots, by their id
	Deleted  bool                 `json:"deleted,omitempty"`
}

type savedGuild struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Locale   string         `json:"locale"`
	HasBot   bool           `json:"has_bot"`
	Commands bool           `json:"commands_only,omitempty"`
	Members  []string       `json:"members"`
	Roles    []savedRole    `json:"roles,omitempty"` // by position
	Banned   []string       `json:"banned,omitempty"`
	Channels []savedChannel `json:"channels"`
}

type savedRole struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Permissions int64  `json:"permissions"`
	Color       int    `json:"color,omitempty"`
	Hoist       bool   `json:"hoist,omitempty"`
	Mentionable bool   `json:"mentionable,omitempty"`
	Managed     bool   `json:"managed,omitempty"`
	Derived     bool   `json:"derived,omitempty"`
}

type savedChannel struct {
	ID         string                 `json:"id"`
	Name       string                 `json:"name"`
	Topic      string                 `json:"topic,omitempty"`
	Parent     string                 `json:"parent,omitempty"`
	Type       int                    `json:"type,omitempty"` // of one that is no thread
	Overwrites []permission.Overwrite `json:"overwrites,omitempty"`
	Thread     *savedThread           `json:"thread,omitempty"`
	Archived   bool                   `json:"archived,omitempty"`
	Locked     bool                   `json:"locked,omitempty"`
	// Worlds that were saved before there were overwrites have these instead.
	Denied  int64    `json:"denied,omitempty"`
	Only    []string `json:"only,omitempty"`
	Limited bool     `json:"limited,omitempty"`
}

type savedThread struct {
	Owner       string               `json:"owner,omitempty"`
	Private     bool                 `json:"private,omitempty"`
	AutoArchive time.Duration        `json:"auto_archive"`
	ArchivedAt  time.Time            `json:"archived_at"`
	Members     map[string]time.Time `json:"members,omitempty"` // when they joined
}

type savedParty struct {
	ID     string   `json:"id"`
	People []string `json:"people"`
}

type savedEmoji struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Animated bool   `json:"animated,omitempty"`
	Picture  []byte `json:"picture,omitempty"`
}

type savedWebhook struct {
	ID      string `json:"id"`
	Token   string `json:"token"`
	Name    string `json:"name"`
	Channel string `json:"channel"`
	App     string `json:"app,omitempty"` // that made it
}

type savedReaction struct {
	Emoji rules.Emoji `json:"emoji"`
	Users []string    `json:"users"`
}

type savedMessage struct {
	ID         string          `json:"id"`
	Channel    string          `json:"channel"`
	Author     string          `json:"author"`
	Webhook    string          `json:"webhook,omitempty"` // the name of an author who is a webhook
	Kind       int             `json:"kind,omitempty"`
	Content    string          `json:"content,omitempty"`
	Components []any           `json:"components,omitempty"`
	Embeds     []any           `json:"embeds,omitempty"`
	Attached   []any           `json:"attached,omitempty"`
	Flags      int             `json:"flags,omitempty"`
	Mentions   []string        `json:"mentions,omitempty"`
	Unknown    []string        `json:"unknown,omitempty"`
	Named      []string        `json:"named,omitempty"` // the ids of roles that are mentioned
	Reactions  []savedReaction `json:"reactions,omitempty"`
	Pinned     time.Time       `json:"pinned,omitzero"`
	Created    time.Time       `json:"created"`
	Edited     time.Time       `json:"edited,omitzero"`
	ReplyTo    string          `json:"reply_to,omitempty"`
	About      string          `json:"about,omitempty"`  // the channel that it refers to, if another
	Origin     string          `json:"origin,omitempty"` // the id of a savedCall
}

// savedCall is what a message keeps of the interaction that it answers.
type savedCall struct {
	ID       string `json:"id"`
	Kind     int    `json:"kind"`
	Path     string `json:"path,omitempty"`
	User     string `json:"user"`
	Channel  string `json:"channel"`
	Message  string `json:"message,omitempty"`  // whose component was used
	Original string `json:"original,omitempty"` // the first answer
	// Trigger is interaction_metadata of what opened the modal.
	Trigger map[string]any `json:"trigger,omitempty"`
	App     string         `json:"app,omitempty"` // whose it was, if not the first one's
}

type savedFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Body []byte `json:"body"`
}

// SaveState writes the server's world so that LoadState can go on with it: people,
// guilds, channels, messages and registered commands with their ids, the bot token,
// and of uploaded files the newest, up to 4 MiB. Interactions that are under way
// are not part of it, nor private messages: Discord's clients keep none of those
// beyond a restart, and only a token could reach them.
func (w *World) SaveState(to io.Writer) error {
	w.mu.Lock()
	state := w.stateLocked()
	b, err := json.Marshal(state)
	w.mu.Unlock()
	if err != nil {
		return fmt.Errorf("sandbox: save state: %w", err)
	}
	_, err = to.Write(b)
	return err
}

func (w *World) stateLocked() savedState {
	state := savedState{Version: stateVersion, AppID: w.app.id, Owner: w.owner.id, Owned: !w.owner.nobody, Token: w.app.token, Commands: w.app.commands.scopes}
	calls := map[string]*Call{}
	for _, u := range w.users {
		saved := savedUser{
			Deleted: u.deleted,
			ID:      u.id, Name: u.globalName, Nick: u.nick, Locale: u.locale, Bot: u.isBot,
			Permissions: u.permissions, ClosedDMs: u.closedDMs, Installed: u.installed,
			Joined: map[string]string{}, Timeouts: map[string]time.Time{}, DMs: map[string]string{},
		}
		for g, m := range u.in {
			saved.Joined[g.id] = m.joined
			if !m.timeout.IsZero() {
				saved.Timeouts[g.id] = m.timeout
			}
			for _, r := range m.roles {
				saved.Roles = append(saved.Roles, r.id)
			}
		}
		rules.SortByID(saved.Roles, func(id string) string { return id })
		for a, c := range u.dms {
			if a == w.app {
				saved.DM = c.id
			} else {
				saved.DMs[a.id] = c.id
			}
			state.saveMessages(c, calls)
		}
		state.Users = append(state.Users, saved)
	}
	rules.SortByID(state.Users, func(u savedUser) string { return u.ID })
	for _, g := range w.guilds {
		saved := savedGuild{ID: g.id, Name: g.name, Locale: g.locale, HasBot: g.botIn(), Commands: g.commandsOnly, Members: userIDs(g.members)}
		for _, r := range g.roles {
			saved.Roles = append(saved.Roles, savedRole{r.id, r.name, r.permissions, r.color, r.hoist, r.mentionable, r.managed, r.derived})
		}
		for _, c := range g.channels {
			if c.deleted {
				continue
			}
			ch := savedChannel{
				ID: c.id, Name: c.name, Topic: c.topic, Type: c.form, Overwrites: c.overwrites, Archived: c.archived, Locked: c.locked,
			}
			if c.parent != nil {
				ch.Parent, ch.Thread = c.parent.id, c.thread.saved()
			}
			saved.Channels = append(saved.Channels, ch)
			state.saveMessages(c, calls)
		}
		saved.Banned = userIDs(g.banned)
		state.Guilds = append(state.Guilds, saved)
	}
	for _, c := range w.parties() {
		state.Parties = append(state.Parties, savedParty{c.id, userIDs(c.party)})
		state.saveMessages(c, calls)
	}
	for _, c := range calls {
		state.Calls = append(state.Calls, c.saved())
	}
	rules.SortByID(state.Calls, func(c savedCall) string { return c.ID })
	rules.SortByID(state.Messages, func(m savedMessage) string { return m.ID })
	state.Emojis = w.app.savedEmojis()
	for _, a := range w.apps[1:] {
		state.Apps = append(state.Apps, savedApp{a.id, a.token, a.permissions, a.intents, a.commands.scopes, a.savedEmojis()})
	}
	for _, h := range w.webhooks {
		if !h.channel.deleted {
			state.Webhooks = append(state.Webhooks, savedWebhook{h.id, h.token, h.name, h.channel.id, h.app.id})
		}
	}
	for _, f := range w.files.Newest(savedFileBytes) {
		state.Files = append(state.Files, savedFile{f.ID, f.Name, f.Body})
	}
	return state
}

// saveMessages adds the messages of a channel, and to calls what they answer.
func (state *savedState) saveMessages(c *Channel, calls map[string]*Call) {
	for _, m := range c.messages {
		if m.deleted || m.viewer != nil {
			continue
		}
		saved := savedMessage{
			ID: m.id, Channel: c.id, Author: m.author.id, Kind: m.kind, Content: m.content,
			Components: m.rawComps, Embeds: m.embeds, Attached: m.attached, Flags: m.flags &^ rules.FlagLoading,
			Mentions: userIDs(m.mentions), Unknown: m.unknown, Created: m.created, Edited: m.edited,
		}
		if ref, ok := m.reference.(map[string]any); ok {
			saved.ReplyTo, _ = ref["message_id"].(string)
			if id, _ := ref["channel_id"].(string); id != c.id {
				saved.About = id
			}
		}
		if m.origin != nil && m.origin.channel == c {
			saved.Origin = m.origin.id
			calls[m.origin.id] = m.origin
		}
		if m.author.isHook {
			saved.Webhook = m.author.username
		}
		for _, r := range m.roles {
			saved.Named = append(saved.Named, r.id)
		}
		for _, r := range m.reactions {
			saved.Reactions = append(saved.Reactions, savedReaction{r.emoji, userIDs(r.users)})
		}
		saved.Pinned = m.pinned
		state.Messages = append(state.Messages, saved)
	}
}

func (c *Call) saved() savedCall {
	saved := savedCall{ID: c.id, Kind: c.kind, Path: c.path, User: c.user.id, Channel: c.channel.id, Trigger: c.trigger}
	if c.app != c.world.apps[0] {
		saved.App = c.app.id
	}
	if c.message != nil {
		saved.Message = c.message.id
	}
	if c.original != nil {
		saved.Original = c.original.id
	}
	return saved
}
