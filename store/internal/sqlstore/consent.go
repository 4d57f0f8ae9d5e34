package sqlstore

import (
	"fmt"
	"time"

	"tictactoe/store"
)

// Statements about who takes challenges from whom.
var (
	Block   = "INSERT INTO blocks (user_id, from_user, guild, since) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING"
	Unblock = "DELETE FROM blocks WHERE user_id = ?1 AND from_user IN (?2, ?4) AND guild = ?3"
	Blocks  = fmt.Sprintf("SELECT user_id, from_user, guild, since FROM blocks WHERE user_id = ?1 ORDER BY from_user, guild LIMIT %d", store.MostBlocks)
	Blocked = "SELECT since FROM blocks WHERE user_id = ?1 AND from_user IN (?2, ?3, ?5) AND guild IN ('', ?4) LIMIT 1"

	// Declined knows people again who were erased since.
	Declined = fmt.Sprintf("SELECT max(c.updated) FROM (%s) AS px CROSS JOIN (%s) AS po CROSS JOIN challenges AS c"+
		" WHERE c.challenger = px.name AND c.opponent = po.name AND c.state = %d AND c.updated <= ?5 HAVING count(*) > 0", orFormer(1, 3), orFormer(2, 4), store.Declined)
)

// orFormer gives the names under which challenges of somebody can stand: their own, and
// pseudonyms from before they were erased and came back. The arguments are they and their
// hash.
func orFormer(person, hash int) string {
	return fmt.Sprintf("SELECT CAST(?%d AS text) AS name UNION ALL SELECT pseudonym FROM former WHERE hash = ?%d", person, hash)
}

// DeclinedArgs returns the arguments of Declined.
func DeclinedArgs(challenger, opponent store.UserID, until time.Time, k Key) []any {
	return []any{string(challenger), string(opponent), k.Hash(challenger), k.Hash(opponent), until.UnixMilli()}
}

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
