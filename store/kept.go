package store

// Kept is a part of what is kept about a person: rows of a table in which a column names
// them, and what of each row is told to that person. [Store.Kept] reads the rows.
type Kept struct {
	// Section is where the rows belong in the copy that the person gets. Parts of the same
	// section follow each other and have the same fields.
	Section string
	Means   string // of the section, in words
	Table   string
	Person  string   // the column that names them
	Key     []string // columns by which their rows are in order, no two in the same place
	Fields  []KeptField
}

// KeptField is a column that is told.
type KeptField struct {
	Column string
	Name   string // in the copy
	Kind   KeptKind
	Codes  map[int64]string // what numbers of the kind KeptCode stand for
	Means  string           // in words
}

// KeptKind says how the value of a column is meant.
type KeptKind uint8

// The kinds of values, and what the database gives for them.
const (
	KeptID      KeptKind = iota // a text or a number that names something; empty or 0 for nothing
	KeptText                    // a text
	KeptNumber                  // a number
	KeptYes                     // a truth value, or the number 1 or 0
	KeptMoment                  // milliseconds since 1970
	KeptLength                  // nanoseconds; null where nothing is set
	KeptDay                     // days since 1970
	KeptPeriod                  // a [Period]
	KeptCells                   // a byte for each cell of a board with as many columns as m says
	KeptMark                    // 0, 1 for X, 2 for O
	KeptCode                    // a number that stands for something
	KeptHonours                 // bits, each for a feat
)

// What stored numbers stand for in a copy.
var (
	keptStates     = map[int64]string{int64(Active): "running", int64(Ended): "over"}
	keptEndReasons = map[int64]string{
		int64(NotEnded): "", int64(ByLine): "line", int64(FullBoard): "full board", int64(Repetition): "repetition", int64(MoveLimit): "move limit",
		int64(Resignation): "resignation", int64(Clock): "clock", int64(Idle): "idle", int64(Stopped): "stopped by a moderator",
		int64(Abandoned): "abandoned", int64(Unreachable): "channel gone", int64(PlayerErased): "a player was erased",
	}
	keptVerdicts = map[int64]string{int64(NotJudged): "", int64(NoMistake): "no mistake", int64(ThrewWin): "threw a win away", int64(ThrewDraw): "threw a draw away"}
	keptWhys     = map[int64]string{
		int64(Counts): "", int64(NotWeighed): "not weighed", int64(BeforeLedger): "before points were counted", int64(OutsideGuilds): "not on a server",
		int64(WithoutResult): "no result", int64(TooShort): "too short", int64(ForcedBoard): "forced board", int64(AgainstProgram): "against the program",
		int64(WithHint): "with a hint", int64(NotFromStart): "began with a position", int64(PairDone): "limit of the pair", int64(PersonDone): "limit of the person",
	}
	keptFirsts     = map[int64]string{int64(FirstChallenger): "challenger", int64(FirstOpponent): "opponent", int64(FirstRandom): "random"}
	keptChallenges = map[int64]string{
		int64(Open): "open", int64(Accepted): "accepted", int64(Declined): "declined", int64(Cancelled): "withdrawn",
		int64(Expired): "expired", int64(Renewed): "made anew", int64(Dismissed): "closed", int64(Hidden): "seen by nobody else",
	}
	keptSwitches = map[int64]string{0: "", int64(On): "on", int64(Off): "off"}
	keptMarks    = map[int64]string{0: "", int64(MarksBlocks): "squares and discs", int64(MarksHearts): "hearts and stars", int64(MarksSky): "moons and suns"}
	keptPuzzles  = map[int64]string{int64(PuzzleOpen): "open", int64(PuzzleSolved): "solved", int64(PuzzleFailed): "failed"}
)

// The fields of a board's rules, and of who plays.
var (
	keptRules = []KeptField{
		{"m", "columns", KeptNumber, nil, "how many columns the board has"},
		{"n", "rows", KeptNumber, nil, "how many rows"},
		{"k", "in_a_row", KeptNumber, nil, "how many marks in a row win"},
		{"mark_limit", "marks_each", KeptNumber, nil, "how many marks a side may have where the oldest vanish; 0 for any number"},
	}
	keptSeats = []KeptField{
		{"x_user", "x", KeptID, nil, "who had X, if a person"},
		{"x_opponent", "x_program", KeptText, nil, "which opponent of the program had X, if one"},
		{"o_user", "o", KeptID, nil, "who had O, if a person"},
		{"o_opponent", "o_program", KeptText, nil, "which opponent of the program had O, if one"},
	}
	keptGames = join([]KeptField{
		{"id", "id", KeptID, nil, "the number of the game"},
		{"guild", "server", KeptID, nil, "the server; nothing for direct messages"},
		{"channel", "channel", KeptID, nil, "the channel"},
		{"thread", "thread", KeptID, nil, "the thread of that channel, if it was played in one"},
		{"place", "place", KeptNumber, nil, "its place among the public games of the channel; 0 for a private game"},
		{"message", "message", KeptID, nil, "the message that shows the board"},
		{"notice", "notice", KeptID, nil, "the message that said that somebody was waited for, while it stands"},
	}, keptRules, keptSeats, []KeptField{
		{"moves", "moves", KeptCells, nil, "the cells, in the order in which they were played: column and row"},
		{"given", "given", KeptNumber, nil, "how many of the moves were there at the start"},
		{"state", "state", KeptCode, keptStates, "running or over"},
		{"end_reason", "ended_by", KeptCode, keptEndReasons, "how it ended"},
		{"winner", "winner", KeptMark, nil, "X or O; nothing without a winner"},
		{"verdict", "verdict", KeptCode, keptVerdicts, "what the worst mistake threw away, once it is known"},
		{"verdict_ply", "verdict_move", KeptNumber, nil, "which move that was, counted from 0"},
		{"verdict_cell", "verdict_cell", KeptNumber, nil, "a cell that would have been better, counted from 0 by rows"},
		{"clock", "clock", KeptLength, nil, "seconds for each move; 0 for no clock"},
		{"locale", "language", KeptText, nil, "the language of the board"},
		{"marks", "marks", KeptCode, keptMarks, "how the board shows the marks; nothing for X and O"},
		{"hinted", "hinted", KeptYes, nil, "whether somebody was told a move"},
		{"hint_ply", "hint_move", KeptNumber, nil, "after how many moves that was"},
		{"cell_names", "cell_names", KeptYes, nil, "whether the board shows the names of cells"},
		{"as_list", "as_list", KeptYes, nil, "whether the board is text and a list"},
		{"token_only", "bot_absent", KeptYes, nil, "whether the bot is no member of where the board stands"},
		{"series_x", "series_x", KeptNumber, nil, "earlier games of the series that were won by who has X"},
		{"series_o", "series_o", KeptNumber, nil, "the same for O"},
		{"series_d", "series_drawn", KeptNumber, nil, "earlier games of the series that were drawn"},
		{"lost", "lost_in_a_row", KeptNumber, nil, "games of the series that were lost to the program one after the other, before this one"},
		{"rematch_x", "rematch_x", KeptYes, nil, "whether X wished for a rematch"},
		{"rematch_o", "rematch_o", KeptYes, nil, "whether O did"},
		{"rematch_declined", "rematch_declined", KeptMark, nil, "who declined one"},
		{"next", "next", KeptID, nil, "the game that was the rematch"},
		{"created", "begun", KeptMoment, nil, "when it began"},
		{"updated", "changed", KeptMoment, nil, "when it last changed"},
	})
	keptResults = join([]KeptField{
		{"match", "game", KeptID, nil, "the number of the game"},
		{"guild", "server", KeptID, nil, "the server; nothing for direct messages, and where the bot has left the server for good"},
		{"epoch", "epoch", KeptNumber, nil, "how often the leaderboard of the server had begun anew"},
		{"ended", "ended", KeptMoment, nil, "when the game ended"},
	}, keptRules, keptSeats, []KeptField{
		{"winner", "winner", KeptMark, nil, "X or O; nothing without a winner"},
		{"end_reason", "ended_by", KeptCode, keptEndReasons, "how it ended"},
		{"plies", "moves", KeptNumber, nil, "how many moves were made"},
		{"hinted", "hinted", KeptYes, nil, "whether somebody was told a move"},
		{"from_position", "from_position", KeptYes, nil, "whether it began with a position"},
		{"why", "no_points", KeptCode, keptWhys, "why it gave no points; nothing where it did"},
		{"x_points", "x_points", KeptNumber, nil, "points for X"},
		{"o_points", "o_points", KeptNumber, nil, "points for O"},
		{"x_honours", "x_honours", KeptHonours, nil, "marks of honour for X: 0 won after two threats at once, 1 drew with perfect, 2 beat hard without the first move, 3 beat perfect at vanishing, 4 and 5 won on 4x5 with X and with O"},
		{"o_honours", "o_honours", KeptHonours, nil, "marks of honour for O"},
		{"bot_win", "bot_win", KeptYes, nil, "whether it counts as a win against the program"},
	})
	keptOffers = join([]KeptField{
		{"id", "id", KeptID, nil, "the number of the challenge"},
		{"guild", "server", KeptID, nil, "the server"},
		{"channel", "channel", KeptID, nil, "the channel"},
		{"message", "message", KeptID, nil, "its message"},
		{"challenger", "challenger", KeptID, nil, "who made it"},
		{"opponent", "opponent", KeptID, nil, "who was asked; nothing where anybody was"},
	}, keptRules, []KeptField{
		{"first", "first", KeptCode, keptFirsts, "who was to begin"},
		{"clock", "clock", KeptLength, nil, "seconds for each move; 0 for no clock"},
		{"locale", "language", KeptText, nil, "the challenger's language"},
		{"guild_locale", "server_language", KeptText, nil, "the server's"},
		{"state", "state", KeptCode, keptChallenges, "what became of it"},
		{"match", "game", KeptID, nil, "the game that came of it"},
		{"token_only", "bot_absent", KeptYes, nil, "whether the bot is no member of where its message stands"},
		{"created", "made", KeptMoment, nil, "when it was made"},
		{"updated", "changed", KeptMoment, nil, "when it last changed"},
	})
	keptScore = []KeptField{
		{"won", "won", KeptNumber, nil, "games won"},
		{"drawn", "drawn", KeptNumber, nil, "games drawn"},
		{"lost", "lost", KeptNumber, nil, "games lost"},
	}
)

// KeptParts are all parts, those of a section one after the other.
var KeptParts = []Kept{
	{"settings", "What you have set for yourself.", "people", "id", []string{"id"}, []KeptField{
		{"id", "you", KeptID, nil, "your id"},
		{"clock", "clock", KeptLength, nil, "seconds for each move in games that you begin; nothing where you have not chosen"},
		{"locale", "language", KeptText, nil, "the language in which you are spoken to, if you have chosen one"},
		{"reminders", "reminders", KeptCode, keptSwitches, "whether you are told that you are waited for, if you have chosen"},
	}},
	{"blocks", "From whom you take no challenges. Whoever has blocked you is told to nobody.", "blocks", "user_id", []string{"from_user", "guild"}, []KeptField{
		{"from_user", "from", KeptID, nil, "from whom; nothing for anybody. Who was erased since is a random number"},
		{"guild", "server", KeptID, nil, "on which server; nothing for everywhere"},
		{"since", "since", KeptMoment, nil, "since when"},
	}},
	{"games", "Games in which you have a seat, with the ids of whom you played.", "matches", "x_user", []string{"id"}, keptGames},
	{"games", "", "matches", "o_user", []string{"id"}, keptGames},
	{"stopped", "Games that you have stopped as a moderator.", "matches", "ended_by", []string{"id"}, []KeptField{
		{"id", "game", KeptID, nil, "the number of the game"},
		{"guild", "server", KeptID, nil, "the server"},
		{"channel", "channel", KeptID, nil, "the channel"},
		{"updated", "changed", KeptMoment, nil, "when the game last changed"},
	}},
	{"results", "What your games were worth.", "results", "x_user", []string{"ended", "match"}, keptResults},
	{"results", "", "results", "o_user", []string{"ended", "match"}, keptResults},
	{"standings", "Your points on servers.", "standings", "user_id", []string{"guild", "epoch", "period"}, join([]KeptField{
		{"guild", "server", KeptID, nil, "the server"},
		{"epoch", "epoch", KeptNumber, nil, "how often its leaderboard had begun anew"},
		{"period", "period", KeptPeriod, nil, "a month, all time, or wins against the program"},
		{"points", "points", KeptNumber, nil, "points, or wins against the program"},
	}, keptScore)},
	{"records", "How you play, by opponent and board.", "records", "user_id", []string{"opponent", "m", "n", "k", "mark_limit"}, join([]KeptField{
		{"opponent", "program", KeptText, nil, "which opponent of the program; nothing for people"},
	}, keptRules, keptScore)},
	{"opponents", "How you play against each person.", "pairs", "user_id", []string{"other", "guild"}, join([]KeptField{
		{"other", "other", KeptID, nil, "the person"},
		{"guild", "server", KeptID, nil, "the server; nothing for direct messages, and where the bot has left the server for good"},
	}, keptScore)},
	{"honours", "Your marks of honour.", "honours", "user_id", []string{"honour"}, []KeptField{
		{"honour", "honour", KeptHonours, nil, "which, as in the results"},
		{"times", "times", KeptNumber, nil, "how often"},
	}},
	{"streaks", "Games that you won against people, one after the other.", "streaks", "user_id", []string{"user_id"}, []KeptField{
		{"user_id", "you", KeptID, nil, "your id"},
		{"now", "now", KeptNumber, nil, "up to now"},
		{"best", "best", KeptNumber, nil, "most"},
	}},
	{"challenges", "Challenges that you made or got, until a week after they were closed.", "challenges", "challenger", []string{"id"}, keptOffers},
	{"challenges", "", "challenges", "opponent", []string{"id"}, keptOffers},
	{"puzzles", "How you stand with the puzzle of each day.", "puzzle_tries", "user_id", []string{"day"}, []KeptField{
		{"day", "day", KeptDay, nil, "the day, in UTC"},
		{"guild", "server", KeptID, nil, "where you last played it; nothing for direct messages, and where the bot has left the server for good"},
		{"state", "state", KeptCode, keptPuzzles, "open, solved or failed"},
		{"wrong", "wrong", KeptNumber, nil, "tries that were wrong"},
		{"moves", "cells", KeptCells, nil, "the cells of the last try, with the answers, counted from 0 by rows"},
		{"lost", "last_wrong", KeptYes, nil, "whether the last move was wrong"},
		{"cell_names", "cell_names", KeptYes, nil, "whether the board shows the names of cells"},
		{"as_list", "as_list", KeptYes, nil, "whether the board is text and a list"},
	}},
	{"puzzle_streak", "How you solve puzzles.", "puzzlers", "user_id", []string{"user_id"}, []KeptField{
		{"user_id", "you", KeptID, nil, "your id"},
		{"solved", "solved", KeptNumber, nil, "puzzles solved"},
		{"streak", "streak", KeptNumber, nil, "days in a row, up to the last one"},
		{"tries", "tries", KeptNumber, nil, "tries that these days took"},
		{"best", "best", KeptNumber, nil, "most days in a row"},
		{"last", "last", KeptDay, nil, "the last day that you solved"},
		{"excused", "excused", KeptDay, nil, "the last day that was missed and forgiven; nothing for none"},
	}},
	{"puzzle_servers", "Servers where you have solved puzzles, with the streak that is listed there.", "puzzle_standings", "user_id", []string{"guild"}, []KeptField{
		{"guild", "server", KeptID, nil, "the server"},
		{"day", "day", KeptDay, nil, "the last day that you solved there"},
		{"last", "last", KeptDay, nil, "the last day that you solved anywhere"},
		{"excused", "excused", KeptDay, nil, "the last day that was missed and forgiven; nothing for none"},
		{"streak", "streak", KeptNumber, nil, "days in a row, up to the last one"},
		{"tries", "tries", KeptNumber, nil, "tries that these days took"},
	}},
	{"left", "Servers whose leaderboard leaves you out because you are no member any more.", "absences", "user_id", []string{"guild"}, []KeptField{
		{"guild", "server", KeptID, nil, "the server"},
	}},
	{"begun_anew", "Leaderboards that you had begin anew.", "epochs", "by_user", []string{"guild", "number"}, []KeptField{
		{"guild", "server", KeptID, nil, "the server"},
		{"number", "epoch", KeptNumber, nil, "how often it has begun anew by then"},
		{"since", "since", KeptMoment, nil, "when"},
	}},
}

func join(all ...[]KeptField) (joined []KeptField) {
	for _, some := range all {
		joined = append(joined, some...)
	}
	return joined
}

// After returns the place behind a row of the part, for [Store.Kept].
func (k Kept) After(row []any) (place []any) {
	for _, key := range k.Key {
		for i, f := range k.Fields {
			if f.Column == key {
				place = append(place, row[i])
			}
		}
	}
	return place
}
