// Package post posts interactions, signed, to where an application takes them by HTTP, and
// checks such an address as Discord does before it accepts it.
package post

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"tictactoe/bot/sandbox/rules"
)

// What Check says no with.
var (
	ErrAddress = errors.New("sandbox: an endpoint is an http or https address on loopback")
	ErrRefused = errors.New("sandbox: the endpoint was not accepted")
)

// The headers of a posted interaction (Discord's documentation, Setting Up an
// Endpoint).
const (
	headerSignature = "X-Signature-Ed25519"
	headerTimestamp = "X-Signature-Timestamp"
)

// pong is the callback type that answers a PING.
const pong = 1

// Poster posts. It may be used by several goroutines at once.
type Poster struct {
	client *http.Client
	local  func(host string) bool // whether a host may be posted to: it is loopback, or was let in
}

// New is a poster to the hosts that are local: loopback, and those that are let in.
func New(local func(host string) bool) *Poster {
	return &Poster{&http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 256, IdleConnTimeout: 30 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // Discord follows none
	}, local}
}

// Close closes the connections that nobody uses.
func (p *Poster) Close() { p.client.CloseIdleConnections() }

// Answer is what an endpoint answered.
type Answer struct {
	Status int
	Kind   string // Content-Type
	Body   []byte
}

// Check does what Discord does before it accepts an address: a PING with a wrong signature
// must be answered with 401, and one with the right one with a PONG. The errors wrap
// ErrAddress and ErrRefused.
func (p *Poster) Check(ctx context.Context, key ed25519.PrivateKey, now time.Time, address string, ping func() []byte) error {
	if !p.maySend(address) {
		return fmt.Errorf("%w: %s", ErrAddress, address)
	}
	body := ping()
	refused, err := p.Send(ctx, nil, now, address, body)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrRefused, err)
	case refused.Status != http.StatusUnauthorized:
		return fmt.Errorf("%w: a wrong signature was answered with %d instead of 401", ErrRefused, refused.Status)
	}
	taken, err := p.Send(ctx, key, now, address, body)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	var answer struct {
		Type int `json:"type"`
	}
	raw, _, err := rules.SplitBody(taken.Kind, taken.Body)
	if taken.Status != http.StatusOK || err != nil || json.Unmarshal(raw, &answer) != nil || answer.Type != pong {
		return fmt.Errorf("%w: a PING was answered with %d and not with a PONG as application/json", ErrRefused, taken.Status)
	}
	return nil
}

// maySend reports whether interactions may be posted to the address: nothing leaves
// this machine, but for the hosts that were let in.
func (p *Poster) maySend(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && p.local(u.Host)
}

// Send posts a body to an address, signed at that time. Without a key the signature is wrong.
func (p *Poster) Send(ctx context.Context, key ed25519.PrivateKey, now time.Time, address string, body []byte) (Answer, error) {
	if key == nil {
		_, key, _ = ed25519.GenerateKey(rand.Reader) // never fails
	}
	stamp := strconv.FormatInt(now.Unix(), 10)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Discord-Interactions/1.0 (+https://discord.com)")
	req.Header.Set(headerTimestamp, stamp)
	req.Header.Set(headerSignature, hex.EncodeToString(ed25519.Sign(key, append([]byte(stamp), body...))))
	resp, err := p.client.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, rules.MaxRequestBytes))
	return Answer{resp.StatusCode, resp.Header.Get("Content-Type"), answer}, err
}
