package storetest

import (
	"fmt"
	"testing"
	"time"

	"tictactoe/store"
)

// lobby is one that was drawn at noon.
func lobby(channel store.ChannelID, message store.MessageID) store.Lobby {
	return store.Lobby{Channel: channel, Guild: "51", Message: message, Locale: "de", Shows: "hash", Drawn: noon}
}

// setLobby stores a lobby in the place of another one.
func (f *fixture) setLobby(t tester, old, l store.Lobby) {
	must(t, f.SetLobby(t.Context(), old, l))
}

var lobbyCases = []testCase{
	{"Lobbies", "a channel has one lobby, the one that was posted last, and they are read by channel", func(t *testing.T, f *fixture) {
		for _, l := range []store.Lobby{lobby("2", "20"), lobby("1", "10"), lobby("3", "30"), lobby("1", "11")} {
			f.setLobby(t, store.Lobby{}, l)
		}
		f.reopen(t)
		f.look(t)
		for _, l := range []store.Lobby{{Guild: "51", Message: "1"}, {Channel: "1", Message: "1"}, lobby("1", "\x00")} {
			wantError(t, fmt.Sprintf("SetLobby(%+v)", l), store.ErrInvalid, f.SetLobby(t.Context(), store.Lobby{}, l))
		}
	}},
	{"SetLobby", "a lobby is changed and deleted only as it was read", func(t *testing.T, f *fixture) {
		was, is := lobby("1", "10"), lobby("1", "10")
		is.Drawn, is.Shows = noon.Add(time.Minute), "another"
		gone := is
		gone.Message = ""
		refused := func(old, l store.Lobby) {
			wantError(t, fmt.Sprintf("SetLobby(%+v, %+v)", old, l), store.ErrConflict, f.SetLobby(t.Context(), old, l))
		}
		refused(was, is)
		f.setLobby(t, store.Lobby{}, was)
		f.setLobby(t, was, is)
		refused(was, is)
		refused(was, gone)
		moved := is
		moved.Message = "12"
		f.setLobby(t, is, moved)
		f.look(t)
		refused(is, gone)
		f.setLobby(t, store.Lobby{}, lobby("1", "11"))
		refused(is, gone)
		f.setLobby(t, lobby("1", "11"), gone)
	}},
	{"RaceLobbies", "of many who want to draw a lobby at the same time one does", func(t *testing.T, f *fixture) {
		f.apart()
		was := lobby("1", "10")
		f.setLobby(t, store.Lobby{}, was)
		wantOne(t, Race(func(i int) error {
			return f.SetLobby(t.Context(), was, with(was, func(l *store.Lobby) { l.Drawn = noon.Add(time.Duration(i+1) * time.Second) }))
		}), store.ErrConflict)
	}},
}
