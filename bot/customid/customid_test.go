package customid

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

func TestCustomIDWireForm(t *testing.T) {
	for _, test := range []struct {
		id   ID
		wire string
	}{
		{ID{Action: Cell, Match: 1}, "1:k:1:0"},
		{ID{Action: Cell, Match: 36, Cell: 24}, "1:k:10:24"},
		{ID{Action: CellAtPly, Match: 1}, "1:c:1:0:0"},
		{ID{Action: CellAtPly, Match: 36, Ply: 24, Cell: 24}, "1:c:10:24:24"},
		{ID{Action: Resign, Match: 35}, "1:r:z"},
		{ID{Action: ResignConfirm, Match: 2}, "1:ry:2"},
		{ID{Action: KeepPlaying, Match: 2}, "1:rn:2"},
		{ID{Action: StopConfirm, Match: 2}, "1:sy:2"},
		{ID{Action: CellNames, Match: 2}, "1:n:2"},
		{ID{Action: AsList, Match: 2}, "1:kt:2"},
		{ID{Action: CellInList, Match: 2}, "1:kl:2"},
		{ID{Action: Rematch, Match: 2}, "1:m:2"},
		{ID{Action: Harder, Match: 2}, "1:h:2"},
		{ID{Action: Easier, Match: 2}, "1:e:2"},
		{ID{Action: PlayWinner, Match: 2}, "1:w:2"},
		{ID{Action: ShowBoard, Match: math.MaxInt64}, "1:b:1y2p0ij32e8e7"},
		{ID{Action: PlayPrivately, Choice: match.DefaultChoice}, "1:p:medium:3x3:me"},
		{ID{Action: PlayPrivately, Choice: match.Choice{Opponent: "hard", Rules: engine.Rules{M: 4, N: 5, K: 4}, First: match.FirstRandom}}, "1:p:hard:4x5-4:random"},
		{ID{Action: Accept, Challenge: 3}, "1:a:3"},
		{ID{Action: Decline, Challenge: 3}, "1:d:3"},
		{ID{Action: Cancel, Challenge: 3}, "1:x:3"},
		{ID{Action: ChallengeAgain, Challenge: 3}, "1:g:3"},
		{ID{Action: PlayInThread, Choice: match.DefaultChoice}, "1:pt:medium:3x3:me"},
		{ID{Action: AcceptInThread, Challenge: 3}, "1:at:3"},
		{ID{Action: GoOn, Match: 36}, "1:go:10"},
		{ID{Action: AcceptInstead, Challenge: 3, Resign: 36}, "1:ai:3:10"},
		{ID{Action: AcceptSure, Challenge: 3, Resign: 36}, "1:ay:3:10"},
		{ID{Action: NextGame, Match: 2}, "1:mn:2"},
		{ID{Action: RematchInstead, Match: 3, Resign: 36}, "1:mi:3:10"},
		{ID{Action: RematchSure, Match: 3, Resign: 36}, "1:my:3:10"},
		{ID{Action: OpenTable}, "1:o"},
		{ID{Action: ChallengeUser, User: "80351110224678912", Until: 1774000000}, "1:cu:80351110224678912:tc6z5s"},
		{ID{Action: ShowStats, User: "80351110224678912"}, "1:u:80351110224678912"},
		{ID{Action: Leaderboard, Period: 202402, Page: 12}, "1:l:202402:12"},
		{ID{Action: Leaderboard}, "1:l:0:0"},
		{ID{Action: Standings, Period: 1}, "1:lk:1:0"},
		{ID{Action: StandingsKind}, "1:lt"},
		{ID{Action: ShowStandings, Period: 202402}, "1:ls:202402"},
		{ID{Action: HowPoints}, "1:lp"},
		{ID{Action: SettingsPage}, "1:sp"},
		{ID{Action: BeginAnew}, "1:sa"},
		{ID{Action: BeginAnewSure}, "1:sx"},
		{ID{Action: KeepStandings}, "1:sk"},
		{ID{Action: PuzzleCell, Day: 20779, Cell: 24}, "1:zc:20779:24"},
		{ID{Action: PuzzleSolve, Day: 20779}, "1:zo:20779"},
		{ID{Action: PuzzleYesterday}, "1:zy:0"},
		{ID{Action: Setting, Setting: "places"}, "1:se:places"},
		{ID{Action: LastGames}, "1:qg"},
		{ID{Action: Review, Match: 36}, "1:q:10"},
		{ID{Action: ReviewAgain, Match: 36}, "1:qa:10"},
		{ID{Action: ReviewTry, Match: 36, Ply: 7, Tries: 1, Cell: 24}, "1:qt:10:7:1:24"},
		{ID{Action: ReviewTryNext, Match: 36, Ply: 7, Wrong: 3, Cell: 24}, "1:qu:10:7:3:24"},
		{ID{Action: ReviewFirst, Match: 36}, "1:qf:10:0"},
		{ID{Action: ReviewLast, Match: 36, Ply: 100}, "1:ql:10:100"},
	} {
		if got := test.id.String(); got != test.wire {
			t.Errorf("%+v is written %q, want %q", test.id, got, test.wire)
		}
		got, err := Parse(test.wire)
		if err != nil || got != test.id {
			t.Errorf("%q reads as %+v, %v, want %+v", test.wire, got, err, test.id)
		}
	}
}

// Buttons of every action are in messages out there: each is written as it always was.
func TestEveryActionOnTheWire(t *testing.T) {
	everything := ID{
		Match: 36, Challenge: 37, Resign: 38, Ply: 3, Tries: 1, Wrong: 4, Cell: 5, User: "80351110224678912",
		Choice: match.Choice{Opponent: "hard", Rules: engine.Rules{M: 4, N: 5, K: 4}, First: match.FirstMe, Clock: "10m", BestOf: 3},
		Period: 202402, Page: 12, Setting: "places", Preference: "usual", Value: "x", Until: 1774000000, Day: 20779,
	}
	written := map[Action]bool{}
	for _, test := range []struct {
		action Action
		wire   string
	}{
		{Cell, "1:k:10:5"},
		{CellAtPly, "1:c:10:3:5"},
		{Resign, "1:r:10"},
		{ResignConfirm, "1:ry:10"},
		{KeepPlaying, "1:rn:10"},
		{StopConfirm, "1:sy:10"},
		{CloseLocked, "1:cl:10"},
		{CellNames, "1:n:10"},
		{AsList, "1:kt:10"},
		{MyNames, "1:kn:10"},
		{MyList, "1:ko:10"},
		{ListCell, "1:kc:10"},
		{ResignAt, "1:rp:10:3"},
		{CellInList, "1:kl:10"},
		{Rematch, "1:m:10"},
		{NextGame, "1:mn:10"},
		{EndSeries, "1:me:10"},
		{RematchInstead, "1:mi:10:12"},
		{RematchSure, "1:my:10:12"},
		{DeclineRematch, "1:rd:10"},
		{Harder, "1:h:10"},
		{Easier, "1:e:10"},
		{TryVanishing, "1:v:10"},
		{PlayWinner, "1:w:10"},
		{ChallengeKing, "1:wk:10"},
		{LobbyKing, "1:wl:80351110224678912"},
		{More, "1:mo:10"},
		{MoreLevel, "1:ml:10:hard:4x5-4:me:10m:3"},
		{MoreBoard, "1:mb:10:hard:4x5-4:me:10m:3"},
		{MoreFirst, "1:mf:10:hard:4x5-4:me:10m:3"},
		{MoreSeries, "1:ms:10:hard:4x5-4:me:10m:3"},
		{MorePlay, "1:mp:10:hard:4x5-4:me:10m:3"},
		{ShowBoard, "1:b:10"},
		{PlayPrivately, "1:p:hard:4x5-4:me:10m"},
		{PlayHere, "1:s:hard:4x5-4:me:10m"},
		{PlayInstead, "1:pi:10:hard:4x5-4:me:10m"},
		{Accept, "1:a:11"},
		{AcceptInstead, "1:ai:11:12"},
		{AcceptSure, "1:ay:11:12"},
		{Decline, "1:d:11"},
		{Cancel, "1:x:11"},
		{ChallengeAgain, "1:g:11"},
		{GoOn, "1:go:10"},
		{PlayInThread, "1:pt:hard:4x5-4:me:10m"},
		{AcceptInThread, "1:at:11"},
		{OpenTable, "1:o"},
		{ChallengeUser, "1:cu:80351110224678912:tc6z5s"},
		{ShowStats, "1:u:80351110224678912"},
		{Leaderboard, "1:l:202402:12"},
		{Standings, "1:lk:202402:12"},
		{StandingsKind, "1:lt"},
		{ShowStandings, "1:ls:202402"},
		{HowPoints, "1:lp"},
		{SettingsTab, "1:st:places"},
		{SettingsPage, "1:sp"},
		{PostPuzzle, "1:sz"},
		{PostLobby, "1:sb"},
		{CheckHere, "1:sc"},
		{Setup, "1:sq:places:x"},
		{SetupChannel, "1:sv"},
		{Setting, "1:se:places"},
		{Preference, "1:pf:usual:x"},
		{Language, "1:la:12"},
		{BeginAnew, "1:sa"},
		{BeginAnewSure, "1:sx"},
		{EraseGuildAsk, "1:ga"},
		{EraseGuildSure, "1:gs"},
		{EraseGuild, "1:gx"},
		{KeepStandings, "1:sk"},
		{LastGames, "1:qg"},
		{Review, "1:q:10"},
		{ReviewAgain, "1:qa:10"},
		{ReviewFirst, "1:qf:10:3"},
		{ReviewBack, "1:qb:10:3"},
		{ReviewOn, "1:qo:10:3"},
		{ReviewLast, "1:ql:10:3"},
		{ReviewMistake, "1:qm:10:3"},
		{ReviewShare, "1:qs:10:3"},
		{ReviewFind, "1:qy:10:3"},
		{ReviewTry, "1:qt:10:3:1:5"},
		{ReviewTryNext, "1:qu:10:3:4:5"},
		{ReviewTell, "1:qw:10:3"},
		{ReviewCopy, "1:qc:10:3"},
		{HintAsk, "1:qn:10"},
		{HintConfirm, "1:qh:10"},
		{PlayOn, "1:qp:10:3"},
		{PreferencesTab, "1:pq:usual"},
		{PlaysBy, "1:pb"},
		{OwnMark, "1:om"},
		{ChallengesFrom, "1:cf"},
		{BlockChosen, "1:bc"},
		{BlockPage, "1:bp:12"},
		{UnblockListed, "1:bl:80351110224678912:12"},
		{Block, "1:bk:80351110224678912"},
		{Unblock, "1:bu:80351110224678912"},
		{Export, "1:xe"},
		{EraseAsk, "1:xa"},
		{Erase, "1:xy"},
		{EraseNothing, "1:xn"},
		{LobbyPlay, "1:lb"},
		{Change, "1:ch:10"},
		{ChangeLevel, "1:cv:10:hard:4x5-4:me:10m"},
		{ChangeBoard, "1:cb:10:hard:4x5-4:me:10m"},
		{ChangePlay, "1:cp:10:hard:4x5-4:me:10m"},
		{LobbyLevel, "1:ln:hard:4x5-4:me:10m"},
		{LobbyBoard, "1:lo:hard:4x5-4:me:10m"},
		{LobbyLeaders, "1:ll"},
		{LobbyPuzzle, "1:lz"},
		{StopAll, "1:sl:80351110224678912"},
		{PuzzleCell, "1:zc:20779:5"},
		{PuzzleInList, "1:zl:20779"},
		{PuzzleNames, "1:zn:20779"},
		{PuzzleAsList, "1:zt:20779"},
		{PuzzleAgain, "1:za:20779"},
		{PuzzleSolve, "1:zo:20779"},
		{PuzzleShare, "1:zs:20779"},
		{PuzzleYesterday, "1:zy:20779"},
		{PuzzleStreaks, "1:zr"},
		{PuzzleRecap, "1:zw:x"},
		{PuzzleGoOn, "1:zg"},
	} {
		written[test.action] = true
		everything.Action = test.action
		if got := everything.String(); got != test.wire {
			t.Errorf("%q is written %q, want %q", test.action, got, test.wire)
		}
		if got, err := Parse(test.wire); err != nil || got.Action != test.action || got.String() != test.wire {
			t.Errorf("%q reads as %+v, %v", test.wire, got, err)
		}
	}
	for _, a := range Actions() {
		if !written[a] {
			t.Errorf("nothing here is written with %q", a)
		}
	}
}

// Dashboards know the names.
func TestNames(t *testing.T) {
	for a, want := range map[Action]string{
		Cell: "cell", CellAtPly: "cell", CellNames: "cell_names", CellInList: "kl",
		Accept: "accept", Decline: "decline", Cancel: "cancel", ChallengeAgain: "challenge_again",
		OpenTable: "open_table", PlayWinner: "play_winner", Rematch: "rematch", Harder: "harder", Easier: "e",
		TryVanishing: "try_vanishing", PlayPrivately: "play_privately", PlayHere: "play_here", PlayInstead: "play_instead",
		Resign: "resign_button", ResignConfirm: "resign_confirm", DeclineRematch: "decline_rematch",
		StopConfirm: "stop_confirm", KeepPlaying: "keep_playing", ShowBoard: "show_board",
		StopAll: "stop_all", Block: "block", Unblock: "unblock",
	} {
		if got := a.Name(); got != want {
			t.Errorf("%q is called %q, want %q", string(a), got, want)
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
		"unknown action":      "1:zz:1",
		"upper-case action":   "1:C:1:0:0",
		"action with a blank": "1: c:1:0:0",
		"part missing":        "1:c:1:0",
		"cell missing":        "1:k:1",
		"a ply too many":      "1:k:1:0:0",
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
		"setting empty":       "1:se:",
		"setting missing":     "1:se",
		"challenge zero":      "1:a:0",
		"board unknown":       "1:p:medium:9x9:me",
		"board spelt long":    "1:p:medium:3x3-3:me",
		"board empty":         "1:p:medium::me",
		"user zero":           "1:u:0",
		"user padded":         "1:u:01",
		"user no number":      "1:u:@me",
		"period negative":     "1:l:-1:0",
		"page padded":         "1:l:0:00",
		"page too large":      "1:l:0:100000",
		"page missing":        "1:l:0",
		"ply beyond a game":   "1:qo:1:101",
		"ply not there":       "1:qo:1",
		"too many tries":      "1:qt:1:1:10:1",
		"a try of no cell":    "1:qt:1:1:0",
		"a try beyond":        "1:qt:1:1:0:26",
		"day missing":         "1:zo",
		"day negative":        "1:zo:-1",
		"day padded":          "1:zo:020779",
		"day too large":       "1:zo:1000000",
		"cell of a day empty": "1:zc:20779:",
		"line break":          "1:o\n",
		"too long":            "1:p:" + strings.Repeat("m", MaxLength) + ":3x3:me",
		"very long":           strings.Repeat("1:c:", 100_000),
		"invalid UTF-8":       "1:\xff",
	} {
		got, err := Parse(wire)
		if !errors.Is(err, ErrUnknown) || got != (ID{}) {
			t.Errorf("%s: %.40q reads as %+v, %v, want errCustomID", name, wire, got, err)
		}
		if err != nil && len(err.Error()) > 5*MaxLength {
			t.Errorf("%s: the error repeats all of the input: %d bytes", name, len(err.Error()))
		}
	}
}

// anyCustomID draws one with everything in it, of which its action uses some.
func anyCustomID() *rapid.Generator[ID] {
	var opponents []string
	for _, o := range strategy.All() {
		opponents = append(opponents, o.Name)
	}
	return rapid.Custom(func(t *rapid.T) ID {
		word := rapid.StringMatching("[a-z]{1,20}")
		id := ID{
			Action:    rapid.SampledFrom(Actions()).Draw(t, "action"),
			Match:     store.MatchID(rapid.Int64Min(1).Draw(t, "match")),
			Challenge: store.ChallengeID(rapid.Int64Min(1).Draw(t, "challenge")),
			Resign:    store.MatchID(rapid.Int64Min(1).Draw(t, "resign")),
			Ply:       rapid.IntRange(0, engine.MaxCells).Draw(t, "ply"),
			Tries:     rapid.IntRange(0, 9).Draw(t, "tries"),
			Wrong:     engine.Cell(rapid.IntRange(0, 24).Draw(t, "wrong")),
			Cell:      engine.Cell(rapid.IntRange(0, engine.MaxCells-1).Draw(t, "cell")),
			Choice: match.Choice{
				Opponent: rapid.SampledFrom(opponents).Draw(t, "opponent"),
				Rules:    rapid.SampledFrom(engine.AllRules()).Draw(t, "rules"),
				First:    rapid.SampledFrom([]string{match.FirstMe, match.FirstBot, match.FirstRandom}).Draw(t, "first"),
				Clock:    rapid.SampledFrom([]string{"", "10m", "none"}).Draw(t, "clock"),
			},
			User:       store.UserID(strconv.FormatUint(rapid.Uint64Min(1).Draw(t, "user"), 10)),
			Period:     store.Period(rapid.IntRange(0, 999_912).Draw(t, "period")),
			Page:       rapid.IntRange(0, 99_999).Draw(t, "page"),
			Day:        int64(rapid.IntRange(0, 999_999).Draw(t, "day")),
			Setting:    word.Draw(t, "setting"),
			Preference: word.Draw(t, "preference"),
			Value:      word.Draw(t, "value"),
		}
		if slices.Contains([]Action{MoreLevel, MoreBoard, MoreFirst, MoreSeries, MorePlay}, id.Action) {
			id.Choice.BestOf = rapid.SampledFrom([]int{0, 3, 5}).Draw(t, "best of")
		}
		return id
	})
}

func TestCustomIDRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := anyCustomID().Draw(t, "id")
		wire := id.String()
		if len(wire) > MaxLength {
			t.Fatalf("%q has %d characters", wire, len(wire))
		}
		got, err := Parse(wire)
		if err != nil || got.String() != wire {
			t.Fatalf("%+v is written %q and reads as %+v, %v", id, wire, got, err)
		}
		read, written := reflect.ValueOf(got), reflect.ValueOf(id)
		for i := range read.NumField() {
			if f := read.Field(i); !f.IsZero() && !f.Equal(written.Field(i)) {
				t.Errorf("%q has another %s: %v", wire, read.Type().Field(i).Name, f)
			}
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
	for _, a := range Actions() {
		wire := ID{
			Action: a, Match: math.MaxInt64, Challenge: math.MaxInt64, Ply: engine.MaxCells, Cell: engine.MaxCells - 1,
			Choice: match.Choice{Opponent: longest, Rules: engine.Rules{M: 4, N: 5, K: 4}, First: match.FirstRandom},
		}.String()
		if len(wire) > MaxLength {
			t.Errorf("%s: %q has %d characters, Discord takes %d", a, wire, len(wire), MaxLength)
		}
	}
}

func FuzzParseCustomID(f *testing.F) {
	for _, wire := range []string{
		"", "1", "1:o", "1:c:1y2p0ij32e8e7:25:24", "1:p:medium:4x5-4:random", "1:a:z", "2:c:1:0:0", "1:c:01:0:0", "1:p:::", "::::", "1:mp:1:easy:3x3:me::3", "1:mp:1:easy:3x3:me:10m:",
	} {
		f.Add(wire)
	}
	f.Fuzz(func(t *testing.T, wire string) {
		id, err := Parse(wire)
		if err != nil {
			if !errors.Is(err, ErrUnknown) || id != (ID{}) {
				t.Fatalf("%q: got %+v, %v, want nothing and errCustomID", wire, id, err)
			}
			return
		}
		if got := id.String(); got != wire {
			t.Fatalf("%q was accepted and is written %q: two spellings of one ID", wire, got)
		}
		if len(wire) > MaxLength {
			t.Fatalf("%d characters were accepted", len(wire))
		}
	})
}

func TestMarker(t *testing.T) {
	for _, ply := range []int{0, 1, 25, 1000} {
		if got, ok := PlyOf(Marker(ply)); got != ply || !ok {
			t.Errorf("the marker of ply %d reads as %d, %v", ply, got, ok)
		}
		if got, ok := PlyOf(AgainMarker(ply)); got != ply || !ok || !Again(AgainMarker(ply)) || Again(Marker(ply)) {
			t.Errorf("the marker of ply %d, drawn again, reads as %d, %v", ply, got, ok)
		}
		if m := AgainMarker(ply); m > math.MaxInt32 {
			t.Errorf("the marker of ply %d is %d: Discord's numbers have 32 bits", ply, m)
		}
	}
	// What Discord numbers by itself, and what nobody made, is no marker.
	for _, id := range []int{math.MinInt, -1, 0, 1, 40, 1000, markers - 1, end, math.MaxInt32, math.MaxInt32 + 1} {
		if ply, ok := PlyOf(id); ok || Again(id) || Caption(id) != "" {
			t.Errorf("the number %d reads as ply %d, with the caption %q", id, ply, Caption(id))
		}
	}
}

func TestCaption(t *testing.T) {
	for ply := range 1001 {
		for _, marker := range []int{Marker(ply), AgainMarker(ply)} {
			for _, text := range []string{"", "Ada\n", "Ada\n-# 7\n"} {
				if got, ok := Captioned(text + Caption(marker)); got != marker || !ok {
					t.Fatalf("%q below %q reads as %d, %v", Caption(marker), text, got, ok)
				}
			}
		}
	}
	for _, text := range []string{"", "Ada", "-# ", "-# 3x", "-# 03", "-# -1", "-# +1", "-# 3··", "-# 3\nAda", "x -# 3", "-# 1048576", "-# 3 "} {
		if marker, ok := Captioned(text); ok {
			t.Errorf("%q reads as %d", text, marker)
		}
	}
}

func TestCellValue(t *testing.T) {
	for c := range engine.Cell(engine.MaxCells) {
		if got, ok := ParseCellValue([]string{CellValue(c)}); got != c || !ok {
			t.Errorf("the value of cell %d reads as %d, %v", c, got, ok)
		}
	}
	for _, values := range [][]string{nil, {}, {""}, {"-1"}, {"01"}, {"26"}, {"a1"}, {"0", "1"}, {"256"}, {"٣"}} {
		if c, ok := ParseCellValue(values); ok {
			t.Errorf("%q reads as cell %d", values, c)
		}
	}
}
