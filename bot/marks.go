package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tictactoe/bot/marks"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// EmojisAPI is how the application's own emojis are looked up and uploaded.
type EmojisAPI interface {
	Emojis(ctx context.Context) ([]rest.Emoji, error)
	CreateEmoji(ctx context.Context, name string, png []byte) (*rest.Emoji, error)
}

// usualPictures are those of X and O, which messages show all or none of.
var usualPictures = []string{"x", "o", "empty", "x_win", "o_win", "x_going", "o_going", "x_moved", "o_moved", "better"}

// UploadMarks uploads those of the application's marks that it does not have yet, one after
// the other, and has messages show them from then on: X and O first, then of the marks that
// people choose each as soon as all its forms are there. Another process may upload them at
// the same time: Discord refuses the second of a name, and then a second look finds the first.
// One process may call it from one goroutine at a time.
func (b *Bot) UploadMarks(ctx context.Context) error {
	have, err := b.emojis(ctx)
	if err != nil {
		return err
	}
	together := [][]string{usualPictures}
	for mark := store.MarkStar; mark.Chosen(); mark++ {
		if forms := pictures(view.MarkNames()[mark]); !have.all(forms...) {
			together = append(together, forms)
		}
	}
	for _, names := range together {
		if have, err = b.upload(ctx, have, names...); err != nil {
			return err
		}
		b.showMarks(have)
	}
	return nil
}

// pictures are those of a mark, in the order of [view.MarkForms].
func pictures(name string) []string {
	return []string{name, name + "_win", name + "_going", name + "_moved"}
}

// upload uploads pictures of which there is no emoji, and returns those that there are then.
func (b *Bot) upload(ctx context.Context, have emojis, names ...string) (emojis, error) {
	var refused error
	for _, name := range names {
		m := picture[name]
		if have[m.Emoji] != "" {
			continue
		}
		made, err := b.opts.API.CreateEmoji(ctx, m.Emoji, m.PNG)
		switch {
		case errors.Is(err, rest.ErrInvalidForm):
			refused = fmt.Errorf("upload %s: %w", m.Emoji, err)
		case err != nil:
			return have, fmt.Errorf("upload %s: %w", m.Emoji, err)
		default:
			have[m.Emoji] = made.ID
		}
	}
	if refused == nil {
		return have, nil
	}
	have, err := b.emojis(ctx)
	if err == nil && !have.all(names...) {
		err = refused
	}
	return have, err
}

// picture gives each picture by its name.
var picture = func() map[string]marks.Mark {
	all := map[string]marks.Mark{}
	for _, m := range marks.All() {
		all[m.Name] = m
	}
	return all
}()

// emojis are ids of the application's emojis by name.
type emojis map[string]string

// all reports whether there is one of each of the pictures.
func (have emojis) all(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return have[picture[name].Emoji] == "" })
}

// showMarks has messages show the emojis.
func (b *Bot) showMarks(have emojis) {
	text := func(name string) string { return "<:" + picture[name].Emoji + ":" + have[picture[name].Emoji] + ">" }
	forms := func(name string) view.MarkForms {
		p := pictures(name)
		return view.MarkForms{Plain: text(p[0]), Winning: text(p[1]), Going: text(p[2]), Moved: text(p[3])}
	}
	own := &view.OwnMarks{
		X: forms("x"), O: forms("o"), Empty: text("empty"), Better: text("better"), Chosen: map[store.OwnMark]view.MarkForms{},
	}
	for mark, name := range view.MarkNames() {
		if have.all(pictures(name)...) {
			own.Chosen[mark] = forms(name)
		}
	}
	b.kit.Marks.Store(own)
}

// emojis returns the ids of the application's emojis by name.
func (b *Bot) emojis(ctx context.Context) (emojis, error) {
	list, err := b.opts.API.Emojis(ctx)
	if err != nil {
		return nil, fmt.Errorf("read emojis: %w", err)
	}
	ids := emojis{}
	for _, e := range list {
		ids[e.Name] = e.ID
	}
	return ids, nil
}
