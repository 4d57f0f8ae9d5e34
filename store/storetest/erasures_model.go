package storetest

import (
	"maps"

	"tictactoe/store"
)

// hashed is what the model puts in the place of a person in blocks.
func hashed(user store.UserID) store.UserID {
	if user == "" || user.Erased() {
		return user
	}
	bits := uint64(0)
	for _, r := range user {
		bits = bits*31 + uint64(r) //nolint:gosec // any number
	}
	return store.ErasedID(bits)
}

// erase erases the person at once.
func (o *model) erase(e store.Erasure) store.ErasureStep {
	if o.erasures[e.User] != e {
		return store.ErasureDone
	}
	for _, m := range o.matches {
		if m.State == store.Active && m.Seat(e.User) != 0 {
			return store.ErasureWaits
		}
	}
	for _, c := range o.challenges {
		if c.State == store.Open && (c.Challenger == e.User || c.Opponent == e.User) {
			return store.ErasureWaits
		}
	}
	rename := func(users ...*store.UserID) (is bool) {
		for _, u := range users {
			if *u == e.User {
				*u, is = e.Pseudonym, true
			}
		}
		return is
	}
	for id, m := range o.matches {
		seat := rename(&m.X.User, &m.O.User)
		if seat && m.Guild == "" {
			m.Channel, m.Message, m.Thread, m.Notice = store.ChannelID(e.Pseudonym), "", "", ""
		}
		if stopped := rename(&m.EndedBy); seat || stopped {
			m.Version++
			m.Drawn++
			o.matches[id] = m
		}
	}
	for id, c := range o.challenges {
		if rename(&c.Challenger, &c.Opponent) {
			if c.Guild == "" {
				c.Channel, c.Message = store.ChannelID(e.Pseudonym), ""
			}
			c.Version++
			c.Drawn++
			o.challenges[id] = c
		}
	}
	o.ledger.erase(e, rename)
	for b, since := range o.blocks {
		if b.User == e.User {
			delete(o.blocks, b)
		}
		if b.From == e.User {
			delete(o.blocks, b)
			b.From = hashed(b.From)
			if _, there := o.blocks[b]; !there {
				o.blocks[b] = since
			}
		}
	}
	maps.DeleteFunc(o.tries, func(k tryKey, _ store.PuzzleTry) bool { return k.user == e.User })
	maps.DeleteFunc(o.solvedIn, func(k solverKey, _ int64) bool { return k.user == e.User })
	delete(o.puzzlers, e.User)
	delete(o.people, e.User)
	delete(o.erasures, e.User)
	return store.ErasureDone
}

// erase puts the pseudonym into the ledger.
func (l *ledger) erase(e store.Erasure, rename func(...*store.UserID) bool) {
	for i := range l.results {
		if r := &l.results[i]; rename(&r.X.User, &r.O.User) && r.Guild != "" {
			l.absent[store.Absence{Guild: r.Guild, User: e.Pseudonym, Gone: true}] = true
		}
	}
	maps.DeleteFunc(l.absent, func(a store.Absence, _ bool) bool { return a.User == e.User })
	l.former[e.Pseudonym] = e.User
}
