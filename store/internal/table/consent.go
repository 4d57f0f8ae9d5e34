package table

import (
	"fmt"

	"tictactoe/store"
)

// Statements about who takes challenges from whom.
var (
	Block   = "INSERT INTO blocks (user_id, from_user, guild, since) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING"
	Unblock = "DELETE FROM blocks WHERE user_id = ?1 AND from_user IN (?2, ?4) AND guild = ?3"
	Blocks  = fmt.Sprintf("SELECT user_id, from_user, guild, since FROM blocks WHERE user_id = ?1 ORDER BY from_user, guild LIMIT %d", store.MostBlocks)
	Blocked = "SELECT since FROM blocks WHERE user_id = ?1 AND from_user IN (?2, ?3, ?5) AND guild IN ('', ?4) LIMIT 1"

	Declined = fmt.Sprintf("SELECT updated FROM challenges WHERE challenger = ?1 AND opponent = ?2 AND state = %d ORDER BY updated DESC LIMIT 1", store.Declined)
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

// ScanBlock reads a row of Blocks.
func ScanBlock(r Row) (b store.Block, err error) {
	return b, r.Scan(TextAt(&b.User), TextAt(&b.From), TextAt(&b.Guild), moment{&b.Since})
}
