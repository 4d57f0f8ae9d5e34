package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// healthTime bounds what the health command waits.
const healthTime = 5 * time.Second

// healthCmd asks a running bot whether it is ready, for images without a shell.
type healthCmd struct {
	HTTPAddr string `name:"http-addr" env:"HTTP_ADDR" placeholder:"ADDR" help:"The address that the bot serves."`
}

var errNotReady = errors.New("not ready")

// Run implements the command.
func (c *healthCmd) Run(ctx context.Context, env environment) error {
	if c.HTTPAddr == "" {
		return problems{"HTTP_ADDR is not set: the running bot needs it as well, such as HTTP_ADDR=127.0.0.1:8080"}
	}
	host, port, err := net.SplitHostPort(c.HTTPAddr)
	if err != nil {
		return problems{fmt.Sprintf("HTTP_ADDR %q is not an address such as :8080 or 127.0.0.1:8080", c.HTTPAddr)}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotReady, err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	fmt.Fprint(env.stdout, string(text))
	if resp.StatusCode != http.StatusOK {
		return errNotReady
	}
	return nil
}
