package sandbox

import (
	"fmt"
	"net/url"
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
func (l *layout) message(f form, list []any) ([]any, error) {
	allowed := []int64{TypeActionRow}
	if l.v2 {
		allowed = []int64{TypeActionRow, TypeSection, TypeTextDisplay, TypeMediaGallery, TypeFile, TypeSeparator, TypeContainer}
	} else {
		f.length(len(list), 0, maxRows)
	}
	out := l.children(f, list, allowed)
	if l.v2 && l.total > maxComponents {
		f.fail("COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The maximum number of components is %d (received %d)", maxComponents, l.total)
	}
	if l.text > maxDisplayText && f.err() == nil {
		f.fail("COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "Total size of displayable text exceeds the maximum of %d", maxDisplayText)
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	if l.textBytes > maxDisplayBytes {
		return nil, errServer
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

func (l *layout) children(f form, list []any, allowed []int64) []any {
	out := make([]any, 0, len(list))
	for i, v := range list {
		if c, ok := l.component(f.at(i), v, allowed); ok {
			out = append(out, c)
		}
	}
	return out
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
	typeFileUpload:        {"id", "custom_id", "min_values", "max_values", "required"},
	typeRadioGroup:        {"id", "custom_id", "options", "required"},
	typeCheckboxGroup:     {"id", "custom_id", "options", "min_values", "max_values", "required"},
	typeCheckbox:          {"id", "custom_id", "default"},
}

// component checks one component of an allowed type and returns a copy.
func (l *layout) component(f form, v any, allowed []int64) (map[string]any, bool) {
	in, ok := f.object(v)
	if !ok {
		return nil, false
	}
	kind, ok := f.choice(in, "type", allowed...)
	if !ok {
		return nil, false
	}
	c := map[string]any{"type": in["type"]}
	for _, k := range componentFields[int(kind)] {
		if in[k] != nil {
			c[k] = in[k]
		}
	}
	l.total++
	l.identify(f, c)
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
		l.section(f, c)
	case TypeTextDisplay:
		s := f.need(c, "content", 1, maxDisplayText)
		l.text += utf8.RuneCountInString(s)
		l.textBytes += len(s)
	case TypeThumbnail:
		l.media(f, c, "media", false)
		f.text(c, "description", 0, maxMediaText)
		f.boolean(c, "spoiler")
		fill(c, "description", nil)
		fill(c, "spoiler", false)
	case TypeMediaGallery:
		l.gallery(f, c)
	case TypeFile:
		l.media(f, c, "file", true)
		f.boolean(c, "spoiler")
		fill(c, "spoiler", false)
	case TypeSeparator:
		f.boolean(c, "divider")
		if c["spacing"] != nil {
			f.choice(c, "spacing", 1, 2)
		}
		fill(c, "divider", true)
		fill(c, "spacing", jsonInt(1))
	case TypeContainer:
		l.container(f, c)
	case TypeLabel:
		l.label(f, c)
	}
	return c, true
}

// identify checks a component's id, or puts it on the list of those to number.
func (l *layout) identify(f form, c map[string]any) {
	id, ok := f.integer(c, "id", 0, maxComponentID)
	if !ok && c["id"] != nil {
		return
	}
	if id == 0 {
		l.pending = append(l.pending, c)
		return
	}
	if l.ids[id] {
		f.at("id").fail("COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
	}
	l.ids[id] = true
}

func (l *layout) customID(f form, c map[string]any) {
	id := f.need(c, "custom_id", 1, maxCustomID)
	if id != "" && l.customIDs[id] {
		f.at("custom_id").fail("COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
	}
	l.customIDs[id] = true
}

func (l *layout) actionRow(f form, c map[string]any) {
	if c["components"] == nil {
		f.at("components").missing()
		return
	}
	list, ok := c["components"].([]any)
	if !ok {
		f.list(c, "components", 1, maxRowButtons)
		return
	}
	allowed := []int64{TypeButton, TypeStringSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect, TypeChannelSelect}
	if l.modal {
		allowed = []int64{TypeTextInput}
	}
	f = f.at("components")
	if len(list) == 0 {
		f.length(0, 1, maxRowButtons)
		return
	}
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
			f.at(i).fail("COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
		}
	}
	c["components"] = l.children(f, list, allowed)
}

func (l *layout) button(f form, c map[string]any) {
	style, ok := f.choice(c, "style", 1, 2, 3, 4, 5, 6)
	if !ok {
		return
	}
	f.boolean(c, "disabled")
	label, _ := f.text(c, "label", 0, maxButtonLabel)
	if c["emoji"] != nil {
		l.emoji(f.at("emoji"), c["emoji"])
	}
	switch style {
	case 5:
		l.refuse(f, c, "custom_id", "BUTTON_COMPONENT_CUSTOM_ID_AND_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		l.url(f, c, "url", maxButtonURL, "http", "https", "discord")
	case 6:
		for _, key := range []string{"custom_id", "label", "emoji", "url"} {
			l.refuse(f, c, key, "BUTTON_COMPONENT_INVALID_PREMIUM_FIELD", "A premium button cannot have this")
		}
		if c["sku_id"] == nil {
			f.at("sku_id").missing()
		} else {
			f.at("sku_id").snowflake(c["sku_id"])
		}
		return
	default:
		l.refuse(f, c, "url", "BUTTON_COMPONENT_CUSTOM_ID_AND_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		l.customID(f, c)
	}
	// A label of nothing but spaces counts as none; a zero-width space is not a
	// space and therefore draws an empty button.
	if strings.TrimFunc(label, unicode.IsSpace) == "" && c["emoji"] == nil {
		f.at("label").missing()
	}
}

// refuse notes an error when the field holds anything.
func (l *layout) refuse(f form, c map[string]any, key, code, text string) {
	if s, ok := c[key].(string); ok && s == "" {
		return
	}
	if c[key] != nil {
		f.at(key).fail(code, "%s", text)
	}
}

func (l *layout) emoji(f form, v any) {
	o, ok := f.object(v)
	if !ok {
		return
	}
	name, _ := f.text(o, "name", 0, maxEmojiName)
	if o["id"] != nil {
		f.at("id").snowflake(o["id"])
		return
	}
	if !looksLikeEmoji(name) {
		f.at("name").fail("BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
	}
}

// looksLikeEmoji reports whether s can be a unicode emoji. It does not know the
// list of all emoji: it refuses what plainly is text.
func looksLikeEmoji(s string) bool {
	for _, r := range s {
		if r == '\u20E3' { // an enclosing keycap makes an emoji of a digit
			return true
		}
	}
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsSpace(r) || r < 0xA9 {
			return false
		}
	}
	return s != ""
}

func (l *layout) url(f form, o map[string]any, key string, limit int, schemes ...string) {
	s := f.need(o, key, 1, limit)
	if s == "" {
		return
	}
	u, err := url.Parse(s)
	if err == nil {
		for _, scheme := range schemes {
			if u.Scheme == scheme && (u.Host != "" || scheme == "attachment") {
				return
			}
		}
	}
	f.at(key).fail("URL_TYPE_INVALID_URL", "Not a well formed URL.")
}

func (l *layout) media(f form, c map[string]any, key string, attachmentOnly bool) {
	if c[key] == nil {
		f.at(key).missing()
		return
	}
	f = f.at(key)
	o, ok := f.object(c[key])
	if !ok {
		return
	}
	schemes := []string{"attachment"}
	if !attachmentOnly {
		schemes = append(schemes, "http", "https")
	}
	l.url(f, o, "url", 2048, schemes...)
	if s, _ := o["url"].(string); strings.HasPrefix(s, "attachment://") && !l.files[strings.TrimPrefix(s, "attachment://")] {
		f.at("url").fail("UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", "The referenced attachment was not found")
	}
	// Only the address can be set; where Discord finds it is Discord's.
	c[key] = map[string]any{"id": l.newID(), "url": o["url"], "proxy_url": o["url"]}
}

func (l *layout) gallery(f form, c map[string]any) {
	if c["items"] == nil {
		f.at("items").missing()
		return
	}
	items, ok := f.list(c, "items", 1, maxGalleryItems)
	if !ok {
		return
	}
	out := make([]any, 0, len(items))
	for i, v := range items {
		g := f.at("items").at(i)
		if in, ok := g.object(v); ok {
			o := map[string]any{"media": in["media"], "description": in["description"], "spoiler": in["spoiler"]}
			l.media(g, o, "media", false)
			g.text(o, "description", 0, maxMediaText)
			g.boolean(o, "spoiler")
			fill(o, "spoiler", false)
			out = append(out, o)
		}
	}
	c["items"] = out
}

func (l *layout) section(f form, c map[string]any) {
	if c["components"] == nil {
		f.at("components").missing()
	} else if list, ok := f.list(c, "components", 1, maxSectionTexts); ok {
		c["components"] = l.children(f.at("components"), list, []int64{TypeTextDisplay})
	}
	if c["accessory"] == nil {
		f.at("accessory").missing()
	} else if a, ok := l.component(f.at("accessory"), c["accessory"], []int64{TypeButton, TypeThumbnail}); ok {
		c["accessory"] = a
	}
}

func (l *layout) container(f form, c map[string]any) {
	f.integer(c, "accent_color", 0, maxAccentColor)
	f.boolean(c, "spoiler")
	fill(c, "spoiler", false)
	if c["components"] == nil {
		f.at("components").missing()
		return
	}
	// A container has no limit of its own, only the one over the message.
	if list, ok := f.list(c, "components", 1, 1<<20); ok {
		c["components"] = l.children(f.at("components"), list,
			[]int64{TypeActionRow, TypeSection, TypeTextDisplay, TypeMediaGallery, TypeFile, TypeSeparator})
	}
}

func (l *layout) selectMenu(f form, c map[string]any, kind int64) {
	l.customID(f, c)
	f.text(c, "placeholder", 0, maxPlaceholder)
	f.boolean(c, "disabled")
	low, hasLow := f.integer(c, "min_values", 0, 25)
	high, hasHigh := f.integer(c, "max_values", 1, 25)
	if !hasLow {
		low = 1
	}
	if !hasHigh {
		high = 1
	}
	if low > high {
		f.at("min_values").fail("SELECT_COMPONENT_MIN_VALUES_EXCEEDS_MAX", "min_values cannot be greater than max_values")
	}
	fill(c, "min_values", jsonInt(1))
	fill(c, "max_values", jsonInt(1))
	if kind == TypeStringSelect {
		l.options(f, c, low, high, hasHigh)
		return
	}
	if kinds, ok := f.list(c, "channel_types", 0, maxChannelTypes); ok {
		for i, v := range kinds {
			n, ok := wholeNumber(v)
			if !ok {
				f.at("channel_types").at(i).fail("NUMBER_TYPE_COERCE", "Value %q is not int.", fmt.Sprint(v))
			}
			kinds[i] = jsonInt(n)
		}
	}
	if list, ok := f.list(c, "default_values", 0, 25); ok {
		if n := int64(len(list)); n > 0 && (n < low || n > high) {
			f.at("default_values").fail("SELECT_DEFAULT_VALUES_OUT_OF_RANGE", "The number of default values must be between %d and %d", low, high)
		}
		for i, v := range list {
			g := f.at("default_values").at(i)
			if o, ok := g.object(v); ok {
				g.at("id").snowflake(o["id"])
				g.need(o, "type", 1, 10)
			}
		}
	}
}

func (l *layout) options(f form, c map[string]any, low, high int64, hasHigh bool) {
	if c["options"] == nil {
		f.at("options").missing()
		return
	}
	list, ok := f.list(c, "options", 1, maxSelectOptions)
	if !ok {
		return
	}
	if hasHigh && high > int64(len(list)) {
		f.at("max_values").fail("SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS", "max_values cannot exceed the number of options")
	}
	if low > int64(len(list)) {
		f.at("options").fail("SELECT_COMPONENT_TOO_FEW_OPTIONS", "There are fewer options than min_values")
	}
	seen, defaults := map[string]bool{}, int64(0)
	for i, v := range list {
		g := f.at("options").at(i)
		o, ok := g.object(v)
		if !ok {
			continue
		}
		g.need(o, "label", 1, maxSelectText)
		value := g.need(o, "value", 1, maxSelectText)
		if seen[value] {
			g.at("value").fail("SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
		}
		seen[value] = true
		g.text(o, "description", 0, maxSelectText)
		if chosen, _ := g.boolean(o, "default"); chosen {
			defaults++
		}
		if o["emoji"] != nil {
			l.emoji(g.at("emoji"), o["emoji"])
		}
	}
	if defaults > high {
		f.at("options").fail("SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "There are more default options than max_values")
	}
}
