package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"
	"os"
	"path/filepath"
	"regexp"
	runtimepprof "runtime/pprof"
	"strings"
	"time"
)

// profilesAt is how a bot says where it serves its profiles, if METRICS_ADDR asks for them.
var profilesAt = regexp.MustCompile(`serving setting=METRICS_ADDR address=(\S+)`)

// serveProfiles serves the profiles of a bot that only acknowledges.
func serveProfiles(ctx context.Context, addr string) error {
	if addr == "" {
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	at, err := serve(ctx, addr, mux)
	if err == nil {
		fmt.Println("serving setting=METRICS_ADDR address=" + at)
	}
	return err
}

// longestProfile is for how long a bot may be asked to profile itself.
const longestProfile = 100 * time.Second

// profileCPU has the bot profile itself in the first turn that counts, for as long as a
// turn lasts that is not counted in games. The channel tells the end of it, and an error.
func (m *measurement) profileCPU(ctx context.Context, p *process) <-chan error {
	done := make(chan error, 1)
	if !m.counting || m.turns >= len(m.bots) {
		close(done)
		return done
	}
	seconds := max(1, int(min(m.Duration/time.Duration(m.Rounds), longestProfile).Seconds()))
	go func() { done <- m.fetch(ctx, p, fmt.Sprint("profile?seconds=", seconds), "cpu") }()
	return done
}

// fetch writes a profile of the bot, of the first of several processes, if profiles are wanted.
func (m *measurement) fetch(ctx context.Context, p *process, path, kind string) error {
	if m.Profiles == "" {
		return nil
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.profiles+"/debug/pprof/"+path, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return err
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%w: the profile of %s: %s", errBot, p.bot.Name, body)
	}
	return os.WriteFile(filepath.Join(m.Profiles, strings.ReplaceAll(p.bot.Name, " ", "-")+"."+kind+".pprof"), body, 0o600)
}

// profileDiscord starts the CPU profile of this process; stop writes it, and what memory it
// has.
func profileDiscord(dir string) (stop func() error) {
	if dir == "" {
		return func() error { return nil }
	}
	var cpu, memory bytes.Buffer
	_ = runtimepprof.StartCPUProfile(&cpu) // nobody else has started one
	return func() error {
		runtimepprof.StopCPUProfile()
		return errors.Join(
			runtimepprof.Lookup("allocs").WriteTo(&memory, 0),
			os.WriteFile(filepath.Join(dir, "discord.cpu.pprof"), cpu.Bytes(), 0o600),
			os.WriteFile(filepath.Join(dir, "discord.memory.pprof"), memory.Bytes(), 0o600))
	}
}
