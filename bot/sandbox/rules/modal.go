package rules

import "cmp"

// Component types that only modals have.
const (
	TypeFileUpload    = 19
	TypeRadioGroup    = 21
	TypeCheckboxGroup = 22
	TypeCheckbox      = 23
)

// maxGroup is how many options a group has at most, and how many files are taken.
const maxGroup = 10

// Modal is a modal as the bot sent it.
type Modal struct {
	CustomID   string      `json:"custom_id"`
	Title      string      `json:"title"`
	Components []Component `json:"components"`
}

// CheckModal checks the data of a callback of type 9.
func CheckModal(f Form, data map[string]any) (*Modal, error) {
	m := &Modal{CustomID: f.Need(data, "custom_id", 1, maxCustomID), Title: f.Need(data, "title", 1, maxModalTitle)}
	l := newLayout(false, nil, nil)
	l.modal = true
	rows := map[string]any{"components": data["components"]} // the request itself stays as it came
	l.nested(f, rows, maxModalRows, TypeActionRow, TypeLabel, TypeTextDisplay)
	if err := f.Err(); err != nil {
		return nil, err
	}
	l.number()
	m.Components, _ = ParseComponents(rows["components"].([]any))
	return m, nil
}

func (l *layout) textInput(f Form, c map[string]any) {
	l.customID(f, c)
	f.NeedChoice(c, "style", 1, 2)
	if len(f.path) > 0 && f.path[len(f.path)-1] != "component" { // the old shape, in an action row
		f.Need(c, "label", 1, maxLabel)
	} else {
		f.Text(c, "label", 1, maxLabel)
	}
	low, _ := f.Integer(c, "min_length", 0, MaxInput)
	high, ok := f.Integer(c, "max_length", 1, MaxInput)
	if ok && low > high {
		f.At("min_length").Fail("TEXT_INPUT_MIN_LENGTH_EXCEEDS_MAX", "min_length cannot be greater than max_length")
	}
	f.Text(c, "value", 0, int(cmp.Or(high, MaxInput)))
	f.Text(c, "placeholder", 0, maxSelectText)
}

func (l *layout) label(f Form, c map[string]any) {
	f.Need(c, "label", 1, maxLabel)
	f.Text(c, "description", 0, maxSelectText)
	l.child(f, c, "component",
		TypeTextInput, TypeStringSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect,
		TypeChannelSelect, TypeFileUpload, TypeRadioGroup, TypeCheckboxGroup, TypeCheckbox)
}

// modalInput checks what only modals ask for.
func (l *layout) modalInput(f Form, c map[string]any, kind int64) {
	l.customID(f, c)
	low, _ := f.Integer(c, "min_values", 0, maxGroup)
	high, _ := f.Integer(c, "max_values", 1, maxGroup)
	switch kind {
	case TypeRadioGroup:
		f.List(c, "options", 2, maxGroup)
		l.options(f, c, 1, 1)
	case TypeCheckboxGroup:
		f.List(c, "options", 1, maxGroup)
		l.options(f, c, low, high)
	}
}
