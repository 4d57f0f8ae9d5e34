package apicheck

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// formats are the string and number formats of Discord's description that
// JSON Schema does not define itself. Left out: "double", which any JSON number
// is, and "nonce", whose only rule is a length that the schemas state.
var formats = []*jsonschema.Format{
	{Name: "snowflake", Validate: checkSnowflake},
	{Name: "int32", Validate: signed(32)},
	{Name: "int64", Validate: signed(64)},
}

// checkSnowflake refuses a string that is no unsigned 64-bit decimal number.
func checkSnowflake(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	if _, err := strconv.ParseUint(text, 10, 64); err != nil {
		return errors.New("not an unsigned 64-bit number")
	}
	return nil
}

// signed refuses numbers that do not fit a signed integer of so many bits. A
// value that is no number at all is the business of the keyword "type".
func signed(bits int) func(any) error {
	return func(v any) error {
		n, _ := v.(json.Number)
		if _, err := strconv.ParseInt(n.String(), 10, bits); errors.Is(err, strconv.ErrRange) {
			return errors.New("does not fit the number of bits")
		}
		return nil
	}
}
