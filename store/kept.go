package store

import "strings"

// Kept is a part of what is kept about a person: rows of a table in which a column names
// them, and which columns of each row are told to that person. [Store.Kept] reads the rows.
type Kept struct {
	Table   string
	Person  string   // the column that names them
	Key     []string // columns by which their rows are in order, no two in the same place
	Columns []string
}

// KeptParts are all parts, those of a table one after the other.
var KeptParts = []Kept{
	kept("people", "id", "id", "id clock locale reminders"),
	kept("blocks", "user_id", "from_user guild", "from_user guild since"),
	kept("matches", "x_user", "id", keptMatch),
	kept("matches", "o_user", "id", keptMatch),
	kept("matches", "ended_by", "id", "id guild channel updated"),
	kept("results", "x_user", "ended match", keptResult),
	kept("results", "o_user", "ended match", keptResult),
	kept("standings", "user_id", "guild epoch period", "guild epoch period points won drawn lost"),
	kept("records", "user_id", "opponent m n k mark_limit", "opponent m n k mark_limit won drawn lost"),
	kept("pairs", "user_id", "other guild", "other guild won drawn lost"),
	kept("honours", "user_id", "honour", "honour times"),
	kept("streaks", "user_id", "user_id", "user_id now best"),
	kept("challenges", "challenger", "id", keptChallenge),
	kept("challenges", "opponent", "id", keptChallenge),
	kept("puzzle_tries", "user_id", "day", "day guild state wrong moves lost cell_names as_list"),
	kept("puzzlers", "user_id", "user_id", "user_id solved streak tries best last excused"),
	kept("puzzle_standings", "user_id", "guild", "guild day last excused streak tries"),
	kept("absences", "user_id", "guild", "guild"),
	kept("epochs", "by_user", "guild number", "guild number since"),
}

const (
	keptRules = " m n k mark_limit x_user x_opponent o_user o_opponent"
	keptMatch = "id guild channel thread place message notice" + keptRules + ` moves given state end_reason winner
		verdict verdict_ply verdict_cell clock locale marks hinted hint_ply cell_names as_list token_only
		series_x series_o series_d lost rematch_x rematch_o rematch_declined next created updated`
	keptResult = "match guild epoch ended" + keptRules +
		" winner end_reason plies hinted from_position why x_points o_points x_honours o_honours bot_win"
	keptChallenge = `id guild channel message challenger opponent m n k mark_limit
		first clock locale guild_locale state match token_only in_group created updated`
)

// KeptMeanings says what tables hold, and what columns mean in every table, or in the one
// that is named before the point.
var KeptMeanings = map[string]string{
	"people":           "What you have set for yourself.",
	"blocks":           "From whom you take no challenges. Who has blocked you is told to nobody.",
	"matches":          "Games in which you have a seat, and those that you have stopped as a moderator, or that were paused for a game with you.",
	"results":          "What your games were worth.",
	"standings":        "Your points on servers.",
	"records":          "How you play, by opponent and board.",
	"pairs":            "How you play against each person.",
	"honours":          "Your marks of honour.",
	"streaks":          "Games that you won against people, one after the other.",
	"challenges":       "Challenges that you made or got, until a week after they were closed.",
	"puzzle_tries":     "How you stand with the puzzle of each day.",
	"puzzlers":         "How you solve puzzles.",
	"puzzle_standings": "Servers where you have solved puzzles, with the streak that is listed there.",
	"absences":         "Servers whose leaderboard leaves you out because you are no member any more.",
	"epochs":           "Leaderboards that you had begin anew.",

	"id":                 "the number of the game or the challenge",
	"people.id":          "you",
	"user_id":            "you",
	"guild":              "the server; empty for direct messages, for everywhere, and where the bot has left the server for good",
	"channel":            "the channel",
	"thread":             "the thread of that channel in which it was played",
	"place":              "its place among the public games of the channel; 0 for a private game",
	"message":            "the message that shows it",
	"notice":             "the message that said that somebody was waited for, while it stands",
	"m":                  "columns of the board",
	"n":                  "its rows",
	"k":                  "how many in a row win",
	"mark_limit":         "marks that a side may have where the oldest vanish; 0 for any number",
	"x_user":             "who had X, if a person",
	"x_opponent":         "which opponent of the program had X",
	"o_user":             "who had O, if a person",
	"o_opponent":         "which opponent of the program had O",
	"moves":              "cells in the order in which they were played, counted from 0 by rows; of a puzzle the last try, with the answers",
	"given":              "how many of the moves were there at the start",
	"plies":              "how many moves were made",
	"state":              "10 running, 20 over",
	"challenges.state":   "10 open, 20 accepted, 30 declined, 40 withdrawn, 50 expired, 60 made anew, 70 closed, 80 seen by nobody else",
	"puzzle_tries.state": "10 open, 20 solved, 30 failed",
	"end_reason": "10 line, 20 full board, 21 repetition, 22 move limit, 30 resignation, 40 clock, 50 idle, " +
		"55 paused for a game between people, 60 stopped by a moderator, 70 abandoned, 80 channel gone, 85 thread locked, 90 a player was erased; 0 while it runs",
	"winner":            "0 nobody, 1 X, 2 O",
	"rematch_declined":  "who declined a rematch: 0 nobody, 1 X, 2 O",
	"verdict":           "what the worst mistake threw away: 0 not known, 10 nothing, 20 a win, 30 a draw",
	"verdict_ply":       "which move that was, counted from 0",
	"verdict_cell":      "a cell that would have been better",
	"clock":             "nanoseconds for each move; 0 for no clock, null where you have not chosen",
	"locale":            "the language",
	"guild_locale":      "the server's language",
	"marks":             "how the board shows marks: 0 X and O, 10 squares and discs, 20 hearts and stars, 30 moons and suns",
	"reminders":         "whether you are told that you are waited for: 0 not chosen, 10 yes, 20 no",
	"hinted":            "whether somebody was told a move",
	"hint_ply":          "after how many moves that was",
	"cell_names":        "whether the board shows the names of cells",
	"as_list":           "whether the board is text and a list",
	"token_only":        "whether the bot is no member of where it stands",
	"in_group":          "whether it was made in a group of people",
	"series_x":          "earlier games of the series that were won by who has X",
	"series_o":          "the same for O",
	"series_d":          "those that were drawn",
	"lost":              "games lost",
	"matches.lost":      "games of the series that were lost to the program one after the other, before this one",
	"puzzle_tries.lost": "whether the last move was wrong",
	"rematch_x":         "whether X wished for a rematch",
	"rematch_o":         "whether O did",
	"next":              "the game that was the rematch",
	"created":           "when it was made, in milliseconds since 1970, as all times",
	"updated":           "when it last changed",
	"ended":             "when the game ended",
	"since":             "since when",
	"match":             "the number of the game",
	"epoch":             "how often the leaderboard of the server had begun anew",
	"number":            "the same",
	"from_position":     "whether it began with a position",
	"why": "why it gave no points: 10 not weighed, 20 before points were counted, 30 not on a server, 40 no result, 50 too short, 60 forced board, " +
		"70 against the program, 80 with a hint, 81 began with a position, 90 limit of the pair, 91 limit of the person; 0 where it did",
	"x_points":         "points for X",
	"o_points":         "points for O",
	"x_honours":        "marks of honour for X, a bit each",
	"o_honours":        "those for O",
	"bot_win":          "whether it counts as a win against the program",
	"period":           "the month, as 202402; 0 for all time, 1 for wins against the program",
	"points":           "points, or wins against the program",
	"won":              "games won",
	"drawn":            "games drawn",
	"opponent":         "who was asked; empty where anybody was",
	"records.opponent": "which opponent of the program; empty for people",
	"other":            "the person",
	"from_user":        "from whom; empty for anybody. Who was erased since is a random number",
	"challenger":       "who made it",
	"first":            "who was to begin: 10 challenger, 20 opponent, 30 random",
	"honour": "which: 0 won after two threats at once, 1 drew with perfect, 2 beat hard without the first move, " +
		"3 beat perfect at vanishing, 4 and 5 won on 4x5 with X and with O",
	"times":   "how often",
	"now":     "up to now",
	"best":    "most",
	"day":     "the day, in UTC, counted from 1970, as all days",
	"last":    "the last day that you solved",
	"excused": "the last day that was missed and forgiven; 0 for none",
	"solved":  "puzzles solved",
	"streak":  "days in a row, up to the last one",
	"tries":   "tries that these days took",
	"wrong":   "tries that were wrong",
}

func kept(table, person, key, columns string) Kept {
	return Kept{table, person, strings.Fields(key), strings.Fields(columns)}
}

// After returns the place behind a row of the part, for [Store.Kept].
func (k Kept) After(row []any) (place []any) {
	for _, key := range k.Key {
		for i, column := range k.Columns {
			if column == key {
				place = append(place, row[i])
			}
		}
	}
	return place
}
