package main

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/bwmarrin/discordgo"
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
	board, err := decodeBoard(data)
	if err != nil {
		return err
	}
	answers := map[discordgo.InteractionType]json.RawMessage{}
	for asked, response := range map[discordgo.InteractionType]discordgo.InteractionResponse{
		discordgo.InteractionPing:               {Type: discordgo.InteractionResponsePong},
		discordgo.InteractionApplicationCommand: {Type: discordgo.InteractionResponseChannelMessageWithSource, Data: board},
		discordgo.InteractionMessageComponent:   {Type: discordgo.InteractionResponseUpdateMessage, Data: board},
	} {
		if answers[asked], err = json.Marshal(response); err != nil {
			return err
		}
	}
	if _, err := restSession(apiURL, token); err != nil {
		return err
	}
	at, err := serve(ctx, addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Type discordgo.InteractionType `json:"type"`
		}
		switch {
		case !discordgo.VerifyInteraction(r, public):
			http.Error(w, "signature wrong", http.StatusUnauthorized)
		case json.NewDecoder(r.Body).Decode(&in) != nil:
			http.Error(w, "no interaction", http.StatusBadRequest)
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(answers[in.Type]) // whoever asked may be gone
		}
	}))
	if err != nil {
		return err
	}
	fmt.Printf("Interactions have to lead to http://%s/interactions here.\n", at)
	<-ctx.Done()
	return nil
}
