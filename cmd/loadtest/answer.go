package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/bwmarrin/discordgo"
)

// answer is the least that a bot by HTTP can be: it verifies the signature of what is
// posted to the address, answers with the board in the body, and does nothing else,
// until the context ends. key is the application's public key, in hexadecimal.
func answer(ctx context.Context, key, addr string, board *discordgo.InteractionResponseData) error {
	public, _ := hex.DecodeString(key) // the local Discord's
	answers := map[discordgo.InteractionType]json.RawMessage{}
	for asked, response := range map[discordgo.InteractionType]discordgo.InteractionResponse{
		discordgo.InteractionPing:               {Type: discordgo.InteractionResponsePong},
		discordgo.InteractionApplicationCommand: {Type: discordgo.InteractionResponseChannelMessageWithSource, Data: board},
		discordgo.InteractionMessageComponent:   {Type: discordgo.InteractionResponseUpdateMessage, Data: board},
	} {
		answers[asked], _ = json.Marshal(response) // a board that was decoded
	}
	at, err := serve(ctx, addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Type discordgo.InteractionType `json:"type"`
		}
		if !discordgo.VerifyInteraction(r, public) {
			http.Error(w, "signature wrong", http.StatusUnauthorized)
			return
		}
		_ = json.NewDecoder(r.Body).Decode(&in) // it is Discord's
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answers[in.Type]) // whoever asked may be gone
	}))
	if err != nil {
		return err
	}
	fmt.Printf("Interactions have to lead to http://%s/interactions here.\n", at)
	<-ctx.Done()
	return nil
}
