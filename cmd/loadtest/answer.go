package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/bwmarrin/discordgo"
)

// Types of interactions and answers (Discord's documentation, Receiving and Responding).
const (
	ping, command                 = 1, 2
	pong, newMessage, updateBoard = 1, 4, 7
)

// answer is the least that a bot by HTTP can be: it verifies the signature of what is
// posted to the address, answers with the board in the body, and does nothing else,
// until the context ends. data is the board, as the data of an interaction's answer in
// JSON; key is the application's public key, in hexadecimal.
func answer(ctx context.Context, apiURL, token, key, addr string, data []byte) error {
	public, err := hex.DecodeString(key)
	if err != nil || len(public) != ed25519.PublicKeySize {
		return errors.New("no public key")
	}
	var shown map[string]json.RawMessage
	if err := json.Unmarshal(data, &shown); err != nil {
		return err
	}
	if _, ok := shown["flags"]; !ok {
		shown["flags"] = json.RawMessage(fmt.Sprint(int(discordgo.MessageFlagsIsComponentsV2))) // an edit leaves it out; a new message needs it
	}
	whole, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	if err := registerBoard(apiURL, token); err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("Interactions have to lead to http://%s/interactions here.\n", l.Addr())
	s := &http.Server{Handler: answering{public, whole}, ReadHeaderTimeout: startTime}
	defer context.AfterFunc(ctx, func() { _ = s.Close() })()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// registerBoard registers the command of a bot that only acknowledges.
func registerBoard(apiURL, token string) error {
	s, err := restSession(apiURL, token)
	if err != nil {
		return err
	}
	self, err := s.User("@me")
	if err != nil {
		return err
	}
	return overwriteCommands(s, self.ID)
}

// answering answers what is posted.
type answering struct {
	key   ed25519.PublicKey
	board []byte
}

func (a answering) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	signature, err := hex.DecodeString(r.Header.Get("X-Signature-Ed25519"))
	if err != nil || !ed25519.Verify(a.key, append([]byte(r.Header.Get("X-Signature-Timestamp")), body...), signature) {
		http.Error(w, "signature wrong", http.StatusUnauthorized)
		return
	}
	var in struct {
		Type int `json:"type"`
	}
	if json.Unmarshal(body, &in) != nil {
		http.Error(w, "no interaction", http.StatusBadRequest)
		return
	}
	var out bytes.Buffer
	switch in.Type {
	case ping:
		fmt.Fprintf(&out, `{"type":%d}`, pong)
	case command:
		fmt.Fprintf(&out, `{"type":%d,"data":%s}`, newMessage, a.board)
	default:
		fmt.Fprintf(&out, `{"type":%d,"data":%s}`, updateBoard, a.board)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(out.Bytes()) // whoever asked may be gone
}
