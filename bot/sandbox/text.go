package sandbox

import "strings"

// username turns a name into one that Discord allows as a username: lower-case
// letters, digits, dots and underscores.
func username(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			b.WriteRune(r)
		} else if r == ' ' || r == '-' {
			b.WriteByte('_')
		}
	}
	for b.Len() < 2 {
		b.WriteByte('_')
	}
	return b.String()
}
