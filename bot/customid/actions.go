package customid

import (
	"maps"
	"slices"
)

// Action is the part of a custom ID that picks the route. Its letters are in messages
// out there and stay as they are.
type Action string

// The actions of buttons and selects: the letters, what follows them, and what
// the button does with it.
var (
	Cell           = named("k", "cell", aMatch, aCell)               // play it
	CellAtPly      = named("c", "cell", aMatch, aPlyOfCells, aCell)  // as Cell, in messages of older versions
	Resign         = named("r", "resign_button", aMatch)             // ask whether to resign
	ResignAt       = action("rp", aMatch, aPly)                      // resign, or ask whether to where somebody has moved since
	ResignConfirm  = named("ry", "resign_confirm", aMatch)           // resign
	KeepPlaying    = named("rn", "keep_playing", aMatch)             // do not
	StopConfirm    = named("sy", "stop_confirm", aMatch)             // a moderator stops it
	CloseLocked    = action("cl", aMatch)                            // as Resign, in questions of older versions
	CellNames      = named("n", "cell_names", aMatch)                // as MyNames, on boards of older versions
	AsList         = action("kt", aMatch)                            // as MyList, there
	MyNames        = action("kn", aMatch)                            // play by buttons with names, or without
	MyList         = action("ko", aMatch)                            // open a list of one's own
	ListCell       = action("kc", aMatch)                            // play the chosen cell of that; a select, see [CellValue]
	CellInList     = action("kl", aMatch)                            // play the chosen cell; a select, see [CellValue]
	Rematch        = named("m", "rematch", aMatch)                   // offer or take a rematch
	NextGame       = action("mn", aMatch)                            // begin the next game of the series in its place
	EndSeries      = action("me", aMatch)                            // end the series as it stands
	RematchInstead = action("mi", aMatch, aResignation)              // ask whether to resign the one match and take the offer of the other
	RematchSure    = action("my", aMatch, aResignation)              // do
	DeclineRematch = named("rd", "decline_rematch", aMatch)          // say no to the rematch that the other one wishes for
	Harder         = named("h", "harder", aMatch)                    // again, against a stronger opponent
	Easier         = action("e", aMatch)                             // again, against a weaker one
	TryVanishing   = named("v", "try_vanishing", aMatch)             // again, where marks vanish
	PlayWinner     = named("w", "play_winner", aMatch)               // challenge its winner
	ChallengeKing  = action("wk", aMatch)                            // challenge the king whom it has made or kept
	LobbyKing      = action("wl", aUser)                             // challenge them, from the lobby
	More           = action("mo", aMatch)                            // show the ways on that its message has no room for
	MoreLevel      = action("ml", aMatchAndNext...)                  // a select, whose value is the opponent in what is played next
	MoreBoard      = action("mb", aMatchAndNext...)                  // a select, whose value is the board
	MoreFirst      = action("mf", aMatchAndNext...)                  // a select, whose value is who begins
	MoreSeries     = action("ms", aMatchAndNext...)                  // a select, whose value is how many games
	MorePlay       = action("mp", aMatchAndNext...)                  // play it
	ShowBoard      = named("b", "show_board", aMatch)                // post the board again
	PlayPrivately  = named("p", "play_privately", aChoice...)        // a private match
	PlayHere       = named("s", "play_here", aChoice...)             // a public match
	PlayInstead    = named("pi", "play_instead", aMatchAndChoice...) // resign the one and play the other
	Accept         = named("a", "accept", aChallenge)
	AcceptInstead  = action("ai", aChallenge, aResignation) // ask whether to resign the one match and accept
	AcceptSure     = action("ay", aChallenge, aResignation) // do
	Decline        = named("d", "decline", aChallenge)
	Cancel         = named("x", "cancel", aChallenge)
	ChallengeAgain = named("g", "challenge_again", aChallenge)
	GoOn           = action("go", aMatch)              // go on with it, which was put aside
	PlayInThread   = action("pt", aChoice...)          // a public match in a thread of its own
	AcceptInThread = action("at", aChallenge)          // accept it there
	OpenTable      = named("o", "open_table")          // open a table for anybody
	ChallengeUser  = action("cu", aUser, aUntil)       // challenge them, until then
	ShowStats      = action("u", aUser)                // post how they play
	Leaderboard    = action("l", aPeriod, aPage)       // turn to it
	Standings      = action("lk", aPeriod, aPage)      // as Leaderboard; on messages of a version before
	StandingsKind  = action("lt")                      // a select, whose value is the standings to turn to
	ShowStandings  = action("ls", aPeriod)             // post it
	HowPoints      = action("lp")                      // tell what gives points
	SettingsTab    = action("st", aSetting)            // turn to a page of a guild's settings
	SettingsPage   = action("sp")                      // a select, whose value is such a page; on panels of a version before
	PostPuzzle     = action("sz")                      // post today's puzzle at once where the guild wants it
	PostLobby      = action("sb")                      // post a lobby
	CheckHere      = action("sc")                      // tell what the bot may do in the channel
	Setup          = action("sq", aSetting, aValue)    // answer one of the first questions about a guild
	SetupChannel   = action("sv")                      // a select, whose value answers the first of them
	Setting        = action("se", aSetting)            // a select, whose value it gets
	Preference     = action("pf", aPreference, aValue) // set it for oneself
	BeginAnew      = action("sa")                      // ask whether the guild's standings are to begin anew
	BeginAnewSure  = action("sx")                      // let them
	EraseGuildAsk  = action("ga")                      // ask whether everything about the guild is to be erased
	EraseGuildSure = action("gs")                      // ask once more
	EraseGuild     = action("gx")                      // erase it
	KeepStandings  = action("sk")                      // do not

	LastGames     = action("qg")               // list one's own that are over
	Review        = action("q", aMatch)        // walk through it, in a new message
	ReviewAgain   = action("qa", aMatch)       // the same in place
	ReviewFirst   = action("qf", aMatch, aPly) // show the match after so many moves
	ReviewBack    = action("qb", aMatch, aPly) // as ReviewFirst, and so are the next three: they stand beside each other
	ReviewOn      = action("qo", aMatch, aPly)
	ReviewLast    = action("ql", aMatch, aPly)
	ReviewMistake = action("qm", aMatch, aPly)
	ReviewShare   = action("qs", aMatch, aPly)                // show it to everybody
	ReviewFind    = action("qy", aMatch, aPly)                // find yourself what was better than the move that comes
	ReviewTry     = action("qt", aMatch, aPly, aTry, aCell)   // this one
	ReviewTryNext = action("qu", aMatch, aPly, aWrong, aCell) // this one, behind a first that was wrong
	ReviewTell    = action("qw", aMatch, aPly)                // as ReviewFirst, with what would have been better than a mistake
	ReviewCopy    = action("qc", aMatch, aPly)                // tell the position as it is written down
	HintAsk       = action("qn", aMatch)                      // say what a hint costs, or tell again the one that was told
	HintConfirm   = action("qh", aMatch)                      // tell a move, so that the match does not count
	PlayOn        = action("qp", aMatch, aPly)                // a private match that begins with the position

	PreferencesTab = action("pq", aPreference)        // turn to a page of one's preferences
	PlaysBy        = action("pb")                     // a select, whose value is by what one plays
	OwnMark        = action("om")                     // a select, whose value is with which mark texts show one
	Language       = action("la", aPage)              // a select, whose value is the language in which one is spoken to; on that page of them
	ChallengesFrom = action("cf")                     // a select, whose value is from whom one takes challenges
	BlockChosen    = action("bc")                     // a select of people, among one's preferences: block them
	BlockPage      = action("bp", aPage)              // turn to it among those whom one has blocked
	UnblockListed  = action("bl", aUser, aPage)       // lift the block there
	Block          = named("bk", "block", aUser)      // block them
	Unblock        = named("bu", "unblock", aUser)    // lift that
	Export         = action("xe")                     // a copy of everything about oneself
	EraseAsk       = action("xa")                     // ask whether everything about oneself is to be erased
	Erase          = action("xy")                     // erase it
	EraseNothing   = action("xn")                     // do not
	LobbyPlay      = action("lb")                     // play the usual match against the program privately, from the lobby
	LobbyLevel     = action("ln", aChoice...)         // a select, whose value is an opponent; in choices of a version before
	LobbyBoard     = action("lo", aChoice...)         // a select, whose value is the board, there
	Change         = action("ch", aMatch)             // choose another private match in its place
	ChangeLevel    = action("cv", aMatchAndChoice...) // a select, whose value is the opponent in that
	ChangeBoard    = action("cb", aMatchAndChoice...) // a select, whose value is the board
	ChangePlay     = action("cp", aMatchAndChoice...) // play it
	LobbyLeaders   = action("ll")                     // show this month's standings
	LobbyPuzzle    = action("lz")                     // open today's puzzle
	StopAll        = named("sl", "stop_all", aUser)   // a moderator stops whatever they play in the channel

	PuzzleCell      = action("zc", aDay, aCell) // play it in the puzzle of the day
	PuzzleInList    = action("zl", aDay)        // a select, whose value is the cell
	PuzzleNames     = action("zn", aDay)        // write the names on the empty cells, or take them off
	PuzzleAsList    = action("zt", aDay)        // a list of cells in place of the grid, or the grid
	PuzzleAgain     = action("za", aDay)        // the next try
	PuzzleSolve     = action("zo", aDay)        // open the puzzle
	PuzzleShare     = action("zs", aDay)        // post how it went
	PuzzleYesterday = action("zy", aDay)        // tell the solution of the day before
	PuzzleRecap     = action("zw", aValue)      // whether what the day brought may name oneself
	PuzzleGoOn      = action("zg")              // post it again, after a pause
	PuzzleStreaks   = action("zr")              // tell who has solved most days in a row
)

// kind is what there is to know of an action: its name, and the parts that follow it.
type kind struct {
	name  string
	parts []part
}

// known has all of them.
var known = map[Action]kind{}

// action is one of the buttons that are used less, whose letters are their names.
func action(letters string, parts ...part) Action { return named(letters, letters, parts...) }

func named(letters, name string, parts ...part) Action {
	a := Action(letters)
	if _, ok := known[a]; ok {
		panic("customid: two actions are " + letters)
	}
	known[a] = kind{name, parts}
	return a
}

// Actions returns all that there are.
func Actions() []Action { return slices.Sorted(maps.Keys(known)) }

// Name returns what the action is called in logs and figures.
func (a Action) Name() string { return known[a].name }
