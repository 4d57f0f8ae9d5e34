package sqlstore

import (
	"tictactoe/store"
)

// Statements about who takes challenges from whom.
var (
	Block   = "INSERT INTO blocks (user_id, from_user, guild, since) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING"
	Unblock = "DELETE FROM blocks WHERE user_id = ?1 AND from_user IN (?2, ?4) AND guild = ?3"
	Blocked = "SELECT since FROM blocks WHERE user_id = ?1 AND from_user IN (?2, ?3, ?5) AND guild IN ('', ?4) LIMIT 1"
)

// UnblockArgs returns the arguments of Unblock. A block from before somebody was erased
// goes with one of them.
func UnblockArgs(b store.Block, k Key) []any {
	return []any{string(b.User), string(b.From), string(b.Guild), k.Hash(b.From)}
}

// BlockedArgs returns the arguments of Blocked.
func BlockedArgs(c store.Consent, k Key) []any {
	anybody := string(c.By)
	if c.Unasked {
		anybody = ""
	}
	return []any{string(c.To), string(c.By), anybody, string(c.Guild), k.Hash(c.By)}
}
