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

// parseSignature reads the headers and judges the timestamp. What it returns reports whether
// the signature is the key's over a body.
func parseSignature(h http.Header, key ed25519.PublicKey, now time.Time) (signs func(body []byte) bool, err error) {
	stamp, text := h.Get(headerTimestamp), h.Get(headerSignature)
	if stamp == "" || text == "" {
		return nil, errMissing
	}
	signature, err := hex.DecodeString(text)
	if err != nil || len(signature) != ed25519.SignatureSize {
		return nil, errForm
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || len(stamp) > len("9999999999") { // in the year 2286
		return nil, errForm
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > maxAge {
		return nil, errStale
	}
	return func(body []byte) bool {
		return len(key) == ed25519.PublicKeySize && ed25519.Verify(key, append([]byte(stamp), body...), signature)
	}, nil
}
