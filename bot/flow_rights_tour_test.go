package bot_test

import (
	"tictactoe/bot/bottest"
	"tictactoe/bot/customid"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
	"tictactoe/bot/sandbox/waittest"
)

// tourParts are the parts of the tour, each in a channel of its own, which has room for one
// game. What permissions change comes last, so that nothing behind it differs.
var tourParts = []func(*tour, home){
	tourProgram, tourPeople, tourChallenges, tourModerator, tourLooks, tourPuzzle, tourPreferences, tourOthers,
	tourThreads, tourLobby, tourSettings,
}

// tourProgram plays the program, openly and privately.
func tourProgram(tr *tour, _ home) {
	w := tr.w
	board := tr.command(w.Ada, "tictactoe play", sandbox.Opt("difficulty", "easy"))
	tr.all("play qn", w.Ada, tr.do("play", w.Ada, board, customid.HintAsk))
	tr.do("play", w.Ada, board, customid.Cell)
	tr.do("play keep", w.Ada, tr.command(w.Ada, "tictactoe resign"), customid.KeepPlaying)
	tr.do("play mo", w.Ada, tr.do("play", w.Ada, board, customid.More), customid.MyList)
	tr.all("play mo", w.Ada, tr.do("play", w.Ada, board, customid.More))
	tr.all("board", w.Ada, tr.command(w.Ada, "tictactoe board"))
	tr.all("hint", w.Ada, tr.command(w.Ada, "tictactoe hint"))
	tr.all("taken", w.Bob, tr.command(w.Bob, "tictactoe play"))
	tr.all("help", w.Cleo, tr.command(w.Cleo, "tictactoe help"))
	tr.do("private easy", w.Cleo, tr.private(w.Cleo, "easy"), customid.Rematch)
	over := tr.private(w.Cleo, "perfect")
	tr.all("private perfect", w.Cleo, tr.do("private perfect", w.Cleo, over, customid.More))
	tr.command(w.Ada, "tictactoe play")
	tr.all("already", w.Ada, tr.command(w.Ada, "tictactoe play"))
	tr.all("resign", w.Ada, tr.command(w.Ada, "tictactoe resign"))
}

// private plays a private game to its end, wherever a mark fits.
func (tr *tour) private(who *sandbox.User, opponent string) *sandbox.Message {
	tr.t.Helper()
	m := tr.command(who, "tictactoe play", sandbox.Opt("private", true), sandbox.Opt("difficulty", opponent))
	for !bottest.Over(m.Snapshot()) {
		tr.w.Cell(tr.t, who, m, bottest.CellName(bottest.Empties(m.Snapshot())[0]))
	}
	return m
}

// tourPeople has two people play to a draw, and on, and then to a win.
func tourPeople(tr *tour, _ home) {
	t, w := tr.t, tr.w
	m := tr.command(w.Ada, "tictactoe challenge", sandbox.OptUser("user", w.Bob))
	tr.do("challenge", w.Bob, m, customid.Accept)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3")
	w.Weighed(t, m)
	tr.do("drawn", w.Ada, m, customid.Rematch)
	tr.do("drawn", w.Bob, m, customid.DeclineRematch)
	tr.do("drawn", w.Ada, tr.do("drawn", w.Ada, m, customid.More), customid.MoreSeries)
	more := tr.do("drawn", w.Ada, m, customid.More)
	tr.do("drawn", w.Ada, more, customid.MoreBoard)
	vanishing := tr.do("drawn", w.Ada, more, customid.MorePlay)
	tr.do("vanishing", w.Bob, vanishing, customid.Accept)
	w.Resign(t, w.Bob, vanishing)
	tr.do("vanishing", w.Ada, vanishing, customid.Rematch)
	next := tr.do("vanishing", w.Bob, vanishing, customid.Rematch)
	w.Resign(t, w.Bob, next)
	tr.do("won", w.Cleo, tr.do("won", w.Cleo, next, customid.More), customid.PlayWinner)
}

// tourChallenges makes challenges that do not become games.
func tourChallenges(tr *tour, _ home) {
	t, w := tr.t, tr.w
	m := tr.command(w.Ada, "tictactoe challenge")
	tr.do("table", w.Ada, m, customid.Cancel)
	r := tr.note("menu", w.Ada.UserCommand(t, w.Channel, "Challenge to tic-tac-toe", w.Bob))
	tr.sent["Challenge to tic-tac-toe"] = true
	b, _ := tr.button(r.Message, customid.Decline)
	declined := tr.press("menu", w.Bob, r.Message, b)
	waittest.Until(t, "words behind the refusal", func() bool { return len(declined.Followups()) == 1 })
	tr.all("menu", w.Bob, declined.Followups()[0])
}

// tourModerator stops the games of others.
func tourModerator(tr *tour, _ home) {
	w := tr.w
	mod := w.Discord.User("Mod", sandbox.Moderator)
	tr.command(w.Ada, "tictactoe play")
	tr.do("stop", mod, tr.command(mod, "tictactoe resign"), customid.StopConfirm)
	tr.command(w.Ada, "tictactoe play")
	tr.do("stop all", mod, tr.command(mod, "tictactoe resign", sandbox.OptUser("user", w.Ada)), customid.StopAll)
}

// tourLooks looks at figures and at games that are over.
func tourLooks(tr *tour, _ home) {
	fay := tr.w.Discord.User("Fay") // who has one game: the clock of the tour stands still
	tr.do("finished", fay, tr.private(fay, "easy"), customid.Review)
	tr.all("review", fay, tr.command(fay, "tictactoe review"))
	tr.all("stats", fay, tr.command(fay, "tictactoe stats"))
	leaders := tr.command(fay, "tictactoe leaderboard")
	tr.do("leaderboard", fay, leaders, customid.HowPoints)
	tr.all("leaderboard", fay, leaders)
}

// tourPuzzle plays the puzzle to its end, in a grid.
func tourPuzzle(tr *tour, _ home) {
	eve := tr.w.Discord.User("Eve")
	m := tr.command(eve, "tictactoe puzzle")
	tr.do("puzzle", eve, m, customid.PuzzleNames)
	for range 2 { // as a list and as a grid, whichever the day begins with
		tr.do("puzzle", eve, m, customid.PuzzleAsList)
		tr.do("puzzle", eve, m, customid.PuzzleInList)
		tr.do("puzzle", eve, m, customid.PuzzleCell)
		tr.do("puzzle", eve, m, customid.PuzzleAgain)
	}
	for range 30 { // until it is lost or solved
		if _, ok := tr.button(m, customid.PuzzleShare); ok {
			break
		}
		if tr.do("puzzle", eve, m, customid.PuzzleAgain) == nil {
			free := bottest.Empties(m.Snapshot())
			tr.w.Cell(tr.t, eve, m, bottest.CellName(free[len(free)-1]))
		}
	}
	tr.do("puzzle", eve, m, customid.PuzzleStreaks)
	tr.all("puzzle lb", eve, tr.do("puzzle", eve, m, customid.LobbyPlay))
	tr.all("puzzle", eve, m)
}

// tourPreferences sets everything for oneself, and erases oneself.
func tourPreferences(tr *tour, _ home) {
	dan := tr.w.Discord.User("Dan")
	m := tr.command(dan, "tictactoe preferences")
	for _, tab := range []string{"games", "boards", "messages", "data"} {
		tr.pressed[customid.PreferencesTab] = true
		tr.note("preferences "+tab, dan.ClickID(tr.t, m, "1:pq:"+tab))
		if tab == "data" {
			tr.do("preferences", dan, tr.do("preferences", dan, m, customid.EraseAsk), customid.EraseNothing)
		}
		tr.all("preferences", dan, m)
	}
	m = tr.command(dan, "tictactoe preferences")
	dan.ClickID(tr.t, m, "1:pq:data")
	tr.do("preferences", dan, tr.do("preferences", dan, m, customid.EraseAsk), customid.Erase)
}

// tourSettings sets everything for the server, on each page, to what it was before.
func tourSettings(tr *tour, _ home) {
	w := tr.w
	mona := manager(w, "Mona")
	tr.command(mona, "tictactoe-admin check")
	m := tr.command(mona, "tictactoe-admin settings")
	tr.do("settings", mona, m, customid.Setup)
	skips(tr.t, mona, m)
	for _, page := range []string{"games", "boards", "messages", "standings", "puzzle"} {
		tr.pressed[customid.SettingsTab] = true
		tr.note("settings "+page, mona.ClickID(tr.t, m, "1:st:"+page))
		for c := range rules.All(m.Snapshot().Components) {
			if id, err := customid.Parse(c.CustomID); err == nil && id.Action == customid.Setting {
				tr.press("settings "+page+" "+id.Setting, mona, m, *c)
			}
		}
		if _, ok := tr.button(m, customid.BeginAnew); ok {
			tr.do("settings", mona, tr.do("settings", mona, m, customid.BeginAnew), customid.KeepStandings)
			tr.do("settings", mona, tr.do("settings", mona, m, customid.BeginAnew), customid.BeginAnewSure)
		}
		if _, ok := tr.button(m, customid.EraseGuildAsk); ok {
			tr.do("settings", mona, tr.do("settings", mona, tr.do("settings", mona, m, customid.EraseGuildAsk), customid.EraseGuildSure), customid.EraseNothing)
		}
	}
	tr.do("settings", mona, m, customid.PostPuzzle)
	mona.ClickID(tr.t, m, "1:st:games")
	mona.Select(tr.t, m, "1:se:channel") // a lobby stands where the games are
	for _, way := range []customid.Action{customid.PostLobby, customid.CheckHere} {
		tr.do("settings", mona, m, way)
	}
}

// tourOthers sends the commands that no other part has a way for.
func tourOthers(tr *tour, _ home) {
	for _, path := range chatCommands(tr.w) {
		if !tr.sent[path] {
			tr.all(path, tr.w.Ada, tr.command(tr.w.Ada, path))
		}
	}
}

// tourThreads plays in threads, where one can be begun.
func tourThreads(tr *tour, h home) {
	w := tr.w
	tr.command(w.Ada, "tictactoe play")
	eve := w.Discord.User("Eve")
	offer := tr.command(w.Cleo, "tictactoe challenge", sandbox.OptUser("user", eve))
	full := tr.do("full", eve, offer, customid.Accept)
	if _, ok := tr.button(full, customid.AcceptInThread); ok != h.threads {
		tr.t.Errorf("a thread is offered: %v", ok)
	}
	tr.do("full", eve, full, customid.AcceptInThread)
}

// tourLobby plays from the lobby.
func tourLobby(tr *tour, _ home) {
	w := tr.w
	mona := manager(w, "Mona")
	tr.command(mona, "tictactoe-admin lobby")
	for _, m := range w.Channel.Messages(nil) {
		if _, ok := tr.button(m, customid.LobbyPlay); ok {
			tr.all("lobby", w.Cleo, m)
		}
	}
}
