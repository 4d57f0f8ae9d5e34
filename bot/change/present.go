package change

import (
	"context"

	"tictactoe/bot/kit"
	"tictactoe/store"
)

// rereads is how often rows are read again because somebody in them has left.
const rereads = 3

// Present is PresentIn for who looks, and where the bot is absent nobody is asked for.
func (b *Changer) Present(ctx context.Context, in *kit.Request, names map[store.UserID]string, read func() ([]store.UserID, error)) error {
	return b.PresentIn(ctx, in.MemberOf(), in.UserID, names, read)
}

// PresentIn adds to names under which ones the guild knows the people whose rows read has read.
// Who turns out to have left it is noted, and the rows are read again without them, so that ranks
// agree. Who looks is there.
func (b *Changer) PresentIn(ctx context.Context, guild store.GuildID, viewer store.UserID, names map[store.UserID]string, read func() ([]store.UserID, error)) error {
	for n := 0; ; n++ {
		users, err := read()
		if err != nil {
			return err
		}
		var gone []store.Absence
		for i, m := range b.Kit.Members(ctx, guild, users) {
			names[users[i]] = m.Name
			if m.Gone && users[i] != viewer {
				gone = append(gone, store.Absence{Guild: guild, User: users[i], Gone: true})
			}
		}
		if len(gone) == 0 || n == rereads {
			return nil
		}
		if err := b.Apply(ctx, store.Change{Absences: gone}); err != nil {
			b.Kit.Log.Warn("who has left is noted another time", "error", err)
			return nil
		}
	}
}
