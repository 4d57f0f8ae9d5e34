package rules

import (
	"regexp"
	"slices"
	"strings"
)

var (
	codeSpan    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	userMention = regexp.MustCompile(`<@!?(\d{1,20})>`)
	roleMention = regexp.MustCompile(`<@&(\d{1,20})>`)
)

// Mentions are whom a text names.
type Mentions struct {
	Users, Roles []string // ids, each once
	Everyone     bool     // it names @everyone or @here
}

// MentionsIn returns whom a text names. What stands in code names nobody.
func MentionsIn(text string) Mentions {
	text = codeSpan.ReplaceAllString(text, "")
	return Mentions{
		Users: idsIn(userMention, text), Roles: idsIn(roleMention, text),
		Everyone: strings.Contains(text, "@everyone") || strings.Contains(text, "@here"),
	}
}

func idsIn(mention *regexp.Regexp, text string) []string {
	var ids []string
	for _, match := range mention.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(ids, match[1]) {
			ids = append(ids, match[1])
		}
	}
	return ids
}
