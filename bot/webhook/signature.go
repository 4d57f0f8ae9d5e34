package webhook

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// The headers that sign a request: Ed25519 over the timestamp and the raw body, in
// hexadecimal (Discord's documentation, Setting Up an Endpoint).
const (
	headerSignature = "X-Signature-Ed25519"
	headerTimestamp = "X-Signature-Timestamp"
)

// maxAge is how far a timestamp may be from Discord's time. A request that somebody
// has recorded is worth nothing afterwards; until then its interaction is known.
const maxAge = 5 * time.Minute

var (
	errMissing = errors.New("no signature")
	errForm    = errors.New("signature or timestamp malformed")
	errStale   = errors.New("timestamp too old or too new")
	errWrong   = errors.New("signature wrong")
)

// ErrKey: a public key that is none.
var ErrKey = errors.New("webhook: a public key is 64 hexadecimal digits")

// ParseKey reads an application's public key as Discord shows it. The error is ErrKey.
func ParseKey(text string) (ed25519.PublicKey, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, ErrKey
	}
	return key, nil
}

// signature is what the headers of a request say.
type signature struct {
	stamp string
	bytes []byte
}

// parseSignature reads the headers and judges the timestamp. That the body fits is not
// known yet.
func parseSignature(h http.Header, now time.Time) (signature, error) {
	s := signature{stamp: h.Get(headerTimestamp)}
	text := h.Get(headerSignature)
	if s.stamp == "" || text == "" {
		return s, errMissing
	}
	var err error
	if s.bytes, err = hex.DecodeString(text); err != nil || len(s.bytes) != ed25519.SignatureSize {
		return s, errForm
	}
	seconds, err := strconv.ParseInt(s.stamp, 10, 64)
	if err != nil || len(s.stamp) > len("9999999999") { // in the year 2286
		return s, errForm
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > maxAge {
		return s, errStale
	}
	return s, nil
}

// signs reports whether the signature is the key's over the body.
func (s signature) signs(body []byte, key ed25519.PublicKey) bool {
	if len(key) != ed25519.PublicKeySize {
		return false
	}
	return ed25519.Verify(key, append([]byte(s.stamp), body...), s.bytes)
}
