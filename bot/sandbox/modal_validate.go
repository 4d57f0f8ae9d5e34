package sandbox

// Component types that only modals have.
const (
	typeFileUpload    = 19
	typeRadioGroup    = 21
	typeCheckboxGroup = 22
	typeCheckbox      = 23
)

// maxGroup is how many options a group has at most, and how many files are taken.
const maxGroup = 10

// modal checks the data of a callback of type 9.
func validateModal(f form, data map[string]any) (map[string]any, error) {
	f.need(data, "custom_id", 1, maxCustomID)
	f.need(data, "title", 1, maxModalTitle)
	l := newLayout(false, nil, nil)
	l.modal = true
	var out []any
	if data["components"] == nil {
		f.at("components").missing()
	} else if list, ok := f.list(data, "components", 1, maxModalRows); ok {
		out = l.children(f.at("components"), list, []int64{TypeActionRow, TypeLabel, TypeTextDisplay})
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	l.number()
	return map[string]any{"custom_id": data["custom_id"], "title": data["title"], "components": out}, nil
}

func (l *layout) textInput(f form, c map[string]any) {
	l.customID(f, c)
	f.choice(c, "style", 1, 2)
	if len(f.path) > 0 && f.path[len(f.path)-1] != "component" { // the old shape, in an action row
		f.need(c, "label", 1, maxLabel)
	} else {
		f.text(c, "label", 1, maxLabel)
	}
	low, _ := f.integer(c, "min_length", 0, maxInput)
	high, ok := f.integer(c, "max_length", 1, maxInput)
	if ok && low > high {
		f.at("min_length").fail("TEXT_INPUT_MIN_LENGTH_EXCEEDS_MAX", "min_length cannot be greater than max_length")
	}
	if value, _ := f.text(c, "value", 0, maxInput); ok && int64(len([]rune(value))) > high {
		f.at("value").length(len([]rune(value)), 0, int(high))
	}
	f.text(c, "placeholder", 0, maxSelectText)
	f.boolean(c, "required")
}

func (l *layout) label(f form, c map[string]any) {
	f.need(c, "label", 1, maxLabel)
	f.text(c, "description", 0, maxSelectText)
	if c["component"] == nil {
		f.at("component").missing()
		return
	}
	allowed := []int64{
		TypeTextInput, TypeStringSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect,
		TypeChannelSelect, typeFileUpload, typeRadioGroup, typeCheckboxGroup, typeCheckbox,
	}
	if child, ok := l.component(f.at("component"), c["component"], allowed); ok {
		c["component"] = child
		l.modalInput(f.at("component"), child)
	}
}

// modalInput checks what only modals ask for.
func (l *layout) modalInput(f form, c map[string]any) {
	f.boolean(c, "required")
	kind, _ := wholeNumber(c["type"])
	if kind < typeFileUpload {
		return
	}
	l.customID(f, c)
	switch kind {
	case typeFileUpload:
		f.integer(c, "min_values", 0, maxGroup)
		f.integer(c, "max_values", 1, maxGroup)
	case typeRadioGroup:
		f.list(c, "options", 2, maxGroup)
		l.options(f, c, 1, 1, false)
	case typeCheckboxGroup:
		f.list(c, "options", 1, maxGroup)
		low, _ := f.integer(c, "min_values", 0, maxGroup)
		high, ok := f.integer(c, "max_values", 1, maxGroup)
		if !ok {
			high = maxGroup
		}
		l.options(f, c, low, high, ok)
	case typeCheckbox:
		f.boolean(c, "default")
	}
}
