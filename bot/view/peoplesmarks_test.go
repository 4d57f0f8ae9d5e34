package view

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/discord"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// Marks of the tests, by the numbers that are stored.
const (
	markMushroom store.OwnMark = 13
	markCat      store.OwnMark = 14
	markFish     store.OwnMark = 15
	markUmbrella store.OwnMark = 21
)

// chosenBy returns what people have set who have chosen these marks.
func chosenBy(marks map[store.UserID]store.OwnMark) func(store.UserID) store.Person {
	return func(user store.UserID) store.Person {
		return store.Person{PlaysBy: matchtest.PlaysBy(user), Mark: marks[user]}
	}
}

// starAndFish are the marks of Ada, who has X, and of Bob.
var starAndFish = chosenBy(map[store.UserID]store.OwnMark{
	matchtest.Ada: store.MarkStar, matchtest.Bob: markFish, matchtest.Lena: store.MarkStar, matchtest.Lou: markFish,
})

// chosenScenes are messages with marks that people have chosen.
func chosenScenes(t testing.TB, v View) map[string]discord.Message {
	v.Person = starAndFish
	all := map[string]discord.Message{
		"review shown":          shownReview(t, v, true),
		"review of a lost move": reviewed(t, v, "a1 a2 b2 a3 c3", 4),
		"find":                  finding(t, v, Find{}),
	}
	for _, s := range append(scenes(t, engine.Standard), vanishingScenes(t)...) {
		if slices.Contains([]string{"middle", "list", "line", "line just now", "best of three", "program lost", "both go in a list"}, s.name) {
			all[s.name] = shown(t, v, s.m)
		}
	}
	hearts := matchtest.Between(t, engine.Standard, "a1 b2")
	hearts.Marks = store.MarksHearts
	v.Person = chosenBy(map[store.UserID]store.OwnMark{matchtest.Ada: store.MarkStar, matchtest.Bob: store.AlwaysXO})
	all["always xo in hearts"] = shown(t, v, hearts)
	return all
}

// TestMarksThatPeopleChose: of each rule about whose mark is shown the marks that a board has
// by it, as symbols of X and O.
func TestMarksThatPeopleChose(t *testing.T) {
	own := ownMarks()
	few := own
	few.Chosen = maps.Clone(own.Chosen)
	delete(few.Chosen, store.MarkStar)
	for name, test := range map[string]struct {
		x, o         store.OwnMark
		set          store.Marks
		has          OwnMarks
		wantX, wantO string
	}{
		"nobody":                        {0, 0, 0, own, own.X.Plain, own.O.Plain},
		"X":                             {store.MarkStar, 0, 0, own, own.Chosen[store.MarkStar].Plain, own.O.Plain},
		"O":                             {0, markFish, 0, own, own.X.Plain, own.Chosen[markFish].Plain},
		"both":                          {store.MarkStar, markFish, 0, own, own.Chosen[store.MarkStar].Plain, own.Chosen[markFish].Plain},
		"both the same":                 {markFish, markFish, 0, own, own.Chosen[markFish].Plain, own.O.Plain},
		"X always X and O":              {store.AlwaysXO, markFish, 0, own, own.X.Plain, own.O.Plain},
		"O always X and O":              {store.MarkStar, store.AlwaysXO, 0, own, own.X.Plain, own.O.Plain},
		"always in another set":         {0, store.AlwaysXO, store.MarksHearts, own, own.X.Plain, own.O.Plain},
		"in another set":                {markFish, 0, store.MarksHearts, own, own.Chosen[markFish].Plain, "⭐"},
		"like one of a set":             {store.MarkStar, markFish, store.MarksHearts, own, "💙", own.Chosen[markFish].Plain},
		"both like one of a set":        {store.MarkMoon, store.MarkSun, store.MarksSky, own, "🌙", "☀️"},
		"one that is not uploaded":      {store.MarkStar, markFish, 0, few, own.X.Plain, own.Chosen[markFish].Plain},
		"the same that is not uploaded": {store.MarkStar, store.MarkStar, 0, few, own.X.Plain, own.O.Plain},
		"none is uploaded":              {store.MarkStar, markFish, 0, OwnMarks{}, "❌", "⭕"},
	} {
		t.Run(name, func(t *testing.T) {
			v := testView(Load(), DefaultLocale)
			v.OwnMarks, v.Person = test.has, chosenBy(map[store.UserID]store.OwnMark{matchtest.Ada: test.x, matchtest.Bob: test.o})
			m := matchtest.Between(t, engine.Standard, "a1 b2")
			m.Marks = test.set
			picture, err := v.Board().Snapshot(m)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Split(textOf(picture), "\n")
			if rows := strings.Join(got, "\n"); !strings.Contains(rows, "\n"+test.wantX) || strings.Count(rows, test.wantO) < 1 {
				t.Errorf("the board says %q, want %s and %s in it", rows, test.wantX, test.wantO)
			}
			if x, o := v.drawnMarks(m).x.Plain, v.drawnMarks(m).o.Plain; x != test.wantX || o != test.wantO || x == o {
				t.Errorf("X is drawn as %s and O as %s, want %s and %s", x, o, test.wantX, test.wantO)
			}
		})
	}
}

// TestButtonsKeepXAndO: whatever people choose, buttons and lists have the labels that they
// have without, and who always wants X and O has those in every set of marks.
func TestButtonsKeepXAndO(t *testing.T) {
	labels := func(v View, m store.Match) (all []string) {
		walk(shown(t, v, m).Components, 0, func(c discord.Component, _ int) {
			all = append(all, c.Label)
			for _, o := range c.Options {
				all = append(all, o.Label, o.Emoji.Name)
			}
		})
		return all
	}
	plain := testView(Load(), DefaultLocale)
	with := plain
	with.OwnMarks, with.Person = ownMarks(), starAndFish
	always := with
	always.Person = func(user store.UserID) store.Person {
		return store.Person{PlaysBy: matchtest.PlaysBy(user), Mark: store.AlwaysXO}
	}
	for _, s := range append(scenes(t, engine.Standard), vanishingScenes(t)...) {
		want := labels(plain, s.m)
		for _, set := range []store.Marks{0, store.MarksHearts} {
			m := s.m
			m.Marks = set
			if got := labels(always, m); !slices.Equal(got, want) {
				t.Errorf("%s of set %d for who always wants X and O: %q, want %q", s.name, set, got, want)
			}
		}
		if got := labels(with, s.m); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", s.name, got, want)
		}
	}
}

// TestMarksStandBesideXAndO: as long as there are buttons, the line of who is to move says
// which of them are theirs. A picture alone has no X and O of people with marks.
func TestMarksStandBesideXAndO(t *testing.T) {
	v := testView(Load(), DefaultLocale)
	v.OwnMarks, v.Person = ownMarks(), starAndFish
	star, fish := v.OwnMarks.Chosen[store.MarkStar], v.OwnMarks.Chosen[markFish]
	m := matchtest.Between(t, engine.Standard, "a1 b2")
	first, _, _ := strings.Cut(strings.TrimLeft(textOf(shown(t, v, m)), "\n"), "\n")
	if want := star.Plain + v.OwnMarks.X.Plain; !strings.HasPrefix(first, want) {
		t.Errorf("a board that runs begins with %q, want %s", first, want)
	}
	won := over(matchtest.Between(t, engine.Standard, "a1 b2 a2 b1 a3"), store.ByLine, engine.X)
	text := textOf(shown(t, v, won))
	if strings.Contains(text, v.OwnMarks.X.Plain) || strings.Contains(text, v.OwnMarks.O.Plain) || strings.Count(text, star.Winning) != 3 || !strings.Contains(text, fish.Plain) {
		t.Errorf("a picture says %q", text)
	}
	won.GridStands = true
	if text := textOf(shown(t, v, won)); !strings.Contains(text, fish.Plain+v.OwnMarks.O.Plain) {
		t.Errorf("while the buttons stand a result says %q", text)
	}
	going := matchtest.Between(t, engine.Vanishing, matchtest.SixMarks)
	matchtest.Listed(&going)
	if text := textOf(shown(t, v, going)); !strings.Contains(text, star.Going) || !strings.Contains(text, fish.Going) {
		t.Errorf("where marks vanish a board says %q", text)
	}
	if text := textOf(shownReview(t, v, true)); strings.Contains(text, v.OwnMarks.X.Plain) || !strings.Contains(text, star.Plain) {
		t.Errorf("a review says %q", text)
	}
	m, verdicts := judgedMatch(t, "a1 a2 b2 a3 c3")
	m.GridStands = true
	review, err := v.Reviews().Review(Review{Match: m, Verdicts: verdicts, Ply: 5})
	if text := textOf(review); err != nil || strings.Contains(text, v.OwnMarks.X.Plain) {
		t.Errorf("while the buttons of its board stand a review says %q, %v", text, err)
	}
	if text := textOf(reviewed(t, v, "a1 a2 b2 a3 c3", 4)); !strings.Contains(text, fish.Moved) {
		t.Errorf("a review of a move of O says %q", text)
	}
}
