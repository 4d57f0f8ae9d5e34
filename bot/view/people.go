package view

import (
	"fmt"
	"slices"
	"time"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// people returns the ids of the people in the match.
func people(m store.Match) []string { return existing(m.X.User, m.O.User) }

// peopleShown returns the ids of those whom the picture of the match names: the
// people in it, and the moderator who stopped it or the person for whom it is paused.
func peopleShown(m store.Match) []string {
	ids := people(m)
	if (m.EndReason == store.Stopped || match.Paused(m)) && m.Seat(m.EndedBy) == engine.None {
		ids = append(ids, string(m.EndedBy))
	}
	return ids
}

// existing returns the ids of users as they are given, without empty ones.
func existing(users ...store.UserID) []string {
	return lines(each(users, func(u store.UserID) string { return string(u) })...)
}

// ids is existing, with each once.
func ids(users ...store.UserID) []string {
	all := existing(users...)
	slices.Sort(all)
	return slices.Compact(all)
}

// mention returns how a person is called, or what is said of one who was erased.
func (w Words) mention(id store.UserID) string {
	if id.Erased() {
		return w.say("person.erased", nil)
	}
	return isolated("<@" + string(id) + ">")
}

// isolated keeps what stands for a person from turning round what stands beside it: digits
// next to a name that is written from right to left would join it (Unicode Standard Annex
// #9, rule W2, and section 2.4 on isolates).
func isolated(person string) string { return "\u2068" + person + "\u2069" }

// player returns the name under which a player appears: a mention, or that of the
// program, which nobody takes for a person or a member of the server.
func (v View) player(p store.Player) string {
	if p.IsUser() {
		return v.plainly(p.User)
	}
	return v.say("opponent.seat", args{"Opponent": v.opponent(p.Opponent)})
}

// opponent returns what an opponent is called where people choose one.
func (w Words) opponent(name string) string { return w.say("opponent."+name, nil) }

// seat returns mark and player: "❌ <@1>".
func (v View) seat(m store.Match, mark engine.Mark) string {
	return v.say("seat", args{"Mark": v.sign(m, mark), "Player": v.player(m.Player(mark))})
}

// timestamp returns Discord's markup for a point in time, which every viewer sees
// in their own time zone; style is Discord's letter.
func timestamp(t time.Time, style rune) string { return fmt.Sprintf("<t:%d:%c>", t.Unix(), style) }
