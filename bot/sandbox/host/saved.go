package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/page"
)

// savedFile holds people, channels and messages, in the folder that keeps them.
const savedFile = "discord.json"

// saveEvery is how often they are saved, if anything has changed.
const saveEvery = 2 * time.Second

// saved keeps a local Discord's people, channels and messages in a file.
type saved struct {
	srv  *sandbox.Server
	file string
	log  *slog.Logger
	last []byte
}

// load goes on with what was saved, or furnishes a new one, and saves from then on. The returned
// function saves for the last time.
func load(srv *sandbox.Server, file string, log *slog.Logger) (stop func(), err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	f, err := os.Open(file) //nolint:gosec // where the user keeps it
	switch {
	case errors.Is(err, fs.ErrNotExist):
		page.Furnish(srv)
	case err != nil:
		return nil, err
	default:
		defer f.Close()
		if err := srv.World().LoadState(f); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var keeping sync.WaitGroup
	keeping.Go(func() { (&saved{srv: srv, file: file, log: log}).keep(ctx) })
	return func() {
		cancel()
		keeping.Wait()
	}, nil
}

// keep saves until the end, and then once more.
func (s *saved) keep(ctx context.Context) {
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	for on := true; on; {
		select {
		case <-ctx.Done():
			on = false
		case <-tick.C:
		}
		s.save()
	}
}

// save writes the local Discord if it has changed, in one step.
func (s *saved) save() {
	var b bytes.Buffer
	err := s.srv.World().SaveState(&b)
	if err == nil && !bytes.Equal(b.Bytes(), s.last) {
		if err = os.WriteFile(s.file+".new", b.Bytes(), 0o600); err == nil {
			err = os.Rename(s.file+".new", s.file)
		}
	}
	if err != nil {
		s.log.Error("the local Discord was not saved", "error", err)
		return
	}
	s.last = b.Bytes()
}
