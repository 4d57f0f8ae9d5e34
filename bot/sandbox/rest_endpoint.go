package sandbox

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"

	"tictactoe/bot/sandbox/rules"
)

// The headers of a posted interaction (Discord's documentation, Setting Up an
// Endpoint).
const (
	headerSignature = "X-Signature-Ed25519"
	headerTimestamp = "X-Signature-Timestamp"
)

// maySend reports whether interactions may be posted to the address: nothing leaves
// this machine, but for the hosts that were let in.
func (s *REST) maySend(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return ip != nil && ip.IsLoopback() || s.local(u.Host)
}

// checkEndpoint does what Discord does before it accepts an address.
func (s *REST) checkEndpoint(ctx context.Context, a *App, address string) error {
	s.world.mu.Lock()
	id := s.world.newID()
	s.world.mu.Unlock()
	ping := mustJSON(map[string]any{
		"id": id, "application_id": a.id, "type": InteractionPing, "token": interactionToken(id), "version": 1,
	})
	refused, err := s.sign(ctx, a, address, ping, false)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrEndpoint, err)
	case refused.status != http.StatusUnauthorized:
		return fmt.Errorf("%w: a wrong signature was answered with %d instead of 401", ErrEndpoint, refused.status)
	}
	pong, err := s.sign(ctx, a, address, ping, true)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrEndpoint, err)
	}
	var body struct {
		Type int `json:"type"`
	}
	raw, _, err := rules.SplitBody(pong.kind, pong.body)
	if pong.status != http.StatusOK || err != nil || json.Unmarshal(raw, &body) != nil || body.Type != CallbackPong {
		return fmt.Errorf("%w: a PING was answered with %d and not with a PONG as application/json", ErrEndpoint, pong.status)
	}
	return nil
}

// noRedirect: Discord follows none.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// posted is what an endpoint answered.
type posted struct {
	status int
	kind   string // Content-Type
	body   []byte
}

// sign sends an interaction to an address, signed, or with a signature that is wrong.
func (s *REST) sign(ctx context.Context, a *App, address string, body []byte, right bool) (posted, error) {
	key := a.key
	if !right {
		_, key, _ = ed25519.GenerateKey(rand.Reader) // never fails
	}
	stamp := strconv.FormatInt(a.world.clock.Now().Unix(), 10)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return posted{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Discord-Interactions/1.0 (+https://discord.com)")
	req.Header.Set(headerTimestamp, stamp)
	req.Header.Set(headerSignature, hex.EncodeToString(ed25519.Sign(key, append([]byte(stamp), body...))))
	resp, err := s.poster.Do(req)
	if err != nil {
		return posted{}, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, rules.MaxRequestBytes))
	return posted{resp.StatusCode, resp.Header.Get("Content-Type"), answer}, err
}
