package sandbox

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// draft is what a request wants a message to be, checked.
type draft struct {
	// has says which of content, embeds, components and attachments the request
	// gave; those that it left out stay as they are in an edit.
	has        map[string]bool
	content    string
	embeds     []any
	components []any
	attached   []any
	uploaded   []*file // those of attached that came with the request
	flags      int
	hasFlags   bool
	tts        bool
	mentions   *allowedMentions // nil when the request leaves them to the default
	reference  map[string]any
	nonce      any
	enforce    bool
}

// allowedMentions is a checked allowed_mentions object.
type allowedMentions struct {
	allUsers, allRoles, everyone bool
	users                        map[string]bool
	repliedUser                  bool
}

// settable are the flags that a request may set on a message; others are ignored.
const settableFlags = FlagSuppressEmbeds | FlagSuppressNotifications | FlagComponentsV2 | 1<<13

// validateMessage checks a message's data. old is the message that an edit
// changes, nil for a creation; strictNull refuses null embeds where a message
// turns to components v2, as the update of an interaction's message does.
func (s *Server) validateMessage(f form, data map[string]any, old *Message, files []upload, strictNull bool) (*draft, error) {
	d := &draft{has: map[string]bool{}}
	flags, hasFlags := f.integer(data, "flags", 0, 1<<53)
	d.flags, d.hasFlags = int(flags), hasFlags
	v2 := d.flags&FlagComponentsV2 != 0 || old != nil && old.flags&FlagComponentsV2 != 0
	turns := v2 && old != nil && old.flags&FlagComponentsV2 == 0 && old.flags&FlagLoading == 0

	for _, key := range []string{"content", "embeds", "components", "attachments"} {
		_, d.has[key] = data[key]
	}
	d.content, _ = f.text(data, "content", 0, maxContent)
	d.content = strings.TrimSpace(d.content)
	d.tts, _ = f.boolean(data, "tts")
	d.embeds = f.embeds(data)
	f.list(data, "sticker_ids", 0, maxStickers)
	d.attached = s.attachments(f, data, d, files, old)
	d.mentions = f.allowedMentions(data)
	d.reference = f.reference(data)
	if data["nonce"] != nil {
		d.nonce = f.nonce(data["nonce"])
	}
	d.enforce, _ = f.boolean(data, "enforce_nonce")
	if v2 {
		f.noLegacyFields(data, d, old, turns, strictNull)
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	list, _ := f.list(data, "components", 0, 1<<20)
	comps, err := newLayout(v2, fileNames(d.attached, old, d.has["attachments"]), s.newID).message(f.at("components"), list)
	if err != nil {
		return nil, err
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	d.components = comps
	if d.isEmpty(data, old, v2) {
		return nil, errEmptyMessage
	}
	return d, nil
}

// noLegacyFields refuses what a message in components v2 cannot have. Empty
// strings, null and empty lists are no use of a field, except null embeds where
// an update turns a message to v2.
func (f form) noLegacyFields(data map[string]any, d *draft, old *Message, turns, strictNull bool) {
	const code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
	refuse := func(key string) {
		f.at(key).fail(code, "The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2", key)
	}
	if d.content != "" || turns && !d.has["content"] && old.content != "" {
		refuse("content")
	}
	embeds, given := data["embeds"]
	switch {
	case len(d.embeds) > 0, turns && !given && len(old.embeds) > 0, turns && strictNull && given && embeds == nil:
		refuse("embeds")
	}
	if l, ok := data["sticker_ids"].([]any); ok && len(l) > 0 {
		refuse("sticker_ids")
	}
	if data["poll"] != nil {
		refuse("poll")
	}
}

// isEmpty reports whether the message would show nothing.
func (d *draft) isEmpty(data map[string]any, old *Message, v2 bool) bool {
	if old == nil {
		old = &Message{}
	}
	// What is new counts, and what an edit leaves out stays as it was. Files
	// need not be listed to be new.
	some := func(key string, now int, before int) bool {
		return now > 0 || !d.has[key] && before > 0
	}
	if some("components", len(d.components), len(old.rawComps)) {
		return false
	}
	if v2 {
		return true
	}
	if l, ok := data["sticker_ids"].([]any); ok && len(l) > 0 {
		return false
	}
	return !some("content", len(d.content), len(old.content)) && !some("embeds", len(d.embeds), len(old.embeds)) &&
		!some("attachments", len(d.attached), len(old.attached)) && data["poll"] == nil
}

func (f form) nonce(v any) any {
	if _, ok := wholeNumber(v); ok {
		return fmt.Sprint(v)
	}
	s, ok := v.(string)
	if !ok {
		f.at("nonce").fail("UNION_TYPE_CHOICES", "Could not interpret the nonce as string or int.")
		return nil
	}
	f.at("nonce").length(utf8.RuneCountInString(s), 0, maxNonce)
	return s
}

func (f form) reference(data map[string]any) map[string]any {
	if data["message_reference"] == nil {
		return nil
	}
	g := f.at("message_reference")
	o, ok := g.object(data["message_reference"])
	if !ok {
		return nil
	}
	if o["message_id"] == nil {
		g.at("message_id").missing()
		return nil
	}
	g.at("message_id").snowflake(o["message_id"])
	return o
}

func (f form) allowedMentions(data map[string]any) *allowedMentions {
	if data["allowed_mentions"] == nil {
		return nil
	}
	g := f.at("allowed_mentions")
	o, ok := g.object(data["allowed_mentions"])
	if !ok {
		return nil
	}
	a := &allowedMentions{users: map[string]bool{}}
	parse, _ := g.list(o, "parse", 0, 3)
	for i, v := range parse {
		switch v {
		case "users":
			a.allUsers = true
		case "roles":
			a.allRoles = true
		case "everyone":
			a.everyone = true
		default:
			g.at("parse").at(i).fail("BASE_TYPE_CHOICES", "Value must be one of {'users', 'roles', 'everyone'}.")
		}
	}
	for _, key := range []string{"users", "roles"} {
		ids, _ := g.list(o, key, 0, maxAllowedIDs)
		seen := map[string]bool{}
		for i, v := range ids {
			id, ok := g.at(key).at(i).snowflake(v)
			if ok && seen[id] {
				g.at(key).fail("SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
			}
			seen[id] = true
			if ok && key == "users" {
				a.users[id] = true
			}
		}
		if len(ids) > 0 && (key == "users" && a.allUsers || key == "roles" && a.allRoles) {
			g.at(key).fail("MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", `parse:["%s"] and %s: [ids...] are mutually exclusive.`, key, key)
		}
	}
	a.repliedUser, _ = g.boolean(o, "replied_user")
	return a
}

func (f form) embeds(data map[string]any) []any {
	list, ok := f.list(data, "embeds", 0, maxEmbeds)
	if !ok {
		return nil
	}
	total := 0
	count := func(s string) { total += utf8.RuneCountInString(s) }
	for i, v := range list {
		g := f.at("embeds").at(i)
		o, ok := g.object(v)
		if !ok {
			continue
		}
		title, _ := g.text(o, "title", 0, 256)
		text, _ := g.text(o, "description", 0, 4096)
		count(title)
		count(text)
		g.integer(o, "color", 0, maxAccentColor)
		fields, _ := g.list(o, "fields", 0, 25)
		for j, v := range fields {
			h := g.at("fields").at(j)
			if field, ok := h.object(v); ok {
				count(h.need(field, "name", 1, 256))
				count(h.need(field, "value", 1, 1024))
			}
		}
		for key, limit := range map[string]int{"footer": 2048, "author": 256} {
			if part, ok := o[key].(map[string]any); ok {
				name := map[string]string{"footer": "text", "author": "name"}[key]
				count(g.at(key).need(part, name, 1, limit))
			}
		}
		if title == "" && text == "" && len(fields) == 0 && o["image"] == nil && o["thumbnail"] == nil && o["footer"] == nil && o["author"] == nil {
			g.at("description").missing()
		}
		o["type"] = "rich"
	}
	if total > maxEmbedText {
		f.at("embeds").fail("MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of %d", maxEmbedText)
	}
	return list
}

// attachments checks the files of a request and those of the message that stay,
// and returns what the message has then.
func (s *Server) attachments(f form, data map[string]any, d *draft, files []upload, old *Message) []any {
	list, given := f.list(data, "attachments", 0, maxFiles)
	byID := map[string]upload{}
	for _, u := range files {
		byID[u.id] = u
	}
	if !given {
		if old != nil {
			list = old.attached
			return append(append([]any(nil), list...), s.attachAll(d, files)...)
		}
		return s.attachAll(d, files)
	}
	var out []any
	for i, v := range list {
		g := f.at("attachments").at(i)
		o, ok := g.object(v)
		if !ok {
			continue
		}
		g.text(o, "description", 0, maxMediaText)
		id := fmt.Sprint(o["id"])
		if u, ok := byID[id]; ok {
			if name, _ := g.text(o, "filename", 1, 1024); name != "" {
				u.name = name
			}
			a := s.attach(d, u)
			if o["description"] != nil {
				a["description"] = o["description"]
			}
			out = append(out, a)
			delete(byID, id)
			continue
		}
		if kept := findAttachment(old, id); kept != nil {
			out = append(out, kept)
			continue
		}
		g.at("id").fail("ATTACHMENT_NOT_FOUND", "Attachment data not found")
	}
	for _, u := range files {
		if _, left := byID[u.id]; left {
			out = append(out, s.attach(d, u))
		}
	}
	if len(out) > maxFiles {
		f.at("attachments").length(len(out), 0, maxFiles)
	}
	return out
}

func (s *Server) attachAll(d *draft, files []upload) []any {
	var out []any
	for _, u := range files {
		out = append(out, s.attach(d, u))
	}
	return out
}

func (s *Server) attach(d *draft, u upload) map[string]any {
	f := newFile(s.newID(), u.name, u.content)
	d.uploaded = append(d.uploaded, f)
	// The address has Discord's shape; the page finds the file by its id.
	address := "https://cdn.discordapp.com/attachments/" + s.appID + "/" + f.id + "/" + url.PathEscape(f.name)
	a := map[string]any{
		"id": f.id, "filename": f.name, "size": len(f.body), "content_type": f.kind, "url": address, "proxy_url": address,
	}
	if width, height, ok := f.size(); ok {
		a["width"], a["height"] = width, height
	}
	return a
}

func findAttachment(old *Message, id string) any {
	if old == nil {
		return nil
	}
	for _, v := range old.attached {
		if o, ok := v.(map[string]any); ok && o["id"] == id {
			return v
		}
	}
	return nil
}

func fileNames(attached []any, old *Message, replaced bool) map[string]bool {
	names := map[string]bool{}
	add := func(list []any) {
		for _, v := range list {
			if o, ok := v.(map[string]any); ok {
				name, _ := o["filename"].(string)
				names[name] = true
			}
		}
	}
	add(attached)
	if old != nil && !replaced {
		add(old.attached)
	}
	return names
}
