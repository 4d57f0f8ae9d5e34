package sqlstore

import (
	"database/sql/driver"
	"fmt"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// text is a text of a record.
type text[T ~string] struct{ at *T }

// textAt returns the text as an argument and as something to scan into.
func textAt[T ~string](at *T) text[T] { return text[T]{at} }

// Value implements [driver.Valuer].
func (v text[T]) Value() (driver.Value, error) { return string(*v.at), nil }

// Scan implements [database/sql.Scanner].
func (v text[T]) Scan(src any) error {
	s, ok := src.(string)
	if !ok {
		return wrongType(src)
	}
	*v.at = T(s)
	return nil
}

// number is a whole number of a record.
type number[T ~int | ~int64 | ~uint8 | ~uint32] struct{ at *T }

// numberAt is textAt for a number.
func numberAt[T ~int | ~int64 | ~uint8 | ~uint32](at *T) number[T] { return number[T]{at} }

// Value implements [driver.Valuer].
func (v number[T]) Value() (driver.Value, error) { return int64(*v.at), nil }

// Scan implements [database/sql.Scanner].
func (v number[T]) Scan(src any) error {
	n, ok := src.(int64)
	if !ok || int64(T(n)) != n {
		return wrongType(src)
	}
	*v.at = T(n)
	return nil
}

// truth is a bool of a record.
type truth struct{ at *bool }

// Value implements [driver.Valuer].
func (v truth) Value() (driver.Value, error) { return *v.at, nil }

// Scan implements [database/sql.Scanner].
func (v truth) Scan(src any) error {
	switch src := src.(type) {
	case bool:
		*v.at = src
	case int64: // in SQLite, which has no truth values
		*v.at = src != 0
	default:
		return wrongType(src)
	}
	return nil
}

// bit is a bool of a record that is kept as a number.
type bit struct{ at *bool }

// Value implements [driver.Valuer].
func (v bit) Value() (driver.Value, error) {
	if *v.at {
		return int64(1), nil
	}
	return int64(0), nil
}

// Scan implements [database/sql.Scanner].
func (v bit) Scan(src any) error {
	n, ok := src.(int64)
	if *v.at = n == 1; !ok || n&1 != n {
		return wrongType(src)
	}
	return nil
}

// moment is a time of a record, in milliseconds since 1970.
type moment struct{ at *time.Time }

// Value implements [driver.Valuer].
func (v moment) Value() (driver.Value, error) { return v.at.UnixMilli(), nil }

// Scan implements [database/sql.Scanner].
func (v moment) Scan(src any) error {
	n, ok := src.(int64)
	*v.at = time.UnixMilli(n).UTC()
	if !ok {
		return wrongType(src)
	}
	return nil
}

// since is a time of a record in units of so many milliseconds since 1970, 0 for none.
type since struct {
	at   *time.Time
	unit int64
}

// Value implements [driver.Valuer].
func (v since) Value() (driver.Value, error) {
	if v.at.IsZero() {
		return int64(0), nil
	}
	return v.at.UnixMilli() / v.unit, nil
}

// Scan implements [database/sql.Scanner].
func (v since) Scan(src any) error {
	n, ok := src.(int64)
	if *v.at = (time.Time{}); n != 0 {
		*v.at = time.UnixMilli(n * v.unit).UTC()
	}
	if !ok {
		return wrongType(src)
	}
	return nil
}

// moves are the moves of a match, one byte for each.
type moves struct{ at *[]engine.Cell }

// Value implements [driver.Valuer].
func (v moves) Value() (driver.Value, error) {
	bytes := make([]byte, len(*v.at))
	for i, c := range *v.at {
		bytes[i] = byte(c)
	}
	return bytes, nil
}

// Scan implements [database/sql.Scanner].
func (v moves) Scan(src any) error {
	bytes, ok := src.([]byte)
	if !ok && src != nil { // SQLite has no empty blob that is not nil
		return wrongType(src)
	}
	if *v.at = nil; len(bytes) > 0 {
		*v.at = make([]engine.Cell, len(bytes))
	}
	for i, b := range bytes {
		(*v.at)[i] = engine.Cell(b)
	}
	return nil
}

// limit is a clock that may not be set, which is null.
type limit struct{ at *store.ClockSetting }

// Value implements [driver.Valuer].
func (v limit) Value() (driver.Value, error) {
	if !v.at.Set {
		return nil, nil
	}
	return int64(v.at.Limit), nil
}

// Scan implements [database/sql.Scanner].
func (v limit) Scan(src any) error {
	n, ok := src.(int64)
	*v.at = store.ClockSetting{Set: ok, Limit: time.Duration(n)}
	if !ok && src != nil {
		return wrongType(src)
	}
	return nil
}

func wrongType(src any) error { return fmt.Errorf("%T %v is no value of this column", src, src) }
