package view

import (
	"slices"
	"testing"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/engine/enginetest"
	"tictactoe/store"
)

// testView shows things in a language at testEpoch, half an hour before the tests'
// matches fall due.
func testView(c *Catalogue, locale string) View {
	return View{
		Words: c.In(locale), Person: chosenBy(nil), Now: matchtest.TestEpoch, Uptime: func(store.GuildID) time.Duration { return 30 * time.Minute },
		Command:    func(name string) string { return "</" + CommandOf(name) + " " + name + ":910>" },
		Guild:      func(store.GuildID) store.GuildSettings { return store.GuildSettings{} },
		UsualClock: time.Hour,
	}
}

// scene is a match at a moment that looks like no other.
type scene struct {
	name string
	m    store.Match
}

// scenes returns a match on the board at every moment that a message can show.
func scenes(t testing.TB, r engine.Rules) []scene {
	t.Helper()
	line, middle, draw := matchtest.LineMoves(r), matchtest.LineMoves(r)[:3], matchtest.DrawMoves(t, r)
	with := func(moves []engine.Cell, change func(*store.Match)) store.Match {
		m := matchtest.Between(t, r, "")
		m.Moves = slices.Clone(moves)
		if change != nil {
			change(&m)
		}
		return m
	}
	ended := func(moves []engine.Cell, reason store.EndReason, winner engine.Mark, change func(*store.Match)) store.Match {
		return over(with(moves, change), reason, winner)
	}
	justNow := func(m store.Match) store.Match {
		m.GridStands = true
		return m
	}
	_, drawn := replay(t, r, draw)
	bot := func(name string) func(*store.Match) {
		return func(m *store.Match) { m.O = store.Player{Opponent: name} }
	}
	offer := func(m store.Match, x, o bool) store.Match {
		m.RematchX, m.RematchO, m.Deadline = x, o, time.Hour
		return m
	}
	bestOf := func(s store.Score) func(*store.Match) {
		return func(m *store.Match) { m.BestOf, m.Series = 3, s }
	}
	goesOn := func(s store.Score) func(*store.Match) {
		return func(m *store.Match) { bestOf(s)(m); m.GoesOn = true }
	}
	next := ended(line, store.ByLine, engine.X, nil)
	next.Next = 8
	stopped := ended(middle, store.Stopped, engine.None, nil)
	stopped.EndedBy = matchtest.Cleo
	all := []scene{
		{"start", with(nil, nil)},
		{"middle", with(middle, nil)},
		{"middle without a clock", with(middle, func(m *store.Match) { m.Clock = 0 })},
		{"middle of a series", with(middle, func(m *store.Match) { m.Series = store.Score{X: 2, O: 1, Draws: 1} })},
		{"cell names at the start", with(nil, matchtest.Named)},
		{"cell names", with(middle, matchtest.Named)},
		{"list at the start", with(nil, matchtest.Listed)},
		{"list", with(middle, matchtest.Listed)},
		{"one by a list", with(middle, func(m *store.Match) { m.O.User = matchtest.Lou })},
		{"line in a list", ended(line, store.ByLine, engine.X, matchtest.Listed)},
		{"line in a list just now", justNow(ended(line, store.ByLine, engine.X, matchtest.Listed))},
		{"private list", with(matchtest.LineMoves(r)[:2], func(m *store.Match) { bot("medium")(m); matchtest.Listed(m); m.Place = 0 })},
		{"line", ended(line, store.ByLine, engine.X, nil)},
		{"line with cell names", ended(line, store.ByLine, engine.X, matchtest.Named)},
		{"line that gains", ended(line, store.ByLine, engine.X, func(m *store.Match) {
			m.Gain = store.Gain{Points: 3, Place: 2, Streak: 3, Honours: match.HonourFork}
			m.Series = store.Score{X: 1, O: 1}
		})},
		{"line that crowns", ended(line, store.ByLine, engine.X, func(m *store.Match) {
			m.Gain = store.Gain{Points: 3, Place: 1, Streak: 8, Crown: 3, Throne: true}
		})},
		{"line of a king with a rematch", ended(line, store.ByLine, engine.X, func(m *store.Match) {
			m.Gain, m.Next = store.Gain{Points: 3, Crown: 1, Throne: true}, 8
		})},
		{"line of a king who fell", ended(line, store.ByLine, engine.X, func(m *store.Match) { m.Gain = store.Gain{Points: 3, Crown: 4} })},
		{"draw that gains", ended(draw, drawn, engine.None, func(m *store.Match) {
			if m.Gain.Points = 1; r != engine.Standard {
				m.Verdict.Kind = store.Flawless
			}
		})},
		{"line of O", ended(lineMovesOfO(t, r), store.ByLine, engine.O, nil)},
		{"line just now", justNow(ended(line, store.ByLine, engine.X, nil))},
		{"line just now with cell names", justNow(ended(line, store.ByLine, engine.X, matchtest.Named))},
		{"rematch offered just now", justNow(offer(ended(line, store.ByLine, engine.X, nil), true, false))},
		{"draw", ended(draw, drawn, engine.None, nil)},
		{"draw in a series", ended(draw, drawn, engine.None, func(m *store.Match) { m.Series = store.Score{X: 2, O: 1, Draws: 1} })},
		{"best of three", with(middle, bestOf(store.Score{X: 1, Draws: 1}))},
		{"best of three begins", with(nil, bestOf(store.Score{}))},
		{"best of three once more", offer(ended(line, store.ByLine, engine.X, bestOf(store.Score{X: 1})), false, true)},
		{"best of three goes on", ended(line, store.ByLine, engine.X, goesOn(store.Score{}))},
		{"best of three goes on just now", justNow(ended(line, store.ByLine, engine.X, goesOn(store.Score{Draws: 1})))},
		{"best of three goes on without a move", ended(nil, store.Resignation, engine.O, goesOn(store.Score{X: 1}))},
		{"best of three won", ended(line, store.ByLine, engine.X, bestOf(store.Score{X: 1}))},
		{"best of three won by a draw", ended(draw, drawn, engine.None, bestOf(store.Score{O: 1, Draws: 1}))},
		{"best of three level", ended(draw, drawn, engine.None, bestOf(store.Score{Draws: 2}))},
		{"best of three not begun", ended(nil, store.Idle, engine.None, bestOf(store.Score{O: 1}))},
		{"best of three stopped", ended(middle, store.Stopped, engine.None, func(m *store.Match) { bestOf(store.Score{X: 1, O: 1})(m); m.EndedBy = matchtest.Cleo })},
		{"resigned", ended(middle, store.Resignation, engine.X, nil)},
		{"resigned before the first move", ended(nil, store.Resignation, engine.O, nil)},
		{"stopped in a series", ended(middle, store.Stopped, engine.None, func(m *store.Match) { m.Series = store.Score{X: 1}; m.EndedBy = matchtest.Cleo })},
		{"clock", ended(middle, store.Clock, engine.X, nil)},
		{"clock before the first move", ended(nil, store.Clock, engine.O, nil)},
		{"stopped", stopped},
		{"abandoned", ended(middle, store.Abandoned, engine.None, nil)},
		{"unreachable", ended(middle, store.Unreachable, engine.None, nil)},
		{"thread locked", ended(middle, store.ThreadLocked, engine.None, nil)},
		{"player erased", ended(middle, store.PlayerErased, engine.None, func(m *store.Match) { m.O.User = store.ErasedID(1) })},
		{"rematch offered by X", offer(ended(line, store.ByLine, engine.X, nil), true, false)},
		{"rematch offered by O", offer(ended(draw, drawn, engine.None, nil), false, true)},
		{"rematch declined by O", ended(line, store.ByLine, engine.X, func(m *store.Match) { m.RematchDeclined = engine.O })},
		{"next made", next},
		{"program at the start", with(nil, bot("medium"))},
		{"program has moved", with(matchtest.LineMoves(r)[:2], bot("medium"))},
		{"program began", with(middle, func(m *store.Match) { m.X, m.O = store.Player{Opponent: "hard"}, m.X })},
		{"program lost", ended(line, store.ByLine, engine.X, bot("easy"))},
		{"program won", ended(line, store.ByLine, engine.X, func(m *store.Match) { m.X, m.O = store.Player{Opponent: "perfect"}, m.X })},
		{"program won what was lost", over(matchtest.Against(t, "easy", r, threwWin(r)), store.Resignation, engine.O)},
		{"program held", ended(draw, drawn, engine.None, bot("perfect"))},
		{"program won again", ended(line, store.ByLine, engine.X, func(m *store.Match) {
			m.X, m.O, m.Lost, m.Series = store.Player{Opponent: "perfect"}, m.X, 1, store.Score{O: 1}
		})},
		{"program idle", ended(matchtest.LineMoves(r)[:2], store.Idle, engine.None, bot("medium"))},
		{"program paused", paused(with(matchtest.LineMoves(r)[:2], bot("medium")))},
		{"program paused and left", match.Fold(paused(with(matchtest.LineMoves(r)[:2], bot("medium"))), 0)},
		{"program resigned against", ended(matchtest.LineMoves(r)[:2], store.Resignation, engine.O, bot("random"))},
		{"private", with(matchtest.LineMoves(r)[:2], func(m *store.Match) { bot("medium")(m); m.Place = 0 })},
		{"private line", ended(line, store.ByLine, engine.X, func(m *store.Match) { bot("medium")(m); m.Place = 0 })},
		{"played on", with(matchtest.LineMoves(r)[:2], func(m *store.Match) { bot("medium")(m); m.Place, m.Given = 0, 2 })},
		{"played on to the end", ended(line, store.ByLine, engine.X, func(m *store.Match) { bot("medium")(m); m.Place, m.Given = 0, 2 })},
		{"hinted", ended(draw, drawn, engine.None, func(m *store.Match) { bot("perfect")(m); m.Hinted = true })},
		{"direct message", ended(line, store.ByLine, engine.X, func(m *store.Match) { bot("medium")(m); m.Guild = "" })},
	}
	if r == engine.Vanishing {
		all = append(all, vanishingScenes(t)...)
	}
	return all
}

// paused returns a match against the program that was put aside for one with Cleo.
func paused(m store.Match) store.Match {
	next := m
	next.O = store.Player{User: matchtest.Cleo}
	return match.PutAside(m, next, 0)
}

// over returns the match ended, and its board folded.
func over(m store.Match, reason store.EndReason, winner engine.Mark) store.Match {
	return match.Fold(match.End(m, reason, winner), 0)
}

// replay returns the position after the moves, and how it ends the match.
func replay(t testing.TB, r engine.Rules, moves []engine.Cell) (engine.Game, store.EndReason) {
	t.Helper()
	g, err := engine.Replay(r, moves)
	if err != nil {
		t.Fatal(err)
	}
	reason, _ := store.EndOf(g)
	return g, reason
}

// vanishingScenes returns the moments that there are only where marks vanish.
func vanishingScenes(t testing.TB) []scene {
	t.Helper()
	r := engine.Vanishing
	running := func(moves string, change func(*store.Match)) store.Match {
		m := matchtest.Between(t, r, moves)
		if change != nil {
			change(&m)
		}
		return m
	}
	series := func(m *store.Match) { m.Series = store.Score{X: 1} }
	longest := matchtest.Between(t, r, "")
	longest.Moves = enginetest.Longest()
	return []scene{
		{"one goes", running("a1 b1 c1 a2 b2", nil)},
		{"both go", running(matchtest.SixMarks, nil)},
		{"both go in a series", running(matchtest.SixMarks, series)},
		{"both go with cell names", running(matchtest.SixMarks, matchtest.Named)},
		{"both go in a list", running(matchtest.SixMarks, matchtest.Listed)},
		{"one goes in a list", running("a1 b1 c1 a2 b2", matchtest.Listed)},
		{"both go against the program", matchtest.Against(t, "hard", r, matchtest.SixMarks)},
		{"stood before", running(matchtest.Round+matchtest.SixMarks, series)},
		{"long game", running(matchtest.Round+matchtest.Round+" a1 b1 c1 a2 b2", series)},
		{"stopped while both go", over(running(matchtest.SixMarks, nil), store.Resignation, engine.X)},
		{"drawn by length", over(longest, store.MoveLimit, engine.None)},
		{"lost what was won", over(matchtest.Against(t, "medium", r, "c3 b1 c2 c1 b2 a1"), store.ByLine, engine.O)},
		{"lost what was drawn", over(matchtest.Swapped(matchtest.Against(t, "medium", r, "b2 c2 c1 b1 a3")), store.ByLine, engine.X)},
	}
}

// challengeScenes returns every state in which the message of a challenge can be.
func challengeScenes() map[string]store.Challenge {
	all := map[string]store.Challenge{"challenge open": matchtest.OpenChallenge(), "table open": matchtest.OpenTable()}
	for name, s := range map[string]store.ChallengeState{
		"cancelled": store.Cancelled, "expired": store.Expired, "renewed": store.Renewed,
	} {
		all["challenge "+name], all["table "+name] = matchtest.Closed(matchtest.OpenChallenge(), s), matchtest.Closed(matchtest.OpenTable(), s)
	}
	all["challenge hidden"] = matchtest.Closed(matchtest.OpenChallenge(), store.Hidden)
	all["challenge dismissed"] = matchtest.Closed(matchtest.OpenChallenge(), store.Dismissed)
	all["challenge declined"] = matchtest.Closed(matchtest.OpenChallenge(), store.Declined)
	group := matchtest.OpenChallenge()
	group.Guild, group.InGroup = "", true
	all["challenge in a group"] = group
	vanishing := matchtest.OpenChallenge()
	vanishing.Rules = engine.Vanishing
	all["challenge to Vanishing"] = vanishing
	king := matchtest.OpenChallenge()
	king.Crown, king.Quiet = king.Channel, true
	all["challenge to a king"] = king
	all["challenge accepted"] = matchtest.Closed(matchtest.OpenChallenge(), store.Accepted)
	return all
}

// privateScenes returns the answers that only one person sees.
func privateScenes(t testing.TB, v View) map[string]discord.Message {
	m := matchtest.Between(t, engine.Standard, "a1 b2")
	hidden := matchtest.Against(t, "medium", engine.Standard, "")
	hidden.ID, hidden.Place = 8, 0
	link := "https://discord.com/channels/201/301/401"
	games := []Listed{{m, link}, {matchtest.Against(t, "hard", engine.Rules{M: 4, N: 5, K: 4}, ""), ""}}
	many := slices.Repeat(games[:1], MostListed+1)
	for i := range many {
		many[i].Match.ID = store.MatchID(20 + i)
	}
	games[1].Match.ID = 9
	guild, clock, noClock := GuildSettings{UsualPlaces: match.Places}, v, v
	clock.UsualClock, noClock.UsualClock = 10*time.Minute, 0
	set := guild
	set.GuildSettings = store.GuildSettings{Guild: "201", Places: 5, Clock: store.ClockSetting{Set: true}, Locale: "ja", Version: 7}
	boardGone := guild
	boardGone.GuildSettings = store.GuildSettings{Guild: "201", Board: "3x5-3"}
	ownBoards := guild
	ownBoards.GuildSettings = store.GuildSettings{Guild: "201", Board: "4x4", Opponent: "ranks", Marks: store.MarksHearts, NoHintsSince: matchtest.TestEpoch}
	posts := guild
	posts.GuildSettings = store.GuildSettings{Guild: "201", Puzzle: store.PuzzlePost{Channel: "302", Hour: 18, Role: "77", Due: matchtest.TestEpoch}}
	ofVeryMany := table(store.AllTime, 0)
	ofVeryMany.Viewer, ofVeryMany.Pages, ofVeryMany.More, ofVeryMany.Mine = "99", 100, true, &store.Standing{User: "99", Rank: store.MostRanked + 1, Points: 1, Won: 1}
	ada, bob := store.Player{User: matchtest.Ada}, store.Player{User: matchtest.Bob}
	lastOfAda := []store.Result{ // the newest first
		{X: ada, O: bob, Winner: engine.O, EndReason: store.ByLine},
		{X: ada, O: store.Player{Opponent: "easy"}, Winner: engine.X, EndReason: store.ByLine},
		{X: bob, O: ada, Winner: engine.O, EndReason: store.ByLine},
		{X: ada, O: bob, EndReason: store.FullBoard},
		{X: ada, O: bob, EndReason: store.Stopped},
		{X: ada, O: bob, Winner: engine.X, EndReason: store.Resignation},
		{X: ada, O: bob, Winner: engine.X, EndReason: store.ByLine},
		{X: ada, O: bob, Winner: engine.O, EndReason: store.ByLine},
	}
	behind, behindWins, tableShown := table(store.AllTime, 0), table(store.BotWins, 0), table(store.MonthOf(v.Now), 0)
	behind.Viewer, behind.Above = "99", &store.Standing{User: "109", Rank: 11, Points: 4}
	behind.Mine = &store.Standing{User: "99", Rank: 14, Points: 1, Drawn: 1}
	level := behind
	level.Above = &store.Standing{User: "109", Rank: 11, Points: 1}
	behindWins.Viewer, behindWins.Above = behindWins.Rows[3].User, &behindWins.Rows[2]
	behindWins.Mine = &behindWins.Rows[3]
	tableShown.Shown, tableShown.Before = true, nil
	named, allNamed := v.Scores(), v.Scores()
	named.Names, allNamed.Names = tableNames(""), tableNames("Dora")
	people := named
	people.Names = map[store.UserID]string{matchtest.Ada: "_Ada_", matchtest.Cleo: "Cleo"}
	stoppedPosts := guild
	stoppedPosts.Puzzle.Fault, stoppedPosts.Stops.Fault = store.ChannelGone, store.ChannelNotPermitted
	return withPuzzles(t, v, map[string]discord.Message{
		"games here":                 v.Games().List(GamesHere, games),
		"games elsewhere":            v.Games().List(GamesElsewhere, games),
		"games elsewhere too":        v.Games().List(GamesElsewhereToo, games[1:]),
		"games to resign":            v.Games().List(GamesToResign, games),
		"games to stop":              v.Games().List(GamesToStop, many),
		"resign":                     v.Games().EndQuestion(matchtest.Ada, Endable{Mine: m}),
		"resign against the program": v.Games().EndQuestion(matchtest.Ada, Endable{Mine: matchtest.Against(t, "medium", engine.Standard, "")}),
		"resign which":               v.Games().EndQuestion(matchtest.Ada, Endable{Mine: m, Private: hidden}),
		"resign or stop":             v.Games().EndQuestion(matchtest.Ada, Endable{Mine: hidden, Other: m}),
		"private too":                v.Games().PrivateToo(hidden),
		"public too":                 v.Games().PublicToo(m, link),
		"stop":                       v.Games().EndQuestion(matchtest.Cleo, Endable{Other: m}),
		"stats":                      v.Scores().Stats(Stats{User: matchtest.Ada, Profile: playsALot, Puzzler: solvesALot(v), Last: lastOfAda}),
		"stats of puzzles alone":     v.Scores().Stats(Stats{User: matchtest.Ada, Puzzler: store.Puzzler{Solved: 1, Streak: 1, Best: 1, Last: 1}}),
		"stats of somebody else":     v.Scores().Stats(Stats{User: matchtest.Ada, Viewer: matchtest.Bob, Profile: knows(playsALot, matchtest.Bob)}),
		"stats by name":              people.Stats(Stats{User: matchtest.Ada, Profile: playsALot}),
		"stats of nothing":           v.Scores().Stats(Stats{User: matchtest.Ada, Profile: store.Profile{}}),
		"stats shown":                people.Stats(Stats{User: matchtest.Ada, Profile: knows(playsALot, matchtest.Bob), Shown: true, Last: lastOfAda}),
		"standings":                  named.Standings(table(store.MonthOf(v.Now), 0)),
		"standings second page":      named.Standings(table(store.MonthOf(v.Now), 1)),
		"standings of a month":       named.Standings(Standings{Leaf: Leaf{Period: 202601, Pages: 1}, Viewer: matchtest.Cleo, Rows: table(202601, 1).Rows}),
		"standings of all time":      named.Standings(table(store.AllTime, 0)),
		"standings of bot wins":      named.Standings(table(store.BotWins, 0)),
		"standings of very many":     named.Standings(ofVeryMany),
		"standings behind somebody":  named.Standings(behind),
		"standings level":            named.Standings(level),
		"standings behind by wins":   named.Standings(behindWins),
		"standings shown":            allNamed.Standings(tableShown),
		"standings without anybody":  named.Standings(Standings{Leaf: Leaf{Period: store.MonthOf(v.Now)}, Viewer: matchtest.Cleo}),
		"standings direct message":   v.Scores().StandingsInDirectMessage(),
		"points":                     v.Scores().HowPoints(true),
		"points without crowns":      v.Scores().HowPoints(false),
		"settings of nothing":        clock.Settings().Panel(guild, "", Saved),
		"settings ask channel":       v.Settings().Question(guild, AsksChannel, "302"),
		"settings ask puzzle":        v.Settings().Question(set, AsksPuzzle, "302"),
		"settings ask lobby":         v.Settings().Question(set, AsksLobby, "302"),
		"played elsewhere":           v.Games().Elsewhere("302"),
		"settings games":             clock.Settings().Panel(set, "games", Stale),
		"settings boards":            v.Settings().Panel(ownBoards, "boards", Saved),
		"settings board gone":        v.Settings().Panel(boardGone, "boards", Saved),
		"settings messages":          v.Settings().Panel(set, "messages", Saved),
		"settings standings":         v.Settings().Panel(set, "standings", Saved),
		"settings may not post":      v.Settings().Panel(stoppedPosts, "messages", MayNotPost),
		"begin anew":                 v.Settings().BeginAnewQuestion(),
		"begun anew":                 v.Note(BegunAnew),
		"kept standings":             v.Note(StandingsKept),
		"erase guild":                v.Settings().EraseGuildQuestion(false),
		"erase guild really":         v.Settings().EraseGuildQuestion(true),
		"erasing guild":              v.Note(ErasingGuild),
		"settings puzzle":            v.Settings().Panel(posts, "puzzle", Saved),
		"settings puzzle stopped":    v.Settings().Panel(stoppedPosts, "puzzle", Saved),
		"settings without the right": noClock.Settings().Panel(GuildSettings{NoThreads: discord.PermissionCreateThreads | discord.PermissionSendInThreads}, "games", Saved),
		"thread begun":               v.Games().ThreadBegun(link),
		"find":                       finding(t, v, Find{}),
		"find again":                 finding(t, v, Find{Tries: 1, Cell: 1, Answer: 4, After: coach.Standing{Winner: engine.X, Plies: 5}}),
		"find no more":               finding(t, v, Find{Tries: 2, Cell: 1, Answer: 4, After: coach.Standing{Winner: engine.X, Plies: 1}}),
		"find found":                 finding(t, v, Find{Tries: 2, Cell: 4, Right: true}),
		"hint question":              v.Reviews().HintQuestion([]store.Match{m, hidden}, true),
		"hint that wins":             v.Reviews().Hint(m, coach.Move{Cell: 4, Standing: coach.Standing{Winner: engine.X, Plies: 3}}),
		"hint that holds":            v.Reviews().Hint(m, coach.Move{Cell: 4}),
		"hint that resists":          v.Reviews().Hint(m, coach.Move{Cell: 4, Standing: coach.Standing{Winner: engine.O, Plies: 4}}),
		"review list":                v.Reviews().LastGames(matchtest.Ada, lastGames),
		"review list of nobody":      v.Reviews().LastGames(matchtest.Ada, nil),
		"review shown":               shownReview(t, v, true),
		"review of own shown":        shownReview(t, v, false),
		"notation":                   notation(t, v, "a1 a2 b2 a3 c3", 2),
		"notation of all moves":      notation(t, v, "a1 a2 b2 a3 c3", 0),
		"review at a mistake":        reviewed(t, v, "a1 a2 b2 a3 c3", 2),
		"review at the start":        reviewed(t, v, "a1 a2 b2 a3 c3", 0),
		"review at the end":          reviewed(t, v, "a1 a2 b2 a3 c3", 5),
		"review of a lost move":      reviewed(t, v, "a1 a2 b2 a3 c3", 4),
		"review without mistakes":    reviewed(t, v, "b2 a1 a2 c2 b1 b3 a3 c1 c3", 0),
		"help":                       v.Help(true, true, "https://example.org/help"),
		"preferences":                v.People().Preferences(Preferences{}),
		"preferences off":            v.People().Preferences(Preferences{Tab: "messages", Person: store.Person{Reminders: store.Off}}),
		"preferences about data":     v.People().Preferences(Preferences{Tab: "data"}),
		"preferences by a list":      v.People().Preferences(Preferences{Tab: "boards", Person: store.Person{PlaysBy: store.ByList}}),
		"preferences in Greek":       v.People().Preferences(Preferences{Tab: "messages", Person: store.Person{Locale: "el"}}),
		"preferences off by guild":   v.People().Preferences(Preferences{Tab: "messages", Guild: store.GuildSettings{Reminders: store.Off}}),
		"lobby":                      v.Settings().Lobby(Lobby{}),
		"lobby of a leader shown":    people.Settings().Lobby(Lobby{Leader: &store.Standing{User: matchtest.Ada, Points: 8}, Solved: 5}),
		"lobby of a king shown":      people.Settings().Lobby(Lobby{King: &King{Crown: store.Crown{Channel: "302", User: matchtest.Ada, Wins: 12}, Takes: true}}),
		"lobby of a busy king shown": people.Settings().Lobby(Lobby{King: &King{Crown: store.Crown{Channel: "302", User: matchtest.Ada}}}),
		"lobby posted":               v.Settings().LobbyPosted(link),
		"lobby refused":              v.Settings().LobbyRefused(discord.PermissionSendMessages),
		"choose":                     v.Games().Choose(0, match.DefaultChoice),
		"choose another":             v.Games().Choose(8, match.DefaultChoice),
		"choose the next":            v.Board().More(over(m, store.Resignation, engine.X), matchtest.Ada, match.Choice{Opponent: "medium", Rules: engine.Standard, First: match.FirstThem, BestOf: 5}),
		"choose a classic":           v.Games().Choose(0, match.Choice{Opponent: "ranks", Rules: engine.Standard, First: match.FirstMe}),
		"check":                      v.Settings().Check(Check{May: func(uint64) bool { return true }, Text: true, Connected: true, Saves: true}),
		"check of nothing":           v.Settings().Check(Check{May: func(uint64) bool { return false }, Text: true, Failed: matchtest.TestEpoch, Incident: "ABCD2345"}),
		"check of the commands only": v.Settings().Check(Check{May: func(uint64) bool { return false }, Invite: "https://discord.com/oauth2/authorize?client_id=1", Connected: true, Saves: true}),
		"check in a thread":          v.Settings().Check(Check{May: func(uint64) bool { return true }, Thread: true, Connected: true, Saves: true}),
		"preferences with blocks":    v.People().Preferences(Preferences{Guild: store.GuildSettings{Guild: "201"}, Blocks: blocks(7), Page: 1}),
		"erase question":             v.People().EraseQuestion(),
		"erasing":                    v.Note(Erasing),
		"nothing erased":             v.Note(NothingErased),
		"exporting":                  v.Note(Exporting),
		"exported":                   v.People().Exported("tictactoe.json", false),
		"exported packed":            v.People().Exported("tictactoe.json.gz", true),
		"export failed":              v.Note(ExportFailed),
		"export too large":           v.Note(ExportTooLarge),
		"preferences blocks a bot":   v.People().Preferences(Preferences{Guild: store.GuildSettings{Guild: "201"}, Blocks: append(blocks(1), store.Block{User: matchtest.Ada, Guild: "201"}), Problem: BlocksBot}),
		"declined":                   v.Challenges().Declined(matchtest.Bob, v.Now.Add(time.Hour)),
		"blocked":                    v.People().Blocked(matchtest.Bob, false),
		"block lifted":               v.People().Blocked(matchtest.Bob, true),
		"not blocked":                v.Note(BlocksMany),
		"stop all":                   v.Games().StopAllQuestion(matchtest.Ada, games[:1], 2),
		"stopped all":                v.Note(StoppedAll),
		"help in direct messages":    v.Help(false, false, ""),
	})
}

// shownReview is a moment that is shown to everybody.
func shownReview(t testing.TB, v View, open bool) discord.Message {
	v.Names = map[store.UserID]string{matchtest.Ada: "_Ada_", matchtest.Bob: "Bob", matchtest.Cleo: "Cleo"}
	m, verdicts := judgedMatch(t, "a1 a2 b2 a3 c3")
	msg, err := v.Reviews().Review(Review{Match: m, Verdicts: verdicts, Ply: 5, Shown: true, By: matchtest.Cleo, Open: open})
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// finding is the board on which somebody looks for what was better than O's first move.
func finding(t testing.TB, v View, f Find) discord.Message {
	t.Helper()
	m, verdicts := judgedMatch(t, "a1 a2 b2 a3 c3")
	f.Match, f.Ply, f.Verdicts = m, 1, verdicts
	msg, err := v.Reviews().Find(f)
	if f.Done() {
		msg, err = v.Reviews().Review(Review{Match: m, Verdicts: verdicts, Ply: f.Ply + 1, Told: true, Tried: &f})
	}
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// lastGames are results of every kind, and more than a list shows.
var lastGames = func() (all []store.Result) {
	end := func(opponent store.Player, winner engine.Mark, reason store.EndReason) {
		all = append(all, store.Result{
			Match: store.MatchID(len(all) + 1), Ended: matchtest.TestEpoch, Rules: match.Boards[len(all)%len(match.Boards)],
			X: store.Player{User: matchtest.Ada}, O: opponent, Winner: winner, EndReason: reason, Plies: len(all) + 1,
		})
	}
	bob, hard := store.Player{User: matchtest.Bob}, store.Player{Opponent: "hard"}
	for range 3 {
		end(bob, engine.X, store.ByLine)
		end(hard, engine.O, store.Resignation)
		end(hard, engine.None, store.FullBoard)
		end(bob, engine.None, store.Stopped)
	}
	return all
}()

// reviewed is the review of a match between people after so many moves.
func reviewed(t testing.TB, v View, moves string, ply int) discord.Message {
	t.Helper()
	m, verdicts := judgedMatch(t, moves)
	msg, err := v.Reviews().Review(Review{Match: m, Verdicts: verdicts, Ply: ply})
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// notation is such a moment as it is written down.
func notation(t testing.TB, v View, moves string, ply int) discord.Message {
	t.Helper()
	m, _ := judgedMatch(t, moves)
	msg, err := v.Reviews().Notation(m, ply)
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// judgedMatch is a match between people that is over, and what its moves were worth.
func judgedMatch(t testing.TB, moves string) (store.Match, []coach.Verdict) {
	t.Helper()
	m := matchtest.Between(t, engine.Standard, moves)
	g, reason := replay(t, m.Rules, m.Moves)
	m = over(m, reason, g.Outcome().Winner())
	verdicts, err := coach.Game(t.Context(), m.Rules, m.Moves, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, verdicts
}

// blocks are of so many people.
func blocks(n int) (all []store.Block) {
	for i := range n {
		all = append(all, store.Block{User: matchtest.Ada, From: store.UserID(rune('1' + i)), Since: matchtest.TestEpoch.Add(time.Duration(i) * time.Hour)})
	}
	return all
}

// threwWin lets X, to move with two in a row and a cell free behind them, play
// elsewhere.
func threwWin(r engine.Rules) string {
	if r != engine.Standard {
		return "a1 b1"
	}
	return "a2 b1 b2 a1 a3"
}

// playsALot is how somebody plays who has done so for a while.
var playsALot = store.Profile{
	Tallies: []store.Tally{
		{Rules: engine.Standard, Won: 30, Drawn: 11, Lost: 8},
		{Rules: engine.Vanishing, Won: 3, Lost: 1},
		{Rules: engine.Rules{M: 4, N: 5, K: 4}, Won: 1, Drawn: 1},
		{Opponent: "easy", Rules: engine.Standard, Won: 12, Lost: 1},
		{Opponent: "hard", Rules: engine.Standard, Won: 1, Drawn: 5, Lost: 6},
		{Opponent: "hard", Rules: engine.Vanishing, Won: 1},
		{Opponent: "random", Rules: engine.Standard, Won: 2},
	},
	Streak: 4, Best: 12,
	Honours:  map[store.Honours]int{match.HonourFork: 3, match.HonourPerfect: 1, match.HonourHardAsO: 1, match.HonourVanishing: 1},
	Toughest: store.Encounter{Other: matchtest.Cleo, Won: 3, Drawn: 1, Lost: 7},
}

func knows(p store.Profile, other store.UserID) store.Profile {
	p.Versus = store.Encounter{Other: other, Won: 3, Drawn: 2, Lost: 5}
	return p
}

// rowUser is whose row of a table stands at the place.
func rowUser(i int) store.UserID { return store.UserID("10" + string(rune('1'+i))) }

// tableNames are names of the people in a table, one full of markup; unknown is for one who has
// none.
func tableNames(unknown string) map[store.UserID]string {
	all := map[store.UserID]string{"1": "Eva", "2": "**B_en** <@1>"}
	names := []string{"Ada", "**B_en** <@1>", unknown, "千代", "a\nb\u202e[x](https://x.y)", "Zoë van der Größenwahnsinn-Überlänge"}
	for i := range PageRows {
		all[rowUser(i)] = names[i%len(names)]
	}
	return all
}

// table is one of two pages of a leaderboard, with ties.
func table(p store.Period, page int) Standings {
	s := Standings{Leaf: Leaf{Period: p, Page: page, Pages: 2}, Viewer: matchtest.Ada, Mine: &store.Standing{User: matchtest.Ada, Rank: 12, Points: 1, Drawn: 1}}
	if p > store.BotWins {
		s.Before = []store.Standing{{User: "1", Rank: 1}, {User: "2", Rank: 2}, {User: "3", Rank: 2}}
	}
	first := page*PageRows + 1
	for i := range min(PageRows, 12-page*PageRows) {
		r := store.Standing{User: rowUser(i), Rank: first + i, Points: 30 - 2*(first+i), Won: 9 - i, Drawn: i, Lost: 2}
		if i == 2 {
			r.Rank, r.Points = first+1, 30-2*(first+1)
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

// lineMovesOfO lets O complete the start of the second row: X fills the first but
// for its last cell and then plays the far corner.
func lineMovesOfO(t testing.TB, r engine.Rules) []engine.Cell {
	t.Helper()
	var moves []engine.Cell
	for i := range engine.Cell(r.K) {
		x := i
		if int(i) == int(r.K)-1 {
			x = engine.Cell(r.Cells() - 1) //nolint:gosec // at most 24
		}
		moves = append(moves, x, i+engine.Cell(r.M))
	}
	if g, err := engine.Replay(r, moves); err != nil || g.Outcome().Winner() != engine.O {
		t.Fatalf("%v: %v, %v, want a line of O", r, g.Outcome(), err)
	}
	return moves
}
