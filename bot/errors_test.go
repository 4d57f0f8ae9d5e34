package bot

import (
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/rest"
	"tictactoe/engine"
	"tictactoe/store"
)

// refusals are all the reasons that explain has words for.
var refusals = []error{
	errNotYourGame, errNotYourTurn, errTaken, errStale, errMatchOver, errAlreadyOffered, errNoRematch, errNotOver,
	errChallengeClosed, errNotChallenged, errNotChallenger, errOwnTable,
	errUnknownCommand, errUnknownRecord, errBusy, errNotOffered, errBadOption, errDirectMessage, errChallengeSelf,
	errChallengeBot, errCannotSee, errChallengePending, errUseRematch, errNoBoard, errNotInGame, errJustPosted, errTooMany,
	errTooBusy, errNotModerator, errResignTooLate, errCustomID, engine.ErrOffBoard, store.ErrConflict, store.ErrPlaceTaken,
}

// canBe reports whether the reason is ever given about such a record: some need a
// match, some a challenge, and some an opponent who was named.
func canBe(reason error, about *refusal) bool {
	switch reason {
	case errNotYourGame, errNotYourTurn, errTaken, errAlreadyOffered, errNoRematch, errJustPosted, errNotOver: //nolint:errorlint // the list above holds the reasons themselves
		return about.match.ID != 0
	case errNotChallenger, errChallengePending, errNotOffered:
		return about.challenge.ID != 0
	case errNotChallenged, errCannotSee:
		return about.challenge.Opponent != ""
	default:
		return true
	}
}

// Every refusal is said privately, in words that leave nothing open, whatever it
// knows of what it is about.
func TestRefusals(t *testing.T) {
	opts := Options{}
	setDefaults(&opts)
	b := &Bot{
		texts: loadTexts(t), opts: opts, painter: &painter{}, log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		uptime: &uptime{now: opts.Now, connected: opts.Connected},
	}
	b.commandIDs.Store(&map[string]string{chatCommandName: "910"})
	link := regexp.MustCompile(`https://discord\.com/channels/(@me|[0-9]+)/[0-9]+(/[0-9]+)?`)
	people, program := between(t, engine.Standard, "a1 b2"), against(t, "medium", engine.Standard, "a1 b2")
	people.Next = 8
	hidden := program
	hidden.ID, hidden.Place, hidden.Next = 9, 0, 8
	for _, locale := range b.texts.locales {
		for _, reason := range refusals {
			t.Run(fmt.Sprintf("%s/%v", locale, reason), func(t *testing.T) {
				for _, about := range []*refusal{
					{match: people, cell: 0, until: testEpoch, private: hidden},
					{match: program, cell: 0, until: testEpoch},
					{match: hidden, cell: 0, until: testEpoch},
					{challenge: openChallenge(), choice: defaultChoice, until: testEpoch},
					{challenge: openTable(), choice: choice{opponent: "hard", rules: boards[3], first: firstMe}, until: testEpoch},
				} {
					if !canBe(reason, about) {
						continue
					}
					about.reason = reason
					for _, user := range []store.UserID{ada, bob} {
						resp := b.explain(&interaction{id: "1", kind: kindCommand, user: user, locale: locale, guild: "201"}, about)
						if resp.kind != rest.CallbackMessage || !resp.msg.ephemeral || resp.msg.v2 {
							t.Errorf("kind %d, ephemeral %v, v2 %v: want a plain private message", resp.kind, resp.msg.ephemeral, resp.msg.v2)
						}
						seen := resp.msg
						seen.content = link.ReplaceAllString(seen.content, "")
						checkForm(t, seen)
					}
				}
			})
		}
	}
	if n := b.stats.refused.Load(); n < int64(len(refusals)) {
		t.Errorf("%d refusals were counted", n)
	}
}

// A reason that is new needs words, or has to be known not to reach people.
func TestEveryReasonHasWords(t *testing.T) {
	known := map[string]bool{}
	for _, err := range slices.Concat(refusals, []error{errInteraction, errMoved, errNoWay, errNotSaved, ErrStartLimit}) {
		known[err.Error()] = true
	}
	for s, pos := range sourceStrings(t) {
		if strings.HasPrefix(s, "bot: ") && !known[s] {
			t.Errorf("%s: nothing says %q", pos, s)
		}
	}
}
