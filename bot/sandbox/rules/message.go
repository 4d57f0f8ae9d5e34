package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tictactoe/bot/sandbox/files"
)

// Message flags, as specified by Discord's documentation.
const (
	FlagSuppressEmbeds        = 1 << 2
	FlagEphemeral             = 1 << 6
	FlagLoading               = 1 << 7
	FlagSuppressNotifications = 1 << 12
	FlagHasThread             = 1 << 5
	FlagComponentsV2          = 1 << 15
)

// Application is whose requests are checked. NewID issues the identifiers that
// Discord gives to files and media.
type Application struct {
	ID    string
	NewID func() string
	// CDN is what the addresses of files begin with.
	CDN string
	// GuildInstallOnly refuses commands that people could install.
	GuildInstallOnly bool
}

// Body is what a message holds, checked: objects as Discord gives them back.
type Body struct {
	Content    string `json:"content,omitempty"`
	Components []any  `json:"components,omitempty"`
	Embeds     []any  `json:"embeds,omitempty"`
	Attached   []any  `json:"attached,omitempty"`
	Flags      int    `json:"flags,omitempty"`
}

// Draft is what a request wants a message to be, checked.
type Draft struct {
	// Has says which of content, embeds, components, attachments and flags the
	// request gave; those that it left out stay as they are in an edit.
	Has map[string]bool
	Body
	Uploaded  []*files.File    // those of attached that came with the request
	Mentions  *AllowedMentions // nil when the request leaves them to the default
	Reference map[string]any
	Nonce     any
	Enforce   bool
}

// AllowedMentions is a checked allowed_mentions object.
type AllowedMentions struct {
	AllUsers, AllRoles, Everyone bool
	Users, Roles                 map[string]bool
	RepliedUser                  bool
}

// SettableFlags are the flags that a request may set on a message; others are ignored.
const SettableFlags = FlagSuppressEmbeds | FlagSuppressNotifications | FlagComponentsV2 | 1<<13

// CheckMessage checks a message's data; f gathers what is wrong with it. old is the message
// that an edit changes, nil for a creation.
func (app Application) CheckMessage(f Form, data map[string]any, old *Body, uploads []files.File) (*Draft, error) {
	flags, given := f.Integer(data, "flags", 0, 1<<53)
	d := &Draft{Has: map[string]bool{"flags": given}}
	d.Flags = int(flags)
	edits := old != nil
	if !edits {
		old = &Body{}
	}
	v2 := (d.Flags|old.Flags)&FlagComponentsV2 != 0
	turns := v2 && edits && old.Flags&(FlagComponentsV2|FlagLoading) == 0

	for _, key := range []string{"content", "embeds", "components", "attachments"} {
		_, d.Has[key] = data[key]
	}
	d.Content, _ = f.Text(data, "content", 0, MaxContent)
	d.Content = strings.TrimSpace(d.Content)
	f.Boolean(data, "tts")
	d.Embeds = f.embeds(data)
	f.List(data, "sticker_ids", 0, maxStickers)
	d.Attached = app.attachments(f, data, d, uploads, old)
	d.Mentions = f.allowedMentions(data)
	d.Reference = f.reference(data)
	if data["nonce"] != nil {
		d.Nonce = f.nonce(data["nonce"])
	}
	d.Enforce, _ = f.Boolean(data, "enforce_nonce")
	if v2 {
		f.noLegacyFields(data, d, old, turns)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	if err := notOffered(data); err != nil {
		return nil, err
	}
	list, _ := f.List(data, "components", 0, 1<<20)
	comps, err := newLayout(v2, fileNames(d.Attached), app.NewID).message(f.At("components"), list)
	if err != nil {
		return nil, err
	}
	d.Components = comps
	if d.isEmpty(old, v2) {
		return nil, ErrEmptyMessage
	}
	return d, nil
}

// notOffered refuses what a message could have at Discord and cannot have here. It
// would vanish otherwise.
func notOffered(data map[string]any) error {
	if data["poll"] != nil {
		return NotOffered("a poll in a message")
	}
	if ref, ok := data["message_reference"].(map[string]any); ok && fmt.Sprint(ref["type"]) == "1" {
		return NotOffered("forwarding a message")
	}
	if list, _ := data["sticker_ids"].([]any); len(list) > 0 {
		return NotOffered("a sticker in a message")
	}
	return nil
}

// noLegacyFields refuses what a message in components v2 cannot have. Empty
// strings, null and empty lists are no use of a field, except null embeds where
// an edit turns a message to v2 (measured in discord/discord-api-docs#7787, by the
// channel's route as well as by the callback).
func (f Form) noLegacyFields(data map[string]any, d *Draft, old *Body, turns bool) {
	const code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
	refuse := func(key string) {
		f.At(key).Fail(code, "The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2", key)
	}
	if d.Content != "" || turns && !d.Has["content"] && old.Content != "" {
		refuse("content")
	}
	embeds, given := data["embeds"]
	switch {
	case len(d.Embeds) > 0, turns && !given && len(old.Embeds) > 0, turns && given && embeds == nil:
		refuse("embeds")
	}
	if l, _ := data["sticker_ids"].([]any); len(l) > 0 {
		refuse("sticker_ids")
	}
	if data["poll"] != nil {
		refuse("poll")
	}
}

// isEmpty reports whether the message would show nothing.
func (d *Draft) isEmpty(old *Body, v2 bool) bool {
	// What is new counts, and what an edit leaves out stays as it was. Files
	// need not be listed to be new.
	some := func(key string, now int, before int) bool {
		return now > 0 || !d.Has[key] && before > 0
	}
	if some("components", len(d.Components), len(old.Components)) {
		return false
	}
	return v2 || !some("content", len(d.Content), len(old.Content)) && !some("embeds", len(d.Embeds), len(old.Embeds)) &&
		!some("attachments", len(d.Attached), len(old.Attached))
}

func (f Form) nonce(v any) any {
	if _, ok := wholeNumber(v); ok {
		return fmt.Sprint(v)
	}
	s, ok := v.(string)
	if !ok {
		f.At("nonce").Fail("UNION_TYPE_CHOICES", "Could not interpret the nonce as string or int.")
		return nil
	}
	f.At("nonce").Length(utf8.RuneCountInString(s), 0, maxNonce)
	return s
}

func (f Form) reference(data map[string]any) map[string]any {
	g, o, ok := f.below(data, "message_reference")
	if ok {
		g.NeedSnowflake(o, "message_id")
	}
	return o
}

func (f Form) allowedMentions(data map[string]any) *AllowedMentions {
	g, o, ok := f.below(data, "allowed_mentions")
	if !ok {
		return nil
	}
	parse, _ := g.List(o, "parse", 0, 3)
	for i, v := range parse {
		if !slices.Contains([]any{"users", "roles", "everyone"}, v) {
			g.At("parse").At(i).Fail("BASE_TYPE_CHOICES", "Value must be one of {'users', 'roles', 'everyone'}.")
		}
	}
	all := func(kind string) bool { return slices.Contains(parse, any(kind)) }
	listed := func(key string) map[string]bool {
		ids, _ := g.List(o, key, 0, maxAllowedIDs)
		seen := map[string]bool{}
		for i, v := range ids {
			id, ok := g.At(key).At(i).Snowflake(v)
			if ok && seen[id] {
				g.At(key).Fail("SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
			}
			seen[id] = true
		}
		if len(ids) > 0 && all(key) {
			g.At(key).Fail("MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", `parse:["%s"] and %s: [ids...] are mutually exclusive.`, key, key)
		}
		return seen
	}
	replied, _ := g.Boolean(o, "replied_user")
	return &AllowedMentions{
		AllUsers: all("users"), AllRoles: all("roles"), Everyone: all("everyone"),
		Users: listed("users"), Roles: listed("roles"), RepliedUser: replied,
	}
}

func (f Form) embeds(data map[string]any) []any {
	list, ok := f.List(data, "embeds", 0, maxEmbeds)
	if !ok {
		return nil
	}
	total := 0
	count := func(s string) { total += utf8.RuneCountInString(s) }
	for g, o := range f.At("embeds").Each(list) {
		title, _ := g.Text(o, "title", 0, 256)
		text, _ := g.Text(o, "description", 0, 4096)
		count(title)
		count(text)
		g.Integer(o, "color", 0, maxAccentColor)
		fields, _ := g.List(o, "fields", 0, 25)
		for h, field := range g.At("fields").Each(fields) {
			count(h.Need(field, "name", 1, 256))
			count(h.Need(field, "value", 1, 1024))
		}
		for key, limit := range map[string]int{"footer": 2048, "author": 256} {
			if part, ok := o[key].(map[string]any); ok {
				name := map[string]string{"footer": "text", "author": "name"}[key]
				count(g.At(key).Need(part, name, 1, limit))
			}
		}
		if title == "" && text == "" && len(fields) == 0 && o["image"] == nil && o["thumbnail"] == nil && o["footer"] == nil && o["author"] == nil {
			g.At("description").Missing()
		}
		o["type"] = "rich"
	}
	if total > maxEmbedText {
		f.At("embeds").Fail("MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of %d", maxEmbedText)
	}
	return list
}

// attachments checks the files of a request and those of the message that stay,
// and returns what the message has then.
func (app Application) attachments(f Form, data map[string]any, d *Draft, uploads []files.File, old *Body) []any {
	list, given := f.List(data, "attachments", 0, MaxFiles)
	byID := map[string]files.File{}
	for _, u := range uploads {
		byID[u.ID] = u
	}
	var out []any
	if !given {
		list, out = nil, slices.Clone(old.Attached)
	}
	for g, o := range f.At("attachments").Each(list) {
		g.Text(o, "description", 0, maxMediaText)
		id := fmt.Sprint(o["id"])
		if u, ok := byID[id]; ok {
			if name, _ := g.Text(o, "filename", 1, 1024); name != "" {
				u.Name = name
			}
			a := app.attach(d, u)
			if o["description"] != nil {
				a["description"] = o["description"]
			}
			out = append(out, a)
			delete(byID, id)
			continue
		}
		kept := slices.IndexFunc(old.Attached, func(v any) bool {
			a, _ := v.(map[string]any)
			return a["id"] == id
		})
		if kept >= 0 {
			out = append(out, old.Attached[kept])
			continue
		}
		g.At("id").Fail("ATTACHMENT_NOT_FOUND", "Attachment data not found")
	}
	for _, u := range uploads {
		if _, left := byID[u.ID]; left {
			out = append(out, app.attach(d, u))
		}
	}
	if given {
		f.At("attachments").Length(len(out), 0, MaxFiles)
	}
	return out
}

func (app Application) attach(d *Draft, u files.File) map[string]any {
	f := files.New(app.NewID(), u.Name, u.Body)
	d.Uploaded = append(d.Uploaded, f)
	return f.Attachment(app.CDN + "/attachments/" + app.ID)
}

func fileNames(attached []any) map[string]bool {
	names := map[string]bool{}
	for _, v := range attached {
		if o, ok := v.(map[string]any); ok {
			name, _ := o["filename"].(string)
			names[name] = true
		}
	}
	return names
}
