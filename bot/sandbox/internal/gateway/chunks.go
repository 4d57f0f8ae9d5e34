package gateway

import (
	"encoding/json"
	"math"
	"slices"

	"tictactoe/bot/sandbox/rules"
)

// chunkSize is how many members one GUILD_MEMBERS_CHUNK holds.
const chunkSize = 1000

// oneOrMore reads an id or a list of them: snowflakes as text or, as some libraries send them,
// as numbers.
func oneOrMore(raw json.RawMessage) ([]json.Number, error) {
	var ids []json.Number
	if json.Unmarshal(raw, &ids) == nil {
		return ids, nil
	}
	ids = make([]json.Number, 1)
	return ids, json.Unmarshal(raw, &ids[0])
}

// requestMembers answers op 8 with GUILD_MEMBERS_CHUNK: members by name, by id, or
// all of them, which needs the privileged intent.
func (c *conn) requestMembers(raw json.RawMessage) {
	var in struct {
		GuildID   json.RawMessage `json:"guild_id"`
		Query     *string         `json:"query"`
		Limit     int             `json:"limit"`
		Presences bool            `json:"presences"`
		UserIDs   json.RawMessage `json:"user_ids"`
		Nonce     string          `json:"nonce"`
	}
	var ids []json.Number
	err := json.Unmarshal(raw, &in)
	if err == nil && len(in.UserIDs) > 0 && string(in.UserIDs) != "null" {
		ids, err = oneOrMore(in.UserIDs)
	}
	guilds, wrong := oneOrMore(in.GuildID)
	if err != nil || wrong != nil || len(guilds) != 1 || in.Query == nil && ids == nil || len(ids) > 100 {
		c.closeWith(closeDecode, "Error while decoding payload.")
		return
	}
	all := in.Query != nil && *in.Query == "" && in.Limit == 0
	if all && c.session.intents&IntentGuildMembers == 0 || in.Presences && c.session.intents&IntentPresences == 0 {
		c.closeWith(closeIntents, "Disallowed intent(s).")
		return
	}
	guild := string(guilds[0])
	if !slices.Contains(c.session.app.Guilds(), guild) || !c.session.handles(guild) {
		return // Discord does not answer for guilds that the session does not have
	}
	var found, missing []any
	for _, id := range ids {
		if m := c.session.app.Member(guild, string(id)); m != nil {
			found = append(found, m)
		} else {
			missing = append(missing, id.String())
		}
	}
	if ids == nil {
		limit := in.Limit
		switch {
		case all:
			limit = math.MaxInt
		case limit <= 0 || limit > 100:
			limit = 100
		}
		found = c.session.app.Members(guild, *in.Query, limit)
	}
	count := max(1, (len(found)+chunkSize-1)/chunkSize)
	for n := range count {
		members := append([]any{}, found[n*chunkSize:min(len(found), (n+1)*chunkSize)]...)
		o := map[string]any{"guild_id": guild, "members": members, "chunk_index": n, "chunk_count": count}
		if len(missing) > 0 {
			o["not_found"] = missing
		}
		if in.Presences {
			o["presences"] = []any{}
		}
		if in.Nonce != "" {
			o["nonce"] = in.Nonce
		}
		c.session.send("GUILD_MEMBERS_CHUNK", rules.Encode(o))
	}
}
