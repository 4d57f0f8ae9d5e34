package bot

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

func TestCustomIDWireForm(t *testing.T) {
	for _, test := range []struct {
		id   customID
		wire string
	}{
		{customID{action: actCell, match: 1}, "1:c:1:0:0"},
		{customID{action: actCell, match: 36, ply: 24, cell: 24}, "1:c:10:24:24"},
		{customID{action: actResign, match: 35}, "1:r:z"},
		{customID{action: actResignConfirm, match: 2}, "1:ry:2"},
		{customID{action: actKeepPlaying, match: 2}, "1:rn:2"},
		{customID{action: actStopConfirm, match: 2}, "1:sy:2"},
		{customID{action: actNames, match: 2}, "1:n:2"},
		{customID{action: actRematch, match: 2}, "1:m:2"},
		{customID{action: actHarder, match: 2}, "1:h:2"},
		{customID{action: actPlayWinner, match: 2}, "1:w:2"},
		{customID{action: actShowBoard, match: math.MaxInt64}, "1:b:1y2p0ij32e8e7"},
		{customID{action: actPlayPrivately, choice: defaultChoice}, "1:p:medium:3x3:me"},
		{customID{action: actPlayPrivately, choice: choice{opponent: "hard", rules: engine.Rules{M: 4, N: 5, K: 4}, first: firstRandom}}, "1:p:hard:4x5-4:random"},
		{customID{action: actAccept, challenge: 3}, "1:a:3"},
		{customID{action: actDecline, challenge: 3}, "1:d:3"},
		{customID{action: actCancel, challenge: 3}, "1:x:3"},
		{customID{action: actChallengeAgain, challenge: 3}, "1:g:3"},
		{customID{action: actOpenTable}, "1:o"},
	} {
		if got := test.id.String(); got != test.wire {
			t.Errorf("%+v is written %q, want %q", test.id, got, test.wire)
		}
		got, err := parseCustomID(test.wire)
		if err != nil || got != test.id {
			t.Errorf("%q reads as %+v, %v, want %+v", test.wire, got, err, test.id)
		}
	}
}

func TestCustomIDRefusals(t *testing.T) {
	for name, wire := range map[string]string{
		"empty":               "",
		"a bare number":       "4",
		"no action":           "1:",
		"version alone":       "1",
		"older version":       "0:c:1:0:0",
		"newer version":       "2:c:1:0:0",
		"version spelt long":  "01:c:1:0:0",
		"unknown action":      "1:q:1",
		"upper-case action":   "1:C:1:0:0",
		"action with a blank": "1: c:1:0:0",
		"part missing":        "1:c:1:0",
		"part too many":       "1:c:1:0:0:0",
		"something after":     "1:o:",
		"match missing":       "1:r",
		"match empty":         "1:r:",
		"match zero":          "1:r:0",
		"match negative":      "1:r:-1",
		"match with a plus":   "1:r:+1",
		"match padded":        "1:r:01",
		"match in capitals":   "1:r:A",
		"match underscored":   "1:r:1_0",
		"match too large":     "1:r:1y2p0ij32e8e8",
		"ply negative":        "1:c:1:-1:0",
		"ply padded":          "1:c:1:00:0",
		"ply too large":       "1:c:1:26:0",
		"ply no number":       "1:c:1:x:0",
		"ply in other digits": "1:c:1:٣:0",
		"cell too large":      "1:c:1:0:26",
		"cell wraps a byte":   "1:c:1:0:256",
		"cell empty":          "1:c:1:0:",
		"challenge zero":      "1:a:0",
		"board unknown":       "1:p:medium:9x9:me",
		"board spelt long":    "1:p:medium:3x3-3:me",
		"board empty":         "1:p:medium::me",
		"line break":          "1:o\n",
		"too long":            "1:p:" + strings.Repeat("m", maxCustomID) + ":3x3:me",
		"very long":           strings.Repeat("1:c:", 100_000),
		"invalid UTF-8":       "1:\xff",
	} {
		got, err := parseCustomID(wire)
		if !errors.Is(err, errCustomID) || got != (customID{}) {
			t.Errorf("%s: %.40q reads as %+v, %v, want errCustomID", name, wire, got, err)
		}
		if err != nil && len(err.Error()) > 5*maxCustomID {
			t.Errorf("%s: the error repeats all of the input: %d bytes", name, len(err.Error()))
		}
	}
}

// anyCustomID draws one that a view could make.
func anyCustomID() *rapid.Generator[customID] {
	actions := slices.Sorted(maps.Keys(idKinds))
	var opponents []string
	for _, o := range strategy.All() {
		opponents = append(opponents, o.Name)
	}
	return rapid.Custom(func(t *rapid.T) customID {
		id := customID{action: rapid.SampledFrom(actions).Draw(t, "action")}
		switch idKinds[id.action] {
		case idMatch, idCell:
			id.match = store.MatchID(rapid.Int64Min(1).Draw(t, "match"))
		case idChallenge:
			id.challenge = store.ChallengeID(rapid.Int64Min(1).Draw(t, "challenge"))
		case idChoice:
			id.choice = choice{
				opponent: rapid.SampledFrom(opponents).Draw(t, "opponent"),
				rules:    rapid.SampledFrom(engine.AllRules()).Draw(t, "rules"),
				first:    rapid.SampledFrom([]string{firstMe, firstBot, firstRandom}).Draw(t, "first"),
			}
		case idNothing:
		}
		if idKinds[id.action] == idCell {
			id.ply = rapid.IntRange(0, engine.MaxCells).Draw(t, "ply")
			id.cell = engine.Cell(rapid.IntRange(0, engine.MaxCells-1).Draw(t, "cell"))
		}
		return id
	})
}

func TestCustomIDRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := anyCustomID().Draw(t, "id")
		wire := id.String()
		if len(wire) > maxCustomID {
			t.Fatalf("%q has %d characters", wire, len(wire))
		}
		if got, err := parseCustomID(wire); err != nil || got != id {
			t.Fatalf("%+v is written %q and reads as %+v, %v", id, wire, got, err)
		}
	})
}

func TestLongestCustomIDsFit(t *testing.T) {
	longest := ""
	for _, o := range strategy.All() {
		if len(o.Name) > len(longest) {
			longest = o.Name
		}
	}
	for a := range idKinds {
		wire := customID{
			action: a, match: math.MaxInt64, challenge: math.MaxInt64, ply: engine.MaxCells, cell: engine.MaxCells - 1,
			choice: choice{opponent: longest, rules: engine.Rules{M: 4, N: 5, K: 4}, first: firstRandom},
		}.String()
		if len(wire) > maxCustomID {
			t.Errorf("%s: %q has %d characters, Discord takes %d", a, wire, len(wire), maxCustomID)
		}
	}
}

func FuzzParseCustomID(f *testing.F) {
	for _, wire := range []string{
		"", "1", "1:o", "1:c:1y2p0ij32e8e7:25:24", "1:p:medium:4x5-4:random", "1:a:z", "2:c:1:0:0", "1:c:01:0:0", "1:p:::", "::::",
	} {
		f.Add(wire)
	}
	f.Fuzz(func(t *testing.T, wire string) {
		id, err := parseCustomID(wire)
		if err != nil {
			if !errors.Is(err, errCustomID) || id != (customID{}) {
				t.Fatalf("%q: got %+v, %v, want nothing and errCustomID", wire, id, err)
			}
			return
		}
		if got := id.String(); got != wire {
			t.Fatalf("%q was accepted and is written %q: two spellings of one ID", wire, got)
		}
		if len(wire) > maxCustomID {
			t.Fatalf("%d characters were accepted", len(wire))
		}
	})
}

// Every action that a button can carry is routed and knows its parts, and nothing
// else is routed.
func TestEveryActionIsRouted(t *testing.T) {
	var b Bot
	b.routes()
	routed, known := slices.Sorted(maps.Keys(b.buttons)), slices.Sorted(maps.Keys(idKinds))
	if !slices.Equal(routed, known) {
		t.Errorf("routed are %q, known are %q", routed, known)
	}
	for a, handler := range b.buttons {
		if handler == nil {
			t.Errorf("action %q has no handler", a)
		}
	}
}

// Every command that is registered is routed, and nothing else is.
func TestEveryCommandIsRouted(t *testing.T) {
	var b Bot
	b.routes()
	var want []string
	for _, c := range loadTexts(t).definitions() {
		if c.Type == commandUser {
			want = append(want, c.Name)
			continue
		}
		for _, sub := range c.Options {
			want = append(want, sub.Name)
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(b.commands)); !slices.Equal(got, want) {
		t.Errorf("routed are %q, registered are %q", got, want)
	}
}
