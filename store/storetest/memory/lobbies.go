package memory

import (
	"cmp"
	"context"
	"maps"

	"tictactoe/store"
)

// Lobbies implements [store.Lobbies].
func (s *Store) Lobbies(ctx context.Context, from store.ChannelID, limit int) ([]store.Lobby, error) {
	k, err := s.read(ctx)
	return list(maps.Values(k.lobbies), limit, func(l store.Lobby) bool { return l.Channel >= from },
		func(a, b store.Lobby) int { return cmp.Compare(a.Channel, b.Channel) }), err
}

// SetLobby implements [store.Lobbies].
func (s *Store) SetLobby(ctx context.Context, old, l store.Lobby) error {
	if err := l.Validate(); err != nil {
		return err
	}
	return s.write(ctx, func(k *snapshot) error {
		now := k.lobbies[l.Channel]
		if (old != store.Lobby{}) && (now.Message != old.Message || !now.Drawn.Equal(old.Drawn)) {
			return store.ErrConflict
		}
		if k.lobbies[l.Channel] = l; l.Message == "" {
			delete(k.lobbies, l.Channel)
		}
		return nil
	})
}
