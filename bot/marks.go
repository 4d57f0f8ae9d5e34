package bot

import (
	"context"
	"errors"
	"fmt"

	"tictactoe/bot/marks"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
)

// EmojisAPI is how the application's own emojis are looked up and uploaded.
type EmojisAPI interface {
	Emojis(ctx context.Context) ([]rest.Emoji, error)
	CreateEmoji(ctx context.Context, name string, png []byte) (*rest.Emoji, error)
}

// UploadMarks uploads those of the application's marks that it does not have yet, and has
// messages show them from then on, all or none. Another process may upload them at the
// same time: Discord refuses the second of a name, and then a second look finds the first.
// One process may call it from one goroutine at a time.
func (b *Bot) UploadMarks(ctx context.Context) error {
	have, err := b.emojis(ctx)
	if err != nil {
		return err
	}
	var refused error
	for _, m := range marks.All() {
		if have[m.Emoji] != "" {
			continue
		}
		made, err := b.api.CreateEmoji(ctx, m.Emoji, m.PNG)
		switch {
		case errors.Is(err, rest.ErrInvalidForm):
			refused = fmt.Errorf("upload %s: %w", m.Emoji, err)
		case err != nil:
			return fmt.Errorf("upload %s: %w", m.Emoji, err)
		default:
			have[m.Emoji] = made.ID
		}
	}
	if refused != nil {
		if have, err = b.emojis(ctx); err != nil {
			return err
		}
	}
	shown := map[string]string{}
	for _, m := range marks.All() {
		if have[m.Emoji] == "" {
			return refused
		}
		shown[m.Name] = "<:" + m.Emoji + ":" + have[m.Emoji] + ">"
	}
	b.kit.Marks.Store(&view.OwnMarks{
		X: shown["x"], O: shown["o"], Empty: shown["empty"], WinningX: shown["x_win"], WinningO: shown["o_win"],
		GoingX: shown["x_going"], GoingO: shown["o_going"], MovedX: shown["x_moved"], MovedO: shown["o_moved"],
		Better: shown["better"],
	})
	return nil
}

// emojis returns the ids of the application's emojis by name.
func (b *Bot) emojis(ctx context.Context) (map[string]string, error) {
	list, err := b.api.Emojis(ctx)
	if err != nil {
		return nil, fmt.Errorf("read emojis: %w", err)
	}
	ids := map[string]string{}
	for _, e := range list {
		ids[e.Name] = e.ID
	}
	return ids, nil
}
