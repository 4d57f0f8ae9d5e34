package view

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

func TestChallengeView(t *testing.T) {
	c := Load()
	want := map[string][]customid.Action{
		"challenge open":         {customid.Accept, customid.Decline},
		"table open":             {customid.Accept, customid.Cancel},
		"challenge to Vanishing": {customid.Accept, customid.Decline},
		"challenge in a group":   {customid.Accept, customid.Decline},
		"challenge to a king":    {customid.Accept, customid.Decline},
		"challenge expired":      {customid.ChallengeAgain},
		"table expired":          {customid.ChallengeAgain},
		"challenge hidden":       {customid.PlayPrivately},
	}
	for _, locale := range c.locales {
		for name, ch := range challengeScenes() {
			t.Run(locale+"/"+name, func(t *testing.T) {
				msg := testView(c, locale).Challenges().Challenge(ch)
				checkForm(t, msg)
				if msg.V2 || msg.Quiet != (ch.Opponent == "" || ch.InGroup || ch.Quiet) || msg.Ephemeral {
					t.Errorf("v2 %v, quiet %v, ephemeral %v: want a plain message that notifies whoever is asked", msg.V2, msg.Quiet, msg.Ephemeral)
				}
				wantPeople := []string{string(matchtest.Ada), string(matchtest.Bob)}
				if ch.Opponent == "" {
					wantPeople = wantPeople[:1]
				}
				if !slices.Equal(msg.People, wantPeople) {
					t.Errorf("may mention %v, want %v", msg.People, wantPeople)
				}
				_, buttons := buttonsOf(t, msg)
				var got []customid.Action
				for _, b := range buttons {
					id, _ := customid.Parse(b.CustomID)
					if id.Challenge != ch.ID && id.Action != customid.PlayPrivately {
						t.Errorf("%q belongs to challenge %d, want %d", b.Label, id.Challenge, ch.ID)
					}
					got = append(got, id.Action)
				}
				if !slices.Equal(got, want[name]) {
					t.Errorf("buttons %q, want %q", got, want[name])
				}
			})
		}
	}
}

func TestPrivateViews(t *testing.T) {
	c := Load()
	for _, locale := range c.locales {
		for name, msg := range privateScenes(t, testView(c, locale)) {
			t.Run(locale+"/"+name, func(t *testing.T) {
				public := strings.HasSuffix(name, " shown") || name == "lobby" || strings.HasPrefix(name, "puzzle shared") || strings.HasPrefix(name, "puzzle post")
				if public {
					if len(msg.People) > 0 || msg.Quiet != (msg.Role == "") {
						t.Errorf("people %v, quiet %v, want a message that notifies nobody", msg.People, msg.Quiet)
					}
				}
				checkForm(t, msg)
				kind, _, _ := strings.Cut(name, " ")
				rich := slices.Contains([]string{"games", "stats", "standings", "settings", "preferences", "review", "find", "puzzle", "check", "choose"}, kind) &&
					name != "standings direct message" && name != "review list of nobody" && !strings.HasPrefix(name, "puzzle shared") && !strings.HasPrefix(name, "puzzle post") || kind == "lobby" && public
				if msg.V2 != rich || msg.Ephemeral == public {
					t.Errorf("v2 %v, ephemeral %v, want v2 %v, ephemeral %v", msg.V2, msg.Ephemeral, rich, !public)
				}
			})
		}
	}
}

func TestMovedAndNotice(t *testing.T) {
	c := Load()
	m := matchtest.Between(t, engine.Standard, "a1")
	link := discord.MessageLink(m.Guild, m.Channel, "402")
	for _, locale := range c.locales {
		v := testView(c, locale)
		for _, to := range []string{"", link} {
			msg := v.Board().Relocated(m, to)
			checkForm(t, msg)
			if !msg.V2 || !strings.Contains(textOf(msg), to) {
				t.Errorf("%s: v2 %v, %q does not lead to %q", locale, msg.V2, textOf(msg), to)
			}
		}
		notice := v.Games().Notice(m, matchtest.Ada, matchtest.Bob, link)
		checkForm(t, notice)
		if notice.V2 || notice.Quiet || !strings.Contains(notice.Content, link) || !strings.Contains(notice.Content, v.mention(matchtest.Ada)) {
			t.Errorf("%s: a notice that tells nobody: %+v", locale, notice)
		}
	}
	if got, want := discord.MessageLink("", "302", ""), "https://discord.com/channels/@me/302"; got != want {
		t.Errorf("got the link %s, want %s", got, want)
	}
}

// TestChallengeUntil checks that a time of day which could be read as today's has its
// date.
func TestChallengeUntil(t *testing.T) {
	v := testView(Load(), "en-US")
	for ahead, style := range map[time.Duration]string{
		time.Minute: "t", 12*time.Hour - time.Second: "t", 12 * time.Hour: "f", 24 * time.Hour: "f",
	} {
		c := matchtest.OpenChallenge()
		c.Deadline = v.Uptime(c.Guild) + ahead
		want := fmt.Sprintf("<t:%d:%s>", v.Now.Add(ahead).Unix(), style)
		if got := v.Challenges().Challenge(c).Content; !strings.Contains(got, want) {
			t.Errorf("open for %v: %q does not contain %s", ahead, got, want)
		}
	}
}

// TestChallengeSays checks that a challenge says what is not as usual, and no more.
func TestChallengeSays(t *testing.T) {
	v := testView(Load(), "de")
	c := matchtest.OpenChallenge() // in German, where the guild speaks French
	content := func() string { return v.Challenges().Challenge(c).Content }
	if got := strings.Count(content(), "\n-# "); got != 2 || !strings.Contains(content(), "te défie") {
		t.Errorf("%q: want small lines with the terms, and with the guild's language", content())
	}
	for _, c.GuildLocale = range v.all.locales {
		for _, locale := range v.all.locales {
			for _, b := range testView(v.all, locale).Challenges().Challenge(c).Components[0].Components {
				if n := utf8.RuneCountInString(b.Label); n > 80 {
					t.Errorf("%s in %s: a button of %d letters: %s", locale, c.GuildLocale, n, b.Label)
				}
			}
		}
	}
	c.GuildLocale = "de"
	if got := content(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "10 Minuten") || !strings.Contains(got, "fängt an") {
		t.Errorf("%q: want one line and a small one, with the clock and who starts", got)
	}
	c.Clock, c.First = v.UsualClock, store.FirstRandom
	if got := content(); strings.Contains(got, "für jeden Zug") || strings.Contains(got, "fängt an") {
		t.Errorf("%q says the usual clock, or who starts by chance", got)
	}
}

// TestNobodyIsNotifiedOfWhatTheyDid looks at whom the creation of a message notifies.
func TestNobodyIsNotifiedOfWhatTheyDid(t *testing.T) {
	v := testView(Load(), "en-US")
	m := matchtest.Between(t, engine.Standard, "")
	for name, c := range map[string]struct {
		msg  discord.Message
		want []string
	}{
		"challenge": {v.Challenges().Challenge(matchtest.OpenChallenge()), []string{string(matchtest.Bob)}},
		"table":     {v.Challenges().Challenge(matchtest.OpenTable()), nil},
		"notice":    {v.Games().Notice(m, matchtest.Ada, matchtest.Bob, "link"), []string{string(matchtest.Ada)}},
	} {
		var p struct {
			Mentions struct{ Users []string } `json:"allowed_mentions"`
			Flags    int
		}
		if err := json.Unmarshal(c.msg.Create(), &p); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Mentions.Users, c.want) {
			t.Errorf("%s notifies %v, want %v", name, p.Mentions.Users, c.want)
		}
		if quiet := p.Flags&(1<<12) != 0; quiet != (len(c.want) == 0) {
			t.Errorf("%s is quiet: %v", name, quiet)
		}
	}
}
