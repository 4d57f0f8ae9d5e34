package sandbox

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/rules"
)

const maxAppEmojis = 2000

var emojiName = regexp.MustCompile(`^\w{2,32}$`)

func appEmojiJSON(w *World, e *appEmoji) map[string]any {
	return map[string]any{
		"id": e.id, "name": e.name, "roles": []any{}, "require_colons": true, "managed": false, "animated": e.animated, "available": true,
		"user": w.app.user.json(),
	}
}

func listEmojis(w *World, x *exchange) (int, any, error) {
	items := []any{}
	for _, e := range w.app.emojis {
		items = append(items, appEmojiJSON(w, e))
	}
	return http.StatusOK, map[string]any{"items": items}, nil
}

func getEmoji(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, appEmojiJSON(w, x.emoji), nil
}

func emojiNamed(w *World, f rules.Form, o map[string]any) string {
	name := f.Need(o, "name", 2, 32)
	if name != "" && !emojiName.MatchString(name) {
		f.At("name").Fail("STRING_TYPE_REGEX", "String value did not match validation regex.")
	}
	if slices.ContainsFunc(w.app.emojis, func(e *appEmoji) bool { return e.name == name }) {
		f.At("name").Fail("APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "An emoji with this name already exists")
	}
	return name
}

func createEmoji(w *World, x *exchange) (int, any, error) {
	o := x.fields
	f := rules.NewForm()
	e := &appEmoji{id: w.newID(), name: emojiNamed(w, f, o)}
	if image := f.Need(o, "image", 1, rules.MaxRequestBytes); image != "" {
		e.picture = dataURI(e.id, image)
		if e.picture == nil || !e.picture.IsPicture() || len(e.picture.Body) > 256<<10 {
			f.At("image").Fail("IMAGE_INVALID", "Invalid image data")
		} else {
			e.animated = e.picture.Kind == "image/gif"
		}
	}
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	if len(w.app.emojis) >= maxAppEmojis {
		return 0, nil, rules.ErrMaxEmojis
	}
	w.app.emojis = append(w.app.emojis, e)
	return http.StatusCreated, appEmojiJSON(w, e), nil
}

// dataURI decodes one, nil for anything else.
func dataURI(id, uri string) *files.File {
	head, data, ok := strings.Cut(uri, ";base64,")
	if !ok || !strings.HasPrefix(head, "data:image/") {
		return nil
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil
	}
	return files.New(id, id, b)
}

func editEmoji(w *World, x *exchange) (int, any, error) {
	e := x.emoji
	o := x.fields
	f := rules.NewForm()
	if o["name"] == e.name {
		return http.StatusOK, appEmojiJSON(w, e), nil
	}
	name := emojiNamed(w, f, o)
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	e.name = name
	return http.StatusOK, appEmojiJSON(w, e), nil
}

func deleteEmoji(w *World, x *exchange) (int, any, error) {
	w.app.emojis = slices.DeleteFunc(w.app.emojis, func(o *appEmoji) bool { return o == x.emoji })
	return http.StatusNoContent, nil, nil
}
