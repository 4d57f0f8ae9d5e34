package sandbox

import (
	"encoding/json"
	"slices"

	"tictactoe/bot/sandbox/internal/gateway"
)

// chunkSize is how many members one GUILD_MEMBERS_CHUNK holds.
const chunkSize = 1000

// anyID is a snowflake as text or, as some libraries send it, as a number.
type anyID string

// UnmarshalJSON takes either.
func (id *anyID) UnmarshalJSON(b []byte) error {
	var n json.Number
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	*id = anyID(n)
	return nil
}

// oneOrMore reads an id or a list of them.
func oneOrMore(raw json.RawMessage) ([]anyID, error) {
	var ids []anyID
	if json.Unmarshal(raw, &ids) == nil {
		return ids, nil
	}
	ids = make([]anyID, 1)
	return ids, json.Unmarshal(raw, &ids[0])
}

// requestMembers answers op 8 with GUILD_MEMBERS_CHUNK: members by name, by id, or
// all of them, which needs the privileged intent.
func (c *gatewayConn) requestMembers(raw json.RawMessage) {
	var in struct {
		GuildID   json.RawMessage `json:"guild_id"`
		Query     *string         `json:"query"`
		Limit     int             `json:"limit"`
		Presences bool            `json:"presences"`
		UserIDs   json.RawMessage `json:"user_ids"`
		Nonce     string          `json:"nonce"`
	}
	var ids []anyID
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
	if all && c.session.intents&gateway.IntentGuildMembers == 0 || in.Presences && c.session.intents&gateway.IntentPresences == 0 {
		c.closeWith(closeIntents, "Disallowed intent(s).")
		return
	}
	w := c.gateway.world
	i := slices.IndexFunc(w.guilds, func(g *Guild) bool { return g.id == string(guilds[0]) && g.botIn() && c.session.handles(g.id) })
	if i < 0 {
		return // Discord does not answer for guilds that the session does not have
	}
	g := w.guilds[i]
	var found []*User
	missing := []any{}
	switch {
	case ids != nil:
		for _, id := range ids {
			if u := w.users[string(id)]; u != nil && g.hasMember(u) {
				found = append(found, u)
			} else {
				missing = append(missing, id)
			}
		}
	case all:
		found = g.everybody()
	default:
		limit := in.Limit
		if limit <= 0 || limit > 100 {
			limit = 100
		}
		found = g.called(*in.Query, limit)
	}
	count := max(1, (len(found)+chunkSize-1)/chunkSize)
	for n := range count {
		members := []any{}
		for _, u := range found[n*chunkSize : min(len(found), (n+1)*chunkSize)] {
			members = append(members, g.memberJSON(u, nil, true))
		}
		o := map[string]any{"guild_id": g.id, "members": members, "chunk_index": n, "chunk_count": count}
		if len(missing) > 0 {
			o["not_found"] = missing
		}
		if in.Presences {
			o["presences"] = []any{}
		}
		if in.Nonce != "" {
			o["nonce"] = in.Nonce
		}
		c.session.send("GUILD_MEMBERS_CHUNK", mustJSON(o))
	}
}
