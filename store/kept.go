package store

import (
	"slices"
	"strings"
)

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
	kept("people", "id", "id", "id clock locale reminders plays_by recap crown_calls mark"),
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
	kept("puzzle_tries", "user_id", "day", "day guild state wrong moves lost cell_names as_list shared"),
	kept("puzzlers", "user_id", "user_id", "user_id solved streak tries best last excused"),
	kept("puzzle_standings", "user_id", "guild", "guild day last excused streak tries"),
	kept("crowns", "user_id", "channel", "channel guild match wins since last"),
	kept("absences", "user_id", "guild", "guild"),
	kept("epochs", "by_user", "guild number", "guild number since"),
}

const (
	keptRules = " m n k mark_limit x_user x_opponent o_user o_opponent"
	keptMatch = "id guild channel thread place message notice" + keptRules + ` moves given state end_reason winner
		verdict verdict_ply verdict_cell gain_points gain_place gain_streak gain_honours gain_crown gain_throne clock locale marks hinted hint_ply token_only
		series_x series_o series_d lost rematch_x rematch_o rematch_declined next best_of goes_on created updated`
	keptResult = "match guild epoch ended" + keptRules +
		" winner end_reason plies hinted from_position why x_points o_points x_honours o_honours bot_win"
	keptChallenge = `id guild channel message challenger opponent m n k mark_limit
		first clock best_of locale guild_locale opponent_locale crown quiet state match next token_only in_group created updated`
)

func kept(table, person, key, columns string) Kept {
	return Kept{table, person, strings.Fields(key), strings.Fields(columns)}
}

// After returns the place behind a row of the part, for [Store.Kept].
func (k Kept) After(row []any) (place []any) {
	for _, key := range k.Key {
		place = append(place, row[slices.Index(k.Columns, key)])
	}
	return place
}
