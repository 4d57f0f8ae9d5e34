package postgres

import (
	"fmt"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// The statements about who takes challenges from whom.
var (
	blockText   = sqlstore.Postgres.Text(sqlstore.Block)
	unblockText = sqlstore.Postgres.Text(sqlstore.Unblock)
	blockedText = sqlstore.Postgres.Text(sqlstore.Blocked)
)

// consents adds what refuses the change where a block is in the way.
func (p *pipeline) consents(c store.Change, k sqlstore.Key) {
	for _, consent := range c.Consents {
		p.want(0, fmt.Errorf("%w: %s from %s", store.ErrBlocked, consent.To, consent.By), blockedText, sqlstore.BlockedArgs(consent, k)...)
	}
}

// blocks adds what stores the blocks of the change, and removes those that are lifted.
func (p *pipeline) blocks(c store.Change, k sqlstore.Key) {
	for _, b := range c.Blocks {
		if b.Lifted {
			p.addAny(unblockText, sqlstore.UnblockArgs(b, k)...)
		} else {
			p.addAny(blockText, string(b.User), string(b.From), string(b.Guild), b.Since.UnixMilli())
		}
	}
}
