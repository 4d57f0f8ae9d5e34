package sqlstore

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"tictactoe/store"
)

// Key is the database's own, of the hashes that know people again who were erased.
type Key string

// Hash returns what stands for the person once they are erased, empty for nobody and for
// somebody who is erased already.
func (k Key) Hash(u store.UserID) string {
	if u == "" || u.Erased() {
		return ""
	}
	h := hmac.New(sha256.New, []byte(k))
	h.Write([]byte(u))
	return string(store.ErasedID(binary.BigEndian.Uint64(h.Sum(nil))))
}

// The stages of an erasure. The numbers are stored.
const (
	stageWaits  = 10
	stageGoesOn = 20
	stageCleans = 30 // no record names the person any more; what files still hold has to go
)

var (
	putKey  = query("INSERT INTO secrets (name, value) VALUES ('people', ?1) ON CONFLICT DO NOTHING")
	readKey = query("SELECT value FROM secrets WHERE name = 'people'")
)

// KeyOf returns the key of the database, which is made when it is first opened.
func KeyOf(tx Tx) (key Key, err error) {
	if _, err := tx.Exec(putKey, rand.Text()+rand.Text()); err != nil {
		return "", err
	}
	_, err = tx.Row(readKey, nil, textAt(&key))
	return key, err
}

// Part is a part of what is kept about a person or a guild, and how it is erased: the queries
// run in order with the person, the pseudonym, the greatest number of rows and the person's
// hash as arguments. The last of them says how many rows were dealt with: when it is fewer
// than the greatest number, none is left.
type Part struct {
	Table, Column string
	Some          *Query // has a row while there is something of the part
	Queries       []*Query
}

// PersonParts are all parts of what is kept about a person, GuildParts those of what is kept
// about a guild.
var PersonParts, GuildParts = personParts(), guildParts()

// part returns the part of the rows in which the column holds whom it is about and of which
// what is behind it is true, if anything.
func part(table, column, where string, texts ...string) Part {
	p := Part{Table: table, Column: column, Some: batch(fmt.Sprintf("SELECT 1 FROM %[1]s WHERE %[2]s = ?1 AND %[2]s <> ''%[3]s LIMIT 1", table, column, where))}
	for _, text := range texts {
		p.Queries = append(p.Queries, batch(text))
	}
	return p
}

// personParts lists the parts. sums come after the results that they are sums of: what is left
// of them then is wrong.
func personParts() []Part {
	all := []Part{
		part("results", "x_user", "", moveResults("x")...),
		part("results", "o_user", "", moveResults("o")...),
		remove("standings", "user_id"),
		remove("records", "user_id"),
		remove("pairs", "user_id"),
		remove("pairs", "other"),
		remove("honours", "user_id"),
		remove("streaks", "user_id"),
		remove("seats", "user_id"),
		remove("puzzle_tries", "user_id"),
		remove("puzzlers", "user_id"),
		remove("puzzle_standings", "user_id"),
		remove("crowns", "user_id"),
		remove("people", "id"),
		remove("absences", "user_id"),
		remove("blocks", "user_id"),
		part("blocks", "from_user", "",
			"INSERT INTO blocks (user_id, from_user, guild, since) SELECT user_id, ?4, guild, since FROM blocks WHERE "+theirs("blocks", "from_user")+" ON CONFLICT DO NOTHING",
			"DELETE FROM blocks WHERE "+theirs("blocks", "from_user")),
		part("epochs", "by_user", "", "UPDATE epochs SET by_user = ?2 WHERE "+theirs("epochs", "by_user")),
		renameIn("matches", "ended_by", ""),
	}
	// Where direct messages were is known to the one person alone.
	direct := ", message = CASE WHEN guild = '' THEN '' ELSE message END, channel = CASE WHEN guild = '' THEN ?2 ELSE channel END"
	for i, seat := range [...]string{"x_user", "o_user"} {
		gone := direct
		for _, gain := range [...]string{"points", "place", "streak", "honours", "crown", "throne"} { // what the match has given them is told no more
			gone += fmt.Sprintf(", gain_%[1]s = CASE WHEN winner IN (0, %[2]d) THEN 0 ELSE gain_%[1]s END", gain, i+1)
		}
		gone += ", thread = CASE WHEN guild = '' THEN '' ELSE thread END, notice = CASE WHEN guild = '' THEN '' ELSE notice END"
		all = append(all, renameIn("matches", seat, gone))
	}
	pair := func(column, other, also string) Part {
		ordered := ", low_user = CASE WHEN %[1]s < ?2 THEN %[1]s ELSE ?2 END, high_user = CASE WHEN %[1]s < ?2 THEN ?2 ELSE %[1]s END"
		return renameIn("challenges", column, direct+fmt.Sprintf(ordered, other)+also)
	}
	return append(all, pair("challenger", "opponent", ""), pair("opponent", "challenger", ", opponent_locale = ''"))
}

// theirs is the condition on rows of a person of which this is true, too, as many as are dealt
// with at once.
func theirs(table, column string, where ...string) string {
	key := tableOf(table).Key
	return fmt.Sprintf("(%[1]s) IN (SELECT %[1]s FROM %[2]s WHERE %[3]s = ?1 AND %[3]s <> ''%[4]s ORDER BY %[1]s LIMIT ?3)", key, table, column, strings.Join(where, ""))
}

func remove(table, column string, where ...string) Part {
	return part(table, column, strings.Join(where, ""), "DELETE FROM "+table+" WHERE "+theirs(table, column, where...))
}

// renameIn puts the pseudonym into a column of records that have versions, and sets what else is
// to be set then. What Discord shows of them stays as far behind as it was.
func renameIn(table, column, also string) Part {
	text := fmt.Sprintf("UPDATE %s SET %s = ?2, version = version + 1, drawn = drawn + 1%s WHERE %s",
		table, column, also, theirs(table, column))
	return part(table, column, "", text)
}

// moveResults moves results of a person in the seat and what they add to the sums. Streaks
// are moved by themselves.
func moveResults(seat string) []string {
	these := fmt.Sprintf("seq IN (SELECT seq FROM results WHERE %[1]s_user = ?1 AND %[1]s_user <> '' ORDER BY ended, match LIMIT ?3)", seat)
	// Not materialized, SQLite goes through all results of the person for the few of the batch:
	// a condition on the person is pushed into it, and there is an index for that.
	batch := "WITH batch AS MATERIALIZED (SELECT * FROM results WHERE " + these + "), "
	as := func(user string) string { return fmt.Sprintf("CASE WHEN %[1]s = ?1 THEN ?2 ELSE %[1]s END", user) }
	before, after := batch+sidesOf("batch"), batch+renamed("batch", as)+", "+sidesOf("renamed")
	all := moveSums(func(s sum) bool { return s.total == "" }, before, "?1", after, "?2")
	return append(all,
		// Who was erased takes no rank.
		"INSERT INTO absences (guild, user_id) SELECT DISTINCT guild, ?2 FROM results WHERE guild <> '' AND "+these+" ON CONFLICT DO NOTHING",
		fmt.Sprintf("UPDATE results SET %s_user = ?2 WHERE %s", seat, these))
}

// moveSums takes what sides give from the sums that are chosen, and adds what they give
// afterwards: those in which somebody is, or anybody.
func moveSums(choose func(sum) bool, before, less, after, more string) (all []string) {
	for _, s := range sums {
		if !choose(s) {
			continue
		}
		var minus, where []string
		for _, v := range s.values {
			minus = append(minus, fmt.Sprintf("%[1]s = %[2]s.%[1]s - d.%[1]s", v, s.Name))
		}
		for _, k := range s.keys {
			where = append(where, fmt.Sprintf("%[2]s.%[1]s = d.%[1]s", k, s.Name))
		}
		keys, games := strings.Join(s.keys, ", "), strings.Join(s.values[len(s.values)-min(3, len(s.values)):], " + ")
		all = append(all,
			before+", d AS ("+s.sumsOf(less)+") UPDATE "+s.Name+" SET "+strings.Join(minus, ", ")+" FROM d WHERE "+strings.Join(where, " AND "),
			before+", d AS ("+s.sumsOf(less)+") DELETE FROM "+s.Name+" WHERE "+games+" = 0 AND ("+keys+") IN (SELECT "+keys+" FROM d)",
			after+", d AS ("+s.sumsOf(more)+") INSERT INTO "+s.Name+" ("+s.columns()+") SELECT "+s.columns()+" FROM d WHERE true ON CONFLICT ("+keys+") DO UPDATE SET "+s.plus())
	}
	return all
}

// anybody stands for whoever is in a side.
const anybody = "true"

// sumsOf gives the sums of the sides in which the person is.
func (s sum) sumsOf(person string) string {
	of := "user_id = " + person
	switch {
	case person == anybody:
		of = anybody
	case slices.Contains(s.keys, "other"):
		of += " OR other = " + person
	}
	totals := make([]string, len(s.values))
	for i, v := range s.values {
		totals[i] = fmt.Sprintf("CAST(sum(%[1]s) AS bigint) AS %[1]s", v)
	}
	keys := strings.Join(s.keys, ", ")
	return fmt.Sprintf("SELECT %s, %s FROM (%s) AS each_one WHERE %s GROUP BY %s", keys, strings.Join(totals, ", "), s.of, of, keys)
}
