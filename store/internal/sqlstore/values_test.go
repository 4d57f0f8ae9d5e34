package sqlstore

import (
	"database/sql"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// TestWrongValues: a column that holds what no record of ours has, as in a damaged or edited
// database, is an error and no other value.
func TestWrongValues(t *testing.T) {
	var (
		name  store.UserID
		small uint8
		yes   bool
		at    time.Time
		cells []engine.Cell
		clock store.ClockSetting
	)
	for what, column := range map[string]struct {
		is    sql.Scanner
		wrong []any
	}{
		"a text":          {textAt(&name), []any{nil, int64(1), []byte("1"), true}},
		"a number":        {numberAt(&small), []any{nil, "1", int64(256), int64(-1), 1.5}},
		"a truth":         {truth{&yes}, []any{nil, "true", 1.0}},
		"a bit":           {bit{&yes}, []any{nil, true, int64(2), int64(-1), "1"}},
		"a moment":        {moment{&at}, []any{nil, "now", 1.0, time.Now()}},
		"a time in steps": {since{&at, 1000}, []any{nil, "now", time.Now()}},
		"moves":           {moves{&cells}, []any{"abc", int64(1)}},
		"a clock's limit": {limit{&clock}, []any{"1h", 1.5, true}},
	} {
		for _, src := range column.wrong {
			if err := column.is.Scan(src); err == nil {
				t.Errorf("%s is read from %T %v", what, src, src)
			}
		}
	}
}
