package rules

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxChannelTypes is how many kinds of channels a select names at most: all.
const maxChannelTypes = 18

// layout checks the components of one message or modal and gives them their ids.
type layout struct {
	v2        bool
	modal     bool
	total     int
	text      int // characters of all text displays
	textBytes int
	customIDs map[string]bool
	ids       map[int64]bool
	pending   []map[string]any // components that still need an id, in order
	files     map[string]bool  // names that attachment:// may refer to
	newID     func() string    // for what media is found under
}

func newLayout(v2 bool, files map[string]bool, newID func() string) *layout {
	return &layout{v2: v2, customIDs: map[string]bool{}, ids: map[int64]bool{}, files: files, newID: newID}
}

// fill sets a field that the request left out to Discord's default.
func fill(c map[string]any, key string, value any) {
	if c[key] == nil {
		c[key] = value
	}
}

// message checks the components of a message. What it returns may be kept: ids
// are filled in, and fields that Discord does not know are gone.
func (l *layout) message(f Form, list []any) ([]any, error) {
	allowed := []int64{TypeActionRow}
	if l.v2 {
		allowed = []int64{TypeActionRow, TypeSection, TypeTextDisplay, TypeMediaGallery, TypeFile, TypeSeparator, TypeContainer}
	} else {
		f.Length(len(list), 0, maxRows)
	}
	out := l.children(f, list, allowed)
	if l.v2 && l.total > maxComponents {
		f.Fail("COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The maximum number of components is %d (received %d)", maxComponents, l.total)
	}
	if l.text > maxDisplayText && f.Err() == nil {
		f.Fail("COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "Total size of displayable text exceeds the maximum of %d", maxDisplayText)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	if l.textBytes > maxDisplayBytes {
		return nil, ErrServer
	}
	l.number()
	return out, nil
}

// number gives every component without an id the lowest number that is free.
func (l *layout) number() {
	next := int64(1)
	for _, c := range l.pending {
		for l.ids[next] {
			next++
		}
		l.ids[next] = true
		c["id"] = jsonInt(next)
	}
}

func (l *layout) children(f Form, list []any, allowed []int64) []any {
	out := make([]any, 0, len(list))
	for i, v := range list {
		if c, ok := l.component(f.At(i), v, allowed); ok {
			out = append(out, c)
		}
	}
	return out
}

// nested checks the components below another one, which must have some.
func (l *layout) nested(f Form, c map[string]any, most int, allowed ...int64) {
	if list, ok := f.NeedList(c, "components", 1, most); ok {
		c["components"] = l.children(f.At("components"), list, allowed)
	}
}

// child checks the one component that a field must hold.
func (l *layout) child(f Form, c map[string]any, key string, allowed ...int64) {
	if !f.has(c, key) {
		return
	}
	if child, ok := l.component(f.At(key), c[key], allowed); ok {
		c[key] = child
	}
}

// componentFields are the fields that each type has beside its type. Discord
// ignores others, and does not give them back.
var componentFields = map[int][]string{
	TypeActionRow:         {"id", "components"},
	TypeButton:            {"id", "custom_id", "style", "label", "emoji", "url", "sku_id", "disabled"},
	TypeStringSelect:      {"id", "custom_id", "options", "placeholder", "min_values", "max_values", "disabled", "required"},
	TypeTextInput:         {"id", "custom_id", "style", "label", "min_length", "max_length", "required", "value", "placeholder"},
	TypeUserSelect:        {"id", "custom_id", "placeholder", "default_values", "min_values", "max_values", "disabled", "required"},
	TypeRoleSelect:        {"id", "custom_id", "placeholder", "default_values", "min_values", "max_values", "disabled", "required"},
	TypeMentionableSelect: {"id", "custom_id", "placeholder", "default_values", "min_values", "max_values", "disabled", "required"},
	TypeChannelSelect:     {"id", "custom_id", "placeholder", "default_values", "min_values", "max_values", "disabled", "required", "channel_types"},
	TypeSection:           {"id", "components", "accessory"},
	TypeTextDisplay:       {"id", "content"},
	TypeThumbnail:         {"id", "media", "description", "spoiler"},
	TypeMediaGallery:      {"id", "items"},
	TypeFile:              {"id", "file", "spoiler"},
	TypeSeparator:         {"id", "divider", "spacing"},
	TypeContainer:         {"id", "components", "accent_color", "spoiler"},
	TypeLabel:             {"id", "label", "description", "component"},
	TypeFileUpload:        {"id", "custom_id", "min_values", "max_values", "required"},
	TypeRadioGroup:        {"id", "custom_id", "options", "required"},
	TypeCheckboxGroup:     {"id", "custom_id", "options", "min_values", "max_values", "required"},
	TypeCheckbox:          {"id", "custom_id", "default"},
}

// component checks one component of an allowed type and returns a copy.
func (l *layout) component(f Form, v any, allowed []int64) (map[string]any, bool) {
	in, ok := f.Object(v)
	if !ok || !f.has(in, "type") {
		return nil, false
	}
	kind, ok := wholeNumber(in["type"])
	if !ok || !slices.Contains(allowed, kind) {
		// Recorded in cordless#2 and discord-net/Discord.Net#3132.
		f.Fail("UNION_TYPE_CHOICES", `Value of field "type" must be one of %s.`, tuple(allowed))
		return nil, false
	}
	c := map[string]any{"type": jsonInt(kind)} // 3.0 is kept as 3
	for _, k := range componentFields[int(kind)] {
		if in[k] != nil {
			c[k] = in[k]
		}
	}
	l.total++
	l.identify(f, c)
	// These are truth values in every type that has them.
	for _, flag := range []string{"disabled", "spoiler", "divider", "required", "default"} {
		f.Boolean(c, flag)
	}
	switch kind {
	case TypeActionRow:
		l.actionRow(f, c)
	case TypeButton:
		l.button(f, c)
	case TypeStringSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect, TypeChannelSelect:
		l.selectMenu(f, c, kind)
	case TypeTextInput:
		l.textInput(f, c)
	case TypeSection:
		l.nested(f, c, maxSectionTexts, TypeTextDisplay)
		l.child(f, c, "accessory", TypeButton, TypeThumbnail)
	case TypeTextDisplay:
		s := f.Need(c, "content", 1, maxDisplayText)
		l.text += utf8.RuneCountInString(s)
		l.textBytes += len(s)
	case TypeThumbnail:
		l.media(f, c, "media", "attachment", "http", "https")
		f.Text(c, "description", 0, maxMediaText)
		fill(c, "description", nil)
		fill(c, "spoiler", false)
	case TypeMediaGallery:
		l.gallery(f, c)
	case TypeFile:
		l.media(f, c, "file", "attachment")
		fill(c, "spoiler", false)
	case TypeSeparator:
		f.Choice(c, "spacing", 1, 2)
		fill(c, "divider", true)
		fill(c, "spacing", jsonInt(1))
	case TypeContainer:
		f.Integer(c, "accent_color", 0, maxAccentColor)
		fill(c, "spoiler", false)
		// A container has no limit of its own, only the one over the message.
		l.nested(f, c, 1<<20, TypeActionRow, TypeSection, TypeTextDisplay, TypeMediaGallery, TypeFile, TypeSeparator)
	case TypeLabel:
		l.label(f, c)
	case TypeFileUpload, TypeRadioGroup, TypeCheckboxGroup, TypeCheckbox:
		l.modalInput(f, c, kind)
	}
	return c, true
}

// tuple writes numbers as Discord's messages do: "(1,)" and "(1, 2)".
func tuple(ns []int64) string {
	if len(ns) == 1 {
		return fmt.Sprintf("(%d,)", ns[0])
	}
	return "(" + joinInts(ns) + ")"
}

// identify checks a component's id, or puts it on the list of those to number.
func (l *layout) identify(f Form, c map[string]any) {
	id, _ := f.Integer(c, "id", 0, maxComponentID)
	if id == 0 {
		l.pending = append(l.pending, c)
		return
	}
	if l.ids[id] {
		f.At("id").Fail("COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
	}
	l.ids[id] = true
}

func (l *layout) customID(f Form, c map[string]any) {
	id := f.Need(c, "custom_id", 1, maxCustomID)
	if id != "" && l.customIDs[id] {
		f.At("custom_id").Fail("COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
	}
	l.customIDs[id] = true
}

func (l *layout) actionRow(f Form, c map[string]any) {
	list, _ := c["components"].([]any)
	if len(list) == 0 {
		f.NeedList(c, "components", 1, maxRowButtons)
		return
	}
	allowed := []int64{TypeButton, TypeStringSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect, TypeChannelSelect}
	if l.modal {
		allowed = []int64{TypeTextInput}
	}
	f = f.At("components")
	width := 0
	for i, v := range list {
		o, _ := v.(map[string]any)
		n, _ := wholeNumber(o["type"])
		if n == TypeButton {
			width++
		} else {
			width += maxRowButtons
		}
		if width > maxRowButtons {
			f.At(i).Fail("COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
		}
	}
	c["components"] = l.children(f, list, allowed)
}

func (l *layout) button(f Form, c map[string]any) {
	style := f.NeedChoice(c, "style", 1, 2, 3, 4, 5, 6)
	label, _ := f.Text(c, "label", 0, maxButtonLabel)
	f.emoji(c)
	switch style {
	case 5:
		l.refuse(f, c, "custom_id", "BUTTON_COMPONENT_CUSTOM_ID_AND_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		l.url(f, c, "url", maxButtonURL, "http", "https", "discord")
	case 6:
		for _, key := range []string{"custom_id", "label", "emoji", "url"} {
			l.refuse(f, c, key, "BUTTON_COMPONENT_INVALID_PREMIUM_FIELD", "A premium button cannot have this")
		}
		f.NeedSnowflake(c, "sku_id")
		return
	default:
		l.refuse(f, c, "url", "BUTTON_COMPONENT_CUSTOM_ID_AND_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		l.customID(f, c)
	}
	// A label of nothing but spaces counts as none; a zero-width space is not a
	// space and therefore draws an empty button.
	if strings.TrimFunc(label, unicode.IsSpace) == "" && c["emoji"] == nil {
		f.At("label").Missing()
	}
}

// refuse notes an error when the field holds anything.
func (l *layout) refuse(f Form, c map[string]any, key, code, text string) {
	if c[key] != nil && c[key] != "" {
		f.At(key).Fail(code, "%s", text)
	}
}

// emoji checks the one of a button or an option, if there is one.
func (f Form) emoji(c map[string]any) {
	f, o, ok := f.below(c, "emoji")
	if !ok {
		return
	}
	name, _ := f.Text(o, "name", 0, maxEmojiName)
	if o["id"] != nil {
		f.At("id").Snowflake(o["id"])
		return
	}
	if !LooksLikeEmoji(name) {
		f.At("name").Fail("BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
	}
}

// LooksLikeEmoji reports whether s can be a unicode emoji. It does not know the
// list of all emoji: it refuses what plainly is text.
func LooksLikeEmoji(s string) bool {
	if strings.ContainsRune(s, '\u20E3') { // an enclosing keycap makes an emoji of a digit
		return true
	}
	plain := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsSpace(r) || r < 0xA9 }
	return s != "" && !strings.ContainsFunc(s, plain)
}

func (l *layout) url(f Form, o map[string]any, key string, limit int, schemes ...string) {
	s := f.Need(o, key, 1, limit)
	if s == "" {
		return
	}
	u, err := url.Parse(s)
	if err != nil || !slices.Contains(schemes, u.Scheme) || u.Host == "" && u.Scheme != "attachment" {
		f.At(key).Fail("URL_TYPE_INVALID_URL", "Not a well formed URL.")
	}
}

// media checks the address of a picture or file, which is of one of the schemes.
func (l *layout) media(f Form, c map[string]any, key string, schemes ...string) {
	f.has(c, key)
	f, o, ok := f.below(c, key)
	if !ok {
		return
	}
	l.url(f, o, "url", 2048, schemes...)
	if s, _ := o["url"].(string); strings.HasPrefix(s, "attachment://") && !l.files[strings.TrimPrefix(s, "attachment://")] {
		f.At("url").Fail("UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", "The referenced attachment was not found")
	}
	// Only the address can be set; where Discord finds it is Discord's.
	c[key] = map[string]any{"id": l.newID(), "url": o["url"], "proxy_url": o["url"]}
}

func (l *layout) gallery(f Form, c map[string]any) {
	items, _ := f.NeedList(c, "items", 1, maxGalleryItems)
	out := make([]any, 0, len(items))
	for g, in := range f.At("items").Each(items) {
		o := map[string]any{"media": in["media"], "description": in["description"], "spoiler": in["spoiler"]}
		l.media(g, o, "media", "attachment", "http", "https")
		g.Text(o, "description", 0, maxMediaText)
		g.Boolean(o, "spoiler")
		fill(o, "spoiler", false)
		out = append(out, o)
	}
	c["items"] = out
}

func (l *layout) selectMenu(f Form, c map[string]any, kind int64) {
	l.customID(f, c)
	f.Text(c, "placeholder", 0, maxPlaceholder)
	fill(c, "min_values", jsonInt(1))
	fill(c, "max_values", jsonInt(1))
	low, _ := f.Integer(c, "min_values", 0, 25)
	high, _ := f.Integer(c, "max_values", 1, 25)
	high = cmp.Or(high, 1)
	if low > high {
		f.At("min_values").Fail("SELECT_COMPONENT_MIN_VALUES_EXCEEDS_MAX", "min_values cannot be greater than max_values")
	}
	if kind == TypeStringSelect {
		l.options(f, c, low, high)
		return
	}
	if kinds, ok := f.List(c, "channel_types", 0, maxChannelTypes); ok {
		for i, v := range kinds {
			n, ok := wholeNumber(v)
			if !ok {
				f.At("channel_types").At(i).Fail("NUMBER_TYPE_COERCE", "Value %q is not int.", fmt.Sprint(v))
			}
			kinds[i] = jsonInt(n)
		}
	}
	if list, ok := f.List(c, "default_values", 0, 25); ok {
		if n := int64(len(list)); n > 0 && (n < low || n > high) {
			f.At("default_values").Fail("SELECT_DEFAULT_VALUES_OUT_OF_RANGE", "The number of default values must be between %d and %d", low, high)
		}
		for g, o := range f.At("default_values").Each(list) {
			g.At("id").Snowflake(o["id"])
			g.Need(o, "type", 1, 10)
		}
	}
}

// options checks those of which between low and high are chosen, of any number for 0.
func (l *layout) options(f Form, c map[string]any, low, high int64) {
	list, ok := f.NeedList(c, "options", 1, maxSelectOptions)
	if !ok {
		return
	}
	if high > int64(len(list)) {
		f.At("max_values").Fail("SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS", "max_values cannot exceed the number of options")
	}
	if low > int64(len(list)) {
		f.At("options").Fail("SELECT_COMPONENT_TOO_FEW_OPTIONS", "There are fewer options than min_values")
	}
	seen, defaults := map[string]bool{}, int64(0)
	for g, o := range f.At("options").Each(list) {
		g.Need(o, "label", 1, maxSelectText)
		value := g.Need(o, "value", 1, maxSelectText)
		if seen[value] {
			g.At("value").Fail("SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
		}
		seen[value] = true
		g.Text(o, "description", 0, maxSelectText)
		if chosen, _ := g.Boolean(o, "default"); chosen {
			defaults++
		}
		g.emoji(o)
	}
	if high > 0 && defaults > high {
		f.At("options").Fail("SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "There are more default options than max_values")
	}
}
