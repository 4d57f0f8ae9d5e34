package sqlstore

import (
	"context"
	"fmt"

	"tictactoe/store"
)

// lobbies is the table of messages that are kept up to date.
var lobbies = newTable("lobbies", func(l *store.Lobby, column columns) {
	column("channel", key, textAt(&l.Channel))
	column("guild", changes, textAt(&l.Guild))
	column("message", changes, textAt(&l.Message))
	column("locale", changes, textAt(&l.Locale))
	column("shows", changes, textAt(&l.Shows))
	column("drawn", changes, moment{&l.Drawn})
})

var (
	lobbiesFrom = query(lobbies.selectWhere("channel >= ?1 ORDER BY channel LIMIT ?2"))
	postLobby   = query(lobbies.insert() + ` ON CONFLICT (channel) DO UPDATE SET
		guild = excluded.guild, message = excluded.message, locale = excluded.locale, shows = excluded.shows, drawn = excluded.drawn`)
	moveLobby = query(lobbies.update() + " AND message = ?7 AND drawn = ?8")
	dropLobby = query("DELETE FROM lobbies WHERE channel = ?1 AND message = ?2 AND drawn = ?3")
)

// Lobbies implements [store.Store].
func (s *Store) Lobbies(ctx context.Context, from store.ChannelID, limit int) ([]store.Lobby, error) {
	return readAll(ctx, s, lobbies.scan, lobbiesFrom, string(from), max(limit, 0))
}

// SetLobby implements [store.Store].
func (s *Store) SetLobby(ctx context.Context, old, l store.Lobby) error {
	if err := l.Validate(); err != nil {
		return err
	}
	p := Plan{Alone: true}
	stands := []any{string(old.Message), old.Drawn.UnixMilli()}
	conflict := fmt.Errorf("%w: lobby of channel %s", store.ErrConflict, l.Channel)
	switch {
	case old == store.Lobby{}:
		p.add(postLobby, lobbies.values(&l)...)
	case l.Message == "":
		p.want(1, conflict, dropLobby, append([]any{string(l.Channel)}, stands...)...)
	default:
		p.want(1, conflict, moveLobby, append(lobbies.values(&l), stands...)...)
	}
	return s.db.Apply(ctx, p)
}
