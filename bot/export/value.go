package export

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// appendRow appends a row as an object. Fields with nothing in them are left out, but for
// truth values and numbers.
func appendRow(b []byte, k store.Kept, row []any) []byte {
	b = append(b, '{')
	first := true
	for i, f := range k.Fields {
		was := len(b)
		if !first {
			b = append(b, ',')
		}
		b = append(appendString(b, f.Name), ':')
		value := len(b)
		if b = appendValue(b, k, f, row, i); len(b) == value {
			b = b[:was]
			continue
		}
		first = false
	}
	return append(b, '}')
}

// appendValue appends a value, or nothing where there is none.
func appendValue(b []byte, k store.Kept, f store.KeptField, row []any, i int) []byte {
	switch v := row[i].(type) {
	case nil:
		return b
	case string:
		if v == "" {
			return b
		}
		return appendString(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case []byte:
		return appendCells(b, v, columnsOf(k, row))
	case int64:
		return appendNumber(b, f, v)
	default: // no driver gives one
		return appendString(b, fmt.Sprint(v))
	}
}

func appendNumber(b []byte, f store.KeptField, n int64) []byte {
	switch f.Kind {
	case store.KeptID:
		if n == 0 {
			return b
		}
		return append(strconv.AppendInt(append(b, '"'), n, 10), '"') // too large for numbers of JavaScript
	case store.KeptYes:
		return strconv.AppendBool(b, n != 0)
	case store.KeptMoment:
		return appendString(b, time.UnixMilli(n).UTC().Format("2006-01-02T15:04:05.000Z"))
	case store.KeptLength:
		return strconv.AppendFloat(b, time.Duration(n).Seconds(), 'f', -1, 64)
	case store.KeptDay:
		if n == 0 {
			return b
		}
		return appendString(b, time.Unix(n*24*60*60, 0).UTC().Format(time.DateOnly))
	case store.KeptPeriod:
		switch p := store.Period(n); p {
		case store.AllTime:
			return append(b, `"all time"`...)
		case store.BotWins:
			return append(b, `"wins against the program"`...)
		default:
			return appendString(b, p.Begin().Format("2006-01"))
		}
	case store.KeptMark:
		switch engine.Mark(n) { //nolint:gosec // 0, 1 or 2
		case engine.X:
			return append(b, `"X"`...)
		case engine.O:
			return append(b, `"O"`...)
		default:
			return b
		}
	case store.KeptCode:
		said, known := f.Codes[n]
		switch {
		case !known:
			return strconv.AppendInt(b, n, 10)
		case said == "":
			return b
		}
		return appendString(b, said)
	case store.KeptHonours:
		b = append(b, '[')
		for bit, first := 0, true; bit < store.MostHonours; bit++ {
			if n&(1<<bit) == 0 {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			b, first = strconv.AppendInt(b, int64(bit), 10), false
		}
		return append(b, ']')
	default:
		return strconv.AppendInt(b, n, 10)
	}
}

// appendCells appends cells by their names, or by their numbers where the board is not known.
func appendCells(b, cells []byte, columns int) []byte {
	b = append(b, '[')
	for i, c := range cells {
		if i > 0 {
			b = append(b, ',')
		}
		if columns == 0 {
			b = strconv.AppendInt(b, int64(c), 10)
			continue
		}
		b = append(b, '"', 'a'+c%byte(columns)) //nolint:gosec // at most 5
		b = append(strconv.AppendInt(b, int64(c)/int64(columns)+1, 10), '"')
	}
	return append(b, ']')
}

// columnsOf returns how many columns the board of the row has, 0 where that is not said.
func columnsOf(k store.Kept, row []any) int {
	for i, f := range k.Fields {
		if n, ok := row[i].(int64); ok && f.Column == "m" {
			return int(n)
		}
	}
	return 0
}

func appendString(b []byte, s string) []byte {
	q, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always marshal
	}
	return append(b, q...)
}
