package view

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// canBe reports whether the reason is ever given about such a record: some need a
// match, some a challenge, and some an opponent who was named.
func canBe(reason error, about Refused) bool {
	switch reason {
	//nolint:errorlint // these are the reasons themselves
	case match.ErrNotYourGame, match.ErrNotYourTurn, match.ErrTaken, match.ErrAlreadyOffered, match.ErrNoRematch, match.ErrJustPosted, match.ErrNotOver, match.ErrPlaysHere, match.ErrStillJudging:
		return about.Match.ID != 0
	case match.ErrPaused:
		return match.Paused(about.Match)
	case match.ErrSeriesGoesOn:
		return match.BetweenGames(about.Match)
	case match.ErrOpponentPlays:
		return about.Opponent.IsUser()
	case match.ErrNotChallenger, match.ErrChallengePending, match.ErrNotOffered, match.ErrNothingToStop:
		return about.Challenge.ID != 0
	case match.ErrNotChallenged, match.ErrCannotSee, match.ErrTakesNone, match.ErrHasBlocked, match.ErrDeclined, match.ErrKingNotNow:
		return about.Challenge.Opponent != ""
	case match.ErrCrownFree, match.ErrCrownMoved, match.ErrOwnCrown:
		return about.Crown.Channel != ""
	default:
		return true
	}
}

// TestEveryRefusal: every refusal is said privately, in words that leave nothing open, whatever it
// knows of what it is about.
func TestEveryRefusal(t *testing.T) {
	c := Load()
	link := regexp.MustCompile(`https://discord\.com/channels/(@me|[0-9]+)/[0-9]+(/[0-9]+)?`)
	people, program := matchtest.Between(t, engine.Standard, "a1 b2"), matchtest.Against(t, "medium", engine.Standard, "a1 b2")
	between := over(people, store.Resignation, engine.X)
	between.GoesOn = true
	people.Next = 8
	hidden := program
	hidden.ID, hidden.Place, hidden.Next = 9, 0, 8
	for _, locale := range c.locales {
		for _, r := range refusals {
			reason := r.err
			t.Run(fmt.Sprintf("%s/%v", locale, reason), func(t *testing.T) {
				for _, about := range []Refused{
					{Refusal: Refusal{Match: people, Cell: 0, Until: matchtest.TestEpoch, Private: hidden}},
					{Refusal: Refusal{Match: program, Cell: 0, Until: matchtest.TestEpoch}},
					{Refusal: Refusal{Match: hidden, Cell: 0, Until: matchtest.TestEpoch}},
					{Refusal: Refusal{Match: paused(program), Until: matchtest.TestEpoch}},
					{Refusal: Refusal{Match: between, Until: matchtest.TestEpoch}},
					{Refusal: Refusal{Match: people, Until: matchtest.TestEpoch, Opponent: people.O, Choice: match.DefaultChoice, Games: []Listed{{people, ""}, {program, ""}}}},
					{Refusal: Refusal{Challenge: matchtest.OpenChallenge(), Choice: match.DefaultChoice, Until: matchtest.TestEpoch}},
					{Refusal: Refusal{Challenge: matchtest.OpenTable(), Choice: match.Choice{Opponent: "hard", Rules: match.Boards[3], First: match.FirstMe}, Until: matchtest.TestEpoch}},
					{Refusal: Refusal{Crown: store.Crown{Channel: "302", User: matchtest.Ada}, Until: matchtest.TestEpoch}},
				} {
					if !canBe(reason, about) {
						continue
					}
					about.Reason, about.Link, about.GamesIn = reason, "https://discord.com/channels/201/302", "302"
					about.LinkTo = func(Leads) string { return "https://discord.com/channels/201/301/401" }
					for _, user := range []store.UserID{matchtest.Ada, matchtest.Bob} {
						about.User = user
						msg, known := testView(c, locale).Refusal(about)
						if !known || !msg.Ephemeral || msg.V2 {
							t.Errorf("known %v, ephemeral %v, v2 %v: want a plain private message", known, msg.Ephemeral, msg.V2)
						}
						if strings.Contains(msg.Content, about.Link) && !errors.Is(reason, match.ErrShared) {
							t.Error("the words have a link, and their entry does not say where it leads")
						}
						msg.Content = link.ReplaceAllString(msg.Content, "")
						checkForm(t, msg)
					}
				}
			})
		}
	}
}

// Every reason has an entry, and one only, which none before it hides.
func TestEveryReasonHasWords(t *testing.T) {
	known := map[string]bool{}
	for i, r := range refusals {
		known[r.err.Error()] = true
		for _, before := range refusals[:i] {
			if errors.Is(r.err, before.err) {
				t.Errorf("%v is explained as %v", r.err, before.err)
			}
		}
	}
	for s, pos := range sourceStrings(t, "../match") {
		if strings.HasPrefix(s, "match: ") && !known[s] {
			t.Errorf("%s: nothing says %q", pos, s)
		}
	}
	for _, wrapped := range []error{match.ErrPaused, match.ErrGoneOn, match.ErrSeriesGoesOn} {
		if !known[wrapped.Error()] {
			t.Errorf("nothing says %q", wrapped)
		}
	}
}
