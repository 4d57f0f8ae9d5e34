package view

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLeaderboardTitles: in every language a leaderboard has in its title the words by which it
// was chosen.
func TestLeaderboardTitles(t *testing.T) {
	c := Load()
	for _, locale := range c.locales {
		v := testView(c, locale)
		for _, k := range standingsKinds(v.Now) {
			title := v.Scores().standingsTitle(Standings{Leaf: Leaf{Period: k.stored}})
			if k.value == "streaks" {
				title = v.say("streaks.title", nil)
			}
			if label := v.say(k.label, nil); !strings.Contains(strings.ToLower(title), strings.ToLower(label)) {
				t.Errorf("%s: chosen as %q, it is headed %q", locale, label, title)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	for name, want := range map[string]string{
		"Ada":                    "Ada",
		"Zoë 千代":                 "Zoë 千代",
		"**bold** _x_ ~~y~~":     `\*\*bold\*\* \_x\_ \~\~y\~\~`,
		"<@1> <#2> <:a:3>":       `\<\@1\> \<\#2\> \<\:a\:3\>`,
		"@everyone":              `\@everyone`,
		"[a](https://x.y)":       `\[a\]\(https\://x.y\)`,
		"one\ntwo":               "one two",
		"turned \u202eround":     "turned  round",
		`back\slash`:             `back\\slash`,
		"||hidden|| `code`":      "\\|\\|hidden\\|\\| \\`code\\`",
		"   ":                    "?",
		"":                       "?",
		strings.Repeat("a", 40):  strings.Repeat("a", 32) + "…",
		"# heading\n- list\n> q": `\# heading \- list \> q`,
	} {
		if got := Plain(name); got != want {
			t.Errorf("%q is written %q, want %q", name, got, want)
		}
	}
	// Whatever somebody is called, nothing in it is markup.
	bare := regexp.MustCompile("(^|[^\\\\])(\\\\\\\\)*[" + regexp.QuoteMeta("*_~`|<>@#:()-") + "]|\n")
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.RuneFrom([]rune("a\\*_~`|<>@#[]():-\n\r\u2028\u202eé"))).Draw(t, "name")
		if found := bare.FindString(Plain(name)); found != "" {
			t.Errorf("%q is written %q, where %q is markup", name, Plain(name), found)
		}
	})
}
