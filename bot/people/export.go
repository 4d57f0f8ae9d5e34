package people

import (
	"cmp"
	"context"
	"errors"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/export"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
	"tictactoe/store"
)

const (
	// exportPage is how many rows are read at once for the copy that somebody gets of their
	// data: others who read wait no longer. As much time passes between two pages as the
	// first of them took.
	exportPage = 200
	// exportTime is how long a copy may take; the token with which it is handed over lives
	// for a quarter of an hour.
	exportTime = 5 * time.Minute
	// ExportMost is how large a file is that Discord takes anywhere (documentation, Uploading
	// Files: the default limit).
	ExportMost = 10 << 20
	// tellTime is for the words when it did not come about.
	tellTime = 5 * time.Second
)

// exports give people a copy of all that is kept about them.
type exports struct{ *People }

// begin is the button on the panel. The words come at once, and the file takes their place.
func (b exports) begin(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if is, err := b.Store.Erasing(ctx, in.UserID); err != nil || is {
		return kit.Response{}, cmp.Or(err, store.ErrErasing)
	}
	if err := b.Exports.CountAs(ctx, in, b.Kit.Now(), match.ErrExportedNow); err != nil {
		return kit.Response{}, err
	}
	// It is claimed, so that of several processes one makes it.
	if err := b.Change.Do(ctx, in, func() (store.Change, error) { return store.Change{}, nil }); err != nil {
		return kit.Response{}, err
	}
	r := kit.Reply(b.Kit.View(in.Language()).Note(view.Exporting))
	r.Then = func(context.Context) {
		ctx, cancel := context.WithTimeout(b.Kit.Work.Base, exportTime) // what follows an answer has less
		defer cancel()
		b.handOver(ctx, in)
	}
	return r, nil
}

// handOver makes the file and puts it in the place of the answer, or words that say why not.
func (b exports) handOver(ctx context.Context, in *kit.Request) {
	b.exporting.Lock()
	defer b.exporting.Unlock()
	v := b.Kit.View(in.Language())
	began := b.Kit.Now()
	file, err := b.file(ctx, in.UserID)
	if err == nil {
		msg := v.People().Exported(file.Name, file.Packed)
		_, err = b.Kit.API.EditByToken(ctx, in.Token, "@original", rest.Upload{
			Payload: msg.Edit(), Files: []rest.File{{Name: file.Name, Type: file.Type, Body: file.Body}},
		})
	}
	var words discord.Message
	switch {
	case err == nil:
		b.Kit.Log.Info("a person has a copy of their data", "bytes", len(file.Body), "took", b.Kit.Now().Sub(began))
		return
	case errors.Is(err, export.ErrTooLarge):
		words = v.Note(view.ExportTooLarge)
	default:
		words = v.Note(view.ExportFailed)
	}
	if b.Kit.Work.Base.Err() == nil {
		b.Kit.Log.Warn("a copy of somebody's data was not handed over", "error", err)
	}
	ctx, cancel := context.WithTimeout(b.Kit.Work.Base, tellTime)
	defer cancel()
	_, _ = b.Kit.API.EditByToken(ctx, in.Token, "@original", words.Edit()) // else they read that it has not come
}

// file makes the file. Between its pages others go on; what changes meanwhile is in it as it
// was or as it is.
func (b exports) file(ctx context.Context, user store.UserID) (export.File, error) {
	w := export.New(user, b.Kit.Now(), b.ExportMost)
	for part, k := range store.KeptParts {
		var after []any
		for {
			began := time.Now()
			rows, err := b.Store.Kept(ctx, user, part, after, exportPage)
			if err != nil {
				return export.File{}, err
			}
			for _, row := range rows {
				w.Row(k, row)
			}
			if len(rows) < exportPage {
				break
			}
			after = k.After(rows[len(rows)-1])
			if err := tasks.Sleep(ctx, time.Since(began)); err != nil {
				return export.File{}, err
			}
		}
	}
	if is, err := b.Store.Erasing(ctx, user); err != nil || is { // half of it may be gone
		return export.File{}, cmp.Or(err, store.ErrErasing)
	}
	return w.Close()
}
