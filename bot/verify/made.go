package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tictactoe/bot/rest"
)

// thing is something that was made in the server and has to go again.
type thing struct {
	Kind    string `json:"kind"`
	ID      string `json:"id,omitempty"`
	Channel string `json:"channel,omitempty"` // of a message, or that a thread begins in
	Guild   string `json:"guild,omitempty"`   // of commands
	Kept    bool   `json:"kept,omitempty"`    // a message for --resume
}

// The kinds of things. Commands are known by the beginning of their names.
const (
	aMessage    = "message"
	aThread     = "thread"
	theCommands = "commands"
)

// made is the list of what was made, in a file that outlives a crash: each thing is on disk
// before the next is made. It has ids alone.
type made struct {
	path   string
	things []thing
}

// openMade reads the list that an earlier run has left.
func openMade(path string) (*made, error) {
	m := &made{path: path}
	raw, err := os.ReadFile(path) //nolint:gosec // the user names it
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m, nil
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(raw, &m.things); err != nil {
		return nil, fmt.Errorf("%s is no list of what was made: %w", path, err)
	}
	return m, nil
}

func (m *made) add(t thing) error {
	m.things = append(m.things, t)
	return m.save()
}

// save replaces the file; an empty list needs none.
func (m *made) save() error {
	if len(m.things) == 0 {
		if err := os.Remove(m.path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	raw, _ := json.MarshalIndent(m.things, "", " ") // all of it is text
	f, err := os.CreateTemp(filepath.Dir(m.path), ".verify-*")
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), m.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// kept returns where in the list the message is that --later left, -1 where there is none.
func (m *made) kept() int { return slices.IndexFunc(m.things, func(t thing) bool { return t.Kept }) }

// cleanTime bounds the cleaning up.
const cleanTime = 2 * time.Minute

// clean removes what is on the list from the server, the last first, and from the list what
// is gone. What is kept stays unless everything is to go.
func (m *made) clean(ctx context.Context, client *rest.Client, everything bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanTime)
	defer cancel()
	var failed error
	for i, t := range slices.Backward(m.things) {
		if t.Kept && !everything {
			continue
		}
		if err := remove(ctx, client, t); err != nil && !rest.Gone(err) {
			failed = err
			continue
		}
		m.things = slices.Delete(m.things, i, i+1)
	}
	if failed != nil {
		failed = fmt.Errorf("%d things are still there, which --clean removes; %s has their ids: %w", len(m.things), m.path, failed)
	}
	return errors.Join(failed, m.save())
}

func remove(ctx context.Context, client *rest.Client, t thing) error {
	switch t.Kind {
	case aMessage:
		return client.DeleteMessage(ctx, t.Channel, t.ID)
	case aThread:
		removeNotice(ctx, client, t)
		err := client.Call(ctx, "DELETE", channelRoute, []string{t.ID}, nil, nil)
		if rest.Forbidden(err) {
			return fmt.Errorf("the bot may not delete the thread %s: delete it by hand: %w", t.ID, err)
		}
		return err
	}
	registered, err := client.Commands(ctx, t.Guild)
	if err != nil {
		return err
	}
	var failed []error
	for _, raw := range registered {
		var c struct{ ID, Name string }
		if json.Unmarshal(raw, &c) == nil && strings.HasPrefix(c.Name, commandPrefix) {
			failed = append(failed, client.Call(ctx, "DELETE", commandsRoute+"/{command}", []string{t.Guild, c.ID}, nil, nil))
		}
	}
	return errors.Join(failed...)
}

// removeNotice removes the message by which a channel tells of a thread, which would stay: if the
// bot may read it, and it is the first behind the thread.
func removeNotice(ctx context.Context, client *rest.Client, thread thing) {
	var behind any
	err := client.Call(ctx, "GET", channelRoute+"/messages?limit=1&after="+thread.ID, []string{thread.Channel}, nil, &behind)
	if id, ok := get(behind, "0.id").(string); err == nil && ok && get(behind, "0.message_reference.channel_id") == thread.ID {
		_ = client.DeleteMessage(ctx, thread.Channel, id)
	}
}

// commandPrefix is what the names of commands begin with that are registered here.
const commandPrefix = "verify-"

const (
	channelRoute  = "/channels/{channel}"
	messageRoute  = channelRoute + "/messages/{message}"
	commandsRoute = "/applications/{application}/guilds/{guild}/commands"
)
