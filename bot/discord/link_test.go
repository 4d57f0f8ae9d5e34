package discord

import (
	"strings"
	"testing"
)

func TestParseMessageLink(t *testing.T) {
	const g, c, m = "80351110224678912", "80351110224678913", "80351110224678914"
	for text, want := range map[string][3]string{
		MessageLink(g, c, m):                                      {g, c, m},
		MessageLink("", c, m):                                     {"", c, m},
		" <" + MessageLink(g, c, m) + "> ":                        {g, c, m},
		MessageLink(g, c, m) + "/":                                {g, c, m},
		MessageLink(g, c, m) + "?jump=1":                          {g, c, m},
		"https://ptb.discord.com/channels/" + g + "/1/2":          {g, "1", "2"},
		"https://canary.discord.com/channels/" + g + "/1/2#there": {g, "1", "2"},
		"http://www.discordapp.com/channels/@me/1/2":              {"", "1", "2"},
		m:               {"", "", m},
		c + "-" + m:     {"", c, m},
		"\t" + m + "\n": {"", "", m},
	} {
		guild, channel, message, ok := ParseMessageLink(text)
		if got := [3]string{guild, channel, message}; got != want || !ok {
			t.Errorf("%q reads as %q, %t, want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", " ", "@me", "0", "-1", "+1", "01", "1.0", "x", "1-2-3", "@me-1", "1-", "18446744073709551615", "99999999999999999999",
		MessageLink(g, c, ""), MessageLink(g, c, "@me"), MessageLink(g, "@me", m), MessageLink("x", c, m), MessageLink(g, c, "０"),
		"ftp://discord.com/channels/1/2/3", "https://discord.com.example.org/channels/1/2/3", "https://example.org/https://discord.com/channels/1/2/3",
		"see " + MessageLink(g, c, m), MessageLink(g, c, m) + " " + MessageLink(g, c, m), MessageLink(g, c, m) + "/4", strings.Repeat("1", 10_000),
	} {
		if guild, channel, message, ok := ParseMessageLink(text); ok || guild+channel+message != "" {
			t.Errorf("%q reads as %q, %q, %q", text, guild, channel, message)
		}
	}
}
