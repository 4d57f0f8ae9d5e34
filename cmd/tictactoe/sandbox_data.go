package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/page"
)

// discordFile holds the people, channels and messages of the local Discord, beside
// the games.
const discordFile = "discord.json"

// saveEvery is how often they are saved, if anything has changed.
const saveEvery = 2 * time.Second

// savedDiscord keeps the local Discord's people, channels and messages in a file.
type savedDiscord struct {
	srv  *sandbox.Server
	file string
	log  *slog.Logger
	last []byte
}

// load goes on with what was saved, or furnishes a new one.
func (d *savedDiscord) load() error {
	f, err := os.Open(d.file)
	if errors.Is(err, fs.ErrNotExist) {
		page.Furnish(d.srv)
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := d.srv.LoadState(f); err != nil {
		return fmt.Errorf("%s: %w", d.file, err)
	}
	return nil
}

// keep saves until the context ends, and then once more.
func (d *savedDiscord) keep(ctx context.Context) {
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			d.save()
			return
		case <-tick.C:
			d.save()
		}
	}
}

// save writes the local Discord if it has changed, in one step.
func (d *savedDiscord) save() {
	var b bytes.Buffer
	err := d.srv.SaveState(&b)
	if err == nil && !bytes.Equal(b.Bytes(), d.last) {
		if err = os.WriteFile(d.file+".new", b.Bytes(), 0o600); err == nil {
			err = os.Rename(d.file+".new", d.file)
		}
	}
	if err != nil {
		d.log.Error("the local Discord was not saved", "error", err)
		return
	}
	d.last = b.Bytes()
}
