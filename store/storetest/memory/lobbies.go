package memory

import (
	"cmp"
	"context"
	"slices"

	"tictactoe/store"
)

// Lobbies implements [store.Lobbies].
func (s *Store) Lobbies(ctx context.Context, after store.ChannelID, limit int) (list []store.Lobby, err error) {
	k, err := s.read(ctx)
	for _, l := range k.lobbies {
		if l.Channel > after {
			list = append(list, l)
		}
	}
	slices.SortFunc(list, func(a, b store.Lobby) int { return cmp.Compare(a.Channel, b.Channel) })
	return first(list, limit), err
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
