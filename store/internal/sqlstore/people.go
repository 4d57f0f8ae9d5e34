package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"tictactoe/store"
)

var (
	guildByID  = query(guilds.selectWhere("id = ?1"))
	personByID = query(people.selectWhere("id = ?1"))
	postByKey  = query(posts.selectWhere("id = ?1"))

	blocksOf = query(fmt.Sprintf("SELECT user_id, from_user, guild, since FROM blocks WHERE user_id = ?1 ORDER BY from_user, guild LIMIT %d", store.MostBlocks))
	blocked  = query("SELECT since FROM blocks WHERE user_id = ?1 AND from_user IN (?2, ?3, ?5) AND guild IN ('', ?4) LIMIT 1")

	// declined knows people again who were erased since.
	declined = query(fmt.Sprintf("SELECT max(c.updated) FROM (%s) AS px CROSS JOIN (%s) AS po CROSS JOIN challenges AS c"+
		" WHERE c.challenger = px.name AND c.opponent = po.name AND c.state = %d AND c.updated <= ?5 HAVING count(*) > 0", orFormer(1, 3), orFormer(2, 4), store.Declined))
)

// orFormer gives the names under which challenges of somebody can stand: their own, and
// pseudonyms from before they were erased and came back. The arguments are they and their
// hash.
func orFormer(person, hash int) string {
	return fmt.Sprintf("SELECT CAST(?%d AS text) AS name UNION ALL SELECT pseudonym FROM former WHERE hash = ?%d", person, hash)
}

// GuildSettings implements [store.Store].
func (s *Store) GuildSettings(ctx context.Context, guild store.GuildID) (store.GuildSettings, error) {
	return readOr(ctx, s, guilds, store.GuildSettings{Guild: guild}, guildByID, string(guild))
}

// Person implements [store.Store].
func (s *Store) Person(ctx context.Context, user store.UserID) (store.Person, error) {
	return readOr(ctx, s, people, store.Person{User: user}, personByID, string(user))
}

// Post implements [store.Store].
func (s *Store) Post(ctx context.Context, key string) (store.Post, error) {
	return readOr(ctx, s, posts, store.Post{Key: key}, postByKey, key)
}

// Blocks implements [store.Store].
func (s *Store) Blocks(ctx context.Context, user store.UserID) ([]store.Block, error) {
	return readAll(ctx, s, rowOf(func(b *store.Block) []any {
		return []any{textAt(&b.User), textAt(&b.From), textAt(&b.Guild), moment{&b.Since}}
	}), blocksOf, string(user))
}

// Blocked implements [store.Store].
func (s *Store) Blocked(ctx context.Context, c store.Consent) (bool, error) {
	return s.exists(ctx, blocked, blockedArgs(c, s.key), new(int64))
}

// blockedArgs returns the arguments of blocked.
func blockedArgs(c store.Consent, k Key) []any {
	anybody := string(c.By)
	if c.Unasked {
		anybody = ""
	}
	return []any{string(c.To), string(c.By), anybody, string(c.Guild), cmp.Or(k.Hash(c.By), string(c.By))}
}

// Declined implements [store.Store].
func (s *Store) Declined(ctx context.Context, challenger, opponent store.UserID, until time.Time) (at time.Time, err error) {
	args := []any{string(challenger), string(opponent), s.key.Hash(challenger), s.key.Hash(opponent), until.UnixMilli()}
	_, err = s.exists(ctx, declined, args, moment{&at})
	return at, err
}
